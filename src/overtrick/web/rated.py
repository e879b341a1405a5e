"""The ratings of a server, from all boards of its matches and events that count. What somebody
could have known never does: chosen cards, hands seen elsewhere, boards played twice, a coach who
was asked, and the boards of a day, which anybody can deal at home."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from overtrick.duplicate.ratings import RankedResult, Strength, strengths
from overtrick.web import contests
from overtrick.web.answers import RatedRow, RatingPage
from overtrick.web.contests import ROBOT
from overtrick.web.events import Founded, Line, OtherRoom, Scored
from overtrick.web.store import Log
from overtrick.web.workers import WorkerError, Workers

FEWEST: Final = 16  # boards of who is listed
_LISTED: Final = 200
_MOST_PEOPLE: Final = 250
_MOST_CONTESTS: Final = 400
_LASTS: Final = 600.0  # seconds
_SECONDS: Final = 30.0
_DAY: Final = 86_400.0
Names = dict[str, str]


@dataclass(frozen=True, slots=True)
class FoundRatings:
    """Everybody's strength by person, pairs by both, and what they call themselves."""

    people: dict[str, Strength] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Strength] = field(default_factory=dict)
    names: Names = field(default_factory=dict)
    anchored: bool = False


def counted(founded: Founded, line: Line) -> bool:
    """Could nobody have known the cards, or been helped?"""
    fair = not (founded.chosen or founded.day or founded.deck.script or founded.deck.boards)
    return fair and not line.unranked and not line.helped and len(line.seats) == 4


def results_of(
    name: str, events: Iterable[tuple[float, object]]
) -> tuple[list[RankedResult], Names]:
    """What counts of a contest, and the names that people gave there."""
    found: list[RankedResult] = []
    names: Names = {}
    founded: Founded | None = None
    for at, event in events:
        if isinstance(event, Founded):
            founded = event
        if founded is None:
            continue
        if isinstance(event, Scored) and counted(founded, event.line):
            north, east, south, west = event.line.seats
            names |= {
                person: told
                for person, told in zip(event.line.seats, event.line.names, strict=False) if told
            }  # fmt: skip
            found.append(
                RankedResult(f"{event.index}", name, at / _DAY, (north, east, south, west),
                             event.line.score_ns)
            )  # fmt: skip
        elif isinstance(event, OtherRoom):
            ns, ew = (f"{ROBOT}{e.bidder} {e.player}" for e in (founded.ns, founded.ew))
            found.append(
                RankedResult(f"{event.index}", name, at / _DAY, (ns, ew, ns, ew),
                             event.line.score_ns)
            )  # fmt: skip
    return found, names


def worked_out(results: list[RankedResult], names: Names, usual: str) -> FoundRatings:
    """Ratings of those who have played most; the usual robots are where nought is."""
    played = Counter(p for r in results for p in dict.fromkeys(r.seats) if p != usual)
    known = {usual, *(p for p, _ in played.most_common(_MOST_PEOPLE))}
    rated = strengths([r for r in results if known.issuperset(r.seats)], {usual: 0.0})
    return FoundRatings(rated.people, rated.pairs, names, rated.anchored)


class Ratings:
    """Worked out when somebody asks, at most every ten minutes, in a process of its own."""

    def __init__(self, log: Log, study: Workers) -> None:
        self._log, self._study = log, study
        self._found, self._at = FoundRatings(), -_LASTS
        self._lock = asyncio.Lock()

    async def page(self, person: str, usual: str) -> RatingPage:
        """For a page; `person` is who asks."""
        async with self._lock:
            if monotonic() - self._at > _LASTS:
                await self._renew(usual)
        return shown(self._found, person)

    async def _renew(self, usual: str) -> None:
        results: list[RankedResult] = []
        names: Names = {}
        for stream in self._log.newest(contests.stream(""), _MOST_CONTESTS):
            found, told = results_of(stream, self._log.dated(stream))
            results += found
            names = {**told, **names}  # the newest name is what counts
            await asyncio.sleep(0)
        # What was found last time is still good.
        with contextlib.suppress(TimeoutError, WorkerError):
            self._found = await self._study.ask(worked_out, results, names, usual, seconds=_SECONDS)
        self._at = monotonic()


def shown(found: FoundRatings, person: str) -> RatingPage:
    """The lists, the strongest first; robots other than the usual ones are not in them."""

    def rows(named: Mapping[tuple[str, ...], Strength]) -> list[RatedRow]:
        listed = [
            (who, s) for who, s in named.items()
            if s.boards >= FEWEST and not any(p.startswith(ROBOT) for p in who)
        ]  # fmt: skip
        listed.sort(key=lambda item: -item[1].value)
        return [
            RatedRow(
                names=[found.names.get(p, "") for p in who], value=round(s.value, 2),
                error=round(s.error, 2), boards=s.boards, mine=person in who,
            )
            for who, s in listed[:_LISTED]
        ]  # fmt: skip

    return RatingPage(
        people=rows({(p,): s for p, s in found.people.items()}),
        pairs=rows({(a, b): s for (a, b), s in found.pairs.items()}),
        anchored=found.anchored,
        fewest=FEWEST,
    )
