"""Measures PIDM: matches against the rules on solved deals, deadlines, sampling speed.
Run `python benchmarks/bidi.py match --count 100 --workers 2`; or `alone`, `speed`, `deadlines`."""

from __future__ import annotations

import argparse
import json
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.bidding import Bidder, bidder
from overtrick.game import (
    PASS,
    Auction,
    Board,
    Contract,
    Deal,
    Decision,
    Hand,
    Seat,
    Systems,
    Vulnerability,
    imps,
    score,
    view_of,
)
from overtrick.game.reasons import Gains
from overtrick.notation.solved import SolvedDeals

_VULS = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)


def _gains(decision: Decision) -> bool:
    """Was the first choice overruled?"""
    return any(isinstance(reason, Gains) for reason in decision.reasons)


def bid(board: Board, pairs: tuple[Bidder, Bidder]) -> tuple[Auction, list[Any]]:
    """One room: the first pair sits North-South; both declare what they play."""
    auction, decisions = Auction(board.dealer), []
    while not auction.is_over:
        side = auction.turn & 1
        systems = Systems(pairs[side].system, pairs[1 - side].system)
        meanings = tuple(d.meaning for d in decisions)
        view = view_of(board, auction, systems=systems, meanings=meanings)
        decisions.append(pairs[side].bid(view))
        auction = auction.then(decisions[-1].call)
    return auction, decisions


def points(contract: Contract | None, tricks: np.ndarray, vul: Vulnerability) -> int:
    if contract is None:
        return 0
    return score(contract, int(tricks[contract.strain][contract.declarer]), vul)


def one_deal(job: tuple[str, str, int, list[int], list[list[int]]]) -> dict[str, Any]:
    """One deal in both rooms; IMPs for the first engine."""
    ours, theirs, number, hands, tricks = job
    a, b = bidder(ours), bidder(theirs)
    board = Board(
        number + 1, Seat(number % 4), Vulnerability(_VULS[number % 16]),
        Deal(tuple(Hand(h) for h in hands)),  # type: ignore[arg-type]
    )  # fmt: skip
    table = np.array(tricks)
    began = time.perf_counter()
    one, first = bid(board, (a, b))
    two, second = bid(board, (b, a))
    mine = [d for d in first + second if d.engine == a.name]
    swing = points(one.contract, table, board.vul) - points(two.contract, table, board.vul)
    return {
        "deal": number, "imps": imps(swing), "swing": swing, "ours_ns": one.ascii,
        "ours_ew": two.ascii, "slowest": max(d.milliseconds for d in mine),
        "searched": sum(d.worlds > 0 for d in mine), "calls": len(mine),
        "why": [[d.call.ascii, d.why] for d in mine if _gains(d)],
        "seconds": time.perf_counter() - began,
    }  # fmt: skip


def match(args: argparse.Namespace) -> None:
    """Two rooms, or with `--common` the same seats against a third engine."""
    deals = SolvedDeals.load(Path(args.deals))
    start = args.start if args.start >= 0 else len(deals) + args.start  # -n: the last n deals
    numbers = range(start, start + args.count)
    engines = (args.engine, args.against, *([args.common] if args.common else []))
    jobs: list[Any] = [
        (*engines, n, [h.bits for h in deals.deal(n).hands], deals.tricks[n].tolist())
        for n in numbers
    ]
    _play(one_common if args.common else one_deal, jobs, args)


def _play(play: Any, jobs: list[Any], args: argparse.Namespace) -> None:
    """Deals in parallel, one line each, until they are done or the minutes are over."""
    out = Path(args.out) if args.out else None
    found: list[dict[str, Any]] = []
    until = time.time() + 60 * args.minutes
    with get_context("spawn").Pool(args.workers) as pool:
        for row in pool.imap_unordered(play, jobs):
            found.append(row)
            if out is not None:
                with out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            if args.show and row["imps"]:
                print(json.dumps(row))
            if time.time() > until:
                pool.terminate()
                break
    report(found)


