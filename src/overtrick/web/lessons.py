"""Positions with answers that were worked out: what to bid, what to play, why, and why not else.
`python -m overtrick.web.teaching` makes them; the page asks for a set and keeps one's progress."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib import resources
from typing import Any, Final, Literal

import msgspec

from overtrick.game import BridgeError
from overtrick.web.events import SeatLetter

FILE: Final = "lessons.json.gz"


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
    reasons: tuple[str, ...]
    worlds: int
    nudge: str = ""
    contract: str = ""
    declarer: str = ""
    dummy: str = ""
    play: str = ""
    turn: str = ""  # whose card it is, when declarer plays dummy's


class Lesson(msgspec.Struct, frozen=True):
    """Positions of one kind, the easier ones first."""

    name: str
    title: str
    words: str
    kind: Literal["call", "card"]
    positions: tuple[Position, ...]


@lru_cache(maxsize=1)
def shipped() -> tuple[Lesson, ...]:
    """The lessons of this package."""
    data = resources.files("overtrick.web").joinpath(FILE).read_bytes()
    return msgspec.json.decode(gzip.decompress(data), type=tuple[Lesson, ...])


def listed() -> list[dict[str, Any]]:
    """The lessons without their positions, and how many there are of each grade."""
    return [
        {
            "name": s.name, "title": s.title, "words": s.words, "kind": s.kind,
            "positions": [p.name for p in s.positions],
        }
        for s in shipped()
    ]  # fmt: skip


def lesson(name: str) -> Lesson:
    for found in shipped():
        if found.name == name:
            return found
    raise NoLesson(f"there is no lesson {name[:40]!r}; see /api/lessons")
