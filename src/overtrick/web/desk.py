"""Events of pairs that are played at this server: people enter, the director begins rounds, seats
substitutes and rules; everything is logged before it is shown. Each round's tables are tables like
any other, whose seats belong to the members of the pairs."""

from __future__ import annotations

import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from time import time
from typing import Any, Final

import msgspec

from overtrick.duplicate.movements import MOST_PAIRS, Placement
from overtrick.game import BridgeError, Seat
from overtrick.game.seats import SeatLetter
from overtrick.web import messages, pairs
from overtrick.web.club import NotDirector
from overtrick.web.contests import Contest
from overtrick.web.events import BoardText, Founded, Joined, Left, Opened, Settings
from overtrick.web.events import replayed as table_after
from overtrick.web.limits import mark
from overtrick.web.live import Room
from overtrick.web.pairs import (
    Adjusted,
    Announced,
    Arranged,
    Begun,
    Enrolled,
    EventClosed,
    Happening,
    Member,
    PairsEvent,
    Penalised,
    PlaceOffered,
    RoundBegun,
    Summoned,
    Withdrawn,
)
from overtrick.web.seated import Live, NoTable, NotAllowed, hashed
from overtrick.web.sight import person_of
from overtrick.web.workers import CLIENT

_KEPT: Final = 200  # events in memory
FEWEST: Final = 4  # pairs
_MOST_EACH: Final = 48  # entries of one client: a club behind one address
_MOST_CALLS: Final = 100  # for the director, by all tables of an event
_ROBOT: Final = "Robot"


class NoEvent(NoTable):
    """There is no such event."""


@dataclass(frozen=True, slots=True)
class EventEntry:
    """What somebody who has entered gets: a token for all his tables, a link for his partner."""

    entry: int
    token: str
    invitation: str = ""


