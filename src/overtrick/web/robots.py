"""What robots do at a live table: scripted calls, calls, cards within a time, a stand-in.
Thinking itself is done in the worker processes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass
from time import perf_counter

from overtrick.bidding import BIDDERS
from overtrick.cardplay import PLAYERS
from overtrick.cardplay.simple import at_once
from overtrick.engines.terms import Cost
from overtrick.game import Decision, Seat, Systems, View
from overtrick.web import problems, thinking
from overtrick.web.events import Table
from overtrick.web.problems import practising
from overtrick.web.tempo import Tempo, beat, blur, moment, rest
from overtrick.web.workers import URGENT, Until, Workers

LOGGER = logging.getLogger(__name__)
_REMEMBERED = 4000  # positions
_SEARCHES = 0.5  # of the time for a call a slow bidder may search
_Position = tuple[str, int, str, Systems]
_STAND_IN = "rules(system=two-over-one)"  # bids for an engine that is late


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds an engine has: for a call, a card, a hint, a meaning, a claim, a script.

    A card is planned to take `soft` seconds, waiting included, and after `hard` seconds one is
    played by rule; `card` is when a process that still thinks is given up. Whoever chose a player
    that is stronger and slower waits `slower` times as long.
    """

    call: float = 4.0
    card: float = 8.0
    soft: float = 1.1
    hard: float = 1.6
    slower: float = 3.0
    hint: float = 20.0
    meaning: float = 10.0
    claim: float = 10.0
    script: float = 6.0
    judge: float = 15.0
    trouble: float = 2.0  # between two attempts to write what could not be written
    grace: float = 0.7  # a robot holds its card back among people, who may take theirs back
    tempo: float = 1.0  # how long its beats are; at 0 a robot acts as soon as it can

    def times(self, cost: Cost) -> float:
        """How many times as long an engine of this cost is waited for."""
        return self.slower if cost is Cost.SLOW else 1.0


class Robots:
    """The processes that talk (calls, meanings) and those that think (cards, searches).

    What a robot does in a position is remembered: at every table that plays the same board it
    does the same, and it thinks once. When its answer is shown follows from what everybody sees.
    """

    def __init__(self, talk: Workers, think: Workers) -> None:
        self.talk, self.think = talk, think
        self._known: OrderedDict[_Position, asyncio.Task[Decision]] = OrderedDict()
        self._tempo = Tempo()

    async def answer(self, table: Table, view: View, patience: Patience) -> Decision:
        """What a robot does: by the problem's script, or by its engine, and never much too late."""
        if view.play is None and (calls := _scripted(table, view.seat)) is not None:
            return problems.scripted(calls, view.auction)
        engines = table.settings.engines(view.seat)
        spec = engines.bidder if view.play is None else engines.player
        usual = 0.5 if _cost(spec, view) is Cost.INSTANT else 1.5
        pace = patience.tempo * self._tempo.pace(spec, table.state.seed, usual)
        step, clock = beat(moment(view), pace), asyncio.get_running_loop().time
        began = clock()
        found = await self._found(spec, view, patience, step)
        await asyncio.sleep(rest(clock() - began, step) + (blur() if step else 0.0))
        return found

    async def _found(self, spec: str, view: View, patience: Patience, step: float) -> Decision:
        """What it did here before, or what it thinks of; a card when there was no time to think.

        Time until the first beat costs nobody anything, so it may always be used.
        """
        key = (spec, view.seed, view.scoring, view.systems)
        task = self._known.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            thought = self._thought(spec, view, patience)
            task = self._known[key] = asyncio.create_task(thought)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        if view.play is None:
            return await asyncio.shield(task)
        limit = max(patience.times(_cost(spec, view)) * patience.hard, 0.9 * step)
        try:
            return await asyncio.wait_for(asyncio.shield(task), limit)
        except TimeoutError:
            LOGGER.warning("%s had no time to think", view.seat)
            return at_once(view)

    async def _thought(self, spec: str, view: View, patience: Patience) -> Decision:
        began = perf_counter()
        if view.play is None:
            found = await self._bid(spec, view, patience.call)
        else:
            longer = patience.times(_cost(spec, view))
            found = await self.think.ask(
                thinking.decide_by, spec, view, Until(began + longer * patience.soft),
                seconds=patience.card, priority=URGENT,
            )  # fmt: skip
        self._tempo.learn(spec, moment(view), perf_counter() - began)
        return found

    async def _bid(self, spec: str, view: View, seconds: float) -> Decision:
        """A call; bidders that search think with the card players, and a plain one stands in."""
        quick = _cost(spec, view) is not Cost.SLOW
        workers = self.talk if quick else self.think
        within = None if quick else _SEARCHES * seconds
        try:
            found: Decision = await workers.ask(
                thinking.decide, spec, view, within, seconds=seconds, priority=URGENT
            )
        except TimeoutError:
            if quick:
                raise
            found = await self.talk.ask(
                thinking.decide, _STAND_IN, view, seconds=seconds, priority=URGENT
            )
        return found


def _cost(spec: str, view: View) -> Cost:
    """What the engine's next decision costs."""
    return (BIDDERS if view.play is None else PLAYERS).cost(spec)


def _scripted(table: Table, seat: Seat) -> tuple[str, ...] | None:
    """The calls an opponent has been told to make; None when he bids for himself."""
    if seat & 1 == practising(table.settings.humans):
        return None
    posed = table.posed
    if posed is not None and posed.awards:
        return posed.opponents
    return () if table.settings.silent else None
