"""Where defenders let contracts make: two versions of a player at the cards that decide.
Run `PYTHONPATH=src:. python -m benchmarks.cardplay_critical --before TREE --boards FILE …`.

FILE holds played boards, by cardplay_costs or cardplay_rooms (there the room of the new
defenders). A position counts when a defender can still beat the contract with one card and lets it
make with another, all cards seen; both versions are asked for their card. Stopped runs go on.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.cardplay_common import Row, in_pool, restored, rows
from benchmarks.cardplay_costs import Table, kind_of, lines, part_of, seen
from benchmarks.cardplay_rooms import NEW, OLD, other_version
from overtrick.cardplay import player
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import Position, solve
from overtrick.game import Card, Play

_ROOM = "old new"


class Job(NamedTuple):
    row: Row
    before: str
    engine: str


def critical(row: Row, table: Table) -> Iterator[tuple[Play, Card, int, dict[Card, int]]]:
    """Decisive choices of the defence after the lead: the play, the card played, the tricks that
    beat the contract from there, and what each card is worth."""
    for play, card, _ in lines(row):
        if part_of(play) != "defence":
            continue
        at = situation(seen(table, play, row["bidder"], row["scoring"]))
        if len(at.groups()) == 1 or not 0 < at.target <= at.left:
            continue
        worth = solve(Position.of_play(table[0].deal, play))
        if max(worth.values()) >= at.target > min(worth.values()):
            yield play, card, at.target, worth


def one_board(job: Job) -> Row:
    """What both versions play at the decisive choices of a board, and what it costs."""
    row = job.row
    if isinstance(row["cards"], dict):
        row = row | {name: row[name][_ROOM] for name in ("cards", "costs")}
    table = restored(row)
    robot, other = player(job.engine), other_version(job.before, f"{row['bidder']}+{job.engine}")
    found = []
    for play, card, target, worth in critical(row, table):
        view = seen(table, play, row["bidder"], row["scoring"])
        one: Row = {"at": len(play), "trick": play.tricks_played + 1, "kind": kind_of(play, card),
                    "lost": {}, "cost": {}, "seconds": {}}  # fmt: skip
        for version, asked in ((NEW, robot.play), (OLD, other.ask)):
            began = time.perf_counter()
            chosen = asked(view).card
            one["seconds"][version] = round(time.perf_counter() - began, 3)
            one["lost"][version] = worth[chosen] < target
            one["cost"][version] = max(worth.values()) - worth[chosen]
        found.append(one)
    return {"seed": row["seed"], "contract": row["contract"], "critical": found}


def report(path: str) -> None:
    """Shares of contracts let through, and the difference in pairs by board."""
    have = rows(path)
    every = [one for r in have for one in r["critical"]]
    if not every:
        return
    print(f"{len(have)} boards, {len(every)} cards that decide")
    by_board = {v: np.array([sum(c["lost"][v] for c in r["critical"]) for r in have], float)
                for v in (NEW, OLD)}  # fmt: skip
    for version in (NEW, OLD):
        lost = np.array([c["lost"][version] for c in every], float)
        tricks = sum(c["cost"][version] for c in every)
        error = 100 * lost.std() / len(lost) ** 0.5
        print(f"{version}: lets {lost.sum():.0f} contracts make, {100 * lost.mean():.2f} ± "
              f"{error:.2f} %; {tricks} tricks; {np.median([c['seconds'][version] for c in every])}"
              " s at the median")  # fmt: skip
    only_old = sum(c["lost"][OLD] > c["lost"][NEW] for c in every)
    only_new = sum(c["lost"][NEW] > c["lost"][OLD] for c in every)
    saved = 100 * (by_board[OLD] - by_board[NEW])
    print(f"only {OLD} {only_old}, only {NEW} {only_new}; saved of a hundred boards "
          f"{saved.mean():.2f} ± {saved.std() / len(saved) ** 0.5:.2f}")  # fmt: skip


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--before", required=True, help="checkout of the other version")
    parser.add_argument("--boards", required=True)
    parser.add_argument("--engine", default="alphamu(seconds=60)")
    parser.add_argument("--count", type=int, default=10**6)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    done = {r["seed"] for r in rows(args.out)}
    todo = [r for r in rows(args.boards) if r["contract"] and r["seed"] not in done][: args.count]
    jobs = (Job(r, args.before, args.engine) for r in todo)
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs, args.workers, args.minutes) if todo else ():
            out.write(json.dumps(row) + "\n")
            out.flush()
    report(args.out)


if __name__ == "__main__":
    main()
