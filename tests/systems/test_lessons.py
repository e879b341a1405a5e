"""The book that two people learn a system from says what the rules bid."""

from __future__ import annotations

import pytest

from overtrick.game import CALLS, Vulnerability
from overtrick.game.errors import ParseError
from overtrick.systems import load
from overtrick.systems.explain import context_after
from overtrick.systems.lessons import lessons, parsed, sections, to_markdown
from overtrick.systems.positions import positions
from overtrick.systems.reading import Reading
from overtrick.systems.shows import HandValues


def test_a_worked_hand_is_bid_so_by_a_system_that_ships() -> None:
    readings = [Reading(load(name)) for name in ("sayc", "two-over-one")]
    for chapter in lessons().chapters:
        for worked in chapter.hands:
            calls = set()
            for reading in readings:
                context = context_after(reading, worked.auction, Vulnerability.NONE)
                option = reading.choose(context, HandValues(worked.hand.bits))
                assert option is not None
                calls.add(CALLS[option.call])
            assert worked.call in calls, worked


def test_quizzes_ask_for_kinds_that_there_are() -> None:
    kinds = {one.kind for one in positions() if one.system in ("sayc", "two-over-one")}
    assert {kind for chapter in lessons().chapters for kind in chapter.quiz} == kinds


def test_paragraphs_name_conventions_that_there_are() -> None:
    known = set(load("sayc").told)
    for chapter in lessons().chapters:
        for text in chapter.texts:
            assert known.issuperset((*text.needs, *text.without)), text


@pytest.mark.parametrize("name", ["sayc", "polish"])
def test_a_book_has_answers_to_its_questions(name: str) -> None:
    told = to_markdown(load(name))
    assert "## What is forcing here" in told
    assert "## What double means here" in told
    questions, _, answers = told.partition("## Answers")
    assert questions.count("\n1. ") == answers.count("\n1. ") > 0


def test_prose_follows_the_switches() -> None:
    plain, changed = (
        " ".join(p for s in sections(load("sayc", on)) for p in s.paragraphs)
        for on in ((), ("bergen",))
    )
    assert "three clubs shows 7–9" in changed
    assert "three clubs shows 7–9" not in plain


@pytest.mark.parametrize("text", ["systems = [", "systems = []", 'systems = ["sayc"]\nforcing = 3'])
def test_a_broken_file_is_one_error(text: str) -> None:
    with pytest.raises(ParseError, match=r"lessons\.toml"):
        parsed(text)
