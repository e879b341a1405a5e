"""Double-dummy tables for random deals, solved on idle cores while an accelerator trains.
Used by the campaign as a process of its own: `python -m overtrick.training.dd_labels --help`.

One process per solver; each talks to the DDS library directly, because that is all it needs. The
deals are written in the format of double_dummy.npz, whole, every half minute.
"""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overtrick.training import data
from overtrick.training.settings import parse_settings

LOGGER = logging.getLogger(__name__)
AT_ONCE = 8
"""Deals per call; the library takes 40 when all five strains are asked for."""


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """Solve random deals until the time is over."""

    out: Path = Path("solved.npz")
    """Where the solved deals go."""
    library: Path = Path("libdds.so")
    """The DDS shared library."""
    minutes: float = 9.0
    """How long to go on."""
    workers: int = 4
    """Solver processes."""
    seed: int = 1
    """The deals follow from this; never use one twice."""


class _Tables(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("cards", ctypes.c_uint * 4 * 4 * 200)]


class _Results(ctypes.Structure):
    _fields_ = [("boards", ctypes.c_int), ("tricks", ctypes.c_int * 4 * 5 * 200)]


class _Par(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * (2 * 16 + 2 * 128) * 40)]


def holdings(owner: NDArray[np.int8]) -> NDArray[np.uint32]:
    """[n, seat, suit S H D C]: DDS's bit masks, deuce in bit 2, ace in bit 14."""
    by_rank = owner.reshape(-1, 13, 4)[:, :, ::-1]
    bits = (np.uint32(1) << np.arange(2, 15, dtype=np.uint32))[None, :, None]
    return np.stack([((by_rank == seat) * bits).sum(axis=1) for seat in range(4)], axis=1).astype(
        np.uint32
    )


def solve(library: ctypes.CDLL, owner: NDArray[np.int8]) -> NDArray[np.int8]:
    """Tricks [n, strain C D H S NT, declarer N E S W] of at most AT_ONCE deals."""
    if len(owner) > AT_ONCE:
        raise data.DataError(f"at most {AT_ONCE} deals at once, not {len(owner)}")
    tables, results, par = _Tables(), _Results(), _Par()
    tables.count = len(owner)
    cards = np.ctypeslib.as_array(tables.cards)
    cards[: len(owner)] = holdings(owner)
    every_strain = (ctypes.c_int * 5)(0, 0, 0, 0, 0)
    code = library.CalcAllTables(
        ctypes.byref(tables), -1, every_strain, ctypes.byref(results), ctypes.byref(par)
    )
    if code != 1:
        raise data.DataError(f"the double-dummy solver failed with code {code}")
    tricks = np.ctypeslib.as_array(results.tricks)[: len(owner)]
    return tricks[:, [3, 2, 1, 0, 4]].astype(np.int8)  # DDS lists spades first, no-trumps last


def open_library(path: Path) -> ctypes.CDLL:
    """The library, told to use one thread."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise data.DataError(f"cannot load the double-dummy solver: {error}") from None
    library.SetMaxThreads(1)
    return library


def _work(
    path: Path, seed: int, deadline: float, done: multiprocessing.SimpleQueue[object]
) -> None:
    library, rng = open_library(path), np.random.default_rng(seed)
    while time.time() < deadline:
        owner = data.random_owners(AT_ONCE, rng)
        done.put((owner, solve(library, owner)))
    done.put(None)


def solving(settings: LabelSettings) -> Iterator[data.SolvedDeals]:
    """Batches of solved deals as the workers finish them, until the time is over."""
    context = multiprocessing.get_context("spawn")
    done: multiprocessing.SimpleQueue[tuple[NDArray[np.int8], NDArray[np.int8]] | None]
    done = context.SimpleQueue()
    deadline = time.time() + 60 * settings.minutes
    seeds = np.random.SeedSequence(settings.seed).generate_state(settings.workers)
    workers = [
        context.Process(target=_work, args=(settings.library, int(seed), deadline, done))
        for seed in seeds
    ]
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
    open_library(settings.library)
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
