"""Auctions by our own written systems, to learn from: at every turn the call that the rules
prescribe, and every call that the system leaves to the hand.

A share of the calls is drawn from those the system allows instead of being the prescribed one, so
that a pupil also sees the auctions that judgement leads to.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import arrays
from overtrick.arena.run import Backend, in_order, run_jobs
from overtrick.bidding.rules import hand_values, reading_of
from overtrick.game import Board
from overtrick.nets.features import SYSTEMS, UNKNOWN_SYSTEM, system_number
from overtrick.systems.allowed import allowed
from overtrick.systems.card import Character
from overtrick.systems.context import Context
from overtrick.systems.meanings import turned_vul
from overtrick.systems.reading import Reading, last_resort
from overtrick.systems.shows import HandValues
from overtrick_lab.training.data import (
    Auctions,
    DataError,
    join_auctions,
    read_auctions,
    save_atomically,
)
from overtrick_lab.training.data import packed_auctions as packed
from overtrick_lab.training.settings import LessonSettings
from overtrick_lab.training.teachers import Bid, as_arrays

LETTER: Final = "letter"
_CHUNK: Final = 500  # deals a job
Lesson = tuple[Bid, list[int], list[int]]
Job = tuple[tuple[str, str], int, int, float, str]
"""Systems, seed, deals, share of free calls, the character that says which calls are allowed."""
LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lessons:
    """Auctions with, for each call made, the one prescribed and the set of those allowed."""

    auctions: Auctions
    prescribed: NDArray[np.int8]  # [n, longest], padded with -1
    allowed: NDArray[np.uint64]  # [n, longest]: bit c for call c

    def __len__(self) -> int:
        return len(self.auctions)

    def __getitem__(self, part: slice) -> Lessons:
        return Lessons(self.auctions[part], self.prescribed[part], self.allowed[part])


def bid_by_rules(
    systems: tuple[str, str], seed: int, count: int, explore: float, character: str
) -> list[Lesson]:
    """Random deals bid by the rules of two systems, the dealer's side's first."""
    reading, rng = reading_of(*systems), np.random.default_rng(seed)
    out = []
    for _ in range(count):
        # The number gives dealer and vulnerability, all sixteen alike.
        board = Board.random(int(rng.integers(1, 17)), seed=int(rng.integers(0, 1 << 62)))
        vul, dealer = turned_vul(int(board.vul), int(board.dealer)), int(board.dealer)
        calls: tuple[int, ...] = ()
        prescribed, sets = [], []
        while not (ctx := reading.context(calls, vul)).is_over:
            values = hand_values(board.deal.hands[(dealer + ctx.me) & 3].bits)
            ways = _ways(reading, ctx, values, character) or [last_resort(ctx, values)]
            prescribed.append(ways[0])
            sets.append(sum(1 << call for call in ways))
            free = rng.random() < explore and len(ways) > 1
            calls = (*calls, int(rng.choice(ways)) if free else ways[0])
        bid = bytes(board.deal.owners), dealer, int(board.vul), calls
        out.append((bid, prescribed, sets))
    return out


def _ways(reading: Reading, ctx: Context, values: HandValues, character: str) -> list[int]:
    """The calls allowed, the rules' own first. By the letter none departs from its meaning while
    another does not: at the table a departure has a price, in these lessons it would be free."""
    if character != LETTER:
        return [way.call for way in allowed(reading, ctx, values, Character(character))]
    ways = allowed(reading, ctx, values, Character.DISCIPLINED)
    return [way.call for way in ways if not way.departs] or [way.call for way in ways]


def _job(job: Job) -> list[Lesson]:
    return bid_by_rules(*job)


def taught(settings: LessonSettings) -> Lessons:
    """Lessons in every pair of the systems, in equal shares."""
    return in_pairs(pairs_of(settings), settings)


def pairs_of(settings: LessonSettings) -> list[tuple[str, str]]:
    """Every pair of the systems."""
    names = settings.systems.split(",")
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown:
        raise DataError(f"no network knows {unknown[0]}; they know {', '.join(SYSTEMS)}")
    return [(a, b) for a in names for b in names]


def in_pairs(
    pairs: list[tuple[str, str]], settings: LessonSettings, parts: Path | None = None
) -> Lessons:
    """Lessons by these pairs of systems or cards, the dealer's side's first, in equal shares.

    What is bid is kept in the folder `parts`: a run that was killed goes on from there.
    """
    jobs = _jobs(pairs, settings)
    folder = None if parts is None else parts / _name(jobs)
    done, taught = _kept(folder)
    count, saved = sum(map(len, taught)), time.monotonic()
    if count:
        LOGGER.info("lessons: %d of the deals have been bid before", count)
    found: list[tuple[tuple[str, str], list[Lesson]]] = []
    for job, bid in zip(jobs[done:], _bid(jobs[done:], settings), strict=True):
        found.append((job[0], bid))
        done, count = done + 1, count + len(bid)
        if time.monotonic() - saved >= settings.save_seconds or done == len(jobs):
            taught.append(_joined(found))
            if folder is not None:
                write(folder / f"{done}.npz", taught[-1])
            LOGGER.info("lessons: %d of %d deals", count, settings.count)
            found, saved = [], time.monotonic()
    return joined(taught)


def _name(jobs: list[Job]) -> str:
    """Another wish has another name, so nobody goes on with what somebody else asked for."""
    return hashlib.sha256(repr(jobs).encode()).hexdigest()[:12]


def _kept(folder: Path | None) -> tuple[int, list[Lessons]]:
    """How many jobs were done before, and their lessons; a part is named by the jobs it ends."""
    found = [] if folder is None else sorted(folder.glob("*.npz"), key=lambda p: int(p.stem))
    return (int(found[-1].stem) if found else 0), [read(path) for path in found]


def _jobs(pairs: list[tuple[str, str]], settings: LessonSettings) -> list[Job]:
    """The pairs take turns, each often enough to have its share."""
    if settings.character not in (LETTER, *Character):
        known = ", ".join((LETTER, *Character))
        raise DataError(f"lessons are bid by the {known}, not {settings.character}")
    size = min(_CHUNK, -(-settings.count // (4 * len(pairs))))
    sizes = [min(size, settings.count - i) for i in range(0, settings.count, size)]
    seeds = np.random.SeedSequence(settings.seed).generate_state(len(sizes), np.uint64)
    return [
        (pairs[i % len(pairs)], int(seed), size, settings.explore, settings.character)
        for i, (seed, size) in enumerate(zip(seeds, sizes, strict=True))
    ]


def joined(parts: Sequence[Lessons]) -> Lessons:
    """Several sets as one."""
    auctions = join_auctions([part.auctions for part in parts])
    longest = auctions.calls.shape[1]

    def wide(rows: NDArray[Any], fill: int) -> NDArray[Any]:
        return np.pad(rows, ((0, 0), (0, longest - rows.shape[1])), constant_values=fill)

    prescribed = np.concatenate([wide(part.prescribed, -1) for part in parts])
    return Lessons(auctions, prescribed, np.concatenate([wide(part.allowed, 0) for part in parts]))


def _bid(jobs: list[Job], settings: LessonSettings) -> Iterator[list[Lesson]]:
    backend = Backend.of(max(1, settings.workers), settings.ray)
    yield from in_order(run_jobs(_job, jobs, backend))


def _joined(parts: list[tuple[tuple[str, str], list[Lesson]]]) -> Lessons:
    rows = list(chain.from_iterable(found for _, found in parts))
    auctions = as_arrays([bid for bid, _, _ in rows], (0, 0))
    shape = auctions.calls.shape
    prescribed, sets = np.full(shape, -1, np.int8), np.zeros(shape, np.uint64)
    for row, (_, best, ways) in enumerate(rows):
        prescribed[row, : len(best)], sets[row, : len(ways)] = best, ways
    # The first of a pair of systems is the dealer's side's; arrays have North-South first.
    numbers = np.array([[_number(s) for s in pair] for pair, found in parts for _ in found])
    turned = auctions.dealer % 2 == 1
    numbers[turned] = numbers[turned, ::-1]
    auctions.systems[:] = numbers
    return Lessons(auctions, prescribed, sets)


def _number(system: str) -> int:
    """The flag of a system, or of the one a card is built on; others are learned without one."""
    found = system_number(system)
    return UNKNOWN_SYSTEM if found is None else found


def write(path: Path, lessons: Lessons) -> None:
    """The packed format of auctions with two more arrays, one entry for each call."""
    made = lessons.auctions.calls >= 0
    save_atomically(
        path,
        **packed(lessons.auctions),
        prescribed=lessons.prescribed[made].astype(np.uint8),
        allowed=lessons.allowed[made],
    )


def read(path: Path) -> Lessons:
    """Lessons as `write` left them."""
    auctions = read_auctions(path)
    stored = arrays(path, "prescribed", "allowed")
    if len(stored) < 2:
        raise DataError(f"{path} has auctions, but not what the system allowed")
    best, ways = stored["prescribed"], stored["allowed"]
    made = auctions.calls >= 0
    prescribed, sets = np.full(made.shape, -1, np.int8), np.zeros(made.shape, np.uint64)
    prescribed[made], sets[made] = best, ways
    return Lessons(auctions, prescribed, sets)


def run(settings: LessonSettings) -> dict[str, float]:
    """Bid, write, and say how much the systems leave to judgement."""
    return teach(pairs_of(settings), settings)


def teach(pairs: list[tuple[str, str]], settings: LessonSettings) -> dict[str, float]:
    """The same with any pairs of cards; a run that was killed goes on."""
    parts = settings.out.with_name(f"{settings.out.stem}.parts")
    lessons = in_pairs(pairs, settings, parts)
    write(settings.out, lessons)
    shutil.rmtree(parts)
    made = lessons.auctions.calls >= 0
    ways = np.bitwise_count(lessons.allowed[made])
    return {
        "auctions": len(lessons), "calls": int(made.sum()),
        "with_a_choice": round(float((ways > 1).mean()), 4),
    }  # fmt: skip
