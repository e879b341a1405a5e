"""Where strangers find each other: who waits for how many boards, tables at which robots keep
seats warm until somebody comes. Kept in memory: whoever waits asks again every few seconds."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from overtrick.game import Board, Seat
from overtrick.game.seats import SeatLetter
from overtrick.web.answers import Ticket
from overtrick.web.events import Engines, Joined, Left, Settings
from overtrick.web.live import Room
from overtrick.web.seated import Live, NotAllowed, hashed
from overtrick.web.sight import person_of
from overtrick.web.sources import Drawn
from overtrick.web.workers import CLIENT

_GONE: Final = 12.0  # seconds after which somebody who has not asked again waits no more
_ARRIVING: Final = 30.0  # seconds in which those who were seated have to come to their table
_MOST_WAITING: Final = 400
_MOST_EACH: Final = 64  # who wait from one address: a club has one
_MOST_TABLES: Final = 400
# Who comes second is partner of the first, who comes third and fourth opponent.
_ORDER: Final[tuple[SeatLetter, ...]] = ("N", "E", "W", "S")


@dataclass(slots=True)
class Sought:
    """Somebody who waits, until there is a ticket."""

    person: str
    client: str
    name: str
    boards: int
    since: float
    seen: float = field(default_factory=monotonic)
    ticket: Ticket | None = None


class Lobby:
    """Everybody who waits, and the tables that came of it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._waiting: dict[str, Sought] = {}
        self._tables: dict[str, tuple[int, float]] = {}  # by name: how many boards, since when

    def waiting(self) -> list[Sought]:
        """Who waits now, longest first."""
        now = monotonic()
        for key in [k for k, w in self._waiting.items() if now - w.seen > _GONE]:
            del self._waiting[key]
        return sorted(
            (w for w in self._waiting.values() if w.ticket is None), key=lambda w: w.since
        )

    def leave(self, key: str) -> None:
        self._waiting.pop(key, None)

    async def seek(
        self, key: str, name: str, browser: str, boards: int, usual: tuple[Engines, str],
        begin: bool,
    ) -> tuple[str, Sought]:  # fmt: skip
        """Ask for company, or ask again; with `begin` sit down with robots until somebody comes."""
        person, client = person_of(browser, CLIENT.get()), CLIENT.get()
        self.waiting()
        mine = self._waiting.get(key)
        if mine is None:
            if len(self._waiting) >= _MOST_WAITING:
                raise NotAllowed("very many people wait already; try again soon")
            if sum(w.client == client for w in self._waiting.values()) >= _MOST_EACH:
                raise NotAllowed("very many people wait from your address; try again soon")
            if browser:  # who comes again waits once
                for old in [k for k, w in self._waiting.items() if w.person == person]:
                    del self._waiting[old]
            key = secrets.token_urlsafe(18)
            mine = Sought(person, client, name, boards, monotonic())
            self._waiting[key] = mine
        mine.seen = monotonic()
        if mine.ticket is None:
            mine.ticket = await self._at_a_table(mine)
        if mine.ticket is None:
            other = next((w for w in self.waiting() if self._fit(mine, w)), None)
            if other is not None or begin:
                mine.ticket = self._opened(mine, other, usual, browser)
        return key, mine

    def _fit(self, mine: Sought, other: Sought) -> bool:
        apart = self.room.company.apart(mine.person, other.person)
        return other is not mine and other.boards == mine.boards and not apart

    async def _at_a_table(self, mine: Sought) -> Ticket | None:
        """A seat that a robot keeps warm at a table of the same wish."""
        for name, (boards, since) in list(self._tables.items()):
            if boards != mine.boards:
                continue
            live = await self.room.find(name)
            if mine.ticket is not None:  # somebody else's question has found one meanwhile
                return mine.ticket
            if not self._open(live, boards, since):
                self._tables.pop(name, None)
                continue
            if any(self.room.company.apart(mine.person, p) for p in live.table.present):
                continue
            seat = self._seat_for(live, mine.person)
            if seat is not None:
                return self._sit(live, seat, mine)
        return None

    def _open(self, live: Live, boards: int, since: float) -> bool:
        """Is somebody there, are boards left, and a robot that gives its seat back?"""
        table = live.table
        last = table.index >= boards - 1 and table.state.phase == "over"
        kept = any(not table.holder(s) for s in table.settings.humans)
        young = monotonic() - since < _ARRIVING  # its people are still on their way
        young = young and not live.guests and not live.gone
        return kept and not last and (bool(live.connected) or young)

    def _seat_for(self, live: Live, person: str) -> SeatLetter | None:
        """An empty seat for somebody who has seen nothing of the board that is played."""
        table, over = live.table, live.table.state.phase == "over"
        if person in {table.person(key) for key in table.tokens}:
            return None
        for seat in _ORDER:
            known = table.sights.hands(person) - {Seat.parse(seat)}
            if not table.holder(seat) and (over or not known):
                contest = self.room.club.find(table.contest)
                if over or not contest.twice(frozenset({person}), live.name, table.index):
                    return seat
        return None

    def _sit(self, live: Live, seat: SeatLetter, who: Sought) -> Ticket:
        token = secrets.token_urlsafe(24)
        used = next((k for k, s in live.table.invitations.items() if s == seat), "")
        self.room.add(live, Joined(seat, used, hashed(token), who.name, who.person))
        self.room.runner.move(live)
        return Ticket(table=live.name, seat=seat, token=token)

    def _opened(
        self, mine: Sought, other: Sought | None, usual: tuple[Engines, str], browser: str
    ) -> Ticket:
        """A table for four, at which robots act for whoever is still to come."""
        while len(self._tables) >= _MOST_TABLES:  # the oldest takes no more strangers
            del self._tables[next(iter(self._tables))]
        engines, system = usual
        settings = Settings(
            ("N", "E", "S", "W"), engines, engines, (system, system), take_over=False
        )
        drawn = Drawn(Board.random(1, secrets.randbits(62)), secrets.randbits(62))
        ticket = self.room.open(
            settings, "S", drawn, mine.name, boards=mine.boards, browser=browser
        )
        live = self.room.opened(ticket.table)
        self._tables[live.name] = mine.boards, monotonic()
        if other is not None:
            other.ticket = self._sit(live, "N", other)
        empty: Any = [s for s in settings.humans if not live.table.holder(s)]
        for seat in empty:
            self.room.add(live, Left(seat))
        self.room.runner.move(live)
        return Ticket(table=ticket.table, seat=ticket.seat, token=ticket.token)
