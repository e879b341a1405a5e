"""Bidding problems: what contracts earn, how opponents follow their script, totals by set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.arena.challenge import Problem, award, bid_problem, load, solve, totals
from overtrick.arena.run import Backend
from overtrick.cli import main
from overtrick.game import Contract, OptionError, ParseError
from overtrick.table import robot

FILE = Path(__file__).parent / "problems.jsonl"


def problem(**awards: float) -> Problem:
    return Problem("s", "1", "N", "None", {}, dict(awards))


@pytest.mark.parametrize(
    ("contract", "points"),
    [
        ("4S N", 10),
        ("4S S", 10),
        ("3S S", 5),
        ("2S S", 5),  # a part-score stands for the next one listed
        ("1S S", 5),
        ("3NT N", 4),
        ("3NT S", 3),  # the declarer's own key comes first
        ("4H N", 2),  # one level too low for the listed 5H
        ("3H N", 0),  # a part-score does not stand for a game
        ("2D N", 1),
        ("5C N", 0),
        ("4SX N", 0),
        ("1NTX S", 7),
        ("2S E", 1),
        ("2SX E", 6),
        ("2H E", 0),
    ],
)
def test_awards(contract: str, points: float) -> None:
    listed = {
        "4S": 10, "3S": 5, "3N": 4, "S3N": 3, "5H": 2, "4D": 1, "1NX": 7, "E2SP": 1, "E2SX": 6,
    }  # fmt: skip
    assert award(problem(**listed), Contract.parse(contract)) == points


def test_a_passed_out_board_earns_what_it_is_worth() -> None:
    assert award(problem(**{"4S": 10}), None) == 0
    assert award(problem(P=3), None) == 3


def test_opponents_keep_to_their_script() -> None:
    (p,) = load(FILE, "contested")
    state = bid_problem(p, robot("pass"))
    assert state.auction.ascii == "2S Pass Pass Pass"
    assert award(p, state.contract) == 1


def test_the_engine_earns_its_points_on_any_backend() -> None:
    problems = load(FILE)
    here = list(solve("points", problems))
    assert here == list(solve("points", problems, Backend.parse("2")))
    sums = totals(here)
    assert sums["house"][1] == 30
    assert 10 <= sums["house"][0] <= 30
    assert [a.problem for a in here] == problems


def test_bad_files_say_where(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="there are contested, house"):
        load(FILE, "nothing")
    bad = tmp_path / "bad.jsonl"
    bad.write_text(FILE.read_text().replace("AQ753", "AQ75"))
    with pytest.raises(ParseError, match=r"bad\.jsonl, line 1"):
        load(bad)
    calls = FILE.read_text().replace('"opponents_calls": ["', '"opponents_calls": ["9C", "')
    bad.write_text(calls)
    with pytest.raises(ParseError, match="no such call '9C'"):
        load(bad)
    bad.write_text(FILE.read_text().replace('"board": "1"', '"board": "²"'))
    assert load(bad)[0].table().number == 1  # a name, not a number


def test_the_verb_prints_a_table_and_json() -> None:
    shown = CliRunner().invoke(main, ["challenge", str(FILE), "--set", "house"])
    assert shown.exit_code == 0, shown.output
    assert "house: " in shown.output
    plain = CliRunner().invoke(main, ["challenge", str(FILE), "--json"])
    data = json.loads(plain.output)
    assert data["totals"]["house"][1] == 30
    assert len(data["problems"]) == 4
