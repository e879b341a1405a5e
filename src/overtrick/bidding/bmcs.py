"""Belief Monte Carlo search: the policy's best calls, tried on deals the auction makes likely.
Used at tables as `bmcs(seconds=1)`; seed 001 section V with importance weights and neural tricks.

    candidates   the policy's top k calls above p_min
    worlds       deals drawn from the belief network, weighted by how the policy would have bid them
    rollouts     after each candidate all four seats follow the policy to the end of the auction
    values       IMPs against the policy's own choice in the same world, tricks by network or solver
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np

from overtrick.bidding.policy import Policy
from overtrick.bidding.search import Search
from overtrick.engines import spelled
from overtrick.game import CALLS, Candidate, Decision, OptionError, View
from overtrick.nets.inference import network

Weighting = Literal["importance", "rejection", "none"]


@dataclass(frozen=True, slots=True)
class Bmcs:
    """The learned policy with search: doubtful calls are bid out over deals the auction allows.

    Its ablations: `belief=""` draws worlds uniformly (RL-MCS), `weighting="none"` drops the
    filter, `weighting="rejection"` is the paper's own filter, `tricks="dd"` solves every leaf.
    The work is fixed by `batches`, so the same view gives the same call, unless `seconds` cuts it.
    """

    net: str = "policy"
    belief: str = "belief"
    tricks: str = "tricks"
    weighting: Weighting | None = "importance"
    seconds: float = 2.0  # no new batch of worlds begins when it could end after this
    batches: int = 6  # at most so many; fewer when the answer is clear
    k: int = 4  # at most so many candidate calls
    p_min: float = 0.002  # calls less probable than this are not considered
    sure: float = 0.995  # a call more probable than this needs no search
    proposals: int = 800  # P_MAX: deals drawn in a batch
    worlds: int = 120  # R_MAX: deals rolled out in a batch
    r_min: float = 8.0  # R_MIN: effective worlds below which the policy decides
    margin: float = 1.0  # standard errors by which a call must beat the policy's …
    improbable: float = 1.0  # … and so many times that more for each factor 10 of improbability
    least: float = 0.1  # IMPs by which it must beat it in any case
    doubt: float = 0.01  # how often a player is thought to do something else entirely
    disclose: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.weighting is None:  # how `weighting=none` arrives from a command line
            object.__setattr__(self, "weighting", "none")
        if self.weighting not in ("importance", "rejection", "none"):
            raise OptionError(f"bmcs weighs by importance, rejection or none, not {self.weighting}")
        if self.seconds <= 0 or self.worlds < 1 or self.proposals < self.worlds:
            raise OptionError("bmcs needs seconds > 0 and at least as many proposals as worlds ≥ 1")
        if self.batches < 1 or self.k < 1 or not 0 <= self.doubt < 1:
            raise OptionError("bmcs needs batches ≥ 1, k ≥ 1 and doubt from 0 to below 1")
        self.policy  # noqa: B018  (fail now, not at the table, when a network is missing)
        if self.belief:
            network(self.belief, "belief", self.threads)
        if self.tricks != "dd":
            network(self.tricks, "tricks", self.threads)

    @property
    def name(self) -> str:
        return spelled("bmcs", self)

    @property
    def system(self) -> str:
        return self.policy.system

    @property
    def policy(self) -> Policy:
        return Policy(self.net, self.disclose, self.threads)

    def bid(self, view: View) -> Decision:
        started = perf_counter()
        policy = self.policy
        chances = policy.probabilities(view).astype(float)
        order = np.argsort(-chances, kind="stable")
        candidates = [int(c) for c in order[: self.k] if chances[c] >= self.p_min]
        first = int(order[0])
        if len(candidates) < 2 or chances[first] >= self.sure:
            alone = [Candidate(CALLS[first], 0.0)]
            return self._decision(view, first, alone, started, why="the policy has no doubt")
        search = Search(self, policy.network, view, candidates, chances[candidates])
        search.run(started + self.seconds)
        call, why = search.choice()
        shown = [
            Candidate(
                CALLS[c],
                search.mean[i] if search.used else None,
                search.error[i] if search.used else None,
                f"policy {100 * chances[c]:.0f} %",
                {"probability": float(chances[c])},
            )
            for i, c in enumerate(candidates)
        ]
        shown.sort(key=lambda c: -(c.value or 0.0))
        return self._decision(view, call, shown, started, why=why, search=search)

    def _decision(
        self,
        view: View,
        call: int,
        candidates: list[Candidate],
        started: float,
        *,
        why: str,
        search: Search | None = None,
    ) -> Decision:
        return Decision(
            CALLS[call],
            self.policy.meaning(view, call),
            candidates=tuple(candidates),
            why=why,
            worlds=search.used if search else 0,
            seed=view.seed,
            milliseconds=1000 * (perf_counter() - started),
            engine=self.name,
            details=search.details() if search else {},
        )
