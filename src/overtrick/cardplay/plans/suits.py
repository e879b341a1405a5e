"""One suit, all four holdings known: which courses declarer can force, whatever the defenders play.
A course is a list of rounds, each led by one of our hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from overtrick.game import Seat

Layout = tuple[int, int, int, int]  # ranks held by N, E, S, W as 13-bit sets
MOST_LOST: Final = 3  # rounds given up in one suit: more is never a plan
WIDTH: Final = 90  # courses of one length that are carried on


class Round(NamedTuple):
    """One round of a suit: who leads, who wins (None: a defender), and whether by a ruff."""

    lead: Seat
    winner: Seat | None
    ruff: bool = False

    @property
    def won(self) -> bool:
        return self.winner is not None


Course = tuple[Round, ...]


class SuitSearch:
    """What declarer can force in one suit.

    A course holds when for every card of the defenders there is a card of ours that keeps it. All
    hands follow while they can, so how long each hand follows is known beforehand; a void partner
    may ruff when `ruffs` says so.

    >>> spades = SuitSearch((0b1101000 + 0b100, 0, 0, 0), (Seat.SOUTH, Seat.NORTH))
    >>> spades.holds((Round(Seat.NORTH, Seat.NORTH),) * 2)
    True
    """

    def __init__(
        self, layout: Layout, ours: tuple[Seat, Seat], ruffs: tuple[Seat, ...] = ()
    ) -> None:
        self.layout = packed(layout)
        self.ours = ours
        self.ruffs = ruffs
        self._known: dict[tuple[Layout, Course], bool] = {}

    def holds(self, course: Course, layout: Layout | None = None) -> bool:
        """Can the course be forced?"""
        if not course:
            return True
        here = self.layout if layout is None else packed(layout)
        key = here, course
        if key not in self._known:
            self._known[key] = any(
                self.keeps(here, course, (lead,)) for lead in choices(here, course[0].lead)
            )
        return self._known[key]

    def keeps(self, layout: Layout, course: Course, played: tuple[int, ...]) -> bool:
        """Does the course still hold after these cards of its first round (-1: no card)?"""
        now = course[0]
        if len(played) == 4:
            winner = _winner(now, played)
            after = _after(layout, now.lead, played)
            if winner is now.winner or not (now.won or winner in self.ours):
                return self.holds(course[1:], after)
            # A defender who holds up gives the trick now instead of the last one later.
            return not now.won and self.holds(_one_less(course[1:]), after)
        seat = (now.lead + len(played)) & 3
        if now.ruff and seat == now.winner and layout[seat]:
            return False
        ways = (self.keeps(layout, course, (*played, card)) for card in choices(layout, seat))
        return any(ways) if seat in self.ours else all(ways)

    def courses(self) -> list[Course]:
        """Courses that can be forced and end with a trick for us, short ones first.

        Long solid suits can be played in thousands of ways; of each length those with few losers
        and few entries from outside are carried on.
        """
        found: list[Course] = []
        front: list[Course] = [()]
        while front:
            longer = [c for course in front for c in self._longer(course)]
            found += [course for course in longer if course[-1].won]
            front = sorted(longer, key=_needs)[:WIDTH]
        return found

    def _longer(self, course: Course) -> Iterator[Course]:
        depth = len(course)
        left = sum(not r.won for r in course)
        for lead in self.ours:
            if self.layout[lead].bit_count() <= depth:
                continue
            partner = lead.partner
            options = [Round(lead, lead), Round(lead, partner)]
            if left < MOST_LOST:
                options.append(Round(lead, None))
            if partner in self.ruffs and self.layout[partner].bit_count() <= depth:
                options = [Round(lead, partner, ruff=True), Round(lead, lead)]
            for option in options:
                longer = (*course, option)
                if self.holds(longer):
                    yield longer


def _needs(course: Course) -> tuple[int, int]:
    """Losers, and entries that other suits must give."""
    moves = sum(a.winner is not b.lead for a, b in pairwise(course))
    return sum(not now.won for now in course), moves


@lru_cache(maxsize=1 << 16)
def choices(layout: Layout, seat: int) -> tuple[int, ...]:
    """The cards of a hand that differ: the lowest of each sequence; -1 when it is void."""
    mine = layout[seat]
    if not mine:
        return (-1,)
    others = layout[seat - 1] | layout[seat - 2] | layout[seat - 3]
    found = []
    touching = False
    for rank in range(13):
        if mine >> rank & 1:
            if not touching:
                found.append(rank)
            touching = True
        elif others >> rank & 1:
            touching = False
    return tuple(found)


def _winner(now: Round, played: tuple[int, ...]) -> Seat:
    if now.ruff:
        assert now.winner is not None
        return now.winner
    return Seat((now.lead + played.index(max(played))) & 3)


def _one_less(course: Course) -> Course:
    """The course without its last trick and what was lost for it."""
    end = max((i for i, now in enumerate(course) if now.won), default=0)
    while end and not course[end - 1].won:
        end -= 1
    return course[:end]


def _after(layout: Layout, lead: int, played: tuple[int, ...]) -> Layout:
    left = list(layout)
    for i, rank in enumerate(played):
        if rank >= 0:
            left[(lead + i) & 3] &= ~(1 << rank)
    return left[0], left[1], left[2], left[3]


@lru_cache(maxsize=1 << 16)
def packed(layout: Layout) -> Layout:
    """The same suit with the gaps of played cards closed, so that equal positions are one."""
    packed = [0, 0, 0, 0]
    place = 0
    for rank in range(13):
        for seat in range(4):
            if layout[seat] >> rank & 1:
                packed[seat] |= 1 << place
                place += 1
    return packed[0], packed[1], packed[2], packed[3]
