"""Who has been shown which hand of a board: a value that grows with a table's events.
Seats, links, undo and rankings are decided by it; nothing here knows a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from overtrick.game import Seat
from overtrick.game.commitment import promise_of


def person_of(browser: str, client: str) -> str:
    """Who this is, as far as a server can know: a browser by the key that it drew for itself, a
    program that names none by its address."""
    return promise_of(f"browser {browser}" if browser else f"client {client}")[:24]


@dataclass(frozen=True, slots=True)
class Sight:
    """A person may look at a hand since so many actions of the board."""

    person: str
    seat: Seat
    since: int


@dataclass(frozen=True, slots=True)
class Sights:
    """The sights of one board, and who sat at it knowing more than his seat tells.

    Whoever holds a key may look, so he counts as somebody who has looked: what a browser is sent
    depends on lines that break, and is not asked.

    >>> sights = Sights().after({"ann": [Seat.NORTH]}, {"ann": [Seat.NORTH]}, 0)
    >>> sights.hands("ann"), sights.knowing
    (frozenset({Seat.NORTH}), frozenset())
    >>> sights.after({"ann": [Seat.EAST]}, {"ann": [Seat.EAST]}, 0).knowing
    frozenset({'ann'})
    """

    all: tuple[Sight, ...] = ()
    knowing: frozenset[str] = frozenset()

    def hands(self, person: str) -> frozenset[Seat]:
        """The hands this person has been shown."""
        return frozenset(s.seat for s in self.all if s.person == person)

    def others(self, seat: Seat, persons: Iterable[str]) -> frozenset[str]:
        """Who else than these has been shown a hand."""
        return frozenset(s.person for s in self.all if s.seat == seat) - frozenset(persons)

    def after(
        self,
        shown: Mapping[str, Iterable[Seat]],
        seated: Mapping[str, Iterable[Seat]],
        at: int,
    ) -> Sights:
        """With what everybody is shown now. `seated` are those who sit at a board that is not over,
        with the hands which one seat of theirs shows: knowing another one is knowing too much."""
        known = {(s.person, s.seat) for s in self.all}
        new = {(p, h) for p, hands in shown.items() for h in hands} - known
        seen = (*self.all, *(Sight(p, h, at) for p, h in sorted(new)))
        found = replace(self, all=seen) if new else self
        more = {p for p, hands in seated.items() if found.hands(p) - frozenset(hands)}
        if more <= found.knowing:
            return found
        return replace(found, knowing=found.knowing | more)


NOTHING: Final = Sights()
