"""How well calls are read at the table, by who made them and by what was declared.
Run `PYTHONPATH=src:. python -m benchmarks.cardplay_strangers --bidders "policy(net=sl)|rules" …`,
or `--games FILE` for auctions of any program in one of the formats we read (OpenSpiel, PBN, …).

After a lead, declarer and both defenders weigh the true layout against random ones by the auction
alone, at the 0.85 of players: the mean of the logarithm in nats, with everything that was there
before networks were asked, and with them. Then the worst fiftieth, and milliseconds for 600
layouts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.cardplay_belief import layouts, nats
from overtrick.bidding import bid_board, bidder
from overtrick.cardplay.knowledge import KINDS, funnel
from overtrick.cardplay.situation import situation
from overtrick.game import Auction, Board, Meaning, Play, Seat, Systems, view_of
from overtrick.notation import load

NETWORKS: Final = replace(KINDS["auction"], auction=KINDS["all"].auction)
KINDS_ASKED: Final = {"without": replace(NETWORKS, networks=False), "networks": NETWORKS}


class Bid(NamedTuple):
    """A board as it was bid: what was explained, and what both sides declared."""

    board: Board
    auction: Auction
    meanings: tuple[Meaning | None, ...]
    systems: tuple[str, str]


def bid_by(name: str, start: int, count: int, told: str) -> Iterator[Bid]:
    """Boards of one bidder in all seats, who declares and explains as `told` says."""
    who = bidder(name)
    system = who.system if told == "declared" else ""
    for seed in range(start, start + count):
        board = Board.random(seed % 16 + 1, seed=seed)
        auction, decisions = bid_board(board, [who] * 4)
        said = tuple(d.meaning if told != "nothing" else None for d in decisions)
        yield Bid(board, auction, said, (system, system))


def of_games(path: Path, start: int, count: int) -> Iterator[Bid]:
    """The games of a file, in which nobody declares or explains anything."""
    for record in islice(load(path).records, start, start + count):
        if record.deal is not None and record.auction is not None and record.auction.is_over:
            board = Board(1, record.dealer, record.vul, record.deal)
            yield Bid(board, record.auction, (), ("", ""))


def report(title: str, boards: Iterator[Bid]) -> None:
    """A line for each kind of evidence; errors by board."""
    found: dict[str, list[list[float]]] = {kind: [] for kind in KINDS_ASKED}
    spent = dict.fromkeys(KINDS_ASKED, 0.0)
    for number, (board, auction, meanings, systems) in enumerate(boards):
        contract = auction.contract
        if contract is None:
            continue
        play = Play.of(contract).then(board.deal[contract.leader].cards()[0])
        for values in found.values():
            values.append([])
        for seat in (contract.declarer, contract.leader, contract.leader.partner):
            told = Systems(systems[seat % 2], systems[1 - seat % 2])
            view = view_of(board, auction, play, seat=Seat(seat), meanings=meanings, systems=told)
            at = situation(view, on_turn=False)
            hands = layouts(at, board, number)
            for kind, evidence in KINDS_ASKED.items():
                began = time.process_time()
                logs = funnel(at, evidence).every(hands).logs
                spent[kind] += time.process_time() - began
                found[kind][-1].append(nats(logs))
    for kind, values in found.items():
        means, every = np.array([np.mean(v) for v in values]), np.concatenate(values)
        print(
            f"{title:40} {kind:8} {means.mean():.2f} ± {means.std() / len(means) ** 0.5:.2f}"
            f"  worst 2 % {np.quantile(every, 0.02):.2f}  {1000 * spent[kind] / len(every):.0f} ms"
            f"  {len(means)} boards",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bidders", default="policy(net=sl)|policy|partner(batches=1)|rules")
    parser.add_argument("--told", default="nothing,explained,declared")
    parser.add_argument("--games", type=Path, help="a file of games instead of bidders")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    args = parser.parse_args()
    if args.games:
        report(args.games.name, of_games(args.games, args.start, args.count))
        return
    for name in args.bidders.split("|"):
        for told in args.told.split(","):
            report(f"{name}, {told}", bid_by(name, args.start, args.count, told))


if __name__ == "__main__":
    main()
