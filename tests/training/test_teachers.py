"""Teachers: our own bidders and files of boards become auctions to imitate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick.bidding import bid_board, bidder
from overtrick.game import Board, Record
from overtrick.nets.features import CARD_AT, SYSTEMS
from overtrick.notation import dump
from overtrick_lab.training import data, teachers


def test_rules_teach_their_system() -> None:
    found = teachers.taught("rules(system=two-over-one)", 6, seed=3)
    assert len(found) == 6
    assert (found.systems == SYSTEMS.index("two-over-one")).all()
    assert all((np.bincount(row, minlength=4) == 13).all() for row in found.owner)
    for calls, length in zip(found.calls, found.length, strict=True):
        assert (calls[length - 3 : length] == 0).all()
        assert (calls[length:] == -1).all()
    again = teachers.taught("rules(system=two-over-one)", 6, seed=3)
    assert (again.calls == found.calls).all()


def test_boards_of_a_file_are_auctions(tmp_path: Path) -> None:
    engine = bidder("points")
    boards = [Board.random(number, number) for number in (1, 2, 7)]
    auctions = [bid_board(board, [engine] * 4)[0] for board in boards]
    records = [
        Record(number=b.number, dealer=b.dealer, vul=b.vul, deal=b.deal, auction=a)
        for b, a in zip(boards, auctions, strict=True)
    ]
    dump([*records, Record(number=9, deal=boards[0].deal)], tmp_path / "boards.pbn")
    found = data.read_auctions(tmp_path / "boards.pbn")
    assert len(found) == 3
    assert (found.systems == data.SAYC).all()
    for row, (board, auction) in enumerate(zip(boards, auctions, strict=True)):
        assert list(found.calls[row, : found.length[row]]) == [int(c) for c in auction.calls]
        assert (
            found.owner[row] == np.frombuffer(bytes(board.deal.owners), np.uint8)[CARD_AT]
        ).all()
        assert (int(found.dealer[row]), int(found.vul[row])) == (int(board.dealer), int(board.vul))


def test_files_without_auctions_are_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty.pbn").write_text("% PBN 2.1\n")
    with pytest.raises(data.DataError, match="no board with four hands"):
        data.read_auctions(tmp_path / "empty.pbn")
    with pytest.raises(data.DataError, match="cannot read"):
        data.read_auctions(tmp_path / "gone.pbn")


def test_supervised_learns_from_a_bidder(tmp_path: Path) -> None:
    pytest.importorskip("jax", reason="the extra train brings JAX")
    pytest.importorskip("optax", reason="the extra train brings optax")
    from overtrick_lab.training import supervised
    from overtrick_lab.training.settings import SupervisedSettings

    settings = SupervisedSettings(
        auctions=tmp_path / "lessons.npz", teacher="points", lessons=60, out=tmp_path / "sl.npz",
        held_out=10, width=32, steps=30, batch=64, learning_rate=3e-3, systems=False,
    )  # fmt: skip
    found = supervised.run(settings)
    assert found["lessons"] > 0.4  # most calls are passes
    assert len(data.read_auctions(tmp_path / "lessons.npz")) == 60
