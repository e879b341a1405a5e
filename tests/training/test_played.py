"""Boards bid and played by our own engines: the file, going on with it, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overtrick import doubledummy
from overtrick.game import Deal, Play
from overtrick.game.auction import of_calls
from overtrick.nets.features import UNKNOWN_SYSTEM
from overtrick_lab.training import data, played
from overtrick_lab.training.predicting_settings import BoardSettings

QUICK = BoardSettings(bidders="rules|points", player="highest", start=500, count=34)


def settings(folder: Path) -> BoardSettings:
    return replace(QUICK, out=folder / "played.npz")


def test_a_row_is_a_whole_board(tmp_path: Path) -> None:
    wish = settings(tmp_path)
    found = played.run(wish)
    boards = played.read(wish.out)
    assert len(boards) == found["boards"] == 34
    assert boards.number.tolist() == list(range(500, 534))
    for row in range(0, 34, 5):
        one = boards[row : row + 1]
        calls = one.auctions.calls[0][: one.auctions.length[0]].tolist()
        auction = of_calls(int(one.auctions.dealer[0]), calls)
        level, strain, doubled, declarer = one.contract[0].tolist()
        contract = auction.contract
        if contract is None:
            assert level == played.NOBODY
            continue
        assert (contract.level, contract.strain, contract.declarer) == (level, strain, declarer)
        assert contract.doubled == doubled
        deal = Deal.from_owners(data.house_owners(one.auctions.owner)[0].tobytes())
        play = Play.of(contract)
        for card in one.cards[0].tolist():
            play = play.then(card, deal[play.turn])
        assert play.declarer_tricks == one.tricks[0]
        before, after = one.double_dummy[0].tolist()
        assert doubledummy.tricks(deal, strain, declarer) == before <= after
        declarer_gave, defenders_gave = one.given[0].tolist()
        assert after + defenders_gave - declarer_gave == one.tricks[0]


def test_auctions_can_be_learned_from_too(tmp_path: Path) -> None:
    wish = replace(settings(tmp_path), count=8)
    played.run(wish)
    auctions = data.read_auctions(wish.out)
    assert len(auctions) == 8
    assert set(auctions.systems[:, 0]) <= {data.SAYC, UNKNOWN_SYSTEM}


def test_each_bidder_meets_each() -> None:
    seen = {played.who_bids(number, 2) for number in range(64)}
    assert seen == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_the_same_command_goes_on(tmp_path: Path) -> None:
    wish = settings(tmp_path)
    whole = replace(wish, out=tmp_path / "whole.npz")
    played.run(replace(wish, count=10))
    played.run(wish)
    played.run(whole)
    some, all_of_them = played.read(wish.out), played.read(whole.out)
    for name in ("number", "contract", "cards", "tricks", "double_dummy", "given"):
        assert np.array_equal(getattr(some, name), getattr(all_of_them, name))
    assert np.array_equal(some.auctions.calls, all_of_them.auctions.calls)
    assert len(played.read(wish.out, whole.out)) == 34, "a board counts once"
    assert len(played.read(tmp_path)) == 34


def test_boards_of_others_are_left_alone(tmp_path: Path) -> None:
    wish = replace(settings(tmp_path), count=2)
    played.run(wish)
    with pytest.raises(data.DataError, match="choose another --out"):
        played.run(replace(wish, bidders="points"))


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    wish = settings(tmp_path)
    with pytest.raises(data.DataError, match="nobody to bid"):
        played.run(replace(wish, bidders=" | "))
    with pytest.raises(data.DataError, match="at least one board"):
        played.run(replace(wish, count=0))
    wish.out.write_bytes(b"no archive")
    with pytest.raises(data.DataError, match="cannot read"):
        played.run(wish)
