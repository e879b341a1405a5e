"""Statements about a hand as frozen values: they test hands, describe themselves, and combine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import Feature, HandArray, OneHand, feature, one_hand
from overtrick.evaluation.hands import Hands, Value
from overtrick.game import Hand
from overtrick.worlds import shapes as sh

Mask = NDArray[np.bool_]
Range = tuple[int, int]


class Bounds(NamedTuple):
    """Sound outer ranges: no hand that satisfies the constraint lies outside them.

    >>> from overtrick.worlds import parse
    >>> parse("hcp 15..17, balanced").bounds().hcp
    (15, 17)
    """

    hcp: Range
    lengths: tuple[Range, Range, Range, Range]


class Constraint:
    """A statement that a hand satisfies or not. Combine with `&`, `|` and `~`.

    >>> from overtrick.worlds import parse
    >>> opening = parse("hcp 12..14, spades 5+, not balanced")
    >>> opening.holds(Hand.parse("AKJ52.QJ82.8.Q64"))
    True
    >>> opening.words()
    '12–14 hcp, 5+ spades, not balanced'
    >>> opening.bounds().lengths[3]
    (5, 12)
    """

    __slots__ = ()

    def test(self, hands: Hands) -> Value:
        """True or False for one hand, a column of them for many."""
        raise TypeError(f"{type(self).__name__} is not a constraint")

    def holds(self, hand: Hand | int) -> bool:
        """Does this hand satisfy it?"""
        return bool(self.test(one_hand(hand.bits if isinstance(hand, Hand) else hand)))

    def mask(self, hands: HandArray | NDArray[np.uint64]) -> Mask:
        """Which of many hands satisfy it; pass one `HandArray` to share columns between calls."""
        many = hands if isinstance(hands, HandArray) else HandArray(hands)
        out: Mask = np.broadcast_to(np.asarray(self.test(many), dtype=bool), len(many))
        return out

    def words(self) -> str:
        """As a player would say it."""
        from overtrick.worlds.words import words

        return words(self)

    def text(self) -> str:
        """In the constraint language: `parse(c.text())` means the same as c."""
        from overtrick.worlds.words import text

        return text(self)

    def simplify(self) -> Constraint:
        """An equivalent constraint with merged ranges and no idle parts."""
        from overtrick.worlds.simplify import simplify

        return simplify(self)

    def bounds(self) -> Bounds:
        """HCP and length ranges (C, D, H, S); of an impossible constraint the empty (1, 0)."""
        return _bounds(self)

    @property
    def is_impossible(self) -> bool:
        """Proven to hold for no hand; False does not prove that a hand exists."""
        from overtrick.worlds.regions import region

        return not region(self).outer.any()

    @property
    def is_certain(self) -> bool:
        """Proven to hold for every hand."""
        from overtrick.worlds.regions import region

        return bool(region(self).inner.all())

    def implies(self, other: Constraint) -> bool:
        """Proven that every hand of this satisfies the other too."""
        from overtrick.worlds.simplify import implies

        return implies(self, other)

    def excludes(self, other: Constraint) -> bool:
        """Proven that no hand satisfies both."""
        return (self & other).is_impossible

    def __and__(self, other: Constraint) -> Constraint:
        return all_of((self, other))

    def __or__(self, other: Constraint) -> Constraint:
        return any_of((self, other))

    def __invert__(self) -> Constraint:
        return negated(self)

    def __str__(self) -> str:
        return self.words()


@dataclass(frozen=True, slots=True)
class Always(Constraint):
    """Every hand."""

    def test(self, hands: Hands) -> Value:
        return True

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class Never(Constraint):
    """No hand."""

    def test(self, hands: Hands) -> Value:
        return False

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class Between(Constraint):
    """A feature of the hand lies in a range, ends included. Make them with `between`.

    >>> from overtrick import Hand
    >>> Between("HCP", 15, 17).holds(Hand("AK3.QJ2.T98.7654"))
    False
    """

    name: str
    low: float
    high: float

    @property
    def feature(self) -> Feature:
        return feature(self.name)

    def test(self, hands: Hands) -> Value:
        return hands.between(feature(self.name)(hands), self.low, self.high)

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class Shapes(Constraint):
    """The lengths of the four suits are in a set of shapes (a 560-bit integer).

    >>> from overtrick import Hand
    >>> shape("any 4333").holds(Hand("AK3.QJ2.T98.7654"))
    True
    """

    bits: int

    def test(self, hands: Hands) -> Value:
        if isinstance(hands, OneHand):
            c, d, h, s = (hands.holding(i).bit_count() for i in range(4))
            number = sh.shape_number().get((c, d, h, s))
            return number is not None and bool(self.bits >> number & 1)
        return sh.as_mask(self.bits)[shape_column(hands)]

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class HoldsCards(Constraint):
    """The hand holds between `low` and `high` of a set of cards.

    >>> from overtrick import Card
    >>> str(has([Card("SA"), Card("HA")], 1))
    '1+ of ♠A ♥A'
    """

    cards: int
    low: int
    high: int

    def test(self, hands: Hands) -> Value:
        return hands.between(hands.count(self.cards), self.low, self.high)

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class AllOf(Constraint):
    """Every part holds. Make them with `&` or `all_of`.

    >>> str(hcp(15, 17) & length(3, 5))
    '15–17 hcp, 5+ spades'
    """

    parts: tuple[Constraint, ...]

    def test(self, hands: Hands) -> Value:
        if isinstance(hands, OneHand):
            return all(p.test(hands) for p in self.parts)
        out = self.parts[0].test(hands)
        for p in self.parts[1:]:
            out = out & p.test(hands)
        return out

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class AnyOf(Constraint):
    """At least one part holds. Make them with `|` or `any_of`.

    >>> str(hcp(15, 17) | length(3, 5))
    '15–17 hcp or 5+ spades'
    """

    parts: tuple[Constraint, ...]

    def test(self, hands: Hands) -> Value:
        if isinstance(hands, OneHand):
            return any(p.test(hands) for p in self.parts)
        out = self.parts[0].test(hands)
        for p in self.parts[1:]:
            out = out | p.test(hands)
        return out

    __str__ = Constraint.__str__


@dataclass(frozen=True, slots=True)
class Not(Constraint):
    """The part does not hold. Make them with `~` or `negated`.

    >>> str(~hcp(15, 17))
    'not 15–17 hcp'
    """

    part: Constraint

    def test(self, hands: Hands) -> Value:
        if isinstance(hands, OneHand):
            return not self.part.test(hands)
        return np.logical_not(self.part.test(hands))

    __str__ = Constraint.__str__


ALWAYS: Final = Always()
NEVER: Final = Never()


def between(name: str, low: float | None = None, high: float | None = None) -> Constraint:
    """A feature in a range; an open end is the feature's own limit.

    >>> between("hcp", 15, 17), between("suitlen(♠)", 5)
    (Between(name='HCP', low=15, high=17), Between(name='SUITLEN(S)', low=5, high=13))
    """
    f = feature(name)
    bottom = f.low if low is None else max(low, f.low)
    top = f.high if high is None else min(high, f.high)
    if bottom > top:
        return NEVER
    return Between(f.name, _plain(bottom), _plain(top))


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


def hcp(low: float | None = None, high: float | None = None) -> Constraint:
    """High-card points in a range.

    >>> str(hcp(15, 17)), str(hcp(12))
    ('15–17 hcp', '12+ hcp')
    """
    return between("HCP", low, high)


def length(suit: int, low: int | None = None, high: int | None = None) -> Constraint:
    """Length of a suit in a range.

    >>> from overtrick import Suit
    >>> str(length(Suit.SPADES, 5))
    '5+ spades'
    """
    return between(f"SUITLEN({'CDHS'[suit]})", low, high)


def shape(*patterns: str) -> Constraint:
    """Any of these patterns: `shape("any 5332", "4=4=4=1")`, or a name such as `balanced`.

    >>> from overtrick import Hand
    >>> shape("balanced").holds(Hand("AK3.QJ2.T98.7654"))
    True
    """
    bits = 0
    for p in patterns:
        found = sh.named(p)
        bits |= sh.parse_shape(p) if found is None else found
    return shape_set(bits)


def shape_set(bits: int) -> Constraint:
    """The constraint of a 560-bit set of shapes; those that `BAL` tells are written with it, so
    that one meaning is one value."""
    if not bits & sh.ALL_SHAPES:
        return NEVER
    if bits == sh.ALL_SHAPES:
        return ALWAYS
    far = _balance_of().get(bits)
    return Shapes(bits) if far is None else between("BAL", *far)


@cache
def _balance_of() -> dict[int, tuple[int, int]]:
    ranges = {"balanced": (0, 0), "semi-balanced": (0, 1), "unbalanced": (1, 6)}
    return {sh.named(name) or 0: far for name, far in ranges.items()}


def has(cards: Iterable[int], low: int | None = None, high: int | None = None) -> Constraint:
    """All of these cards; with `low` or `high`, that many of them.

    >>> from overtrick import Card, Hand
    >>> has([Card("SA"), Card("SK")]).holds(Hand("AK3.QJ2.T98.7654"))
    True
    """
    bits = 0
    for c in cards:
        bits |= 1 << c
    size = bits.bit_count()
    bottom = (size if high is None else 0) if low is None else max(low, 0)
    top = size if high is None else min(high, size)
    if bottom > top:
        return NEVER
    return ALWAYS if (bottom, top) == (0, size) else HoldsCards(bits, bottom, top)


def all_of(parts: Iterable[Constraint]) -> Constraint:
    """Every one of the parts: nested ones flattened, repeated and empty ones dropped.

    >>> str(all_of([hcp(15, 17), length(3, 5), ALWAYS]))
    '15–17 hcp, 5+ spades'
    """
    flat: dict[Constraint, None] = {}
    for p in parts:
        flat.update(dict.fromkeys(p.parts if isinstance(p, AllOf) else (p,)))
    flat.pop(ALWAYS, None)
    if NEVER in flat:
        return NEVER
    kept = tuple(flat)
    return AllOf(kept) if len(kept) > 1 else kept[0] if kept else ALWAYS


def any_of(parts: Iterable[Constraint]) -> Constraint:
    """At least one of the parts.

    >>> str(any_of([hcp(15, 17), length(3, 5), NEVER]))
    '15–17 hcp or 5+ spades'
    """
    flat: dict[Constraint, None] = {}
    for p in parts:
        flat.update(dict.fromkeys(p.parts if isinstance(p, AnyOf) else (p,)))
    flat.pop(NEVER, None)
    if ALWAYS in flat:
        return ALWAYS
    kept = tuple(flat)
    return AnyOf(kept) if len(kept) > 1 else kept[0] if kept else NEVER


def negated(part: Constraint) -> Constraint:
    """Not this; double negations vanish.

    >>> negated(negated(hcp(15, 17))) == hcp(15, 17)
    True
    """
    if isinstance(part, Always | Never):
        return NEVER if part == ALWAYS else ALWAYS
    if isinstance(part, Not):
        return part.part
    return Not(part)


def shape_column(hands: HandArray) -> NDArray[np.int16]:
    """The shape number of each hand; 560 for hands without thirteen cards."""

    def make() -> NDArray[np.int16]:
        c, d, h, s = (hands.look("length", i).astype(np.intp) for i in range(4))
        numbers: NDArray[np.int16] = sh.shape_table()[((c * 14 + d) * 14 + h) * 14 + s]
        return numbers

    column: NDArray[np.int16] = hands.keep("shape", make)
    return column


@lru_cache(maxsize=4096)
def _bounds(constraint: Constraint) -> Bounds:
    from overtrick.worlds.regions import region

    outer = region(constraint).outer
    if not outer.any():
        return Bounds((1, 0), ((1, 0),) * 4)
    points = np.flatnonzero(outer.any(axis=0))
    lengths = sh.lengths_array()[outer.any(axis=1)]
    ranges = [(int(lengths[:, s].min()), int(lengths[:, s].max())) for s in range(4)]
    return Bounds((int(points[0]), int(points[-1])), tuple(ranges))  # type: ignore[arg-type]
