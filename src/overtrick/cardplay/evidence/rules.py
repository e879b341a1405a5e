"""The quick word about the auction: how likely a hand makes its calls by what was agreed. The rules
of the declared system, else what was explained, else a belief network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.constants import (
    RULES_FLOOR,
    RULES_LOST,
    RULES_MISSED,
    RULES_SENSE,
    RULES_SOFT,
)
from overtrick.cardplay.evidence.beliefs import belief_likelihood
from overtrick.cardplay.evidence.ranges import auction_likelihood, explained
from overtrick.game import Seat, View
from overtrick.game.view import Systems
from overtrick.nets.belief import believed
from overtrick.systems import Reading, load
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import turned_vul
from overtrick.systems.system import declared
from overtrick.worlds.sets import as_mask
from overtrick.worlds.weighted import Floats, Worlds
from overtrick.worlds.witness import hidden_hands

NATURAL: Final = "sayc"  # whom we know nothing of bids by something like it


@dataclass(frozen=True, slots=True)
class RulesWitness:
    """The quick word about every hidden hand, and what it is taken for: half of it, say, where
    networks are asked after it."""

    trust: float = 1.0
    belief: float = 1.0
    shares: Mapping[Seat, float] = field(default_factory=dict)  # by seat, where not all of it
    cost: ClassVar = 1.0

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        out = np.zeros(len(worlds))
        for seat, hands in hidden_hands(view, worlds):
            word = self.trust * self.shares.get(seat, 1.0)
            out += word * agreed_likelihood(view, seat, hands, self.belief)
        return out


def declared_by(view: View, seat: int) -> str:
    """What a seat's side said it plays."""
    return view.systems.ours if (seat - view.seat) % 2 == 0 else view.systems.theirs


def book_of(view: View, seat: int) -> str:
    """The system of the library that a seat's side declared; '' for any other."""
    return _book(declared_by(view, seat))


def spoken(view: View) -> Systems:
    """The library's systems of both sides, natural where a side declared none of them."""
    ours, theirs = _book(view.systems.ours), _book(view.systems.theirs)
    return Systems(ours or NATURAL, theirs or NATURAL)


@lru_cache(maxsize=64)
def _book(text: str) -> str:
    return declared(text)


def agreed_likelihood(
    view: View, seat: Seat, bits: NDArray[np.uint64], belief: float = 1.0
) -> Floats:
    """log P(calls of `seat` | its hand) for many hands, up to a constant.

    Each call that the declared system would not make costs. Without a declared system, or where the
    system itself is at a loss, the disclosed ranges have to do; where nobody disclosed anything
    either, what a network believes after such an auction, as far as it is trusted.
    """
    if book_of(view, seat):
        return rules_likelihood(view, seat, bits)
    soft = auction_likelihood(view, seat, bits)
    if not belief or not believable(view, seat):
        return soft
    return RULES_SENSE * soft + belief * belief_likelihood(view, seat, bits)


def believable(view: View, seat: int) -> bool:
    """Is a belief network asked about a seat: no declared system, nothing explained, and it can be
    run?"""
    return not book_of(view, seat) and not explained(view) and believed(view) is not None


def rules_likelihood(view: View, seat: Seat, bits: NDArray[np.uint64]) -> Floats:
    """The same by rules alone, natural ones where the side declared none."""
    systems = spoken(view)
    missed = _missed(_reading(systems.ours, systems.theirs), view, seat, bits)
    soft = auction_likelihood(view, seat, bits)
    return np.where(missed, np.maximum(RULES_SOFT * soft - RULES_MISSED * missed, RULES_FLOOR), 0.0)


@lru_cache(maxsize=8)
def _reading(ours: str, theirs: str) -> Reading:
    mine = load(ours)
    return Reading(mine, load(theirs) if theirs != ours else mine)


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
            few = hit.bit_count() <= RULES_LOST
            out |= pool.by_call(reading, ctx, hit).get(call, 0) if few else hit
        elif option.call == call:
            out |= hit
    return as_mask(out, len(pool))
