"""The one race between calls: paired values in shared worlds, who is out, who wins, and why.

The first call is the favourite (the policy's, the rules'). Every other call has a `Margin`: what it
must gain before it overrules the favourite. Margins differ by engine, the arithmetic does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import erf, exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import RACE_HOPE
from overtrick.engines.clock import Clock, OutOfTime, worked
from overtrick.game import CALLS
from overtrick.game.reasons import (
    Agrees,
    BestOfRest,
    Favourite,
    Gains,
    GainsOnly,
    Reason,
    Untried,
)
from overtrick.worlds.weighted import Worlds

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Margin:
    """What a call must gain over the favourite: some standard errors, and some IMPs in any case.

    `price` comes on top, for what a call costs in ways that no value shows; `blur` is an error that
    no sampling lowers (partner may misread the call).
    """

    errors: float = 1.0
    least: float = 0.1
    price: float = 0.0
    blur: float = 0.0

    def needed(self, error: float) -> float:
        return max(self.errors * float(np.hypot(error, self.blur)), self.least) + self.price


@dataclass(frozen=True, slots=True)
class Few:
    """How far the spread of a few worlds is mistrusted. A handful of equal worlds does not prove
    equality, as a `swing` may hide in the next one; and their spread is itself uncertain."""

    swing: float = 0.0  # IMPs
    wider: float = 0.0  # times, at one world; less with more


@dataclass(frozen=True, slots=True)
class RaceVerdict:
    """Who won: the place of the call, its gain over the favourite, and the reason."""

    place: int
    gain: float
    error: float
    reason: Reason


class Race:
    """Calls on their way. `values[worlds, calls]` has NaN where a call was not tried any more."""

    def __init__(
        self,
        calls: Sequence[int],
        margins: Sequence[Margin] | Margin = Margin(),
        *,
        hope: float = RACE_HOPE,
        few: Few = Few(),
    ) -> None:
        self.calls = list(calls)
        self.margins = [margins] * len(calls) if isinstance(margins, Margin) else list(margins)
        self.hope, self.few = hope, few
        self.open = list(range(len(calls)))  # places of the calls that may still win
        self.rounds: list[Worlds] = []
        self._values: list[Floats] = []
        self.shifts = np.zeros(len(calls))  # what is known of a call beyond its values …
        self.doubts = np.zeros(len(calls))  # … and how uncertain that is
        self.log: list[str] = []

    @property
    def open_calls(self) -> list[int]:
        return [self.calls[i] for i in self.open]

    @property
    def worlds(self) -> Worlds:
        return Worlds.joined(self.rounds)

    @property
    def used(self) -> int:
        return sum(len(w) for w in self.rounds)

    @property
    def values(self) -> Floats:
        if not self._values:
            return np.zeros((0, len(self.calls)))
        return np.asarray(np.concatenate(self._values) + self.shifts)

    def add(self, worlds: Worlds, values: Floats) -> None:
        """One more round: the values [worlds, open calls]."""
        found = np.full((len(worlds), len(self.calls)), np.nan)
        found[:, self.open] = values
        self.rounds.append(worlds)
        self._values.append(found)

    def seen(self, place: int) -> int:
        """Worlds in which a call was tried."""
        return int((~np.isnan(self.values[:, place])).sum())

    def gain(self, one: int, other: int = 0) -> tuple[float, float]:
        """How much better `one` is than `other`, world by world, with its standard error; nothing
        and infinity where they have not two worlds in common."""
        values = self.values
        difference = values[:, one] - values[:, other]
        both = np.flatnonzero(~np.isnan(difference))
        count = len(both)
        if count < 2:
            return 0.0, float("inf")
        shares = self.worlds.taken(both).shares
        mean = float(shares @ difference[both])
        spread = float((shares**2 @ (difference[both] - mean) ** 2) * count / (count - 1))
        doubt = self.doubts[one] ** 2 + self.doubts[other] ** 2
        error = float(np.sqrt(spread + (self.few.swing / count) ** 2 + doubt))
        return mean, error * (1 + self.few.wider / count)

    def mean(self, place: int) -> tuple[float, float] | None:
        """Mean value and error of a call by itself, over the worlds in which it was tried."""
        column = self.values[:, place]
        tried = np.flatnonzero(~np.isnan(column))
        if not len(tried):
            return None
        shares = self.worlds.taken(tried).shares
        mean = float(shares @ column[tried])
        return mean, float(np.sqrt(shares**2 @ (column[tried] - mean) ** 2))

    def leader(self) -> int:
        """The open call with the best mean so far; the favourite when nothing is known."""
        known = {i: m[0] for i in self.open if (m := self.mean(i)) is not None}
        return max(known, key=lambda i: (known[i], -i)) if known else self.open[0]

    def regret(self) -> float:
        """Expected IMPs lost by stopping now: what perfect knowledge would still win."""
        leader = self.leader()
        lost = [opportunity(*self.gain(leader, i)) for i in self.open if i != leader]
        return max(lost, default=0.0)

    def worth_of_more(self, more: int) -> float:
        """Expected gain from `more` further worlds (Russell and Wefald's value of computation):
        the chance that they turn the decision, times what the turn would win."""
        leader, worth = self.leader(), 0.0
        seen = max(self.seen(self.open[0]), 1)
        for i in self.open:
            if i != leader:
                gain, error = self.gain(leader, i)
                shrunk = error * sqrt(more / (seen + more)) if error < float("inf") else 1.0
                worth = max(worth, opportunity(gain, shrunk))
        return worth

    def worth_of_turning(self, more: int) -> float:
        """Expected gain from `more` further rounds like those before, where margins decide: from a
        call that may yet reach its margin or fall below it, or may yet overtake the leader."""
        done, leader = len(self.rounds), self.leader()
        shrunk, moved = sqrt(done / (done + more)), sqrt(more / (done + more))
        worth = 0.0
        for i in self.open:
            if i:
                gain, error = self.gain(i)
                if error == float("inf"):
                    return error
                ahead = gain - self.margins[i].needed(error * shrunk)
                proved = gain > self.margins[i].needed(error)
                worth = max(worth, opportunity(ahead if proved else -ahead, error * moved))
            if i and leader not in (0, i):
                gain, error = self.gain(leader, i)
                worth = max(worth, opportunity(gain, error * moved))
        return worth

    def drop(self, place: int, why: str) -> None:
        self.open.remove(place)
        self.log.append(f"{CALLS[self.calls[place]]} {why}")

    def prune(self, hope: float | None = None, *, favourite: bool = True) -> None:
        """Calls that cannot win any more leave: those clearly behind the leader, and those that
        cannot gain what they need. The favourite stays in unless it may go (`favourite=False`)."""
        hope = self.hope if hope is None else hope
        leader = self.leader()
        for i in list(self.open):
            if i == leader or (i == 0 and favourite):
                continue
            behind, error = self.gain(leader, i)
            room = hope * error + (0 if i else self._least(leader))
            if behind > room:
                self.drop(i, f"is {behind:.1f} ± {error:.1f} IMPs behind")
            elif i and 0 in self.open:
                gain, error = self.gain(i)
                if gain + hope * error < self.margins[i].least:
                    self.drop(i, f"cannot gain enough: {gain:.1f} ± {error:.1f} IMPs")

    def _least(self, place: int) -> float:
        return self.margins[place].least + self.margins[place].price

    @property
    def settled(self) -> bool:
        """One call is left, or one is so far ahead of the favourite that chance cannot take it."""
        if len(self.open) == 1:
            return True
        if len(self.open) > 2 or 0 not in self.open:
            return False
        gain, error = self.gain(self.open[1])
        return gain > self.margins[self.open[1]].needed(error) + error

    def verdict(self, favourite: Favourite = Favourite.FIRST) -> RaceVerdict:
        """The favourite, unless another call has proved better by its margin; and why."""
        first, seen = CALLS[self.calls[0]], self.used
        if not seen:
            return RaceVerdict(self.open[0], 0.0, 0.0, Untried(favourite))
        if 0 not in self.open and not self.seen(0):
            place = self.leader()
            return RaceVerdict(place, 0.0, 0.0, BestOfRest(self.seen(place), first))
        gains = {i: self.gain(i) for i in self.open if i}
        proved = {
            i: gain - self.margins[i].price
            for i, (gain, error) in gains.items()
            if gain > self.margins[i].needed(error)
        }
        if proved:
            best = max(proved, key=lambda i: proved[i])
            gain, error = gains[best]
            return RaceVerdict(best, gain, error, Gains(gain, error, first, seen))
        best = max(gains, key=lambda i: gains[i][0], default=0)
        if best and gains[best][0] > 0:
            gain, error = gains[best]
            return RaceVerdict(0, 0.0, 0.0, GainsOnly(CALLS[self.calls[best]], gain, error))
        return RaceVerdict(0, 0.0, 0.0, Agrees(favourite, seen))


def opportunity(gain: float, error: float) -> float:
    """E[max(0, -X)] for X normal with mean `gain` and deviation `error`."""
    if error <= 0 or error == float("inf"):
        return max(0.0, -gain) if error <= 0 else float("inf")
    z = gain / error
    return error * (exp(-z * z / 2) / sqrt(2 * pi) - z * (1 - erf(z / sqrt(2))) / 2)


def pruned(race: Race) -> bool:
    """Calls that cannot win leave; is it settled?"""
    race.prune()
    return race.settled


def run(
    race: Race,
    rounds: Iterable[Callable[[], Worlds]],
    value: Callable[[Worlds, Sequence[int]], Floats],
    clock: Clock,
    *,
    enough: float = 0.0,
    settle: Callable[[Race], bool] = pruned,
) -> None:
    """Round after round of worlds until the race is settled or there are no more rounds.

    A round draws its worlds; `value` gives what each open call is worth in each of them. `settle`
    drops calls and says whether it is over; nothing is settled in fewer than `enough` effective
    worlds. The clock is a safety net: a round that could
    end after it does not begin, and one that it interrupts does not count.
    """
    took = 0.0
    for draw in rounds:
        if race.rounds and clock.late(took):
            return
        began = worked()
        try:
            worlds = draw()
            if not len(worlds):
                continue
            values = value(worlds, race.open_calls)
        except OutOfTime:
            return
        race.add(worlds, values)
        if race.worlds.effective >= enough and settle(race):
            return
        took = worked() - began
