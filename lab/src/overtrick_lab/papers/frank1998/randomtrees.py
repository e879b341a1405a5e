"""Random flat trees, complete and ragged ones with missing branches, and who plays them well."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from overtrick_lab.papers.frank1998.flat import FlatTree, outcome, value
from overtrick_lab.papers.frank1998.fronts import plan_exact, plan_local
from overtrick_lab.papers.frank1998.minimaxing import (
    MaxPlan,
    average,
    plan_propagated,
    plan_reduction,
    plan_repeated,
    plan_vector,
    product,
)
from overtrick_lab.papers.frank1998.tree import ChoiceNode, EndNode, MaxMin, Node

LAST_PLAYER = (3 - 5**0.5) / 2
"""With leaves won by this chance (0.382) a complete binary tree in which MAX moves last is neither
won nor lost by depth alone: in each world MIN nodes are worth 0.382 and MAX nodes 0.618 all the way
up. (When MIN moves last the same holds for 0.618.)"""


@dataclass(frozen=True, slots=True)
class Ragged:
    """How ragged random trees look."""

    worlds: int = 5
    levels: int = 4
    branches: int = 3
    payoffs: int = 2
    """Payoffs are 0 .. payoffs - 1."""
    stop: float = 0.2
    """Chance that a branch ends early."""
    missing: float = 0.0
    """Chance that MIN lacks a branch in a world."""
    weighted: bool = True


def complete_tree(
    rng: np.random.Generator,
    levels: int,
    worlds: int,
    *,
    wins: float = LAST_PLAYER,
    first: MaxMin = MaxMin.MAX,
    branching: int = 2,
) -> FlatTree:
    """A complete tree, moves in turn, whose leaves are 1 with chance `wins` in each world."""
    bits = rng.random((branching**levels, worlds)) < wins
    row: list[Node] = [EndNode(tuple(map(int, bit))) for bit in bits]
    for level in reversed(range(levels)):
        player = first if level % 2 == 0 else _other(first)
        row = [
            ChoiceNode(player, tuple(row[i : i + branching])) for i in range(0, len(row), branching)
        ]
    return FlatTree(row[0])


def ragged_tree(rng: np.random.Generator, shape: Ragged) -> FlatTree:
    """A tree of uneven depth and width; the players still move in turn."""

    def grow(level: int, player: MaxMin, here: tuple[bool, ...]) -> Node:
        top = level == 0
        if level == shape.levels or (not top and rng.random() < shape.stop):
            drawn = rng.integers(shape.payoffs, size=shape.worlds)
            return EndNode(
                tuple(int(p) if there else None for p, there in zip(drawn, here, strict=True))
            )
        size = int(rng.integers(1, shape.branches + 1))
        ways = _ways(rng, here, size, shape.missing if player is MaxMin.MIN else 0.0)
        return ChoiceNode(player, tuple(grow(level + 1, _other(player), way) for way in ways))

    weights = tuple(int(w) for w in rng.integers(1, 5, size=shape.worlds)) if shape.weighted else ()
    first = MaxMin.MAX if rng.random() < 0.5 else MaxMin.MIN
    return FlatTree(grow(0, first, (True,) * shape.worlds), weights)


def _ways(
    rng: np.random.Generator, here: tuple[bool, ...], size: int, missing: float
) -> list[tuple[bool, ...]]:
    """In which worlds each branch exists: each world keeps at least one, each branch one world."""
    open_ = rng.random((size, len(here))) >= missing
    keep = rng.integers(size, size=len(here))
    ways = [
        tuple(there and (bool(open_[b, w]) or keep[w] == b) for w, there in enumerate(here))
        for b in range(size)
    ]
    return [way for way in ways if any(way)]


def _other(player: MaxMin) -> MaxMin:
    return MaxMin.MIN if player is MaxMin.MAX else MaxMin.MAX


PLANNERS: dict[str, Callable[[FlatTree], MaxPlan]] = {
    "exact": plan_exact,
    "payoff reduction": plan_reduction,
    "local": plan_local,
    "vector minimaxing": plan_vector,
    "average propagation": partial(plan_propagated, rule=average),
    "product propagation": partial(plan_propagated, rule=product),
    "minimaxing": plan_repeated,
}
"""Who plays the trees; all of them see all worlds."""


@dataclass(slots=True)
class RunningSums:
    """Running sums for one algorithm: trees played as well as possible, chance missed, seconds."""

    right: int = 0
    short: float = 0.0
    seconds: float = 0.0


def trial(rng: np.random.Generator, levels: int, trees: int, worlds: int) -> dict[str, RunningSums]:
    """Play random complete binary trees with every algorithm.

    Leaves are won with the chance at which no depth is won or lost by itself.
    """
    wins = LAST_PLAYER if levels % 2 else 1 - LAST_PLAYER  # who moves last decides the balance
    tallies = {name: RunningSums() for name in PLANNERS}
    for _ in range(trees):
        tree = complete_tree(rng, levels, worlds, wins=wins)
        best = plan_exact(tree).claimed
        for name, make in PLANNERS.items():
            start = time.process_time()
            plan = make(tree)
            tallies[name].seconds += time.process_time() - start
            achieved = value(tree, outcome(tree, plan.strategy))
            tallies[name].right += achieved == best
            tallies[name].short += float(best - achieved)
    return tallies
