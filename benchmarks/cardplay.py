"""Card play measured: boards played by robots, endings played by several declarers, opening leads.
Run as `python benchmarks/cardplay.py STAGE …`; it needs numpy and the solver, nothing else.

Stages (each can be stopped and started again; finished lines in --out are kept):
  boards   play boards in 3NT, 4M and slams by four robots, as data for `endings` and for fitting
  endings  from boards, positions with 8 or 9 cards left, finished by each declarer in turn
  leads    double-dummy cost of opening leads: sampled leads against leads by rules
  robots   whole boards by four robots: no illegal card, no exception
  claims   claims offered on played boards, each checked in many layouts
  fit      fit the model of defenders to boards
  report   tables from what the other stages wrote
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import numpy as np

from overtrick.cardplay import Player, player
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.claim import Claim, claim, line_holds
from overtrick.cardplay.lead import rule_lead
from overtrick.cardplay.sampling import choose, deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import Position, reach_worlds, solve, solve_worlds
from overtrick.game import (
    Auction,
    Board,
    Contract,
    Deal,
    Decision,
    IllegalPlay,
    Meaning,
    Play,
    Strain,
    View,
    view_of,
)
from overtrick.game.auction import of_calls

Row = dict[str, Any]


def bid(seed: int) -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """Board number and cards from a seed, bid by four `points` bidders."""
    from overtrick.bidding import bid_board, bidder

    board = Board.random(seed % 16 + 1, seed=seed)
    auction, decisions = bid_board(board, [bidder("points")] * 4)
    return board, auction, tuple(d.meaning for d in decisions)


def restored(row: Row) -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """The board of a row as it was bid then, whatever the bidders do now."""
    if "calls" not in row:
        return bid(row["seed"])
    board = Board.random(row["seed"] % 16 + 1, seed=row["seed"])
    auction = of_calls(board.dealer, row["calls"])
    shown = [
        Meaning(m[0], tuple(m[1]), tuple(tuple(r) for r in m[2]))  # type: ignore[arg-type]
        for m in row["meanings"]
    ]
    return board, auction, tuple(shown)


def wanted(contract: Contract | None) -> bool:
    """3NT, four of a major or a slam."""
    if contract is None:
        return False
    name = (contract.level, contract.strain)
    return (
        name == (3, Strain.NT)
        or contract.level >= 6
        or (contract.level == 4 and contract.strain.is_major)
    )


def played(
    board: Board,
    auction: Auction,
    meanings: tuple[Meaning, ...],
    seats: list[Player],
    stop: int,
    play: Play | None = None,
) -> Play:
    """Play on until `stop` cards are on the table."""
    contract = auction.contract
    assert contract is not None
    play = Play.of(contract) if play is None else play
    while len(play) < stop:
        view = view_of(board, auction, play, meanings=meanings)
        card = seats[play.controller].play(view).card
        play = play.then(card, board.deal[play.turn])
    return play


# ---------------------------------------------------------------- boards


def close(board: Board, contract: Contract, layouts: int = 10) -> bool:
    """Is the contract beaten double dummy in some, but not all, layouts of the defenders' cards?

    A little on the hard side: robots give tricks away early, and easy contracts are soon made.
    """
    rng = np.random.default_rng(board.deal.hands[0].bits & 0xFFFFFFFF)
    hands = np.tile(np.array([[h.bits for h in board.deal.hands]], np.uint64), (layouts, 1))
    one, other = contract.leader, contract.leader.partner
    pool = board.deal[one].bits | board.deal[other].bits
    hands[:, one] = choose(rng, pool, 13, layouts)
    hands[:, other] = hands[:, one] ^ np.uint64(pool)
    beats = reach_worlds(hands, contract.strain, contract.leader, (), 14 - contract.target)
    return bool(0.3 <= beats.any(axis=1).mean() <= 0.95)


def one_board(job: tuple[int, str, int, bool]) -> Row | None:
    seed, engine, tricks, only_close = job
    board, auction, meanings = bid(seed)
    contract = auction.contract
    if contract is None or not wanted(contract) or (only_close and not close(board, contract)):
        return None
    started = time.process_time()
    play = played(board, auction, meanings, [player(engine)] * 4, 4 * tricks)
    return {
        "seed": seed,
        "contract": auction.contract.ascii if auction.contract else "",
        "calls": [int(c) for c in auction.calls],
        "meanings": [[m.words, m.hcp, m.lengths] for m in meanings],
        "cards": [int(c) for c in play.cards],
        "cpu": round(time.process_time() - started, 3),
    }


def boards(args: argparse.Namespace) -> None:
    done = {r["seed"] for r in rows(args.out)}
    count, seed = len(done), max(done, default=args.start - 1) + 1

    def jobs() -> Iterator[tuple[int, str, int, bool]]:
        for s in range(seed, args.start + 10**8):
            yield s, args.engine, args.tricks, args.close

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

DECLARERS = {
    "plain": "pimc(worlds=40, knowledge=cards)",
    "auction": "pimc(worlds=40, knowledge=auction)",
    "lead": "pimc(worlds=40, knowledge=lead)",
    "carding": "pimc(worlds=40, knowledge=carding)",
    "all": "pimc(worlds=40, knowledge=all)",
    "alphamu 2": "alphamu(worlds=40, depth=2, knowledge=cards)",
    "alphamu 3": "alphamu(worlds=40, depth=3, knowledge=cards)",
    "all + alphamu 2": "alphamu(worlds=40, depth=2)",
    "all + alphamu 3": "alphamu(worlds=40, depth=3)",
    "all + alphamu 2, plan kept": "alphamu(worlds=40, depth=2, plan=keep)",
    "all + alphamu 2, filtered": "alphamu(worlds=40, depth=2, plan=filter)",
}
DEFENDERS = "pimc(worlds=40)"


class DoubleDummy:
    """A defender who sees all cards; among equally good ones he plays what his side has agreed."""

    name = "double dummy"

    def __init__(self, deal: Deal) -> None:
        self.deal = deal

    def play(self, view: View) -> Decision:
        assert view.play is not None
        found = solve(Position.of_play(self.deal, view.play))
        best = max(found.values())
        equal = [c for c, t in found.items() if t == best]
        return Decision(signal(situation(view), equal, STANDARD)[0], Meaning("best"))


def open_share(board: Board, auction: Auction, play: Play, worlds: int = 40) -> float:
    """In how many layouts, for all declarer's cards say, the contract makes double dummy."""
    view = view_of(board, auction, play, seat=play.declarer)
    at = situation(view, on_turn=False)
    rng = np.random.default_rng(view.seed ^ 0x5EED)
    hands = deal_layouts(at, worlds, rng)
    mine = play.turn.side == play.declarer.side
    target, left = auction.contract.target - play.declarer_tricks, at.left
    if not 0 < target <= left:
        return float(target <= 0)
    goal = target if mine else left - target + 1
    reached = reach_worlds(hands, at.strain, at.leader, at.trick, goal).any(axis=1)
    share = float(reached.mean())
    return share if mine else 1 - share


