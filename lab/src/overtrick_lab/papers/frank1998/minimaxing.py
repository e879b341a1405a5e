"""Minimaxing under hidden information: mm (Fig. 6), repeated, vector and payoff-reduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import TypeAlias

import numpy as np

from overtrick_lab.papers.frank1998.flat import FlatTree, highest, lowest, value, weigh
from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    MaxMin,
    Node,
    Payoff,
    Vector,
)

Score: TypeAlias = Callable[[Sequence[Vector], Sequence[int]], list[Payoff]]
"""From the minimax values e[i][w] of each move i and the worlds' weights to a score per move."""


@dataclass(frozen=True, slots=True)
class MaxPlan:
    """What an algorithm would do at every MAX node, and what it expects of it.

    `estimates` are its means of the branches of each MAX node (worlds that cannot come there count
    nothing); `all_worlds` is False if it saw only a sample.
    """

    algorithm: str
    strategy: dict[str, int]
    claimed: Fraction
    estimates: dict[str, tuple[Fraction, ...]] = field(default_factory=dict)
    all_worlds: bool = True


def mm(game: StrategicGame | FlatTree) -> Fraction:
    """Plain minimaxing with chance nodes: MAX takes the best branch as if he saw the deal."""
    if isinstance(game, FlatTree):
        return value(game, minimax(game.root))
    return _mm(game.root)


def _mm(node: Node) -> Fraction:
    if isinstance(node, EndNode):
        (payoff,) = node.payoffs
        assert payoff is not None
        return Fraction(payoff)
    below = [_mm(child) for child in node.children]
    if isinstance(node, Chance):
        return sum((p * v for p, v in zip(node.odds, below, strict=True)), Fraction(0))
    return max(below) if node.player is MaxMin.MAX else min(below)


def minimax(node: Node) -> Vector:
    """The minimax value of a flat tree in each world, all cards on the table."""
    if isinstance(node, EndNode):
        return node.payoffs
    below = [minimax(child) for child in node.children]
    return highest(below) if _is_max(node) else lowest(below)


# --- repeated minimaxing (section 5)


def by_mean(values: Sequence[Vector], weights: Sequence[int]) -> list[Payoff]:
    """Levy's score: the expected minimax value of the move."""
    return [weigh(weights, v) for v in values]


def by_best_count(values: Sequence[Vector], weights: Sequence[int]) -> list[Payoff]:
    """Ginsberg's score: in how many worlds is the move best, or equal best? (Worlds count once.)"""
    top = highest(values)
    return [
        sum(
            1
            for e, best, w in zip(v, top, weights, strict=True)
            if w and e is not None and e == best
        )
        for v in values
    ]


def by_mean_above(floor: Payoff) -> Score:
    """Expected minimax value counting only worlds in which the move yields at least `floor`."""

    def score(values: Sequence[Vector], weights: Sequence[int]) -> list[Payoff]:
        return [
            weigh(weights, tuple(e if e is not None and e >= floor else 0 for e in v))
            for v in values
        ]

    return score


def move_scores(node: Node, weights: Sequence[int], score: Score = by_mean) -> list[Payoff]:
    """f(M_i) of each move at a MAX node; weight 0 leaves a world out of the sample."""
    if not isinstance(node, ChoiceNode) or node.player is not MaxMin.MAX:
        raise ValueError("repeated minimaxing chooses at a MAX node")
    return score([minimax(child) for child in node.children], weights)


def best_moves(scores: Sequence[Payoff]) -> list[int]:
    """All moves with the highest score."""
    top = max(scores)
    return [i for i, s in enumerate(scores) if s == top]


def sample_worlds(tree: FlatTree, count: int, rng: np.random.Generator) -> tuple[int, ...]:
    """How often each world turns up in `count` deals (the weights for `move_scores`)."""
    odds = np.array(tree.weights, dtype=float)
    return tuple(int(n) for n in rng.multinomial(count, odds / odds.sum()))


def plan_repeated(tree: FlatTree, score: Score = by_mean, weights: Sequence[int] = ()) -> MaxPlan:
    """Repeated minimaxing replanned at each MAX node, over all worlds or a sample (`weights`).

    With all worlds this is the paper's exhaustive minimaxing. Equal scores: the first move. The
    claim is the mean minimax value of the tree, whichever score picked the moves.
    """
    sampled, weights = bool(weights), weights or tree.weights
    total = sum(weights)
    strategy: dict[str, int] = {}
    estimates: dict[str, tuple[Fraction, ...]] = {}

    def visit(node: Node) -> Vector:
        if isinstance(node, EndNode):
            return node.payoffs
        assert isinstance(node, ChoiceNode)
        below = [visit(child) for child in node.children]
        if node.player is MaxMin.MIN:
            return lowest(below)
        strategy[node.name] = best_moves(score(below, weights))[0]
        estimates[node.name] = tuple(Fraction(m) / total for m in by_mean(below, weights))
        return highest(below)

    vector = visit(tree.root)
    root = tree.root
    if (
        isinstance(root, ChoiceNode) and root.player is MaxMin.MAX
    ):  # at the root it must commit itself
        vector = minimax(root.children[strategy[root.name]])
    return MaxPlan(
        "minimaxing", strategy, Fraction(weigh(weights, vector)) / total, estimates, not sampled
    )


