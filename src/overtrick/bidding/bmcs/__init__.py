"""Belief Monte Carlo search: the policy's best calls, tried on deals the auction makes likely."""

from overtrick.bidding.bmcs.engine import Bmcs

__all__ = ["Bmcs"]
