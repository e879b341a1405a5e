"""Ratings in IMPs per board from any set of matches, with errors clustered by deal.
Every engine that met another, however indirectly, gets its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match between engines `a` and `b`: IMPs for a on each deal."""

    a: int
    b: int
    imps: tuple[int, ...]
    deals: tuple[int, ...]  # which deal each board was; the same number is the same deal


@dataclass(frozen=True, slots=True)
class Rating:
    """IMPs per board above the average engine, and its standard error."""

    value: float
    error: float


def ratings(meetings: Sequence[Meeting], engines: int) -> list[Rating]:
    """Least squares over all boards: the rating of a minus that of b predicts a's IMPs.

    The estimate is linear in the boards, so its error follows from the boards' residuals summed
    deal by deal: engines that met on the same deals share their luck.
    """
    boards = [(m.a, m.b, x, d) for m in meetings for x, d in zip(m.imps, m.deals, strict=True)]
    if not boards:
        return [Rating(0.0, float("inf"))] * engines
    normal = np.zeros((engines, engines))
    right = np.zeros(engines)
    for a, b, x, _ in boards:
        normal[a, a] += 1
        normal[b, b] += 1
        normal[a, b] -= 1
        normal[b, a] -= 1
        right[a] += x
        right[b] -= x
    # Only differences are determined; the pseudo-inverse makes the ratings sum to nothing.
    inverse = np.linalg.pinv(normal)
    values = inverse @ right
    by_deal: dict[int, np.ndarray] = {}
    for a, b, x, deal in boards:
        residual = x - (values[a] - values[b])
        row = by_deal.setdefault(deal, np.zeros(engines))
        row[a] += residual
        row[b] -= residual
    k = len(by_deal)
    if k < 2:
        return [Rating(float(v), float("inf")) for v in values]
    spread = np.array([inverse @ row for row in by_deal.values()])
    errors = np.sqrt((spread**2).sum(axis=0) * k / (k - 1))
    errors[normal.diagonal() == 0] = np.inf  # who has not played yet is not known to be average
    return [Rating(float(v), float(e)) for v, e in zip(values, errors, strict=True)]
