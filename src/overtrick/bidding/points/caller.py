"""The rules about points for many hands at once: a Caller for searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel.callers import Floats, Hands, Node, SeatHands, Split, choose_likeliest
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.points.natural import NaturalRule, rules
from overtrick.evaluation import HandArray, feature
from overtrick.game import CALLS, Auction, Seat


@dataclass(frozen=True, slots=True)
class PointsCaller:
    """Whoever bids by points, `overtrick.bidding.points`."""

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        auction = Auction(Seat(at.dealer), tuple(CALLS[c] for c in at.calls))
        found = rules(auction)
        every = HandArray(hands)
        fitting = np.stack([_fitting(every, rule) for rule in found])
        calls = np.array([int(rule.call) for rule in found])
        return np.asarray(np.eye(38)[calls[fitting.argmax(axis=0)]])

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return choose_likeliest(self, nodes, held)


def _fitting(hands: HandArray, rule: NaturalRule) -> NDArray[np.bool_]:
    """Which hands the rule's meaning describes."""
    low, high = rule.meaning.hcp
    hcp = feature("HCP")(hands)
    lengths = [hands.look("length", suit) for suit in range(4)]
    out = (hcp >= low) & (hcp <= high)
    for held, (least, most) in zip(lengths, rule.meaning.lengths, strict=True):
        out &= (held >= least) & (held <= most)
    if rule.balanced:
        out &= feature("BAL")(hands) == 0
    suit, rivals = rule.choice
    for other, tie in rivals:
        out &= (lengths[suit] >= lengths[other]) if tie else (lengths[suit] > lengths[other])
    return np.asarray(out)