def one_ending(job: tuple[Row, list[str], list[str]]) -> Row:
    """The positions of a board finished by every declarer against every defence."""
    row, names, defences = job
    board, auction, meanings = restored(row)
    contract = auction.contract
    assert contract is not None
    out: Row = {"seed": row["seed"], "contract": contract.ascii, "positions": []}
    for cards in (16, 20):
        start = Play.of(contract, row["cards"][:cards])
        share = open_share(board, auction, start)
        if not 0.05 <= share <= 0.95:
            continue
        found: Row = {"left": 13 - cards // 4, "share": share}
        for defence in defences:
            for name in names:
                made, slowest, mean, tricks = finish(board, auction, meanings, start, name, defence)
                found[f"{defence}:{name}"] = [made, tricks, round(mean, 4), round(slowest, 4)]
        out["positions"].append(found)
    return out


def finish(
    board: Board,
    auction: Auction,
    meanings: tuple[Meaning, ...],
    play: Play,
    name: str,
    defence: str,
) -> tuple[int, float, float, int]:
    """Play on until the contract is made or lost: made, slowest and mean CPU s a card, tricks."""
    contract = auction.contract
    assert contract is not None
    declarer = player(DECLARERS.get(name, name))
    defender = DoubleDummy(board.deal) if defence == "dd" else player(DEFENDERS)
    seconds = [0.0]
    while True:
        won = play.declarer_tricks
        if won >= contract.target or won + 13 - play.tricks_played < contract.target:
            made = int(won >= contract.target)
            return made, max(seconds), sum(seconds) / len(seconds), won
        view = view_of(board, auction, play, meanings=meanings)
        mine = play.controller == play.declarer
        began = time.process_time()
        card = (declarer if mine else defender).play(view).card
        if mine:
            seconds.append(time.process_time() - began)
        play = play.then(card, board.deal[play.turn])


def endings(args: argparse.Namespace) -> None:
    old = rows(args.out)
    done = {r["seed"] for r in old}
    names, defences = args.declarers.split("|"), args.defences.split(",")
    jobs = ((r, names, defences) for r in rows(args.boards) if r["seed"] not in done)
    kept = sum(len(r["positions"]) for r in old)
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_ending, jobs, args.workers, args.minutes):
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
    lefts = ", ".join(f"{sum(p['left'] == n for p in everything)} with {n} cards" for n in (9, 8))
    print(f"{len(everything)} positions ({lefts}) of {len(boards_)} boards\n")
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
        mean = 1000 * np.median([p[column][2] for p in flat])
        slow = max(p[column][3] for p in flat)
        print(
            f"| {defence} | {name} | {100 * made.mean():.1f} % | {100 * change.mean():+.2f} "
            f"± {wide:.2f} | {int((change > 0).sum())}–{int((change < 0).sum())} "
            f"| {mean:.0f} | {slow:.2f} s |"
        )


