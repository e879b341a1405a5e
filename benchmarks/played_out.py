"""Margins double dummy and with the cards played: bidders against one opponent, the same deals.
Run `PYTHONPATH=src:. python -m benchmarks.played_out --engines "policy|bmcs" --out played.jsonl`;
stopped runs go on.

Every deal is bid with the engine North-South and then East-West, the opponent in the other seats,
and both contracts are played by one player in all four seats, who is told what is declared at a
table and nothing else. An auction that several engines share is played once.
"""

from __future__ import annotations

import argparse
import json
import os
from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, in_pool, rows
from overtrick import doubledummy
from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.cardplay import Player, player
from overtrick.game import Auction, Board, Meaning, Play, Systems, imps, score, view_of

Job = tuple[int, tuple[str, ...], str, str]


@cache
def _bidder(name: str) -> Bidder:
    return bidder(name)


@cache
def _player(name: str) -> Player:
    return player(name)


def play_out(
    board: Board, auction: Auction, meanings: tuple[Meaning, ...], declared: tuple[str, str],
    robot: Player,
) -> int:  # fmt: skip
    """Declarer's tricks."""
    assert auction.contract is not None
    play = Play.of(auction.contract)
    while not play.is_over:
        side = play.controller % 2
        systems = Systems(declared[side], declared[1 - side])
        view = view_of(board, auction, play, meanings=meanings, systems=systems)
        play = play.then(robot.play(view).card, board.deal[play.turn])
    return play.declarer_tricks


def one_deal(job: Job) -> Row:
    """North-South's scores of every engine in both rooms, double dummy and played."""
    seed, engines, opponent, robot = job
    board = Board.random(seed % 16 + 1, seed=seed)
    other = _bidder(opponent)
    known: dict[object, tuple[int, int]] = {}
    out: Row = {"seed": seed, "dd": {}, "played": {}}
    for name in engines:
        ours = _bidder(name)
        rooms = []
        for sides in ((ours, other), (other, ours)):
            auction, decisions = bid_board(board, sides * 2)
            meanings = tuple(d.meaning for d in decisions)
            contract, declared = auction.contract, (sides[0].system, sides[1].system)
            key = (auction, declared)
            if key not in known and contract is None:
                known[key] = 0, 0
            elif key not in known and contract is not None:
                tricks = doubledummy.tricks(board.deal, contract.strain, contract.declarer)
                taken = play_out(board, auction, meanings, declared, _player(robot))
                known[key] = (
                    score(contract, tricks, board.vul), score(contract, taken, board.vul)
                )  # fmt: skip
            rooms.append(known[key])
        out["dd"][name] = imps(rooms[0][0] - rooms[1][0])
        out["played"][name] = imps(rooms[0][1] - rooms[1][1])
    return out


def report(have: list[Row]) -> None:
    engines = list(have[0]["dd"])
    print(f"{len(have)} deals, both rooms; IMPs a deal, one standard error")
    found = {
        (kind, name): np.array([r[kind][name] for r in have], float)
        for kind in ("dd", "played")
        for name in engines
    }
    for name in engines:
        dd, played = found["dd", name], found["played", name]
        share = f"{played.mean() / dd.mean():.2f}" if dd.mean() else "-"
        print(f"{name}: double dummy {_words(dd)}, played {_words(played)}, share {share}")
    for name in engines[1:]:
        more = [found[k, name] - found[k, engines[0]] for k in ("dd", "played")]
        print(f"{name} less {engines[0]}: double dummy {_words(more[0])}, played {_words(more[1])}")


def _words(values: NDArray[np.float64]) -> str:
    return f"{values.mean():+.3f} ± {values.std(ddof=1) / len(values) ** 0.5:.3f}"


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--engines", default="policy|bmcs")
    parser.add_argument("--opponent", default="policy(net=sl)")
    parser.add_argument("--player", default="pimc(worlds=10, lead_worlds=1, early=3, ties=3)")
    parser.add_argument("--start", type=int, default=610_000_000)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    have = rows(args.out)
    first = max((r["seed"] for r in have), default=args.start - 1) + 1
    engines = tuple(name.strip() for name in args.engines.split("|"))
    jobs = (
        (seed, engines, args.opponent, args.player)
        for seed in range(first, args.start + args.count)
    )
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_deal, jobs, args.workers, args.minutes):
            out.write(json.dumps(row) + "\n")
            out.flush()
    report(rows(args.out))


if __name__ == "__main__":
    main()
