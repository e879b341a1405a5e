"""The bidder in a match: what it gains, which knowledge source decides, and how long it thinks.
Boards are kept in small pieces, so that a long match can be stopped and goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from overtrick.bidding import bid_board, bidder
from overtrick.game import Auction, Board, imps, points
from overtrick.notation.solved import SolvedDeals
from overtrick.papers.cells import Cell, Store, Task

VARIANTS: Final = {
    "as shipped": "pragma",
    "without knowledge source 3": "pragma(outer=0)",
    "own later turns chosen again": "pragma(again=16)",
    "contract nets of the paper": "pragma(tricks=paper)",
    "only calls that fit the hand": "pragma(stretch=0)",
    "strict domination, as printed": "pragma(strictly=true)",
}
OPPONENT: Final = "rules"
_PIECE: Final = 20  # boards of a cell


class Boards(NamedTuple):
    """Some deals of the match, for any worker."""

    engine: str
    numbers: tuple[int, ...]
    deals: Path


class Row(NamedTuple):
    """What happened on a board: IMPs for the engine, and its decisions."""

    imps: int
    milliseconds: tuple[float, ...]
    sources: tuple[str, ...]
    determined: int
    """Calls thought about in which the system left nobody a choice that matters."""


@lru_cache(maxsize=1)
def _solved(path: Path) -> SolvedDeals:
    return SolvedDeals.load(path)


def pieces(variant: str, first: int, count: int) -> Iterator[tuple[str, range]]:
    """The cells of a match and their deals."""
    for start in range(first, first + count, _PIECE):
        numbers = range(start, min(start + _PIECE, first + count))
        yield f"match-{numbers[0]}-{len(numbers)}-{variant.replace(' ', '-')}", numbers


def tasks(variant: str, first: int, count: int, deals: Path) -> list[Task]:
    """The deals first … of a file of solved deals."""
    return [
        Task(
            key,
            f"pragma {variant}",
            job=(play, Boards(VARIANTS[variant], tuple(numbers), deals)),
        )
        for key, numbers in pieces(variant, first, count)
    ]


def play(boards: Boards) -> Cell:
    """Both rooms of every board, double dummy."""
    rows = [_play(boards.engine, number, boards.deals) for number in boards.numbers]
    return {"rows": [row._asdict() for row in rows]}


def _play(engine: str, number: int, deals: Path) -> Row:
    ours, theirs = bidder(engine), bidder(OPPONENT)
    solved = _solved(deals)
    board = Board.numbered(number % 16 + 1, solved.deal(number))
    tricks = solved.tricks_of(number)
    scores, kept = [], []
    for seats in ((ours, theirs, ours, theirs), (theirs, ours, theirs, ours)):
        auction, decisions = bid_board(board, seats)
        kept += [d for i, d in enumerate(decisions) if seats[auction.seat_of(i)] is ours]
        scores.append(_score(board, auction, tricks))
    return Row(
        imps(scores[0] - scores[1]),
        tuple(round(d.milliseconds, 1) for d in kept),
        tuple(str(d.details.get("source", "system")) for d in kept),
        sum(bool(d.details.get("determined")) for d in kept),
    )


def _score(board: Board, auction: Auction, tricks: Sequence[Sequence[int]]) -> int:
    """North-South's score, double dummy."""
    found = auction.contract
    if found is None:
        return 0
    taken = tricks[found.strain][found.declarer]
    vulnerable = board.vul.of(found.declarer)
    score = points(found.level, found.strain, found.doubled, vulnerable, taken)
    return score if found.declarer % 2 == 0 else -score


def summary(store: Store, variant: str, first: int, count: int) -> Cell | None:
    """The match as far as it has been played."""
    cells = [store.get(key) for key, _ in pieces(variant, first, count)]
    rows = [Row(**row) for cell in cells if cell is not None for row in cell["rows"]]
    return of_rows(rows) if rows else None


def of_rows(rows: Sequence[Row]) -> Cell:
    won = np.array([row.imps for row in rows], float)
    times = np.array([ms for row in rows for ms in row.milliseconds])
    return {
        "deals": len(rows),
        "imps": float(won.mean()),
        "error": error(won),
        "calls": len(times),
        "mean_ms": float(times.mean()),
        "median_ms": float(np.median(times)),
        "slowest_ms": float(times.max()),
        "determined": sum(row.determined for row in rows),
        "sources": dict(Counter(source for row in rows for source in row.sources)),
    }


def error(won: Sequence[float] | np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The standard error of a mean."""
    return float(np.std(won, ddof=1) / len(won) ** 0.5) if len(won) > 1 else 0.0


def shares(cell: dict[str, Any]) -> str:
    """Of the calls that need thought, how many each knowledge source settles."""
    found = {name: n for name, n in cell["sources"].items() if name.startswith("KS")}
    total = sum(found.values())
    return ", ".join(f"{name} {100 * n / total:.0f} %" for name, n in sorted(found.items()))


def determined(cell: dict[str, Any]) -> str:
    """The same for what source 2 assumes: nobody else has a choice."""
    total = sum(n for name, n in cell["sources"].items() if name.startswith("KS"))
    return f"{100 * cell['determined'] / total:.0f} %" if total else ""
