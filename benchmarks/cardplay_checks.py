"""Checks of card play: whole boards by robots, claims, deadlines.
Run `PYTHONPATH=src python -m benchmarks.cardplay_checks robots|whole|claims|deadlines …`.

  robots     whole boards by four robots: no illegal card, no exception
  whole      CPU seconds of a whole board, BIDDER+PLAYER in all four seats
  claims     claims offered on played boards, each checked in many layouts
  deadlines  seconds on the wall for each card beside `--load` other busy processes
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from multiprocessing import Process
from typing import Any

import numpy as np

from benchmarks.cardplay_common import Row, bid, in_pool, played, restored, rows
from overtrick.bidding import bidder
from overtrick.cardplay import player
from overtrick.cardplay.claim import Claim, claim
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import solve_worlds
from overtrick.game import Auction, Board, Card, Play, Seat, Systems, View, view_of
from overtrick.game.cards import SUIT_BITS


def one_robot_board(job: tuple[int, str, float]) -> Row | None:
    """A whole board by four robots; every card is checked by the rules of the game.

    Several engines, separated by `|`, sit down in turn, a seat further on the next board.
    """
    seed, engine, _ = job
    engines = engine.split("|")
    board, auction, meanings = bid(seed)
    if auction.contract is None:
        return None
    began = time.process_time()
    seats = [player(engines[(seat + seed) % len(engines)]) for seat in range(4)]
    play = played(board, auction, meanings, seats, 52)
    return {"seed": seed, "contract": auction.contract.ascii, "tricks": play.declarer_tricks,
            "seconds": round(time.process_time() - began, 3)}  # fmt: skip


def one_whole_board(job: tuple[int, str, float]) -> Row | None:
    """What a board takes a robot in all four seats: the auction, and the cards."""
    seed, engine, _ = job
    bids, _, plays = engine.partition("+")
    seat = player(plays)
    began = time.process_time()
    board, auction, meanings = bid(seed, bids)
    called = time.process_time()
    contract = auction.contract
    row = {"seed": seed, "calls": round(called - began, 3), "cards": 0.0, "slowest": 0.0}
    play = None if contract is None else Play.of(contract)
    system = bidder(bids).system
    while play is not None and not play.is_over:
        view = view_of(
            board, auction, play, meanings=meanings, systems=Systems(system, system)
        )  # fmt: skip
        began = time.process_time()
        card = seat.play(view).card
        spent = time.process_time() - began
        row["cards"] += spent
        row["slowest"] = max(row["slowest"], spent)
        play = play.then(card, board.deal[play.turn])
    return {k: round(v, 3) for k, v in row.items()} | {"all": round(row["calls"] + row["cards"], 3)}


def one_claim_board(job: tuple[int, str, float]) -> Row | None:
    """A board played by one engine, and the claims offered on it."""
    seed, engine, _ = job
    board, auction, meanings = bid(seed)
    if auction.contract is None:
        return None
    play = played(board, auction, meanings, [player(engine)] * 4, 52)
    return {"seed": seed} | claims_of(board, auction, play)


def one_played_board(row: Row) -> Row:
    """The same of a board that cardplay_costs has played."""
    board, auction, _ = restored(row)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for card in row["cards"]:
        play = play.then(card, board.deal[play.turn])  # an illegal card is an error
    return {"seed": row["seed"]} | claims_of(board, auction, play)


def claims_of(board: Board, auction: Auction, whole: Play) -> Row:
    """Claims offered at every trick of a board, each checked in the true and 60 other layouts."""
    assert auction.contract is not None
    play = Play.of(auction.contract)
    claims = unsound = 0
    rng = np.random.default_rng(board.deal[Seat.NORTH].bits)
    for card in whole.cards:
        if not play.trick.cards and play.cards:
            for seat in (play.declarer, play.opening_leader, play.opening_leader.partner):
                view = view_of(board, auction, play, seat=seat)
                offer = claim(view)
                if offer is not None:
                    claims += 1
                    unsound += not claim_holds(board, play, view, offer, rng)
        play = play.then(card)
    return {"claims": claims, "unsound": unsound}


def claims(args: argparse.Namespace) -> None:
    """Boards of a file, or boards played for it."""
    if not args.boards:
        by_seed(one_claim_board)(args)
        return
    done = {r["seed"] for r in rows(args.out)}
    todo = [r for r in rows(args.boards) if r["seed"] not in done][: args.count]
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_played_board, todo, args.workers, args.minutes):
            out.write(json.dumps(row) + "\n")
            out.flush()
    seed_report(args.out)


def one_timed_board(job: tuple[int, str, float]) -> Row | None:
    """A whole board by one robot with `seconds` for a card: how many it was late with, and how much
    of a core it had."""
    seed, engine, _ = job
    board, auction, meanings = bid(seed)
    if auction.contract is None:
        return None
    robot = player(engine)
    budget = float(getattr(robot, "seconds", 0.0))
    play = Play.of(auction.contract)
    cut = 0
    most = wall = work = 0.0
    late: list[tuple[int, float, float]] = []  # card, seconds on the wall, of the processor
    while not play.is_over:
        view = view_of(board, auction, play, meanings=meanings)
        began, spent = time.perf_counter(), time.process_time()
        decision = robot.play(view)
        took, spent = time.perf_counter() - began, time.process_time() - spent
        if took > 1.2 * budget:
            late.append((len(play), round(took, 2), round(spent, 2)))
        wall, work = wall + took, work + spent
        cut += decision.cut
        most = max(most, took)
        play = play.then(decision.card, board.deal[play.turn])
    return {"seed": seed, "late": len(late), "cut": cut, "most": round(most, 3), "where": late,
            "core": round(work / wall, 2)}  # fmt: skip


def under_load(args: argparse.Namespace) -> None:
    """Deadlines, while other processes do nothing but keep the cores busy."""
    busy = [Process(target=_spin, daemon=True) for _ in range(args.load)]
    for process in busy:
        process.start()
    try:
        by_seed(one_timed_board)(args)
        print(f"load average {os.getloadavg()[0]:.1f}")
    finally:
        for process in busy:
            process.terminate()


def _spin() -> None:
    while True:
        pass


def claim_holds(
    board: Board, play: Play, view: View, offer: Claim, rng: np.random.Generator
) -> bool:
    """The line wins every trick in each layout; without a line, the solver agrees in each."""
    at = situation(view, on_turn=False)
    true = np.array([[h.bits & ~play.state.played for h in board.deal.hands]], np.uint64)
    hands = np.concatenate([true, deal_layouts(at, 60, rng)])
    if offer.line:
        one, other = play.opening_leader, play.opening_leader.partner
        return all(line_holds(offer.line, (r[one], r[other]), at.strain) for r in hands.tolist())
    best = solve_worlds(hands, at.strain, at.leader, ()).max(axis=1)
    mine = best if at.turn.side == view.seat.side else at.left - best
    if view.seat == play.declarer:
        return bool((mine >= offer.tricks).all())
    return bool((mine == 0).all())  # a defender gives up only what no layout gives him


def line_holds(
    line: tuple[tuple[Card, Card], ...], defenders: tuple[int, int], strain: int
) -> bool:
    """Does a claimed line take every trick against these two hands? An independent check.

    A defender can keep a card until it is forced out by following suit, and can ruff once he has
    followed to his last card of the suit led.
    """
    led = [0, 0, 0, 0]
    for a, b in line:
        suit = a.suit
        ruffed = b.suit == strain and suit != strain
        best = b if ruffed or (b.suit == suit and b > a) else a
        for hand in defenders:
            held = hand >> 13 * suit & SUIT_BITS
            trumps = hand >> 13 * strain & SUIT_BITS if strain < 4 else 0
            has_suit = held.bit_count() > led[suit]
            has_trump = strain < 4 and trumps.bit_count() > led[strain]
            if has_suit and not ruffed and held.bit_length() - 1 > best.rank:
                return False
            can_ruff = suit != strain and held.bit_count() <= led[suit] and has_trump
            if can_ruff and (not ruffed or trumps.bit_length() - 1 > best.rank):
                return False
        led[suit] += 1
    return True


def by_seed(work: Callable[[Any], Any]) -> Callable[[argparse.Namespace], None]:
    """A stage that goes through board numbers and keeps a line for each that had a contract."""

    def run(args: argparse.Namespace) -> None:
        old = rows(args.out)
        count, seed = len(old), max((r["seed"] for r in old), default=args.start - 1) + 1
        jobs = ((s, args.engine, 0.0) for s in range(seed, args.start + 10**8))
        with open(args.out, "a", encoding="utf-8") as out:
            for row in (
                in_pool(work, jobs, args.workers, args.minutes) if count < args.count else ()
            ):
                if row is None:
                    continue
                out.write(json.dumps(row) + "\n")
                out.flush()
                count += 1
                if count >= args.count:
                    break
        seed_report(args.out)

    return run


def seed_report(path: str) -> None:
    """Means of the numbers of a file, with 95 % intervals."""
    have = rows(path)
    print(f"{len(have)} boards")
    for name in [k for k, v in have[0].items() if isinstance(v, int | float) and k != "seed"]:
        values = np.array([r[name] for r in have], float)
        wide = 1.96 * values.std() / np.sqrt(len(values))
        print(f"{name:14} mean {values.mean():.4f} ± {wide:.4f}  sum {values.sum():.0f}"
              f"  most {values.max():.2f}")  # fmt: skip


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    for name, run, engine in (
        ("robots", by_seed(one_robot_board), "pimc(worlds=8)"),
        ("whole", by_seed(one_whole_board), "partner+alphamu(seconds=60)"),
        ("claims", claims, "pimc(worlds=4)"),
    ):
        sub = stages.add_parser(name)
        sub.add_argument("--count", type=int, default=2000)
        sub.add_argument("--start", type=int, default=40_000_000)
        sub.add_argument("--engine", default=engine)
        sub.set_defaults(run=run)
    stages.choices["claims"].add_argument("--boards", default="", help="of cardplay_costs")
    sub = stages.add_parser("deadlines")
    sub.add_argument("--count", type=int, default=50)
    sub.add_argument("--start", type=int, default=41_000_000)
    sub.add_argument("--engine", default="alphamu(seconds=1)")
    sub.add_argument("--load", type=int, default=4)
    sub.set_defaults(run=under_load)
    for one in stages.choices.values():
        one.add_argument("--out", required=True)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
