"""Tables for a list of boards with the cache of the command line and a progress bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from overtrick.cli.common import cache_wanted, progress
from overtrick.game import Board, Deal, Seat, Vulnerability

if TYPE_CHECKING:
    from overtrick.arena import Backend
    from overtrick.doubledummy import Table

_CHUNK: Final = 8  # deals of one job, and between two steps of the progress bar


def tables_of(
    boards: Sequence[Board], use_cache: bool = True, backend: Backend | None = None
) -> list[Table]:
    """The double-dummy tables of some boards; what the cache lacks is solved on the backend."""
    from overtrick import doubledummy as dd
    from overtrick.arena.run import Backend, run_jobs

    cache = dd.TableCache() if use_cache and cache_wanted() else None
    deals = [board.deal for board in boards]
    try:
        found: list[Table | None] = [None] * len(deals) if cache is None else cache.get(deals)
        todo = [i for i, known in enumerate(found) if known is None]
        parts = [todo[i : i + _CHUNK] for i in range(0, len(todo), _CHUNK)]
        tasks = [[deals[i] for i in part] for part in parts]
        with progress("double dummy", len(boards)) as update:
            for index, solved in run_jobs(_solved, tasks, backend or Backend()):
                for place, table in zip(parts[index], solved, strict=True):
                    found[place] = table
                if cache is not None:
                    cache.put(tasks[index], solved)
                update(sum(table is not None for table in found), len(boards))
    finally:
        if cache is not None:
            cache.close()
    return [table for table in found if table is not None]


def _solved(deals: Sequence[Deal]) -> list[Table]:
    """Some tables; runs in a worker."""
    from overtrick import doubledummy as dd

    return dd.tables(deals)


def with_conditions(
    boards: Sequence[Board], dealer: Seat | None, vul: Vulnerability | None
) -> list[Board]:
    """The boards, with dealer and vulnerability as asked for."""
    return [
        replace(
            b,
            dealer=b.dealer if dealer is None else dealer,
            vul=b.vul if vul is None else vul,
        )
        for b in boards
    ]