class Desk:
    """All events of pairs of a server."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._kept: OrderedDict[str, PairsEvent] = OrderedDict()
        self._by: dict[tuple[str, int], str] = {}  # which client made an entry

    # ------------------------------------------------------------ finding and keeping

    def find(self, name: str) -> PairsEvent:
        """An event by name, from memory or from the log."""
        found = self._kept.get(name)
        if found is None:
            for event in self.room.log.events(pairs.stream(name)) if len(name) <= 32 else []:
                found = pairs.replayed(name, found, event)  # type: ignore[arg-type]
        if found is None:
            raise NoEvent("there is no such event (any more)")
        return self._keep(found)

    def _add(self, found: PairsEvent, event: Happening) -> PairsEvent:
        """Log first, then believe."""
        after = pairs.replayed(found.name, found, event)
        self.room.log.add(pairs.stream(found.name), after.version, event)
        return self._keep(after)

    def _keep(self, found: PairsEvent) -> PairsEvent:
        self._kept[found.name] = found
        self._kept.move_to_end(found.name)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def contest(self, found: PairsEvent) -> Contest | None:
        """The boards and results, once it has begun."""
        return self.room.club.find(found.contest) if found.contest else None

    def arrange(self, arranged: Arranged) -> PairsEvent:
        """A new event; nobody can guess its name."""
        name = secrets.token_urlsafe(9)
        self.room.log.add(pairs.stream(name), 1, arranged)
        return self._keep(pairs.replayed(name, None, arranged))

    def direct(self, name: str, token: str) -> PairsEvent:
        """The event, for whoever shows its director's token."""
        found = self.find(name)
        if hashed(token) != found.arranged.director:
            raise NotDirector("this token does not direct this event")
        return found

    # ------------------------------------------------------------ entries

    def enter(self, name: str, player: str, browser: str, with_robot: bool) -> EventEntry:
        """A new pair: somebody with a friend, who comes by a link, or with a robot."""
        found, by = self.find(name), mark(CLIENT.get())
        if not found.room_for_more:
            raise NotAllowed(_why_full(found))
        if sum(who == by for (n, _), who in self._by.items() if n == name) >= _MOST_EACH:
            raise NotAllowed("enough pairs have entered from your address")
        token, invitation = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        entry = max(found.entries, default=0) + 1
        person = self._new_person(found, browser)
        at = time()
        found = self._add(
            found,
            Enrolled(entry, 0, player, hashed(token), person, hashed(invitation), "", at),
        )
        self._by[name, entry] = by
        if with_robot:
            self._add(found, Enrolled(entry, 1, _ROBOT, used=hashed(invitation), at=at))
            return EventEntry(entry, token)
        return EventEntry(entry, token, invitation)

    def add_robots(self, found: PairsEvent) -> PairsEvent:
        """A pair of robots, which fills an empty place."""
        if not found.room_for_more:
            raise NotAllowed(_why_full(found))
        entry = max(found.entries, default=0) + 1
        found = self._add(found, Enrolled(entry, 0, _ROBOT, at=time()))
        return self._add(found, Enrolled(entry, 1, _ROBOT, at=time()))

    async def join(self, name: str, invitation: str, player: str, browser: str) -> EventEntry:
        """The partner, or a substitute, by a link that works once. He takes his seat at once, if he
        has seen no other hand of the board that is played there."""
        found, used = self.find(name), hashed(invitation)
        place = found.invitations.get(used)
        if place is None or found.over:
            raise NotAllowed("this invitation has been used or was never made")
        token, (entry, member) = secrets.token_urlsafe(24), place
        person = self._new_person(found, browser, entry)
        live, seat = await self._sits(found, entry, member)
        if live is not None and seat is not None and live.table.state.phase != "over":
            self._may_sit(live, seat, person)
        found = self.find(name)
        if found.invitations.get(used) != place:
            raise NotAllowed("this invitation has been used or was never made")
        self._add(
            found,
            Enrolled(entry, member, player, hashed(token), person, used=used, at=time()),
        )
        if live is not None and seat is not None:
            self.room.add(live, Joined(seat, "", hashed(token), player, person))
            self.room.runner.move(live)
        return EventEntry(entry, token)

    def _new_person(self, found: PairsEvent, browser: str, but: int = 0) -> str:
        """Who this is; nobody is a member of two pairs, whose hands he would know."""
        person = person_of(browser, CLIENT.get())
        for entry, members in found.entries.items():
            if browser and any(m.token and m.person == person for m in members):
                if entry == but:
                    raise NotAllowed("you are in this pair already; the link is for your partner")
                raise NotAllowed("you have entered this event already")
        return person

    def _may_sit(self, live: Live, seat: SeatLetter, person: str) -> None:
        table = live.table
        if table.sights.hands(person) - {Seat.parse(seat)}:
            raise NotAllowed("you have seen another hand of this board; come when it is over")
        if self.room.club.find(table.contest).twice(frozenset({person}), live.name, table.index):
            raise NotAllowed("you have seen this board at another table; come for the next one")

    async def _sits(
        self, found: PairsEvent, entry: int, member: int
    ) -> tuple[Live | None, SeatLetter | None]:
        """The table at which a member sits in this round, and where."""
        pair = found.pair_of(entry)
        place = None if pair is None else found.place(pair, len(found.rounds))
        if place is None or found.over:
            return None, None
        live = await self.room.find(found.table_name(len(found.rounds), place.table))
        seat = next(s for s, who in found.seats(place).items() if who == (entry, member))
        return live, seat

    # ------------------------------------------------------------ the director

    def begin(self, found: PairsEvent) -> PairsEvent:
        """Everybody who has entered plays; the boards are dealt, and promised."""
        if found.order:
            raise NotAllowed("this event has begun")
        order = tuple(sorted(found.entries))
        if not FEWEST <= len(order) <= MOST_PAIRS:
            raise NotAllowed(f"an event needs {FEWEST} to {MOST_PAIRS} pairs; add robots")
        begun = Begun("", order, time())
        made = found.arranged
        movement = pairs.replayed(found.name, found, begun).movement
        contest = self.room.club.found(
            Founded(
                made.title, secrets.randbits(62), movement.sets * movement.each,
                "matchpoints" if made.method == "matchpoints" else "imps", made.ns, made.ew,
                made.systems, event=True,
            )
        )  # fmt: skip
        return self._add(found, msgspec.structs.replace(begun, contest=contest.name))

    def next_round(self, found: PairsEvent, unplayed: bool = False) -> PairsEvent:
        """Seat everybody for the next round. Boards without a result keep it from beginning, unless
        the director says that they are not played: then both sides have an average."""
        contest = self.contest(found)
        if contest is None or found.over:
            raise NotAllowed("this event is not being played")
        if missing := found.missing(contest):
            if not unplayed:
                raise NotAllowed(f"{len(missing)} boards have no result yet; rule on them first")
            for table, board in missing:
                self._add(self.find(found.name), Adjusted(
                    len(found.rounds), table, board, "not played in time", (50.0, 50.0),
                    at=time(),
                ))  # fmt: skip
            found = self.find(found.name)
        number = len(found.rounds) + 1
        if number > len(found.movement.rounds):
            raise NotAllowed("that was the last round; close the event")
        tables = {
            self._seated(found, contest, place): place.table
            for place in found.movement.rounds[number - 1]
        }
        return self._add(found, RoundBegun(number, tables, time()))

    def _seated(self, found: PairsEvent, contest: Contest, place: Placement) -> str:
        """A table of the round: a robot acts for whoever is still to come."""
        made, seats = found.arranged, found.seats(place)
        members: dict[SeatLetter, Member] = {
            s: found.entries[entry][member] for s, (entry, member) in seats.items()
        }
        people = {s: m for s, m in members.items() if not m.robot}
        boards = found.movement.boards(place.boards)
        settings = Settings(
            tuple(people), made.ns, made.ew, made.systems, contest.scoring, take_over=False
        )
        there = {s: m for s, m in people.items() if not m.missing}
        name, first = secrets.token_urlsafe(9), boards[0] - 1
        event = Opened(
            settings, BoardText.of(contest.board(first)), contest.player_seed(first),
            {m.token: s for s, m in there.items()}, {}, index=first, contest=contest.name,
            names={s: m.name for s, m in there.items() if m.name},
            people={m.token: m.person for m in there.values()}, salt=contest.salt(first),
            event=found.name, last=boards[-1] - 1,
        )  # fmt: skip
        live = Live(name, table_after(None, event))
        self.room.club.seat(contest.name, name, f"{place.ns} – {place.ew}")
        self.room.adopt(live, event)
        for seat in people.keys() - there.keys():
            self.room.add(live, Left(seat))
        self.room.runner.move(live)
        return name

    def adjust(self, found: PairsEvent, ruling: Adjusted) -> PairsEvent:
        if not 1 <= ruling.number <= len(found.rounds):
            raise NotAllowed("that round has not begun")
        seated = set(found.rounds[ruling.number - 1].tables.values())
        places = {p.table: p for p in found.movement.rounds[ruling.number - 1] if p.table in seated}
        made = pairs.checked(ruling, places)
        if ruling.board not in found.movement.boards(places[ruling.table].boards):
            raise NotAllowed(f"table {ruling.table} does not play board {ruling.board} then")
        return self._add(found, made)

    def penalise(self, found: PairsEvent, pair: int, points: float, reason: str) -> PairsEvent:
        if pair not in found.pairs:
            raise NotAllowed(f"there is no pair {pair}")
        return self._add(found, Penalised(pair, points, reason, time()))

    def announce(self, found: PairsEvent, text: str) -> PairsEvent:
        return self._add(found, Announced(text, time()))

    def summon(self, found: PairsEvent, token: str, words: str) -> PairsEvent:
        """Somebody calls the director to his table."""
        who = found.member_of(hashed(token))
        if who is None:
            raise NotAllowed("this token is of nobody in this event")
        pair = found.pair_of(who[0])
        place = None if pair is None else found.place(pair, len(found.rounds))
        if place is None or found.over:
            raise NotAllowed("you sit at no table now")
        if place.table in found.summons:
            raise NotAllowed("the director has been called to your table")
        if sum("called" in line.words for line in found.log) >= _MOST_CALLS:
            raise NotAllowed("the director has been called often enough; go and speak to him")
        return self._add(found, Summoned(place.table, words, time()))

    def attended(self, found: PairsEvent, table: int) -> PairsEvent:
        if table not in found.summons:
            raise NotAllowed("nobody calls from that table")
        return self._add(found, Summoned(table, "", time(), done=True))

    def offer(self, found: PairsEvent, entry: int, member: int) -> tuple[PairsEvent, str]:
        """A link for a substitute, or for the partner whose link was lost."""
        if entry not in found.entries or found.over:
            raise NotAllowed("there is no such pair")
        invitation = secrets.token_urlsafe(24)
        which: Any = 1 if member else 0
        return self._add(found, PlaceOffered(entry, which, hashed(invitation))), invitation

    def withdraw(self, found: PairsEvent, entry: int) -> PairsEvent:
        if found.order:
            raise NotAllowed("this event has begun; a robot can play for who leaves")
        if entry not in found.entries:
            raise NotAllowed("there is no such pair")
        return self._add(found, Withdrawn(entry))

    async def stand_in(self, found: PairsEvent, entry: int, member: int) -> PairsEvent:
        """A robot acts for somebody who is not there, until he is back."""
        live, seat = await self._sits(found, entry, member)
        if live is None or seat is None or seat not in live.table.settings.humans:
            raise NotAllowed("nobody sits there now")
        if seat in live.connected:
            raise NotAllowed("somebody sits there")
        if seat not in live.table.away:
            self.room.add(live, Left(seat))
            self.room.runner.move(live)
        return found

    async def look(self, found: PairsEvent, table: int) -> str:
        """An address to look on at a table; its people are told, and whoever uses it knows the
        cards, which counts wherever else he meets them."""
        live = (await self.tables(found)).get(table)
        if live is None:
            raise NotAllowed(f"there is no table {table} in this round")
        seat = next((s for s in live.table.settings.humans), None)
        if seat is None:
            raise NotAllowed("only robots sit there")
        link = self.room.link(live, messages.Invite(seat, True), "")
        return f"/table/{live.name}#join={link.invitation}"

    def close(self, found: PairsEvent) -> PairsEvent:
        """Results are final and all hands open."""
        contest = self.contest(found)
        if contest is None or found.over:
            raise NotAllowed("this event is not being played")
        if missing := found.missing(contest):
            raise NotAllowed(f"{len(missing)} boards have no result yet; rule on them first")
        return self._add(found, EventClosed(time()))

    async def tables(self, found: PairsEvent) -> Mapping[int, Live]:
        """The tables of this round."""
        out = {}
        for name, table in found.rounds[-1].tables.items() if found.rounds else ():
            with contextlib.suppress(BridgeError):  # one that cannot be read is left out
                out[table] = await self.room.find(name)
        return out


def _why_full(found: PairsEvent) -> str:
    if found.over:
        return "this event is over"
    if found.state == "open":
        return f"{MOST_PAIRS} pairs have entered; that is all it takes"
    return "this event has begun, and no place is empty"
