"""The partner: judgement, learned and searched, inside a written system."""

from overtrick.bidding.partner.engine import Partner

__all__ = ["Partner"]
