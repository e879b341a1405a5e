"""Positions with answers that were worked out: what to bid, what to play, why, and why not else.
`python -m overtrick_lab.web.teaching` makes them, the technique exam adds its questions; the page
asks for a set and keeps one's progress."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from string import Formatter
from typing import Final, Literal

import msgspec

from overtrick.archives import expanded
from overtrick.cardplay.situation import situation
from overtrick.exam import questions
from overtrick.game import BridgeError, Call, Card
from overtrick.game.seats import SeatLetter
from overtrick.web.answers import LessonListed
from overtrick.web.asking import asked_before
from overtrick.web.sentences import SENTENCES, Sentence, sentence

FILE: Final = "lessons.json.gz"
# Said again by what the answer tells and does, of what everybody sees, or known from a sample only.
_DULL: Final = (
    "does.wins", "does.ruffs", "does.throws", "no-difference", "known-lengths", "agreed",
    "agreed.rule", "ask.this-trick",
)  # fmt: skip
_SAME: Final = 0.02  # chances that tell no card from another
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
    return (*(_compared(lesson) for lesson in made), *_technique())


def _compared(lesson: Lesson) -> Lesson:
    """Every answer with what it does and why the next best is worse, from its own figures."""
    bids = lesson.kind == "call"
    positions = tuple(
        msgspec.structs.replace(
            p,
            reasons=(*_kept(p), *(_calls(p) if bids else _cards(p))),
            nudge=tuple(said for said in p.nudge if said.id not in _DULL),
        )
        for p in lesson.positions
    )
    return msgspec.structs.replace(lesson, positions=positions)


def _kept(p: Position) -> tuple[Sentence | str, ...]:
    """The reasons but for those that only say what everybody sees, or what is not so."""
    return tuple(r for r in p.reasons if isinstance(r, str) or (r.id not in _DULL and _whole(r)))


def _whole(said: Sentence) -> bool:
    """Is it still said, with everything that it speaks of? The file may be older than the words."""
    holes = {hole for _, hole, _, _ in Formatter().parse(SENTENCES.get(said.id, "{gone}"))}
    return holes - {None} <= said.args.keys()


def _calls(p: Position) -> Iterator[Sentence]:
    """What the answer tells partner, what the others would, and what that costs."""
    best, *others = sorted(p.options, key=lambda o: -o.imps)
    if best.words:
        yield sentence("lesson.tells", call=Call.parse(best.action), words=best.words)
    for other in [o for o in others if o.action not in p.answers][:2]:
        fields = {"call": Call.parse(other.action), "imps": -other.imps, "worlds": p.worlds}
        if other.words:
            yield sentence("lesson.costs-and-tells", **fields, words=other.words)
        else:
            yield sentence("lesson.costs", **fields)


def _cards(p: Position) -> Iterator[Sentence]:
    """How often the contract is made or beaten with the answer, and with the next best card."""
    best, *others = sorted(p.options, key=lambda o: -o.imps)
    other = next((o for o in others if o.action not in p.answers), None)
    if other is None:
        return
    fields = {"card": Card.parse(best.action), "other": Card.parse(other.action)}
    if best.chance is None or other.chance is None or abs(best.chance - other.chance) < _SAME:
        yield sentence("lesson.card-costs", **fields, imps=best.imps - other.imps, worlds=p.worlds)
        return
    side = "makes" if (p.declarer or "-") in _side(p.seat) else "beats"
    yield sentence(
        f"lesson.{side}", **fields, chance=best.chance, rest=other.chance, worlds=p.worlds
    )


def _side(seat: SeatLetter) -> str:
    return "NS" if seat in "NS" else "EW"


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
        nudge=asked_before(view, question.kind),
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
