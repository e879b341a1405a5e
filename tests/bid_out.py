"""Whole deals bid by the rules of one system, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from overtrick.bidding.kernel import AuctionPosition, RulesCaller, SeatHands, Walk
from overtrick.systems import Reading
from overtrick.systems.many import Pool


def bid_out(
    reading: Reading, pools: Sequence[Pool], vul: int = 0
) -> list[tuple[tuple[int, ...], int]]:
    """Every final auction with the set of deals that reach it; the first pool is the dealer's."""
    held = SeatHands(np.stack([pool.hands.bits for pool in pools], axis=1))
    walk = Walk(held, [RulesCaller(reading)] * 4)
    ends = walk.endings([(AuctionPosition((), 0, vul), held.every)])
    return [(e.at.calls, e.worlds) for e in ends]
