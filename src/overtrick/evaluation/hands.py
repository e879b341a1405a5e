"""One hand or very many hands, seen through the same suit tables.
Feature definitions take either; the dealer, constraints and samplers pass arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overtrick.evaluation.holdings import row, table
from overtrick.game import Hand

Value = Any
"""A number for one hand, or a column of numbers for many."""
_SUIT: Final = np.uint64(0x1FFF)


class HandArray:
    """Many hands at once: `bits` is uint64[n]; columns are computed when asked for and kept.

    >>> hands = HandArray.of([Hand.parse("AK3.QJ2.T98.7654"), Hand.parse("AKQJT98765432...")])
    >>> hands.look("length", 3).tolist(), len(hands)
    ([3, 13], 2)
    """

    __slots__ = ("_suits", "bits", "columns")

    def __init__(self, bits: ArrayLike) -> None:
        self.bits: NDArray[np.uint64] = np.ascontiguousarray(bits, dtype=np.uint64)
        self._suits: list[NDArray[np.intp] | None] = [None, None, None, None]
        self.columns: dict[Any, Value] = {}

    @classmethod
    def of(cls, hands: Iterable[Hand | int]) -> HandArray:
        """From hands or their 52-bit integers."""
        numbers = [h.bits if isinstance(h, Hand) else int(h) for h in hands]
        return cls(np.array(numbers, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.bits)

    def __getitem__(self, index: int) -> Hand:
        return Hand(int(self.bits[index]))

    def holding(self, suit: int) -> NDArray[np.intp]:
        """Column of 13-bit holdings in a suit."""
        held = self._suits[suit]
        if held is None:
            held = (self.bits >> np.uint64(13 * suit) & _SUIT).astype(np.intp)
            self._suits[suit] = held
        return held

    def look(self, name: str, suit: int) -> Value:
        """Column of a suit table (evaluation.holdings) for a suit."""
        return self.keep((name, suit), lambda: np.take(table(name), self.holding(suit)))

    def count(self, cards: int) -> NDArray[np.uint8]:
        """How many of a 52-bit set of cards each hand holds."""
        counts: NDArray[np.uint8] = np.bitwise_count(self.bits & np.uint64(cards))
        return counts

    def keep(self, key: Any, make: Callable[[], Value]) -> Value:
        """A column by key, made once."""
        if key not in self.columns:
            self.columns[key] = make()
        return self.columns[key]

    def maximum(self, a: Value, b: Value) -> Value:
        return np.maximum(a, b)

    def minimum(self, a: Value, b: Value) -> Value:
        return np.minimum(a, b)

    def where(self, condition: Value, yes: Value, no: Value) -> Value:
        return np.where(condition, yes, no)

    def between(self, value: Value, low: float, high: float) -> Value:
        """Is the value in the range, ends included?"""
        return (value >= low) & (value <= high)

    def number(self, condition: Value) -> Value:
        """A condition as 0 or 1."""
        return np.asarray(condition).astype(np.int8)


class OneHand:
    """The scalar twin of `HandArray`: plain numbers, remembered.

    >>> from overtrick import Hand
    >>> from overtrick.evaluation import feature
    >>> feature("HCP")(OneHand(Hand("AK3.QJ2.T98.7654").bits))
    10
    """

    __slots__ = ("_suits", "bits", "columns")

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._suits = tuple(bits >> 13 * s & 0x1FFF for s in range(4))
        self.columns: dict[Any, Value] = {}

    def holding(self, suit: int) -> int:
        return self._suits[suit]

    def look(self, name: str, suit: int) -> Value:
        return row(name)[self._suits[suit]]

    def count(self, cards: int) -> int:
        return (self.bits & cards).bit_count()

    def keep(self, key: Any, make: Callable[[], Value]) -> Value:
        if key not in self.columns:
            self.columns[key] = make()
        return self.columns[key]

    def maximum(self, a: Value, b: Value) -> Value:
        return max(a, b)

    def minimum(self, a: Value, b: Value) -> Value:
        return min(a, b)

    def where(self, condition: Value, yes: Value, no: Value) -> Value:
        return yes if condition else no

    def between(self, value: Value, low: float, high: float) -> Value:
        return low <= value <= high

    def number(self, condition: Value) -> Value:
        return int(condition)


Hands = HandArray | OneHand


@lru_cache(maxsize=4096)
def one_hand(bits: int) -> OneHand:
    """The remembered scalar view of a hand.

    >>> from overtrick import Hand
    >>> hand = Hand("AK3.QJ2.T98.7654")
    >>> one_hand(hand.bits) is one_hand(hand.bits), one_hand(hand.bits).holding(3).bit_count()
    (True, 3)
    """
    return OneHand(bits)
