"""One decision of belief search: draw worlds, weigh them, roll the candidates out, keep the sums.
Used by bmcs; the steps are those of seed 001's Algorithms 3 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.likelihood import log_likelihood, most_told
from overtrick.bidding.policy import seen_systems
from overtrick.bidding.proposal import Proposal, card_beliefs, first_hands, other_hands
from overtrick.bidding.values import expected_imps, trick_chances
from overtrick.evaluation import HandArray, feature
from overtrick.game import CALLS, View
from overtrick.nets.auctions import Auctions
from overtrick.nets.features import SYSTEMS_WIDTH, hand_bits
from overtrick.nets.inference import Network, network

if TYPE_CHECKING:
    from overtrick.bidding.bmcs import Bmcs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_HOPE: Final = 1.5  # standard errors within which a candidate may still turn out better
_LONGEST: Final = 60  # calls of one rollout, far beyond any real auction


class Search:
    """The worlds of one decision and what the candidates are worth in them.

    `mean` and `error` are IMPs against the first candidate, the policy's own call.
    """

    def __init__(
        self,
        engine: Bmcs,
        net: Network,
        view: View,
        candidates: list[int],
        chances: Floats | None = None,
    ) -> None:
        self.engine = engine
        self.net = net
        self.view = view
        self.candidates = candidates
        self.rng = np.random.default_rng(view.seed)
        belief = network(engine.belief, "belief", engine.threads) if engine.belief else None
        self.beliefs = card_beliefs(view, belief)
        even = np.ones(len(candidates))
        improbable = np.log10(even if chances is None else chances[0] / chances)
        self.margins = engine.margin * (1 + engine.improbable * np.maximum(improbable, 0))
        self.open = list(range(len(candidates)))  # those that may still turn out best
        self.values: list[Floats] = []  # per batch [worlds, open candidates]
        self.weights: list[Floats] = []
        self.worlds: list[NDArray[np.uint64]] = []
        self.mean = [0.0] * len(candidates)
        self.error = [0.0] * len(candidates)
        self.effective = 0.0
        self.used = 0
        self.batches = 0

    def run(self, deadline: float) -> None:
        """One batch, then more while the answer is open and the time lasts."""
        batch_seconds = 0.0
        for _ in range(self.engine.batches):
            began = perf_counter()
            if self.batches and began + batch_seconds > deadline:
                break
            self._batch()
            self._summarise()
            batch_seconds = perf_counter() - began
            if self.effective >= self.engine.r_min and self._clear():
                break

    def _batch(self) -> None:
        self.batches += 1
        drawn, log_weight = self._weighed()
        if not np.isfinite(log_weight).any():
            return
        keep, log_weight = _resample(log_weight, self.engine.worlds, self.rng)
        if not len(keep):  # with room for one or two worlds, the draw may leave none
            return
        hands = drawn.hands[keep]
        self.values.append(self._roll_out(hands))
        self.weights.append(log_weight)
        self.worlds.append(hands)

    def _weighed(self) -> tuple[Proposal, Floats]:
        """Worlds, and log of how likely the auction is in each over how likely it was drawn.

        By importance: hands of the seat that said most are drawn and asked whether they bid like
        that; from those that do, in proportion, the other two hands are drawn and asked in turn.
        """
        engine, view = self.engine, self.view
        step, rng = most_told(view), self.rng
        drawn = first_hands(view, self.beliefs, step, engine.proposals, rng)
        if engine.weighting != "importance":
            drawn = other_hands(view, self.beliefs, step, drawn, rng)
            return drawn, self._filter(drawn)
        told = [(view.seat + step) % 4]
        others = [(view.seat + s) % 4 for s in (1, 2, 3) if s != step]
        nothing = np.zeros(len(drawn.hands))
        likely = self._likely(drawn, nothing, told, 2 * engine.worlds)
        chosen = _systematic(likely, engine.proposals, rng)
        # Drawn in proportion to the likelihood, so that it has no place in the weight any more.
        drawn = other_hands(view, self.beliefs, step, drawn.taken(chosen), rng)
        prior = -drawn.log_density
        return drawn, prior + self._likely(drawn, prior, others, engine.worlds)

    def _likely(self, drawn: Proposal, prior: Floats, seats: list[int], least: int) -> Floats:
        return log_likelihood(
            self.net, self.view, drawn.hands, prior,
            seats=seats, doubt=self.engine.doubt, least=least,
        )  # fmt: skip

    def _filter(self, drawn: Proposal) -> Floats:
        """The paper's filter: a world stays with the probability of its auction, or always."""
        even = np.zeros(len(drawn.hands))
        if self.engine.weighting == "none":
            return even
        hidden = [(self.view.seat + s) % 4 for s in (1, 2, 3)]
        likely = self._likely(drawn, even, hidden, self.engine.worlds)
        return np.where(np.log(self.rng.random(len(likely))) < likely, 0.0, -np.inf)

    def _roll_out(self, hands: NDArray[np.uint64]) -> Floats:
        """Expected IMPs of every open candidate against the first one, world by world."""
        calls = [self.candidates[i] for i in self.open]
        bids, declarers, doubled = contracts_after(self.net, self.view, hands, calls)
        chances = trick_chances(self.engine.tricks, hands, bids, declarers, self.engine.threads)
        return expected_imps(
            chances, bids, declarers, doubled, vul=self.view.vul, side=self.view.seat & 1
        )

    def _summarise(self) -> None:
        if not self.values:
            return
        values = np.concatenate(self.values)
        weights = self._shares()
        self.used = len(values)
        self.effective = float(1 / (weights**2).sum())
        mean = weights @ values
        spread = weights[:, None] ** 2 * (values - mean) ** 2
        for place, number in enumerate(self.open):
            self.mean[number] = float(mean[place])
            self.error[number] = float(np.sqrt(spread[:, place].sum()))

    def _shares(self) -> Floats:
        """The worlds' weights, sum 1."""
        logs = np.concatenate(self.weights)
        weights: Floats = np.exp(logs - logs.max())
        weights /= weights.sum()
        return weights

    def _needed(self, number: int) -> float:
        """What a candidate must gain before it overrules the policy."""
        return max(float(self.margins[number]) * self.error[number], self.engine.least)

    def _clear(self) -> bool:
        """Is it settled? Candidates that cannot win any more are not rolled out again."""
        can = [0] + [
            i
            for i in self.open[1:]
            if self.mean[i] + _HOPE * self.error[i] > max(self.engine.least, *self._floors(i))
        ]
        columns = [self.open.index(i) for i in can]
        self.values = [values[:, columns] for values in self.values]
        self.open = can
        if len(can) == 1:
            return True
        return len(can) == 2 and self.mean[can[1]] > self._needed(can[1]) + self.error[can[1]]

    def _floors(self, number: int) -> list[float]:
        """What the other candidates have for sure."""
        return [self.mean[i] - _HOPE * self.error[i] for i in self.open[1:] if i != number] or [0.0]

    def choice(self) -> tuple[int, str]:
        """The call, and why: the search overrules the policy only with enough evidence."""
        first = self.candidates[0]
        if self.effective < self.engine.r_min:
            return first, f"only {self.effective:.0f} effective worlds: the policy decides"
        best = int(np.argmax(self.mean))
        if best == 0:
            return first, f"search agrees with the policy in {self.used} worlds"
        better = [i for i in range(1, len(self.mean)) if self.mean[i] > self._needed(i)]
        gain, error = self.mean[best], self.error[best]
        if not better:
            return first, f"{CALLS[self.candidates[best]]} gains only {gain:.2f} ± {error:.2f} IMPs"
        best = max(better, key=lambda i: self.mean[i])
        gain, error = self.mean[best], self.error[best]
        return self.candidates[best], (
            f"gains {gain:.2f} ± {error:.2f} IMPs over {CALLS[first]} in {self.used} worlds"
        )

    def details(self) -> dict[str, object]:
        """For windows and logs: the worlds, their shares, what they say about each hidden hand."""
        if not self.worlds:
            return {"effective_worlds": 0.0, "batches": self.batches}
        worlds, shares = np.concatenate(self.worlds), self._shares()
        return {
            "effective_worlds": self.effective,
            "batches": self.batches,
            "worlds": worlds,
            "weights": shares,
            "belief": {
                seat: described(worlds[:, seat], shares)
                for seat in range(4)
                if seat != self.view.seat
            },
        }


