"""How well belief networks know who holds a card, in auctions of bidders they may never have seen.
Run `PYTHONPATH=src python -m benchmarks.beliefs --net belief --net mine.onnx --deals 400`.

At every call the player on turn says who holds each of the 39 cards hidden from it. Nats a card are
−log of the probability of the true holder (flat: 1.0986), by calls made so far; calibration
is how far said and true shares are apart in the worst tenth of all answers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding import Bidder, bidder
from overtrick.game import Auction, Board, Systems, View, view_of
from overtrick.nets.belief import card_beliefs
from overtrick.nets.inference import Network, network

Floats = NDArray[np.float64]
PAIRS = (
    ("policy", "policy"),
    ("policy", "policy(net=sl)"),
    ("partner(batches=0)", "policy(net=sl)"),
    ("partner(batches=0)", "partner(batches=0, system=sayc)"),
    ("partner(batches=0, system=polish)", "partner(batches=0)"),
    ("partner(batches=0, system=acol)", "partner(batches=0, system=precision)"),
)


def positions(sides: tuple[Bidder, Bidder], deals: int) -> Iterator[tuple[View, Board]]:
    """Every turn of the first side."""
    for number in range(deals):
        board = Board.random(number % 16 + 1, seed=770_000_000 + number)
        auction, first = Auction(board.dealer), number // 16 % 2
        while not auction.is_over:
            mine = auction.turn % 2 == first
            ours, theirs = sides if mine else sides[::-1]
            view = view_of(board, auction, systems=Systems(ours.system, theirs.system))
            if mine:
                yield view, board
            auction = auction.then(ours.bid(view).call)


def said(view: View, board: Board, net: Network) -> tuple[Floats, NDArray[np.bool_]]:
    """Probabilities [39, 3] of the hidden cards, and whether it was so."""
    beliefs = card_beliefs(view, net)
    hidden = [c for c in range(52) if not view.hand.bits >> c & 1]
    hands = [board.deal[view.seat.plus(k)].bits for k in (1, 2, 3)]
    true = np.array([[bool(hand >> c & 1) for hand in hands] for c in hidden])
    return beliefs[hidden], true


def worst_tenth(chances: Floats, true: NDArray[np.bool_]) -> float:
    """The largest distance between said and true share, in percent, over ten equal parts."""
    order = np.argsort(chances)
    parts = zip(np.array_split(chances[order], 10), np.array_split(true[order], 10), strict=True)
    return max(abs(float(a.mean() - b.mean())) for a, b in parts) * 100


def measured(net: str, pair: tuple[str, str], deals: int) -> dict[str, object]:
    """The figures of a network in auctions of the first of a pair."""
    sides = bidder(pair[0]), bidder(pair[1])
    found = [
        (len(view.auction.calls), *said(view, board, network(net, "belief")))
        for view, board in positions(sides, deals)
    ]
    nats = np.array([-np.log(chances[true]).mean() for _, chances, true in found])
    calls = np.array([length for length, _, _ in found])
    every = np.concatenate([chances.ravel() for _, chances, _ in found])
    true = np.concatenate([true.ravel() for _, _, true in found])
    spans = {"0-3": (0, 3), "4-7": (4, 7), "8+": (8, 99)}
    return {
        "net": net,
        "bidder": pair[0],
        "opponents": pair[1],
        "positions": len(found),
        "nats": round(float(nats.mean()), 4),
        "error": round(float(nats.std() / np.sqrt(len(nats))), 4),
        "by_calls": {
            name: round(float(nats[(calls >= low) & (calls <= high)].mean()), 4)
            for name, (low, high) in spans.items()
        },
        "worst_tenth": round(worst_tenth(every, true), 2),
    }


def main() -> None:
    """Command line."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--net", action="append", default=[])
    words.add_argument("--deals", type=int, default=200)
    asked = words.parse_args()
    for pair in PAIRS:
        for net in asked.net or ["belief"]:
            print(json.dumps(measured(net, pair, asked.deals)), flush=True)


if __name__ == "__main__":
    main()
