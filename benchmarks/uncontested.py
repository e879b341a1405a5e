"""Any bidder under the protocol of Ho & Lin: partner and silent opponents, cost in IMPs per deal.
Run: python benchmarks/uncontested.py --data DIR [--pairs 2000] points "rules(system=sayc)" relay

The published pairs (`uncontested_costs.npz`) hold North's and South's hands and the cost of each
contract; East and West get random cards, which no bidder sees, and pass.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.game import Board, Deal, Seat, Vulnerability
from overtrick.nets.uncontested.census import hand_of
from overtrick.training.uncontested.deals import Pairs, read_published


def costs(engine: Bidder, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
    """Cost of the contract reached on every pair."""
    silent = bidder("pass")
    found = []
    for opener, responder, vector in zip(pairs.opener, pairs.responder, pairs.costs, strict=True):
        rest = rng.permutation(np.flatnonzero(opener + responder == 0))
        east = np.zeros(52, dtype=np.uint8)
        east[rest[:13]] = 1
        hands = (opener, east, responder, 1 - opener - responder - east)
        board = Board(1, Seat.NORTH, Vulnerability.NONE, Deal(tuple(hand_of(h) for h in hands)))
        auction, _ = bid_board(board, [engine, silent, engine, silent])
        contract = auction.contract
        index = 0 if contract is None else 1 + 5 * (contract.level - 1) + int(contract.strain)
        found.append(vector[index])
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("engines", nargs="+")
    args = parser.parse_args()
    every = read_published(args.data / "uncontested_costs.npz")
    rows = np.random.default_rng(5).choice(len(every), min(args.pairs, len(every)), replace=False)
    for name in args.engines:
        began = time.process_time()
        found = costs(bidder(name), every.take(rows), np.random.default_rng(6))
        busy = time.process_time() - began
        error = found.std(ddof=1) / np.sqrt(len(found))
        print(f"{name}: {found.mean():.3f} ± {error:.3f} IMPs a deal, {len(found)} pairs, "
              f"{1000 * busy / len(found):.1f} CPU ms a board")  # fmt: skip


if __name__ == "__main__":
    main()
