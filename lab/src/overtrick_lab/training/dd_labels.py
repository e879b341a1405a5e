"""Double-dummy tables for random deals, solved on idle cores while an accelerator trains.

One single-threaded solver a process. The deals are written in the format of double_dummy.npz,
whole, every half minute. `overtrick label` solves a given number of deals instead of a given time.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy
from overtrick.doubledummy.library import PATH_VARIABLE
from overtrick.processes import spawned
from overtrick_lab.training import data
from overtrick_lab.training.predicting_settings import LabelSettings

LOGGER = logging.getLogger(__name__)
AT_ONCE = 8
"""Deals per call: two seconds of work, so that the end comes soon after the deadline."""


def solve(owner: NDArray[np.int8]) -> NDArray[np.int8]:
    """Tricks [n, strain C D H S NT, declarer N E S W] of some deals."""
    return doubledummy.table_array(data.hands_of(owner))


def _work(seed: int, deadline: float, done: Connection) -> None:
    doubledummy.solver().set_threads(1)
    rng = np.random.default_rng(seed)
    while True:  # once at least, however long it took to start
        owner = data.random_owners(AT_ONCE, rng)
        done.send((owner, solve(owner)))
        if time.time() >= deadline:
            return


def solving(settings: LabelSettings) -> Iterator[data.ObservedDeals]:
    """Batches of solved deals as the workers finish them, until the time is over.

    Each worker has a pipe of its own, which ends with it: a worker that dies is noticed.
    """
    deadline = time.time() + 60 * settings.minutes
    seeds = np.random.SeedSequence(settings.seed).generate_state(settings.workers)
    workers = {}
    try:
        for seed in seeds:
            ours, theirs = Pipe(duplex=False)
            worker = spawned(_work, int(seed), deadline, theirs)
            worker.start()
            theirs.close()
            workers[ours] = worker
        while workers:
            for pipe in wait(list(workers)):
                assert isinstance(pipe, Connection)
                try:
                    yield data.ObservedDeals(*pipe.recv())
                except EOFError:
                    worker = workers.pop(pipe)
                    worker.join()
                    pipe.close()
                    if worker.exitcode:
                        text = f"a solver ended with code {worker.exitcode}"
                        raise doubledummy.SolverError(text) from None
    finally:  # also when somebody has seen enough
        for pipe, worker in workers.items():
            worker.terminate()
            worker.join()
            pipe.close()


def run(settings: LabelSettings) -> int:
    """Solve and write; returns how many deals there are."""
    if settings.workers < 1:
        raise data.DataError(f"at least one worker is needed, not {settings.workers}")
    if settings.library is not None:
        os.environ[PATH_VARIABLE] = str(settings.library)  # the workers inherit it
    doubledummy.solver()  # fail now, in one line, when there is none
    batches: list[data.ObservedDeals] = []
    saved = time.time()
    for batch in solving(settings):
        batches.append(batch)
        if time.time() - saved > 30:
            _write(settings.out, batches)
            saved = time.time()
    _write(settings.out, batches)
    return AT_ONCE * len(batches)


def _write(path: Path, batches: list[data.ObservedDeals]) -> None:
    whole = data.join_solved(batches)
    data.write_solved(path, whole)
    LOGGER.info("%d deals solved", len(whole))
