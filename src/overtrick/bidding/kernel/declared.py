"""The caller that fits what a side has declared to play.

A network that imitates many players is told the system by its flag; a system of our library is
played by its rules as well. Which of the two a side resembles nobody declares, so both count. A
stranger who plays a system resembles other strangers more than our own reading of the book, so the
network counts for more, and it is what the walk follows.
"""

from __future__ import annotations

from typing import Final

from overtrick.bidding.kernel.callers import (
    Caller,
    Mixture,
    NetworkCaller,
    RulesCaller,
)
from overtrick.nets.features import system_number
from overtrick.nets.inference import models, network

IMITATION: Final = "sl"  # the network that imitates players of the systems it knows
_STRANGER: Final = 0.6  # how likely a side that declares a system bids like the imitation


def declared_caller(
    system: str, others: str, imitation: str = IMITATION, threads: int = 1
) -> Caller | None:
    """A side that declared `system`, against a side that declared `others`; None if it declared
    nothing that we know."""
    if not system:
        return None
    # Loaded when somebody has declared something: most of a start is reading the rules' language.
    from overtrick.bidding.rules import reading_of
    from overtrick.systems.system import declared

    system, others = declared(system) or system, declared(others) or others
    number = system_number(system)
    learned: Caller | None = None
    if number is not None and (imitation in models() or imitation.endswith(".onnx")):
        net = network(imitation, "policy", threads)
        learned = NetworkCaller(net, number, system_number(others))
    if not declared(system):
        return learned
    rules = RulesCaller(reading_of(system, declared(others)))
    return rules if learned is None else Mixture(((_STRANGER, learned), (1 - _STRANGER, rules)))
