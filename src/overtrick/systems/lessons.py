"""The book that two people learn a system from: prose, worked hands, what is forcing, what double
means, quizzes with answers.

The prose is data (`lessons.toml`), in paragraphs that say which conventions they are about, and is
for the systems that it names. Everything else is asked of the rules: a worked hand or a quiz that
this card would bid otherwise is left out, so what is printed is what is played.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from overtrick.game import CALLS, Auction, Call, Hand, Seat, Vulnerability
from overtrick.game.errors import BridgeError, ParseError
from overtrick.game.meaning import Forcing
from overtrick.systems.book import entries
from overtrick.systems.classes import is_possible
from overtrick.systems.explain import context_after
from overtrick.systems.lint import with_passes
from overtrick.systems.meanings import call_meaning
from overtrick.systems.offers import OfferedCall
from overtrick.systems.positions import positions
from overtrick.systems.reading import Reading
from overtrick.systems.shows import HandValues
from overtrick.systems.system import System

FILE: Final = Path(__file__).with_name("lessons.toml")
_QUESTIONS: Final = 8  # of a kind on a quiz page
_FORCING: Final = {
    Forcing.NONE: "may be passed",
    Forcing.SIGN_OFF: "asks for a pass",
    Forcing.ONE_ROUND: "forcing for a round",
    Forcing.GAME: "forcing to game",
    Forcing.SLAM: "forcing to slam",
}


@dataclass(frozen=True, slots=True)
class Worked:
    """A hand with the call that it makes, and why."""

    auction: Auction
    hand: Hand
    call: Call
    why: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, for cards that play all of `needs` and none of `without`."""

    says: str
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def holds(self, system: System) -> bool:
        on = system.playing
        return all(name in on for name in self.needs) and not any(n in on for n in self.without)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the prose, the auctions whose calls it lists, the kinds of positions it asks."""

    title: str
    texts: tuple[Text, ...]
    calls: tuple[str, ...]
    hands: tuple[Worked, ...]
    quiz: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """What `lessons.toml` holds."""

    systems: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    forcing: tuple[str, ...]
    doubles: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class QuizHand:
    """A hand to bid, with what this card bids."""

    auction: Auction
    hand: Hand
    option: OfferedCall

    @property
    def words(self) -> str:
        return f"{self.hand} after {_heard(self.auction)}"

    @property
    def answer(self) -> str:
        return f"{CALLS[self.option.call]}: {self.option.words}"


@dataclass(slots=True)
class LessonPart:
    """A printed part: paragraphs, tables with a heading each, questions with answers."""

    title: str
    paragraphs: list[str] = field(default_factory=list)
    tables: list[tuple[str, list[tuple[str, ...]]]] = field(default_factory=list)
    questions: list[QuizHand] = field(default_factory=list)


@lru_cache(maxsize=1)
def lessons() -> Course:
    """The prose that ships."""
    return parsed(FILE.read_text(encoding="utf-8"))


def parsed(text: str) -> Course:
    """Read `lessons.toml`."""
    try:
        data = tomllib.loads(text)
        return Course(
            tuple(data["systems"]),
            tuple(_chapter(c) for c in data["chapter"]),
            tuple(data["forcing"]),
            tuple((level["title"], tuple(level["auctions"])) for level in data["doubles"]),
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, BridgeError) as error:
        raise ParseError(f"{FILE.name}: {error}") from None


def _chapter(data: dict[str, Any]) -> Chapter:
    return Chapter(
        data["title"],
        tuple(
            Text(t["says"], tuple(t.get("needs", ())), tuple(t.get("without", ())))
            for t in data["text"]
        ),
        tuple(data.get("calls", ())),
        tuple(
            Worked(Auction.parse(h["after"]), Hand(h["hand"]), Call(h["call"]), h["why"])
            for h in data.get("hand", ())
        ),
        tuple(data.get("quiz", ())),
    )


def sections(system: System) -> Iterator[LessonPart]:
    """The whole book of a card, part by part."""
    reading, told = Reading(system), lessons()
    if system.name in told.systems:
        for chapter in told.chapters:
            section = LessonPart(
                chapter.title, [" ".join(t.says.split()) for t in chapter.texts if t.holds(system)]
            )
            section.tables += [
                (where or "opening", rows)
                for where in chapter.calls
                if (rows := _calls(reading, Auction.parse(where)))
            ]
            worked = [w for w in chapter.hands if _called(reading, w.auction, w.hand) == w.call]
            if worked:
                section.tables.append(("Worked hands", [_worked(w) for w in worked]))
            section.questions += _asked(reading, chapter.quiz)
            if section.paragraphs:
                yield section
    yield _forcing_here(reading, told.forcing)
    yield _doubles_here(reading, told.doubles)
    if system.name not in told.systems:
        yield _examples_as_quiz(reading)


def _calls(reading: Reading, auction: Auction) -> list[tuple[str, ...]]:
    found = entries(reading, tuple(int(call) for call in auction.calls))
    return [
        (str(CALLS[e.call]), f"{e.words} [{e.ranges}]" if e.ranges else e.words, _FORCING[e.forcing]
         if e.forcing is not Forcing.NONE else "")
        for e in found
    ]  # fmt: skip


def _worked(worked: Worked) -> tuple[str, ...]:
    return str(worked.hand), _heard(worked.auction), str(worked.call), worked.why


def _heard(auction: Auction) -> str:
    return str(auction) or "no call"


def _choice(reading: Reading, auction: Auction, hand: Hand) -> OfferedCall | None:
    context = context_after(reading, auction, Vulnerability.NONE)
    return reading.choose(context, HandValues(hand.bits))


def _called(reading: Reading, auction: Auction, hand: Hand) -> Call | None:
    option = _choice(reading, auction, hand)
    return None if option is None else CALLS[option.call]


def _asked(reading: Reading, kinds: Sequence[str]) -> list[QuizHand]:
    """Positions of these kinds that this card answers as the standards do, spread over the kind."""
    found = []
    asks = "two-over-one" if reading.systems[0].name == "two-over-one" else "sayc"
    for kind in kinds:
        fits = [
            (one, option)
            for one in positions()
            if one.kind == kind
            and one.system == asks
            and (option := _choice(reading, one.auction, one.hand)) is not None
            and CALLS[option.call] in one.right
        ]
        step = max(1, len(fits) // _QUESTIONS)
        found += [
            QuizHand(one.auction, one.hand, option) for one, option in fits[::step][:_QUESTIONS]
        ]
    return found


def _forcing_here(reading: Reading, auctions: Iterable[str]) -> LessonPart:
    section = LessonPart(
        "What is forcing here",
        ["For the last call of each auction; opponents pass where they are not named."],
    )
    rows = [row for text in auctions if (row := _last_call(reading, text, forcing=True))]
    section.tables.append(("", rows))
    return section


def _doubles_here(
    reading: Reading, levels: Iterable[tuple[str, tuple[str, ...]]]
) -> LessonPart:  # fmt: skip
    section = LessonPart("What double means here", ["Our double, or redouble, ends each auction."])
    for title, auctions in levels:
        rows = [row for text in auctions if (row := _last_call(reading, text, forcing=False))]
        if rows:
            section.tables.append((title, rows))
    return section


def _last_call(reading: Reading, text: str, *, forcing: bool) -> tuple[str, ...]:
    """An auction with what its last call says; nothing where this card has no such call."""
    calls = Auction.parse(text).calls
    before, call = Auction(Seat.NORTH, calls[:-1]), int(calls[-1])
    context = context_after(reading, before, Vulnerability.NONE)
    if not reading.of_call(context, call) or not is_possible(reading, context, call):
        return ()
    meaning = call_meaning(reading, context, call)
    words = f"{meaning.words} [{meaning.ranges()}]" if meaning.ranges() else meaning.words
    return (text, _FORCING[meaning.forcing], words) if forcing else (text, words)


def _examples_as_quiz(reading: Reading) -> LessonPart:
    """For a system without prose: the examples beside its own rules."""
    section = LessonPart("Quiz", ["From the examples beside the rules."])
    system = reading.systems[0]
    own = {file.name for file in system.own}
    for example in system.examples():
        if example.place.file in own:
            auction, hand = Auction.parse(with_passes(example.auction)), Hand(example.hand)
            option = _choice(reading, auction, hand)
            if option is not None and CALLS[option.call] == Call(example.call):
                section.questions.append(QuizHand(auction, hand, option))
    return section


def to_markdown(system: System) -> str:
    """The book as one Markdown page."""
    lines = [f"# {system.title}", ""]
    answers: list[str] = []
    for section in sections(system):
        lines += [f"## {section.title}", "", *(x for p in section.paragraphs for x in (p, ""))]
        for title, rows in section.tables:
            if title:
                lines += [f"**{title}**", ""]
            lines += [*_markdown_rows(rows), ""]
        if section.questions:
            lines += ["**Quiz**", ""]
            answers += [f"**{section.title}**", ""]
            for number, question in enumerate(section.questions, 1):
                lines.append(f"{number}. {question.words}")
                answers.append(f"{number}. {question.answer}")
            lines.append("")
            answers.append("")
    if answers:
        lines += ["## Answers", "", *answers]
    return "\n".join(lines)


def _markdown_rows(rows: Sequence[tuple[str, ...]]) -> list[str]:
    width = max(map(len, rows))
    cells = [[c.replace("|", "\\|") for c in (*row, *[""] * (width - len(row)))] for row in rows]
    head = ["| " + " | ".join([" "] * width) + " |", "|" + "---|" * width]
    return head + ["| " + " | ".join(row) + " |" for row in cells]


__all__ = ["Chapter", "Course", "LessonPart", "lessons", "parsed", "sections", "to_markdown"]