# ---------------------------------------------------------------- leads, robots, claims


def one_lead(job: tuple[int, str, float]) -> Row | None:
    """Tricks each way of leading gives away, all cards seen: sampled, and by rules."""
    seed, engine, _ = job
    board, auction, meanings = bid(seed)
    contract = auction.contract
    if contract is None:
        return None
    view = view_of(board, auction, Play.of(contract), meanings=meanings)
    found = solve(Position.of_contract(board.deal, contract))
    best = max(found.values())
    began = time.process_time()
    sampled = player(engine).play(view).card
    seconds = time.process_time() - began
    return {
        "seed": seed,
        "contract": contract.ascii,
        "sampled": best - found[sampled],
        "rules": best - found[rule_lead(view, STANDARD)],
        "any": best - sum(found.values()) / len(found),
        "beats": best >= 14 - contract.target,
        "sampled beats": found[sampled] >= 14 - contract.target,
        "rules beats": found[rule_lead(view, STANDARD)] >= 14 - contract.target,
        "seconds": round(seconds, 3),
    }


def one_robot_board(job: tuple[int, str, float]) -> Row | None:
    """A whole board by four robots; every card is checked by the rules of the game."""
    seed, engine, _ = job
    board, auction, meanings = bid(seed)
    if auction.contract is None:
        return None
    began = time.process_time()
    play = played(board, auction, meanings, [player(engine)] * 4, 52)
    return {"seed": seed, "contract": auction.contract.ascii, "tricks": play.declarer_tricks,
            "seconds": round(time.process_time() - began, 3)}  # fmt: skip


