"""What robots do at a live table: scripted calls, calls, cards within a time, a stand-in.
Thinking itself is done in the worker processes."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict, deque
from dataclasses import dataclass
from time import perf_counter

from overtrick.game import Decision, Seat, Systems, View
from overtrick.web import problems, thinking
from overtrick.web.events import Engines, Table
from overtrick.web.pacing import at_once
from overtrick.web.problems import practising
from overtrick.web.workers import URGENT, Until, Workers

LOGGER = logging.getLogger(__name__)
_QUICK_BIDDERS = ("partner", "rules", "points", "pass")
_QUICK_PLAYERS = ("pimc", "highest", "random")
_REMEMBERED = 4000  # positions
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


class Robots:
    """The processes that talk (calls, meanings) and those that think (cards, searches).

    What a robot does in a position is remembered: at every table that plays the same board it
    does the same, and it thinks once.
    """

    def __init__(self, talk: Workers, think: Workers) -> None:
        self.talk, self.think = talk, think
        self._known: OrderedDict[_Position, asyncio.Task[Decision]] = OrderedDict()
        self._tempo: deque[float] = deque(maxlen=60)  # seconds that choices took lately

    async def answer(self, table: Table, view: View, patience: Patience) -> Decision:
        """What a robot does: by the problem's script, or by its engine, and never much too late."""
        if view.play is None and (calls := _scripted(table, view.seat)) is not None:
            return problems.scripted(calls, view.auction)
        engines = table.settings.engines(view.seat)
        spec = engines.bidder if view.play is None else engines.player
        key = (spec, view.seed, view.scoring, view.systems)
        task = self._known.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            thought = self._thought(engines, view, patience)
            task = self._known[key] = asyncio.create_task(thought)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        if view.play is None:
            return await asyncio.shield(task)
        began = perf_counter()
        try:
            longer = 1.0 if spec.startswith(_QUICK_PLAYERS) else patience.slower
            found = await asyncio.wait_for(asyncio.shield(task), longer * patience.hard)
        except TimeoutError:
            LOGGER.warning("%s had no time to think", view.seat)
            return at_once(view)
        await asyncio.sleep(self._held_back(view, perf_counter() - began))
        return found

    def _held_back(self, view: View, spent: float) -> float:
        """For how many seconds a card waits. One without a choice takes as long as others took: how
        fast it comes tells nothing. Dummy's cards everybody sees."""
        if view.play is None or view.play.turn == view.play.dummy:
            return 0.0
        if len(view.legal_cards()) > 1:
            self._tempo.append(spent)
            return 0.0
        return max(0.0, secrets.choice(self._tempo) - spent) if self._tempo else 0.0

    async def _thought(self, engines: Engines, view: View, patience: Patience) -> Decision:
        if view.play is None:
            return await self._bid(engines.bidder, view, patience.call)
        longer = 1.0 if engines.player.startswith(_QUICK_PLAYERS) else patience.slower
        ends = perf_counter() + longer * patience.soft
        found: Decision = await self.think.ask(
            thinking.decide_by, engines.player, view, Until(ends), seconds=patience.card,
            priority=URGENT,
        )  # fmt: skip
        return found

    async def _bid(self, spec: str, view: View, seconds: float) -> Decision:
        """A call; bidders that search think with the card players, and a plain one stands in."""
        quick = spec.startswith(_QUICK_BIDDERS)
        workers = self.talk if quick else self.think
        try:
            found: Decision = await workers.ask(
                thinking.decide, spec, view, seconds=seconds, priority=URGENT
            )
        except TimeoutError:
            if quick:
                raise
            found = await self.talk.ask(
                thinking.decide, _STAND_IN, view, seconds=seconds, priority=URGENT
            )
        return found


def _scripted(table: Table, seat: Seat) -> tuple[str, ...] | None:
    """The calls an opponent has been told to make; None when he bids for himself."""
    if seat & 1 == practising(table.settings.humans):
        return None
    posed = table.posed
    if posed is not None and posed.awards:
        return posed.opponents
    return () if table.settings.silent else None
