"""The deals of one decision, drawn in batches: by belief, weighted by how their players would have
bid.

By importance, the hands of the seat that said most are drawn and asked whether they bid like that;
from those that do, in proportion, the other two hands are drawn and asked in turn. What a batch
teaches serves the next: which calls tell most, and how many proposals make as many worlds as are
wanted. That depends on the view alone, so the same view still draws the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.constants import IMAGINED_FEWEST, IMAGINED_ROOM, IMAGINED_WALKED
from overtrick.bidding.kernel import AuctionPosition, Caller, Likelihood, Worlds
from overtrick.game import View
from overtrick.worlds.believing import by_belief
from overtrick.worlds.tellers import holding, teller_first
from overtrick.worlds.weighted import effective, systematic
from overtrick.worlds.witness import asked_also

Weighting = Literal["importance", "rejection", "none"]
Floats = NDArray[np.float64]


@dataclass(slots=True)
class Imagined:
    """Worlds for one view; every `draw` is a new batch."""

    view: View
    beliefs: Floats
    callers: Sequence[Caller]
    rng: Generator
    proposals: int
    worlds: int
    doubt: float
    weighting: Weighting = "importance"
    _tellers: int = field(init=False)  # hands proposed for the seat that said most …
    _others: int = field(init=False)  # … and deals made from those that bid like it
    _order: list[int] = field(init=False)
    _likelihood: Likelihood = field(init=False)

    def __post_init__(self) -> None:
        self._tellers = self._others = self.proposals
        self._order = telling_order(self.view)
        self._likelihood = Likelihood(self.callers, AuctionPosition.of(self.view), self.doubt)

    def batch(self) -> Worlds:
        """A batch as it is walked: few worlds, and fewer where they are worth little."""
        drawn = self.draw()
        worth = effective(drawn.logs[np.isfinite(drawn.logs)])
        wanted = max(ceil(IMAGINED_WALKED * worth), ceil(self.worlds / 3))
        return drawn.fewer(min(wanted, self.worlds), self.rng)

    def draw(self) -> Worlds:
        """All worlds of a batch, with the logs of how much each world counts."""
        return self._weighed() if self.weighting == "importance" else self._plain()

    def _weighed(self) -> Worlds:
        first, second, last = self._order
        hands = by_belief(self.view.seat, self.beliefs, self._order, self.rng)

        def judge(seat: int, now: Worlds) -> Worlds:
            if seat == first:
                logs = self._likelihood(now.deals, np.zeros(len(now)), [seat], 2 * self.worlds)
                self._tellers = self._enough(len(now), effective(logs))
                # In proportion to the likelihood, which has no place in the weight any more.
                weights = np.exp(logs - logs.max())
                return now.taken(systematic(weights, self._others, self.rng))
            if seat == last:
                logs = now.logs + self._likelihood(now.deals, now.logs, [second, last], self.worlds)
                self._others = self._enough(len(now), effective(logs))
                return asked_also(self.view, Worlds(now.deals, logs))
            return now

        start = holding(self.view.seat, self.view.hand.bits, self._tellers)
        return teller_first(start, self._order, hands, judge)

    def _enough(self, drawn: int, worth: float) -> int:
        """How many to propose so that they are worth what is wanted."""
        wanted = ceil(IMAGINED_ROOM * self.worlds * drawn / max(worth, 1.0))
        return min(max(wanted, self.worlds, ceil(IMAGINED_FEWEST * self.proposals)), self.proposals)

    def _plain(self) -> Worlds:
        """All as likely as they were drawn; with `rejection`, the paper's filter: a world stays
        with the probability of its auction."""
        hands = by_belief(self.view.seat, self.beliefs, self._order, self.rng)
        start = holding(self.view.seat, self.view.hand.bits, self.proposals)
        drawn = teller_first(start, self._order, hands, lambda _, now: now)
        even = np.zeros(len(drawn))
        if self.weighting == "none":
            return asked_also(self.view, Worlds(drawn.deals, even))
        logs = self._likelihood(drawn.deals, even, sorted(self._order), self.worlds)
        stays = np.log(self.rng.random(len(logs))) < logs
        return asked_also(self.view, Worlds(drawn.deals, np.where(stays, 0.0, -np.inf)))


def telling_order(view: View) -> list[int]:
    """The hidden seats, the one that has said most first: bids and doubles, partner's first."""
    said = {int(view.seat.plus(2)): 0.5, int(view.seat.plus(1)): 0.0, int(view.seat.plus(3)): 0.0}
    for turn, call in enumerate(view.auction.calls):
        seat = int(view.dealer.plus(turn))
        if seat in said:
            said[seat] += 1.0 if int(call) else 0.2
    first = max(said, key=lambda seat: said[seat])
    return [first, *(int(view.seat.plus(s)) for s in (1, 2, 3) if view.seat.plus(s) != first)]
