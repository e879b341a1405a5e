"""What two hands have together: points and suit lengths of a partnership, counted exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.evaluation.features import per_suit
from overtrick.evaluation.registry import ALL
from overtrick.game import SUIT_WORDS, Side
from overtrick.worlds.counting import HandCounter, suit_table
from overtrick.worlds.splitting import choose
from overtrick.worlds.words import span

Range = tuple[int, int]
Bits = NDArray[np.uint64]
Bools = NDArray[np.bool_]
ALL_POINTS: Final[Range] = (0, 40)
ALL_LENGTHS: Final[tuple[Range, Range, Range, Range]] = ((0, 13), (0, 13), (0, 13), (0, 13))


@dataclass(frozen=True, slots=True)
class Together:
    """Ranges for the 26 cards of a side: hcp, and lengths of clubs, diamonds, hearts, spades.

    >>> Together(hcp=(33, 36), lengths=((0, 13), (0, 13), (0, 13), (8, 13))).words()
    '33–36 hcp, 8+ spades together'
    """

    hcp: Range = ALL_POINTS
    lengths: tuple[Range, Range, Range, Range] = ALL_LENGTHS

    def mask(self, union: Bits) -> Bools:
        """Which sets of cards lie in the ranges."""
        cards = HandArray(union)
        points = per_suit(cards, "hcp", ALL)
        keep: Bools = (points >= self.hcp[0]) & (points <= self.hcp[1])
        for suit, (low, high) in enumerate(self.lengths):
            n = cards.look("length", suit)
            keep &= (n >= low) & (n <= high)
        return keep

    def mirrored(self) -> Together:
        """What this says of the other side."""
        low, high = self.hcp
        a, b, c, d = ((13 - top, 13 - bottom) for bottom, top in self.lengths)
        return Together((40 - high, 40 - low), (a, b, c, d))

    def both(self, other: Together) -> Together:
        """The ranges common to two statements; empty ones have their ends crossed."""
        hcp = (max(self.hcp[0], other.hcp[0]), min(self.hcp[1], other.hcp[1]))
        a, b, c, d = (
            (max(x[0], y[0]), min(x[1], y[1]))
            for x, y in zip(self.lengths, other.lengths, strict=True)
        )
        return Together(hcp, (a, b, c, d))

    def words(self) -> str:
        parts = [] if self.hcp == ALL_POINTS else [f"{span(*self.hcp, *ALL_POINTS)} hcp"]
        for suit in (3, 2, 1, 0):
            if self.lengths[suit] != (0, 13):
                parts.append(f"{span(*self.lengths[suit], 0, 13)} {SUIT_WORDS[suit]}")
        return (", ".join(parts) or "anything") + " together"


def side_words(side: int, rule: Together) -> str:
    """'North-South have 33+ hcp together'."""
    name = "North-South" if side == Side.NS else "East-West"
    return f"{name} cannot have {rule.words()}"


@cache
def _union_shapes() -> NDArray[np.int8]:
    """Every way 26 cards fall into four suits."""
    grid = np.indices((14, 14, 14, 14), dtype=np.int8).reshape(4, -1).T
    shapes: NDArray[np.int8] = grid[grid.sum(axis=1, dtype=np.int64) == 26]
    return shapes


@dataclass(frozen=True, slots=True)
class UnionCounter:
    """All ways to give two hands their cards so that together they lie in the ranges."""

    total: int
    _counter: HandCounter
    _need: int

    @classmethod
    def of(cls, rule: Together, pool: int, known: int, need: int) -> UnionCounter:
        """`known` are the cards both hands have, `need` how many more the first hand gets."""
        shapes = _union_shapes()
        region = np.zeros((len(shapes), 41), bool)
        region[:, max(0, rule.hcp[0]) : rule.hcp[1] + 1] = True
        for suit, (low, high) in enumerate(rule.lengths):
            n = shapes[:, suit]
            region &= ((n >= low) & (n <= high))[:, None]
        a, b, c, d = (suit_table(s, pool, known) for s in range(4))
        counter = HandCounter.of((a, b, c, d), region, shapes)
        return cls(counter.total, counter, need)

    def draw(self, n: int, rng: Generator) -> tuple[Bits, Bits]:
        """n uniformly random pairs of new cards: a random union, split at random."""
        union = self._counter.hands(rng.integers(0, self._counter.total, size=n))
        one = choose(rng, union, self._need)
        return one, union ^ one
