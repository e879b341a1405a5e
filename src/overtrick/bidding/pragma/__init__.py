"""PRAGMA (seed 004): R-deals, contract nets, and knowledge sources in order of cost.
Used at tables and in matches as `pragma(system=…, seconds=…)`."""

from overtrick.bidding.pragma.engine import Pragma

__all__ = ["Pragma"]
