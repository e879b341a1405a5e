"""The 560 ways thirteen cards fall into four suits, and patterns that name sets of them.
A set of shapes is a 560-bit integer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game.errors import ParseError

Lengths = tuple[int, int, int, int]
COUNT: Final = 560
ALL_SHAPES: Final = (1 << COUNT) - 1
_NAMED: Final = {
    "balanced": ("4333", "4432", "5332"),
    # at most one card from balanced, as the feature BAL counts
    "semi-balanced": ("4333", "4432", "5332", "5422", "6322", "4441", "5431", "6331"),
    "flat": ("4333",),
}


@cache
def shapes() -> tuple[Lengths, ...]:
    """Every (clubs, diamonds, hearts, spades) that sums to thirteen."""
    top = range(14)
    return tuple(
        (c, d, h, 13 - c - d - h) for c in top for d in top for h in top if c + d + h <= 13
    )


@cache
def shape_number() -> dict[Lengths, int]:
    """The index of each shape in `shapes()`."""
    return {s: i for i, s in enumerate(shapes())}


@cache
def shape_table() -> NDArray[np.int16]:
    """[14·14·14·14] lengths C, D, H, S → shape number; 560 where they do not sum to thirteen."""
    table = np.full((14, 14, 14, 14), COUNT, np.int16)
    for i, s in enumerate(shapes()):
        table[s] = i
    return table.ravel()


@cache
def lengths_array() -> NDArray[np.int8]:
    """[560, 4]: the shapes as an array."""
    return np.array(shapes(), np.int8)


def set_of(which: Iterable[Lengths]) -> int:
    """The 560-bit set of these shapes."""
    bits = 0
    for s in which:
        bits |= 1 << shape_number()[s]
    return bits


def as_mask(bits: int) -> NDArray[np.bool_]:
    """bool[561]: is the shape in the set? The last entry, for incomplete hands, is False."""
    raw = np.frombuffer(bits.to_bytes(71, "little"), np.uint8)
    return np.unpackbits(raw, bitorder="little")[: COUNT + 1].astype(bool)


def members(bits: int) -> list[Lengths]:
    return [s for i, s in enumerate(shapes()) if bits >> i & 1]


@cache
def named(name: str) -> int | None:
    """The set called `balanced`, `semi-balanced`, `flat` or `unbalanced`."""
    name = "semi-balanced" if name == "semibalanced" else name
    if name == "unbalanced":
        return ALL_SHAPES & ~_union(_NAMED["balanced"])
    return _union(_NAMED[name]) if name in _NAMED else None


def _union(patterns: Iterable[str]) -> int:
    bits = 0
    for p in patterns:
        bits |= any_order(tuple(int(c) for c in p))
    return bits


def any_order(pattern: tuple[int, ...]) -> int:
    """All shapes with these lengths in any order."""
    return set_of({(a, b, c, d) for a, b, c, d in permutations(pattern)})


_PIECE: Final = re.compile(r"\(([\dx]+)\)|([\dx])", re.IGNORECASE)


def parse_shape(text: str) -> int:
    """One pattern, spades first: `4333` and `4=3=3=3` exact, `(54)31` bracketed suits in either
    order, `54xx` free suits, `any 5332` or `5-3-3-2` in any order.

    >>> members(parse_shape("5=4=3=1")), len(members(parse_shape("5-4-3-1")))
    ([(1, 3, 4, 5)], 24)
    """
    body = text.strip().lower()
    loose = body.startswith("any") or body.endswith("any") or re.fullmatch(r"\d+(-\d+){3}", body)
    body = body.replace("any", "").strip()
    if re.fullmatch(r"\d+([-=]\d+){3}", body):
        lengths = tuple(int(n) for n in re.split("[-=]", body))
        choices = [lengths]
    else:
        choices = _expand(body, text)
    bits = 0
    for choice in choices:
        bits |= _fill(choice, bool(loose))
    if not bits:
        raise ParseError("no thirteen cards have this shape", text)
    return bits


def _expand(body: str, text: str) -> list[tuple[int, ...]]:
    """Bracketed groups in every order; x is -1."""
    if not body or _PIECE.sub("", body):
        raise ParseError("a shape is four lengths such as 5332, (54)31 or 54xx", text)
    choices: list[tuple[int, ...]] = [()]
    for group, single in _PIECE.findall(body):
        orders = set(permutations(group)) if group else {(single,)}
        choices = [
            (*c, *(-1 if ch == "x" else int(ch) for ch in o)) for c in choices for o in orders
        ]
    if any(len(c) != 4 for c in choices):
        raise ParseError("a shape has four suits", text)
    return choices


def _fill(pattern: tuple[int, ...], loose: bool) -> int:
    """Shapes that fit a spades-first pattern with free suits (-1)."""
    bits = 0
    for order in set(permutations(pattern)) if loose else {pattern}:
        for i, shape in enumerate(shapes()):
            if all(want in (-1, have) for want, have in zip(order, shape[::-1], strict=True)):
                bits |= 1 << i
    return bits


def describe(bits: int) -> str:
    """The set in words that `parse_shape` pieces understand: 'balanced', 'any 5332 + 4=4=4=1'."""
    for name in ("balanced", "semi-balanced", "flat", "unbalanced"):
        if bits == named(name):
            return name
    exact, parts, left = [], [], bits
    for shape in members(bits):
        if not left >> shape_number()[shape] & 1:
            continue
        family = any_order(shape)
        if family & bits == family:
            parts.append("any " + "-".join(str(n) for n in sorted(shape, reverse=True)))
            left &= ~family
        else:
            exact.append("=".join(str(n) for n in shape[::-1]))
            left &= ~(1 << shape_number()[shape])
    return " + ".join([*parts, *exact])
