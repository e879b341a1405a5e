"""Speed of the learned bidder on one core: policy calls, tricks, a searched decision.
Used by `make bench`; needs the extra nn, no data."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.rows import Row, at_least, at_most
from overtrick.bidding import bidder
from overtrick.bidding.disclosure import random_hands
from overtrick.game import Auction, Board, view_of
from overtrick.game.view import Systems
from overtrick.nets.features import observe, public_bits, system_bits
from overtrick.nets.inference import network


def cpu(work: Callable[[], object], rounds: int = 5) -> float:
    """CPU seconds of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def decisions(boards: int) -> list[float]:
    """CPU seconds of every searched decision of some auctions."""
    engine = bidder("bmcs(seconds=100)")
    systems = Systems(engine.system, engine.system)
    found = []
    for number in range(1, boards + 1):
        board = Board.random(number, seed=number)
        auction = Auction(board.dealer)
        while not auction.is_over:
            view = view_of(board, auction, systems=systems)
            began = time.process_time()
            decision = engine.bid(view)
            if decision.worlds:
                found.append(time.process_time() - began)
            auction = auction.then(decision.call)
    return found


def run() -> list[Row]:
    """One row a figure."""
    net, tricks = network("policy", "policy"), network("tricks", "tricks")
    hands = random_hands(np.random.default_rng(0), 2048)
    rows = observe(hands, public_bits([7, 0, 10], 0, 0, 3), system_bits(1, 1))
    alone = [cpu(lambda i=i: net.call_probabilities(rows[i : i + 1]), 1) for i in range(200)]
    owner = np.random.default_rng(1).permuted(np.tile(np.arange(52) % 4, (256, 1)), axis=1)
    deals = (owner[:, None] == np.arange(4)[:, None]).reshape(-1, 208).astype(np.uint8)
    batches = [rows[i : i + 64] for i in range(0, len(rows), 64)]
    in_batches = cpu(lambda: [net.call_probabilities(part) for part in batches])
    searched = decisions(12)
    contracts = 20 * len(deals) / cpu(lambda: tricks.run(deals))
    many = len(searched)
    return [
        at_least("policy, calls per CPU s, batches of 64", len(rows) / in_batches, 1000, "{:.0f}"),
        at_most("policy, one call alone, CPU ms", 1000 * float(np.median(alone)), 3),
        at_least("tricks network, contracts per CPU s", contracts, 50_000, "{:.0f}"),
        at_most(f"bmcs, median of {many} searched decisions, CPU s", float(np.median(searched)), 1),
        at_most("bmcs, slowest of them, CPU s", max(searched), 3),
    ]
