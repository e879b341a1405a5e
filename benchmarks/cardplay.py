"""Card play measured: boards played by robots, endings played by several declarers, opening leads.
Run as `python benchmarks/cardplay.py STAGE …`; it needs numpy and the solver, nothing else.

Stages (each can be stopped and started again; finished lines in --out are kept):
  boards   play boards in 3NT, 4M and slams by four robots, as data for `endings` and for fitting
  endings  from boards, positions with 8 or 9 cards left, finished by each declarer in turn
  leads    double-dummy cost of opening leads: sampled leads against leads by rules
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

import numpy as np  # noqa: E402

from overtrick.cardplay import Player, player  # noqa: E402
from overtrick.cardplay.sampling import choose, deal_layouts  # noqa: E402
from overtrick.cardplay.situation import situation  # noqa: E402
from overtrick.doubledummy import Position, reach_worlds, solve  # noqa: E402
from overtrick.game import (  # noqa: E402
    Auction,
    Board,
    Contract,
    Deal,
    Decision,
    Meaning,
    Play,
    Strain,
    View,
    view_of,
)

Row = dict[str, Any]


def bid(seed: int) -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """Board number and cards from a seed, bid by four `points` bidders."""
    from overtrick.bidding import bid_board, bidder

    board = Board.random(seed % 16 + 1, seed=seed)
    auction, decisions = bid_board(board, [bidder("points")] * 4)
    return board, auction, tuple(d.meaning for d in decisions)


def wanted(contract: Contract | None) -> bool:
    """3NT, four of a major or a slam."""
    if contract is None:
        return False
    name = (contract.level, contract.strain)
    return name == (3, Strain.NT) or contract.level >= 6 or (
        contract.level == 4 and contract.strain.is_major
    )


def played(
    board: Board, auction: Auction, meanings: tuple[Meaning, ...], seats: list[Player], stop: int,
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
    """Does the contract make double dummy in some but not all layouts of the defenders' cards?"""
    rng = np.random.default_rng(board.deal.hands[0].bits & 0xFFFFFFFF)
    hands = np.tile(np.array([[h.bits for h in board.deal.hands]], np.uint64), (layouts, 1))
    one, other = contract.leader, contract.leader.partner
    pool = board.deal[one].bits | board.deal[other].bits
    hands[:, one] = choose(rng, pool, 13, layouts)
    hands[:, other] = hands[:, one] ^ np.uint64(pool)
    beats = reach_worlds(hands, contract.strain, contract.leader, (), 14 - contract.target)
    return 0.15 <= beats.any(axis=1).mean() <= 0.85


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
}
DEFENDERS = "pimc(worlds=40)"


class DoubleDummy:
    """A defender who sees all cards: beats the contract if he can, else saves tricks."""

    name = "double dummy"

    def __init__(self, deal: Deal) -> None:
        self.deal = deal

    def play(self, view: View) -> Decision:
        assert view.play is not None
        found = solve(Position.of_play(self.deal, view.play))
        best = max(found.values())
        equal = [c for c, t in found.items() if t == best]
        card = min(equal, key=lambda c: (c.rank, c.suit))
        return Decision(card, Meaning("best"))


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


def one_ending(job: tuple[Row, list[str], list[str], int]) -> Row | None:
    """A position finished by every declarer against every defence: 1 for made, 0 for not."""
    row, names, defences, extra = job
    board, auction, meanings = bid(row["seed"])
    contract = auction.contract
    assert contract is not None
    cards = 16 if row["seed"] % 2 else 20
    start = Play.of(contract, row["cards"][:cards])
    share = open_share(board, auction, start)
    if not 0.05 <= share <= 0.95:
        return {"seed": row["seed"], "share": share, "kept": False}
    out: Row = {"seed": row["seed"], "share": share, "kept": True, "left": 13 - cards // 4,
                "contract": contract.ascii}
    for defence in defences:
        for name in names:
            made, slowest, mean, tricks = finish(board, auction, meanings, start, name, defence)
            out[f"{defence}:{name}"] = [made, tricks, round(mean, 4), round(slowest, 4)]
    return out


def finish(
    board: Board, auction: Auction, meanings: tuple[Meaning, ...], play: Play, name: str,
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
    done = {r["seed"] for r in rows(args.out)}
    names, defences = args.declarers.split("|"), args.defences.split(",")
    source = [r for r in rows(args.boards) if r["seed"] not in done]
    jobs = ((r, names, defences, 0) for r in source)
    kept = sum(r["kept"] for r in rows(args.out))
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_ending, jobs, args.workers, args.minutes):
            out.write(json.dumps(row) + "\n")
            out.flush()
            kept += row["kept"]
            if kept >= args.positions:
                break
    endings_report(args.out)


def endings_report(path: str) -> None:
    """Make % of each declarer and its difference from `plain`, with a 95 % interval."""
    kept = [r for r in rows(path) if r["kept"]]
    columns = sorted({k for r in kept for k in r if ":" in k})
    print(f"{len(kept)} positions")
    print("| defence | declarer | makes | against plain | won–lost | ms a card | slowest |")
    print("|---|---|---|---|---|---|---|")
    for column in columns:
        defence, name = column.split(":", 1)
        have = [r for r in kept if column in r and f"{defence}:plain" in r]
        if not have:
            continue
        made = np.array([r[column][0] for r in have], float)
        plain = np.array([r[f"{defence}:plain"][0] for r in have], float)
        difference = made - plain
        wide = 196 * difference.std(ddof=1) / np.sqrt(len(have)) if len(have) > 1 else 0.0
        mean = 1000 * np.median([r[column][2] for r in have])
        slow = max(r[column][3] for r in have)
        print(
            f"| {defence} | {name} | {100 * made.mean():.1f} % | {100 * difference.mean():+.2f} "
            f"± {wide:.2f} | {int((difference > 0).sum())}–{int((difference < 0).sum())} "
            f"| {mean:.0f} | {slow:.2f} s |"
        )


# ---------------------------------------------------------------- fit


def fit_model(args: argparse.Namespace) -> None:
    """Fit the model of defenders to played boards and write policy.json."""
    from overtrick.cardplay.fitting import collect, fit

    data = []
    for row in rows(args.boards):
        board, auction, _ = bid(row["seed"])
        assert auction.contract is not None
        data.append((board.deal, auction, Play.of(auction.contract, row["cards"])))
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
