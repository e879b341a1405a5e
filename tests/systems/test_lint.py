"""Lint finds what it promises to find: each fault planted in a small system."""

from __future__ import annotations

from pathlib import Path

import pytest

from overtrick.game import ParseError
from overtrick.systems import lint as linting
from overtrick.systems import load, system_of_text
from overtrick.systems.lint import LintReport, lint

FAULTY = """
opening
  1C "strong" forcing : hcp 16+ @100
  1D "one" : hcp 12..15, hearts 4+ @90
  1H "two" : hcp 12..15, spades 4+ @90
  1S "more detail" : hcp 12..15, spades 4+, hearts 4+, clubs ..3 @90
  2C "nobody" : hcp 10+, hcp ..8 @95
  2D "beaten" : hcp 17..18 @80
  Pass "nothing" : hcp ..9 @10
after 1C
  Pass "too weak" : hcp ..7 @10
  1D "good" : hcp 8+ @20
after 1C 1D
  1H "never offered" when seat 9 : any @20
  Pass "stops" : any @10
examples:
  AQ5.K84.QJ62.KJ5 -> 1C
  AQ54.K8.QJ62.J95 -> 1D
"""


@pytest.fixture(scope="module")
def report() -> LintReport:
    return lint(system_of_text(FAULTY, "faulty.bid"), 300, seed=1, surveyed=2000)


def test_ties_name_the_rules_the_hands_and_what_decides(report: LintReport) -> None:
    ties = {(t.first.split()[-1], t.second.split()[-1], t.by): f for t, f in report.ties.items()}
    assert ("1D", "1H", "order") in ties
    assert ("1S", "1D", "detail") in ties
    found = ties["1D", "1H", "order"]
    assert found.count > 0
    assert "after" in found.cases[0]


def test_unused_sets_and_why(report: LintReport) -> None:
    assert any("never offered" in line for line in report.unreachable)
    assert any("nobody" in line for line in report.impossible)
    assert any("nobody" in line for line in report.unsatisfied)
    assert any("beaten" in line and "1C" in line for line in report.beaten)


def test_gaps_and_passes_of_forcing_calls(report: LintReport) -> None:
    assert report.gaps  # ten or eleven points open nothing
    assert report.named < 1
    assert "1C Pass" in report.forcing_passed
    assert report.examples == ["faulty.bid:18: AQ54.K8.QJ62.J95 bids 1H (faulty:5), not 1D"]
    assert not report.is_clean


def test_hands_that_a_written_auction_forgets() -> None:
    text = """
layer 5
anytime
  Pass "generic" : any @1
layer 10
after 1C
  Pass "weak" : hcp ..5 @10
  1D "the rest, but not with long clubs" : hcp 6+, clubs ..4 @20
opening
  1C "opening" : hcp 12+ @100
  Pass "no opening" : any @10
"""
    holes = lint(system_of_text(text), 20, surveyed=3000).holes
    assert any(line.endswith(tuple("23456789TJQKA.")) and "after 1C Pass" in line for line in holes)
    assert all("Pass after 1C Pass" in line for line in holes)


def test_the_report_as_data_and_as_text(report: LintReport) -> None:
    data = report.to_dict()
    assert data["deals"] == 300
    assert data["ties"][0].keys() >= {"first", "second", "priority", "by", "count", "cases"}
    titles = [title for title, rows in report.sections() if rows]
    assert "equal priority, different calls, same hands" in titles


def test_a_walk_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(linting, "_CHUNK", 50)
    system, state = load("natural"), tmp_path / "state.json"
    whole = lint(system, 150, seed=3, surveyed=0)
    half = lint(system, 100, seed=3, surveyed=0, state=state)
    again = lint(system, 150, seed=3, surveyed=0, state=state)
    assert (half.walked, again.walked) == (100, 150)
    assert again.fired == whole.fired
    assert again.ties.keys() == whole.ties.keys()
    other = lint(system, 50, seed=4, surveyed=0, state=state)  # another seed begins anew
    assert other.walked == 50
    state.write_text("{}")
    with pytest.raises(ParseError, match="not a state of lint"):
        lint(system, 150, seed=3, surveyed=0, state=state)


def test_a_walk_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linting, "_CHUNK", 20)
    assert lint(load("natural"), 1000, minutes=1e-9, surveyed=0).walked == 20
