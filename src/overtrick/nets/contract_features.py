"""The hundred inputs of the paper's contract nets: lengths, honours and pre-computed features.
Seats count from declarer.

Twenty numbers for each suit (trumps first in a suit contract) and twenty for the whole deal:

    suit    lengths of declarer, LHO, dummy, RHO; who of the three others than RHO holds A, K, Q;
            does our side hold J, T; quick tricks of both sides; losers of declarer and dummy;
            length together
    deal    high-card points and controls of each hand; points together; short-suit points of
            declarer and dummy; ruffs in dummy and hand; balance; combined quick tricks; trumps
            of the longer and shorter hand, the opponents' longer one
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

FEATURES: Final = 1
"""Version of the inputs; stored with the weights."""
INPUTS: Final = 100
PER_SUIT: Final = 20
_KINDS: Final = 11  # columns kept for each hand and suit
_LENGTH, _A, _K, _Q, _J, _T, _HCP, _CONTROLS, _QUICK, _LOSERS, _SHORT = range(_KINDS)
Floats = NDArray[np.float32]


@cache
def _tables() -> Floats:
    """[8192 holdings, columns] of one suit in one hand."""
    holding = np.arange(8192)
    bits = (holding[:, None] >> np.arange(13) & 1).astype(np.float32)
    a, k, q, j, t = (bits[:, r] for r in (12, 11, 10, 9, 8))
    length = bits.sum(axis=1)
    quick = np.where(a * k, 2, np.where(a * q, 1.5, np.where(a + k * q > 0, 1, 0)))
    quick = np.where((quick == 0) & (k > 0) & (length >= 2), 0.5, quick)
    losers = np.minimum(length, 3) - a - k * (length >= 2) - q * (length >= 3)
    short = np.maximum(0, 3 - length)
    columns = [length, a, k, q, j, t, 4 * a + 3 * k + 2 * q + j, 2 * a + k, quick, losers, short]
    return np.stack(columns, axis=1).astype(np.float32)


def suit_columns(hands: NDArray[np.uint64]) -> Floats:
    """[n, seat, suit, column] of deals [n, seat]."""
    shifts = np.arange(4, dtype=np.uint64) * np.uint64(13)
    holding = (hands[:, :, None] >> shifts & np.uint64(0x1FFF)).astype(np.intp)
    found: Floats = _tables()[holding]
    return found


def view_from(
    columns: Floats, strain: int, declarer: int, order: tuple[int, int, int, int] | None = None
) -> Floats:
    """The inputs [n, 100] as declarer sees them; `order` arranges the suits (trumps first)."""
    if order is None:
        order = suit_order(strain)
    seats = [(declarer + i) % 4 for i in range(4)]
    return inputs_of(columns[:, seats][:, :, list(order)], notrump=strain == 4)


def suit_order(strain: int) -> tuple[int, int, int, int]:
    """Trumps first, then the others from the top; from the top at notrump."""
    if strain == 4:
        return (3, 2, 1, 0)
    a, b, c = (s for s in (3, 2, 1, 0) if s != strain)
    return (strain, a, b, c)


def inputs_of(seen: Floats, *, notrump: bool) -> Floats:
    """Columns [n, seat from declarer, suit in order, column] as the net's inputs [n, 100]."""
    out = np.empty((len(seen), INPUTS), np.float32)
    me, left, dummy, right = (seen[:, i] for i in range(4))
    ours = me + dummy
    for suit in range(4):
        at = suit * PER_SUIT
        for i, hand in enumerate((me, left, dummy, right)):
            out[:, at + i] = hand[:, suit, _LENGTH] / 4
        for i, honour in enumerate((_A, _K, _Q)):
            for j, hand in enumerate((me, left, dummy)):
                out[:, at + 4 + 3 * i + j] = hand[:, suit, honour]
        out[:, at + 13] = ours[:, suit, _J]
        out[:, at + 14] = ours[:, suit, _T]
        out[:, at + 15] = ours[:, suit, _QUICK]
        out[:, at + 16] = left[:, suit, _QUICK] + right[:, suit, _QUICK]
        out[:, at + 17] = me[:, suit, _LOSERS]
        out[:, at + 18] = dummy[:, suit, _LOSERS]
        out[:, at + 19] = ours[:, suit, _LENGTH] / 8
    out[:, 80:] = _whole(seen, notrump)
    return out


def _whole(seen: Floats, notrump: bool) -> Floats:
    """The twenty inputs about the deal as a whole."""
    total = seen.sum(axis=2)  # [n, seat, column]
    hcp, controls = total[:, :, _HCP] / 10, total[:, :, _CONTROLS] / 4
    together = hcp[:, 0] + hcp[:, 2]
    lengths = seen[:, :, :, _LENGTH]
    side = slice(0, 4) if notrump else slice(1, 4)
    short = np.maximum(0, 3 - lengths[:, :, side]).sum(axis=2) / 3
    trumps = lengths[:, :, 0] * (0.0 if notrump else 1.0)
    ruffs = np.minimum(short, trumps)
    flat = (lengths.max(axis=2) <= 5) & (lengths.min(axis=2) >= 2)
    longest = lengths.max(axis=2) / 4
    parts = [
        *hcp.T, *controls.T, together - 2, short[:, 0], short[:, 2], ruffs[:, 0], ruffs[:, 2],
        (total[:, 0, _QUICK] + total[:, 2, _QUICK]) / 4, flat[:, 0], flat[:, 2],
        longest[:, 0], longest[:, 2], longest[:, [1, 3]].max(axis=1),
        np.maximum(trumps[:, 1], trumps[:, 3]) / 4,
    ]  # fmt: skip
    return np.stack(parts, axis=1).astype(np.float32)
