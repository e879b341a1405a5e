"""`overtrick suit` on the command line, and the words it says."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.suitplay import Holding, Layouts, SuitError, Tactic, solve


def _run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["suit", *args])
    return result.exit_code, result.output


def test_tables_and_words() -> None:
    code, text = _run("AQT98", "5432")
    assert code == 0
    for part in ("82.78 %", "26.57 %", "4.0313", "Low to the ten", "ahead of A by 3.6522 %"):
        assert part in text


def test_target_and_tree() -> None:
    code, text = _run("J876", "AT32", "--tricks", "3", "--tree")
    assert code == 0
    assert "For 3 tricks or more" in text
    assert "North leads the 6 (run)" in text


def test_json() -> None:
    code, text = _run("AJ98", "K32", "--json", "--tree")
    assert code == 0
    value = json.loads(text)
    assert value["matchpoint_best"] is None
    assert len(value["matchpoint_cycle"]) >= 3
    assert value["chances"]["3"] == pytest.approx(0.8547, abs=1e-4)
    assert sum(row["chance"] for row in value["layouts"]) == pytest.approx(1)
    assert value["tree"][0]["text"].startswith(("North leads", "South leads"))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("AQQ9", "xx"), "the Q is there twice"),
        (("AQ9", "A32"), "the A is there twice"),
        (("AQZ", "xx"), "'Z' in North's 'AQZ' is not a card"),
        (("AKQJT98", "xxxxxxx"), "more than the 13 cards"),
        (("-", "-"), "neither North nor South"),
        (("AQ9", "xx", "--tricks", "4"), "can take 0 to 3 tricks, not 4"),
        (("AQ9", "xx", "--tricks", "0"), "at least 1"),
        (("AQ9", "xx", "--vacant", "2", "1"), "do not fit"),
        (("AQ9", "xx", "--entries", "two", "0"), "neither a number of entries"),
        (("AQ9", "xx", "--contract", "9NT"), "a contract reads like"),
        (("xxxxx", "xxxx"), "no spot card is left"),
    ],
)
def test_mistakes_are_one_line(args: tuple[str, ...], words: str) -> None:
    code, text = _run(*args)
    assert code == 2
    assert words in text
    assert len(text.strip().splitlines()) == 1


def test_entries_cost_tricks() -> None:
    free = solve("AQJ5", "432")
    any_entries = solve("AQJ5", "432", entries=(15, 15))
    none = solve("AQJ5", "432", entries=(0, 15))
    one = solve("AQJ5", "432", entries=(0, 1))
    assert any_entries.chances == free.chances
    assert one.chances[3] < none.chances[3] <= free.chances[3]
    blocked = solve("AK", "QJ", entries=(0, 0))  # the hands fall together
    assert blocked.chances[2] == 1
    stranded = solve("K2", "AQJT9", entries=(0, 0), missing="876543")
    assert stranded.chances[5] == 1  # the king first, then overtaking is not needed


def test_vacant_places_shift_the_odds() -> None:
    even, likely = solve("AQ", "32"), solve("AQ", "32", vacant=(13, 5))
    assert even.chances[2] == pytest.approx(0.5)
    assert likely.chances[2] == pytest.approx(13 / 18)


def test_holdings_and_layouts() -> None:
    holding = Holding.parse("ak10x", "-")
    assert str(holding) == "AKT2 opposite –"
    layouts = Layouts.of(Holding.parse("AJ9", "xxx"))
    assert sum(layouts.weights) == layouts.total
    west, east = layouts.hands(len(layouts) - 1)
    assert (west, east) == ("–", "KQTxxxx")
    with pytest.raises(SuitError):
        solve("AK", "QJ", entries=(-1, 0))


@pytest.mark.parametrize(
    ("north", "south", "tricks", "entries", "tactic"),
    [
        ("AQ", "32", 2, None, Tactic.FINESSE),
        ("AJT", "432", 2, None, Tactic.DEEP_FINESSE),
        ("AKQ2", "543", 4, None, Tactic.CASH),
        ("K2", "43", 1, None, Tactic.TOWARDS),
        ("J876", "AT32", 3, None, Tactic.RUN),
        ("AK5432", "76", 5, (0, 15), Tactic.DUCK),
    ],
)
def test_tactics_have_names(
    north: str, south: str, tricks: int, entries: tuple[int, int] | None, tactic: Tactic
) -> None:
    suit = solve(north, south, entries=entries)
    plan = suit.plan(suit.line_for(tricks))
    assert plan is not None
    assert plan.tactic is tactic
