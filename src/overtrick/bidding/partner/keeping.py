"""A judging player who keeps to the agreement: a network's likings among what a system allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import PARTNER_RULES_OWN
from overtrick.bidding.kernel import AuctionPosition, NetworkCaller, SeatHands
from overtrick.bidding.kernel.callers import Floats, Hands, Node, Split, split
from overtrick.nets.features import legal_calls, observe, public_bits
from overtrick.nets.inference import softmax
from overtrick.systems import Reading
from overtrick.systems.allowed import allowed_sets
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import turned_vul
from overtrick.worlds.sets import as_mask


@dataclass(frozen=True, slots=True, eq=False)
class Keeping:
    """Hands make the calls whose meaning they have, those that the network likes more often. The
    network alone would also call what its system does not allow."""

    judging: NetworkCaller
    reading: Reading

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        net, suffix = self.judging.net, self.judging.suffix
        public = public_bits(at.calls, at.dealer, at.vul, at.turn)
        open_to = self._open(at, Pool(hands), legal_calls(public[None])[0])
        scores = net.run(observe(hands, public, suffix)) / self.judging.heat
        return np.asarray(softmax(np.where(open_to, scores, -np.inf)), np.float64)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return self.judging.choose(nodes, held)

    def _open(self, at: AuctionPosition, pool: Pool, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """[hands, 38]: the calls that each hand may make; all legal ones where no rule fits it."""
        found = np.zeros((len(pool), 38), bool)
        for call, hands in allowed_sets(self.reading, self._context(at), pool).items():
            found[:, call] = as_mask(hands, len(pool))
        found[~found.any(axis=1)] = True
        return found & legal

    def _context(self, at: AuctionPosition) -> Context:
        return self.reading.context(at.calls, turned_vul(at.vul, at.dealer), len(at.calls) & 1)


@dataclass(frozen=True, slots=True, eq=False)
class KeepingStrictly(Keeping):
    """Chooses, too, among the calls that the hand may make, as the partner does without a search.
    The network alone is a third of the work, and in the worlds of a search it is enough."""

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        node, world, scores = self.judging.scores(nodes, held)
        pool = held.pool(nodes[0][0].turn)
        liking = softmax(scores)
        for number, (at, worlds) in enumerate(nodes):
            here = np.flatnonzero(node == number)
            ctx, hands = self._context(at), world[here]
            for call, own in pool.by_call(self.reading, ctx, worlds).items():
                rows = here[as_mask(own, len(pool))[hands]]
                liking[rows, call] = np.maximum(liking[rows, call], PARTNER_RULES_OWN)
            legal = np.isfinite(scores[here[0]])
            liking[here] = np.where(self._open(at, pool, legal)[hands], liking[here], -1.0)
        return split(node, liking.argmax(axis=1), world, len(nodes), held)
