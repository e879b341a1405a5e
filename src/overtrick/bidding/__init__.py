"""Engines that bid; `bidder("name(option=…)")` makes one. They never import card players."""

from overtrick.bidding.base import (
    BIDDERS,
    Bidder,
    Explaining,
    bid_board,
    bidder,
    check_bidder,
    usual_bidder,
)

__all__ = [
    "BIDDERS", "Bidder", "Explaining", "bid_board", "bidder", "check_bidder", "usual_bidder",
]  # fmt: skip
