"""A player at somebody else's table: one of our engines speaks the protocol as a client.
A small state machine over injected lines."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TypeVar

from overtrick.game import (
    Auction,
    BridgeError,
    Call,
    Decision,
    Hand,
    Meaning,
    Play,
    Seat,
    Systems,
    View,
)
from overtrick.game.view import Scoring
from overtrick.protocol.messages import (
    Bid,
    BoardLine,
    Cards,
    Connect,
    EndOfSession,
    ExplainCall,
    Garbage,
    Message,
    Notice,
    Plays,
    Ready,
    ReadyFor,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)
from overtrick.protocol.stream import Gone, Lines
from overtrick.protocol.thinking import Thinker
from overtrick.table import Occupant, excused, judged

LOGGER = logging.getLogger(__name__)
M = TypeVar("M", bound=Message)


class SeatRefused(ConnectionError):
    """The manager did not give us a seat; the text is its reason."""


class _Over(Exception):
    """The session has ended."""


class _Again(Exception):
    """A board begins: the next one, or this one again."""


@dataclass(frozen=True, slots=True)
class WantedSeat:
    """Where a player wants to sit; seat None lets the manager choose."""

    team: str
    seat: Seat | None = None
    version: int = 19
    lead_grace: float = 2.0  # seconds to wait for "to lead" before leading without it


class Client:
    """Plays boards over a connection until the session ends."""

    def __init__(self, lines: Lines, occupant: Occupant, place: WantedSeat, seed: int = 0) -> None:
        self.boards = 0
        self._lines = lines
        self._thinker = Thinker(occupant)
        self._place = place
        self._seed = seed
        self._seat = place.seat or Seat.NORTH
        self._scoring: Scoring = "imps"
        self._lead: bool = False  # a "to lead" line has come
        self._calls: list[tuple[Seat, Call, Meaning]] = []

    async def run(self) -> None:
        """Sit down and play to the end of the session; Gone when the connection breaks."""
        try:
            await self._sit()
            await self._await(StartOfBoard)
            while True:
                try:
                    await self._board()
                except _Again:
                    continue
                except BridgeError as error:
                    # The table went another way (a ruling, say): wait for the next board.
                    LOGGER.warning("lost the thread of the board: %s", error)
                await self._await(StartOfBoard)
        except _Over:
            return
        finally:
            self._lines.close()

    async def _sit(self) -> None:
        p = self._place
        info = self._thinker.occupant.system if p.version >= 19 else ""
        await self._lines.send(Connect(p.team, p.seat, p.version, info))
        try:
            seated = await self._await(Seated)
        except Gone as error:
            raise SeatRefused(str(error)) from None
        self._seat = seated.seat
        await self._ready("teams")
        teams = await self._await(Teams)
        if teams.scoring:
            self._scoring = teams.scoring
        await self._ready("start")

    async def _board(self) -> None:
        """One board from the deal to the timing line."""
        await self._ready("deal")
        board = await self._await(BoardLine)
        await self._ready("cards")
        hand = (await self._await(Cards)).hand
        self._calls, self._lead = [], False
        auction = await self._auction(Auction(board.dealer), board, hand)
        if auction.contract is not None:
            await self._play(auction, board, hand)
        self.boards += 1

    async def _auction(self, auction: Auction, board: BoardLine, hand: Hand) -> Auction:
        while not auction.is_over:
            seat = auction.turn
            if seat == self._seat:
                decision = await self._decide(self._view(auction, board, hand))
                call, meaning = decision.call, decision.meaning
                words = meaning.words if meaning.alert else ""
                await self._lines.send(Bid(seat, call, meaning.alert, words))
            else:
                await self._ready("bid", seat)
                bid = await self._await(Bid)
                call, meaning = bid.call, Meaning(bid.text or "not explained", alert=bid.alert)
            self._calls.append((seat, call, meaning))
            auction = auction.then(call)
        return auction

    async def _play(self, auction: Auction, board: BoardLine, hand: Hand) -> None:
        contract = auction.contract
        assert contract is not None
        play = Play.of(contract)
        dummy: Hand | None = None
        while not play.is_over:
            trick = play.tricks_played + 1
            turn = play.turn
            if play.controller == self._seat:
                if not play.trick.cards:
                    await self._wait_to_lead()
                view = self._view(auction, board, hand, play, dummy)
                card = (await self._decide(view)).card
                await self._lines.send(Plays(turn, card))
            else:
                name = None if turn == play.dummy else turn
                if self._lines.quirks.dummy_by_name:
                    name = turn
                await self._ready("card", name, trick)
                card = (await self._await(Plays)).card
            play = play.then(card)
            if dummy is None:
                if self._seat == play.dummy:
                    dummy = hand
                else:
                    await self._ready("dummy")
                    dummy = (await self._await(Cards)).hand

    def _view(
        self,
        auction: Auction,
        board: BoardLine,
        hand: Hand,
        play: Play | None = None,
        dummy: Hand | None = None,
    ) -> View:
        meanings = tuple(m if s.side != self._seat.side else None for s, _, m in self._calls)
        return View(
            self._seat,
            hand,
            auction,
            board.vul,
            number=board.number,
            scoring=self._scoring,
            systems=Systems(self._thinker.occupant.system, ""),
            meanings=meanings,
            play=play,
            dummy=dummy,
            table_seed=self._seed,
        )

    async def _decide(self, view: View) -> Decision:
        """The engine's decision; the director's own when it fails or would be illegal."""
        try:
            decision = await self._thinker.decide(view, None)
        except Exception as error:  # an engine must not take the client down with it
            LOGGER.exception("%s failed", self._thinker.occupant.name)
            return excused(error, view, None)[0]
        return judged(decision, view)[0]

    async def _ready(
        self, what: ReadyFor, of: Seat | None = None, trick: int | None = None
    ) -> None:
        await self._lines.send(Ready(self._seat, what, of, trick))

    async def _wait_to_lead(self) -> None:
        """The manager says when to lead; one that does not is not waited for long."""
        if not self._lead:
            try:
                async with asyncio.timeout(self._place.lead_grace):
                    await self._await(ToLead)
            except TimeoutError:
                pass
        self._lead = False

    async def _await(self, kind: type[M]) -> M:
        """Lines until one of this kind; a board may begin again at any time."""
        while True:
            message = await self._lines.receive()
            if isinstance(message, EndOfSession):
                raise _Over
            if isinstance(message, StartOfBoard) and kind is not StartOfBoard:
                raise _Again
            if isinstance(message, kind):
                return message
            if isinstance(message, ToLead):
                self._lead = True
            elif isinstance(message, ExplainCall):
                await self._lines.send(self._explained(message))
            elif isinstance(message, Notice) and message.kind in ("error", "disconnect"):
                if kind is Seated or message.kind == "disconnect":
                    raise Gone(message.text)
            elif not isinstance(message, Timing | Notice | Garbage | Teams):
                continue  # a line out of place: the journal has it, the next one may fit

    def _explained(self, question: ExplainCall) -> Message:
        for seat, call, meaning in reversed(self._calls):
            if (seat, call) == (question.seat, question.call) and seat == self._seat:
                return Bid(seat, call, meaning.alert, meaning.words)
        return Notice("error", "Error nothing to explain")
