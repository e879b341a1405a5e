"""Engines that bid; `bidder("name(option=…)")` makes one. They never import card players."""

from overtrick.bidding.base import (
    BIDDERS,
    Bidder,
    Explaining,
    Illustrating,
    bid_board,
    bidder,
    check_bidder,
    meaning_of,
    usual_bidder,
)

__all__ = [
    "BIDDERS", "Bidder", "Explaining", "Illustrating", "bid_board", "bidder", "check_bidder",
    "meaning_of", "usual_bidder",
]  # fmt: skip