def one_claim_board(job: tuple[int, str, float]) -> Row | None:
    """Claims offered at every trick of a board, each checked in the true and in 60 other layouts."""
    seed, engine, _ = job
    board, auction, meanings = bid(seed)
    contract = auction.contract
    if contract is None:
        return None
    seats = [player(engine)] * 4
    play = Play.of(contract)
    claims = unsound = 0
    rng = np.random.default_rng(seed)
    while not play.is_over:
        if not play.trick.cards and play.cards:
            for seat in (play.declarer, play.opening_leader, play.opening_leader.partner):
                view = view_of(board, auction, play, seat=seat)
                offer = claim(view)
                if offer is not None:
                    claims += 1
                    unsound += not claim_holds(board, play, view, offer, rng)
        view = view_of(board, auction, play, meanings=meanings)
        play = play.then(seats[play.controller].play(view).card, board.deal[play.turn])
    return {"seed": seed, "claims": claims, "unsound": unsound}


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
        print(f"{name:14} mean {values.mean():.4f} ± {wide:.4f}  sum {values.sum():.0f}")
    if "rules" in have[0]:
        values = np.array([r["rules"] - r["sampled"] for r in have], float)
        wide = 1.96 * values.std() / np.sqrt(len(values))
        print(f"sampled leads save {values.mean():.4f} ± {wide:.4f} tricks against rules")


# ---------------------------------------------------------------- fit


def fit_model(args: argparse.Namespace) -> None:
    """Fit the model of defenders to played boards and write policy.json."""
    from overtrick.cardplay.fitting import collect, fit

    data = []
    for row in rows(args.boards):
        board, auction, _ = restored(row)
        assert auction.contract is not None
        play = Play.of(auction.contract)
        try:
            for card in row["cards"]:
                play = play.then(card, board.deal[play.turn])
        except IllegalPlay:
            continue  # an old row without its auction, bid differently today
        data.append((board.deal, auction, play))
    found = {kind: fit(choices) for kind, choices in collect(data).items()}
    for kind, one in found.items():
        print(
            f"{kind:8} {one.choices:6} choices  log-likelihood {one.log_likelihood:.3f} "
            f"(any card {one.uniform:.3f})  right {100 * one.hits:.1f} %"
        )
    text = {
        "source": f"{len(data)} boards played by {args.engine}",
        "weights": {kind: one.weights for kind, one in found.items()},
    }
    Path(args.out).write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


# ---------------------------------------------------------------- helpers


def rows(path: str) -> list[Row]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def in_pool(
    work: Callable[[Any], Any], jobs: Iterable[Any], workers: int, minutes: float
) -> Iterator[Any]:
    """Results in order, with at most a few jobs in flight; stops after so many minutes."""
    deadline = time.monotonic() + 60 * minutes
    if workers <= 1:
        for job in jobs:
            yield work(job)
            if time.monotonic() > deadline:
                return
        return
    from collections import deque

    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Any] = deque()
        source = iter(jobs)
        try:
            for job in source:
                waiting.append(pool.submit(work, job))
                if len(waiting) >= 4 * workers:
                    yield waiting.popleft().result()
                if time.monotonic() > deadline:
                    break
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("boards")
    sub.add_argument("--count", type=int, default=400)
    sub.add_argument("--start", type=int, default=1)
    sub.add_argument("--tricks", type=int, default=13)
    sub.add_argument("--engine", default="pimc(worlds=20)")
    sub.add_argument("--close", action=argparse.BooleanOptionalAction, default=True)
    sub.set_defaults(run=boards)
    sub = stages.add_parser("endings")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--positions", type=int, default=4000)
    sub.add_argument("--declarers", default="|".join(DECLARERS))
    sub.add_argument("--defences", default="pimc,dd")
    sub.set_defaults(run=endings)
    for name, work in (
        ("leads", one_lead),
        ("robots", one_robot_board),
        ("claims", one_claim_board),
    ):
        sub = stages.add_parser(name)
        sub.add_argument("--count", type=int, default=2000)
        sub.add_argument("--start", type=int, default=40_000_000)
        sub.add_argument(
            "--engine", default="pimc(worlds=40)" if name == "leads" else "pimc(worlds=8)"
        )
        sub.set_defaults(run=by_seed(work))
    sub = stages.add_parser("report")
    sub.set_defaults(run=lambda args: endings_report(args.out))
    sub = stages.add_parser("fit")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--engine", default="pimc(worlds=20)")
    sub.set_defaults(run=fit_model)
    for one in stages.choices.values():
        one.add_argument("--out", required=True)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
