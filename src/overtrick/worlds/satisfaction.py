"""How far hands are from satisfying a constraint: 0 when they do, else points and cards missing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
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
    shape_column,
)

Distances = NDArray[Any]
FAR: Final = 64.0
"""Of a constraint that no hand satisfies."""
CARD: Final = 2.0
"""One card too many or too few counts as much as two points."""
_BY_CARDS: Final = frozenset(("SUITLEN", "DIF", "LONGEST", "LONG"))


def shortfall(constraint: Constraint, hands: HandArray) -> Distances:
    """Float per hand: 0 if and only if it satisfies the constraint."""
    found = np.broadcast_to(np.asarray(_away(constraint, hands), np.float32), len(hands))
    return found


def _away(c: Constraint, hands: HandArray) -> Distances | float:
    match c:
        case AllOf(parts):
            total = _away(parts[0], hands)
            for part in parts[1:]:
                total = total + _away(part, hands)
            return total
        case AnyOf(parts):
            least = _away(parts[0], hands)
            for part in parts[1:]:
                least = np.minimum(least, _away(part, hands))
            return least
        case Between(name, low, high):
            return _outside(name, low, high, hands)
        case HoldsCards(cards, low, high):
            held = hands.count(cards).astype(np.float32)
            return CARD * (np.maximum(low - held, 0) + np.maximum(held - high, 0))
        case Shapes(bits):
            return np.asarray(CARD * _shape_distance(bits)[shape_column(hands)])
        case Not(part):
            return _inside(part, hands)
        case Always():
            return 0.0
        case Never():
            return FAR
    return np.where(c.mask(hands), 0.0, CARD).astype(np.float32)


def _outside(name: str, low: float, high: float, hands: HandArray) -> Distances:
    found = feature(name)
    value = np.asarray(found(hands), np.float32)
    away = np.maximum(low - value, 0) + np.maximum(value - high, 0)
    return np.asarray(_unit(name) * away)


@lru_cache(maxsize=4096)
def _unit(name: str) -> float:
    found = feature(name)
    return CARD if found.of.name in _BY_CARDS or found.high - found.low <= 4 else 1.0


def _inside(c: Constraint, hands: HandArray) -> Distances | float:
    """How far hands are from not satisfying it."""
    match c:
        case AllOf(parts):
            least = _inside(parts[0], hands)
            for part in parts[1:]:
                least = np.minimum(least, _inside(part, hands))
            return least
        case AnyOf(parts):
            total = _inside(parts[0], hands)
            for part in parts[1:]:
                total = total + _inside(part, hands)
            return total
        case Between(name, low, high):
            found = feature(name)
            value = np.asarray(found(hands), np.float32)
            step = np.float32(found.of.step or 0.01)
            below = value - low + step if low > found.low else np.float32(FAR)
            above = high - value + step if high < found.high else np.float32(FAR)
            away = np.minimum(below, above)
            return np.asarray(np.where((value >= low) & (value <= high), _unit(name) * away, 0))
        case HoldsCards(cards, low, high):
            held = hands.count(cards).astype(np.float32)
            below = held - low + 1 if low > 0 else np.float32(FAR)
            above = high - held + 1 if high < cards.bit_count() else np.float32(FAR)
            inside = (held >= low) & (held <= high)
            return np.asarray(np.where(inside, CARD * np.minimum(below, above), 0))
        case Shapes(bits):
            return np.asarray(CARD * _shape_distance(sh.ALL_SHAPES & ~bits)[shape_column(hands)])
        case Not(part):
            return _away(part, hands)
        case Always():
            return FAR
        case Never():
            return 0.0
    return np.where(c.mask(hands), CARD, 0.0).astype(np.float32)


@lru_cache(maxsize=512)
def _shape_distance(bits: int) -> Distances:
    """For each of the 560 shapes, the fewest cards to exchange to reach a shape of the set."""
    lengths = sh.lengths_array().astype(np.int16)
    wanted = lengths[sh.as_mask(bits)[: len(lengths)]]
    out = np.full(len(lengths) + 1, FAR / CARD, np.float32)
    if len(wanted):
        away = np.abs(lengths[:, None] - wanted[None]).sum(axis=2).min(axis=1) // 2
        out[: len(lengths)] = away
    return out
