"""Engines that bid; `bidder("name(option=…)")` makes one.
Engines here never import card players."""

from overtrick.bidding.base import BIDDERS, Bidder, bid_board, bidder, check_bidder

__all__ = ["BIDDERS", "Bidder", "bid_board", "bidder", "check_bidder"]