def one_common(job: tuple[str, str, str, int, list[int], list[list[int]]]) -> dict[str, Any]:
    """One deal, two engines in the same seats against the same third one, which neither knows.

    A searcher that simulates its opponents by the program they run also wins by that program's
    gaps; here it cannot, so the difference is what it bids better.
    """
    ours, theirs, third, number, hands, tricks = job
    a, b, c = bidder(ours), bidder(theirs), bidder(third)
    board = Board(
        number + 1, Seat(number % 4), Vulnerability(_VULS[number % 16]),
        Deal(tuple(Hand(h) for h in hands)),  # type: ignore[arg-type]
    )  # fmt: skip
    table = np.array(tricks)
    side = number // 4 % 2  # who sits North-South changes with the board
    rooms = [bid(board, (e, c) if side == 0 else (c, e)) for e in (a, b)]
    one, two = (points(auction.contract, table, board.vul) for auction, _ in rooms)
    swing = one - two if side == 0 else two - one
    mine = [d for d in rooms[0][1] if d.engine == a.name]
    return {
        "deal": number, "imps": imps(swing), "swing": swing, "ours_ns": rooms[0][0].ascii,
        "ours_ew": rooms[1][0].ascii, "slowest": max((d.milliseconds for d in mine), default=0.0),
        "searched": sum(d.worlds > 0 for d in mine), "calls": len(mine),
        "why": [[d.call.ascii, d.why] for d in mine if _gains(d)],
    }  # fmt: skip


def one_alone(job: tuple[str, str, int, list[int], list[list[int]]]) -> dict[str, Any]:
    """One deal that North and South bid by themselves, with each of two engines; nobody tells
    what the opponents play, and they pass."""
    ours, theirs, number, hands, tricks = job
    board = Board(
        number + 1, Seat(2 * (number % 2)), Vulnerability(_VULS[number % 16]),
        Deal(tuple(Hand(h) for h in hands)),  # type: ignore[arg-type]
    )  # fmt: skip
    auctions, decisions, scores = [], [], []
    for engine in (bidder(ours), bidder(theirs)):
        auction, made = Auction(board.dealer), []
        while not auction.is_over:
            if auction.turn & 1:
                auction = auction.then(PASS)
                continue
            made.append(engine.bid(view_of(board, auction)))
            auction = auction.then(made[-1].call)
        auctions.append(auction)
        decisions.append(made)
        scores.append(points(auction.contract, np.array(tricks), board.vul))
    return {
        "deal": number, "imps": imps(scores[0] - scores[1]), "swing": scores[0] - scores[1],
        "ours_ns": auctions[0].ascii, "ours_ew": auctions[1].ascii,
        "slowest": max(d.milliseconds for d in decisions[0]),
        "searched": sum(d.worlds > 0 for d in decisions[0]), "calls": len(decisions[0]),
        "why": [[d.call.ascii, d.why] for d in decisions[0] if _gains(d)],
    }  # fmt: skip


def alone(args: argparse.Namespace) -> None:
    """Strong deals (high cards of North and South from `--hcp` on), silent opponents."""
    deals = SolvedDeals.load(Path(args.deals))
    owners = deals.owners[args.start : args.start + 200 * args.count]
    ours = np.isin(owners, (0, 2)) * (1 + np.maximum(np.arange(52) % 13 - 9, -1))
    strong = args.start + np.flatnonzero(ours.sum(axis=1) >= args.hcp)[: args.count]
    jobs = [
        (args.engine, args.against, int(n), [h.bits for h in deals.deal(int(n)).hands],
         deals.tricks[n].tolist())
        for n in strong
    ]  # fmt: skip
    _play(one_alone, jobs, args)


def report(found: list[dict[str, Any]]) -> None:
    values = np.array([row["imps"] for row in found], float)
    print(json.dumps({
        "deals": len(values), "imps_per_deal": round(values.mean(), 4),
        "error": round(values.std(ddof=1) / len(values) ** 0.5, 4),
        "won": int((values > 0).sum()), "lost": int((values < 0).sum()),
        "searched": sum(r["searched"] for r in found), "calls": sum(r["calls"] for r in found),
        "slowest_ms": round(max(r["slowest"] for r in found)),
    }))  # fmt: skip


