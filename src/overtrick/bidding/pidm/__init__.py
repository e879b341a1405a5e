"""PIDM (seed 000): decisions under partial information by sampling and simulated players.
Used at tables as `pidm(system=two-over-one, seconds=0.5)`; `engine` is the bidder."""

from overtrick.bidding.pidm.engine import Pidm
from overtrick.bidding.pidm.sampling import consistent_worlds

__all__ = ["Pidm", "consistent_worlds"]
