"""Engines compared: duplicate matches, their statistics, storage, reports and scale-out.
Every strength figure of the project comes from here."""

from overtrick.arena.job import Match
from overtrick.arena.match import MatchProgress, play_match
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate, estimate

__all__ = [
    "Backend",
    "BoardResult",
    "Estimate",
    "Match",
    "MatchProgress",
    "RoomResult",
    "estimate",
    "play_match",
    "run_jobs",
]
