"""Which doubts of the policy are worth a search, and when shall the search overrule it?
Run `PYTHONPATH=src:. python -m benchmarks.search_doubts collect --count 2000 --out doubts.jsonl`,
then `… rules --rows doubts.jsonl`; stopped runs go on.

The policy bids random deals; wherever it has the least doubt the search of `bmcs` compares its
calls, with wider limits than it has at the table. What each call then brings on the cards that are
really there, bid out by the policy and scored double dummy, is an honest answer beside what the
search had said. `rules` asks those answers what limits and margins would have won.
"""

from __future__ import annotations

import argparse
import json
import os
from functools import cache
from itertools import product

import numpy as np

from benchmarks.cardplay_common import Row, in_pool, rows
from overtrick.bidding.bmcs import Bmcs
from overtrick.bidding.kernel import Clock, Held, Position, Utility, Walk
from overtrick.bidding.policy import Policy
from overtrick.engines.clock import now
from overtrick.game import CALLS, Auction, Board, Systems, view_of

_WIDE = {"p_min": 1e-4, "sure": 0.9998, "k": 5}
_NEVER = 600.0  # seconds


@cache
def _searcher(net: str) -> Bmcs:
    return Bmcs(net=net, seconds=_NEVER, **_WIDE)  # type: ignore[arg-type]


@cache
def _other(name: str) -> Policy:
    return Policy(net=name)


def one_deal(job: tuple[int, str]) -> list[Row]:
    """Every doubt of the policy on one deal, one side against another style or its own."""
    seed, net = job
    board = Board.random(seed % 16 + 1, seed=seed)
    ours = _searcher(net)
    theirs = _other("sl") if seed % 4 else ours.policy
    side = seed // 16 % 2
    auction, found = Auction(board.dealer), list[Row]()
    while not auction.is_over:
        mine = auction.turn % 2 == side
        systems = (ours.system, theirs.system) if mine else (theirs.system, ours.system)
        view = view_of(board, auction, systems=Systems(*systems))
        chances = (ours.policy if mine else theirs).probabilities(view).astype(float)
        order = np.argsort(-chances, kind="stable")
        calls = [int(c) for c in order[: ours.k] if chances[c] >= ours.p_min]
        if mine and len(calls) > 1 and chances[calls[0]] < ours.sure:
            found.append(_doubt(ours, board, view, calls, chances[calls]) | {"seed": seed})
        auction = auction.then(CALLS[int(order[0])])
    return found


def _doubt(ours: Bmcs, board: Board, view, calls, chances) -> Row:  # type: ignore[no-untyped-def]
    race = ours.race(view, calls, chances, Clock(now() + _NEVER))
    true = np.array([[hand.bits for hand in board.deal.hands]], np.uint64)
    contracts, _ = Walk(Held(true), ours.callers(view)).after(Position.of(view), calls)
    brought = Utility("dd", "imps").values(true, contracts, view.vul, view.seat & 1)[0]
    gains = [race.gain(i) if race.used else (0.0, float("inf")) for i in range(len(calls))]
    return {
        "call": len(view.auction.calls),
        "chances": [round(float(c), 6) for c in chances],
        "gain": [round(g, 4) for g, _ in gains],
        "error": [round(min(e, 99.0), 4) for _, e in gains],
        "open": race.open,
        "effective": round(race.worlds.effective, 1),
        "batches": len(race.rounds),
        "brought": [round(float(b), 2) for b in brought],
    }


def collect(args: argparse.Namespace) -> None:
    done = max((r["seed"] for r in rows(args.out)), default=args.start - 1)
    jobs = ((seed, args.net) for seed in range(done + 1, args.start + args.count))
    with open(args.out, "a", encoding="utf-8") as out:
        for some in in_pool(one_deal, jobs, args.workers, args.minutes):
            out.writelines(json.dumps(row) + "\n" for row in some)
            out.flush()


def rules(args: argparse.Namespace) -> None:
    """What limits and margins bring, in IMPs a deal (of one side) over the policy's own calls."""
    have = [r for path in args.rows.split(",") for r in rows(path)]
    deals = sorted({r["seed"] for r in have})
    print(f"{len(have)} doubts on {len(deals)} deals")
    grid = product((0.002, 0.0005, 1e-4), (0.995, 0.999, 0.9998), (1.0, 0.6, 0.3), (1.0, 0.5, 0.0),
                   (0.1, 0.05))  # fmt: skip
    found = []
    for setting in grid:
        won = dict.fromkeys(deals, 0.0)
        searched = turned = 0
        for row in have:
            gain, looked = _chosen(row, *setting)
            searched += looked
            turned += gain is not None
            won[row["seed"]] += gain or 0.0
        values = np.array(list(won.values()))
        error = values.std() / len(values) ** 0.5
        found.append((float(values.mean()), error, searched, turned, setting))
    for mean, error, searched, turned, setting in sorted(found, reverse=True):
        print(
            f"{mean:+.3f} ± {error:.3f}, searched {searched / len(deals):.2f} a deal, turned "
            f"{turned / len(deals):.2f}; p_min, sure, margin, improbable, least {setting}"
        )


def _chosen(
    row: Row, p_min: float, sure: float, margin: float, improbable: float, least: float
) -> tuple[float | None, bool]:
    """What the rule's call brings if it overrules the policy, and whether it looks at all."""
    chances = row["chances"]
    places = [i for i in range(min(len(chances), 4)) if chances[i] >= p_min]
    if len(places) < 2 or chances[0] >= sure:
        return None, False
    if row["effective"] < 8:
        return None, True
    proved = {}
    for i in places[1:]:
        factor = 1 + improbable * max(np.log10(chances[0] / chances[i]), 0)
        if i in row["open"] and row["gain"][i] > max(margin * factor * row["error"][i], least):
            proved[i] = row["gain"][i]
    if not proved:
        return None, True
    return row["brought"][max(proved, key=lambda i: proved[i])], True


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("collect")
    sub.add_argument("--net", default="policy")
    sub.add_argument("--start", type=int, default=510_000_000)
    sub.add_argument("--count", type=int, default=200)
    sub.add_argument("--workers", type=int, default=1)
    sub.add_argument("--minutes", type=float, default=600)
    sub.add_argument("--out", required=True)
    sub.set_defaults(run=collect)
    sub = stages.add_parser("rules")
    sub.add_argument("--rows", required=True)
    sub.set_defaults(run=rules)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
