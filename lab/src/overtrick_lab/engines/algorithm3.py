"""Algorithm 3 of Qiu et al. 2024 as it is printed, as the bidder `algorithm3`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from overtrick.bidding.kernel import NetworkCaller, Utility, estimate_of, system_number
from overtrick.bidding.kernel.leaves import Scoring
from overtrick.bidding.policy import STYLE, Policy
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import CALLS, Candidate, Decision, Meaning, View
from overtrick.game.reasons import BestMean, Reason, Remark, TooFewWorlds
from overtrick.nets.belief import card_beliefs
from overtrick.nets.inference import network
from overtrick_lab.papers.qiu2024.printed import PublishedSettings, candidates, search


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
            Candidate(CALLS[call], *(race.mean(place) or (None, None)),
                      f"policy {100 * chances[call]:.0f} %")
            for place, call in enumerate(calls)
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
