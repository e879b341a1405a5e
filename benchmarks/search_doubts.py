"""Which doubts of the policy are worth a search, and when shall the search overrule it?
Run `PYTHONPATH=src:. python -m benchmarks.search_doubts collect --count 2000 --out doubts.jsonl`,
then `… rules --rows doubts.jsonl`; stopped runs go on.

The policy bids random deals; wherever it has the least doubt the search of `bmcs` compares its
calls, with wider limits than it has at the table. What each call then brings on the cards that are
really there, bid out by the policy and scored double dummy or by what declarers take there, is an
honest answer beside what the search had said. `rules` asks those answers what limits and margins
would have won. With `--engine partner` the calls are those that its system allows, liked by its
network.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, in_pool, rows
from overtrick.bidding import bidder
from overtrick.bidding.bmcs import Bmcs
from overtrick.bidding.kernel import AuctionPosition, Clock, SeatHands, Utility, Walk
from overtrick.bidding.partner import Partner
from overtrick.bidding.policy import Policy
from overtrick.bidding.rules import context_of, hand_values, reading_of
from overtrick.engines.clock import now
from overtrick.game import CALLS, Auction, Board, Systems, View, view_of
from overtrick.systems import declared
from overtrick.systems.allowed import allowed
from overtrick.systems.card import Character

_MARGINS = {"margin": 0.5, "improbable": 0.0, "least": 0.05}
_WIDE = {"bmcs": (1e-6, 0.99999), "partner": (1e-4, 0.9999)}  # p_min, sure
_MOST = 7  # calls compared
_NEVER = 600.0  # seconds
_FEW = 8.0  # effective worlds below which the policy decides
_UNKNOWN = 50.0  # IMPs of error: the call was not compared
_SAID = (-99.0, -1.0, -0.5, -0.2, 0.0, 0.4, 1.2, 99.0)
_SCORED = {"dd": "brought", "table": "at_table"}
Engine = Bmcs | Partner


@cache
def _engine(name: str, net: str, tricks: str) -> Engine:
    p_min, sure = _WIDE[name]
    if name == "bmcs":
        return Bmcs(net or "policy", tricks=tricks, p_min=p_min, sure=sure, k=_MOST, **_MARGINS)
    return Partner(net=net or "partner", tricks=tricks, p_min=p_min, sure=sure, k=_MOST, batches=0)


@cache
def _searcher(engine: Engine) -> Bmcs:
    """The race of an engine with margins that leave nearly everything to the search."""
    base = engine if isinstance(engine, Bmcs) else engine.search
    return replace(base, seconds=_NEVER, batches=6, worth=0.0, **_MARGINS)


@cache
def _other(name: str) -> Policy:
    return Policy(net=name)


def choices(engine: Engine, view: View) -> tuple[list[int], NDArray[np.float64]]:
    """The calls worth comparing, the favourite first, and how much the network likes each."""
    if isinstance(engine, Bmcs):
        found = engine.policy.probabilities(view).astype(float)
        order = np.argsort(-found, kind="stable")[: engine.k]
        calls = [int(c) for c in order if found[c] >= engine.p_min] or [int(order[0])]
        return calls, found[calls]
    reading = reading_of(engine.system, declared(view.systems.theirs))
    ways = allowed(
        reading, context_of(reading, view), hand_values(view.hand.bits), Character(engine.character)
    )
    if not ways:
        return [int(engine.bid(view).call)], np.ones(1)
    ways, chances = engine.liked(view, ways)
    return [way.call for way in ways], chances


def one_deal(job: tuple[int, str, str, str]) -> list[Row]:
    """Every doubt on one deal, one side against another style or its own."""
    seed, name, net, tricks = job
    board = Board.random(seed % 16 + 1, seed=seed)
    ours = _engine(name, net, tricks)
    theirs = _other("sl") if seed % 4 else bidder("policy")
    side = seed // 16 % 2
    auction, found = Auction(board.dealer), list[Row]()
    while not auction.is_over:
        mine = auction.turn % 2 == side
        systems = (ours.system, theirs.system) if mine else (theirs.system, ours.system)
        view = view_of(board, auction, systems=Systems(*systems))
        if not mine:
            auction = auction.then(theirs.bid(view).call)
            continue
        calls, chances = choices(ours, view)
        if len(calls) > 1 and chances[0] < ours.sure:
            told = _doubt(_searcher(ours), board, view, (calls, chances))
            found.append(told | {"seed": seed})
        auction = auction.then(CALLS[calls[0]])
    return found


def _doubt(
    ours: Bmcs, board: Board, view: View, asked: tuple[list[int], NDArray[np.float64]]
) -> Row:
    calls, chances = asked
    race = ours.race(view, calls, chances, Clock(now() + _NEVER))
    true = np.array([[hand.bits for hand in board.deal.hands]], np.uint64)
    contracts, _ = Walk(SeatHands(true), ours.callers(view)).after(AuctionPosition.of(view), calls)
    brought, at_table = (
        Utility(tricks, "imps").values(true, contracts, view.vul, view.seat & 1)[0]
        for tricks in ("dd", "dd+played")
    )
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
        "at_table": [round(float(b), 2) for b in at_table],
    }


def collect(args: argparse.Namespace) -> None:
    done = max((r["seed"] for r in rows(args.out)), default=args.start - 1)
    todo = range(done + 1, args.start + args.count)
    jobs = ((seed, args.engine, args.net, args.tricks) for seed in todo)
    with open(args.out, "a", encoding="utf-8") as out:
        for some in in_pool(one_deal, jobs, args.workers, args.minutes):
            out.writelines(json.dumps(row) + "\n" for row in some)
            out.flush()


def rules(args: argparse.Namespace) -> None:
    """What calls brought by what the search had said, and what limits and margins bring, in IMPs a
    deal (of one side) over the policy's own calls."""
    have = [r for path in args.rows.split(",") for r in rows(path)]
    deals = sorted({r["seed"] for r in have})
    print(f"{len(have)} doubts on {len(deals)} deals")
    for row in have:  # what the answers below are asked for
        row["brought"] = row[_SCORED[args.scored]]
    _came_true(have)
    grid = product((1e-4, 1e-5, 1e-6), (0.9998, 0.9999, 0.99999), (1.0, 0.8, 0.6), (0.1, 0.2),
                   (0.0, 0.1, 0.2))  # fmt: skip
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
        often = f"searched {searched / len(deals):.2f} a deal, turned {turned / len(deals):.2f}"
        print(
            f"{mean:+.3f} ± {error:.3f}, {often}; p_min, sure, margin, least, improbable {setting}"
        )


