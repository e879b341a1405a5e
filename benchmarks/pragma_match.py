"""A match of pragma against rules on solved deals, with its times and what decided.
Run as `python -m benchmarks.pragma_match -n 1000 -w 16 --minutes 8 --out result.json`."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.bidding import bid_board, bidder
from overtrick.game import Board, Decision, imps, points
from overtrick.notation.solved import SolvedDeals

DEALS = Path("data/solved_deals.npz")
_STATE: dict[str, Any] = {}


def _begin(first: str, second: str, deals: Path) -> None:
    _STATE.update(a=bidder(first), b=bidder(second), deals=SolvedDeals.load(deals))


def play(index: int) -> dict[str, Any]:
    """One deal in both rooms: IMPs for the first engine, and its decisions."""
    a, b, deals = _STATE["a"], _STATE["b"], _STATE["deals"]
    number = index % 16 + 1
    board = Board.numbered(number, deals.deal(index))
    tricks = deals.tricks_of(index)
    scores, kept, auctions = [], [], []
    for seats in ((a, b, a, b), (b, a, b, a)):
        auction, decisions = bid_board(board, seats)
        kept += [d for i, d in enumerate(decisions) if seats[auction.seat_of(i)] is a]
        contract = auction.contract
        score = 0
        if contract is not None:
            taken = tricks[contract.strain][contract.declarer]
            score = points(
                contract.level, contract.strain, contract.doubled,
                board.vul.of(contract.declarer), taken,
            )  # fmt: skip
            score *= 1 if contract.declarer % 2 == 0 else -1
        scores.append(score)
        auctions.append(auction.ascii)
    return {
        "deal": index, "imps": imps(scores[0] - scores[1]), "auctions": auctions,
        "ms": [d.milliseconds for d in kept], "by": [decided_by(d) for d in kept],
    }  # fmt: skip


def decided_by(decision: Decision) -> str:
    return decision.why.split(":")[0] if ":" in decision.why else "rules"


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    won = np.array([r["imps"] for r in rows], float)
    times = np.array([t for r in rows for t in r["ms"]])
    return {
        "deals": len(rows),
        "imps_per_deal": round(float(won.mean()), 4),
        "standard_error": round(float(won.std(ddof=1) / len(won) ** 0.5), 4) if len(won) > 1 else 0,
        "decisions": len(times),
        "mean_ms": round(float(times.mean()), 1),
        "p99_ms": round(float(np.quantile(times, 0.99)), 1),
        "slowest_ms": round(float(times.max()), 1),
        "by": dict(Counter(s for r in rows for s in r["by"])),
    }


def rows_of(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    numbers = range(args.first, args.first + args.deals_count)
    start = (args.a, args.b, args.deals)
    if args.workers == 1:
        _begin(*start)
        yield from map(play, numbers)
        return
    with get_context("spawn").Pool(args.workers, _begin, start) as pool:
        yield from pool.imap_unordered(play, numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-a", default="pragma(seconds=1)")
    parser.add_argument("-b", default="rules")
    parser.add_argument("-n", dest="deals_count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-w", "--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--deals", type=Path, default=DEALS)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    began = written = time.monotonic()
    for row in rows_of(args):
        rows.append(row)
        now = time.monotonic()
        if args.out and now - written > 20:
            written = now
            args.out.write_text(json.dumps({"summary": summary(rows), "rows": rows}))
        if now - began > 60 * args.minutes:
            break
    told = {"a": args.a, "b": args.b, **summary(rows)}
    if args.out:
        args.out.write_text(json.dumps({"summary": told, "rows": rows}))
    print(json.dumps(told))


if __name__ == "__main__":
    main()
