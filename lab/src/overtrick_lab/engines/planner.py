"""A declarer who plans suit by suit: lines that make the contract in some worlds, tried in all.
Used as a player (`planner`); plans propose the cards, Monte Carlo chooses among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from overtrick.cardplay.knowledge import sample_worlds
from overtrick.cardplay.pacing import Paced
from overtrick.cardplay.pimc import Pimc, decide, evaluate, pick
from overtrick.cardplay.plans import Plan, plan
from overtrick.cardplay.plans.words import ahead
from overtrick.cardplay.situation import Situation, situation
from overtrick.doubledummy import Position
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import Card, Decision, Hand, OptionError, Seat, Strain, View
from overtrick.worlds.weighted import Worlds


@dataclass(frozen=True, slots=True)
class Planner:
    """Declarer by plans, everything else as `pimc`.

    When declarer is on lead, the `plans` heaviest worlds are planned for the tricks the contract
    needs; the first cards of those plans are compared in all `worlds`. The plan of the card that
    is chosen is told.
    """

    worlds: int = 40
    plans: int = 3
    seed: int = 0
    cost: ClassVar = Cost.SLOW
    floor: Pimc = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.plans < 1:
            raise OptionError(f"at least one plan is needed, not {self.plans}")
        object.__setattr__(self, "floor", Pimc(self.worlds, knowledge="auction", seed=self.seed))

    @property
    def name(self) -> str:
        return spelled("planner", self, "worlds", "plans")

    def within(self, seconds: float) -> Paced:
        return Paced(self, seconds)

    def thinned(self, worlds: int) -> Self:
        return replace(self, worlds=worlds)

    def play(self, view: View) -> Decision:
        started = now()
        at = situation(view)
        needed = 0 < at.target <= at.left
        if not at.declaring or at.trick or not needed or len(at.groups()) == 1:
            return replace(self.floor.play(view), engine=self.name)
        seed = view.seed ^ self.seed
        worlds = sample_worlds(at, self.worlds, np.random.default_rng(seed), self.floor.kind)
        found, seen = evaluate(at, worlds, self.floor.goal(view))
        proposed: dict[Card, Plan] = {}
        for first, made in self._plans(at, worlds):
            proposed.setdefault(first, made)  # what is told is the plan for the likeliest world
        offered = [w for w in found if w.card in proposed]
        card, _ = pick(at, offered or found, (worlds, seen), self.floor.carding)
        decision = decide(at, card, found, worlds, None, (self.name, seed, started))
        if card not in proposed:
            return decision
        return replace(decision, reasons=(*decision.reasons, *ahead(proposed[card])[:4]))

    def _plans(self, at: Situation, worlds: Worlds) -> Iterator[tuple[Card, Plan]]:
        """First cards of plans that make the contract, likely worlds first."""
        for index in np.argsort(-worlds.shares, kind="stable")[: self.plans]:
            a, b, c, d = (Hand(int(bits)) for bits in worlds.deals[index])
            position = Position((a, b, c, d), Strain(at.strain), Seat(at.leader))
            made = plan(position, at.contract.declarer, at.target, least=at.target)
            for card in made.first_cards:
                yield card, made
