"""How likely a hand makes its calls: the rules are asked when the systems are declared, a belief
network when nobody explained anything."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.believed import belief_likelihood
from overtrick.cardplay.reading import Floats, auction_likelihood, explained
from overtrick.game import Seat, View
from overtrick.nets.belief import believed
from overtrick.systems import Reading, load
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import turned_vul
from overtrick.systems.system import declared
from overtrick.worlds.sets import as_mask

_MISSED: Final = 4.5  # a call the system would not make with this hand is so unlikely (log)
_SOFT: Final = 0.5  # of what the ranges say about such a hand, so that near misses stay nearer
_FLOOR: Final = -16.0
_SENSE: Final = 0.7  # of what common sense says counts beside the network
_LOST: Final = 100  # hands without a rule that are asked one by one


@lru_cache(maxsize=8)
def _reading(ours: str, theirs: str) -> Reading | None:
    ours, theirs = declared(ours), declared(theirs)
    if not ours or not theirs:
        return None
    mine = load(ours)
    return Reading(mine, load(theirs) if theirs != ours else mine)


def agreed_reading(view: View) -> Reading | None:
    """The two declared systems, ours first; None when one of them is not in the library."""
    return _reading(view.systems.ours, view.systems.theirs)


def agreed_likelihood(
    view: View, seat: Seat, bits: NDArray[np.uint64], belief: float = 1.0
) -> Floats:
    """log P(calls of `seat` | its hand) for many hands, up to a constant.

    Each call that the declared system would not make costs. Without declared systems, or where the
    system itself is at a loss, the disclosed ranges have to do; where nobody disclosed anything
    either, what a network believes after such an auction, as far as it is trusted.
    """
    soft = auction_likelihood(view, seat, bits)
    reading = agreed_reading(view)
    if reading is not None:
        missed = _missed(reading, view, seat, bits)
        return np.where(missed, np.maximum(_SOFT * soft - _MISSED * missed, _FLOOR), 0.0)
    if not belief or not believable(view):
        return soft
    return _SENSE * soft + belief * belief_likelihood(view, seat, bits)


def believable(view: View) -> bool:
    """Is a belief network asked: no declared systems, nothing explained, and it can be run?"""
    return agreed_reading(view) is None and not explained(view) and believed(view) is not None


def _missed(
    reading: Reading, view: View, seat: Seat, bits: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """How many of the seat's calls the system would not make with each hand."""
    vul = turned_vul(view.vul, view.dealer)
    first = int(view.dealer & 1 != view.seat & 1)  # whose system the dealer's side plays
    calls = tuple(int(c) for c in view.auction.calls)
    pool = Pool(bits)
    missed = np.zeros(len(bits), np.int64)
    for i in range((seat - view.dealer) & 3, len(calls), 4):
        missed += ~_makes(pool, reading, reading.context(calls[:i], vul, first), calls[i])
    return missed


def _makes(pool: Pool, reading: Reading, ctx: Context, call: int) -> NDArray[np.bool_]:
    """Which hands make the call by the rules.

    Where no rule fits, hands are asked one by one, so that in auctions outside the system, where
    that is most of them, they get the benefit of the doubt.
    """
    out = 0
    for option, hit in pool.chosen(reading, ctx):
        if option is None:
            few = hit.bit_count() <= _LOST
            out |= pool.by_call(reading, ctx, hit).get(call, 0) if few else hit
        elif option.call == call:
            out |= hit
    return as_mask(out, len(pool))
