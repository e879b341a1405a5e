"""Double-dummy tables for random deals, solved on idle cores while an accelerator trains.
Used by the campaign as a process of its own: `python -m overtrick.training.dd_labels --help`.

One single-threaded solver a process. The deals are written in the format of double_dummy.npz,
whole, every half minute. `overtrick label` solves a given number of deals instead of a given time.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy
from overtrick.doubledummy.library import PATH_VARIABLE
from overtrick.training import data
from overtrick.training.settings import parse_settings

LOGGER = logging.getLogger(__name__)
AT_ONCE = 8
"""Deals per call: two seconds of work, so that the end comes soon after the deadline."""


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """Solve random deals until the time is over."""

    out: Path = Path("solved.npz")
    """Where the solved deals go."""
    library: Path | None = None
    """The DDS shared library, if it is not where it is usually looked for."""
    minutes: float = 9.0
    """How long to go on."""
    workers: int = 4
    """Solver processes."""
    seed: int = 1
    """The deals follow from this; never use one twice."""


def solve(owner: NDArray[np.int8]) -> NDArray[np.int8]:
    """Tricks [n, strain C D H S NT, declarer N E S W] of some deals."""
    return doubledummy.table_array(data.hands_of(owner))


def _work(seed: int, deadline: float, done: multiprocessing.SimpleQueue[object]) -> None:
    doubledummy.solver().set_threads(1)
    rng = np.random.default_rng(seed)
    while time.time() < deadline:
        owner = data.random_owners(AT_ONCE, rng)
        done.put((owner, solve(owner)))
    done.put(None)


def solving(settings: LabelSettings) -> Iterator[data.SolvedDeals]:
    """Batches of solved deals as the workers finish them, until the time is over."""
    context = multiprocessing.get_context("spawn")
    done: multiprocessing.SimpleQueue[tuple[NDArray[np.int8], NDArray[np.int8]] | None]
    done = context.SimpleQueue()
    deadline = time.time() + 60 * settings.minutes
    seeds = np.random.SeedSequence(settings.seed).generate_state(settings.workers)
    workers = [context.Process(target=_work, args=(int(seed), deadline, done)) for seed in seeds]
    for worker in workers:
        worker.start()
    running = len(workers)
    while running:
        batch = done.get()
        if batch is None:
            running -= 1
        else:
            yield data.SolvedDeals(*batch)
    for worker in workers:
        worker.join()


def run(settings: LabelSettings) -> int:
    """Solve and write; returns how many deals there are."""
    if settings.library is not None:
        os.environ[PATH_VARIABLE] = str(settings.library)  # the workers inherit it
    doubledummy.solver()  # fail now, in one line, when there is none
    batches: list[data.SolvedDeals] = []
    saved = time.time()
    for batch in solving(settings):
        batches.append(batch)
        if time.time() - saved > 30:
            _write(settings.out, batches)
            saved = time.time()
    _write(settings.out, batches)
    return AT_ONCE * len(batches)


def _write(path: Path, batches: list[data.SolvedDeals]) -> None:
    owner = np.concatenate([batch.owner for batch in batches])
    tricks = np.concatenate([batch.tricks for batch in batches])
    data.write_solved(path, data.SolvedDeals(owner, tricks))
    LOGGER.info("%d deals solved", len(owner))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    run(parse_settings(LabelSettings, sys.argv[1:]))
