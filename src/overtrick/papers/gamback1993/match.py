"""The bidder in a match: what it gains, which knowledge source decides, and how long it thinks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from overtrick.bidding import bid_board, bidder
from overtrick.game import Auction, Board, imps, points
from overtrick.notation.solved import SolvedDeals
from overtrick.papers.cells import Cell
from overtrick.papers.workforce import Workforce

VARIANTS: Final = {
    "as shipped": "pragma",
    "without knowledge source 3": "pragma(outer=0)",
    "own later turns chosen again": "pragma(again=16)",
    "contract nets of the paper": "pragma(tricks=paper)",
    "only calls that fit the hand": "pragma(stretch=0)",
}
OPPONENT: Final = "rules"


class Deal(NamedTuple):
    """One deal of the match, for any worker."""

    engine: str
    number: int
    deals: Path


class Row(NamedTuple):
    """What happened on it: IMPs for the engine, and its decisions."""

    imps: int
    milliseconds: tuple[float, ...]
    sources: tuple[str, ...]


@lru_cache(maxsize=1)
def _solved(path: Path) -> SolvedDeals:
    return SolvedDeals.load(path)


def play(deal: Deal) -> Row:
    """Both rooms, double dummy."""
    ours, theirs = bidder(deal.engine), bidder(OPPONENT)
    solved = _solved(deal.deals)
    board = Board.numbered(deal.number % 16 + 1, solved.deal(deal.number))
    tricks = solved.tricks_of(deal.number)
    scores, kept = [], []
    for seats in ((ours, theirs, ours, theirs), (theirs, ours, theirs, ours)):
        auction, decisions = bid_board(board, seats)
        kept += [d for i, d in enumerate(decisions) if seats[auction.seat_of(i)] is ours]
        scores.append(_score(board, auction, tricks))
    sources = tuple(str(d.details.get("source", "system")) for d in kept)
    return Row(imps(scores[0] - scores[1]), tuple(d.milliseconds for d in kept), sources)


def _score(board: Board, auction: Auction, tricks: Sequence[Sequence[int]]) -> int:
    """North-South's score, double dummy."""
    found = auction.contract
    if found is None:
        return 0
    taken = tricks[found.strain][found.declarer]
    vulnerable = board.vul.of(found.declarer)
    score = points(found.level, found.strain, found.doubled, vulnerable, taken)
    return score if found.declarer % 2 == 0 else -score


def match(engine: str, first: int, count: int, deals: Path, workers: Workforce) -> Cell:
    """The deals first … of a file of solved deals."""
    jobs = [Deal(engine, number, deals) for number in range(first, first + count)]
    return summary(workers.map(play, jobs))


def summary(rows: Sequence[Row]) -> Cell:
    won = np.array([row.imps for row in rows], float)
    times = np.array([ms for row in rows for ms in row.milliseconds])
    error = float(won.std(ddof=1) / len(won) ** 0.5) if len(won) > 1 else 0.0
    return {
        "deals": len(rows),
        "imps": float(won.mean()),
        "error": error,
        "calls": len(times),
        "mean_ms": float(times.mean()),
        "median_ms": float(np.median(times)),
        "slowest_ms": float(times.max()),
        "sources": dict(Counter(source for row in rows for source in row.sources)),
    }


def shares(cell: dict[str, Any]) -> str:
    """Of the calls that need thought, how many each knowledge source settles."""
    found = {name: n for name, n in cell["sources"].items() if name.startswith("KS")}
    total = sum(found.values())
    return ", ".join(f"{name} {100 * n / total:.0f} %" for name, n in sorted(found.items()))
