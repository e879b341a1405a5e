"""A tree inducer in the manner of ID3 with numeric splits, made for merging into decision nets.
Library trees know neither what a wrong call costs nor our features' steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import feature, registry
from overtrick.systems.nets import Box, Interval

Floats = NDArray[np.float64]
Criterion = Literal["information", "value"]
_INFINITY = float("inf")
_BINS = 32
_DOUBT = 2  # examples of no gain that every call is thought to have besides its own
# What players think of first: among splits that are equally good the earlier class is taken.
_PLAIN = ("HCP", "SUITLEN", "LP", "LTC", "BAL", "POINTS", "LOSERS", "CONTROLS", "TP", "QLTY")


@dataclass(frozen=True, slots=True)
class Leaf:
    """Examples that are treated alike: their calls in order of preference."""

    order: tuple[int, ...]
    examples: int
    value: float = 0.0
    """Mean gain (IMPs an example) over choosing at random among what is allowed."""

    @property
    def actions(self) -> frozenset[int]:
        return frozenset(self.order[:1])


@dataclass(frozen=True, slots=True)
class Split:
    """Below the threshold to one side, from it on to the other."""

    feature: str
    threshold: float
    below: Tree
    above: Tree


Tree = Leaf | Split


@dataclass(frozen=True, slots=True)
class SplitLimits:
    """When a branch is not split further."""

    least: int = 4
    """Examples in a leaf."""
    depth: int = 4
    gain: float = 0.02
    """Share of the criterion that a split must bring."""
    worth: float = 0.0
    """IMPs an example (of all examples) that a split must bring."""
    tie: float = 0.05
    """Splits within this share of the best are equal; the plainest feature is taken."""
    criterion: Criterion = "information"
    """`information` is ID3's, each example weighted by its stake; `value` explains the gains."""


@dataclass(frozen=True)
class Examples:
    """Tagged states: features [n, f], candidate calls, and the value of each call [n, k].

    A call that a state does not allow has no value (NaN).
    """

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    calls: tuple[int, ...]
    values: Floats

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

    @cached_property
    def tags(self) -> NDArray[np.intp]:
        """Which call is best, as an index into `calls`."""
        return np.asarray(np.nanargmax(self.values, axis=1))

    @cached_property
    def regrets(self) -> Floats:
        """What each call gives away against the best, NaN where it is not allowed."""
        return np.asarray(np.nanmax(self.values, axis=1, keepdims=True) - self.values)

    @cached_property
    def stakes(self) -> Floats:
        """What the best call gains over the next: an example where all is equal teaches nothing."""
        if len(self.calls) < 2:
            return np.ones(len(self))
        ranked = np.sort(np.where(np.isnan(self.regrets), np.inf, self.regrets), axis=1)
        return np.asarray(np.where(np.isfinite(ranked[:, 1]), ranked[:, 1], 0.0))

    @cached_property
    def gains(self) -> Floats:
        """Value of each call over the mean of what is allowed; 0 where it is not allowed."""
        mean = np.nanmean(self.values, axis=1, keepdims=True)
        return np.asarray(np.nan_to_num(self.values - mean, nan=0.0))

    @cached_property
    def bins(self) -> Bins:
        return Bins.of(self.matrix)

    @cached_property
    def patterns(self) -> Floats:
        """Regrets summed over the examples with the same calls allowed, [patterns, k]."""
        allowed = ~np.isnan(self.regrets)
        found, where = np.unique(allowed, axis=0, return_inverse=True)
        out = np.zeros(found.shape)
        np.add.at(out, where.reshape(-1), np.nan_to_num(self.regrets, nan=0.0))
        out[~found] = np.nan
        return out

    def rows(self, chosen: NDArray[np.bool_]) -> Examples:
        """Some of the examples; their bins stay those of all."""
        part = Examples(self.names, self.matrix[chosen], self.calls, self.values[chosen])
        part.__dict__["bins"] = self.bins.rows(chosen)
        return part

    def loss(self, order: Sequence[int]) -> float:
        """Total regret when every example takes the first allowed call of `order` (indices)."""
        inside = self.patterns[:, list(order)]
        allowed = ~np.isnan(inside)
        first = inside[np.arange(len(inside)), allowed.argmax(axis=1)]
        return float(first[allowed.any(axis=1)].sum())


@dataclass(frozen=True, slots=True)
class Bins:
    """Features as small numbers: which of 32 ranges [n, f], and the ends of each range [f, 32]."""

    codes: NDArray[np.uint8]
    low: NDArray[np.float32]
    high: NDArray[np.float32]

    @classmethod
    def of(cls, matrix: NDArray[np.float32]) -> Bins:
        n, f = matrix.shape
        codes = np.zeros((n, f), np.uint8)
        low, high = np.zeros((f, _BINS), np.float32), np.zeros((f, _BINS), np.float32)
        for column in range(f):
            values = matrix[:, column]
            levels = np.unique(values)
            starts = levels
            if len(levels) > _BINS:
                starts = levels[np.linspace(0, len(levels), _BINS, endpoint=False).astype(int)]
            at = np.searchsorted(starts, values, side="right") - 1
            codes[:, column] = at
            low[column, : len(starts)] = starts
            ends = np.searchsorted(levels, starts[1:]) - 1
            high[column, : len(starts)] = np.append(levels[ends], levels[-1])
        return cls(codes, low, high)

    def rows(self, chosen: NDArray[np.bool_]) -> Bins:
        return Bins(self.codes[chosen], self.low, self.high)


def feature_names() -> tuple[str, ...]:
    """All features, the plainest first."""
    rank = {name: i for i, name in enumerate(_PLAIN)}
    return tuple(
        sorted(registry(), key=lambda n: (rank.get(feature(n).of.name, 99), len(feature(n).suits)))
    )


