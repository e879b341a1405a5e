"""What happens at a table by itself: robots act, forced cards are played, boards that are over are
scored. One task a table."""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter
from typing import Protocol

from overtrick.game import BridgeError, Card, Decision, Meaning, Seat
from overtrick.table import Entry, Ruling, TableState, excused, judged
from overtrick.web import problems
from overtrick.web.club import Club
from overtrick.web.contests import ROBOT, Contest, Sat, line_of
from overtrick.web.events import (
    BoardText,
    Judged,
    Posed,
    Table,
    TableEvent,
    Unranked,
    entry_out,
)
from overtrick.web.problems import practising
from overtrick.web.robots import Patience, Robots
from overtrick.web.seated import Live
from overtrick.web.showing import (
    forced,
    people,
    pilot,
)
from overtrick.web.store import LogError
from overtrick.web.workers import WorkerError, Workers

LOGGER = logging.getLogger(__name__)


class House(Protocol):
    """What the runner needs of whoever keeps the tables."""

    robots: Robots
    patience: Patience
    club: Club
    study: Workers

    def add(self, live: Live, event: TableEvent) -> None: ...

    def show(self, live: Live) -> None: ...


class Runner:
    """Moves the robots of every table."""

    def __init__(self, room: House) -> None:
        self.room = room

    def move(self, live: Live) -> None:
        """See to it that the robots of a table act, if it is their turn."""
        if live.task is None or live.task.done():
            live.task = asyncio.create_task(self._drive(live))

    async def _drive(self, live: Live) -> None:
        """Let the robots act; while nothing can be kept, the table waits and says why."""
        # The other room begins with the play: tables that are opened and left cost nothing.
        if live.table.contest and live.table.state.play is not None and not live.table.event:
            self.room.club.begin(live.table.contest, live.table.index)
        while True:
            try:
                await self._robots_act(live)
                state = live.table.state
                await self._wind_up(live)
                if live.table.state is state:  # else the next board has been dealt meanwhile
                    return
            except LogError:
                self.room.show(live)
                await asyncio.sleep(self.room.patience.trouble)

    async def _robots_act(self, live: Live) -> None:
        while live.table.state.phase != "over":
            alone = forced(live.table)
            if alone is not None:
                await asyncio.sleep(0.05)
                if forced(live.table) == alone and not live.lock.locked():
                    seat = pilot(live.table)
                    assert seat is not None
                    decision = Decision(Card(alone), Meaning("forced"), engine="table")
                    self.room.add(live, entry_out(Entry(seat, decision), ""))
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
            self.score(live)

    def score(self, live: Live) -> None:
        """Enter a finished board on the score sheet, the first time it is finished."""
        table = live.table
        contest, index = self.room.club.find(table.contest), table.index
        unranked = _unranked(contest, live)
        line = line_of(table.state, table.helped, table.side, unranked, sat_at(table))
        self.room.club.score(table.contest, live.name, index, line)
        if not table.event:
            self.room.club.begin(table.contest, index)
        if self.room.club.find(table.contest).results != contest.results:
            self.room.show(live)

    async def _judge(self, live: Live) -> None:
        """Score a board that ended with the auction."""
        table = live.table
        state, side = table.state, practising(table.settings.humans)
        posed = table.posed or Posed(BoardText.of(state.board))
        spec = table.settings.engines(Seat(side)).bidder
        try:
            found: Judged = await self.room.study.ask(
                problems.judge, posed, state.board, state.contract, spec, side,
                table.settings.silent, seconds=self.room.patience.judge,
            )  # fmt: skip
        except (TimeoutError, WorkerError, BridgeError) as error:
            LOGGER.warning("table %s could not be scored: %s", live.name, error)
            return
        if live.table.state is state:
            self.room.add(live, found)

    async def _hold(self, live: Live) -> None:
        """Among people a robot waits a moment with its card: what it shows cannot be taken back."""
        table = live.table
        if table.state.play is not None and len(people(table)) > 1 and table.by and table.by[-1]:
            await asyncio.sleep(self.room.patience.grace)

    async def _robot(self, live: Live) -> None:
        state = live.table.state
        view, started = state.view(), perf_counter()
        decision: Decision
        ruling: Ruling | None
        try:
            answer = await self.room.robots.answer(live.table, view, self.room.patience)
            decision, ruling = judged(answer, view)
        except (TimeoutError, WorkerError, BridgeError) as error:
            limit = self.room.patience.call if view.play is None else self.room.patience.card
            decision, ruling = excused(error, view, limit)
        spent = 1000 * (perf_counter() - started)
        if _stale(live.table, state):
            return
        if ruling is not None:
            LOGGER.warning("table %s: %s", live.name, ruling)
        self.room.add(live, entry_out(Entry(view.seat, decision, spent, ruling), ""))


def _stale(table: Table, state: TableState) -> bool:
    """Has a robot thought in vain? Somebody undid, the board was dealt again, or a person has come
    to the seat."""
    return table.state is not state or pilot(table) is not None


def _unranked(contest: Contest, live: Live) -> Unranked:
    """Why a board does not count for this table; empty when it does."""
    table = live.table
    if table.chosen or contest.founded.chosen:
        return "chosen"
    if table.sights.knowing:
        return "known"
    return "twice" if contest.twice(table.seated, live.name, table.index) else ""


def sat_at(table: Table) -> Sat:
    """Who sits where, and under which name; a robot by the engines that act for it."""
    keys, names = [], []
    for seat in Seat:
        holder = table.holder(seat.letter)
        if table.is_human(seat) and holder:
            keys.append(table.person(holder))
            names.append(table.names.get(seat.letter, ""))
        else:
            engines = table.settings.engines(seat)
            keys.append(f"{ROBOT}{engines.bidder} {engines.player}")
            names.append("")
    return tuple(keys), tuple(names)
