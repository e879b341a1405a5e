"""The table of a tournament: places, points, ratings with errors, matchpoints."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.arena.ratings import ratings
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.tournament import FinishedTournament, tables
from overtrick.game import matchpoints


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One engine's line in the table."""

    place: int
    engine: str
    points: float  # victory points, per cent of the matchpoints, or the rung
    matches: int
    won: int
    drawn: int
    rating: float  # IMPs per board above the average engine
    error: float


def standings(played: FinishedTournament) -> list[StandingsRow]:
    """The table, best first. Equal points share a place."""
    t = played.tournament
    rated = ratings([e.meeting(t.boards) for e in played.encounters], len(t.engines))
    points = _points(played)
    if played.order:
        order = list(played.order)
    else:
        order = sorted(range(len(t.engines)), key=lambda e: (-points[e], -rated[e].value, e))
    rows: list[StandingsRow] = []
    for i, e in enumerate(order):
        mine = [(m.imps if m.a == e else -m.imps) for m in played.encounters if e in (m.a, m.b)]
        tied = rows and rows[-1].points == points[e] and not played.order
        rows.append(
            StandingsRow(
                rows[-1].place if tied else i + 1,
                t.engines[e],
                points[e],
                len(mine),
                sum(m > 0 for m in mine),
                sum(m == 0 for m in mine),
                rated[e].value,
                rated[e].error,
            )
        )
    return rows


def _points(played: FinishedTournament) -> list[float]:
    t = played.tournament
    if t.kind == "pairs":
        return [round(100 * e.mean, 2) for e in percentages(played)]
    if played.order:
        return [float(played.order.index(e) + 1) for e in range(len(t.engines))]
    return played.victory_points()


def percentages(played: FinishedTournament) -> list[Estimate]:
    """Each engine's share of the matchpoints, with an error clustered by board.

    On every board all tables that played it are compared, North-South with North-South; an
    engine sits both ways against every other, so its share is the mean over its tables.
    """
    engines = len(played.tournament.engines)
    scores: dict[int, list[tuple[int, int, int]]] = {}
    for _, ns, ew, by_board in tables(played):
        for number, score in by_board.items():
            scores.setdefault(number, []).append((ns, ew, score))
    shares: list[list[float]] = [[] for _ in range(engines)]
    boards: list[list[int]] = [[] for _ in range(engines)]
    for number, rows in scores.items():
        top = len(rows) - 1
        if top == 0:
            continue
        for (ns, ew, _), won in zip(rows, matchpoints([r[2] for r in rows]), strict=True):
            for engine, share in ((ns, won / top), (ew, 1 - won / top)):
                shares[engine].append(share)
                boards[engine].append(number)
    return [estimate(s, b) for s, b in zip(shares, boards, strict=True)]


def cross_table(played: FinishedTournament) -> list[list[str]]:
    """IMPs of the row against the column, summed over all their matches; '' when they never met."""
    n = len(played.tournament.engines)
    sums: dict[tuple[int, int], int] = {}
    for e in played.encounters:
        sums[e.a, e.b] = sums.get((e.a, e.b), 0) + e.imps
        sums[e.b, e.a] = sums.get((e.b, e.a), 0) - e.imps
    return [[f"{sums[i, j]:+d}" if (i, j) in sums else "" for j in range(n)] for i in range(n)]
