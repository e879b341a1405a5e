"""What the card-play benchmarks share: boards bid and played, resumable files, a process pool."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any

from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.cardplay import Player
from overtrick.game import Auction, Board, Contract, Meaning, Play, Strain, view_of
from overtrick.game.auction import of_calls

Row = dict[str, Any]


def bid(seed: int, name: str = "rules") -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """Board number and cards from a seed, bid by four bidders of one kind."""
    board = Board.random(seed % 16 + 1, seed=seed)
    auction, decisions = bid_board(board, [_bidder(name)] * 4)
    return board, auction, tuple(d.meaning for d in decisions)


@cache
def _bidder(name: str) -> Bidder:
    return bidder(name)


def restored(row: Row) -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """The board of a row as it was bid then, whatever the bidders do now."""
    board, auction, meanings = bid(row["seed"], row.get("bidder", "points"))
    if "calls" not in row or [int(c) for c in auction.calls] == row["calls"]:
        return board, auction, meanings
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


def rows(path: str) -> list[Row]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def in_pool(
    work: Callable[[Any], Any], jobs: Iterable[Any], workers: int, minutes: float
) -> Iterator[Any]:
    """Results in order; stops after so many minutes.

    Many jobs are in flight: most take milliseconds, and one that takes seconds must not keep
    the other workers waiting.
    """
    deadline = time.monotonic() + 60 * minutes
    if workers <= 1:
        for job in jobs:
            yield work(job)
            if time.monotonic() > deadline:
                return
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Any] = deque()
        try:
            for job in jobs:
                waiting.append(pool.submit(work, job))
                if len(waiting) >= 60 * workers:
                    yield waiting.popleft().result()
                if time.monotonic() > deadline:
                    waiting = deque(f for f in waiting if not f.cancel())
                    break
            while waiting:
                yield waiting.popleft().result()
                if time.monotonic() > deadline:
                    waiting = deque(f for f in waiting if not f.cancel())
        finally:
            pool.shutdown(cancel_futures=True)
