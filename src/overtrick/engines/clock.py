"""The clock of an engine: a safety net behind work that is fixed by rounds.
A decision that it cut short says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

from overtrick.game import Decision

if TYPE_CHECKING:
    from overtrick.game.reasons import Reason

_LOOK: Final = 1e-5  # seconds that a look at the clock takes when looks are what is counted
_AT_FIRST: Final = 0.02  # seconds that count as spent on a quiet core before anything is known

_ticks: Callable[[], float] = perf_counter
_work: Callable[[], float] = process_time
_spent = 0.0


def now() -> float:
    """Seconds on the clock that engines think by: the wall's, unless somebody counts otherwise."""
    return _ticks()


def worked() -> float:
    """Seconds of work done by this process: what a step takes however busy the machine is."""
    return _work()


@contextmanager
def counted_by(
    ticks: Callable[[], float], work: Callable[[], float] | None = None
) -> Iterator[None]:
    """Engines of this process count their seconds so: an experiment with time limits counts those
    of the processor, and a busy machine does not change what it finds. Work is counted by the same
    ticks unless others are given."""
    global _ticks, _work
    usual, _ticks, _work = (_ticks, _work), ticks, work or ticks
    try:
        yield
    finally:
        _ticks, _work = usual


@contextmanager
def counting_looks() -> Iterator[None]:
    """Engines of this process count how often they look at the clock instead of seconds: the same
    work takes the same time on any machine, and who waits for time to pass does not wait forever.
    """
    looks = count()
    with counted_by(lambda: next(looks) * _LOOK):
        yield


def spend(seconds: float) -> None:
    """Work that takes about so many seconds was done: deals were checked, auctions walked. Only a
    clock that counts work is moved by it."""
    global _spent
    _spent += seconds


@contextmanager
def counting_work() -> Iterator[None]:
    """Engines of this process count the work they `spend` instead of seconds: a time limit cuts
    the same search at the same place on any machine."""
    began, looks = _spent, count()
    with counted_by(lambda: _spent - began + next(looks) * _LOOK):
        yield


class OutOfTime(Exception):
    """The clock ran out inside a piece of work; what was settled before stands."""


class Clock:
    """The safety net of a search whose work is fixed by rounds. `cut` says that it cut in.

    Steps say what they need in seconds of work. On a busy machine these take longer, and how much
    longer the clock has seen since it was started. `in_hand` seconds of work are kept for what
    cannot be broken off when the clock cuts in.
    """

    __slots__ = ("_began", "_worked", "cut", "in_hand", "until")

    def __init__(self, until: float = float("inf"), in_hand: float = 0.0) -> None:
        self.until = until  # on the clock of `now`
        self.in_hand = in_hand
        self.cut = False
        self._began, self._worked = now(), worked()

    @property
    def stretch(self) -> float:
        """Seconds that a second of work takes: 1 on a quiet core, 3 with a third of one, and less
        than 1 where several cores work for this process."""
        passed, spent = now() - self._began, worked() - self._worked
        return (passed + _AT_FIRST) / (spent + _AT_FIRST)

    @property
    def left(self) -> float:
        """Seconds before it cuts in."""
        return self.until - now() - self._stretched(self.in_hand)

    def room(self, work: float) -> float:
        """How many steps of so many seconds of work end before it cuts in."""
        return max(self.left, 0.0) / self._stretched(work)

    def late(self, ahead: float = 0.0) -> bool:
        """Does it cut in within so many seconds of work?"""
        found = now() + self._stretched(ahead + self.in_hand) > self.until
        self.cut = self.cut or found
        return found

    def check(self, ahead: float = 0.0) -> None:
        """Raise `OutOfTime` if it does."""
        if self.late(ahead):
            raise OutOfTime

    def _stretched(self, work: float) -> float:
        return work * self.stretch if work else 0.0

    def told(self, decision: Decision) -> Decision:
        """The decision, which says so when the clock cut in."""
        return replace(decision, cut=True) if self.cut else decision

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """For a decision: nothing, or that there would have been more to do."""
        if not self.cut:
            return ()
        from overtrick.game.reasons import Remark

        return (Remark.CUT_SHORT,)
