"""The score of a match while it is being played: running figures and the stopping rule.
A result costs the same whether it is the first or the last."""

from __future__ import annotations

from math import sqrt
from typing import Final

from overtrick.arena.stats import Estimate, estimate

LEAST_BOARDS: Final = 64  # before sequential stopping may end a match


class Tally:
    """IMPs by board. `last` is the board after which the match may stop, once there is one:
    the first whole chunk of the unbroken run 1, 2, … with a small enough standard error."""

    def __init__(self, chunk: int, until: float | None = None) -> None:
        self.last: int | None = None
        self._chunk = chunk
        self._until = until
        self._scores: dict[int, int] = {}
        self._all = _Moments()
        self._run = _Moments()

    def __len__(self) -> int:
        return len(self._scores)

    def __contains__(self, number: int) -> bool:
        return number in self._scores

    def add(self, number: int, imps: int) -> None:
        if number in self._scores:
            return
        self._scores[number] = imps
        self._all.add(imps)
        while self.last is None and self._run.n + 1 in self._scores:
            self._run.add(self._scores[self._run.n + 1])
            n = self._run.n
            whole = n % self._chunk == 0 and n >= LEAST_BOARDS
            if self._until is not None and whole and self._run.error <= self._until:
                self.last = n

    def stopped(self) -> bool:
        """Has the stopping rule been met?"""
        return self.last is not None

    def so_far(self) -> Estimate:
        """The estimate from the boards that have come in."""
        n = self._all.n
        return Estimate(self._all.mean, self._all.error, n, n)

    def final(self, boards: int) -> Estimate:
        """The estimate from the boards that count, in order."""
        end = self.last or boards
        return estimate([self._scores[n] for n in sorted(self._scores) if n <= end])


class _Moments:
    """Count, sum and sum of squares of whole numbers: exact in any order."""

    def __init__(self) -> None:
        self.n = self._sum = self._squares = 0

    def add(self, value: int) -> None:
        self.n += 1
        self._sum += value
        self._squares += value * value

    @property
    def mean(self) -> float:
        return self._sum / self.n if self.n else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.n < 2:
            return float("inf")
        spread = self._squares * self.n - self._sum**2
        return sqrt(spread / (self.n - 1)) / self.n
