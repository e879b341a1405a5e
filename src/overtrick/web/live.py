"""The room of live tables: people act, robots answer, everything is logged before it is shown.
One task per table moves its robots."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from overtrick.game import Board, BridgeError, Call, Card, Decision, Meaning, Seat
from overtrick.table import Entry, Ruling, excused, judged
from overtrick.web import messages, problems, thinking
from overtrick.web.club import Club, Helpers
from overtrick.web.contests import MATCH, Contest, line_of, match_of
from overtrick.web.events import (
    NO_DECK,
    BoardText,
    Claimed,
    Dealt,
    Deck,
    Founded,
    Helped,
    Joined,
    Judged,
    Left,
    Moved,
    Opened,
    Opens,
    Posed,
    SeatLetter,
    Settings,
    Table,
    TableEvent,
    Undone,
    entry_out,
    replayed,
)
from overtrick.web.problems import practising
from overtrick.web.robots import Patience, Robots
from overtrick.web.showing import (
    Shown,
    claimant,
    eyes,
    forced,
    may_undo,
    people,
    pilot,
    shown,
)
from overtrick.web.sources import Drawn, by_script
from overtrick.web.store import Log, LogError
from overtrick.web.workers import URGENT, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
Send = Callable[[Shown], None]
_MOST_LINKS = 40  # of one table
_MOST_EVENTS = 12_000  # some 180 boards; whoever comes back waits until they are replayed
_FEW = 10  # events that are replayed before others have their turn
_TURNS = 2.0  # times as long as they took
_CHAT = 60  # words kept for who comes later


class NotAllowed(BridgeError):
    """A wrong token, or something this seat may not do now."""


class NoTable(BridgeError):
    """There is no such table."""


def hashed(secret: str) -> str:
    """Tokens are kept as hashes: the log does not let anybody in."""
    return sha256(secret.encode()).hexdigest()


@dataclass(slots=True, eq=False)
class Guest:
    """A connected browser: the seat it proved, how to reach it, whether it only looks on."""

    seat: Seat
    send: Send
    watching: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody would like to take an action back, and who has agreed so far."""

    seat: Seat
    keep: int
    version: int
    agreed: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False, weakref_slot=True)
class Live:
    """One table in memory; its value, its guests, the task that moves its robots."""

    name: str
    table: Table
    guests: set[Guest] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    hinting: set[Seat] = field(default_factory=set)  # seats for which an engine thinks
    asked: Asked | None = None
    said: deque[Shown] = field(default_factory=lambda: deque(maxlen=_CHAT))
    told: Shown = field(default_factory=dict)  # who is there, as the guests have heard it last

    @property
    def connected(self) -> frozenset[str]:
        return frozenset(g.seat.letter for g in self.guests if not g.watching)


