"""Belief Monte Carlo search: the policy's best calls, tried on deals the auction makes likely.
Used at tables as `bmcs(seconds=1)`; seed 001 section V with importance weights and neural tricks.

    candidates   the policy's top k calls above p_min
    worlds       deals drawn from the belief network, weighted by how the policy would have bid them
    rollouts     after each candidate all four seats follow the policy to the end of the auction
    values       IMPs against the policy's own choice in the same world, tricks by network or solver
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from time import perf_counter
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.policy import Policy
from overtrick.bidding.proposal import Proposal, propose
from overtrick.bidding.values import expected_imps, trick_chances
from overtrick.game import CALLS, Candidate, Decision, OptionError, View
from overtrick.nets.auctions import Auctions
from overtrick.nets.features import hand_bits, observe, public_bits
from overtrick.nets.inference import Network, network

Weighting = Literal["importance", "rejection", "none"]
Floats = NDArray[np.float64]
_LONGEST: Final = 60  # calls of one rollout, far beyond any real auction


@dataclass(frozen=True, slots=True)
class Bmcs:
    """The searching bidder; the paper's names in capitals where it has them.

    Its ablations: `belief=""` draws worlds uniformly (RL-MCS), `weighting="none"` drops the
    filter, `weighting="rejection"` is the paper's own filter, `tricks="dd"` solves every leaf.
    """

    net: str = "policy"
    belief: str = "belief"
    tricks: str = "tricks"
    weighting: Weighting = "importance"
    seconds: float = 1.0  # no new batch of worlds begins when it could end after this
    k: int = 4  # at most so many candidate calls
    p_min: float = 0.02  # calls less probable than this are not considered
    sure: float = 0.97  # a call more probable than this needs no search
    proposals: int = 1500  # P_MAX: deals drawn in a batch
    worlds: int = 200  # R_MAX: deals rolled out in a batch
    r_min: float = 25.0  # R_MIN: effective worlds below which the policy decides
    margin: float = 1.5  # standard errors by which a call must beat the policy's
    doubt: float = 0.01  # how often a player is thought to do something else entirely
    disclose: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.weighting not in ("importance", "rejection", "none"):
            raise OptionError(f"bmcs weighs by importance, rejection or none, not {self.weighting}")
        if self.seconds <= 0 or self.worlds < 1 or self.proposals < self.worlds:
            raise OptionError("bmcs needs seconds > 0 and at least as many proposals as worlds ≥ 1")

    @property
    def name(self) -> str:
        shown = []
        for field, default in _DEFAULTS.items():
            value = getattr(self, field)
            if value != default:
                shown.append(f"{field}={value!r}" if value == "" else f"{field}={value}")
        return f"bmcs({', '.join(shown)})" if shown else "bmcs"

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
            return self._decision(view, first, [Candidate(CALLS[first], 0.0)], started, why="sure")
        search = _Search(self, policy.network, view, candidates)
        search.run(started + self.seconds)
        call, why = search.choice()
        shown = [
            Candidate(
                CALLS[c],
                search.mean[i],
                search.error[i],
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
        search: _Search | None = None,
    ) -> Decision:
        if why == "sure":
            why = "the policy has no doubt"
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


class _Search:
    """One decision: draws worlds, weighs them, rolls the candidates out, keeps the sums."""

    def __init__(self, engine: Bmcs, net: Network, view: View, candidates: list[int]) -> None:
        self.engine = engine
        self.net = net
        self.view = view
        self.candidates = candidates
        self.rng = np.random.default_rng(view.seed)
        self.values: list[Floats] = []  # per batch [worlds, candidates]
        self.weights: list[Floats] = []
        self.worlds: list[NDArray[np.uint64]] = []
        self.mean = [0.0] * len(candidates)
        self.error = [0.0] * len(candidates)
        self.effective = 0.0
        self.used = 0

    def run(self, deadline: float) -> None:
        """One batch, then more while the time lasts and the answer is still open."""
        batch_seconds = 0.0
        for _ in range(4):
            began = perf_counter()
            if self.values and began + batch_seconds > deadline:
                break
            self._batch()
            self._summarise()
            batch_seconds = perf_counter() - began
            if self.effective >= self.engine.r_min and self._clear():
                break

    def _batch(self) -> None:
        engine, view = self.engine, self.view
        belief = network(engine.belief, "belief", engine.threads) if engine.belief else None
        drawn = propose(view, belief, engine.proposals, self.rng)
        weight = self._weigh(drawn)
        keep, weight = _resample(weight, engine.worlds, self.rng)
        if len(keep) == 0:
            return
        hands = drawn.hands[keep]
        self.values.append(self._roll_out(hands))
        self.weights.append(weight)
        self.worlds.append(hands)

    def _weigh(self, drawn: Proposal) -> Floats:
        """How likely the auction is in each world, over how likely the world was drawn."""
        engine, view = self.engine, self.view
        if engine.weighting == "none":
            return np.ones(len(drawn.hands))
        calls = [int(c) for c in view.auction.calls]
        log_likely = np.zeros(len(drawn.hands))
        for turn, call in enumerate(calls):
            seat = view.dealer.plus(turn)
            if seat == view.seat:
                continue
            public = public_bits(calls[:turn], view.dealer, view.vul, seat)
            rows = observe(drawn.hands[:, seat], public)
            chance = self.net.call_probabilities(rows)[:, call].astype(float)
            log_likely += np.log((1 - engine.doubt) * chance + engine.doubt / 38)
        if engine.weighting == "rejection":
            accepted = np.log(self.rng.random(len(log_likely))) < log_likely
            return accepted.astype(float)
        log_weight = log_likely - drawn.log_density
        found: Floats = np.exp(log_weight - log_weight.max())
        return found

    def _roll_out(self, hands: NDArray[np.uint64]) -> Floats:
        """Expected IMPs of every candidate against the first one, world by world."""
        count, ways = len(hands), len(self.candidates)
        auctions = Auctions(self.view.auction, self.view.vul, count * ways)
        everyone = np.repeat(hands, ways, axis=0)
        auctions.call(np.tile(np.array(self.candidates), count))
        for _ in range(_LONGEST):
            live = np.flatnonzero(~auctions.done)
            if len(live) == 0:
                break
            cards = hand_bits(everyone[live, auctions.turn])
            rows = np.concatenate([auctions.public(live), cards], axis=1)
            calls = np.zeros(len(everyone), dtype=np.int64)
            calls[live] = self.net.call_probabilities(rows).argmax(axis=1)
            auctions.call(calls)
        bids, declarers, doubled = (x.reshape(count, ways) for x in auctions.contracts())
        chances = trick_chances(self.engine.tricks, hands, bids, declarers, self.engine.threads)
        return expected_imps(
            chances, bids, declarers, doubled, vul=self.view.vul, side=self.view.seat & 1
        )

    def _summarise(self) -> None:
        if not self.values:
            return
        values = np.concatenate(self.values)
        weights = np.concatenate(self.weights)
        weights = weights / weights.sum()
        self.used = len(values)
        self.effective = float(1 / (weights**2).sum())
        mean = weights @ values
        spread = weights[:, None] ** 2 * (values - mean) ** 2
        self.mean = [float(m) for m in mean]
        self.error = [float(e) for e in np.sqrt(spread.sum(axis=0))]

    def _clear(self) -> bool:
        """Is the best candidate, or the policy's own, ahead beyond doubt?"""
        best = int(np.argmax(self.mean))
        others = [i for i in range(len(self.mean)) if i != best]
        return all(
            self.mean[best] - self.mean[i] > 3 * max(self.error[best], self.error[i], 1e-9)
            for i in others
        )

    def choice(self) -> tuple[int, str]:
        """The call, and why: the search overrides the policy only with enough evidence."""
        first = self.candidates[0]
        if self.effective < self.engine.r_min:
            return first, f"only {self.effective:.0f} effective worlds: the policy decides"
        best = int(np.argmax(self.mean))
        if best == 0:
            return first, f"search agrees with the policy in {self.used} worlds"
        gain, error = self.mean[best], self.error[best]
        if gain <= self.engine.margin * error:
            return first, f"{CALLS[self.candidates[best]]} gains only {gain:.2f} ± {error:.2f} IMPs"
        return self.candidates[best], (
            f"gains {gain:.2f} ± {error:.2f} IMPs over {CALLS[first]} in {self.used} worlds"
        )

    def details(self) -> dict[str, object]:
        return {
            "effective_worlds": self.effective,
            "worlds": np.concatenate(self.worlds) if self.worlds else None,
            "weights": np.concatenate(self.weights) if self.weights else None,
        }


def _resample(
    weight: Floats, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """At most `most` worlds: heavy ones are kept with their weight, light ones drawn fairly.

    Systematic thinning keeps the estimate unbiased: a world of weight w survives with probability
    min(1, w / t) and then weighs max(w, t), where t is chosen so that `most` are expected.
    """
    alive = np.flatnonzero(weight > 0)
    if len(alive) <= most:
        return alive, weight[alive]
    w = weight[alive]
    threshold = _threshold(w, most)
    survive = rng.random(len(w)) < w / threshold
    return alive[survive], np.maximum(w[survive], threshold)


def _threshold(weights: Floats, most: int) -> float:
    """t with Σ min(1, w / t) = most."""
    order = np.sort(weights)[::-1]
    rest = order.sum() - np.cumsum(order)
    for kept in range(most):
        # With the `kept` heaviest certain, the others share most - kept places.
        tail = rest[kept - 1] if kept else order.sum()
        threshold = tail / (most - kept)
        if order[kept] <= threshold:
            return float(threshold)
    return float(order[most - 1])


_DEFAULTS: Final = {f.name: f.default for f in fields(Bmcs)}
