"""The audit of a system: what it counts, that it goes on where it stopped, and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick.analysis.audit import (
    CHUNK,
    Doubler,
    Plan,
    Row,
    audit,
    by_rule,
    confirmed,
    findings,
)
from overtrick.analysis.audit_page import audit_lines, audit_page
from overtrick.bidding.kernel import Held, Position
from overtrick.cli.system import command
from overtrick.game import OptionError, ParseError

SMALL = Plan("sayc", "silent", deals=30, judge="", seed=1)


def test_the_same_plan_gives_the_same_audit() -> None:
    first, again = audit(SMALL), audit(SMALL)
    assert first.to_dict() == again.to_dict()
    assert first.part.deals == 30
    assert first.part.calls > 100
    assert first.part.rows
    assert all(r.by == "rules" for r in first.part.rows)
    assert "Audit of sayc" in audit_page(first)
    assert any("silly calls" in line for line in audit_lines(first, 5))


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    plan = Plan("sayc", "silent", deals=CHUNK, judge="", without="stayman")
    once = audit(plan, state=state)
    assert len(state.read_text().splitlines()) == 2
    again = audit(plan, state=state)
    assert again.swing == once.swing
    assert once.swing is not None
    with pytest.raises(ParseError, match="another audit"):
        audit(Plan("sayc", "silent", deals=CHUNK, judge="", seed=9), state=state)


def test_unknown_opponents_are_an_error() -> None:
    with pytest.raises(OptionError, match="no opponents"):
        audit(Plan("sayc", "nobody"))


def test_findings_are_ranked_and_split_by_hands() -> None:
    part = audit(SMALL).part
    part.rows = [
        Row("r", "1H", "1S", "Pass", "rules", 4.0 if hcp > 8 else -1.0, hcp, 4, 2, False, "")
        for hcp in range(6, 12)
        for _ in range(10)
    ]
    (found,) = findings(part, by_rule)
    assert found.cases == 60
    assert found.instead == "Pass"
    assert found.hands.startswith("9 or more points")


def test_one_hand_is_raced_in_worlds_of_its_auction() -> None:
    row = Row("", "1NT (Pass)", "Pass", "3NT", "rules", 0, 12, 0, 0, False, "KQ4.A53.QJ72.K82")
    raced = confirmed(SMALL, row)
    assert raced is not None
    gain, error, worlds = raced
    assert gain > 2 * error
    assert worlds > 20


def test_the_doubler_only_doubles_what_it_may() -> None:
    rng = np.random.default_rng(0)
    deals = rng.integers(0, 2**52, (50, 4), dtype=np.uint64)
    held = Held(deals)
    for calls, may in (((), False), ((7,), True), ((7, 1), False), ((7, 0), False)):
        (split,) = Doubler().choose([(Position(calls, 0, 0), held.every)], held)
        assert (1 in split) is may


def test_the_command_line() -> None:
    args = ["audit", "sayc", "--deals", "20", "--against", "silent", "--judge", "none", "--json"]
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 0, result.output
    found = json.loads(result.output[result.output.index("{") :])
    assert found["deals"] == 20
    assert "rules" in found
