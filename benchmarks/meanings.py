"""What is said of the calls of self-bid auctions: alternatives, length, and whether the ranges hold
the hands that make the call and end where these do.

    python -m benchmarks meanings
    python benchmarks/meanings.py --auctions 200 --systems two-over-one sayc
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import Row
from overtrick.bidding import bid_board, bidder
from overtrick.evaluation import HandArray, feature
from overtrick.game import CALLS, Board
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, Meaning
from overtrick.systems import Reading, load
from overtrick.systems.context import Context
from overtrick.systems.explain import Makers
from overtrick.systems.meanings import call_meaning, contexts

EMPTY: Final = re.compile(
    r"nothing (more )?to say|(^|, |; or )enough($|[,;])|no better bid|partner knows"
    r"|leaves it in|nothing better"
)
_OR: Final = re.compile(r"[;,] or ")
_HANDS: Final = 1000
_SLACK: Final = (2, 1)  # points and cards between an end and the first or last percentile


@dataclass(slots=True)
class Told:
    """Counts over the bids of some auctions."""

    words: Counter[str] = field(default_factory=Counter)
    sampled: int = 0
    held: int = 0  # calls whose ranges hold every sampled hand that makes them …
    nearly: int = 0  # … and at least 99 of 100
    tight: int = 0
    loose: list[str] = field(default_factory=list)

    @property
    def bids(self) -> int:
        return self.words.total()

    @property
    def many_ors(self) -> int:
        return sum(n for w, n in self.words.items() if len(_OR.findall(w)) > 1)

    @property
    def empty(self) -> int:
        return sum(n for w, n in self.words.items() if EMPTY.search(w))

    @property
    def length(self) -> float:
        return median(len(w) for w in self.words.elements())


def bids(system: str, auctions: int, seed: int = 1000) -> Iterator[tuple[Reading, Context, int]]:
    """Every bid, double and redouble of self-bid auctions, with its context."""
    engine, reading = bidder(f"rules(system={system})"), Reading(load(system))
    for i in range(auctions):
        board = Board.random(i + 1, seed=seed + i)
        auction, _ = bid_board(board, [engine] * 4)
        for ctx, call in contexts(reading, auction, board.vul, board.dealer & 1):
            if call:
                yield reading, ctx, call


def ends(meaning: Meaning, hands: HandArray) -> tuple[float, bool]:
    """The share of hands inside the ranges, and whether these end near the hands' own ends."""
    columns = [feature("HCP")(hands), *(hands.look("length", s) for s in range(4))]
    tops = [ANY_HCP, *[ANY_LENGTH] * 4]
    inside = np.ones(len(hands), bool)
    tight = True
    for at, (column, span, top) in enumerate(
        zip(columns, [meaning.hcp, *meaning.lengths], tops, strict=True)
    ):
        inside &= (column >= span[0]) & (column <= span[1])
        first, last = np.quantile(column, [0.01, 0.99], method="nearest")
        slack = _SLACK[at > 0]
        tight &= span[0] == top[0] or first - span[0] <= slack
        tight &= span[1] == top[1] or span[1] - last <= slack
    return float(inside.mean()), bool(tight)


def measure(systems: list[str], auctions: int, seed: int = 1000, sampled: bool = True) -> Told:
    """The bids of so many auctions of each system; hands are drawn once for each position."""
    told, rng = Told(), np.random.default_rng(seed)
    for system in systems:
        seen: set[tuple[tuple[int, ...], int]] = set()
        for reading, ctx, call in bids(system, auctions, seed):
            meaning = call_meaning(reading, ctx, call)
            told.words[meaning.words] += 1
            if not sampled or (ctx.key, call) in seen:
                continue
            seen.add((ctx.key, call))
            makers = Makers(reading, ctx, call, rng)
            if not makers.are_exact or len(makers.bits) < _HANDS // 5:
                continue
            inside, tight = ends(makers.tightened(meaning), HandArray(makers.bits[:_HANDS]))
            told.sampled += 1
            told.held += inside == 1
            told.nearly += inside >= 0.99
            told.tight += tight
            if inside < 0.99 or not tight:
                made = " ".join(CALLS[c].ascii for c in ctx.calls)
                told.loose.append(f"{system}: {made} {CALLS[call].ascii}: {meaning.ranges()}")
    return told


def run() -> list[Row]:
    """Rows for the table of all benchmarks."""
    told = measure(["two-over-one", "sayc"], 100)
    return [
        Row("meanings with more than one 'or'", f"{told.many_ors}", "0", not told.many_ors),
        Row("meanings with empty words", f"{told.empty}", "0", not told.empty),
        Row("median length of a meaning", f"{told.length:.0f}", "≤ 60", told.length <= 60),
        Row("ranges that hold 99 of 100 hands", f"{told.nearly} of {told.sampled}", "all",
            told.nearly == told.sampled),
        Row("ranges that end where the hands do", f"{told.tight} of {told.sampled}"),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--auctions", type=int, default=200, help="of all systems together")
    parser.add_argument("--systems", nargs="+", default=["two-over-one", "sayc"])
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--loose", type=int, default=0, help="name so many calls that fail")
    args = parser.parse_args()
    told = measure(args.systems, args.auctions // len(args.systems), args.seed)
    print(f"{told.bids} bids, {told.many_ors} with more than one 'or', {told.empty} empty, "
          f"median length {told.length:.0f}")  # fmt: skip
    print(f"{told.sampled} positions: ranges hold every hand in {told.held}, 99 of 100 in "
          f"{told.nearly}; tight in {told.tight}")  # fmt: skip
    print("\n".join(told.loose[: args.loose]))


if __name__ == "__main__":
    main()
