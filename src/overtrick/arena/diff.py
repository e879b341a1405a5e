"""Where two engines differ: the boards with the biggest swings, with both explanations.
Decisions are made again, since engines are deterministic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nlargest

from overtrick.arena.job import Match
from overtrick.arena.match import Rooms, both_tables, rooms_of
from overtrick.arena.results import BoardResult
from overtrick.arena.store import Store
from overtrick.game import Board, Decision
from overtrick.table import TableState
from overtrick.table.seats import as_data


@dataclass(frozen=True, slots=True)
class Parting:
    """The first action in which the two tables of a board part ways."""

    board: Board
    result: BoardResult
    index: int  # number of the call or card, from 0
    open: Decision
    closed: Decision
    before: str  # what had happened, in words

    @property
    def imps(self) -> int:
        """For A."""
        return self.result.imps


def biggest(store: Store, count: int = 10) -> list[BoardResult]:
    """The boards with the biggest swings, ties by number."""
    swings = (r for r in store.results() if r.imps)
    return nlargest(count, swings, key=lambda r: (abs(r.imps), -r.number))


def partings(store: Store, count: int = 10, *, trusted: bool = False) -> list[Parting]:
    """For the biggest swings, where the tables parted and what each engine was thinking."""
    return partings_of(store, biggest(store, count), trusted=trusted)


def partings_of(
    store: Store, results: Iterable[BoardResult], *, trusted: bool = False
) -> list[Parting]:
    """The same for some boards of a match; engines are made once and asked again.

    Engines that only the file names are data: those that start programs are made when the match
    was described by this program's user, or when they say that they trust the file.
    """
    job = store.job
    if not (trusted or store.described):
        for spec in (job.a, job.b):
            as_data(spec)
    rooms = rooms_of(job)
    found = (_parting(job, r, rooms) for r in results)
    return [p for p in found if p is not None]


def _parting(job: Match, result: BoardResult, rooms: Rooms) -> Parting | None:
    board = result.board()
    first, second = both_tables(job, board, rooms)
    for i, (x, y) in enumerate(zip(first.log, second.log, strict=False)):
        if x.decision.action != y.decision.action:
            return Parting(board, result, i, x.decision, y.decision, _before(first, i))
    return None


def _before(state: TableState, index: int) -> str:
    return " ".join(str(e.decision.action) for e in state.log[:index]) or "to open"
