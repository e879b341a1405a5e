"""PIDM: decisions under partial information by sampling and simulated players."""

from overtrick.bidding.pidm.engine import Pidm

__all__ = ["Pidm"]
