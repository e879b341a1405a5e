"""Recipe: several searching bidders on the same deals against one opponent, compared in pairs.
The paper's RL-MCS and RL-BMCS rows of Table IV.

Every deal is played by all engines before its result counts, so the differences between engines
are those of the same deals and the same random numbers, and much surer than the means.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding import Bidder, bidder
from overtrick.game import Auction, Board, Decision, Systems, imps, score, view_of
from overtrick.notation.solved import SolvedDeals
from overtrick.notation.whole import write_whole
from overtrick.processes import spawned_pool
from overtrick_lab.training.data import DataError
from overtrick_lab.training.trials_settings import SearchSettings

LOGGER = logging.getLogger(__name__)
_SAVE_SECONDS: Final = 30.0
Record = dict[str, list[float]]  # per engine: IMPs, calls, searched calls, CPU and wall seconds


def engines_of(settings: SearchSettings) -> list[str]:
    """The engines' names as given."""
    names = [name.strip() for name in settings.engines.split(";") if name.strip()]
    if not names:
        raise DataError("no engine to play; give at least one, separated by semicolons")
    return names


def bid(board: Board, bidders: tuple[Bidder, Bidder]) -> tuple[Auction, list[Decision]]:
    """N-S by the first, E-W by the second; both sides are told what the other plays."""
    auction = Auction(board.dealer)
    decisions: list[Decision] = []
    while not auction.is_over:
        side = auction.turn & 1
        systems = Systems(bidders[side].system, bidders[1 - side].system)
        decision = bidders[side].bid(view_of(board, auction, systems=systems))
        decisions.append(decision)
        auction = auction.then(decision.call)
    return auction, decisions


def room(
    board: Board, tricks: NDArray[np.uint8], bidders: tuple[Bidder, Bidder]
) -> tuple[int, list[Decision]]:
    """North-South's double-dummy score."""
    auction, decisions = bid(board, bidders)
    contract = auction.contract
    if contract is None:
        return 0, decisions
    made = int(tricks[contract.strain, contract.declarer])
    return score(contract, made, board.vul), decisions


@lru_cache(maxsize=4)
def _deals(path: Path) -> SolvedDeals:
    return SolvedDeals.load(path)


@lru_cache(maxsize=16)
def _bidder(name: str) -> Bidder:
    return bidder(name)


def play_deal(task: tuple[SearchSettings, int, int]) -> tuple[int, Record]:
    """One deal in both rooms by every engine; runs in a worker."""
    settings, number, index = task
    solved = _deals(settings.deals)
    board, tricks = Board.numbered(number, solved.deal(index)), solved.tricks[index]
    other = _bidder(settings.opponent)
    found: Record = {}
    for name in engines_of(settings):
        engine = _bidder(name)
        cpu, wall = time.process_time(), time.perf_counter()
        ours, first = room(board, tricks, (engine, other))
        theirs, second = room(board, tricks, (other, engine))
        mine = [d for d in (*first, *second) if d.engine == engine.name]
        searched = sum(d.worlds > 0 for d in mine)
        spent = time.process_time() - cpu, time.perf_counter() - wall
        found[name] = [imps(ours - theirs), len(mine), searched, *(round(s, 3) for s in spent)]
    return number, found


def _results(settings: SearchSettings, known: set[int]) -> Iterator[tuple[int, Record]]:
    """Deals as the workers finish them; none is begun after the time."""
    deadline = time.monotonic() + 60 * settings.minutes
    total = len(_deals(settings.deals))
    start = settings.skip if settings.skip >= 0 else max(0, total + settings.skip)
    count = min(settings.boards, total - start)
    todo = ((settings, n + 1, start + n) for n in range(count) if n + 1 not in known)
    if settings.workers <= 1:
        for task in todo:
            if time.monotonic() > deadline:
                return
            yield play_deal(task)
        return
    with spawned_pool(settings.workers) as pool:
        running: set[Future[tuple[int, Record]]] = set()
        for task in todo:
            if time.monotonic() > deadline:
                break
            running.add(pool.submit(play_deal, task))
            if len(running) >= 2 * settings.workers:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in running)


def summary(records: dict[int, Record], names: list[str]) -> dict[str, Any]:
    """Means, and what each engine scored less than the first on the same deals."""
    table = np.array([[records[n][name] for name in names] for n in sorted(records)])
    shown: dict[str, Any] = {"deals": len(table), "engines": {}}
    for place, name in enumerate(names):
        won, calls, searched, cpu, wall = table[:, place].T
        less = table[:, 0, 0] - won
        shown["engines"][name] = {
            "imps": round(float(won.mean()), 4),
            "error": _error(won),
            "first_is_better_by": round(float(less.mean()), 4),
            "paired_error": _error(less),
            "searched_share": round(float(searched.sum() / max(calls.sum(), 1)), 4),
            "cpu_seconds_a_search": round(float(cpu.sum() / max(searched.sum(), 1)), 3),
            "wall_seconds_a_search": round(float(wall.sum() / max(searched.sum(), 1)), 3),
        }
    return shown


def _error(values: NDArray[np.float64]) -> float | None:
    return round(float(values.std(ddof=1) / np.sqrt(len(values))), 4) if len(values) > 1 else None


def _earlier(settings: SearchSettings) -> dict[int, Record]:
    if not settings.out.exists():
        return {}
    try:
        stored = json.loads(settings.out.read_text(encoding="utf-8"))
        records = {int(n): record for n, record in stored["records"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{settings.out} has no results of a search match: {error}") from None
    asked = {"engines": engines_of(settings), "opponent": settings.opponent, "skip": settings.skip}
    if any(stored.get(name) != value for name, value in asked.items()):
        raise DataError(f"{settings.out} has results of other engines or deals: move it away")
    return records


def _write(settings: SearchSettings, records: dict[int, Record]) -> None:
    names = engines_of(settings)
    shown = {
        "engines": names, "opponent": settings.opponent, "skip": settings.skip,
        "summary": summary(records, names), "records": {n: records[n] for n in sorted(records)},
    }  # fmt: skip
    write_whole(settings.out, json.dumps(shown))


def run(settings: SearchSettings) -> dict[str, Any]:
    """Play what is missing; returns the summary."""
    for name in (*engines_of(settings), settings.opponent):
        bidder(name)  # a wrong name is an error now, not in a worker later
    records = _earlier(settings)
    saved = time.monotonic()
    for number, record in _results(settings, set(records)):
        records[number] = record
        if time.monotonic() - saved > _SAVE_SECONDS:
            _write(settings, records)
            saved = time.monotonic()
            LOGGER.info("%d deals", len(records))
    if not records:
        raise DataError("no deal was played: no deals, or no time")
    _write(settings, records)
    return summary(records, engines_of(settings))
