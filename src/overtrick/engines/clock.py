"""The clock of an engine: a safety net behind work that is fixed by rounds.
A decision that it cut short says so."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from overtrick.game import Decision


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
