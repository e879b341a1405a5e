"""Exhaustive strategy minimisation (Fig. 4): try every strategy of MAX against the best defence.
The reference for everything else here; doubly exponential, so for small games only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from overtrick.game.errors import BridgeError
from overtrick_lab.papers.frank1998.flat import FlatTree, outcome, value
from overtrick_lab.papers.frank1998.game import StrategicGame, information_sets
from overtrick_lab.papers.frank1998.strategies import count_strategies, strategies, tuples
from overtrick_lab.papers.frank1998.tree import Chance, EndNode, MaxMin, Node, Strategy


class TooManyStrategiesError(BridgeError):
    """The game has more strategies than the caller is willing to try."""


@dataclass(frozen=True, slots=True)
class BestDefence:
    """The value of the best-defence form, and all strategies that attain it."""

    value: Fraction
    strategies: tuple[dict[str, int], ...]
    tried: int


def esm(game: StrategicGame | FlatTree, limit: int = 1_000_000) -> BestDefence:
    """The value max over s of esm(t, s), with every strategy that attains it."""
    if isinstance(game, FlatTree):
        flat = game
        _check(count_strategies(flat.root), limit)
        return _best((s, value(flat, outcome(flat, s))) for s in strategies(flat))
    root = game.root
    sets = information_sets(game, MaxMin.MAX)
    _check(prod(len(nodes[0].children) for nodes in sets.values()), limit)
    return _best((s, esm_of(root, s)) for s in tuples(game))


def esm_of(node: Node, strategy: Strategy) -> Fraction:
    """esm(t, s): the least that MIN, who sees everything, can hold the strategy to."""
    if isinstance(node, EndNode):
        (payoff,) = node.payoffs
        assert payoff is not None
        return Fraction(payoff)
    if isinstance(node, Chance):
        return sum(
            (
                p * esm_of(child, strategy)
                for p, child in zip(node.odds, node.children, strict=True)
            ),
            Fraction(0),
        )
    if node.player is MaxMin.MAX:
        return esm_of(node.children[strategy[node.info]], strategy)
    return min(esm_of(child, strategy) for child in node.children)


def _check(count: int, limit: int) -> None:
    if count > limit:
        raise TooManyStrategiesError(
            f"{count} strategies, the limit is {limit}; "
            "fronts.solve finds the same value without listing them"
        )


def _best(evaluated: Iterable[tuple[dict[str, int], Fraction]]) -> BestDefence:
    best: list[dict[str, int]] = []
    top: Fraction | None = None
    tried = 0
    for strategy, worth in evaluated:
        tried += 1
        if top is None or worth > top:
            top, best = worth, []
        if worth == top:
            best.append(strategy)
    assert top is not None
    return BestDefence(top, tuple(best), tried)
