"""The director: what happens when a seat acts illegally, too late, fails or goes away.
Each ruling is kept with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from overtrick.game import PASS, Decision, Meaning, Seat, View


class Fault(StrEnum):
    """What went wrong at a seat.

    >>> str(Fault.LATE)
    'too late'
    """

    ILLEGAL = "illegal action"
    EXCEPTION = "engine failed"
    LATE = "too late"
    DISCONNECTED = "disconnected"
    UNREADABLE = "unreadable line"
    UNEXPECTED = "out of turn"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the director did: the fault, what was attempted, what stands instead.

    >>> str(Ruling(Seat.NORTH, Fault.LATE, "more than 2 s", "Pass"))
    'North: too late (more than 2 s); Pass stands'
    """

    seat: Seat
    fault: Fault
    detail: str
    instead: str

    def __str__(self) -> str:
        return f"{self.seat}: {self.fault} ({self.detail}); {self.instead} stands"


def substitute(view: View) -> Decision:
    """The stated rule: a faulty call becomes Pass, a faulty card the lowest legal card.

    Lowest means the lowest rank; among equals the lower suit. Both are always possible, take no
    time and give the offender no advantage.
    """
    if view.play is None:
        return Decision(PASS, Meaning("ruled by the director"), engine="director")
    card = min(view.legal_cards(), key=lambda c: (c.rank, c.suit))
    return Decision(card, Meaning("ruled by the director"), engine="director")


def rule(view: View, fault: Fault, detail: str) -> tuple[Decision, Ruling]:
    """The action that stands after a fault, and the ruling that says so.

    >>> from overtrick import View
    >>> view = View("N", "AK3.QJ2.T98.7654", "", "None")
    >>> decision, ruling = rule(view, Fault.LATE, "more than 2 s")
    >>> str(decision.action), ruling.detail
    ('Pass', 'more than 2 s')
    """
    decision = substitute(view)
    return decision, Ruling(view.seat, fault, detail[:300], decision.action.ascii)