def contracts_after(
    net: Network, view: View, hands: NDArray[np.uint64], candidates: Sequence[int]
) -> tuple[Ints, Ints, Ints]:
    """The contract each world [n, seat] reaches after each candidate, all four seats by policy.

    Bid (-1: passed out), declarer and doubling, each [n, candidates].
    """
    count, ways = len(hands), len(candidates)
    auctions = Auctions(view.auction, view.vul, count * ways)
    everyone = np.repeat(hands, ways, axis=0)
    cards = [hand_bits(everyone[:, seat]) for seat in range(4)]
    suffix = [seen_systems(net, view, seat) for seat in range(4)]
    auctions.call(np.tile(np.array(candidates), count))
    for _ in range(_LONGEST):
        live = np.flatnonzero(~auctions.done)
        if len(live) == 0:
            break
        parts = [auctions.public(live), cards[auctions.turn][live]]
        systems = suffix[auctions.turn]
        if systems is not None:
            parts.append(np.broadcast_to(systems, (len(live), SYSTEMS_WIDTH)))
        logits = net.run(np.concatenate(parts, axis=1))
        calls = np.zeros(len(everyone), dtype=np.int64)
        calls[live] = np.where(auctions.legal(live), logits, -np.inf).argmax(axis=1)
        auctions.call(calls)
    bids, declarers, doubled = (x.reshape(count, ways) for x in auctions.contracts())
    return bids, declarers, doubled


