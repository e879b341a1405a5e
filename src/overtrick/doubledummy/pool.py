"""Double-dummy tables of many deals on all cores: one single-threaded solver per process.
For whoever has many deals in hand (`overtrick.dd.label`); `overtrick label` makes files of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from overtrick.doubledummy.dds import HandBits, TrickCounts, solver
from overtrick.doubledummy.library import usable_cores
from overtrick.doubledummy.tables import Table, bits_of, checked, table_array
from overtrick.game import BridgeError, Deal

Progress = Callable[[int, int], None]  # deals done, deals in all
_CHUNK: Final = 10  # deals per job: two seconds of work, so progress moves and ends meet


def label(
    deals: Iterable[Deal | str], workers: int | None = None, progress: Progress | None = None
) -> list[Table]:
    """The tables of many deals, solved by `workers` processes (default: all usable cores).

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> label([deal], workers=1)[0]["NT", "N"]
    10
    """
    solved = label_array(bits_of(deals), workers, progress)
    return [Table.of(rows) for rows in solved.tolist()]


def label_array(
    hands: HandBits, workers: int | None = None, progress: Progress | None = None
) -> TrickCounts:
    """Tricks (n, strain, declarer) for hands (n, 4), solved by several processes.

    Workers are started fresh (spawn), so a script that calls this needs the usual
    `if __name__ == "__main__"` guard.

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> label_array(bits_of([deal]), workers=1)[0, 4].tolist()
    [10, 3, 10, 3]
    """
    hands = checked(hands)
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise BridgeError(f"at least one worker is needed, not {workers}")
    starts = range(0, len(hands), _CHUNK)
    jobs = [hands[i : i + _CHUNK] for i in starts]
    out = np.empty((len(hands), 5, 4), dtype=np.int8)
    if workers == 1 or len(jobs) < 2:
        results = map(table_array, jobs)
        _collect(results, out, progress)
        return out
    from overtrick.processes import spawned_pool

    count = min(workers, len(jobs))
    with spawned_pool(count, _start_worker) as pool:
        try:
            _collect(pool.map(table_array, jobs), out, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return out


def _collect(results: Iterable[TrickCounts], out: TrickCounts, progress: Progress | None) -> None:
    done = 0
    for part in results:
        out[done : done + len(part)] = part
        done += len(part)
        if progress is not None:
            progress(done, len(out))


def _start_worker() -> None:
    solver().set_threads(1)
