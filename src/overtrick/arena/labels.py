"""Random deals solved double dummy on any backend, into a file that matches and training read.
The same seed gives the same file on one machine or many."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from overtrick.arena.run import Backend, run_jobs
from overtrick.doubledummy import tables
from overtrick.game import Deal, OptionError
from overtrick.notation.solved import Owners, SolvedDeals

_CHUNK: Final = 8  # deals per job: two seconds of work
_UNKNOWN: Final = 255
_SAVE_EVERY: Final = 40  # jobs between two saved states


def deal_number(seed: int, index: int) -> Deal:
    """Deal `index` of a seed: the same however the work is cut."""
    return Deal.random(random.Random(f"overtrick labels {seed} deal {index}"))


def label(
    path: Path,
    count: int,
    seed: int = 0,
    backend: Backend = Backend(),
    progress: Callable[[int, int], None] | None = None,
) -> SolvedDeals:
    """Solve `count` random deals into `path`; what an interrupted run has solved is used."""
    if count < 1:
        raise OptionError(f"at least one deal is needed, not {count}")
    owners = np.array([list(deal_number(seed, i).owners) for i in range(count)], dtype=np.uint8)
    part = path.with_name(path.name + ".part")
    tricks = np.full((count, 5, 4), _UNKNOWN, dtype=np.uint8)
    _take_over(tricks, owners, part)
    unknown = tricks[:, 0, 0] == _UNKNOWN
    starts = [i for i in range(0, count, _CHUNK) if unknown[i : i + _CHUNK].any()]
    tasks = [(seed, i, min(_CHUNK, count - i)) for i in starts]
    for done, (index, solved) in enumerate(run_jobs(solve_chunk, tasks, backend), 1):
        _, start, size = tasks[index]
        tricks[start : start + size] = solved
        if done % _SAVE_EVERY == 0:
            SolvedDeals(owners, tricks).save(part)
        if progress is not None:
            progress(int((tricks[:, 0, 0] != _UNKNOWN).sum()), count)
    found = SolvedDeals(owners, tricks)
    found.save(path)
    part.unlink(missing_ok=True)
    return found


def solve_chunk(task: tuple[int, int, int]) -> list[list[list[int]]]:
    """The tables of some deals; runs in a worker."""
    seed, start, size = task
    deals = [deal_number(seed, i) for i in range(start, start + size)]
    return [np.asarray(t.array).tolist() for t in tables(deals)]


def _take_over(tricks: Owners, owners: Owners, part: Path) -> None:
    """Use the tables of an interrupted run as far as its deals are ours."""
    if not part.exists():
        return
    earlier = SolvedDeals.load(part)
    n = min(len(earlier), len(owners))
    same = (earlier.owners[:n] == owners[:n]).all(axis=1)
    tricks[:n][same] = earlier.tricks[:n][same]
