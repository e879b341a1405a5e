"""Which (shape, hcp) classes a constraint can touch, and which it contains: 560 × 38 tables.
Used for sound bounds, proofs of impossibility and implication, and by the exact dealer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import Feature, HandArray, feature
from overtrick.evaluation.features import SUITS
from overtrick.evaluation.holdings import HOLDINGS, table
from overtrick.evaluation.registry import ALL, NT
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    AllOf,
    Always,
    AnyOf,
    Between,
    Constraint,
    HoldsCards,
    Never,
    Not,
    Shapes,
)

Table = NDArray[Any]
POINTS: Final = 38
Extremes = tuple[Table, Table]


class Region(NamedTuple):
    """`outer` holds every class with a satisfying hand, `inner` only classes all of whose do."""

    outer: NDArray[np.bool_]
    inner: NDArray[np.bool_]


@lru_cache(maxsize=1024)  # 42 kB each
def region(constraint: Constraint) -> Region:
    """Sound outer and inner classes of a constraint; classes without any hand are in `inner`."""
    possible = feasible()
    found = _region(constraint)
    result = Region(found.outer & possible, found.inner | ~possible)
    for part in result:
        part.setflags(write=False)
    return result


def _region(constraint: Constraint) -> Region:
    full = np.ones((sh.COUNT, POINTS), bool)
    match constraint:
        case Always():
            return Region(full, full)
        case Never():
            return Region(~full, ~full)
        case Between(name, low, high):
            return _between(extremes(name), low, high)
        case Shapes(bits):
            inside = np.broadcast_to(sh.as_mask(bits)[: sh.COUNT, None], full.shape)
            return Region(inside, inside)
        case HoldsCards(cards, low, high):
            return _between(_cards(cards), low, high)
        case AllOf(parts):
            found = [region(p) for p in parts]
            return Region(
                np.logical_and.reduce([r.outer for r in found]),
                np.logical_and.reduce([r.inner for r in found]),
            )
        case AnyOf(parts):
            found = [region(p) for p in parts]
            return Region(
                np.logical_or.reduce([r.outer for r in found]),
                np.logical_or.reduce([r.inner for r in found]),
            )
        case Not(part):
            within = region(part)
            return Region(~within.inner, ~within.outer)
    return Region(full, ~full)  # a constraint of another room: nothing is known about it


def _between(ends: Extremes, low: float, high: float) -> Region:
    least, most = ends
    return Region((most >= low) & (least <= high), (least >= low) & (most <= high))


@cache
def feasible() -> NDArray[np.bool_]:
    """Which (shape, hcp) classes contain a hand at all."""
    zero = np.zeros(HOLDINGS, np.float32)
    least, _ = _combine([zero] * 4)
    return np.isfinite(least)


@cache
def extremes(name: str) -> Extremes:
    """Least and greatest value of a feature in every (shape, hcp) class, each [560, 38]."""
    f = feature(name)
    builder = _BUILDERS.get(f.of.name)
    if builder is None:
        full = np.ones((sh.COUNT, POINTS), np.float32)
        return full * np.float32(f.low), full * np.float32(f.high)
    least, most = builder(f)
    return least.astype(np.float32), most.astype(np.float32)


def _combine(tables: Sequence[Table]) -> Extremes:
    """Extremes of a sum of four suit tables (clubs first) over the classes."""
    found: list[Table] = []
    for sign in (1.0, -1.0):
        suits = [_by_class(sign * t) for t in tables]
        minors, majors = _pair(suits[0], suits[1]), _pair(suits[2], suits[3])
        lengths = sh.lengths_array()
        low = minors[lengths[:, 0], lengths[:, 1]]
        high = majors[lengths[:, 2], lengths[:, 3]]
        total = np.full((sh.COUNT, POINTS + 4), np.inf)
        for a in range(21):
            total[:, a : a + 21] = np.minimum(total[:, a : a + 21], low[:, a : a + 1] + high)
        found.append(sign * total[:, :POINTS])
    return found[0], found[1]


def _by_class(values: Table) -> Table:
    """[14, 11]: least value of a suit table by length and hcp, infinite where there is none."""
    out = np.full((14, 11), np.inf)
    np.minimum.at(out, (table("length"), table("hcp")), values)
    return out


def _pair(a: Table, b: Table) -> Table:
    """[14, 14, 21]: least sum over two suits by their lengths and joint hcp."""
    out = np.full((14, 14, 21), np.inf)
    for points in range(11):
        shifted = a[:, None, points, None] + b[None, :, :]
        np.minimum(out[:, :, points : points + 11], shifted, out=out[:, :, points : points + 11])
    return out


_ZERO: Final = "zero"


def _tables(names: Sequence[str]) -> Extremes:
    zero = np.zeros(HOLDINGS, np.float32)
    return _combine([zero if n == _ZERO else table(n).astype(np.float32) for n in names])


@lru_cache(maxsize=128)
def _cards(cards: int) -> Extremes:
    """Extremes of the number of these cards that are held."""
    numbers = np.arange(HOLDINGS)
    return _combine(
        [np.bitwise_count(numbers & (cards >> 13 * s & 0x1FFF)).astype(np.float32) for s in SUITS]
    )


def _only(name: str, suit: int) -> list[str]:
    return [name if suit in (s, ALL) else _ZERO for s in SUITS]


def _sum_of(name: str) -> Callable[[Feature], Extremes]:
    return lambda f: _tables(_only(name, f.suits[0] if f.suits else ALL))


def _shape_only(f: Feature) -> Extremes:
    """A feature that depends on the lengths alone, looked up at one hand of each shape."""
    column = np.asarray(f(_representatives()), dtype=np.float64)[:, None]
    wide = np.broadcast_to(column, (sh.COUNT, POINTS))
    return wide, wide


@cache
def _representatives() -> HandArray:
    """One hand of each shape: the lowest cards of every suit."""
    return HandArray(
        np.array(
            [sum(((1 << n) - 1) << 13 * s for s, n in enumerate(shape)) for shape in sh.shapes()],
            np.uint64,
        )
    )


def _with_shape(tables: Callable[[Feature], list[str]]) -> Callable[[Feature], Extremes]:
    """A sum of suit tables and of something that depends on the lengths alone."""

    def build(f: Feature) -> Extremes:
        names = tables(f)
        hands = _representatives()
        base = sum((hands.look(n, s) for s, n in enumerate(names) if n != _ZERO), np.zeros(1))
        rest = (np.asarray(f(hands), np.float64) - base)[:, None]
        least, most = _tables(names)
        return least + rest, most + rest

    return build


def _key_cards(f: Feature) -> Extremes:
    suit = f.suits[0]
    aces_and_king = table("ace") + table("king")
    return _combine([(aces_and_king if s == suit else table("ace")) * 1.0 for s in SUITS])


def _unsupported(f: Feature) -> list[str]:
    return ["lone_losers" if s == f.suits[0] else "losers" for s in SUITS]


def _covers(f: Feature) -> list[str]:
    trump, suit = f.suits
    names = ["covers_trump" if s == trump else "covers_side" for s in SUITS]
    return [n if suit in (s, ALL) else _ZERO for s, n in enumerate(names)]


def _fast(f: Feature) -> Extremes:
    name = "fast_losers_notrump" if f.suits[0] == NT else "fast_losers"
    least, most = _tables(_only(name, f.suits[1]))
    return np.minimum(13, least), np.minimum(13, most)


def _trump_stopper(f: Feature) -> Extremes:
    trump, suit = f.suits
    least, most = _tables(_only("stopper_by_honours", suit))
    if suit == trump:
        return least, most
    hands = _representatives()
    short, trumps = hands.look("short_points", suit), hands.look("length", trump)
    ruffs = np.where((short > 0) & (trumps > 0), np.minimum(short + 1, trumps + 2), 0)[:, None]
    return np.maximum(least, ruffs), np.where(np.isfinite(most), np.maximum(most, ruffs), most)


_SUMS: Final = {
    "HCP": "hcp", "CONTROLS": "controls", "HC": "top3", "HONOR": "honours", "ACE": "ace",
    "KING": "king", "QUEEN": "queen", "JACK": "jack", "TEN": "ten", "BIDDBLE": "biddable",
    "INTER": "intermediates", "STOP-NT": "stopper", "QLTY": "quality", "LTC": "losers",
    "TP": "length_points", "QUICK": "quick_tricks", "NTLP": "notrump_points",
    "LP": "playing_points",
}  # fmt: skip
_SHAPE_ONLY: Final = (
    "BAL", "DP", "DIF", "SUITS", "SUITLEN", "LMAJ", "LMIN", "LONGEST", "LONG", "FIRSTBID", "UPLINE",
)  # fmt: skip
_BUILDERS: Final[dict[str, Callable[[Feature], Extremes]]] = {
    **{name: _sum_of(t) for name, t in _SUMS.items()},
    **dict.fromkeys(_SHAPE_ONLY, _shape_only),
    "RKCB": _key_cards,
    "LOSERS": _with_shape(lambda f: _only("losers", f.suits[1])),
    "POINTS": _with_shape(lambda f: _only("hcp", f.suits[1])),
    "UNLOS": _with_shape(_unsupported),
    "COVER": _with_shape(_covers),
    "FAST": _fast,
    "STOP-TRUMP": _trump_stopper,
}