def induce(examples: Examples, limits: SplitLimits = SplitLimits()) -> Tree:
    """The tree for these examples; values decide at leaves, the criterion chooses the splits."""
    return _grow(examples, limits, limits.depth, limits.worth * len(examples))[0]


def _grow(examples: Examples, limits: SplitLimits, depth: int, worth: float) -> tuple[Tree, float]:
    """A tree and its total regret."""
    order, loss = preference(examples)
    leaf = _leaf(examples, order, loss)
    if depth == 0 or len(examples) < 2 * limits.least or loss <= worth:
        return leaf, loss
    found = best_split(examples, limits)
    if found is None:
        return leaf, loss
    column, threshold = found
    above = examples.matrix[:, column] >= threshold
    low, lost_low = _grow(examples.rows(~above), limits, depth - 1, worth)
    high, lost_high = _grow(examples.rows(above), limits, depth - 1, worth)
    if loss - lost_low - lost_high <= worth or _same(low, high):
        return leaf, loss
    return Split(examples.names[column], threshold, low, high), lost_low + lost_high


def _same(low: Tree, high: Tree) -> bool:
    return isinstance(low, Leaf) and isinstance(high, Leaf) and low.order == high.order


def preference(examples: Examples) -> tuple[list[int], float]:
    """The order of calls (indices) with little regret: by mean gain, then moved one by one."""
    counts = (~np.isnan(examples.values)).sum(axis=0)
    mean = examples.gains.sum(axis=0) / (counts + _DOUBT)
    seen = [int(i) for i in np.argsort(-mean) if counts[i]]
    best, loss = seen, examples.loss(seen)
    improved = True
    while improved and loss > 0:
        improved = False
        for i in range(len(best)):
            for j in range(len(best)):
                moved = best[:i] + best[i + 1 :]
                moved.insert(j, best[i])
                found = examples.loss(moved)
                if found < loss - 1e-9:
                    best, loss, improved = moved, found, True
    return best, loss


def _leaf(examples: Examples, order: list[int], loss: float) -> Leaf:
    random = float(np.nanmean(examples.regrets, axis=1).sum())
    value = (random - loss) / max(len(examples), 1)
    return Leaf(tuple(examples.calls[i] for i in order), len(examples), value)


def best_split(examples: Examples, limits: SplitLimits) -> tuple[int, float] | None:
    """The column and threshold that the criterion likes most."""
    n, bins = len(examples), examples.bins
    index = bins.codes.astype(np.int64) + _BINS * np.arange(bins.codes.shape[1])
    size = _BINS * bins.codes.shape[1]
    counts = np.bincount(index.ravel(), minlength=size).reshape(-1, _BINS)
    below = counts.cumsum(axis=1)
    if limits.criterion == "information":
        gain = _information(examples, index, size)
    else:
        gain = _explained(examples, index, size, below)
    # A cut after a bin in which nobody is would be the cut before it.
    allowed = (counts > 0) & (below >= limits.least) & (n - below >= limits.least)
    gain = np.where(allowed, gain, -1.0)
    per_column = gain.max(axis=1)
    best = float(per_column.max())
    if best < limits.gain:
        return None
    column = int(np.argmax(per_column >= best * (1 - limits.tie)))
    at = int(np.argmax(gain[column]))
    following = at + 1 + int(np.argmax(counts[column, at + 1 :] > 0))
    low, high = bins.high[column, at], bins.low[column, following]
    return column, _threshold(examples.names[column], float(low), float(high))


def _information(examples: Examples, index: NDArray[np.int64], size: int) -> Floats:
    """Bits won about the best call by a cut after each bin, [f, bins]; stakes are weights."""
    k, stakes = len(examples.calls), examples.stakes
    stakes = stakes / max(float(stakes.sum()), 1e-12)
    cells = (index * k + examples.tags[:, None]).ravel()
    weights = np.repeat(stakes, index.shape[1])
    table = np.bincount(cells, weights, minlength=size * k).reshape(-1, _BINS, k)
    below = table.cumsum(axis=1)
    whole = below[:, -1:]
    return _entropy(whole) - _entropy(below) - _entropy(whole - below)


def _entropy(weights: Floats) -> Floats:
    """Total weight times the entropy of its distribution, along the last axis, in bits."""
    held = np.maximum(weights, 0)
    total = held.sum(axis=-1, keepdims=True)
    share = held / np.where(total > 0, total, 1.0)
    logs = np.log2(np.where(share > 0, share, 1.0))
    return np.asarray(-(held * logs).sum(axis=-1))


def _explained(
    examples: Examples, index: NDArray[np.int64], size: int, below: NDArray[np.int64]
) -> Floats:
    """Share of the squared gains that two means explain and one does not, [f, bins]."""
    gains, n = examples.gains, len(examples)
    whole = gains.sum(axis=0)
    out = np.zeros((size // _BINS, _BINS))
    for column, total in zip(gains.T, whole, strict=True):
        weights = np.repeat(column, index.shape[1])
        part = np.bincount(index.ravel(), weights, minlength=size).reshape(-1, _BINS).cumsum(axis=1)
        out += part**2 / np.maximum(below, 1) + (total - part) ** 2 / np.maximum(n - below, 1)
    return np.asarray((out - (whole**2).sum() / n) / max(float((gains**2).sum()), 1e-12))


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


def predict(tree: Tree, matrix: NDArray[np.float32], names: Sequence[str]) -> list[Leaf]:
    """The leaf each row falls into."""
    where = {n: i for i, n in enumerate(names)}
    out: list[Leaf] = []
    for row in matrix:
        node = tree
        while isinstance(node, Split):
            node = node.above if row[where[node.feature]] >= node.threshold else node.below
        out.append(node)
    return out
