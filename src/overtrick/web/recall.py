"""What was thought at a table, as it was thought: robots' decisions from the board's events,
opinions for people from the log beside them. Shown when a board is over: hidden hands are in it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from time import perf_counter
from typing import Final

import msgspec

from overtrick.game import Call, Decision, View
from overtrick.table import Entry
from overtrick.web import thinking
from overtrick.web.coaching import considered
from overtrick.web.events import Acted, Dealt, Opened, Table, Undone, replayed
from overtrick.web.meanings import in_short
from overtrick.web.opinions import KEPT_UNDER, Opinion
from overtrick.web.reviewed import ThoughtShown
from overtrick.web.sentences import of
from overtrick.web.store import Log
from overtrick.web.workers import Workers

_TABLES: Final = 500  # whose opinions can be found without reading the log
_MOST: Final = 3000  # opinions kept of one table; what is asked after that is thought anew
_FEW: Final = 10  # events that are read before others have their turn
_TURNS: Final = 2.0  # times as long as they took
_NOBODY: Final = ("human", "table", "you")  # engines that did not think

Places = dict[tuple[str, int], int]


class Recall:
    """Opinions are asked for once: whoever asks again, at the table or in the review, hears the
    same."""

    def __init__(self, log: Log, think: Workers) -> None:
        self._log, self._think = log, think
        self._places: OrderedDict[str, Places] = OrderedDict()

    def known(self, table: str, spec: str, view: View) -> Opinion | None:
        """What was thought of this position at this table, if anybody asked."""
        number = self._of(table).get((spec, view.seed))
        if number is None:
            return None
        found = self._log.events(table + KEPT_UNDER, number - 1, 1)
        return found[0] if found and isinstance(found[0], Opinion) else None

    async def opinion(self, table: str, spec: str, view: View, seconds: float) -> Opinion:
        """An engine's opinion of a position, kept before it is told."""
        known = self.known(table, spec, view)
        if known is not None:
            return known
        found: Opinion = await self._think.ask(thinking.opinion, spec, view, seconds=seconds)
        places = self._of(table)
        if len(places) < _MOST and (spec, view.seed) not in places:
            number = len(places) + 1
            self._log.add(table + KEPT_UNDER, number, found)
            places[spec, view.seed] = number
        return found

    def _of(self, table: str) -> Places:
        places = self._places.get(table)
        if places is None:
            kept = self._log.events(table + KEPT_UNDER)
            places = {
                (o.engine, o.position): n
                for n, o in enumerate(kept, 1)
                if isinstance(o, Opinion)
            }  # fmt: skip
            self._places[table] = places
            while len(self._places) > _TABLES:
                self._places.popitem(last=False)
        self._places.move_to_end(table)
        return places

    async def board(self, name: str, number: int) -> tuple[Table, tuple[Acted, ...]] | None:
        """A board that a table has played, as it ended, with the events that made it."""
        table: Table | None = None
        acted: tuple[Acted, ...] = ()
        while True:
            began, after = perf_counter(), table.version if table else 0
            events = self._log.events(name, after, _FEW)
            for event in events:
                if isinstance(event, Dealt) and table is not None and table.boards == number:
                    return table, acted
                if isinstance(event, Opened | Dealt):
                    acted = ()
                elif isinstance(event, Acted):
                    acted = (*acted, event)
                elif isinstance(event, Undone):
                    acted = acted[: event.keep]
                table = replayed(table, event)  # type: ignore[arg-type]
            if len(events) < _FEW:
                return (table, acted) if table is not None and table.boards == number else None
            await asyncio.sleep(_TURNS * (perf_counter() - began))

    def thoughts(self, name: str, table: Table, acted: tuple[Acted, ...]) -> list[ThoughtShown]:
        """Everything that was thought on a board that is over."""
        out = []
        for at, (entry, event) in enumerate(zip(table.state.log, acted, strict=True)):
            decision = entry.decision
            if decision.engine not in _NOBODY:
                out.append(shown(at, entry, decision, event.version))
                continue
            view = table.state.back_to(at).view()
            opinion = self.known(name, spec_for(table, view), view)
            if opinion is not None:
                out.append(_opinion_shown(at, entry, opinion))
        return out

    async def thought(self, name: str, table: Table, at: int, seconds: float) -> ThoughtShown:
        """What the robot thinks of a person's decision on a board that is over, kept like a hint
        that was asked for."""
        view = table.state.back_to(at).view()
        found = await self.opinion(name, spec_for(table, view), view, seconds)
        return _opinion_shown(at, table.state.log[at], found)


def spec_for(table: Table, view: View) -> str:
    """The engine that gives hints for a seat."""
    engines = table.settings.engines(view.seat)
    return engines.bidder if view.play is None else engines.player


def shown(at: int, entry: Entry, decision: Decision, version: str) -> ThoughtShown:
    """A decision that a robot made and acted on."""
    return ThoughtShown(
        at=at,
        seat=entry.seat.letter,
        made=entry.decision.action.ascii,
        action=decision.action.ascii,
        meaning=in_short(decision.meaning) if isinstance(decision.action, Call) else None,
        candidates=considered(decision),
        reasons=[of(reason) for reason in decision.reasons],
        worlds=decision.worlds,
        engine=decision.engine,
        version=version,
        cut=decision.cut,
        told=False,
    )


def _opinion_shown(at: int, entry: Entry, opinion: Opinion) -> ThoughtShown:
    """An opinion of what a person decided."""
    found = shown(at, entry, opinion.found, opinion.version)
    told = opinion.told
    return msgspec.structs.replace(
        found, candidates=considered(opinion.found, opinion.meanings),
        reasons=[*told.reasons, *told.late], told=True,
        deciding=opinion.deciding,
    )  # fmt: skip
