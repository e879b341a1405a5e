"""Two hands at once: one by (shape, hcp) classes, the other by shape, counted together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.worlds import shapes as sh
from overtrick.worlds.counting import HandCounter, Ints

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]


class Subsets(NamedTuple):
    """All subsets of 0..13 elements, grouped by how many elements there are and are chosen."""

    masks: Ints
    first: Ints  # [14, 14]
    ways: Ints  # [14, 14] binomial coefficients


@cache
def subsets() -> Subsets:
    masks: list[NDArray[np.int64]] = []
    first = np.zeros((14, 14), np.int64)
    count = np.zeros((14, 14), np.int64)
    offset = 0
    for m in range(14):
        numbers = np.arange(1 << m)
        sizes = np.bitwise_count(numbers)
        for k in range(m + 1):
            first[m, k], count[m, k] = offset, comb(m, k)
            masks.append(numbers[sizes == k])
            offset += comb(m, k)
    return Subsets(np.concatenate(masks), first, count)


@cache
def _spread_table() -> Ints:
    """[128 · 128]: the low bits of a number laid out on the set bits of a seven-bit mask."""
    table = np.zeros((128, 128), np.int64)
    for mask in range(128):
        places = [b for b in range(7) if mask >> b & 1]
        for source in range(1 << len(places)):
            table[mask, source] = sum(1 << p for i, p in enumerate(places) if source >> i & 1)
    return table.ravel()


def spread(source: Ints, mask: Ints) -> Ints:
    """Bit i of the source goes to the i-th lowest set bit of the 13-bit mask."""
    table = _spread_table()
    low = mask & 127
    used = np.bitwise_count(low).astype(np.int64)
    below = table[low * 128 + (source & (1 << used) - 1)]
    above = table[(mask >> 7) * 128 + (source >> used)]
    out: Ints = below | above << 7
    return out


@dataclass(frozen=True, slots=True)
class PairCounter:
    """All (hand, hand) in which the first is of a counter's classes and the second of some shapes.

    `total` is their number, as a float: pairs outgrow 64 bits, and its rounding (1 part in 10^15)
    is the only departure from uniformity.
    """

    total: float
    _first: HandCounter
    _ends: Floats
    _row: NDArray[np.intp]  # row of the first hand's shape in the counter
    _new: Ints  # [pairs, 4] how many cards the second hand gets in each suit
    _pool: int

    @classmethod
    def of(
        cls, first: HandCounter, pool: int, mine: int, his: int, his_shapes: NDArray[np.bool_]
    ) -> PairCounter:
        """`mine` and `his` are the known cards of the two hands, `his_shapes` bool[560]."""
        free = lengths_of(pool)
        mine_new = sh.lengths_array()[first.rows].astype(np.int64) - lengths_of(mine)
        his_new = sh.lengths_array()[his_shapes].astype(np.int64) - lengths_of(his)
        his_new = his_new[((his_new >= 0) & (his_new <= free)).all(axis=1)]
        left = free - mine_new  # [rows, 4], never negative: the counter dealt these cards
        count = subsets().ways.astype(np.float64)
        weights = np.asarray(first.row_totals, np.float64)[:, None]
        for suit in range(4):
            weights = weights * count[left[:, suit, None], his_new[None, :, suit]]
        row, column = np.nonzero(weights)
        ends = np.cumsum(weights[row, column])
        total = float(ends[-1]) if len(ends) else 0.0
        return cls(total, first, ends, row, his_new[column], pool)

    def draw(self, n: int, rng: Generator) -> tuple[Bits, Bits]:
        """n uniformly random pairs: the new cards of both hands."""
        pair = np.searchsorted(self._ends, rng.random(n) * self.total, side="right")
        np.minimum(pair, len(self._ends) - 1, out=pair)
        row = self._row[pair]
        within = rng.integers(0, self._first.row_totals[row])
        one = self._first.hands(self._first.row_starts[row] + within)
        return one, self._second(one, self._new[pair], rng)

    def _second(self, one: Bits, new: Ints, rng: Generator) -> Bits:
        """For each row a random hand with these numbers of cards from what is left."""
        tables = subsets()
        rest = (np.uint64(self._pool) & ~one).astype(np.int64)
        masks = [rest >> 13 * s & 0x1FFF for s in range(4)]
        sizes = [np.bitwise_count(m).astype(np.intp) for m in masks]
        ways = [tables.ways[sizes[s], new[:, s]] for s in range(4)]
        number = rng.integers(0, ways[0] * ways[1] * ways[2] * ways[3])
        out = np.zeros(len(one), np.int64)
        for s in range(4):
            number, index = np.divmod(number, ways[s])
            chosen = tables.masks[tables.first[sizes[s], new[:, s]] + index]
            out |= spread(chosen, masks[s]) << 13 * s
        return out.astype(np.uint64)


def lengths_of(bits: int) -> Ints:
    """Clubs, diamonds, hearts, spades of a set of cards."""
    return np.array([(bits >> 13 * s & 0x1FFF).bit_count() for s in range(4)], np.int64)
