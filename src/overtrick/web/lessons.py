"""Positions with answers that were worked out: what to bid, what to play, why, and why not else.
`python -m overtrick_lab.web.teaching` makes them, the technique exam adds its questions; the page
asks for a set and keeps one's progress."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final, Literal

import msgspec

from overtrick.archives import expanded
from overtrick.cardplay.situation import situation
from overtrick.exam import questions
from overtrick.game import BridgeError
from overtrick.game.seats import SeatLetter
from overtrick.web.answers import LessonListed
from overtrick.web.sentences import Sentence, sentence

FILE: Final = "lessons.json.gz"
_CONTRACT: Final = 10.0  # IMPs between a contract made and beaten, about


class NoLesson(BridgeError):
    """There is no such lesson."""


class Option(msgspec.Struct, frozen=True):
    """A choice: IMPs it gains over the answer (so below zero), their error, and words for it."""

    action: str
    imps: float
    error: float
    words: str = ""
    chance: float | None = None  # that the contract is made, or beaten by the defenders


class Position(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision as its seat sees it. `hand` and `dummy` are whole, `play` is what has gone."""

    name: str
    grade: Literal[1, 2, 3]
    dealer: SeatLetter
    vul: str
    seat: SeatLetter
    hand: str
    auction: str
    answers: tuple[str, ...]
    options: tuple[Option, ...]
    reasons: tuple[Sentence | str, ...]
    worlds: int
    nudge: tuple[Sentence, ...] = ()
    contract: str = ""
    declarer: SeatLetter | None = None
    dummy: str = ""
    play: str = ""
    turn: SeatLetter | None = None  # whose card it is, when declarer plays dummy's


class Lesson(msgspec.Struct, frozen=True):
    """Positions of one kind, the easier ones first."""

    name: str
    title: str
    words: str
    kind: Literal["call", "card"]
    positions: tuple[Position, ...]


@lru_cache(maxsize=1)
def shipped() -> tuple[Lesson, ...]:
    """The lessons of this package, the technique exam last."""
    data = resources.files("overtrick.web").joinpath(FILE).read_bytes()
    made = msgspec.json.decode(expanded(data), type=tuple[Lesson, ...])
    return (*made, *_technique())


def _technique() -> tuple[Lesson, ...]:
    """The questions of the exam, one lesson for each side."""
    words = {
        "declarer": "Chances in order, entries, trumps: one card is best over all layouts.",
        "defender": "One card is best against a declarer who does not see your hand.",
    }
    out = []
    for side, about in words.items():
        asked = sorted((q for q in questions.shipped() if q.side == side), key=lambda q: q.grade)
        positions = tuple(_asked(q) for q in asked)
        out.append(Lesson(f"technique-{side}", f"Technique: {side}", about, "card", positions))
    return tuple(lesson for lesson in out if lesson.positions)


def _asked(question: questions.Question) -> Position:
    """A question of the exam as a position; every other card makes it as often as the next best or
    less. Its auction is made up, so none is shown."""
    view = question.view()
    assert view.play is not None
    play = [question.play[i : i + 2] for i in range(0, len(question.play), 2)]
    loss = round(min(-0.3, -_CONTRACT * (question.chance - question.next)), 1)
    options = [Option(question.answers[0], 0.0, 0.0, "", round(question.chance, 2))]
    for group in reversed(situation(view).groups()):
        others = [c.ascii for c in group if c.ascii not in question.answers]
        if others:
            options.append(Option(others[-1], loss, 0.0, "", round(question.next, 2)))
    reason = f"{question.kind.capitalize()}: {question.reason}."
    return Position(
        f"technique-{question.id}", question.grade, "S", "None", question.seat, question.hand,
        "", question.answers, tuple(options), (reason,), question.layouts,
        nudge=(sentence("ask.technique", name=question.kind),),
        contract=question.contract, declarer="S", dummy=question.dummy, play=" ".join(play),
        turn=view.play.turn.letter,
    )  # fmt: skip


def listed() -> list[LessonListed]:
    """The lessons without their positions."""
    return [
        LessonListed(
            name=s.name, title=s.title, words=s.words, kind=s.kind,
            positions=[p.name for p in s.positions],
        )
        for s in shipped()
    ]  # fmt: skip


def lesson(name: str) -> Lesson:
    for found in shipped():
        if found.name == name:
            return found
    raise NoLesson(f"there is no lesson {name[:40]!r}; see /api/lessons")