class Room:
    """All tables of a server. Idle ones leave memory and come back from the log."""

    def __init__(
        self,
        log: Log,
        talk: Workers,
        think: Workers,
        most: int = 2000,
        study: Workers | None = None,
        other: Workers | None = None,
    ) -> None:
        self.log = log
        self.talk, self.think, self.study = talk, think, study or talk
        self.club = Club(log, Helpers(self.study, other), self._other_room_came)
        self.robots, self.patience = Robots(talk, think), Patience()
        self._most = most
        self._live: OrderedDict[str, Live] = OrderedDict()
        # Tables that have left `_live` while somebody still works at them: there must never be two
        # of one name, since both would write the same log.
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # ------------------------------------------------------------ opening and finding

    def open(
        self,
        settings: Settings,
        mine: SeatLetter,
        drawn: Drawn,
        name: str = "",
        contest: str = "",
        boards: int = MATCH,
    ) -> messages.Ticket:
        """A new table; the ticket holds my token and the others' invitations, told only now.

        Every board that is played to the end belongs to a match: one that exists, or a new one.
        """
        table, token = secrets.token_urlsafe(9), secrets.token_urlsafe(24)
        invitations = {s: secrets.token_urlsafe(24) for s in settings.humans if s != mine}
        if not contest and not settings.auction_only:
            contest = self._found(settings, drawn, boards).name
        index = drawn.index if settings.auction_only else 0
        if contest:
            self.club.enter(contest, table, name, Seat.parse(mine) & 1)
        event = Opened(
            settings,
            BoardText.of(drawn.board),
            self.club.find(contest).player_seed(index) if contest else drawn.seed,
            {hashed(token): mine},
            {hashed(text): s for s, text in invitations.items()},
            drawn.deck if settings.auction_only else NO_DECK,
            index,
            contest,
            {mine: name} if name else {},
        )
        self.log.add(table, 1, event)
        live = Live(table, replayed(None, event))
        self._keep(live)
        self._move(live)
        return messages.Ticket(table, mine, token, invitations)

    def _found(self, settings: Settings, drawn: Drawn, boards: int) -> Contest:
        """A match on the boards of a source, beginning with the one that was drawn."""
        deck = drawn.deck
        posed = deck.boards[drawn.index :] + deck.boards[: drawn.index]
        deck = Deck(deck.script, posed, deck.name)
        return self.club.found(
            Founded(
                "", drawn.seed, len(posed) or boards, settings.scoring, settings.ns, settings.ew,
                settings.systems, drawn.board.number, deck,
            )
        )  # fmt: skip

    async def find(self, name: str) -> Live:
        """A table by name, from memory or from the log."""
        live = self._live.get(name) or self._held.get(name)
        if live is None:
            lock = self._reading.setdefault(name, asyncio.Lock())
            async with lock:  # there must never be two tables of one name
                live = self._live.get(name) or self._held.get(name)
                if live is None:
                    live = Live(name, await self._read(name))
                self._keep(live)
        self._keep(live)
        self._move(live)
        return live

    async def _read(self, name: str) -> Table:
        """A table from the log, a few events at a time: nobody waits for somebody's long table."""
        table: Table | None = None
        while len(name) <= 32:
            began = perf_counter()
            events = self.log.events(name, table.version if table else 0, _FEW)
            for event in events:
                table = replayed(table, event)  # type: ignore[arg-type]
            if len(events) < _FEW:
                break
            await asyncio.sleep(_TURNS * (perf_counter() - began))
        if table is None:
            raise NoTable("there is no such table (any more)")
        return table

    def seat_of(self, live: Live, token: str) -> Seat:
        """Whose token this is; a wrong one is refused."""
        letter = live.table.tokens.get(hashed(token))
        if letter is None:
            raise NotAllowed("this token opens no seat at this table")
        return Seat.parse(letter)

    def guest(self, live: Live, token: str, send: Send) -> Guest:
        """The browser that shows this token: somebody at the table, or somebody who looks on."""
        watched = live.table.watchers.get(hashed(token))
        if watched is not None:
            return Guest(Seat.parse(watched), send, watching=True)
        return Guest(self.seat_of(live, token), send)

    async def join(self, table: str, invitation: str, name: str = "") -> messages.Ticket:
        """Exchange an invitation for a token; it works once. Links to look on work for many."""
        live = await self.find(table)
        watched = live.table.watchers.get(hashed(invitation))
        if watched is not None:
            return messages.Ticket(table, watched, invitation, watching=True)
        seat = live.table.invitations.get(hashed(invitation))
        if seat is None:
            raise NotAllowed("this invitation has been used or was never made")
        token = secrets.token_urlsafe(24)
        self._add(live, Joined(seat, hashed(invitation), hashed(token), name))
        return messages.Ticket(table, seat, token)

    def _keep(self, live: Live) -> None:
        self._live[live.name] = self._held[live.name] = live
        self._live.move_to_end(live.name)
        if len(self._live) > self._most:
            for name in [n for n, t in self._live.items() if not t.guests and _idle(t)]:
                del self._live[name]
                if len(self._live) <= self._most:
                    return

    # ------------------------------------------------------------ guests

    def enter(self, live: Live, guest: Guest) -> None:
        live.guests.add(guest)
        for word in live.said:
            guest.send(word)
        if not guest.watching and guest.seat.letter in live.table.away:
            letter: Any = guest.seat.letter
            with contextlib.suppress(LogError):  # the table says so itself
                self._add(live, Left(letter, back=True))
        guest.send(self.shown(live, guest.seat, guest.watching))
        self._tell_presence(live, guest)

    def leave(self, live: Live, guest: Guest) -> None:
        live.guests.discard(guest)
        self._tell_presence(live)

    def _tell_presence(self, live: Live, newest: Guest | None = None) -> None:
        """Who is there, when that has changed: the whole table is for who has just come."""
        watchers = sum(g.watching for g in live.guests)
        told = {"type": "presence", "connected": sorted(live.connected), "watchers": watchers}
        if told != live.told:
            live.told = told
            for guest in live.guests - {newest}:
                guest.send(told)

    def show(self, live: Live) -> None:
        """Send everybody what his own seat sees."""
        for guest in list(live.guests):
            guest.send(self.shown(live, guest.seat, guest.watching))

    def shown(self, live: Live, seat: Seat, watching: bool = False) -> Shown:
        """The table as a seat sees it, with its match; who looks on can do nothing."""
        table, asked = live.table, live.asked
        match = None
        if table.contest:
            contest = self.club.find(table.contest)
            ordered = self.club.standings(table.contest)
            match = match_of(contest, ordered, live.name, table.index, seat & 1)
        wish = None
        if asked is not None and asked.version == table.version:
            wish = {"seat": asked.seat.letter, "agreed": sorted(asked.agreed)}
        out = shown(table, seat, live.connected, match, wish)
        out["trouble"] = self.log.trouble
        out["watching"] = watching
        out["watchers"] = sum(g.watching for g in live.guests)
        if watching:
            out |= {"mine": False, "legal": [], "can_undo": False, "can_claim": False}
        return out

    async def watch(self) -> None:
        """Tell every table when nothing can be kept any more, and when that is over."""
        told = self.log.turns
        while True:
            await asyncio.sleep(self.patience.trouble)
            self.log.try_again()
            if self.log.turns != told:
                told = self.log.turns
                for live in [t for t in self._live.values() if t.guests]:
                    self.show(live)

    def _other_room_came(self, contest: str) -> None:
        for live in list(self._live.values()):
            if live.table.contest == contest and live.guests:
                self.show(live)

    def _add(self, live: Live, event: TableEvent) -> None:
        """Log first, then believe, then show."""
        after = replayed(live.table, event)
        self.log.add(live.name, after.version, event)
        live.table = after
        self.show(live)

    # ------------------------------------------------------------ what people do

    async def act(
        self, live: Live, seat: Seat, action: messages.Action, watching: bool = False
    ) -> Shown:
        """Do what a seat asks; the answer is for that seat alone."""
        if isinstance(action, messages.Chat):
            self._chat(live, seat, action.text, watching)
            return self.shown(live, seat, watching)
        if watching:
            raise NotAllowed("you are looking on")
        if isinstance(action, messages.Hint):
            return await self._hint(live, seat)
        if isinstance(action, messages.Explain):
            return await self._explain(live, seat)
        if isinstance(action, messages.Invite):
            return self._invite(live, seat, action)
        finishing = messages.MakeCall | messages.PlayCard | messages.Claim
        if live.table.version > _MOST_EVENTS and not isinstance(action, finishing):
            raise NotAllowed("this table has seen a great deal; please open a new one")
        async with live.lock:
            if isinstance(action, messages.MakeCall):
                await self._call(live, seat, action)
            elif isinstance(action, messages.PlayCard):
                self._card(live, seat, action)
            elif isinstance(action, messages.Undo):
                self._undo(live, seat)
            elif isinstance(action, messages.Agree):
                self._agree(live, seat, action.yes)
            elif isinstance(action, messages.Claim):
                await self._claim(live, seat, action.tricks)
            elif isinstance(action, messages.Substitute):
                self._substitute(live, action.seat)
            elif isinstance(action, messages.Move):
                seat = self._change_seats(live, seat, action.to)
            else:
                await self._deal(live, again=isinstance(action, messages.Again))
        self._move(live)
        return self.shown(live, seat)

    def _on_turn(self, live: Live, seat: Seat, at: int) -> None:
        if at != len(live.table.state.log):
            raise NotAllowed("the table has moved on; look again")
        if pilot(live.table) != seat:
            raise NotAllowed("it is not your turn")

    async def _call(self, live: Live, seat: Seat, action: messages.MakeCall) -> None:
        self._on_turn(live, seat, action.at)
        state, call = live.table.state, Call.parse(action.call)
        why = state.why_illegal(Decision(call, Meaning(""))) if state.play is None else "no auction"
        if why:
            raise NotAllowed(f"{call.ascii}: {why}")
        spec = live.table.settings.engines(seat).bidder
        version = live.table.version
        try:
            decision = await self.talk.ask(
                thinking.own_call, spec, state.view(seat), int(call),
                seconds=self.patience.meaning, priority=URGENT,
            )  # fmt: skip
        except (TimeoutError, WorkerError) as error:
            LOGGER.warning("no meaning for %s: %s", call.ascii, error)
            decision = Decision(call, Meaning("not explained"), engine="human")
        if live.table.version != version:
            raise NotAllowed("the table has moved on; look again")
        self._add(live, entry_out(Entry(seat, decision), seat.letter))

    def _card(self, live: Live, seat: Seat, action: messages.PlayCard) -> None:
        self._on_turn(live, seat, action.at)
        if live.table.state.play is None:
            raise NotAllowed("the auction is not over")
        decision = Decision(Card.parse(action.card), Meaning("a card"), engine="human")
        # A card that somebody else holds gets the same answer as one that has been played:
        # the reason would tell where it is not.
        if live.table.state.why_illegal(decision):
            raise NotAllowed(f"{decision.card.ascii} cannot be played now")
        self._add(live, entry_out(Entry(seat, decision), seat.letter))

    def _undo(self, live: Live, seat: Seat) -> None:
        """Alone with robots at once; with other people once they agree."""
        table, keep = live.table, may_undo(live.table, seat)
        if keep is None:
            raise NotAllowed("there is nothing of yours to take back")
        if people(table) == [seat.letter]:
            self._add(live, Undone(keep))
            return
        live.asked = Asked(seat, keep, table.version)
        self.show(live)

    def _agree(self, live: Live, seat: Seat, yes: bool) -> None:
        asked = live.asked
        if asked is None or asked.version != live.table.version or seat == asked.seat:
            raise NotAllowed("nobody asks to take anything back")
        if not yes:
            live.asked = None
            self.show(live)
            return
        live.asked = asked = replace(asked, agreed=asked.agreed | {seat.letter})
        present = set(people(live.table)) & live.connected
        if present - {asked.seat.letter} <= asked.agreed:
            live.asked = None
            self._add(live, Undone(asked.keep))
        else:
            self.show(live)

    # ------------------------------------------------------------ people come, go and talk

    def _chat(self, live: Live, seat: Seat, text: str, watching: bool) -> None:
        """Words go to everybody; who looks on speaks only when no card can be betrayed."""
        if watching and live.table.state.phase != "over":
            raise NotAllowed("who looks on may speak when the board is over")
        clean = "".join(c if c.isprintable() else " " for c in text).strip()
        if not clean:
            raise NotAllowed("say something")
        name = live.table.names.get(seat.letter, "")  # type: ignore[call-overload]
        word = {"type": "chat", "seat": seat.letter, "name": name, "text": clean,
                "watching": watching}  # fmt: skip
        live.said.append(word)
        for guest in list(live.guests):
            guest.send(word)

    def _substitute(self, live: Live, letter: SeatLetter) -> None:
        if letter not in live.table.settings.humans or letter in live.table.away:
            raise NotAllowed("a robot sits there already")
        if letter in live.connected:
            raise NotAllowed("somebody sits there")
        self._add(live, Left(letter))

    def _change_seats(self, live: Live, seat: Seat, to: SeatLetter) -> Seat:
        table, letter = live.table, seat.letter
        if table.state.phase != "over" and table.state.log:
            raise NotAllowed("seats are changed between two boards")
        if to in table.settings.humans:
            raise NotAllowed("that seat is taken")
        for guest in live.guests:
            if guest.seat == seat:
                guest.seat = Seat.parse(to)
        self._add(live, Moved(letter, to))  # type: ignore[arg-type]
        return Seat.parse(to)

    def _invite(self, live: Live, seat: Seat, wish: messages.Invite) -> Shown:
        """A new link: to look on with me, or for a seat whose person is not there."""
        wanted: Any = seat.letter if wish.watch else wish.seat
        humans = live.table.settings.humans
        if not wish.watch and (wanted not in humans or wanted in live.connected):
            raise NotAllowed("nobody can be invited to that seat")
        if len(live.table.watchers) + len(live.table.invitations) >= _MOST_LINKS:
            raise NotAllowed("this table has made enough links")
        invitation = secrets.token_urlsafe(24)
        self._add(live, Opens(wanted, hashed(invitation), wish.watch))
        return {"type": "invited", "seat": wanted, "watch": wish.watch, "invitation": invitation}

    async def _claim(self, live: Live, seat: Seat, tricks: int) -> None:
        who, version = claimant(live.table, seat), live.table.version
        if who is None:
            raise NotAllowed("claims are made during the play, by declarer or a defender")
        view = live.table.state.view(who)
        try:
            total, words = await self.think.ask(
                thinking.check_claim, view, tricks, seconds=self.patience.claim
            )
        except TimeoutError:
            total, words = None, "that could not be proved in time; please play on"
        if total is None:
            raise NotAllowed(words)
        if live.table.version != version:
            raise NotAllowed("the table has moved on; look again")
        self._add(live, Claimed(total, words))

    async def _deal(self, live: Live, *, again: bool) -> None:
        """The next board of the match or of the practice deck, or the same once more."""
        table, state = live.table, live.table.state
        if state.phase != "over":
            raise NotAllowed("the board is not over")
        if again:
            board = BoardText.of(state.board)
            self._add(live, Dealt(board, state.seed, table.index, table.contest))
        elif table.contest:
            await self._deal_match(live)
        else:
            await self._deal_practice(live)

    async def _deal_match(self, live: Live) -> None:
        """The next board; after the last one a new match begins, on the same cards if pasted."""
        table, index = live.table, live.table.index + 1
        contest = self.club.find(table.contest)
        if index >= contest.boards:
            seed = secrets.randbits(62)
            founded = msgspec.structs.replace(contest.founded, seed=seed, title="", day="", first=1)
            contest, index = self.club.found(founded), 0
            side = practising(table.settings.humans)
            name = next((n for s, n in table.names.items() if Seat.parse(s) & 1 == side), "")
            self.club.enter(contest.name, live.name, name, side)
        board = await self.club.board(contest.name, index, self.patience.script)
        if live.table.version != table.version:
            raise NotAllowed("the table has moved on; look again")
        event = Dealt(BoardText.of(board), contest.player_seed(index), index, contest.name)
        self._add(live, event)

    async def _deal_practice(self, live: Live) -> None:
        table, state = live.table, live.table.state
        seed, index, version = secrets.randbits(62), table.index + 1, table.version
        number = state.board.number % 16 + 1
        if table.deck.boards:
            index %= len(table.deck.boards)
            board = table.deck.boards[index].board.board()
        elif table.deck.script:
            script = table.deck.script
            board = await by_script(
                script, number, secrets.randbits(63), self.study, self.patience.script
            )
            if live.table.version != version:
                raise NotAllowed("the table has moved on; look again")
        else:
            board = Board.random(number, secrets.randbits(128))  # unrelated to the robots' seed
        self._add(live, Dealt(BoardText.of(board), seed, index))

    async def _hint(self, live: Live, seat: Seat) -> Shown:
        table = live.table
        if pilot(table) != seat:
            raise NotAllowed("a hint is for the one whose turn it is")
        if seat in live.hinting:
            raise NotAllowed("the coach is still thinking about your last question")
        engines = table.settings.engines(seat)
        view = table.state.view(_acting_eye(table, seat))
        spec = engines.bidder if view.play is None else engines.player
        at = len(table.state.log)
        if not live.table.helped:  # before it is thought about: when it ends tells nobody anything
            self._add(live, Helped())
        live.hinting.add(seat)
        try:
            found: dict[str, Any] = await self.think.ask(
                thinking.hint, spec, view, seconds=self.patience.hint
            )
        except TimeoutError:
            raise NotAllowed("the coach is still thinking; no hint this time") from None
        finally:
            live.hinting.discard(seat)
        return {"type": "hint", "at": at, **found}

    async def _explain(self, live: Live, seat: Seat) -> Shown:
        state = live.table.state
        at = len(state.log)
        if state.phase != "auction" or state.auction.turn != seat:
            return {"type": "meanings", "at": at, "calls": []}
        spec = live.table.settings.engines(seat).bidder
        try:
            calls: list[Shown] = await self.talk.ask(
                thinking.meanings, spec, state.view(seat), seconds=self.patience.meaning
            )
        except TimeoutError:
            calls = []
        return {"type": "meanings", "at": at, "calls": calls}

    # ------------------------------------------------------------ robots

    def _move(self, live: Live) -> None:
        """See to it that the robots of a table act, if it is their turn."""
        if live.task is None or live.task.done():
            live.task = asyncio.create_task(self._drive(live))

    async def _drive(self, live: Live) -> None:
        """Let the robots act; while nothing can be kept, the table waits and says why."""
        # The other room begins with the play: tables that are opened and left cost nothing.
        if live.table.contest and live.table.state.play is not None:
            self.club.begin(live.table.contest, live.table.index)
        while True:
            try:
                await self._robots_act(live)
                state = live.table.state
                await self._wind_up(live)
                if live.table.state is state:  # else the next board has been dealt meanwhile
                    return
            except LogError:
                self.show(live)
                await asyncio.sleep(self.patience.trouble)

    async def _robots_act(self, live: Live) -> None:
        while live.table.state.phase != "over":
            alone = forced(live.table)
            if alone is not None:
                await asyncio.sleep(0.05)
                if forced(live.table) == alone and not live.lock.locked():
                    seat = pilot(live.table)
                    assert seat is not None
                    decision = Decision(Card(alone), Meaning("forced"), engine="table")
                    self._add(live, entry_out(Entry(seat, decision), ""))
                continue
            if pilot(live.table) is not None:
                return
            await self._hold(live)
            await self._robot(live)

    async def _wind_up(self, live: Live) -> None:
        """A board that is over is judged or entered on the score sheet."""
        if live.table.state.phase != "over":
            return
        if live.table.settings.auction_only and live.table.judged is None:
            await self._judge(live)
        elif live.table.contest:
            self._score(live)

    def _score(self, live: Live) -> None:
        """Enter a finished board on the score sheet, the first time it is finished."""
        table = live.table
        index, version = table.index, self.club.find(table.contest).version
        self.club.score(table.contest, live.name, index, line_of(table.state, table.helped))
        self.club.begin(table.contest, index)
        if self.club.find(table.contest).version != version:
            self.show(live)

    async def _judge(self, live: Live) -> None:
        """Score a board that ended with the auction."""
        table = live.table
        state, side = table.state, practising(table.settings.humans)
        posed = table.posed or Posed(BoardText.of(state.board))
        spec = table.settings.engines(Seat(side)).bidder
        try:
            found: Judged = await self.study.ask(
                problems.judge, posed, state.board, state.contract, spec, side,
                table.settings.silent, seconds=self.patience.judge,
            )  # fmt: skip
        except (TimeoutError, WorkerError, BridgeError) as error:
            LOGGER.warning("table %s could not be scored: %s", live.name, error)
            return
        if live.table.state is state:
            self._add(live, found)

    async def _hold(self, live: Live) -> None:
        """Among people a robot waits a moment with its card: what it shows cannot be taken back."""
        table = live.table
        if table.state.play is not None and len(people(table)) > 1 and table.by and table.by[-1]:
            await asyncio.sleep(self.patience.grace)

    async def _robot(self, live: Live) -> None:
        state = live.table.state
        view, started = state.view(), perf_counter()
        decision: Decision
        ruling: Ruling | None
        try:
            answer = await self.robots.answer(live.table, view, self.patience)
            decision, ruling = judged(answer, view)
        except (TimeoutError, WorkerError, BridgeError) as error:
            limit = self.patience.call if view.play is None else self.patience.card
            decision, ruling = excused(error, view, limit)
        spent = 1000 * (perf_counter() - started)
        if live.table.state is not state:  # somebody undid, or the board was dealt again
            return
        if ruling is not None:
            LOGGER.warning("table %s: %s", live.name, ruling)
        self._add(live, entry_out(Entry(view.seat, decision, spent, ruling), ""))


def _idle(live: Live) -> bool:
    return live.task is None or live.task.done()


def _acting_eye(table: Table, seat: Seat) -> Seat:
    """The seat a human acts for: his own, or the declarer's he plays for."""
    return eyes(table, seat)[-1]