# --- other ways to back values up, world by world (section 7 of the paper)


def average(columns: Sequence[Payoff], node: ChoiceNode) -> Fraction:
    """Average propagation: a node is worth the mean of its branches, whoever moves."""
    return sum((Fraction(p) for p in columns), Fraction(0)) / len(columns)


def product(columns: Sequence[Payoff], node: ChoiceNode) -> Fraction:
    """Product propagation: payoffs are chances to win, and branches are independent."""
    chances = [1 - Fraction(p) if _is_max(node) else Fraction(p) for p in columns]
    both = prod(chances, start=Fraction(1))
    return 1 - both if _is_max(node) else both


def plan_propagated(
    tree: FlatTree, rule: Callable[[Sequence[Payoff], ChoiceNode], Fraction]
) -> MaxPlan:
    """Repeated search with another rule in place of minimax; at each MAX node the best mean.

    Every branch has its say, so there is less strategy fusion, but a node is still judged by what
    lies below it: non-locality stays.
    """
    strategy: dict[str, int] = {}
    estimates: dict[str, tuple[Fraction, ...]] = {}

    def visit(node: Node) -> Vector:
        if isinstance(node, EndNode):
            return node.payoffs
        assert isinstance(node, ChoiceNode)
        below = [visit(child) for child in node.children]
        if node.player is MaxMin.MAX:
            means = by_mean(below, tree.weights)
            strategy[node.name] = best_moves(means)[0]
            estimates[node.name] = tuple(Fraction(m) / tree.total for m in means)
        columns = ([p for p in column if p is not None] for column in zip(*below, strict=True))
        return tuple(rule(column, node) if column else None for column in columns)

    vector = visit(tree.root)
    return MaxPlan(rule.__name__, strategy, value(tree, vector), estimates)


# --- vector and payoff-reduction minimaxing


def plan_vector(tree: FlatTree) -> MaxPlan:
    """Vector minimaxing: MAX backs up the one branch with the best mean, MIN minimises by world.

    No strategy fusion: the vector backed up is what the strategy really yields.
    """
    return _vector_minimax("vector", tree.root, tree)


def plan_reduction(tree: FlatTree) -> MaxPlan:
    """Payoff-reduction minimaxing: vector minimaxing on the reduced tree."""
    return _vector_minimax("reduction", reduce_payoffs(tree.root), tree)


def reduce_payoffs(root: Node) -> Node:
    """Cut each leaf's payoff, world by world, to the minimax values of the MIN nodes above it.

    MIN, who sees the deal, need not let MAX have more than that, whatever MAX does below.
    """
    memo: dict[int, Vector] = {}

    def values(node: Node) -> Vector:
        if isinstance(node, EndNode):
            return node.payoffs
        below = [values(child) for child in node.children]
        memo[id(node)] = highest(below) if _is_max(node) else lowest(below)
        return memo[id(node)]

    def cut(node: Node, caps: Vector | None) -> Node:
        if isinstance(node, EndNode):
            return (
                node
                if caps is None
                else EndNode(
                    tuple(
                        p if p is None or c is None else min(p, c)
                        for p, c in zip(node.payoffs, caps, strict=True)
                    )
                )
            )
        assert isinstance(node, ChoiceNode)
        if node.player is MaxMin.MIN:
            here = memo[id(node)]
            caps = here if caps is None else lowest([caps, here])
        return ChoiceNode(
            node.player,
            tuple(cut(child, caps) for child in node.children),
            node.name,
            node.info,
            node.moves,
        )

    values(root)
    return cut(root, None)


def _vector_minimax(algorithm: str, root: Node, tree: FlatTree) -> MaxPlan:
    strategy: dict[str, int] = {}
    estimates: dict[str, tuple[Fraction, ...]] = {}

    def visit(node: Node) -> Vector:
        if isinstance(node, EndNode):
            return node.payoffs
        assert isinstance(node, ChoiceNode)
        below = [visit(child) for child in node.children]
        if node.player is MaxMin.MIN:
            return lowest(below)
        means = by_mean(below, tree.weights)
        branch = best_moves(means)[0]
        strategy[node.name] = branch
        estimates[node.name] = tuple(Fraction(m) / tree.total for m in means)
        return below[branch]

    vector = visit(root)
    return MaxPlan(algorithm, strategy, value(tree, vector), estimates)


def _is_max(node: Node) -> bool:
    return isinstance(node, ChoiceNode) and node.player is MaxMin.MAX
