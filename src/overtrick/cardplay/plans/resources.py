"""What a course of one suit gives and takes: tricks, entries, discards, ruffs, in order.
Written as the paper writes it: <consume(entry(n)), produce(entry(s)), ...>."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from overtrick.cardplay.plans.suits import Course, Layout, SuitSearch, packed
from overtrick.game import Seat, Suit


class Event(NamedTuple):
    """Something a suit produces or consumes; losing the lead is the defenders' entry."""

    verb: Literal["produce", "consume", "lose"]
    what: Literal["trick", "entry", "discard", "ruff", "lead"]
    seat: Seat | None = None

    def __str__(self) -> str:
        inner = self.what if self.seat is None else f"{self.what}({self.seat.letter.lower()})"
        return f"{self.verb}({inner})"


def events(course: Course, layout: Layout, thrown: tuple[Seat, int] | None = None) -> list[Event]:
    """The resources of a course in the order they come, if nothing is played in between.

    `thrown` are cards of this suit that a hand discards elsewhere beforehand.
    """
    found = [Event("consume", "discard", thrown[0])] * thrown[1] if thrown else []
    at: Seat | None = None
    for depth, now in enumerate(course):
        if at is not now.lead:
            found.append(Event("consume", "entry", now.lead))
        for i in range(1, 4):
            seat = now.lead.plus(i)
            if layout[seat].bit_count() <= depth and not (now.ruff and seat is now.winner):
                found.append(Event("produce", "discard", seat))
        if now.ruff:
            found.append(Event("consume", "ruff", now.winner))
        if now.winner is None:
            found.append(Event("lose", "lead"))
        elif now.winner is now.lead:
            found.append(Event("produce", "trick"))
        else:
            found.append(Event("produce", "entry", now.winner))
        at = now.winner
    return found


@dataclass(frozen=True, slots=True)
class SuitCourse:
    """A course of one suit with what it is worth."""

    suit: Suit
    layout: Layout  # as played, without the cards thrown or kept for ruffs
    course: Course
    thrown: tuple[Seat, int] | None = None

    @property
    def tricks(self) -> int:
        return sum(r.won for r in self.course)

    @property
    def lost(self) -> int:
        return sum(not r.won for r in self.course)

    @property
    def events(self) -> list[Event]:
        return events(self.course, self.layout, self.thrown)

    def ruffs(self, seat: Seat) -> int:
        return sum(r.ruff and r.winner is seat for r in self.course)

    def count(self, verb: str, what: str, seat: Seat | None = None) -> int:
        return sum(e.verb == verb and e.what == what and e.seat is seat for e in self.events)

    def __str__(self) -> str:
        return f"<{', '.join(str(e) for e in self.events)}>"


def undominated(
    lines: Iterable[SuitCourse], ours: tuple[Seat, Seat], most: int
) -> list[SuitCourse]:
    """Lines that no other line of the suit matches in everything, the richest first.

    Order matters too, so two lines with the same totals stay if they come in another order; of
    those that do not, the shorter stays.
    """
    ranked = sorted(
        lines,
        key=lambda line: (-line.tricks, line.lost, len(line.events), len(line.course)),
    )
    kept: list[tuple[tuple[int, ...], SuitCourse]] = []
    for line in ranked:
        worth = _worth(line, ours)
        if not any(
            all(a >= b for a, b in zip(other, worth, strict=True)) and _as_early(rival, line)
            for other, rival in kept
        ):
            kept.append((worth, line))
        if len(kept) >= most:
            break
    return [line for _, line in kept]


def _worth(line: SuitCourse, ours: tuple[Seat, Seat]) -> tuple[int, ...]:
    entries = [line.count("produce", "entry", s) - line.count("consume", "entry", s) for s in ours]
    ruffs = [-line.ruffs(s) for s in ours]
    thrown = -line.thrown[1] if line.thrown else 0
    return (line.tricks, -line.lost, *entries, *ruffs, thrown)


def _as_early(a: SuitCourse, b: SuitCourse) -> bool:
    """Does `a` begin from the same hand and take its tricks no later than `b`?"""
    if not b.course:
        return True
    return bool(a.course) and a.course[0].lead is b.course[0].lead and a.lost <= b.lost


def lines_of(
    suit: Suit,
    layout: Layout,
    ours: tuple[Seat, Seat],
    *,
    ruffs: tuple[Seat, ...] = (),
    thrown: tuple[Seat, int] | None = None,
) -> list[SuitCourse]:
    """Every line of a suit; `thrown` cards have been discarded, the lowest first."""
    if thrown:
        layout = shortened(layout, *thrown)
    return [
        SuitCourse(suit, layout, course, thrown) for course in _courses(packed(layout), ours, ruffs)
    ]


@lru_cache(maxsize=4096)
def _courses(layout: Layout, ours: tuple[Seat, Seat], ruffs: tuple[Seat, ...]) -> list[Course]:
    return SuitSearch(layout, ours, ruffs).courses()


def shortened(layout: Layout, seat: Seat, count: int) -> Layout:
    """The suit after a hand has parted with its lowest cards."""
    held = layout[seat]
    for _ in range(count):
        held &= held - 1
    changed = list(layout)
    changed[seat] = held
    return changed[0], changed[1], changed[2], changed[3]
