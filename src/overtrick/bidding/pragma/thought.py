"""What pragma thinks about one decision: choices, their values over R-deals, what is settled.
Used by the refinement loop and its knowledge sources; it can be read out at any moment."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import erf, exp, pi, sqrt
from time import perf_counter

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.pragma.candidates import Choice
from overtrick.bidding.pragma.leaves import Contract, Leaves, reference_of
from overtrick.bidding.pragma.rdeals import r_deals
from overtrick.bidding.rollout import Ending, Worlds, endings, next_context
from overtrick.game import CALLS, Seat, View
from overtrick.nets.contract import ContractModel
from overtrick.systems import Reading
from overtrick.systems.context import Context

Floats = NDArray[np.float64]


class OutOfTime(Exception):
    """The clock ran out inside a piece of thinking; what was settled before stands."""


@dataclass(slots=True)
class Sample:
    """R-deals that were drawn together, with their leaves, and what the rules would lead to."""

    worlds: Worlds
    leaves: Leaves
    plan: list[Ending]


@dataclass(slots=True)
class Thought:
    """One decision on its way.

    `values[i]` are IMPs of choice i in the R-deals seen so far, against the score expected when
    everybody follows the rules; `doubts` are standard errors that more of them do not lessen.
    """

    view: View
    reading: Reading
    ctx: Context
    choices: list[Choice]
    model: ContractModel
    rng: Generator
    deadline: float = float("inf")  # on the clock of perf_counter
    drawing: float = 0.0  # seconds that new R-deals will take: nothing interrupts them
    values: list[list[Floats]] = field(default_factory=list)
    doubts: dict[int, float] = field(default_factory=dict)
    alive: list[int] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    reached: list[Counter[Contract]] = field(default_factory=list)
    nodes: int = 0
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = [[] for _ in self.choices]
        self.reached = [Counter() for _ in self.choices]
        self.alive = list(range(len(self.choices)))

    def draw(self, count: int) -> Sample:
        """New R-deals; the rules' own continuation sets what is expected in each."""
        began = perf_counter()
        self.check_clock(self.drawing)
        hands = r_deals(self.reading, self.view, self.ctx, count, self.rng)
        worlds = Worlds(hands, int(self.view.dealer))
        leaves = Leaves(worlds, self.model, int(self.view.vul), int(self.view.seat & 1))
        self.drawing = 2.2 * (perf_counter() - began)  # the next ones are more
        after = next_context(self.reading, self.ctx, self.choices[0].call)
        plan = []
        for ending in endings(self.reading, after, worlds):
            plan.append(ending)
            self.check_clock()
        self.nodes += sum(len(e.calls) for e in plan) // 2
        leaves.refer(reference_of(leaves, worlds, plan))
        sample = Sample(worlds, leaves, plan)
        self.samples.append(sample)
        return sample

    def check_clock(self, ahead: float = 0.0) -> None:
        """Raise `OutOfTime` if the deadline comes within so many seconds."""
        if perf_counter() + ahead > self.deadline:
            raise OutOfTime

    def add(self, choice: int, values: Floats) -> None:
        self.values[choice].append(values)

    @property
    def seen(self) -> int:
        """R-deals in which the choices still alive were valued."""
        return self.seen_of(self.alive[0])

    def seen_of(self, choice: int) -> int:
        """R-deals in which a choice was valued."""
        return sum(len(v) for v in self.values[choice])

    def column(self, choice: int) -> Floats:
        parts = self.values[choice]
        return np.concatenate(parts) if parts else np.zeros(0)

    def mean(self, choice: int) -> float | None:
        found = self.column(choice)
        return float(found.mean()) if len(found) else None

    def gain(self, one: int, other: int) -> tuple[float, float]:
        """How much better `one` is than `other`, with its standard error, deal by deal."""
        a, b = self.column(one), self.column(other)
        n = min(len(a), len(b))
        if n < 2:
            return 0.0, float("inf")
        difference = a[:n] - b[:n]
        spread = float(difference.std(ddof=1))
        doubt = self.doubts.get(one, 0.0) ** 2 + self.doubts.get(other, 0.0) ** 2
        # A handful of equal deals does not prove equality, a swing may hide in the next one; and
        # the spread of few deals is itself uncertain, the more so for the best of several choices.
        error = sqrt(spread**2 / n + 1 / n**2 + doubt) * (1 + 8 / n)
        return float(difference.mean()), error

    def best(self) -> int:
        """The choice with the best mean so far; the rules' own when nothing is known."""
        known = [i for i in self.alive if self.values[i]]
        return max(known, key=lambda i: (self.mean(i) or 0.0, -i)) if known else self.alive[0]

    def outlook(self, choice: int, most: int = 3) -> dict[str, float]:
        """The contracts a choice leads to most often, each with its share of the R-deals."""
        total = sum(self.reached[choice].values())
        return {
            contract_words(c): n / total for c, n in self.reached[choice].most_common(most) if total
        }

    def drop(self, choice: int, why: str) -> None:
        self.alive.remove(choice)
        self.log.append(f"{CALLS[self.choices[choice].call]} {why}")

    def loss(self) -> float:
        """Expected IMPs lost by stopping now: what perfect knowledge would still win."""
        best = self.best()
        return max((opportunity(*self.gain(best, i)) for i in self.alive if i != best), default=0.0)

    def worth_of_more(self, more: int) -> float:
        """Expected gain from `more` further R-deals (Russell and Wefald's value of computation):
        the chance that they turn the decision, times what the turn would win."""
        best, seen = self.best(), max(self.seen, 1)
        worth = 0.0
        for i in self.alive:
            if i == best:
                continue
            gain, error = self.gain(best, i)
            shrunk = error * sqrt(more / (seen + more)) if error < float("inf") else 1.0
            worth = max(worth, opportunity(gain, shrunk))
        return worth


def contract_words(contract: Contract) -> str:
    """'4♥ by South', 'passed out'."""
    bid, declarer, doubled = contract
    if bid < 0:
        return "passed out"
    return f"{CALLS[bid + 3]}{'×' * doubled} by {Seat(declarer)}"


def opportunity(gain: float, error: float) -> float:
    """E[max(0, -X)] for X normal with mean `gain` and deviation `error`."""
    if error <= 0 or error == float("inf"):
        return max(0.0, -gain) if error <= 0 else float("inf")
    z = gain / error
    return error * (exp(-z * z / 2) / sqrt(2 * pi) - z * (1 - erf(z / sqrt(2))) / 2)
