"""Endings: positions with 8 or 9 cards left from real boards, finished by several declarers.
Run `PYTHONPATH=src python -m benchmarks.cardplay STAGE …`; stopped runs go on.

  boards   boards in 3NT, 4M and slams that are in doubt, played by four robots
  endings  their positions after four and five tricks, finished by each declarer in turn against
           pimc defenders and against defenders who see all cards
  report   the table again
  compare  the same endings by two versions of the program: `endings --boards FILE` in each tree
Whole boards, claims, the fit of the model: cardplay_checks.py; opening leads: cardplay_leads.py.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, bid, in_pool, played, restored, rows, wanted
from overtrick.cardplay import player
from overtrick.cardplay.sampling import choose
from overtrick.doubledummy import reach_worlds
from overtrick.game import Board, Contract, Play
from overtrick_lab.papers.frank1998.duels import DefendedBoard, share_made

DECLARERS = {
    "plain": "pimc(worlds=40, knowledge=cards)",
    "auction": "pimc(worlds=40, knowledge=auction)",
    "lead": "pimc(worlds=40, knowledge=lead)",
    "carding": "pimc(worlds=40, knowledge=carding)",
    "all": "pimc(worlds=40, knowledge=all)",
    "all + slips": "pimc(worlds=40, knowledge=all, slips=1.0)",
    "slips": "pimc(worlds=40, knowledge=cards, slips=1.0)",
    "alphamu 2": "alphamu(worlds=40, depth=2, knowledge=cards)",
    "alphamu 3": "alphamu(worlds=40, depth=3, knowledge=cards)",
    "all + alphamu 2": "alphamu(worlds=40, depth=2)",
    "all + alphamu 3": "alphamu(worlds=40, depth=3)",
    "all + alphamu 2, plan kept": "alphamu(worlds=40, depth=2, plan=keep)",
    "all + alphamu 2, filtered": "alphamu(worlds=40, depth=2, plan=filter)",
}
_BIDDER, _ROBOT, _LINES = "rules", "pimc(worlds=6)", 3  # how boards are made
DEFENDERS = {
    "pimc": "pimc(worlds=40, knowledge=auction)",
    "reading": "pimc(worlds=40, knowledge=all)",
    "dd": "dd",  # sees all cards
}


# ---------------------------------------------------------------- boards


def close(board: Board, contract: Contract, layouts: int = 4) -> bool:
    """Is the contract beaten double dummy in some, but not all, layouts of the defenders' cards?

    A little on the hard side: robots give tricks away early, and easy contracts are soon made.
    The first two layouts must beat it once, so that most of the others are never solved.
    """
    rng = np.random.default_rng(board.deal.hands[0].bits & 0xFFFFFFFF)
    hands = np.tile(np.array([[h.bits for h in board.deal.hands]], np.uint64), (layouts, 1))
    one, other = contract.leader, contract.leader.partner
    pool = board.deal[one].bits | board.deal[other].bits
    hands[:, one] = choose(rng, pool, 13, layouts)
    hands[:, other] = hands[:, one] ^ np.uint64(pool)

    def beaten(some: NDArray[np.uint64]) -> int:
        goal = 14 - contract.target
        reached = reach_worlds(some, contract.strain, contract.leader, (), goal)
        return int(reached.any(axis=1).sum())

    first = beaten(hands[:2])
    return first > 0 and first + beaten(hands[2:]) < layouts


def one_board(job: tuple[int, str, str, int, bool, int]) -> Row | None:
    """A board played by robots; from the second trick on again with other seeds (`again`)."""
    seed, bidders, engine, tricks, only_close, times = job
    board, auction, meanings = bid(seed, bidders)
    contract = auction.contract
    if contract is None or not wanted(contract) or (only_close and not close(board, contract)):
        return None
    started = time.process_time()
    first = played(board, auction, meanings, [player(engine)] * 4, 4)
    lines = []
    for i in range(times):
        robots = [player(engine if not i else f"{engine[:-1]}, seed={i})")] * 4
        lines.append(played(board, auction, meanings, robots, 4 * tricks, first))
    return {
        "seed": seed,
        "bidder": bidders,
        "contract": contract.ascii,
        "calls": [int(c) for c in auction.calls],
        "meanings": [[m.words, m.hcp, m.lengths] for m in meanings],
        "cards": [int(c) for c in lines[0].cards],
        "again": [[int(c) for c in line.cards] for line in lines[1:]],
        "cpu": round(time.process_time() - started, 3),
    }


def boards(args: argparse.Namespace) -> None:
    done = {r["seed"] for r in rows(args.out)}
    count, seed = len(done), max(done, default=args.start - 1) + 1

    def jobs() -> Iterator[tuple[int, str, str, int, bool, int]]:
        for s in range(seed, args.start + 10**8):
            yield s, args.bidder, args.engine, args.tricks, args.close, args.lines

    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs(), args.workers, args.minutes):
            if row is None:
                continue
            out.write(json.dumps(row) + "\n")
            out.flush()
            count += 1
            if count >= args.count:
                return


# ---------------------------------------------------------------- endings


def one_ending(job: tuple[Row, list[str], list[str], list[int]]) -> Row:
    """The positions of a board finished by every declarer against every defence."""
    row, names, defences, cuts = job
    board, auction, meanings = restored(row)
    contract = auction.contract
    assert contract is not None
    out: Row = {"seed": row["seed"], "contract": contract.ascii, "positions": []}
    began = time.process_time()
    lines = [row["cards"], *row.get("again", [])]
    for cards, line in dict.fromkeys((n, tuple(line[:n])) for line in lines for n in cuts):
        start = Play.of(contract, line)
        share = share_made(board, auction, start)
        if not 0.05 <= share <= 0.95:
            continue
        found: Row = {"left": 13 - cards // 4, "share": share}
        for defence in defences:
            table = DefendedBoard.of(board, auction, meanings, DEFENDERS[defence])
            for name in names:
                one = table.finish(start, player(DECLARERS.get(name, name)))
                times = [round(one.mean, 4), round(one.slowest, 4)]
                found[f"{defence}:{name}"] = [int(one.made), one.tricks, *times]
        out["positions"].append(found)
    out["cpu"] = round(time.process_time() - began, 3)
    return out


def finished(job: tuple[Row | int, list[str], list[str], list[int]]) -> Row | None:
    """`one_ending` of a row, or of a board that is bid and played first."""
    row, names, defences, cuts = job
    if isinstance(row, int):
        tricks = -(-max(cuts) // 4)
        made = one_board((row, _BIDDER, _ROBOT, tricks, True, _LINES if tricks > 1 else 1))
        if made is None:
            return None
        row = made
    return one_ending((row, names, defences, cuts))


def endings(args: argparse.Namespace) -> None:
    old = rows(args.out)
    done = {r["seed"] for r in old}
    names, defences = args.declarers.split("|"), args.defences.split(",")
    cuts = [int(c) for c in args.cuts.split(",")]

    def jobs() -> Iterator[tuple[Row | int, list[str], list[str], list[int]]]:
        for r in rows(args.boards) if args.boards else ():
            if r["seed"] not in done:
                yield r, names, defences, cuts
        fresh = range(args.fresh, args.fresh + 10**7) if args.fresh else ()
        for seed in fresh:
            if seed > max(done, default=0):
                yield seed, names, defences, cuts

    kept = sum(len(r["positions"]) for r in old)
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(finished, jobs(), args.workers, args.minutes):
            if row is None:
                continue
            out.write(json.dumps(row) + "\n")
            out.flush()
            kept += len(row["positions"])
            if kept >= args.positions:
                break
    endings_report(args.out)


def endings_report(path: str) -> None:
    """Make % of each declarer and its difference from `plain`; intervals by board, not position."""
    boards_ = [r["positions"] for r in rows(path) if r["positions"]]
    everything = [p for b in boards_ for p in b]
    columns = sorted({k for p in everything for k in p if ":" in k})
    lefts = sorted({p["left"] for p in everything}, reverse=True)
    words = ", ".join(f"{sum(p['left'] == n for p in everything)} with {n} cards" for n in lefts)
    print(f"{len(everything)} positions ({words}) of {len(boards_)} boards\n")
    print("| defence | declarer | makes | contracts per 100 against plain | won–lost "
          "| median ms a card | slowest card |")  # fmt: skip
    print("|---|---|---|---|---|---|---|")
    for column in columns:
        defence, name = column.split(":", 1)
        base = f"{defence}:plain"
        have = [[p for p in b if column in p and base in p] for b in boards_]
        flat = [p for b in have for p in b]
        if not flat:
            continue
        made = np.array([p[column][0] for p in flat], float)
        change = np.array([p[column][0] - p[base][0] for p in flat], float)
        by_board = np.array([sum(p[column][0] - p[base][0] for p in b) for b in have if b], float)
        sizes = np.array([len(b) for b in have if b], float)
        spread = by_board - change.mean() * sizes
        wide = 196 * np.sqrt((spread**2).sum()) / len(flat)
        mean = 1000 * np.median([p[column][2] for p in flat if p[column][2]] or [0])
        slow = max(p[column][3] for p in flat)
        print(
            f"| {defence} | {name} | {100 * made.mean():.1f} % | {100 * change.mean():+.2f} "
            f"± {wide:.2f} | {int((change > 0).sum())}–{int((change < 0).sum())} "
            f"| {mean:.0f} | {slow:.2f} s |"
        )


def compare(args: argparse.Namespace) -> None:
    """Another version's finishes (`--before`) against these, ending by ending."""
    pairs: dict[str, list[list[tuple[Row, Row]]]] = {}
    before = {r["seed"]: r["positions"] for r in rows(args.before)}
    for row in rows(args.out):
        both = [
            (old, new)
            for old, new in zip(before.get(row["seed"], ()), row["positions"], strict=False)
            if (old["left"], old["share"]) == (new["left"], new["share"])
        ]
        for column in {k for old, new in both for k in old.keys() & new.keys() if ":" in k}:
            pairs.setdefault(column, []).append([(o[column], n[column]) for o, n in both])
    for column, boards_ in sorted(pairs.items()):
        flat = np.array([(*o, *n) for b in boards_ for o, n in b], float)
        gain = flat[:, 4] - flat[:, 0]
        by_board = [sum(n[0] - o[0] for o, n in b) - gain.mean() * len(b) for b in boards_]
        error = np.sqrt(np.square(by_board).sum()) / len(flat)
        print(
            f"{column}, {len(flat)} endings of {len(boards_)} boards: made {flat[:, 0].mean():.1%} "
            f"before, {flat[:, 4].mean():.1%} after, {100 * gain.mean():+.2f} ± {100 * error:.2f} "
            f"of 100 (won {int((gain > 0).sum())}, lost {int((gain < 0).sum())}); CPU seconds a "
            f"card {flat[:, 2].mean():.3f} before, {flat[:, 6].mean():.3f} after"
        )


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("boards")
    sub.add_argument("--count", type=int, default=400)
    sub.add_argument("--start", type=int, default=60_000_000)
    sub.add_argument("--tricks", type=int, default=5)
    sub.add_argument("--bidder", default=_BIDDER)
    sub.add_argument("--engine", default=_ROBOT)
    sub.add_argument("--lines", type=int, default=_LINES, help="ways each board is played")
    sub.add_argument("--close", action=argparse.BooleanOptionalAction, default=True)
    sub.set_defaults(run=boards)
    sub = stages.add_parser("endings")
    sub.add_argument("--boards", default="", help="a file that `boards` wrote")
    sub.add_argument("--fresh", type=int, default=0, help="after that, new boards from this seed")
    sub.add_argument("--positions", type=int, default=4000)
    sub.add_argument("--declarers", default="|".join(DECLARERS))
    sub.add_argument("--defences", default="pimc,dd")
    sub.add_argument("--cuts", default="16,20", help="cards played before; 1 for whole boards")
    sub.set_defaults(run=endings)
    sub = stages.add_parser("report")
    sub.set_defaults(run=lambda args: endings_report(args.out))
    sub = stages.add_parser("compare")
    sub.add_argument("--before", required=True, help="what `endings` wrote in the other tree")
    sub.set_defaults(run=compare)
    for one in stages.choices.values():
        one.add_argument("--out", required=True)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
