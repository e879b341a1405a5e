"""Algorithms 3 and 4 of Qiu et al. as printed: belief Monte Carlo search with fixed limits.

Deals are drawn from the belief until P_MAX were sampled or R_MAX were rolled out. A deal is thrown
away, call by call of the auction, with the probability that its player would have called otherwise;
one that stays is bid out greedily after every candidate, and what the contract scores is added up.
Nothing leaves early and nothing is weighed. Deals are drawn in batches because networks like that:
those beyond the limit do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.bmcs.imagined import telling_order
from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    Likelihood,
    NetworkCaller,
    Race,
    SeatHands,
    Utility,
    Walk,
    Worlds,
    estimate_of,
    system_number,
)
from overtrick.bidding.kernel.leaves import Scoring
from overtrick.bidding.policy import STYLE, Policy
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import CALLS, Candidate, Decision, Meaning, OptionError, View
from overtrick.game.reasons import BestMean, Reason, Remark, TooFewWorlds
from overtrick.nets.belief import card_beliefs
from overtrick.nets.inference import network
from overtrick.worlds.believing import by_belief
from overtrick.worlds.tellers import holding, teller_first

_BATCH: Final = 800  # deals drawn together
Deals = NDArray[np.uint64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PublishedSettings:
    """The parameters of Algorithm 3. The paper prints none of them: these are ours."""

    k: int = 4
    """Candidates at most."""
    p_min: float = 0.002
    """Probability that a candidate must exceed."""
    r_min: int = 8
    """Rollouts that a search must exceed, or the policy decides."""
    r_max: int = 200
    """Deals rolled out at most."""
    p_max: int = 5000
    """Deals sampled at most."""

    def __post_init__(self) -> None:
        if self.k < 1 or self.r_max < 1 or self.p_max < 1 or self.r_min < 0:
            raise OptionError("algorithm3 needs k, r_max and p_max ≥ 1, and r_min ≥ 0")


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found: the candidates with their values in every deal, and how many deals were
    sampled for that."""

    race: Race
    sampled: int
    enough: bool
    """Were there more than R_MIN?"""

    @property
    def call(self) -> int:
        """The candidate of the largest sum; the policy's own where there were too few deals."""
        return self.race.calls[self.race.leader() if self.enough else 0]


def candidates(chances: Floats, settings: PublishedSettings) -> list[int]:
    """The top k calls more probable than p_min, the likeliest in front; always that one."""
    order = [int(call) for call in np.argsort(-chances, kind="stable")[: settings.k]]
    return order[:1] + [call for call in order[1:] if chances[call] > settings.p_min]


def search(
    view: View,
    calls: Sequence[int],
    settings: PublishedSettings,
    *,
    beliefs: Floats,
    callers: Sequence[Caller],
    utility: Utility,
    rng: Generator,
) -> Searched:
    """Algorithm 3; `callers` are the policy in all four seats."""
    at = AuctionPosition.of(view)
    likelihood, race = Likelihood(callers, at, 0.0), Race(calls)
    sampled = rolled = 0
    while sampled < settings.p_max and rolled < settings.r_max:
        deals = drawn(view, beliefs, min(_BATCH, settings.p_max - sampled), rng)
        logs = likelihood(deals, np.zeros(len(deals)), range(4), len(deals))
        stays = np.flatnonzero(np.log(rng.random(len(deals))) < logs)[: settings.r_max - rolled]
        full = rolled + len(stays) == settings.r_max
        sampled += int(stays[-1]) + 1 if full else len(deals)
        rolled += len(stays)
        if len(stays):
            worlds = Worlds.even(deals[stays])
            contracts, _ = Walk(SeatHands(worlds.deals), callers).after(at, calls)
            race.add(worlds, utility.values(worlds.deals, contracts, view.vul, view.seat & 1))
    return Searched(race, sampled, rolled > settings.r_min)


def drawn(view: View, beliefs: Floats, count: int, rng: Generator) -> Deals:
    """Deals around this hand from the belief."""
    order = telling_order(view)
    hands = by_belief(view.seat, beliefs, order, rng)
    start = holding(view.seat, view.hand.bits, count)
    return teller_first(start, order, hands, lambda _, now: now).deals


@dataclass(frozen=True, slots=True)
class Algorithm3(PublishedSettings):
    """Belief Monte Carlo search as printed: rejection, fixed limits, the largest sum.

    Everybody bids by the policy. `scoring` is what a rollout is worth: points, or imps against the
    policy's own call on the same deal; `tricks=tricks` asks the tricks network instead of solving.
    """

    net: str = "policy"
    belief: str = "belief"
    tricks: str = "dd"
    scoring: Scoring = "points"
    threads: int = 1
    cost: ClassVar = Cost.SLOW
    policy: Policy = field(init=False, repr=False)

    def __post_init__(self) -> None:
        PublishedSettings.__post_init__(self)
        object.__setattr__(self, "policy", Policy(self.net, threads=self.threads))
        if self.belief:
            network(self.belief, "belief", self.threads)
        estimate_of(self.tricks, self.threads)
        Utility(self.tricks, self.scoring)

    @property
    def name(self) -> str:
        return spelled("algorithm3", self)

    @property
    def system(self) -> str:
        return STYLE

    def meaning(self, view: View, call: int) -> Meaning:
        return self.policy.meaning(view, call)

    def bid(self, view: View) -> Decision:
        started = now()
        chances = self.policy.probabilities(view).astype(float)
        calls = candidates(chances, self)
        if len(calls) < 2:
            alone = (Candidate(CALLS[calls[0]], 0.0),)
            return self._decision(view, calls[0], alone, Remark.NO_DOUBT, 0, started)
        belief = network(self.belief, "belief", self.threads) if self.belief else None
        ours, theirs = system_number(view.systems.ours), system_number(view.systems.theirs)
        net = self.policy.network
        sides = NetworkCaller(net, ours, theirs), NetworkCaller(net, theirs, ours)
        found = search(
            view, calls, self, beliefs=card_beliefs(view, belief),
            callers=[sides[(seat - view.seat) % 2] for seat in range(4)],
            utility=Utility(self.tricks, self.scoring, self.threads),
            rng=np.random.default_rng(view.seed),
        )  # fmt: skip
        race = found.race
        shown = tuple(
            Candidate(CALLS[call], value, error, f"policy {100 * chances[call]:.0f} %")
            for place, call in enumerate(calls)
            for value, error in [race.mean(place) or (None, None)]
        )  # fmt: skip
        reason = BestMean(race.used) if found.enough else TooFewWorlds(race.used)
        return self._decision(view, found.call, shown, reason, race.used, started)

    def _decision(
        self,
        view: View,
        call: int,
        shown: tuple[Candidate, ...],
        reason: Reason,
        worlds: int,
        started: float,
    ) -> Decision:
        return Decision(
            CALLS[call],
            self.meaning(view, call),
            candidates=tuple(sorted(shown, key=lambda one: -(one.value or 0.0))),
            reasons=(reason,),
            worlds=worlds,
            seed=view.seed,
            milliseconds=1000 * (now() - started),
            engine=self.name,
        )
