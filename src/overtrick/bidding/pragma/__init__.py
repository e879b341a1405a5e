"""PRAGMA: R-deals, contract nets, and knowledge sources in order of cost."""

from overtrick.bidding.pragma.engine import Pragma

__all__ = ["Pragma"]
