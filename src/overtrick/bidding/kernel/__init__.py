"""The decision kernel: weighted worlds, callers, one auction walk, leaves, and a race of calls.

A searching bidder names its parts: its candidate calls, the worlds it imagines, a caller for each
seat, the leaves that say what contracts are worth, and the margins a call must win by. How to build
one is in docs/howto/searching_bidder.md.
"""

from overtrick.bidding.kernel.callers import (
    Caller,
    CallerMixture,
    Likelihood,
    NetworkCaller,
    Passing,
    RulesCaller,
    SeatHands,
    choose_likeliest,
    log_likelihood,
)
from overtrick.bidding.kernel.leaves import Contracts, Leaves, Utility, estimate_of, utility_of
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.kernel.race import Few, Margin, Race, RaceVerdict, run
from overtrick.bidding.kernel.walk import AuctionEnding, LaterTurns, Walk, contracts_of
from overtrick.engines.clock import Clock, OutOfTime
from overtrick.nets.features import system_number
from overtrick.worlds.weighted import Worlds

__all__ = [
    "AuctionEnding",
    "AuctionPosition",
    "Caller",
    "CallerMixture",
    "Clock",
    "Contracts",
    "Few",
    "LaterTurns",
    "Leaves",
    "Likelihood",
    "Margin",
    "NetworkCaller",
    "OutOfTime",
    "Passing",
    "Race",
    "RaceVerdict",
    "RulesCaller",
    "SeatHands",
    "Utility",
    "Walk",
    "Worlds",
    "choose_likeliest",
    "contracts_of",
    "estimate_of",
    "log_likelihood",
    "run",
    "system_number",
    "utility_of",
]  # fmt: skip
