"""Condensed hand features (points and four lengths) and their polynomial expansion."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CONTRACTS = 36  # Pass and 1C, 1D … 7NT: a contract or call index of the uncontested game

_POINTS = np.tile(np.array([0.0] * 9 + [1.0, 2.0, 3.0, 4.0]), 4)


def points(hands: npt.NDArray[np.uint8]) -> Floats:
    """High-card points of hands `[n, 52]`."""
    return np.asarray(hands @ _POINTS)


def lengths(hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Suit lengths `[n, 4]` in the order C, D, H, S."""
    return np.asarray(hands.reshape(-1, 4, 13).sum(axis=2, dtype=np.int64))


def condensed(hands: npt.NDArray[np.uint8]) -> Floats:
    """1, points and the four lengths `[n, 6]`, scaled to be about one each."""
    ones = np.ones(len(hands))
    return np.column_stack([ones, points(hands) / 10.0, lengths(hands) / 3.25])


def condensed_both(opener: npt.NDArray[np.uint8], responder: npt.NDArray[np.uint8]) -> Floats:
    """The "optimistic" features `[n, 11]`: what a spectator sees of the two hands."""
    return np.column_stack([condensed(opener), condensed(responder)[:, 1:]])


def polynomial(features: Floats, order: int) -> Floats:
    """All monomials up to `order` of features whose first column is 1.

    Six columns become 21 at order 2 and 56 at order 3.
    """
    if order < 1:
        raise ValueError(f"polynomial order {order} is not positive")
    width = features.shape[1]
    expanded = np.empty((len(features), comb(width + order - 1, order)))
    for column, factors in enumerate(combinations_with_replacement(range(width), order)):
        expanded[:, column] = features[:, factors].prod(axis=1)
    return expanded
