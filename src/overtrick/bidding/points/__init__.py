"""Two honest baselines for the auction: always pass, and a few natural rules about points."""

from overtrick.bidding.points.engine import AlwaysPass, Points, fits

__all__ = ["AlwaysPass", "Points", "fits"]
