"""How many worlds, and how far to trust the evidence: real choices of played boards, solved once.
Run `PYTHONPATH=src python -m benchmarks.cardplay_curve --boards FILE --out FILE`.

For each choice that could lose a trick, worlds are drawn and every card is solved in each of them,
once; then the card is chosen again from the first n of them, and with weights between no trust in
the evidence (0) and more than its word. All of it is paired on the same boards. Where the worlds
cannot tell cards apart, the mean of what these cost counts.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, in_pool, restored, rows
from benchmarks.cardplay_costs import interval, lines, part_of, seen
from overtrick.cardplay.evidence.rules import agreed_likelihood
from overtrick.cardplay.knowledge import KINDS, funnel, sample_worlds
from overtrick.cardplay.pimc import near
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import Outcome, worths
from overtrick.doubledummy import Position, solve, solve_worlds
from overtrick.game import Card, Seat
from overtrick.worlds.weighted import Worlds

COUNTS: Final = (10, 20, 40, 100, 200, 400)
TRUSTS: Final = (0.4, 0.6, 1.0, 1.2)
USUAL: Final = 100
_EARLY: Final = {13: 24, 12: 60, 11: 80, 10: 200}  # worlds, while solving one takes long
_ALL: Final = KINDS["all"]


def one_board(job: tuple[Row, str]) -> Row:
    """What each choice of a board would have cost, by worlds and by trust."""
    row, part = job
    table = restored(row)
    total: dict[str, float] = {}
    choices = 0
    for play, card, _ in lines(row):
        if part_of(play) != part:
            continue
        at = situation(seen(table, play, row["bidder"], row["scoring"]))
        truth = solve(Position.of_play(table[0].deal, play))
        best = max(truth.values())
        if len(at.groups()) == 1 or best == min(truth.values()):
            continue
        lost = {c: best - t for c, t in truth.items()}
        choices += 1
        total["as played"] = total.get("as played", 0.0) + lost[card]
        for name, chosen in _chosen(at).items():
            cost = float(np.mean([lost[c] for c in chosen]))
            total[name] = total.get(name, 0.0) + cost
    return {"seed": row["seed"], "choices": choices, "cost": total}


def _chosen(at: Situation) -> dict[str, list[Card]]:
    """The cards that are best, by name of the way to choose."""
    rng = np.random.default_rng(at.view.seed)
    worlds = sample_worlds(at, _EARLY.get(at.left, max(COUNTS)), rng, _ALL)
    columns = at.cards()
    tricks = solve_worlds(worlds.deals, at.strain, at.leader, at.trick)[:, columns]
    out = {}
    for n in COUNTS:
        some = worlds if worlds.complete else worlds.part(0, n)
        out[f"{n} worlds"] = _best(at, some, tricks[: len(some)])
    usual = worlds if worlds.complete else worlds.part(0, USUAL)
    for name, told in _told(at, usual).items():
        for trust in TRUSTS:
            logs = np.log(usual.shares) + (trust - _ALL.carding) * told
            other = replace(usual, logs=logs)
            out[f"{name} at {trust}"] = _best(at, other, tricks[: len(usual)])
    return out


def _told(at: Situation, worlds: Worlds) -> dict[str, NDArray[np.float64]]:
    """What the cards played and the auction say of each world, at their word."""
    auction = np.zeros(len(worlds))
    for seat in at.hidden:
        full = worlds.deals[:, seat] | np.uint64(at.shown[seat])
        auction += agreed_likelihood(at.view, Seat(seat), full)
    cards = funnel(at, replace(_ALL, auction=0.0)).every(worlds.deals).logs / _ALL.carding
    return {"cards": cards, "auction": auction}


def _best(at: Situation, worlds: Worlds, tricks: NDArray[np.int8]) -> list[Card]:
    seen_ = Outcome(tuple(at.cards()), tricks >= at.target, tricks, worlds.shares)
    return [w.card for w in near(worths(at, seen_, "imps"), worlds, seen_)]


def report(have: list[Row]) -> None:
    names = list(next(r["cost"] for r in have if r["cost"]))
    costs = {n: np.array([r["cost"].get(n, 0.0) for r in have]) for n in names}
    usual = costs[f"{USUAL} worlds"]
    print(f"{len(have)} boards, {sum(r['choices'] for r in have)} choices, tricks given up a board")
    for name in names:
        print(f"  {name:14} {interval(costs[name])}  more {interval(costs[name] - usual)}")


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--boards", required=True)
    parser.add_argument("--part", default="defence", choices=("declarer", "defence"))
    parser.add_argument("--count", type=int, default=10**6)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    done = {r["seed"] for r in rows(args.out)}
    todo = [r for r in rows(args.boards) if r["seed"] not in done][: args.count]
    jobs = ((r, args.part) for r in todo)
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs, args.workers, args.minutes) if todo else ():
            out.write(json.dumps(row) + "\n")
            out.flush()
    report(rows(args.out))


if __name__ == "__main__":
    main()
