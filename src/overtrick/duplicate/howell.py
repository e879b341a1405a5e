"""Howell movements from cyclic designs: every pair meets every other once and plays every set once.

Numbers modulo v are the pairs that move, and one pair stays. A *starter* splits the others of a
round into pairs whose differences are all different, so that adding 1 in each round makes everybody
meet. An *adder* moves each of these pairs to a set of boards, so that nobody plays a set twice."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from typing import Final

_SHARED: Final = (3, 5)  # sides for which every design plays a set at several tables at once
_NOT_STRONG: Final = 9
_PATIENCE: Final = 3000  # steps until a search begins anew
_TRIED: Final = 4  # designs, of which the one is taken in which seats are shared most evenly


@dataclass(frozen=True, slots=True)
class Starter:
    """The first round modulo `v`: North-South, East-West and how far the boards have moved."""

    v: int
    tables: tuple[tuple[int, int, int], ...]

    def side(self, place: int) -> int:
        """+1 where a pair that is so far from the number of its set sits North-South, else −1."""
        for ns, ew, adder in self.tables:
            if (ns + adder) % self.v == place:
                return 1
            if (ew + adder) % self.v == place:
                return -1
        return -1  # opposite the pair that stays, which sits North-South


@cache
def starter(v: int) -> Starter:
    """A starter with its adder for `v` moving pairs, an odd number; always the same one.

    >>> starter(7).tables
    ((1, 3, 3), (4, 5, 5), (6, 2, 6))
    """
    if v in _SHARED:
        return _balanced(Starter(v, tuple((d, v - d, 0) for d in range(1, v // 2 + 1))))
    designs = (_search(v, random.Random(seed)) for seed in count())
    found = [_balanced(Starter(v, tuple(sorted(f)))) for f in islice(filter(None, designs), _TRIED)]
    return min(found, key=_unevenness)


def _search(v: int, chance: random.Random) -> list[tuple[int, int, int]]:
    """Pairs by difference, the largest first; empty when luck has run out.

    Moved by minus the sum of its numbers, a pair (x, y) comes to (−y, −x): nobody is there twice,
    and only the sums have to be different. That works for all sides but 9.
    """
    steps = 0

    def placed(
        difference: int, free: int, moved: int, adders: int
    ) -> list[tuple[int, int, int]] | None:
        nonlocal steps
        if difference == 0:
            return []
        for x in chance.sample(range(1, v), v - 1):
            y = (x + difference) % v
            for adder in range(1, v) if v == _NOT_STRONG else (-(x + y) % v,):
                steps += 1
                if steps > _PATIENCE:
                    return None
                taken, to = 1 << x | 1 << y, 1 << (x + adder) % v | 1 << (y + adder) % v
                if free & taken != taken or moved & to != to or adders >> adder & 1:
                    continue
                rest = placed(difference - 1, free & ~taken, moved & ~to, adders | 1 << adder)
                if rest is not None:
                    return [(x, y, adder), *rest]
        return None

    others = (1 << v) - 2
    return placed(v // 2, others, others, 1) or []


def _balanced(found: Starter) -> Starter:
    """With seats changed until nobody competes with somebody much more often than with others.

    How often two moving pairs sit the same way with the same boards depends on how far apart they
    are, so it is the likeness of the seats with themselves, shifted by that. It is best when that
    is −1 for every shift.
    """
    tables, worst = list(found.tables), _unevenness(found)
    changed = True
    while changed:
        changed = False
        for i, (ns, ew, adder) in enumerate(tables):
            tables[i] = (ew, ns, adder)
            trial = Starter(found.v, tuple(tables))
            if (now := _unevenness(trial)) < worst:
                worst, changed = now, True
            else:
                tables[i] = (ns, ew, adder)
    return Starter(found.v, tuple(tables))


def _unevenness(found: Starter) -> int:
    sides = [found.side(place) for place in range(found.v)]
    likeness = (
        sum(a * b for a, b in zip(sides, sides[shift:] + sides[:shift], strict=True))
        for shift in range(1, found.v)
    )
    return sum((x + 1) ** 2 for x in likeness)
