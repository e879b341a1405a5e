"""Parameter sweeps: one engine string with choices in it, every choice against the same opponent.
All matches share their boards and run as one set of jobs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final

from overtrick.arena.job import Match
from overtrick.arena.match import Chunk, chunks, play_chunk, prepared
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.store import Store
from overtrick.game import OptionError

_CHOICE: Final = re.compile(r"\{([^{}]*)\}")
MOST: Final = 200


def expand(template: str) -> list[str]:
    """Every engine a template stands for.

    >>> expand("pimc(worlds={20,40})")
    ['pimc(worlds=20)', 'pimc(worlds=40)']
    """
    choices = [[c.strip() for c in m.split(",")] for m in _CHOICE.findall(template)]
    if not choices:
        raise OptionError(f"{template!r} leaves nothing to choose: write an option as {{1,2,3}}")
    pieces = _CHOICE.sub("{}", template)
    found = [_fill(pieces, values) for values in product(*choices)]
    if len(found) > MOST:
        raise OptionError(f"{len(found)} engines are too many for one sweep (at most {MOST})")
    return found


def _fill(pieces: str, values: Iterable[str]) -> str:
    out = pieces
    for value in values:
        out = out.replace("{}", value, 1)
    return out


@dataclass(frozen=True, slots=True)
class Point:
    """One engine of a sweep: its result, and its lead over the first one on the same boards."""

    engine: str
    result: Estimate
    over_first: Estimate


def sweep(
    template: str,
    job: Match,
    folder: Path | None = None,
    backend: Backend = Backend(),
    progress: Callable[[int, int], None] | None = None,
    promised: Callable[[str], None] | None = None,
) -> list[Point]:
    """Play every engine of the template (in place of `job.a`) against `job.b`.

    The differences to the first engine are paired board by board, so they are known much better
    than either result. In `folder` each match is kept in a file and is not played twice.
    """
    job.check()
    jobs = [replace(job, a=engine) for engine in expand(template)]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        stores = []
        for i, one in enumerate(jobs, 1):
            path = ":memory:" if folder is None else folder / f"{i:03d}.sqlite"
            stores.append(stack.enter_context(Store(path, one)))
        _play(jobs, stores, backend, progress, promised)
        scores = [[r.imps for r in s.results(job.boards)] for s in stores]
    points = []
    for one, mine in zip(jobs, scores, strict=True):
        lead = [a - b for a, b in zip(mine, scores[0], strict=True)]
        points.append(Point(one.a, estimate(mine), estimate(lead)))
    return points


def _play(
    jobs: list[Match],
    stores: list[Store],
    backend: Backend,
    progress: Callable[[int, int], None] | None,
    promised: Callable[[str], None] | None,
) -> None:
    work: list[tuple[int, Chunk]] = []
    done = 0
    for i, (job, store) in enumerate(zip(jobs, stores, strict=True)):
        known = store.done()
        done += sum(n <= job.boards for n in known)
        missing = [n for n in range(1, job.boards + 1) if n not in known]
        work += [(i, chunk) for chunk in chunks(job, missing)]
    pieces = prepared(stores, [chunk for _, chunk in work], promised=promised)
    for index, results in run_jobs(play_chunk, pieces, backend):
        stores[work[index][0]].add(results)
        done += len(results)
        if progress is not None:
            progress(done, len(jobs) * jobs[0].boards)
