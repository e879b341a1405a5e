"""A partner who takes calls at their word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionPosition, Caller, SeatHands
from overtrick.bidding.kernel.callers import Hands, Node, Split


@dataclass(frozen=True, slots=True, eq=False)
class Believing:
    """Hands are as likely as a player who judges would have bid them; what follows is bid by the
    written rules, which take every call for what it is agreed to show. A network that has seen
    departures would expect them, and so would make them look free."""

    judging: Caller
    believing: Caller

    def chances(self, at: AuctionPosition, hands: Hands) -> NDArray[np.float64]:
        return self.judging.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return self.believing.choose(nodes, held)
