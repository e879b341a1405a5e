"""The clock of an engine: a safety net behind work that is fixed by rounds.
A decision that it cut short says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

from overtrick.game import Decision

_ticks: Callable[[], float] = perf_counter


def now() -> float:
    """Seconds on the clock that engines think by: the wall's, unless somebody counts otherwise."""
    return _ticks()


@contextmanager
def counted_by(ticks: Callable[[], float]) -> Iterator[None]:
    """Engines of this process count their seconds so: an experiment with time limits counts those
    of the processor, and a busy machine does not change what it finds."""
    global _ticks
    usual, _ticks = _ticks, ticks
    try:
        yield
    finally:
        _ticks = usual


class OutOfTime(Exception):
    """The clock ran out inside a piece of work; what was settled before stands."""


class Clock:
    """The safety net of a search whose work is fixed by rounds. `cut` says that it cut in."""

    __slots__ = ("cut", "until")

    def __init__(self, until: float = float("inf")) -> None:
        self.until = until  # on the clock of `now`
        self.cut = False

    @property
    def left(self) -> float:
        return self.until - now()

    def late(self, ahead: float = 0.0) -> bool:
        """Does the deadline come within so many seconds?"""
        found = now() + ahead > self.until
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