def described(hands: NDArray[np.uint64], shares: Floats) -> dict[str, Any]:
    """Expected HCP, the distribution of each suit's length, and who is likely to hold a card."""
    array = HandArray(hands)
    hcp = np.asarray(feature("HCP")(array), dtype=float)
    mean = float(shares @ hcp)
    cards = (hands[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    return {
        "hcp": mean,
        "hcp_deviation": float(np.sqrt(shares @ (hcp - mean) ** 2)),
        "lengths": [
            np.bincount(np.asarray(array.look("length", suit), np.int64), shares, 14).tolist()
            for suit in range(4)
        ],
        "cards": (shares @ cards.astype(float)).tolist(),
    }


def _systematic(logs: Floats, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """`count` places in proportion to exp(logs), with as little chance in it as possible."""
    weights = np.exp(logs - logs.max())
    edges = np.cumsum(weights / weights.sum())
    found = np.searchsorted(edges, (np.arange(count) + rng.random()) / count)
    return np.minimum(found, len(logs) - 1)


def _resample(
    log_weight: Floats, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """At most about `most` worlds: heavy ones keep their weight, light ones are drawn fairly.

    A world of weight w survives with probability min(1, w / t) and then weighs max(w, t), where t
    is chosen so that `most` are expected: the estimate stays unbiased.
    """
    alive = np.flatnonzero(np.isfinite(log_weight))
    logs = log_weight[alive]
    if len(alive) <= most:
        return alive, logs
    weights = np.exp(logs - logs.max())
    threshold = _threshold(weights, most)
    survive = rng.random(len(weights)) < weights / threshold
    return alive[survive], logs.max() + np.log(np.maximum(weights[survive], threshold))


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
