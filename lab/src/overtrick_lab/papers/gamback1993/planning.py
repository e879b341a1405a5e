"""Section 4, card play by plans: how many of the tricks plans find, and a declarer who follows
them against one who does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from overtrick.arena.job import Match
from overtrick.arena.match import Chunk, play_chunk
from overtrick.cardplay.plans import plan
from overtrick.doubledummy import Position, tricks
from overtrick.engines.clock import counting_looks
from overtrick.evaluation import HandArray, feature
from overtrick.game import Deal, Hand, Seat, Strain
from overtrick.worlds import Dealer, parse
from overtrick_lab.papers.cells import Cell, CellStore, Task
from overtrick_lab.papers.gamback1993.match import error

STRONG: Final = 26  # high-card points of North and South together
SIDES: Final = ("rules+planner", "rules+pimc(worlds=40, knowledge=auction)")
"""Both bid by the rules and defend alike, so rooms differ by declarer's play alone."""
_PLANNED: Final = 10  # deals of a cell
_PLAYED: Final = 1  # boards of a cell: cards take seconds


class Strong(NamedTuple):
    """Some random strong deals, for any worker."""

    seed: int
    deals: int


def plan_tasks(count: int, seed: int) -> list[Task]:
    """Plans of random strong deals beside the solver."""
    return [
        Task(f"plans-{seed}-{at}", "plans", job=(planned, Strong(1000 * seed + at, size)))
        for at, size in _parts(count, _PLANNED)
    ]


def duel_tasks(count: int, seed: int) -> list[Task]:
    """The planner's match, board by board in both rooms, cards played."""
    job = Match(*SIDES, count, seed=seed, method="play")
    return [
        Task(
            f"planner-{seed}-{at}", "planner against pimc",
            job=(duels, Chunk(job, tuple(range(at + 1, at + size + 1)))),
        )
        for at, size in _parts(count, _PLAYED)
    ]  # fmt: skip


def _parts(count: int, piece: int) -> list[tuple[int, int]]:
    return [(at, min(piece, count - at)) for at in range(0, count, piece)]


def planned(strong: Strong) -> Cell:
    """Tricks that plans promise, and those the solver takes, in South's best contract."""
    rng = np.random.default_rng(strong.seed)
    points = feature("HCP")
    found: list[Sequence[int]] = []
    dealer = Dealer({Seat.SOUTH: parse("hcp 11+")})
    while len(found) < strong.deals:
        hands = dealer.sample(64, rng).hands
        ours = points(HandArray(hands[:, 0])) + points(HandArray(hands[:, 2]))
        found += list(hands[np.asarray(ours) >= STRONG])
    return {"rows": [_planned(row) for row in found[: strong.deals]]}


def _planned(hands: Sequence[int]) -> list[int]:
    north, east, south, west = (Hand(int(bits)) for bits in hands)
    deal = Deal((north, east, south, west))
    strain = max(Strain, key=lambda s: tricks(deal, s, Seat.SOUTH))
    made = plan(Position.start(deal, strain, Seat.WEST), Seat.SOUTH)
    return [made.tricks, made.possible]


def duels(chunk: Chunk) -> Cell:
    """IMPs of the planner on each board, and how many tricks more it took as declarer. No clock
    cuts in: the same on any machine."""
    rows = []
    with counting_looks():
        played = list(play_chunk(chunk))
    for result in played:
        one, two = result.open, result.closed
        if one.contract[-1:] in ("E", "W"):  # then the planner declares in the closed room
            one, two = two, one
        rows.append({"imps": result.imps, "tricks": (one.tricks or 0) - (two.tricks or 0)})
    return {"rows": rows}


def summary(store: CellStore, count: int, boards: int, seed: int) -> dict[str, Any]:
    """What has been computed of both."""
    out: dict[str, Any] = {}
    plans = _rows(store, plan_tasks(count, seed))
    if plans:
        missed = Counter(int(best - promised) for promised, best in plans)
        told = {str(k): n for k, n in sorted(missed.items())}
        out["plans"] = {"deals": len(plans), "missed": told}
    played = _rows(store, duel_tasks(boards, seed)) if boards else []
    if played:
        won = [float(row["imps"]) for row in played]
        out["planner"] = {
            "deals": len(won),
            "imps": float(np.mean(won)),
            "error": error(won),
            "tricks": float(np.mean([row["tricks"] for row in played])),
            "tricks_error": error([float(row["tricks"]) for row in played]),
            "won": sum(x > 0 for x in won),
            "lost": sum(x < 0 for x in won),
        }
    return out


def _rows(store: CellStore, tasks: Sequence[Task]) -> list[Any]:
    cells = [store.get(task.key) for task in tasks]
    return [row for cell in cells if cell is not None for row in cell["rows"]]
