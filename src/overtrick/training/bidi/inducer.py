"""A tree inducer in the manner of ID3 with numeric splits, made for merging into decision nets.
Used by `refine`; library trees know neither the stakes of an example nor our features' steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import feature, registry
from overtrick.systems.nets import Box, Interval

_INFINITY = float("inf")
# What players think of first: among splits that are equally good the earlier class is taken.
_PLAIN = ("HCP", "SUITLEN", "LP", "LTC", "BAL", "POINTS", "LOSERS", "CONTROLS", "TP", "QLTY")


@dataclass(frozen=True, slots=True)
class Leaf:
    """Examples that are treated alike."""

    actions: frozenset[int]
    examples: int
    value: float = 0.0
    """Mean gain of these actions over the dearest alternative, where values are known."""


@dataclass(frozen=True, slots=True)
class Split:
    """Below the threshold to the left, from it on to the right."""

    feature: str
    threshold: float
    below: Tree
    above: Tree


Tree = Leaf | Split


@dataclass(frozen=True, slots=True)
class Limits:
    """When a branch is not split further."""

    least: int = 4
    """Examples in a leaf."""
    depth: int = 4
    gain: float = 0.02
    """Information (bits a stake) a split must bring."""
    worth: float = 0.0
    """IMPs an example that a split must bring, where values are known."""
    tie: float = 0.05
    """Splits within this share of the best information are equal; the plainest is taken."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Tagged states: features [n, f], candidate calls, and the value of each call [n, k].

    A tag without values is a row with 1 for the tag and 0 elsewhere.
    """

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    calls: tuple[int, ...]
    values: NDArray[np.float64]

    @classmethod
    def of_tags(
        cls, names: Sequence[str], matrix: NDArray[np.float32], tags: Sequence[int]
    ) -> Examples:
        """Examples of which only the best call is known."""
        calls = tuple(sorted(set(tags)))
        values = np.array([[float(t == c) for c in calls] for t in tags])
        return cls(tuple(names), matrix, calls, values)

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def tags(self) -> NDArray[np.intp]:
        """Which call is best, as an index into `calls`."""
        return np.asarray(np.argmax(self.values, axis=1))

    @property
    def stakes(self) -> NDArray[np.float64]:
        """What the best call gains over the next: an example where all is equal teaches nothing."""
        if len(self.calls) < 2:
            return np.ones(len(self))
        ranked = np.sort(self.values, axis=1)
        return np.asarray(ranked[:, -1] - ranked[:, -2])

    def rows(self, chosen: NDArray[np.bool_]) -> Examples:
        return Examples(self.names, self.matrix[chosen], self.calls, self.values[chosen])


def feature_names() -> tuple[str, ...]:
    """All features, the plainest first."""
    rank = {name: i for i, name in enumerate(_PLAIN)}
    return tuple(
        sorted(registry(), key=lambda n: (rank.get(feature(n).of.name, 99), len(feature(n).suits)))
    )


def induce(examples: Examples, limits: Limits = Limits()) -> Tree:
    """The tree for these examples; values decide at leaves, information chooses the splits."""
    return _grow(examples, limits, limits.depth)


def _grow(examples: Examples, limits: Limits, depth: int) -> Tree:
    leaf = _leaf(examples)
    tags = examples.tags
    if depth == 0 or len(examples) < 2 * limits.least or (tags == tags[0]).all():
        return leaf
    found = best_split(examples, limits)
    if found is None:
        return leaf
    column, threshold = found
    above = examples.matrix[:, column] >= threshold
    low = _grow(examples.rows(~above), limits, depth - 1)
    high = _grow(examples.rows(above), limits, depth - 1)
    if isinstance(low, Leaf) and isinstance(high, Leaf):
        if low.actions == high.actions:
            return leaf
        parts = examples.values[~above].sum(0).max() + examples.values[above].sum(0).max()
        if parts - examples.values.sum(0).max() < limits.worth * len(examples):
            return leaf
    return Split(examples.names[column], threshold, low, high)


def _leaf(examples: Examples) -> Leaf:
    mean = examples.values.mean(axis=0)
    best = int(np.argmax(mean))
    others = np.delete(mean, best)
    gain = float(mean[best] - others.max()) if len(others) else 0.0
    return Leaf(frozenset({examples.calls[best]}), len(examples), gain)


def best_split(examples: Examples, limits: Limits) -> tuple[int, float] | None:
    """The column and threshold with most information, each example weighted by its stake."""
    stakes = examples.stakes
    if stakes.sum() <= 0:
        return None
    classes = np.zeros((len(examples), len(examples.calls)))
    classes[np.arange(len(examples)), examples.tags] = stakes / stakes.sum()
    order = np.argsort(examples.matrix, axis=0, kind="stable")
    ordered = np.take_along_axis(examples.matrix, order, axis=0)
    below = np.cumsum(classes[order], axis=0)[:-1]  # [n-1, f, k]: the first i+1 examples
    above = below[-1:] * 0 + classes.sum(0) - below
    gain = _entropy(classes.sum(0)) - _entropy(below) - _entropy(above)
    n = len(examples)
    allowed = ordered[:-1] < ordered[1:]
    counts = np.arange(1, n)[:, None]
    allowed &= (counts >= limits.least) & (n - counts >= limits.least)
    gain = np.where(allowed, gain, -1.0)
    per_column = gain.max(axis=0)
    best = float(per_column.max())
    if best < limits.gain:
        return None
    column = int(np.argmax(per_column >= best * (1 - limits.tie)))
    at = int(np.argmax(gain[:, column]))
    return column, _threshold(examples.names[column], ordered[at, column], ordered[at + 1, column])


def _entropy(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Total weight times the entropy of its distribution, along the last axis, in bits."""
    total = weights.sum(axis=-1, keepdims=True)
    share = weights / np.where(total > 0, total, 1.0)
    logs = np.log2(np.where(share > 0, share, 1.0))
    return np.asarray(-(weights * logs).sum(axis=-1))


def _threshold(name: str, low: float, high: float) -> float:
    """A cut between two seen values: halfway, on the next step of the feature's scale."""
    middle, step = (float(low) + float(high)) / 2, feature(name).of.step or 0.01
    return round(float(np.ceil(middle / step - 1e-9) * step), 4)


def boxes(tree: Tree, within: Box = Box()) -> Iterator[tuple[Box, Leaf]]:
    """The leaves of a tree with the states each covers, inside `within`."""
    if isinstance(tree, Leaf):
        yield within, tree
        return
    step = feature(tree.feature).of.step or 0.0001
    yield from boxes(tree.below, _cut(within, tree.feature, -_INFINITY, tree.threshold - step))
    yield from boxes(tree.above, _cut(within, tree.feature, tree.threshold, _INFINITY))


def _cut(box: Box, name: str, low: float, high: float) -> Box:
    ranges: dict[str, Interval] = {n: (a, b) for n, a, b in box.ranges}
    old = ranges.get(name, (-_INFINITY, _INFINITY))
    ranges[name] = (max(old[0], low), min(old[1], high))
    return Box.of(ranges)


def predict(tree: Tree, matrix: NDArray[np.float32], names: Sequence[str]) -> list[frozenset[int]]:
    """The actions of the leaf each row falls into."""
    where = {n: i for i, n in enumerate(names)}
    out: list[frozenset[int]] = []
    for row in matrix:
        node = tree
        while isinstance(node, Split):
            node = node.above if row[where[node.feature]] >= node.threshold else node.below
        out.append(node.actions)
    return out
