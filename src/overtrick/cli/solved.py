"""Tables for a list of boards with the cache of the command line and a progress bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from overtrick.cli.common import cache_wanted, progress
from overtrick.game import Board, Seat, Vulnerability

if TYPE_CHECKING:
    from overtrick.doubledummy import Table

_CHUNK: Final = 8  # deals between two steps of the progress bar


def tables_of(boards: Sequence[Board], use_cache: bool = True) -> list[Table]:
    """The double-dummy tables of some boards."""
    from overtrick import doubledummy as dd

    cache = dd.TableCache() if use_cache and cache_wanted() else None
    found: list[dd.Table] = []
    try:
        with progress("double dummy", len(boards)) as update:
            for start in range(0, len(boards), _CHUNK):
                deals = [b.deal for b in boards[start : start + _CHUNK]]
                found += dd.tables(deals, cache)
                update(len(found), len(boards))
    finally:
        if cache is not None:
            cache.close()
    return found


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
