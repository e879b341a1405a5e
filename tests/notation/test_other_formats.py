"""RBN, OpenSpiel trajectories, and how `loads` tells formats apart."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from overtrick.game import Contract, Deal, Note, Play, Record, Seat, Vulnerability
from overtrick.notation import NotationError, dumps, format_of, load, loads
from overtrick.notation.files import guess
from tests.notation import strategies

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"


def test_rbn() -> None:
    loaded = load(GOLDEN / "sample.rbn")
    first, second = loaded
    assert loaded.warnings == ()
    assert first.number == 7
    assert first.tags["Date"] == "1997.04.12"
    assert first.tags["Scoring"] == "IMP"
    assert first.tags["Room"] == "Open"
    assert first.names == ("Nora", "Eve", "Sam", "Will")
    assert isinstance(first.deal, Deal)
    assert first.deal[Seat.WEST].ranks(1) == "KT864"
    assert first.contract == Contract.parse("3NT S")
    assert first.call_notes == {2: Note("15 to 17", True), 4: Note("Stayman", True)}
    assert first.card_notes == {0: Note("fourth best")}
    assert first.play is not None
    assert [c.ascii for c in first.play.cards] == [
        "D4", "D7", "DQ", "D2", "D3", "DJ", "DK", "D9",
    ]  # fmt: skip
    assert first.vul == Vulnerability.NONE
    assert first.tricks == 9
    assert first.comment == "A paragraph about the deal\nthat goes on"
    assert second.deal == first.deal  # stated once, holds on
    assert second.tags["Room"] == "Closed"
    assert second.is_passed_out
    assert second.vul == Vulnerability.ALL
    again = loads(dumps(loaded.records, "rbn"), "rbn")
    assert again.warnings == ()
    assert again.records == loaded.records


def _played(seed: int) -> Record:
    rng = random.Random(seed)
    deal = Deal.random(rng)
    auction = strategies.auction(rng, Seat.NORTH, stop=False)
    contract = auction.contract
    play = None
    if contract is not None:
        play = strategies.play(rng, Play.of(contract), deal, 52)
    tricks = None if play is None else play.declarer_tricks
    return Record(None, Seat.NORTH, Vulnerability.NONE, deal, auction, contract, play, tricks)


def test_openspiel_round_trip() -> None:
    made = [_played(seed) for seed in range(40)]
    text = dumps(made, "openspiel")
    assert list(loads(text).records) == made
    assert guess(text) == "openspiel"


def test_openspiel_itself_agrees() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    for seed in range(10):
        record = _played(seed)
        state = game.new_initial_state()
        for action in dumps(record, "openspiel").split():
            assert int(action) in state.legal_actions()
            state.apply_action(int(action))
        assert state.is_terminal()
        assert state.returns()[0] == record.ns_score


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("1 2 x", "line 1: a trajectory is a line of action numbers 0 to 89"),
        (" ".join(["7"] * 52), "line 1: the first 52 actions do not deal 52 different cards"),
        (" ".join(map(str, range(52))) + " 53", "action 53, 53: there is no bid to double"),
    ],
)
def test_openspiel_warnings(line: str, warning: str) -> None:
    assert any(warning in str(w) for w in loads(line, "openspiel").warnings)


def test_openspiel_needs_all_hands() -> None:
    with pytest.raises(NotationError, match="record 1: a trajectory needs all four hands"):
        dumps(Record(), "openspiel")


def test_formats_are_told_apart() -> None:
    assert format_of("A.PBN") == "pbn"
    assert format_of("a.doc") is None
    assert guess("qx|o1|md|") == "lin"
    assert guess('\n[Event "x"]\n') == "pbn"
    assert guess("H W:...:") == "rbn"
    assert guess("hello") is None
    assert loads("").records == ()
    assert loads(b"\x00\x01\x02").records == ()
    assert str(loads("hello").warnings[0]).startswith("no known format (pbn, json, ")


def test_a_file_of_wbridge5_auctions() -> None:
    path = Path(os.environ.get("OVERTRICK_DATA", "")) / "wbridge5_auctions.txt"
    if not path.is_file():
        pytest.skip("OVERTRICK_DATA names no folder with that file")
    with path.open() as file:
        text = "".join(next(file) for _ in range(200))
    loaded = loads(text, "openspiel")
    assert len(loaded) == 200
    assert loaded.warnings == ()
    assert dumps(loads(dumps(loaded, "pbn")), "openspiel").count("\n") == 200
