"""A judging player who keeps to the agreement: a network's likings among what a system allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionPosition, NetworkCaller, SeatHands
from overtrick.bidding.kernel.callers import Floats, Hands, Node, Split
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
