"""The caller that fits what a side has declared to play.

A learned style is its own network. A network that imitates many players is told any other system by
its flag; a system of our library is played by its rules as well. Which of the two a side resembles
nobody declares, so both count. A stranger who plays a system resembles other strangers more than
our own reading of the book, so the network counts for more, and it is what the walk follows. Who
declares nothing is taken for a player of natural methods, as the imitation is when it is told none.
"""

from __future__ import annotations

from overtrick.bidding.constants import DECLARED_HEAT, DECLARED_STRANGER
from overtrick.bidding.kernel.callers import (
    Caller,
    CallerMixture,
    NetworkCaller,
    RulesCaller,
)
from overtrick.nets.features import system_number
from overtrick.nets.inference import models, network
from overtrick.nets.styles import IMITATION, LEARNED, PLAYED_BY

"""How much less sure than its network a player of the learned style is, who may search or not."""


def declared_caller(
    system: str, others: str, imitation: str = IMITATION, threads: int = 1
) -> Caller | None:
    """A side that declared `system`, against a side that declared `others`; None where no network
    can stand in for a side that declared nothing we know."""
    if system == LEARNED:
        return _network_caller(PLAYED_BY, system, others, threads, DECLARED_HEAT)
    if not system:
        return _network_caller(imitation, system, others, threads)
    # Loaded when somebody has declared something: most of a start is reading the rules' language.
    from overtrick.bidding.rules import reading_of
    from overtrick.systems.system import declared

    book, others = declared(system), declared(others) or others
    learned = _network_caller(imitation, book or system, others, threads)
    if not book:
        return learned
    rules = RulesCaller(reading_of(book, declared(others)))
    if learned is None or learned.ours is None:
        return rules
    return CallerMixture(((DECLARED_STRANGER, learned), (1 - DECLARED_STRANGER, rules)))


def _network_caller(
    name: str, system: str, others: str, threads: int, heat: float = 1.0
) -> NetworkCaller | None:
    """The network with the flags of both systems, dark where it knows no flag."""
    if name not in models() and not name.endswith(".onnx"):
        return None
    numbers = system_number(system), system_number(others)
    return NetworkCaller(network(name, "policy", threads), *numbers, heat)