def speed(args: argparse.Namespace) -> None:
    """Instances checked against a full auction per second, one core; CPU time."""
    from overtrick.bidding.kernel import AuctionPosition
    from overtrick.bidding.pidm.models import PlayerModel
    from overtrick.bidding.pidm.sampling import sample_worlds
    from overtrick.worlds.consistent import SamplingBudget

    engine = bidder(f"rules(system={args.system})")
    player = PlayerModel(args.system, near=args.near)
    rows = []
    for number in range(1, args.count + 1):
        board = Board.random(number, seed=args.seed + number)
        auction, _ = bid(board, (engine, engine))
        calls = tuple(int(c) for c in auction.calls)[:-1]
        position = AuctionPosition(calls, int(board.dealer), int(board.vul))
        hand = board.deal[Seat(position.turn)].bits
        for proposal in ("plain", "staged", "auto"):
            rng = np.random.default_rng(number)
            began = time.process_time()
            # More worlds than can be found, so that the whole budget is checked.
            sample = sample_worlds(
                player, position, hand, SamplingBudget(instances=args.instances), args.worlds,
                proposal=proposal, rng=rng,
            )  # fmt: skip
            rows.append((proposal, len(calls), sample.generated, time.process_time() - began))
    for proposal in ("plain", "staged", "auto"):
        some = [r for r in rows if r[0] == proposal]
        rates = sorted(r[2] / r[3] for r in some)
        print(json.dumps({
            "proposal": proposal, "auctions": len(some),
            "calls": round(sum(r[1] for r in some) / len(some), 1),
            "instances": sum(r[2] for r in some),
            "per_second": round(sum(r[2] for r in some) / sum(r[3] for r in some)),
            "slowest_auction": round(rates[0]), "median": round(rates[len(rates) // 2]),
        }))  # fmt: skip


def _timed(job: tuple[str, int, int]) -> tuple[float, list[float]]:
    """Seconds of so many decisions in random auctions, and what the engine may take."""
    spec, count, seed = job
    engine: Any = bidder(spec)
    times: list[float] = []
    number = 0
    while len(times) < count:
        number += 1
        board = Board.random(number, seed=seed + number)
        auction = Auction(board.dealer)
        while not auction.is_over and len(times) < count:
            began = time.perf_counter()
            decision = engine.bid(view_of(board, auction))
            times.append(time.perf_counter() - began)
            auction = auction.then(decision.call)
    return float(engine.seconds), times


def deadlines(args: argparse.Namespace) -> None:
    """How late is the latest decision, and how many are later than 0.1 s."""
    each = -(-args.count // args.workers)
    jobs = [(args.engine, each, args.seed + 10_000 * i) for i in range(args.workers)]
    with get_context("spawn").Pool(args.workers) as pool:
        parts = pool.map(_timed, jobs)
    allowed = parts[0][0] + 0.1
    found = sorted(t for _, times in parts for t in times)
    late = sum(t > allowed for t in found)
    print(json.dumps({
        "engine": args.engine, "decisions": len(found), "late": late,
        "in_time": round(1 - late / len(found), 5),
        "median_ms": round(1000 * found[len(found) // 2]),
        "p999_ms": round(1000 * found[int(0.999 * len(found)) - 1]),
        "slowest_ms": round(1000 * found[-1]),
    }))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    sub = parser.add_subparsers(dest="what", required=True)
    m = sub.add_parser("match")
    m.add_argument("--deals", default="data/solved_deals.npz")
    m.add_argument("--engine", default="pidm")
    m.add_argument("--against", default="rules(system=two-over-one)")
    m.add_argument("--common", default="", help="a third engine: both meet it in the same seats")
    m.add_argument("--start", type=int, default=0)
    m.add_argument("--count", type=int, default=100)
    m.add_argument("--workers", type=int, default=1)
    m.add_argument("--minutes", type=float, default=60)
    m.add_argument("--out", default="")
    m.add_argument("--show", action="store_true")
    m.set_defaults(run=match)
    a = sub.add_parser("alone", parents=[m], add_help=False, conflict_handler="resolve")
    a.add_argument("--hcp", type=int, default=26, help="high cards of North and South at least")
    a.set_defaults(run=alone)
    s = sub.add_parser("speed")
    s.add_argument("--system", default="two-over-one")
    s.add_argument("--near", type=int, default=30)
    s.add_argument("--count", type=int, default=12)
    s.add_argument("--instances", type=int, default=20_000)
    s.add_argument("--worlds", type=int, default=5_000)
    s.add_argument("--seed", type=int, default=0)
    s.set_defaults(run=speed)
    d = sub.add_parser("deadlines")
    d.add_argument("--engine", default="pidm(seconds=1)")
    d.add_argument("--count", type=int, default=1000)
    d.add_argument("--seed", type=int, default=0)
    d.add_argument("--workers", type=int, default=1)
    d.set_defaults(run=deadlines)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
