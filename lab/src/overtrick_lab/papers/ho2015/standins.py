"""Any bidder under the paper's protocol: partner and silent opponents, cost in IMPs per deal.

The paper compares its trees with WBridge5, which cannot be had here; our engines stand in for it.
East and West get random cards, which no bidder sees, and pass.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.bidding import bid_board, bidder
from overtrick.game import Board, Deal, Seat, Vulnerability
from overtrick_lab.training.uncontested.deals import Pairs
from overtrick_lab.uncontested.census import hand_of

ENGINES: Final = ("points", "rules", "policy", "bandit", "penetrative", "relay")


def costs(engine: str, pairs: Pairs, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Cost of the contract that an engine reaches on every pair."""
    ours, silent = bidder(engine), bidder("pass")
    found = []
    for opener, responder, vector in zip(pairs.opener, pairs.responder, pairs.costs, strict=True):
        rest = rng.permutation(np.flatnonzero(opener + responder == 0))
        east = np.zeros(52, dtype=np.uint8)
        east[rest[:13]] = 1
        hands = (opener, east, responder, 1 - opener - responder - east)
        north, east_, south, west = (hand_of(h) for h in hands)
        deal = Deal((north, east_, south, west))
        board = Board(1, Seat.NORTH, Vulnerability.NONE, deal)
        contract = bid_board(board, [ours, silent, ours, silent])[0].contract
        index = 0 if contract is None else 1 + 5 * (contract.level - 1) + int(contract.strain)
        found.append(vector[index])
    return np.array(found, np.float64)
