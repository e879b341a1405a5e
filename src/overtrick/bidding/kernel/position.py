"""The public part of a bidding decision: the calls so far, who dealt, who is vulnerable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

from overtrick.game import Decision, View

Contract = tuple[int, int, int]
"""Bid (0 = 1♣; -1: passed out), declarer, doubling (0, 1, 2)."""


@dataclass(frozen=True, slots=True)
class Position:
    """An auction as plain numbers, cheap to make by the thousand."""

    calls: tuple[int, ...]
    dealer: int
    vul: int

    @classmethod
    def of(cls, view: View) -> Position:
        return cls(tuple(int(c) for c in view.auction.calls), int(view.dealer), int(view.vul))

    @property
    def turn(self) -> int:
        return (self.dealer + len(self.calls)) & 3

    def seat_of(self, turn: int) -> int:
        """Who made call number `turn`."""
        return (self.dealer + turn) & 3

    def then(self, call: int) -> Position:
        return Position((*self.calls, call), self.dealer, self.vul)

    def before(self, turn: int) -> Position:
        """The position in which call number `turn` was made."""
        return Position(self.calls[:turn], self.dealer, self.vul)

    @property
    def is_over(self) -> bool:
        calls = self.calls
        return len(calls) >= 4 and not (calls[-1] or calls[-2] or calls[-3])

    @property
    def contract(self) -> Contract:
        """The contract if nobody bids any more."""
        doubled = 0
        for last in range(len(self.calls) - 1, -1, -1):
            call = self.calls[last]
            if call >= 3:
                break
            doubled = max(doubled, call)
        else:
            return -1, 0, 0
        strain = (call - 3) % 5
        first = next(
            i for i in range(last & 1, last + 1, 2)
            if self.calls[i] >= 3 and (self.calls[i] - 3) % 5 == strain
        )  # fmt: skip
        return call - 3, self.seat_of(first), doubled


class OutOfTime(Exception):
    """The clock ran out inside a piece of work; what was settled before stands."""


class Clock:
    """The safety net of a search whose work is fixed by rounds. `cut` says that it cut in."""

    __slots__ = ("cut", "until")

    def __init__(self, until: float = float("inf")) -> None:
        self.until = until  # on the clock of perf_counter
        self.cut = False

    @property
    def left(self) -> float:
        return self.until - perf_counter()

    def late(self, ahead: float = 0.0) -> bool:
        """Does the deadline come within so many seconds?"""
        found = perf_counter() + ahead > self.until
        self.cut = self.cut or found
        return found

    def check(self, ahead: float = 0.0) -> None:
        """Raise `OutOfTime` if it does."""
        if self.late(ahead):
            raise OutOfTime

    def told(self, decision: Decision) -> Decision:
        """The decision, which says so when the clock cut in."""
        return replace(decision, cut=True) if self.cut else decision

    @property
    def words(self) -> str:
        """For a decision: nothing, or that there would have been more to do."""
        return "; time cut the search short" if self.cut else ""
