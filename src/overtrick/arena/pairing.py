"""Who meets whom: Swiss pairings without rematches, ladder rounds and climbs.
Pure functions of the standings, so a resumed tournament pairs the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Pair = tuple[int, int]


def swiss_pairs(
    points: Sequence[float], met: Collection[frozenset[int]], sat_out: Sequence[int]
) -> tuple[list[Pair], int | None]:
    """Neighbours in the table, no rematch while it can be avoided; with an odd number the lowest
    engine that has sat out least often has a bye.

    >>> swiss_pairs([10, 30, 20, 0], {frozenset({1, 2})}, [])
    ([(1, 0), (2, 3)], None)
    """
    order = sorted(range(len(points)), key=lambda e: (-points[e], e))
    bye = None
    if len(order) % 2:
        least = min(sat_out.count(e) for e in order)
        bye = next(e for e in reversed(order) if sat_out.count(e) == least)
        order.remove(bye)
    for allowed in range(len(order) // 2 + 1):
        found = _pair(order, met, allowed)
        if found is not None:
            return found, bye
    raise AssertionError("with all rematches allowed there is always a pairing")


def _pair(order: list[int], met: Collection[frozenset[int]], rematches: int) -> list[Pair] | None:
    if not order:
        return []
    first, rest = order[0], order[1:]
    for i, second in enumerate(rest):
        left = rematches - (frozenset((first, second)) in met)
        if left < 0:
            continue
        others = _pair(rest[:i] + rest[i + 1 :], met, left)
        if others is not None:
            return [(first, second), *others]
    return None


def ladder_pairs(order: Sequence[int], number: int) -> list[Pair]:
    """Neighbours on the ladder, upper first: 1–2, 3–4, … in even rounds, 2–3, 4–5, … in odd."""
    start = number % 2 if len(order) > 2 else 0
    return [(order[i], order[i + 1]) for i in range(start, len(order) - 1, 2)]


def ladder_order(order: Sequence[int], climbing: Collection[int]) -> tuple[int, ...]:
    """The ladder after the engines in `climbing` have changed places with the ones above."""
    out = list(order)
    for i in range(1, len(out)):
        if order[i] in climbing:
            out[i - 1], out[i] = out[i], out[i - 1]
    return tuple(out)
