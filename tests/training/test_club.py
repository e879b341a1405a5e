"""`overtrick train from-pbn`: somebody's own boards, whose calls of them count, what is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
pytest.importorskip("onnx", reason="the extra train brings onnx")

from overtrick.bidding import bid_board, bidder
from overtrick.cli import main
from overtrick.game import Board, Record
from overtrick.nets.features import SYSTEMS, UNKNOWN_SYSTEM
from overtrick.notation import dump
from overtrick_lab.training import club
from overtrick_lab.training.data import DataError
from overtrick_lab.training.settings import ClubSettings

NAMES = ("Ann Lee", "Cyd", "Bob O'Hara", "Dee")
OTHERS = ("Cyd", "Ann Lee", "Dee", "Eve")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 boards in a folder of two files: 90 by four players, 30 by others, one passed over."""
    place, engine = tmp_path_factory.mktemp("club"), bidder("points")
    records = []
    for number in range(120):
        board = Board.random(number % 16 + 1, number)
        auction = bid_board(board, [engine] * 4)[0]
        names, tags = (NAMES, {}) if number < 90 else (OTHERS, {"BidSystemEW": "2/1 GF"})
        records.append(
            Record(
                board.number, board.dealer, board.vul, board.deal, auction, names=names, tags=tags
            )
        )
    dump(records[:90], place / "monday.pbn")
    dump([*records[90:], Record(9, deal=records[0].deal)], place / "friday.pbn")
    return place


def read(settings: ClubSettings) -> tuple[club.Boards, club.BoardReader]:
    reader = club.BoardReader(settings)
    return reader.read(club.records_of(club.files_of(settings.files))), reader


def test_only_the_calls_of_the_pair_are_learned(
    evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "LEAST", 10)
    everybody, reader = read(ClubSettings(files=(evening,)))
    assert len(everybody.ours) == 120
    assert everybody.ours.all()
    assert dict(reader.left_out) == {"no complete deal and auction": 1}
    made = (everybody.auctions.calls >= 0).sum()
    assert everybody.positions().total == made

    ann, _ = read(ClubSettings(files=(evening,), pair="ann lee"))
    assert ann.ours.tolist() == [[False, True]] * 30 + [[True, False]] * 90  # friday comes first
    these = ann.positions()
    deal, turn = np.asarray(these.deal), np.asarray(these.turn)
    side = (ann.auctions.dealer[deal] + turn) % 2
    assert (side == np.where(deal < 30, 1, 0)).all()
    both, reader = read(ClubSettings(files=(evening,), pair="Bob O'Hara,Ann"))
    assert len(both.ours) == 90
    assert reader.left_out["other players"] == 30


def test_a_side_that_plays_another_system_is_left_out(
    evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "LEAST", 10)
    sayc, two = SYSTEMS.index("sayc"), SYSTEMS.index("two-over-one")
    found, reader = read(ClubSettings(files=(evening,), system="SAYC", pair="Ann"))
    assert len(found.ours) == 90
    assert reader.left_out["other system"] == 30
    assert set(found.auctions.systems[:, 0]) == {sayc}
    assert set(found.auctions.systems[:, 1]) == {UNKNOWN_SYSTEM}
    everybody, _ = read(ClubSettings(files=(evening / "friday.pbn",), system="sayc"))
    assert everybody.ours.tolist() == [[True, False]] * 30
    assert everybody.auctions.systems.tolist() == [[sayc, two]] * 30


def test_no_deal_is_learned_and_tried(evening: Path) -> None:
    boards, _ = read(ClubSettings(files=(evening, evening)))  # every deal at two tables
    train, test = club.split(boards, 0.2, seed=1)
    deals = [{row.tobytes() for row in part.auctions.owner} for part in (train, test)]
    assert not deals[0] & deals[1]
    assert len(train.ours) + len(test.ours) == 240
    assert 20 < len(test.ours) < 80
    with pytest.raises(DataError, match="--held-out"):
        club.split(boards, 1.0, seed=1)


def test_from_boards_to_a_bidder(evening: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.onnx"
    words = ["train", "from-pbn", str(evening), "--out", str(out), "--width", "16", "--steps", "8",
             "--batch", "64", "--learning-rate", "0.01", "--json"]  # fmt: skip
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["found"]
    assert found["boards_used"] == 120
    assert found["test_accuracy"] > 0.4  # most calls are passes
    assert json.loads(out.with_suffix(".json").read_text())["lineage"]["boards"] == 120
    assert bidder(found["engine"]).name.startswith("policy")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"files": ()}, "which boards"),
        ({"files": (Path("gone.pbn"),)}, "there is no gone.pbn"),
        ({"files": (Path(__file__),)}, "convert"),
        ({"files": (Path(__file__).parent,)}, "no .pbn, .lin or .rbn file"),
        ({"pair": "Zoe"}, "0 boards are too few.*who plays there: Cyd, Ann Lee"),
        ({"system": "acol", "pair": "Ann,Bob"}, "90 boards are too few.*30 with other players"),
        ({"system": "goren"}, "no network has a flag for goren"),
        ({"out": Path("x.npz")}, "as an .onnx file"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(evening: Path, words: dict[str, object], said: str) -> None:
    wish = replace(ClubSettings(files=(evening,)), **words)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=said) as found:
        club.run(wish)
    assert "\n" not in str(found.value)


def test_a_file_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "junk.lin").write_bytes(bytes(range(256)) * 4)
    with pytest.raises(DataError, match="0 boards are too few"):
        club.run(ClubSettings(files=(tmp_path,)))
