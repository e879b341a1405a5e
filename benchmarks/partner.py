"""The partner's promises over many deals: inside what it states, stretches named, nothing silly.
Run `PYTHONPATH=src python -m benchmarks.partner --deals 400 --workers 2`; `--json` for programs.

Each deal is bid by `partner` for one pair against one of four kinds of opponents in turn: the
imitation network, the policy, a pair that always passes, and itself.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import numpy as np

from overtrick.bidding import bidder
from overtrick.bidding.base import Bidder
from overtrick.bidding.rules import context_of, hand_values, reading_of
from overtrick.game import Auction, Board, Decision, Systems, View, view_of
from overtrick.systems import Reading, library_names
from overtrick.systems.allowed import allowed, fits, stated
from overtrick.systems.many import Pool
from overtrick.systems.properties import silly_calls, stops_below_game

OPPONENTS = ("policy(net=sl)", "policy", "pass", "")


@cache
def engine(spec: str) -> Bidder:
    return bidder(spec)


def bid(spec: str, number: int) -> tuple[Counter[str], list[float], list[int]]:
    """One deal: what was counted, milliseconds a call, widths of the hcp ranges of limited bids."""
    partner, other = engine(spec), OPPONENTS[number % 4]
    theirs = engine(other) if other else partner
    board = Board.random(number % 16 + 1, seed=760_000_000 + number)
    auction, ours = Auction(board.dealer), number // 4 % 2
    counted: Counter[str] = Counter()
    times: list[float] = []
    widths: list[int] = []
    while not auction.is_over:
        mine = auction.turn % 2 == ours
        sides = Systems(partner.system, theirs.system)
        view = view_of(board, auction, systems=sides if mine else Systems(sides.theirs, sides.ours))
        decision = (partner if mine else theirs).bid(view)
        if mine:
            times.append(decision.milliseconds)
            counted.update(faults(view, decision, partner.system))
            low, high = decision.meaning.hcp
            if high - low <= 12 and int(decision.call):
                widths.append(high - low)
        auction = auction.then(decision.call)
    reading = read_as(partner.system, theirs.system)
    last = tuple(int(c) for c in auction.calls)
    end = reading.context(last, 0, int(board.dealer) % 2 != ours)
    we_play = (int(board.dealer) + end.last_bidder) % 2 == ours
    if we_play and stops_below_game(end):
        counted["stops below game after a game force"] += 1
    return counted, times, widths


def faults(view: View, decision: Decision, system: str) -> Counter[str]:
    """One call: is the hand inside what it states, was it stretched, was it silly?"""
    reading = read_as(system, view.systems.theirs)
    ctx, values = context_of(reading, view), hand_values(view.hand.bits)
    call = int(decision.call)
    found = Counter({"calls": 1})
    inside = fits(stated(reading, ctx, call), values)
    named = "stretched" in decision.why
    found["inside what it states"] += inside
    found["stretched, and named so"] += named
    found["neither"] += not inside and not named
    way = next((w for w in allowed(reading, ctx, values, stretch=True) if w.call == call), None)
    chosen = [(way.option if way else None, 1)]
    pool = Pool(np.array([view.hand.bits], np.uint64))
    found.update(str(kind) for kind, _, _ in silly_calls(reading, ctx, pool, chosen))
    return found


def read_as(ours: str, theirs: str) -> Reading:
    """How the partner reads the auction: opponents of an unknown system as its own."""
    return reading_of(ours, theirs if theirs in library_names() else "")


def main() -> None:
    """Command line."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--engine", default="partner")
    words.add_argument("--deals", type=int, default=200)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    total: Counter[str] = Counter()
    times: list[float] = []
    widths: list[int] = []
    with ProcessPoolExecutor(asked.workers, get_context("spawn")) as pool:
        jobs = [asked.engine] * asked.deals, range(asked.deals)
        for counted, took, wide in pool.map(bid, *jobs, chunksize=8):
            total.update(counted)
            times += took
            widths += wide
    told = {
        "engine": asked.engine, "deals": asked.deals, **dict(total.most_common()),
        "ms median": round(float(np.median(times)), 1),
        "ms 99 of 100": round(float(np.quantile(times, 0.99)), 1),
        "hcp range of limited bids, median": float(np.median(widths)),
    }  # fmt: skip
    if asked.json:
        print(json.dumps(told, ensure_ascii=False))
        return
    for name, value in told.items():
        share = f"  {100 * value / total['calls']:.2f} %" if name in total else ""
        print(f"{name:50} {value}{share}")


if __name__ == "__main__":
    main()
