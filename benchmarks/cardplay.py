"""Endings: positions with 8 or 9 cards left from real boards, finished by several declarers.
Run `PYTHONPATH=src python -m benchmarks.cardplay boards|endings|report …`; stopped runs go on.

  boards   boards in 3NT, 4M and slams that are in doubt, played by four robots
  endings  their positions after four and five tricks, finished by each declarer in turn against
           pimc defenders and against defenders who see all cards
  report   the table again
Opening leads, whole boards, claims and the fit of the model are in cardplay_checks.py.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.cardplay_common import Row, bid, in_pool, played, restored, rows, wanted
from overtrick.cardplay import player
from overtrick.cardplay.carding import STANDARD, signal
from overtrick.cardplay.sampling import choose, deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import Position, reach_worlds, solve
from overtrick.game import (
    Auction,
    Board,
    Card,
    Contract,
    Deal,
    Decision,
    Meaning,
    Play,
    View,
    view_of,
)

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
# "dd" is the third defence: it sees all cards.
DEFENDERS = {"pimc": "pimc(worlds=40)", "reading": "pimc(worlds=40, knowledge=all)"}


# ---------------------------------------------------------------- boards


def close(board: Board, contract: Contract, layouts: int = 6) -> bool:
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
    return bool(0.3 <= beats.any(axis=1).mean() < 1)


def one_board(job: tuple[int, str, str, int, bool]) -> Row | None:
    seed, bidders, engine, tricks, only_close = job
    board, auction, meanings = bid(seed, bidders)
    contract = auction.contract
    if contract is None or not wanted(contract) or (only_close and not close(board, contract)):
        return None
    started = time.process_time()
    play = played(board, auction, meanings, [player(engine)] * 4, 4 * tricks)
    return {
        "seed": seed,
        "bidder": bidders,
        "contract": contract.ascii,
        "calls": [int(c) for c in auction.calls],
        "meanings": [[m.words, m.hcp, m.lengths] for m in meanings],
        "cards": [int(c) for c in play.cards],
        "cpu": round(time.process_time() - started, 3),
    }


def boards(args: argparse.Namespace) -> None:
    done = {r["seed"] for r in rows(args.out)}
    count, seed = len(done), max(done, default=args.start - 1) + 1

    def jobs() -> Iterator[tuple[int, str, str, int, bool]]:
        for s in range(seed, args.start + 10**8):
            yield s, args.bidder, args.engine, args.tricks, args.close

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


def one_ending(job: tuple[Row, list[str], list[str], list[int]]) -> Row:
    """The positions of a board finished by every declarer against every defence."""
    row, names, defences, cuts = job
    board, auction, meanings = restored(row)
    contract = auction.contract
    assert contract is not None
    out: Row = {"seed": row["seed"], "contract": contract.ascii, "positions": []}
    began = time.process_time()
    for cards in cuts:
        start = Play.of(contract, row["cards"][:cards])
        share = open_share(board, auction, start)
        if not 0.05 <= share <= 0.95:
            continue
        found: Row = {"left": 13 - cards // 4, "share": share}
        for defence in defences:
            table = Table(board, auction, meanings, defence)
            for name in names:
                made, slowest, mean, tricks = table.finish(start, name)
                found[f"{defence}:{name}"] = [made, tricks, round(mean, 4), round(slowest, 4)]
        out["positions"].append(found)
    out["cpu"] = round(time.process_time() - began, 3)
    return out


class Table:
    """A board and its defence; defenders answer the same cards the same way, so once is enough."""

    def __init__(
        self, board: Board, auction: Auction, meanings: tuple[Meaning, ...], defence: str
    ) -> None:
        assert auction.contract is not None
        self.board, self.auction, self.meanings = board, auction, meanings
        self.contract = auction.contract
        self.defender = DoubleDummy(board.deal) if defence == "dd" else player(DEFENDERS[defence])
        self.answers: dict[tuple[Card, ...], Card] = {}

    def finish(self, play: Play, name: str) -> tuple[int, float, float, int]:
        """Play on until made or lost: made, slowest and mean CPU s a card, tricks."""
        declarer = player(DECLARERS.get(name, name))
        seconds = [0.0]
        goal = self.contract.target
        while True:
            won = play.declarer_tricks
            if won >= goal or won + 13 - play.tricks_played < goal:
                return int(won >= goal), max(seconds), sum(seconds) / len(seconds), won
            if play.controller == play.declarer:
                view = view_of(self.board, self.auction, play, meanings=self.meanings)
                began = time.process_time()
                card = declarer.play(view).card
                seconds.append(time.process_time() - began)
            else:
                card = self.answer(play)
            play = play.then(card, self.board.deal[play.turn])

    def answer(self, play: Play) -> Card:
        if play.cards not in self.answers:
            view = view_of(self.board, self.auction, play, meanings=self.meanings)
            self.answers[play.cards] = self.defender.play(view).card
        return self.answers[play.cards]


def endings(args: argparse.Namespace) -> None:
    old = rows(args.out)
    done = {r["seed"] for r in old}
    names, defences = args.declarers.split("|"), args.defences.split(",")
    cuts = [int(c) for c in args.cuts.split(",")]
    jobs = ((r, names, defences, cuts) for r in rows(args.boards) if r["seed"] not in done)
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
        mean = 1000 * np.median([p[column][2] for p in flat])
        slow = max(p[column][3] for p in flat)
        print(
            f"| {defence} | {name} | {100 * made.mean():.1f} % | {100 * change.mean():+.2f} "
            f"± {wide:.2f} | {int((change > 0).sum())}–{int((change < 0).sum())} "
            f"| {mean:.0f} | {slow:.2f} s |"
        )


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("boards")
    sub.add_argument("--count", type=int, default=400)
    sub.add_argument("--start", type=int, default=60_000_000)
    sub.add_argument("--tricks", type=int, default=5)
    sub.add_argument("--bidder", default="rules")
    sub.add_argument("--engine", default="pimc(worlds=10)")
    sub.add_argument("--close", action=argparse.BooleanOptionalAction, default=True)
    sub.set_defaults(run=boards)
    sub = stages.add_parser("endings")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--positions", type=int, default=4000)
    sub.add_argument("--declarers", default="|".join(DECLARERS))
    sub.add_argument("--defences", default="pimc,dd")
    sub.add_argument("--cuts", default="16,20", help="cards played before; 1 for whole boards")
    sub.set_defaults(run=endings)
    sub = stages.add_parser("report")
    sub.set_defaults(run=lambda args: endings_report(args.out))
    for one in stages.choices.values():
        one.add_argument("--out", required=True)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
