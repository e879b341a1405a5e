"""Counts the hands of a set of (shape, hcp) classes exactly, and numbers them one by one.
A random number below the count is a uniformly random hand of the set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation.holdings import HOLDINGS, table
from overtrick.worlds import shapes as sh

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_PAIR_POINTS: Final = 21  # two suits hold 0..20 hcp
_GUIDE_BITS: Final = 14  # a ladder has so many marks, as a power of two


@dataclass(frozen=True, slots=True)
class WeightSteps:
    """Weights laid end to end; `find` says in which step a number falls, and how far in."""

    starts: Ints
    total: int
    guide: NDArray[np.intp]
    shift: int

    @classmethod
    def of(cls, weights: Ints) -> WeightSteps:
        ends = np.cumsum(weights)
        total = int(ends[-1]) if len(ends) else 0
        starts = ends - weights
        shift = max(0, total.bit_length() - _GUIDE_BITS)
        marks = np.arange((total >> shift) + 2, dtype=np.int64) << shift
        guide = np.searchsorted(ends, np.minimum(marks, max(total - 1, 0)), side="right")
        return cls(starts, total, guide, shift)

    def find(self, numbers: Ints) -> tuple[NDArray[np.intp], Ints]:
        """For each number its step and what is left above the step's start."""
        mark = numbers >> self.shift
        step = self.guide[mark]
        open_rows = np.flatnonzero(step != self.guide[mark + 1])
        if len(open_rows):
            wanted = numbers[open_rows]
            step[open_rows] = np.searchsorted(self.starts, wanted, side="right") - 1
        return step, numbers - self.starts[step]


class SuitTable(NamedTuple):
    """The new cards a hand can get in one suit, sorted by the full holding's length and hcp."""

    cards: NDArray[np.uint64]  # shifted to the suit
    first: Ints  # [14 * 11] where each (length, hcp) class begins
    sizes: Ints  # [14 * 11] and how many it has


def suit_table(suit: int, pool: int, known: int, allowed: Bools | None = None) -> SuitTable:
    """All subsets of the pool's cards of a suit, added to the known ones.

    `allowed[h]` may rule out full holdings h of the suit.
    """
    free, fixed = pool >> 13 * suit & 0x1FFF, known >> 13 * suit & 0x1FFF
    new = np.arange(HOLDINGS)
    new = new[(new & ~free) == 0]
    full = new | fixed
    if allowed is not None:
        new, full = new[allowed[full]], full[allowed[full]]
    keys = table("length")[full].astype(np.int64) * 11 + table("hcp")[full]
    order = np.argsort(keys, kind="stable")
    count = np.bincount(keys, minlength=14 * 11).astype(np.int64)
    cards = new[order].astype(np.uint64) << np.uint64(13 * suit)
    return SuitTable(cards, np.cumsum(count) - count, count)


@dataclass(frozen=True, slots=True)
class PairTable:
    """Two suits together: combinations by (length, length, joint hcp), numbered within each."""

    weights: Ints  # [14, 14, 21] combinations of holdings
    base: Ints  # [14, 14, 21] where each class begins on the ladder
    ladder: WeightSteps
    low_class: Ints
    high_class: Ints
    high_count: Ints
    low: SuitTable
    high: SuitTable

    @classmethod
    def of(cls, low: SuitTable, high: SuitTable, most: int = 13) -> PairTable:
        """Combinations of at most `most` cards."""
        a, b = np.flatnonzero(low.sizes), np.flatnonzero(high.sizes)
        a, b = np.repeat(a, len(b)), np.tile(b, len(a))
        fits = a // 11 + b // 11 <= most
        a, b = a[fits], b[fits]
        key = (a // 11 * 14 + b // 11) * _PAIR_POINTS + a % 11 + b % 11
        order = np.argsort(key, kind="stable")
        a, b, key = a[order], b[order], key[order]
        combinations = low.sizes[a] * high.sizes[b]
        weights = np.zeros(14 * 14 * _PAIR_POINTS, np.int64)
        np.add.at(weights, key, combinations)
        form = (14, 14, _PAIR_POINTS)
        return cls(
            weights.reshape(form),
            (np.cumsum(weights) - weights).reshape(form),
            WeightSteps.of(combinations),
            a.astype(np.int64),
            b.astype(np.int64),
            high.sizes[b],
            low,
            high,
        )

    def cards(self, numbers: Ints) -> NDArray[np.uint64]:
        """The cards of the two suits with these numbers on the ladder."""
        step, rest = self.ladder.find(numbers)
        i, j = np.divmod(rest, self.high_count[step])
        i += self.low.first[self.low_class[step]]
        j += self.high.first[self.high_class[step]]
        out: NDArray[np.uint64] = self.low.cards[i] | self.high.cards[j]
        return out


@dataclass(frozen=True, slots=True)
class HandCounter:
    """All ways to fill one hand from a pool so that its (shape, hcp) class is allowed.

    `total` is their exact number; `hands(numbers)` turns numbers below it into the new cards.
    """

    total: int
    rows: NDArray[np.intp]  # the shapes that occur …
    row_totals: Ints  # … how many hands have each …
    row_starts: Ints  # … and where its numbers begin
    _minors: PairTable
    _majors: PairTable
    _ladder: WeightSteps
    _minor_base: Ints
    _major_base: Ints
    _major_weight: Ints

    @classmethod
    def of(
        cls,
        suits: tuple[SuitTable, SuitTable, SuitTable, SuitTable],
        region: Bools,
        shapes: NDArray[np.int8] | None = None,
    ) -> HandCounter:
        """`region[shape, hcp]` says what the full set of cards may be.

        The shapes are the 560 of a hand, or [n, 4] lengths of a larger set.
        """
        lengths = sh.lengths_array() if shapes is None else shapes
        most = int(lengths[0].sum(dtype=np.int64)) if len(lengths) else 13
        minors, majors = (PairTable.of(suits[i], suits[i + 1], most) for i in (0, 2))
        used = np.flatnonzero(region.any(axis=1))
        c, d, h, s = lengths[used].astype(np.intp).T
        low, high = minors.weights[c, d], majors.weights[h, s]
        wide = np.zeros((len(used), 2 * _PAIR_POINTS - 1), bool)
        wide[:, : region.shape[1]] = region[used]
        sums = np.add.outer(np.arange(_PAIR_POINTS), np.arange(_PAIR_POINTS))
        weights = low[:, :, None] * high[:, None, :] * wide[:, sums]
        row, i, j = np.nonzero(weights)
        ladder = WeightSteps.of(weights[row, i, j])
        totals = weights.sum(axis=(1, 2))
        return cls(
            ladder.total,
            used,
            totals,
            np.cumsum(totals) - totals,
            minors,
            majors,
            ladder,
            minors.base[c[row], d[row], i],
            majors.base[h[row], s[row], j],
            high[row, j],
        )

    def hands(self, numbers: Ints) -> NDArray[np.uint64]:
        """The new cards of the hands with these numbers (0 ≤ number < total)."""
        step, rest = self._ladder.find(numbers)
        i, j = np.divmod(rest, self._major_weight[step])
        i += self._minor_base[step]
        j += self._major_base[step]
        return self._minors.cards(i) | self._majors.cards(j)
