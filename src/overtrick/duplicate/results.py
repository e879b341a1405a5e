"""An event with its results: rankings (two where there are two directions), travellers, recap."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from overtrick.duplicate.movements import Movement
from overtrick.duplicate.scoring import BoardWorth, Method, TableScore, worths
from overtrick.game import BridgeError

_SAME = 1e-9  # scores that differ by less are the same


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A line of a ranking: matchpoints with their per cent, or IMPs for a board. Adjustments are
    in the same unit, and in the total."""

    place: int
    pair: int
    names: tuple[str, str]
    boards: int
    total: float
    percent: float | None = None
    adjusted: float = 0.0


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One table on a board, with what it was worth."""

    result: TableScore
    worth: BoardWorth


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """A movement, who plays in it, and what has been scored so far.

    `adjusted` are points that the director gave or took from a pair, in matchpoints or IMPs.
    """

    movement: Movement
    results: tuple[TableScore, ...] = ()
    method: Method = "matchpoints"
    names: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    adjusted: Mapping[int, float] = field(default_factory=dict)
    title: str = ""
    day: str = ""  # 2026-11-19

    def __post_init__(self) -> None:
        played: set[tuple[int, int]] = set()
        for r in self.results:
            for pair in (r.ns, r.ew):
                if (pair, r.board) in played:
                    raise BridgeError(f"pair {pair} has two results on board {r.board}")
                played.add((pair, r.board))
            if not _belongs(self.movement, r):
                raise BridgeError(
                    f"board {r.board} is not for pairs {r.ns} and {r.ew} in round {r.number}"
                )

    def travellers(self) -> dict[int, list[TravellerLine]]:
        """Every board that was played, each with its tables, best for North-South first."""
        boards: dict[int, list[TableScore]] = defaultdict(list)
        for result in self.results:
            boards[result.board].append(result)
        most = max((len(found) for found in boards.values()), default=0)
        return {
            board: sorted(
                map(TravellerLine, found, worths(found, self.method, most)),
                key=lambda line: (-line.worth.ns, line.result.ns),
            )
            for board, found in sorted(boards.items())
        }

    def recap(self) -> dict[int, dict[int, BoardWorth]]:
        """What every pair has of every board, in the pair's own view."""
        out: dict[int, dict[int, BoardWorth]] = defaultdict(dict)
        for board, lines in self.travellers().items():
            for line in lines:
                worth = line.worth
                out[line.result.ns][board] = worth
                out[line.result.ew][board] = BoardWorth(worth.ew, worth.ns, worth.top)
        return dict(sorted(out.items()))

    def rankings(self) -> dict[str, list[RankedPair]]:
        """A list for each direction that keeps to itself, or one for all; best first. Per cent are
        of what could be had on the boards that a pair played: who sat out loses nothing by it."""
        lists: dict[str, list[tuple[float, RankedPair]]] = defaultdict(list)
        for pair, boards in self.recap().items():
            own = self.adjusted.get(pair, 0.0)
            total, top = sum(w.ns for w in boards.values()), sum(w.top for w in boards.values())
            names = self.names.get(pair, ("", ""))
            if self.method == "matchpoints":
                total += own
                percent = 100 * total / top if top else None
                row = RankedPair(0, pair, names, len(boards), total, percent, own)
                value = percent if percent is not None else 0.0
            else:
                value = (total + own) / len(boards)
                row = RankedPair(0, pair, names, len(boards), total + own, None, own)
            lists[self.movement.field(pair)].append((value, row))
        return {name: _placed(found) for name, found in sorted(lists.items(), reverse=True)}


def _belongs(movement: Movement, result: TableScore) -> bool:
    """Do these two meet in this round, with this board?"""
    if not 1 <= result.number <= len(movement.rounds):
        return False
    place = movement.place(result.ns, result.number)
    return (
        place is not None
        and (place.ns, place.ew) == (result.ns, result.ew)
        and result.board in movement.boards(place.boards)
    )


def _placed(found: Sequence[tuple[float, RankedPair]]) -> list[RankedPair]:
    """Best first; who has as much has the same place."""
    ordered = sorted(found, key=lambda item: (-item[0], item[1].pair))
    places: list[int] = []
    for i, (value, _) in enumerate(ordered):
        same = i and abs(value - ordered[i - 1][0]) < _SAME
        places.append(places[-1] if same else i + 1)
    return [
        RankedPair(place, row.pair, row.names, row.boards, row.total, row.percent, row.adjusted)
        for place, (_, row) in zip(places, ordered, strict=True)
    ]


def missing(event: ClubEvent) -> list[TableScore]:
    """What is still to be scored, round by round: who meets whom on which board."""
    done = Counter((r.number, r.ns, r.board) for r in event.results)
    return [
        TableScore(board, p.ns, p.ew, number=number)
        for number, places in enumerate(event.movement.rounds, 1)
        for p in places
        for board in event.movement.boards(p.boards)
        if not done[number, p.ns, board]
    ]
