"""Equivalent but shorter constraints, and implication where it is cheap to prove."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from overtrick.evaluation import feature
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    Between,
    Constraint,
    HoldsCards,
    Not,
    Shapes,
    all_of,
    any_of,
    between,
    negated,
    shape_set,
)
from overtrick.worlds.regions import region


@lru_cache(maxsize=8192)
def simplify(constraint: Constraint) -> Constraint:
    """Merge ranges and shapes, push `not` inward, drop what other parts imply.

    >>> from overtrick.worlds import parse
    >>> parse("hcp 10+, hcp ..14, not not spades 5+, spades 4+").simplify().words()
    '10–14 hcp, 5+ spades'
    """
    found = region(constraint)
    if not found.outer.any():
        return NEVER
    if found.inner.all():
        return ALWAYS
    match constraint:
        case AllOf(parts):
            return _simplify_all(parts)
        case AnyOf(parts):
            return _simplify_any(parts)
        case Not(part):
            return _simplify_not(part)
    return constraint


def _simplify_all(parts: Iterable[Constraint]) -> Constraint:
    whole = all_of(simplify(p) for p in parts)
    if not isinstance(whole, AllOf):
        return whole
    ranges: dict[str, Between] = {}
    shapes = sh.ALL_SHAPES
    others: list[Constraint] = []
    for p in whole.parts:
        match p:
            case Between(name, low, high):
                old = ranges.get(name, p)
                merged = between(name, max(low, old.low), min(high, old.high))
                if not isinstance(merged, Between):
                    return NEVER
                ranges[name] = merged
            case Shapes(bits):
                shapes &= bits
            case _:
                others.append(p)
    kept = [*ranges.values(), shape_set(shapes), *others]
    return _in_order(whole.parts, all_of(_needed(kept)))


def _needed(parts: list[Constraint]) -> list[Constraint]:
    """Parts that no other part implies."""
    out = list(parts)
    for p in parts:
        rest = [q for q in out if q != p]
        if p in out and any(implies(q, p) for q in rest):
            out = rest
    return out


def _in_order(original: tuple[Constraint, ...], merged: Constraint) -> Constraint:
    """Keep the order in which things were said: by where each feature was first mentioned."""
    if not isinstance(merged, AllOf):
        return merged

    def place(p: Constraint) -> int:
        for i, q in enumerate(original):
            same = isinstance(p, Between) and isinstance(q, Between) and p.name == q.name
            if p == q or same or (isinstance(p, Shapes) and isinstance(q, Shapes)):
                return i
        return len(original)

    return AllOf(tuple(sorted(merged.parts, key=place)))


def _simplify_any(parts: Iterable[Constraint]) -> Constraint:
    whole = any_of(simplify(p) for p in parts)
    if not isinstance(whole, AnyOf):
        return whole
    shapes = 0
    kept: list[Constraint] = []
    for p in whole.parts:
        if isinstance(p, Shapes):
            shapes |= p.bits
        elif isinstance(p, Between):
            kept = _join(kept, p)
        else:
            kept.append(p)
    if shapes:
        kept.append(shape_set(shapes))
    out = list(kept)
    for p in kept:
        rest = [q for q in out if q != p]
        if p in out and any(implies(p, q) for q in rest):
            out = rest
    return any_of(out)


def _join(kept: list[Constraint], new: Between) -> list[Constraint]:
    """Add a range to a list of alternatives, joined with one it touches."""
    step = feature(new.name).of.step
    for i, old in enumerate(kept):
        touching = (
            isinstance(old, Between)
            and old.name == new.name
            and new.low <= old.high + step
            and old.low <= new.high + step
        )
        if touching:
            assert isinstance(old, Between)
            joined = between(new.name, min(new.low, old.low), max(new.high, old.high))
            rest = kept[:i] + kept[i + 1 :]
            return _join(rest, joined) if isinstance(joined, Between) else [*rest, joined]
    return [*kept, new]


def _simplify_not(part: Constraint) -> Constraint:
    match part:
        case Not(inside):
            return simplify(inside)
        case AllOf(parts):
            return simplify(any_of(negated(p) for p in parts))
        case AnyOf(parts):
            return simplify(all_of(negated(p) for p in parts))
        case Shapes(bits):
            return shape_set(sh.ALL_SHAPES & ~bits)
        case HoldsCards(cards, low, high) if low == 0 or high == cards.bit_count():
            outside = (high + 1, cards.bit_count()) if low == 0 else (0, low - 1)
            return HoldsCards(cards, *outside)
        case Between(name, low, high) if feature(name).of.step:
            f = feature(name)
            if low <= f.low:
                return between(name, high + f.of.step, None)
            if high >= f.high:
                return between(name, None, low - f.of.step)
    return negated(part)


@lru_cache(maxsize=16384)
def implies(a: Constraint, b: Constraint) -> bool:
    """Proven that every hand with a has b: by structure, then by (shape, hcp) classes."""
    if a == b:
        return True
    if isinstance(a, Between) and isinstance(b, Between) and a.name == b.name:
        return b.low <= a.low and a.high <= b.high
    if isinstance(b, AllOf):
        return all(implies(a, p) for p in b.parts)
    if isinstance(a, AnyOf):
        return all(implies(p, b) for p in a.parts)
    if not (region(a).outer & ~region(b).inner).any():
        return True
    if isinstance(a, AllOf) and any(implies(p, b) for p in a.parts):
        return True
    if isinstance(b, AnyOf) and any(implies(a, p) for p in b.parts):
        return True
    return isinstance(a, Not) and isinstance(b, Not) and implies(b.part, a.part)