def _came_true(have: list[Row]) -> None:
    """Gains that were said and what they brought, and a straight line through all of them."""
    told = [
        (np.log10(row["chances"][0] / row["chances"][i]), row["gain"][i], row["brought"][i])
        for row in have
        if row["effective"] >= _FEW
        for i in range(1, len(row["chances"]))
        if row["error"][i] < _UNKNOWN
    ]
    less, said, brought = np.array(told, float).T
    for low, high in pairwise(_SAID):
        here = brought[(said >= low) & (said < high)]
        if len(here):
            error = here.std() / len(here) ** 0.5
            print(f"said {low} to {high}: {len(here)} brought {here.mean():+.2f} ± {error:.2f}")
    inputs = np.stack([np.ones(len(said)), less, said], axis=1)
    line, *_ = np.linalg.lstsq(inputs, brought)
    spread = (brought - inputs @ line).var()
    errors = np.sqrt(spread * np.diag(np.linalg.inv(inputs.T @ inputs)))
    print(f"of a gain comes true {line[2]:.2f} ± {errors[2]:.2f}; a factor of ten in liking "
          f"{-line[1]:+.2f} ± {errors[1]:.2f} IMPs")  # fmt: skip


def _chosen(
    row: Row, p_min: float, sure: float, margin: float, least: float, improbable: float
) -> tuple[float | None, bool]:
    """What the rule's call brings if it overrules the policy, and whether it looks at all."""
    chances = row["chances"]
    places = [i for i in range(min(len(chances), 4)) if chances[i] >= p_min]
    if len(places) < 2 or chances[0] >= sure:
        return None, False
    proved = {}
    for i in places[1:] if row["effective"] >= _FEW else ():
        price = improbable * max(np.log10(chances[0] / chances[i]), 0)
        needed = max(margin * row["error"][i], least) + price
        if i in row["open"] and row["gain"][i] > needed:
            proved[i] = row["gain"][i] - price
    if not proved:
        return None, True
    return row["brought"][max(proved, key=lambda i: proved[i])], True


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("collect")
    sub.add_argument("--engine", default="bmcs", choices=sorted(_WIDE))
    sub.add_argument("--net", default="")
    sub.add_argument("--tricks", default="tricks+both", help="what the search judges by")
    sub.add_argument("--start", type=int, default=510_000_000)
    sub.add_argument("--count", type=int, default=200)
    sub.add_argument("--workers", type=int, default=1)
    sub.add_argument("--minutes", type=float, default=600)
    sub.add_argument("--out", required=True)
    sub.set_defaults(run=collect)
    sub = stages.add_parser("rules")
    sub.add_argument("--rows", required=True)
    sub.add_argument("--scored", default="dd", choices=sorted(_SCORED))
    sub.set_defaults(run=rules)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
