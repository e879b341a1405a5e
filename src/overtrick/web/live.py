"""The room of live tables: people act, robots answer, everything is logged before it is shown.
One task per table moves its robots."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

from overtrick.game import Board, BridgeError, Call, Card, Decision, Meaning, Seat
from overtrick.table import Entry, Ruling, excused, judged
from overtrick.web import messages, problems, thinking
from overtrick.web.events import (
    BoardText,
    Claimed,
    Dealt,
    Event,
    Joined,
    Judged,
    Opened,
    Posed,
    SeatLetter,
    Settings,
    Table,
    Undone,
    entry_out,
    replayed,
)
from overtrick.web.problems import practising
from overtrick.web.robots import Patience, Robots
from overtrick.web.showing import Shown, claimant, eyes, forced, may_undo, pilot, shown
from overtrick.web.sources import Drawn, by_script
from overtrick.web.store import Log
from overtrick.web.workers import URGENT, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
Send = Callable[[Shown], None]


class NotAllowed(BridgeError):
    """A wrong token, or something this seat may not do now."""


class NoTable(BridgeError):
    """There is no such table."""


def hashed(secret: str) -> str:
    """Tokens are kept as hashes: the log does not let anybody in."""
    return sha256(secret.encode()).hexdigest()


@dataclass(slots=True, eq=False)
class Guest:
    """A connected browser: the seat it proved, and how to reach it."""

    seat: Seat
    send: Send


@dataclass(slots=True, eq=False, weakref_slot=True)
class Live:
    """One table in memory; its value, its guests, the task that moves its robots."""

    name: str
    table: Table
    guests: set[Guest] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    hinting: set[Seat] = field(default_factory=set)  # seats for which an engine thinks

    @property
    def connected(self) -> frozenset[str]:
        return frozenset(g.seat.letter for g in self.guests)


class Room:
    """All tables of a server. Idle ones leave memory and come back from the log."""

    def __init__(self, log: Log, talk: Workers, think: Workers, most: int = 2000) -> None:
        self.log = log
        self.talk, self.think = talk, think
        self.robots, self.patience = Robots(talk, think), Patience()
        self._most = most
        self._live: OrderedDict[str, Live] = OrderedDict()
        # Tables that have left `_live` while somebody still works at them: there must never be two
        # of one name, since both would write the same log.
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()

    # ------------------------------------------------------------ opening and finding

    def open(self, settings: Settings, mine: SeatLetter, drawn: Drawn) -> messages.Ticket:
        """A new table; the ticket holds my token and the others' invitations, told only now."""
        name, token = secrets.token_urlsafe(9), secrets.token_urlsafe(24)
        invitations = {s: secrets.token_urlsafe(24) for s in settings.humans if s != mine}
        event = Opened(
            settings,
            BoardText.of(drawn.board),
            drawn.seed,
            {hashed(token): mine},
            {hashed(text): s for s, text in invitations.items()},
            drawn.deck,
            drawn.index,
        )
        self.log.add(name, 1, event)
        live = Live(name, replayed(None, event))
        self._keep(live)
        self._move(live)
        return messages.Ticket(name, mine, token, invitations)

    def find(self, name: str) -> Live:
        """A table by name, from memory or from the log."""
        live = self._live.get(name) or self._held.get(name)
        if live is None:
            table: Table | None = None
            for event in self.log.events(name) if len(name) <= 32 else []:
                table = replayed(table, event)
            if table is None:
                raise NoTable("there is no such table (any more)")
            live = Live(name, table)
        self._keep(live)
        self._move(live)
        return live

    def seat_of(self, live: Live, token: str) -> Seat:
        """Whose token this is; a wrong one is refused."""
        letter = live.table.tokens.get(hashed(token))
        if letter is None:
            raise NotAllowed("this token opens no seat at this table")
        return Seat.parse(letter)

    def join(self, name: str, invitation: str) -> messages.Ticket:
        """Exchange an invitation for a token; it works once."""
        live = self.find(name)
        seat = live.table.invitations.get(hashed(invitation))
        if seat is None:
            raise NotAllowed("this invitation has been used or was never made")
        token = secrets.token_urlsafe(24)
        self._add(live, Joined(seat, hashed(invitation), hashed(token)))
        return messages.Ticket(name, seat, token)

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
        self.show(live)

    def leave(self, live: Live, guest: Guest) -> None:
        live.guests.discard(guest)
        self.show(live)

    def show(self, live: Live) -> None:
        """Send everybody what his own seat sees."""
        for guest in list(live.guests):
            guest.send(shown(live.table, guest.seat, live.connected))

    def _add(self, live: Live, event: Event) -> None:
        """Log first, then believe, then show."""
        after = replayed(live.table, event)
        self.log.add(live.name, after.version, event)
        live.table = after
        self.show(live)

    # ------------------------------------------------------------ what people do

    async def act(self, live: Live, seat: Seat, action: messages.Action) -> Shown:
        """Do what a seat asks; the answer is for that seat alone."""
        if isinstance(action, messages.Hint):
            return await self._hint(live, seat)
        if isinstance(action, messages.Explain):
            return await self._explain(live, seat)
        async with live.lock:
            if isinstance(action, messages.MakeCall):
                await self._call(live, seat, action)
            elif isinstance(action, messages.PlayCard):
                self._card(live, seat, action)
            elif isinstance(action, messages.Undo):
                self._undo(live, seat)
            elif isinstance(action, messages.Claim):
                await self._claim(live, seat, action.tricks)
            else:
                await self._deal(live, again=isinstance(action, messages.Again))
        self._move(live)
        return shown(live.table, seat, live.connected)

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
        keep = may_undo(live.table, seat)
        if keep is None:
            raise NotAllowed("there is nothing of yours to take back")
        self._add(live, Undone(keep))

    async def _claim(self, live: Live, seat: Seat, tricks: int) -> None:
        who, version = claimant(live.table, seat), live.table.version
        if who is None:
            raise NotAllowed("claims are made during the play, by declarer or a defender")
        view = live.table.state.view(who)
        try:
            total, words = await self.talk.ask(
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
        """The next board of the deck (or the same once more); by chance where there is none."""
        table, state = live.table, live.table.state
        if state.phase != "over":
            raise NotAllowed("the board is not over")
        if again:
            self._add(live, Dealt(BoardText.of(state.board), state.seed, table.index))
            return
        seed, index, version = secrets.randbits(48), table.index + 1, table.version
        number = state.board.number % 16 + 1
        if table.deck.boards:
            index %= len(table.deck.boards)
            board = table.deck.boards[index].board.board()
        elif table.deck.script:
            script = table.deck.script
            board = await by_script(script, number, seed, self.talk, self.patience.script)
            if live.table.version != version:
                raise NotAllowed("the table has moved on; look again")
        else:
            board = Board.random(number, seed)
        self._add(live, Dealt(BoardText.of(board), seed, index))

    async def _hint(self, live: Live, seat: Seat) -> Shown:
        table = live.table
        if pilot(table) != seat:
            raise NotAllowed("a hint is for the one whose turn it is")
        if seat in live.hinting:
            raise NotAllowed("the engine is still thinking about your last question")
        engines = table.settings.engines(seat)
        view = table.state.view(_acting_eye(table, seat))
        spec = engines.bidder if view.play is None else engines.player
        at = len(table.state.log)
        live.hinting.add(seat)
        try:
            found: dict[str, Any] = await self.think.ask(
                thinking.hint, spec, view, seconds=self.patience.hint
            )
        except TimeoutError:
            raise NotAllowed("the engine is still thinking; no hint this time") from None
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
            await self._robot(live)
        if live.table.settings.auction_only and live.table.judged is None:
            await self._judge(live)

    async def _judge(self, live: Live) -> None:
        """Score a board that ended with the auction."""
        table = live.table
        state, side = table.state, practising(table.settings.humans)
        posed = table.posed or Posed(BoardText.of(state.board))
        spec = table.settings.engines(Seat(side)).bidder
        try:
            found: Judged = await self.talk.ask(
                problems.judge, posed, state.board, state.contract, spec, side,
                table.settings.silent, seconds=self.patience.judge,
            )  # fmt: skip
        except (TimeoutError, WorkerError, BridgeError) as error:
            LOGGER.warning("table %s could not be scored: %s", live.name, error)
            return
        if live.table.state is state:
            self._add(live, found)

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
