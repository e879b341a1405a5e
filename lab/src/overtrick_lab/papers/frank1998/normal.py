"""The normal form: strategy against strategy, minorant and majorant game, saddle points, mixing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.strategies import tuples
from overtrick_lab.papers.frank1998.tree import Chance, EndNode, MaxMin, Node, Strategy


@dataclass(frozen=True, slots=True)
class NormalForm:
    """K_1(x_1, x_2) for all pairs of pure strategies: rows are MAX's, columns MIN's."""

    rows: tuple[dict[str, int], ...]
    columns: tuple[dict[str, int], ...]
    payoff: tuple[tuple[Fraction, ...], ...]


def normal_form(game: StrategicGame) -> NormalForm:
    """Play every strategy of MAX against every strategy of MIN (small games only)."""
    rows, columns = tuple(tuples(game)), tuple(tuples(game, MaxMin.MIN))
    table = tuple(tuple(expected(game.root, x, y) for y in columns) for x in rows)
    return NormalForm(rows, columns, table)


def expected(node: Node, mine: Strategy, theirs: Strategy) -> Fraction:
    """MAX's expected payoff when both strategies are fixed."""
    if isinstance(node, EndNode):
        (payoff,) = node.payoffs
        assert payoff is not None
        return Fraction(payoff)
    if isinstance(node, Chance):
        return sum(
            (
                p * expected(child, mine, theirs)
                for p, child in zip(node.odds, node.children, strict=True)
            ),
            Fraction(0),
        )
    plan = mine if node.player is MaxMin.MAX else theirs
    return expected(node.children[plan[node.info]], mine, theirs)


def minorant(form: NormalForm) -> Fraction:
    """v_1: MAX names his strategy first (A-II) and MIN answers it."""
    worst: list[Fraction] = [min(row) for row in form.payoff]
    return max(worst)


def majorant(form: NormalForm) -> Fraction:
    """v_2: MIN names his strategy first and MAX answers it."""
    best: list[Fraction] = [max(column) for column in zip(*form.payoff, strict=True)]
    return min(best)


def saddle_points(form: NormalForm) -> list[tuple[int, int]]:
    """Equilibrium points in pure strategies: (row, column) where neither side gains by leaving."""
    columns = list(zip(*form.payoff, strict=True))
    return [
        (i, j)
        for i, row in enumerate(form.payoff)
        for j, k in enumerate(row)
        if k == min(row) and k == max(columns[j])
    ]


def mixed_value(form: NormalForm) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The value when MAX may mix, and one best mixture of his rows (exact linear programming).

    Shift the payoffs above zero, let MIN maximise sum(y) with A y <= 1, y >= 0; the dual prices
    of the rows are MAX's mixture. Bland's rule keeps the simplex from going round in circles.
    """
    shift = 1 - min(min(row) for row in form.payoff)
    m, n = len(form.rows), len(form.columns)
    table = [
        [k + shift for k in row] + [Fraction(int(i == r)) for i in range(m)] + [Fraction(1)]
        for r, row in enumerate(form.payoff)
    ]
    goal = [Fraction(-1)] * n + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while (enter := next((j for j in range(n + m) if goal[j] < 0), None)) is not None:
        ratios = [
            (row[-1] / row[enter], basis[r], r) for r, row in enumerate(table) if row[enter] > 0
        ]
        leave = min(ratios)[2]
        pivot = table[leave][enter]
        table[leave] = [x / pivot for x in table[leave]]
        for r, row in enumerate(table):
            if r != leave:
                table[r] = _clear(row, table[leave], enter)
        goal = _clear(goal, table[leave], enter)
        basis[leave] = enter
    size = goal[-1]
    mixture = tuple(price / size for price in goal[n : n + m])
    return 1 / size - shift, mixture


def _clear(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    """Take so much of the pivot row away that the column becomes 0."""
    factor = row[column]
    return [x - factor * y for x, y in zip(row, pivot, strict=True)] if factor else row
