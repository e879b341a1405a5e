"""The positions that ship, and how they are read."""

from __future__ import annotations

import pytest

from overtrick.game.errors import ParseError
from overtrick.systems import load
from overtrick.systems.positions import GOAL, GOAL_OF_A_KIND, answers, by_kind, parsed, positions


def test_every_position_has_a_source_and_legal_answers() -> None:
    asked = positions()
    assert len({one.line for one in asked}) >= 1000
    assert len({one.kind for one in asked}) >= 30
    for one in asked:
        assert one.source.isalnum()
        assert one.right
        assert all(one.auction.is_legal(call) for call in one.right), one


def test_a_position_stands_once() -> None:
    asked = [(one.system, str(one.auction), one.hand) for one in positions()]
    assert len(asked) == len(set(asked))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({one.system for one in positions()}))
def test_the_systems_bid_as_the_standards_do(name: str) -> None:
    found = answers(load(name))
    assert sum(one.is_right for one in found) >= GOAL * len(found)
    for kind, marks in by_kind(found).items():
        assert marks.share >= GOAL_OF_A_KIND, kind


def test_a_card_with_switches_is_not_asked() -> None:
    assert answers(load("sayc", ("bergen",))) == []
    assert answers(load("simple")) == []


@pytest.mark.parametrize(
    "line",
    ["-- nobody SAYC | 1S P", "-- both | 1S P", "AKQ.AKQ.AKQ 1S", "AKQ2.AKQ2.AKQ2.2 8S", "so"],
)
def test_a_mistake_names_its_line(line: str) -> None:
    with pytest.raises(ParseError, match=r"positions.txt:3"):
        list(parsed(f"== opening\n-- both SAYC |\n{line}\nAKQ2.AKQ2.AKQ2.2 1S"))
