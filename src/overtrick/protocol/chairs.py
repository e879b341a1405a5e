"""The chairs of a managed table: one of our engines, or a client on the network.
A chair never raises, whatever its occupant does."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from overtrick.game import Call, Decision, Meaning, Seat, View
from overtrick.protocol.journal import Journal
from overtrick.protocol.messages import (
    Bid,
    Connect,
    ExplainCall,
    Garbage,
    Message,
    Notice,
    Plays,
    Ready,
    ReadyFor,
)
from overtrick.protocol.stream import Gone, Lines
from overtrick.protocol.thinking import Thinker
from overtrick.table import Fault, Occupant, Ruling, TableState, excused, judged, rule

LOGGER = logging.getLogger(__name__)
_MAX_LINES = 3000  # of any kind in one board; a board needs some 200
_MAX_USELESS = 200  # lines of no use in one board before a client is shown the door


@dataclass(frozen=True, slots=True)
class ManagerPatience:
    """Seconds the manager waits, and how often it is lenient on one board.

    Whoever is late is warned first and has the same time once more, `warnings` times on a board;
    a client that has not acted on the board at all is not there to be warned. `restarts` is how
    often a client that lost the line during the auction may come back to it.
    """

    call: float = 180.0
    card: float = 180.0
    ready: float = 30.0
    greet: float = 10.0  # for the first line of a connection
    arrive: float | None = None  # for all seats to be taken at the beginning
    reconnect: float = 30.0
    restarts: int = 2
    warnings: int = 2

    def of(self, view: View) -> float:
        return self.call if view.play is None else self.card


class Chair(Protocol):
    """One seat of one room."""

    seat: Seat
    spent: float  # seconds of thought on this board
    total: float

    @property
    def system(self) -> str: ...

    async def ready(
        self, what: ReadyFor, of: Seat | None = None, trick: int | None = None
    ) -> None: ...

    async def tell(self, message: Message) -> None: ...

    async def act(self, state: TableState) -> tuple[Decision, Ruling | None]: ...


class EngineChair:
    """A chair with one of our own engines in it."""

    def __init__(self, seat: Seat, occupant: Occupant, patience: ManagerPatience) -> None:
        self.seat = seat
        self.spent = self.total = 0.0
        self._thinker = Thinker(occupant)
        self._patience = patience

    @property
    def system(self) -> str:
        return self._thinker.occupant.system

    async def ready(self, what: ReadyFor, of: Seat | None = None, trick: int | None = None) -> None:
        return

    async def tell(self, message: Message) -> None:
        return

    async def act(self, state: TableState) -> tuple[Decision, Ruling | None]:
        view = state.view()
        limit = self._patience.of(view)
        started = perf_counter()
        # Whatever an engine throws is ruled on: the board must go on.
        try:
            decision = await self._thinker.decide(view, limit)
        except Exception as error:
            if not isinstance(error, TimeoutError | ConnectionError):
                LOGGER.exception("%s failed", self._thinker.occupant.name)
            return excused(error, view, limit)
        finally:
            self.spent += perf_counter() - started
        return judged(decision, view)


class ClientChair:
    """A chair for a network client, which may be late, silent, confused or gone.

    A client is in step while it follows the board. When it misses a turn the director acts for
    it until the board is over; at the next "Start of board" it may be in step again.
    """

    def __init__(self, seat: Seat, room: str, patience: ManagerPatience, journal: Journal) -> None:
        self.seat = seat
        self.spent = self.total = 0.0
        self.who = f"{room} {seat.letter}"
        self.stream: Lines | None = None
        self.version = 18
        self.system = ""
        self.fresh = False  # seated, but not yet told who plays whom
        self.in_step = False
        self.lost = False  # the connection broke during this board
        self.waited_for = False  # the table has waited once for it to come back
        self.returns = 0  # to the auction of this board
        self.joined = asyncio.Event()
        self._patience = patience
        self._journal = journal
        self._seated = False
        self._alerts = False  # it has alerted itself, so it understands alerts
        self._useless = self._heard = 0
        self._warned = 0  # on this board
        self._acted = False  # on this board
        self._board = 0
        self._state: TableState | None = None
        self._absence = Fault.DISCONNECTED

    @property
    def present(self) -> bool:
        return self._seated and self._connected

    @property
    def vacant(self) -> bool:
        """May a new connection take this chair? Whoever is late keeps it while the line holds."""
        return not self._connected

    @property
    def _connected(self) -> bool:
        return self.stream is not None and not self.stream.is_closed

    def reserve(self, stream: Lines, hello: Connect) -> None:
        """The chair is kept for a connection while it is being greeted."""
        if self.stream is not None:
            self.stream.close()
        stream.who = self.who
        self.stream, self.version, self.system = stream, hello.version, hello.info
        self.fresh, self.in_step = True, False
        self._seated = False

    def sit(self) -> None:
        """The greeting has been sent: from now on the room talks to the client."""
        self._seated = True
        self.waited_for = False
        self.joined.set()

    def begin(self, board: int) -> None:
        """A board begins (or begins again)."""
        if board != self._board:
            self._warned, self._acted = 0, False
        self._board, self._state = board, None
        self._useless = self._heard = 0
        self.lost = False
        self.in_step = self.present and not self.fresh
        if not self.present:
            self._absence = Fault.DISCONNECTED

    async def wait_back(self, seconds: float) -> bool:
        """Wait so long for a client to come (back); once for each time it goes."""
        if self.present or self.waited_for:
            return self.present
        self.waited_for = True
        self.joined.clear()
        try:
            await asyncio.wait_for(self.joined.wait(), seconds)
        except TimeoutError:
            return False
        return True

    @property
    def wants_alerts(self) -> bool:
        wish = self.stream.quirks.alerts if self.stream is not None else "never"
        return wish == "always" or (wish == "auto" and (self.version >= 19 or self._alerts))

    async def ready(self, what: ReadyFor, of: Seat | None = None, trick: int | None = None) -> None:
        """Wait until the client asks for this."""
        stream = self.stream
        if not self.in_step or stream is None:
            return
        wanted = Ready(self.seat, what, of, trick)
        try:
            async with asyncio.timeout(self._patience.ready):
                while not _answers(message := await self._next(stream), wanted):
                    if not (isinstance(message, Ready) and message.what == "start"):
                        self._ignore(stream, Fault.UNEXPECTED, f"{message}, waiting for {what}")
        except TimeoutError:
            self._out_of_step(Fault.LATE, f"not ready for {what}")
        except Gone as error:
            self._gone(stream, error)

    async def tell(self, message: Message) -> None:
        """Send a line, unless the client has lost its place on this board."""
        stream = self.stream
        if not self.in_step or stream is None:
            return
        try:
            await stream.send(message)
        except Gone as error:
            self._gone(stream, error)

    async def act(self, state: TableState) -> tuple[Decision, Ruling | None]:
        """The client's call or card, or what the director rules instead."""
        view, stream = state.view(), self.stream
        self._state = state
        if not self.in_step or stream is None:
            return rule(view, self._absence, "the director acts for this seat on this board")
        started = perf_counter()
        limit = self._patience.of(view)
        try:
            decision = await self._in_time(state, stream, limit)
        except TimeoutError:
            self._out_of_step(Fault.LATE, "")
            return rule(view, Fault.LATE, f"more than {limit:g} s")
        except Gone as error:
            self._gone(stream, error)
            return rule(view, Fault.DISCONNECTED, str(error))
        finally:
            self.spent += perf_counter() - started
        answer, ruling = judged(decision, view)
        if ruling is not None:
            what = "bid" if view.play is None else "card"
            await self.tell(Notice("illegal", f"Illegal {what}"))
            self._out_of_step(Fault.ILLEGAL, "")
        self._acted = True
        return answer, ruling

    async def _in_time(self, state: TableState, stream: Lines, limit: float) -> Decision:
        """The client's action; one that is late is warned, and acts a little later."""
        action = asyncio.ensure_future(self._action(state, stream))
        try:
            while True:
                done, _ = await asyncio.wait({action}, timeout=limit)
                if done:
                    return action.result()
                if not self._acted or self._warned >= self._patience.warnings:
                    raise TimeoutError
                self._warned += 1
                late = Ruling(self.seat, Fault.LATE, f"more than {limit:g} s", "a warning")
                self._journal.ruling(self.who, self._board, late)
        finally:
            action.cancel()

    async def repeat(self, state: TableState, call: Call) -> None:
        """A call this client made before it lost the line; another one does not count."""
        stream = self.stream
        if not self.in_step or stream is None:
            return
        try:
            async with asyncio.timeout(self._patience.call):
                decision = await self._action(state, stream)
        except TimeoutError:
            self._out_of_step(Fault.LATE, "did not repeat its calls")
        except Gone as error:
            self._gone(stream, error)
        else:
            if decision.action != call:
                said = f"{decision.action.ascii} now, {call.ascii} before"
                self._out_of_step(Fault.UNEXPECTED, said)

    async def _action(self, state: TableState, stream: Lines) -> Decision:
        while True:
            message = await self._next(stream)
            if isinstance(message, Bid) and state.play is None and message.seat == self.seat:
                self._alerts |= message.alert and bool(message.text)
                words = message.text or ("alerted without words" if message.alert else "")
                meaning = Meaning(words or "not explained", alert=message.alert)
                return Decision(message.call, meaning, engine=self.who)
            # Some name dummy's seat, some say dummy, some name themselves: the card decides.
            if (
                isinstance(message, Plays)
                and state.play is not None
                and message.seat in (state.play.turn, None, self.seat)
            ):
                meaning = Meaning(message.text or "not explained")
                return Decision(message.card, meaning, engine=self.who)
            self._ignore(stream, Fault.UNEXPECTED, f"{message}, waiting for an action")

    async def _next(self, stream: Lines) -> Message:
        """The next line of use: garbage is noted, questions are answered."""
        while True:
            message = await stream.receive()
            self._heard += 1
            if self._heard > _MAX_LINES:
                stream.close()
                raise Gone(f"more than {_MAX_LINES} lines on one board")
            if isinstance(message, Garbage):
                self._ignore(stream, Fault.UNREADABLE, f"{message.text[:80]!r}: {message.why}")
            elif isinstance(message, ExplainCall):
                await stream.send(self._explained(message))
            elif isinstance(message, Notice) and message.kind == "disconnect":
                stream.close()
                raise Gone("the client said goodbye")
            elif not isinstance(message, Notice) or message.kind != "ignore":
                return message

    def _explained(self, question: ExplainCall) -> Message:
        """The answer to a version 19 question: only about the opponents' calls."""
        state = self._state
        if state is not None and question.seat.side != self.seat.side:
            for i in reversed(range(len(state.auction))):
                if state.auction.seat_of(i) == question.seat and (
                    state.auction.calls[i] == question.call
                ):
                    words = state.meanings[i].words
                    return Bid(question.seat, question.call, False, words or "not explained")
        return Notice("error", "Error nothing to explain")

    def _ignore(self, stream: Lines, fault: Fault, detail: str) -> None:
        self._useless += 1
        self._journal.ruling(
            self.who, self._board, Ruling(self.seat, fault, detail[:300], "the line is ignored")
        )
        if self._useless > _MAX_USELESS:
            stream.close()
            raise Gone(f"more than {_MAX_USELESS} useless lines on one board")

    def _out_of_step(self, fault: Fault, detail: str) -> None:
        """The client has lost its place; it is journalled here when no action was ruled on."""
        self.in_step = False
        self._absence = fault
        if detail:
            ruled = "the director acts for this seat on this board"
            self._journal.ruling(self.who, self._board, Ruling(self.seat, fault, detail, ruled))

    def _gone(self, stream: Lines, error: Gone) -> None:
        stream.close()
        if stream is not self.stream:
            return  # somebody else has the chair already; it is theirs
        self.lost = True
        self._out_of_step(Fault.DISCONNECTED, str(error))


def _answers(message: Message, wanted: Ready) -> bool:
    """Does the line say what was waited for? Dummy's card may be asked for by seat or as dummy."""
    if not isinstance(message, Ready):
        return False
    if message.seat != wanted.seat or message.what != wanted.what:
        return False
    if message.trick is not None and wanted.trick is not None and message.trick != wanted.trick:
        return False
    return wanted.of is None or message.of is None or message.of == wanted.of


def relayed(chair: Chair, seat: Seat, decision: Decision) -> Bid:
    """A call as this chair may hear it: words only for opponents who understand them."""
    assert isinstance(decision.action, Call)
    bare = Bid(seat, decision.action)
    if chair.seat.side == seat.side or not isinstance(chair, ClientChair):
        return bare
    meaning = decision.meaning
    if not chair.wants_alerts or meaning.words in ("", "not explained"):
        return bare
    if not meaning.alert and chair.version < 19:
        return bare
    return Bid(seat, decision.action, meaning.alert, meaning.words)
