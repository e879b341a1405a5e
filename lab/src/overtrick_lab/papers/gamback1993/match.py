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
from overtrick_lab.papers.cells import Cell, CellStore, Task

VARIANTS: Final = {
    "as shipped": "pragma(seconds=60)",
    "without knowledge source 3": "pragma(seconds=60, outer=0)",
    "own later turns chosen again": "pragma(seconds=60, again=16)",
    "contract nets of the paper": "pragma(seconds=60, tricks=paper)",
    "only calls that fit the hand": "pragma(seconds=60, stretch=0)",
    "strict domination, as printed": "pragma(seconds=60, strictly=true)",
}
"""`seconds=60`: the work is fixed by rounds and prices, not by how busy the machine is."""
OPPONENT: Final = "rules"
_PIECE: Final = 5  # boards of a cell


class MatchBoards(NamedTuple):
    """Some deals of the match, for any worker."""

    engine: str
    numbers: tuple[int, ...]
    deals: Path


class BoardRow(NamedTuple):
    """What happened on a board: IMPs for the engine, and its decisions."""

    imps: int
    milliseconds: tuple[float, ...]
    sources: tuple[str, ...]
    determined: int
    """Calls thought about in which the system left nobody a choice that matters."""


def told(rows: Sequence[BoardRow]) -> Cell:
    """Some boards as a cell: IMPs one by one, decisions together."""
    times = [ms for row in rows for ms in row.milliseconds]
    return {
        "imps": [row.imps for row in rows],
        "calls": len(times),
        "ms": round(sum(times), 1),
        "slowest_ms": max(times, default=0.0),
        "sources": dict(Counter(source for row in rows for source in row.sources)),
        "determined": sum(row.determined for row in rows),
    }


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
            job=(play, MatchBoards(VARIANTS[variant], tuple(numbers), deals)),
        )
        for key, numbers in pieces(variant, first, count)
    ]


def play(boards: MatchBoards) -> Cell:
    """Both rooms of every board, double dummy."""
    return told([_play(boards.engine, number, boards.deals) for number in boards.numbers])


def _play(engine: str, number: int, deals: Path) -> BoardRow:
    ours, theirs = bidder(engine), bidder(OPPONENT)
    solved = _solved(deals)
    board = Board.numbered(number % 16 + 1, solved.deal(number))
    tricks = solved.tricks_of(number)
    scores, kept = [], []
    for seats in ((ours, theirs, ours, theirs), (theirs, ours, theirs, ours)):
        auction, decisions = bid_board(board, seats)
        kept += [d for i, d in enumerate(decisions) if seats[auction.seat_of(i)] is ours]
        scores.append(_score(board, auction, tricks))
    return BoardRow(
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


def summary(store: CellStore, variant: str, first: int, count: int) -> Cell | None:
    """The match as far as it has been played, and what it brings more than the engine as shipped
    on the boards that both have played."""
    cells = played(store, variant, first, count)
    if not cells:
        return None
    usual = played(store, next(iter(VARIANTS)), first, count)
    both = [
        mine - other
        for key in cells.keys() & usual.keys()
        for mine, other in zip(cells[key]["imps"], usual[key]["imps"], strict=True)
    ]
    return joined(list(cells.values())) | {
        "common": len(both),
        "more": float(np.mean(both)) if both else 0.0,
        "more_error": error(both),
    }


def played(store: CellStore, variant: str, first: int, count: int) -> dict[int, Cell]:
    """The finished pieces of a match by their first deal."""
    found = {n[0]: store.get(key) for key, n in pieces(variant, first, count)}
    return {number: cell for number, cell in found.items() if cell is not None}


def joined(cells: Sequence[Cell]) -> Cell:
    """Pieces of a match together."""
    won = np.array([imps for cell in cells for imps in cell["imps"]], float)
    sources: Counter[str] = Counter()
    for cell in cells:
        sources.update(cell["sources"])
    calls = sum(cell["calls"] for cell in cells)
    return {
        "deals": len(won),
        "imps": float(won.mean()),
        "error": error(won),
        "calls": calls,
        "mean_ms": sum(cell["ms"] for cell in cells) / max(1, calls),
        "slowest_ms": max(cell["slowest_ms"] for cell in cells),
        "determined": sum(cell["determined"] for cell in cells),
        "sources": dict(sources),
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
