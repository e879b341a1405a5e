"""One room of a session: four chairs, the boards in order, the dialogue of the protocol.
A room never waits for the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from overtrick.game import Board, Decision, Seat
from overtrick.game.view import Scoring
from overtrick.protocol.chairs import Chair, ClientChair, ManagerPatience, relayed
from overtrick.protocol.journal import Journal
from overtrick.protocol.messages import (
    BoardLine,
    Cards,
    EndOfSession,
    Plays,
    RoomName,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)
from overtrick.table import Fault, Ruling, TableState

Report = Callable[["ManagedRoom", TableState], None]


@dataclass(frozen=True, slots=True)
class Programme:
    """What a room plays: boards, the two teams, and how it is scored."""

    name: RoomName
    boards: tuple[Board, ...]
    ns: str
    ew: str
    scoring: Scoring = "imps"
    seed: int = 0


class ManagedRoom:
    """Plays its boards to the end, whatever the clients do."""

    def __init__(
        self,
        programme: Programme,
        chairs: Sequence[Chair],
        patience: ManagerPatience,
        journal: Journal,
        report: Report = lambda room, state: None,
    ) -> None:
        self.programme = programme
        self.chairs = chairs
        self.results: list[TableState] = []
        self.restarts = 0  # times that a client came back during an auction
        self._patience = patience
        self._journal = journal
        self._report = report

    @property
    def clients(self) -> list[ClientChair]:
        return [c for c in self.chairs if isinstance(c, ClientChair)]

    async def run(self) -> None:
        """All boards, then "End of session"."""
        await self._arrivals()
        for board in self.programme.boards:
            state = await self._board(board)
            self.results.append(state)
            self._note(f"board {board.number} finished", score=state.score(), board=board.number)
            self._report(self, state)
        for chair in self.clients:
            chair.in_step = chair.present  # also those who had lost their place
        await self._all(c.tell(EndOfSession()) for c in self.chairs)
        for chair in self.clients:
            if chair.stream is not None:
                chair.stream.close()

    async def _arrivals(self) -> None:
        """Wait for every seat to be taken, within reason."""
        waiting = [c.joined.wait() for c in self.clients if not c.present]
        if waiting:
            try:
                await asyncio.wait_for(asyncio.gather(*waiting), self._patience.arrive)
            except TimeoutError:
                self._note("not all seats are taken; the director acts for the empty ones")

    async def _board(self, board: Board) -> TableState:
        """One board to its end. Whoever loses the line during the auction and comes back is told it
        again, and has to make the same calls: nobody begins a board anew by hanging up."""
        await self._all(self._settle(c) for c in self.clients)
        for client in self.clients:
            client.begin(board.number)
            client.returns = 0
        for chair in self.chairs:
            chair.spent = 0.0
        await self._open(board, self.chairs)
        p = self.programme
        systems = (self.chairs[0].system, self.chairs[1].system)
        state = TableState.start(board, systems=systems, scoring=p.scoring, seed=p.seed)
        while state.phase != "over":
            step = self._call if state.phase == "auction" else self._card
            state = await step(state)
        await self._close()
        return state

    async def _settle(self, chair: ClientChair) -> None:
        """Before a board: give a lost client time to return, tell a new one who plays whom."""
        await chair.wait_back(self._patience.reconnect)
        await self._introduce(chair)

    async def _introduce(self, chair: ClientChair) -> None:
        if chair.present and chair.fresh:
            chair.in_step = True
            await chair.ready("teams")
            scoring = self.programme.scoring if chair.version >= 19 else ""
            await chair.tell(Teams(self.programme.ns, self.programme.ew, scoring))
            await chair.ready("start")
            chair.fresh = not chair.in_step

    async def _returned(self, state: TableState) -> list[ClientChair]:
        """Clients that went during this auction, came back in time and have followed it again."""
        lost = [c for c in self.clients if c.lost]
        if not lost:
            return []
        await asyncio.gather(*(c.wait_back(self._patience.reconnect) for c in lost))
        back = []
        for chair in lost:
            chair.lost = False
            if chair.present and chair.returns < self._patience.restarts:
                chair.returns += 1
                await self._retell(chair, state)
                if chair.in_step:
                    back.append(chair)
        self.restarts += len(back)
        return back

    async def _retell(self, chair: ClientChair, state: TableState) -> None:
        """The auction so far, for one client; its own calls it has to make once more."""
        await self._introduce(chair)
        chair.begin(state.board.number)
        self._note(f"{chair.who} is back and hears the auction again", board=state.board.number)
        await self._open(state.board, [chair])
        for i, call in enumerate(state.auction):
            maker = state.auction.seat_of(i)
            if maker == chair.seat:
                await chair.repeat(state, call)
            else:
                await chair.ready("bid", maker)
                await chair.tell(relayed(chair, maker, state.log[i].decision))

    async def _open(self, board: Board, chairs: Sequence[Chair]) -> None:
        await self._all(c.tell(StartOfBoard()) for c in chairs)
        await self._all(c.ready("deal") for c in chairs)
        for chair in chairs:
            v19 = isinstance(chair, ClientChair) and chair.version >= 19
            room = self.programme.name if v19 else ""
            await chair.tell(BoardLine(board.number, board.dealer, board.vul, room))
        await self._all(c.ready("cards") for c in chairs)
        await self._all(c.tell(Cards(c.seat, board.deal[c.seat])) for c in chairs)

    async def _call(self, state: TableState) -> TableState:
        seat = state.actor
        others = [c for c in self.chairs if c.seat != seat]
        asking: Sequence[Chair] = others
        while True:
            decision, elapsed, ruling = await self._acted(
                state, [c.ready("bid", seat) for c in asking]
            )
            back = await self._returned(state)
            await self._all(c.ready("bid", seat) for c in back if c.seat != seat)
            gone = ruling is not None and ruling.fault is Fault.DISCONNECTED
            if not (gone and self.chairs[seat] in back):
                break
            asking = []  # they wait already
        self._ruled(state, ruling)
        await self._all(c.tell(relayed(c, seat, decision)) for c in others)
        return state.after(decision, elapsed, ruling)

    async def _card(self, state: TableState) -> TableState:
        play = state.play
        assert play is not None
        turn, controller, trick = play.turn, state.actor, play.tricks_played + 1
        if not play.trick.cards:
            lead = ToLead(None if turn == play.dummy else turn)
            await self.chairs[controller].tell(lead)
        others = [c for c in self.chairs if c.seat != controller]
        decision, elapsed, ruling = await self._acted(
            state, [c.ready("card", turn, trick) for c in others]
        )
        self._ruled(state, ruling)
        await self._all(c.tell(Plays(turn, decision.card)) for c in others)
        if not play.cards:
            await self._show_dummy(state, play.dummy)
        after = state.after(decision, elapsed, ruling)
        if after.play is not None and not after.play.trick.cards:
            await self._all(_breathe(c) for c in self.clients)
        return after

    async def _show_dummy(self, state: TableState, dummy: Seat) -> None:
        seeing = [c for c in self.chairs if c.seat != dummy]
        await self._all(c.ready("dummy") for c in seeing)
        hand = state.board.deal[dummy]
        await self._all(c.tell(Cards(None, hand)) for c in seeing)

    async def _acted(
        self, state: TableState, readies: list[Coroutine[Any, Any, None]]
    ) -> tuple[Decision, float, Ruling | None]:
        """The action of whoever has to act, while the others ask for it."""
        actor = self.chairs[state.actor]
        started = perf_counter()
        (decision, ruling), *_ = await asyncio.gather(actor.act(state), *readies)
        return decision, 1000 * (perf_counter() - started), ruling

    def _ruled(self, state: TableState, ruling: Ruling | None) -> None:
        if ruling is not None:
            who = f"{self.programme.name} {state.actor.letter}"
            self._journal.ruling(who, state.board.number, ruling)

    async def _close(self) -> None:
        for chair in self.chairs:
            chair.total += chair.spent
        n, e, s, w = self.chairs
        timing = Timing(
            int(n.spent + s.spent), int(n.total + s.total),
            int(e.spent + w.spent), int(e.total + w.total),
        )  # fmt: skip
        await self._all(c.tell(timing) for c in self.chairs)

    @staticmethod
    async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
        await asyncio.gather(*work)

    def _note(self, text: str, **more: Any) -> None:
        self._journal.event(self.programme.name, text, **more)


async def _breathe(chair: ClientChair) -> None:
    """A pause after a trick for clients that cannot take lines back to back."""
    if chair.in_step and chair.stream is not None and chair.stream.quirks.trick_delay:
        await asyncio.sleep(chair.stream.quirks.trick_delay)
