"""From tagged states to a refined net, written as rules that players can read and PIDM loads.

Two learners: one tree of preferences for all states of an auction (ours), or as section 4.2.3 has
it one ID3 tree of best calls for every intersection node, that is for every set of calls between
which the net leaves a choice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix
from overtrick.systems.refined import AuctionKey, RangeRuling, RefinedNet, ruling_of
from overtrick.worlds.words import phrases
from overtrick_lab.papers.amit2006.inducer import (
    Criterion,
    Examples,
    SplitLimits,
    Tree,
    boxes,
    feature_names,
    induce,
    predict,
)
from overtrick_lab.papers.amit2006.tagging import Tagged

Learner = Literal["preferences", "nets"]


@dataclass(frozen=True, slots=True)
class RefineLimits:
    """How much evidence a leaf needs, and which trees are tried."""

    least: int = 5
    worth: float = 0.005
    """IMPs an example (of the whole net) that a split must bring."""
    criterion: Criterion = "information"
    shapes: tuple[tuple[int, float], ...] = ((0, 0.1), (3, 0.1), (6, 0.03))
    """Depths, with the least share of the examples in a leaf: the one with the least regret on
    examples held out is taken, so that few examples make small trees."""
    folds: int = 3
    margin: float = 0.0
    """Standard errors by which a leaf must beat the calls of the rules; 0: whatever is best."""
    learner: Learner = "preferences"


def examples_of(tagged: Sequence[Tagged]) -> Examples:
    """Tagged states as a table; calls that a state does not allow have no value."""
    calls = tuple(sorted({c for t in tagged for c in t.state.calls}))
    column = {c: i for i, c in enumerate(calls)}
    values = np.full((len(tagged), len(calls)), np.nan)
    for row, one in enumerate(tagged):
        values[row, [column[c] for c in one.state.calls]] = one.values
    names = feature_names()
    matrix = feature_matrix(HandArray.of([t.state.hand for t in tagged]), names)
    return Examples(names, matrix, calls, values)


def grow(examples: Examples, limits: RefineLimits = RefineLimits()) -> Tree:
    """The tree of the shape that does best on held-out examples."""
    if len(limits.shapes) == 1 or len(examples) < 4 * limits.least:
        return _grow(examples, limits, limits.shapes[0])
    fold = np.arange(len(examples)) % limits.folds
    best, least = limits.shapes[0], float("inf")
    for shape in limits.shapes:
        lost = sum(
            regret(_grow(examples.rows(fold != f), limits, shape), examples.rows(fold == f))
            for f in range(limits.folds)
        )
        if lost < least:
            best, least = shape, lost
    return _grow(examples, limits, best)


def _grow(examples: Examples, limits: RefineLimits, shape: tuple[int, float]) -> Tree:
    depth, share = shape
    least = max(limits.least, round(share * len(examples)))
    return induce(
        examples, SplitLimits(least, depth, worth=limits.worth, criterion=limits.criterion)
    )


def regret(tree: Tree, examples: Examples) -> float:
    """What a tree gives away on examples, in total; at random where it prefers nothing."""
    column = {c: i for i, c in enumerate(examples.calls)}
    total = 0.0
    for row, leaf in zip(
        examples.regrets, predict(tree, examples.matrix, examples.names), strict=True
    ):
        lost = [row[column[c]] for c in leaf.order if not np.isnan(row[column[c]])]
        total += float(lost[0] if lost else np.nanmean(row))
    return total


def refine_net(
    key: AuctionKey, tagged: Sequence[Tagged], limits: RefineLimits = RefineLimits()
) -> RefinedNet:
    """The net of one auction, refined by its examples."""
    if limits.learner == "nets":
        return RefinedNet(key, tuple(_intersections(tagged, limits)))
    rulings: list[RangeRuling] = []
    tree = grow(examples_of(tagged), limits)
    sure = _sure(tree, tagged, limits.margin) if limits.margin else None
    for box, leaf in boxes(tree):
        if sure is not None and id(leaf) not in sure:
            continue  # these hands keep their choice, and their first choice is the rules'
        words = f"{_counted(leaf.examples)}, {leaf.value:+.1f} IMPs"
        rulings.append(ruling_of(leaf.order, phrases(box.ranges), words))
    return RefinedNet(key, tuple(rulings))


def _intersections(tagged: Sequence[Tagged], limits: RefineLimits) -> list[RangeRuling]:
    """Section 4.2.3: examples wait at the node of their conflict; each node grows its own tree from
    the best calls alone, as ID3 does."""
    nodes: dict[tuple[int, ...], list[Tagged]] = defaultdict(list)
    for one in tagged:
        nodes[one.state.calls].append(one)
    out = []
    for among, examples in nodes.items():
        matrix = examples_of(examples).matrix
        tags = Examples.of_tags(feature_names(), matrix, [one.best for one in examples])
        for box, leaf in boxes(induce(tags, SplitLimits(limits.least, depth=6))):
            words = _counted(leaf.examples)
            out.append(ruling_of(leaf.order[:1], phrases(box.ranges), words, among=among))
    return out


def _counted(examples: int) -> str:
    return "1 example" if examples == 1 else f"{examples} examples"


def _sure(tree: Tree, tagged: Sequence[Tagged], margin: float) -> set[int]:
    """The leaves (by identity) whose order is better than the first choices of the rules."""
    examples = examples_of(tagged)
    gains: dict[int, list[float]] = {}
    for one, leaf in zip(tagged, predict(tree, examples.matrix, examples.names), strict=True):
        value = dict(zip(one.state.calls, one.values, strict=True))
        made = next((c for c in leaf.order if c in value), one.state.first)
        gains.setdefault(id(leaf), []).append(value[made] - value[one.state.first])
    return {
        leaf
        for leaf, g in gains.items()
        if len(g) > 1 and np.mean(g) > margin * np.std(g, ddof=1) / np.sqrt(len(g))
    }
