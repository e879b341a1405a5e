"""What pragma thinks about one decision: the race of its choices over R-deals, and what was drawn.
It can be read out at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import (
    AuctionPosition,
    Clock,
    Contracts,
    Few,
    Leaves,
    Margin,
    Race,
    RulesCaller,
    SeatHands,
    Walk,
    Worlds,
    utility_of,
)
from overtrick.bidding.kernel.position import Contract
from overtrick.bidding.pragma.candidates import CallChoice
from overtrick.bidding.pragma.rdeals import r_deals
from overtrick.game import CALLS, Seat, View
from overtrick.systems import Reading

Floats = NDArray[np.float64]
FEW = Few(swing=1.0, wider=8.0)  # rounds begin with a dozen deals


@dataclass(frozen=True, slots=True, eq=False)
class RDeals:
    """R-deals that were drawn together, with their leaves, what the rules lead to in each, and the
    score in points that our side expects from that."""

    held: SeatHands
    leaves: Leaves
    plan: Contracts
    reference: Floats

    def __len__(self) -> int:
        return len(self.held)

    def imps(self, contracts: Contracts, rows: NDArray[np.intp] | None = None) -> Floats:
        """IMPs of contracts against what is expected."""
        reference = self.reference if rows is None else self.reference[rows]
        return self.leaves.imps(contracts, reference, rows)


@dataclass(slots=True)
class Thought:
    """One decision on its way. Values are IMPs against the score expected when everybody follows
    the rules from here."""

    view: View
    reading: Reading
    choices: list[CallChoice]
    rng: Generator
    tricks: str = "tricks"
    margins: Sequence[Margin] = ()
    hope: float = 2.0
    clock: Clock = field(default_factory=Clock)
    samples: list[RDeals] = field(default_factory=list)
    nodes: int = 0
    determined: bool = False
    """Did the system leave nobody a choice that matters? (What knowledge source 2 assumes.)"""
    race: Race = field(init=False)
    reached: list[Counter[Contract]] = field(init=False)

    def __post_init__(self) -> None:
        calls = [c.call for c in self.choices]
        self.race = Race(calls, self.margins or Margin(), hope=self.hope, few=FEW)
        self.reached = [Counter() for _ in self.choices]

    @property
    def position(self) -> AuctionPosition:
        return AuctionPosition.of(self.view)

    def rules(self) -> list[RulesCaller]:
        """Everybody by the rules: our side's system is the reading's first."""
        return [RulesCaller(self.reading, (seat - self.view.seat) & 1) for seat in range(4)]

    def draw(self, count: int) -> RDeals:
        """New R-deals; the rules' own continuation sets what is expected in each."""
        deals = r_deals(self.reading, self.view, count, self.rng)
        sample = self.imagined(deals, self.position, [self.choices[0].call])
        self.samples.append(sample)
        return sample

    def imagined(
        self, deals: NDArray[np.uint64], at: AuctionPosition, calls: Sequence[int]
    ) -> RDeals:
        """Deals with what the rules lead to: after a call, or from a position on."""
        held = SeatHands(deals)
        utility = utility_of(self.tricks)
        leaves = utility.leaves(deals, self.view.vul, self.view.seat & 1)
        walk = Walk(held, self.rules(), self.clock)
        plan = walk.after(at, calls)[0] if calls else walk.on(at)
        self.nodes += walk.nodes
        return RDeals(held, leaves, plan, leaves.points(plan)[:, 0])

    def walk(self, sample: RDeals) -> Walk:
        return Walk(sample.held, self.rules(), self.clock)

    def add(self, sample: RDeals, values: Floats) -> None:
        self.race.add(Worlds.even(sample.held.deals), values)

    def outlook(self, choice: int, most: int = 3) -> dict[str, float]:
        """The contracts a choice leads to most often, each with its share of the R-deals."""
        total = sum(self.reached[choice].values())
        return {
            contract_words(c): n / total for c, n in self.reached[choice].most_common(most) if total
        }


def contract_words(contract: Contract) -> str:
    """'4♥ by South', 'passed out'."""
    bid, declarer, doubled = contract
    if bid < 0:
        return "passed out"
    return f"{CALLS[bid + 3]}{'×' * doubled} by {Seat(declarer)}"
