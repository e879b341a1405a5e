"""Games of hidden hands solved by regret matching, with bounds that prove how good the answer is.

Predictive, discounted regret matching (PDCFR+ of Xu and others): each card is played in proportion
to what it would have gained so far, the last round counted once more as a forecast; old rounds fade
and later ones weigh more in the average. Both sides learn at the same time: taking turns, which
helps without the forecast, can make the two go round in circles with it.

Work is counted in rounds, never in seconds. What is told is not what the method promises but what
a best answer to either side's final strategy makes: `low` is what declarer has against defenders
who know his mixture, `high` what he can make of theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.hiddenplay.tree import DECLARER, DEFENDERS, Floats, Ints, Tree

ROUNDS: Final = 2000
_LOOK: Final = 25  # rounds between two looks at the bounds
_FADE: Final = 2.3  # how soon old regret is forgotten
_LATER: Final = 5  # how much more later rounds weigh
Progress = Callable[[int, float], None]  # rounds done, gap


@dataclass(frozen=True, slots=True)
class Solution:
    """Mixed strategies of everybody (a probability for every choice) and what they prove."""

    strategy: Floats
    low: float
    high: float
    rounds: int

    @property
    def gap(self) -> float:
        """How much both sides together could gain by a better answer: zero in equilibrium."""
        return self.high - self.low

    @property
    def value(self) -> float:
        return (self.low + self.high) / 2


class Sides:
    """Whose choices are whose: declarer, the defenders who learn, and those who are settled."""

    def __init__(self, tree: Tree, learning: frozenset[int]) -> None:
        self.declarer = tree.owner == DECLARER
        self.defence = np.isin(tree.owner, list(learning))

    def mine(self, declarer: bool) -> NDArray[np.bool_]:
        return self.declarer if declarer else self.defence


def reach(tree: Tree, strategy: Floats, mine: NDArray[np.bool_]) -> Floats:
    """How likely each row is as far as the choices that are `mine` decide."""
    out = np.ones(tree.size)
    factor = np.where(mine, strategy, 1.0)
    for level in tree.levels:
        out[level.rows] = out[level.parent] * factor[level.choice]
    return out


def values(tree: Tree, strategy: Floats) -> Floats:
    """What each row is worth to declarer when everybody plays the strategy."""
    out = tree.payoff.copy()
    for level in reversed(tree.levels):
        here = strategy[level.choice] * out[level.rows]
        out[level.parents] += np.add.reduceat(here, level.starts)
    return out


def expected(tree: Tree, strategy: Floats) -> float:
    """What the strategy is worth to declarer."""
    return float(values(tree, strategy)[: tree.roots] @ tree.weight[: tree.roots])


def best_answer(tree: Tree, strategy: Floats, sides: Sides, declarer: bool) -> tuple[float, Floats]:
    """The best a side can do against the others' strategy, and how: pure, and exact.

    A side must remember what it knew and did, as one player does; two defenders who see different
    cards are two players, and only one of them can be asked at a time.
    """
    mine = sides.mine(declarer)
    others = reach(tree, strategy, ~mine) * tree.weight
    out, pure = tree.payoff.copy(), np.where(mine, 0.0, strategy)
    sign = 1.0 if declarer else -1.0
    for level in reversed(tree.levels):
        span = level.choices
        worth = np.bincount(
            level.choice - span.start, others[level.rows] * out[level.rows], span.stop - span.start
        )
        first = np.searchsorted(tree.firsts, [span.start, span.stop])
        begins = tree.firsts[first[0] : first[1]] - span.start
        best = np.maximum.reduceat(sign * worth, begins)
        counts = np.diff(np.append(begins, span.stop - span.start))
        is_best = sign * worth >= np.repeat(best, counts) - 1e-15
        # Of several best cards the first one.
        order = np.cumsum(is_best)
        before = np.repeat(order[begins] - is_best[begins], counts)
        chosen = is_best & (order - before == 1)
        pure[span] = np.where(mine[span], chosen, pure[span])
        here = pure[level.choice] * out[level.rows]
        out[level.parents] += np.add.reduceat(here, level.starts)
    return float(out[: tree.roots] @ tree.weight[: tree.roots]), pure


def solve(
    tree: Tree,
    tolerance: float,
    rounds: int = ROUNDS,
    *,
    learning: frozenset[int] = DEFENDERS,
    settled: Floats | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Declarer against the defenders who learn, until neither side can gain `tolerance`.

    Defenders who learn together are one player: they must see the same (both of declarer's hands
    in sight). Choices of those who do not learn are as in `settled`.
    """
    strategy = (tree.uniform() if settled is None else settled).copy()
    if not tree.levels:
        value = expected(tree, strategy)
        return Solution(strategy, value, value, 0)
    sides = Sides(tree, learning)
    both = sides.declarer | sides.defence
    regret, hope, total = (np.zeros(tree.choices) for _ in range(3))
    row_of = _any_row(tree)
    best: Solution | None = None
    for done in range(1, rounds + 1):
        strategy = np.where(both, _matched(tree, np.maximum(regret + hope, 0)), strategy)
        reached = [reach(tree, strategy, sides.mine(declarer)) for declarer in (True, False)]
        gained = _gained(tree, strategy, sides, reached)
        for declarer, own in zip((True, False), reached, strict=True):
            mine = sides.mine(declarer)
            total += np.where(mine, float(done) ** _LATER * own[row_of] * strategy, 0)
        faded = done**_FADE / (done**_FADE + 1)
        regret, hope = np.maximum(regret + gained, 0) * faded, gained
        if done % _LOOK == 0 or done == rounds:
            mean = np.where(both, _matched(tree, total), strategy)
            low, _ = best_answer(tree, mean, sides, declarer=False)
            high, _ = best_answer(tree, mean, sides, declarer=True)
            if best is None or high - low < best.gap:
                best = Solution(mean, low, high, done)
            if progress is not None:
                progress(done, best.gap)
            if best.gap <= tolerance:
                break
    if best is None:
        raise ValueError("at least one round is needed")
    return best


def certified(tree: Tree, strategy: Floats, rounds: int = 0) -> Solution:
    """The same bounds for any strategy, such as one rounded for print."""
    sides = Sides(tree, DEFENDERS)
    low, _ = best_answer(tree, strategy, sides, declarer=False)
    high, _ = best_answer(tree, strategy, sides, declarer=True)
    return Solution(strategy, low, high, rounds)


def _any_row(tree: Tree) -> Ints:
    """For every choice a row in which it is made: its player's own reach is the same in all."""
    row = np.zeros(tree.choices, np.int64)
    for level in tree.levels:
        row[level.choice] = level.parent
    return row


def _matched(tree: Tree, weights: Floats) -> Floats:
    """Probabilities in proportion to weights; all alike where there are none."""
    sums = tree.total(weights)[tree.sight_of]
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), tree.uniform())


def _gained(tree: Tree, strategy: Floats, sides: Sides, reached: list[Floats]) -> Floats:
    """What each card would have made more than its player's mixture did."""
    settled = reach(tree, strategy, ~(sides.declarer | sides.defence)) * tree.weight
    worth = settled * values(tree, strategy)
    against = worth * reached[1], -worth * reached[0]  # declarer's gain, the defenders'
    out = np.zeros(tree.choices)
    for level in tree.levels:
        span = level.choices
        at, width = level.choice - span.start, span.stop - span.start
        ours, theirs = (np.bincount(at, x[level.rows], width) for x in against)
        out[span] = np.where(sides.declarer[span], ours, theirs)
    out -= tree.total(strategy * out)[tree.sight_of]
    return np.where(sides.declarer | sides.defence, out, 0)
