"""Matching suits: courses of several suits in one order, every lead where the last trick was won.
What one suit produces another consumes; trumps must be drawn where they must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from overtrick.cardplay.plans.resources import SuitCourse
from overtrick.cardplay.plans.suits import Round
from overtrick.game import Seat, Suit


class PlanStep(NamedTuple):
    """One trick of a plan: which suit, and its round. `returned`: the defence leads it."""

    suit: Suit
    round: Round
    trump: Suit | None = None
    returned: bool = False


def interleave(
    lines: Sequence[SuitCourse], lead: Seat | None, trump: Suit | None = None
) -> list[PlanStep] | None:
    """An order in which all the lines can be played, or None.

    `lead` is our hand on lead, None when the defence is: then a suit that gives a trick whoever
    leads it brings us in.
    """
    search = _Search(lines, trump)
    return search.steps((0,) * len(lines), lead)


class _Search:
    def __init__(self, lines: Sequence[SuitCourse], trump: Suit | None) -> None:
        self.lines = lines
        self.trump = trump
        self._failed: set[tuple[tuple[int, ...], Seat | None]] = set()
        self._trumps = next((i for i, line in enumerate(lines) if line.suit == trump), None)

    def steps(self, at: tuple[int, ...], lead: Seat | None) -> list[PlanStep] | None:
        """The rest of an order, from where each line stands."""
        if all(i == len(line.course) for i, line in zip(at, self.lines, strict=True)):
            return []
        if (at, lead) in self._failed:
            return None
        for k in self._order(at, lead):
            now = self.lines[k].course[at[k]]
            ahead = (*at[:k], at[k] + 1, *at[k + 1 :])
            rest = self.steps(ahead, now.winner)
            if rest is not None:
                return [PlanStep(self.lines[k].suit, now, self.trump, lead is None), *rest]
        self._failed.add((at, lead))
        return None

    def _order(self, at: tuple[int, ...], lead: Seat | None) -> list[int]:
        """Which lines may go on: trumps first, tricks before losers, a suit begun before others."""
        able = [k for k in range(len(at)) if self._able(k, at, lead)]
        return sorted(
            able, key=lambda k: (k != self._trumps, not self._round(k, at).won, at[k] == 0)
        )

    def _round(self, k: int, at: tuple[int, ...]) -> Round:
        return self.lines[k].course[at[k]]

    def _able(self, k: int, at: tuple[int, ...], lead: Seat | None) -> bool:
        line = self.lines[k]
        if at[k] == len(line.course):
            return False
        now = line.course[at[k]]
        if lead is None and (not now.won or now.ruff):
            return False
        if lead is not None and now.lead is not lead:
            return False
        if now.ruff and line.thrown and self._discards(line.thrown[0], at) < line.thrown[1]:
            return False
        return not now.won or k == self._trumps or self._safe(k, at)

    def _discards(self, seat: Seat, at: tuple[int, ...]) -> int:
        """Cards a hand has thrown so far."""
        return sum(
            not (now.ruff and now.winner is seat)
            for line, done in zip(self.lines, at, strict=True)
            for depth, now in enumerate(line.course[:done])
            if line.layout[seat].bit_count() <= depth
        )

    def _safe(self, k: int, at: tuple[int, ...]) -> bool:
        """Does every defender follow, or has no trump left to ruff with?"""
        if self.trump is None:
            return True
        line = self.lines[k]
        trumps = self.lines[self._trumps].layout if self._trumps is not None else None
        drawn = at[self._trumps] if self._trumps is not None else 0
        lead = line.course[at[k]].lead
        for seat in (lead.lho, lead.rho):
            follows = line.layout[seat].bit_count() > at[k]
            if not follows and (trumps is None or trumps[seat].bit_count() > drawn):
                return False
        return True
