"""How likely a hand makes the calls it made: disclosed ranges, and plain sense where none are.
Everything is a column of log-likelihoods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.constants import (
    RANGES_BROKEN,
    RANGES_FLOOR,
    RANGES_GUESSED,
    RANGES_PASSES,
    RANGES_PER_CARD,
    RANGES_PER_POINT,
    RANGES_SUREST,
)
from overtrick.game import PASS, Auction, Call, Meaning, Seat, View
from overtrick.game.cards import SUIT_BITS
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, ANY_LENGTHS, Lengths, Range
from overtrick.worlds import ALWAYS
from overtrick.worlds.weighted import Floats

NOT_KNOWN: Final = Meaning("not known", shows=ALWAYS)  # of calls that were made up
# How likely a hand enters the auction, a logit of points, lengths and shortness (`_enters`); fitted
# to 4,500 auctions of rules, points and policy bidders in equal parts.
_ENTERS: Final = {
    "1": (-4.2, 4.5, 0.4, 3.0, 2.3, 3.2, -0.8, 1.6, 1.1, 0.8, 1.6),
    "1 two": (-4.2, 3.3, 0.4, 2.2, 1.7, 1.3, 0.0, 0.7, 0.6, -0.4, 2.1),
    "1 nt": (-4.6, 2.2, 1.2, 2.1, 2.7, 3.4, 0.7, 0.9, -0.4, 1.1, 1.2),
    "2": (-2.9, 2.3, 0.1, 0.1, 0.6, 1.7, 0.2, 1.7, 0.7, 1.4, 1.0),
    "2 two": (-4.0, 2.2, 0.4, -1.8, 1.5, 0.2, -0.2, 0.9, 0.7, -0.6, 2.6),
    "3": (-3.9, 1.9, 1.4, -0.6, 0.8, 1.0, -0.1, 1.8, 1.1, 0.9, 1.4),
    "4": (-2.9, 1.0, 1.3, -0.7, 2.0, 1.2, 2.0, -0.3, -0.7, 0.4, 0.3),
}


@dataclass(frozen=True)
class Hands13:
    """Columns about many full hands: points and lengths, computed once."""

    bits: NDArray[np.uint64]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        suits = [
            np.bitwise_count(self.bits >> np.uint64(13 * s) & np.uint64(SUIT_BITS))
            for s in range(4)
        ]
        return np.stack(suits, axis=1).astype(np.int64)

    @cached_property
    def hcp(self) -> NDArray[np.int64]:
        total = np.zeros(len(self.bits), np.int64)
        for points, rank in ((4, 12), (3, 11), (2, 10), (1, 9)):
            mask = sum(1 << 13 * s + rank for s in range(4))
            total += points * np.bitwise_count(self.bits & np.uint64(mask)).astype(np.int64)
        return total


def auction_likelihood(view: View, seat: Seat, bits: NDArray[np.uint64]) -> Floats:
    """log P(calls of `seat` | its hand) for many hands, up to a constant."""
    hands = Hands13(bits)
    out = np.zeros(len(bits))
    for i, call in enumerate(view.auction.calls):
        if view.auction.seat_of(i) != seat:
            continue
        meaning = view.meanings[i] if i < len(view.meanings) else None
        told = meaning is not None and _tells(meaning)
        if meaning is not None and told:
            out += np.maximum(_outside(hands, meaning), RANGES_FLOOR)
        if not told or (meaning is not None and call == PASS and meaning.hcp[1] > RANGES_PASSES):
            natural = _natural(hands, _before(view.auction, i), call)
            out += np.maximum((1 if call == PASS else RANGES_GUESSED) * natural, RANGES_FLOOR)
    return np.maximum(out, 2 * RANGES_FLOOR)


def made_up(view: View) -> bool:
    """Is the auction only there to reach the contract?"""
    told = [m for m in view.meanings if m is not None]
    return bool(told) and all(m == NOT_KNOWN for m in told)


def explained(view: View) -> bool:
    """Has anybody else explained any call?"""
    return any(
        meaning is not None and _tells(meaning)
        for i, meaning in enumerate(view.meanings)
        if view.auction.seat_of(i) != view.seat
    )


def _tells(meaning: Meaning) -> bool:
    return meaning.hcp != ANY_HCP or meaning.lengths != ANY_LENGTHS or meaning.shows is not None


def _outside(hands: Hands13, meaning: Meaning) -> Floats:
    """0 inside what was shown, less with every point and card outside it."""
    out = _points(hands, meaning.hcp) + _cards(hands, meaning.lengths)
    mask = getattr(meaning.shows, "mask", None)
    if mask is not None:
        out -= RANGES_BROKEN * ~mask(hands.bits)
    return out


def _points(hands: Hands13, allowed: Range) -> Floats:
    if allowed == ANY_HCP:
        return np.zeros(len(hands.bits))
    off = np.maximum(allowed[0] - hands.hcp, hands.hcp - allowed[1])
    return -RANGES_PER_POINT * np.maximum(off, 0)


def _cards(hands: Hands13, allowed: Lengths) -> Floats:
    out = np.zeros(len(hands.bits))
    for suit, (low, high) in enumerate(allowed):
        if (low, high) != ANY_LENGTH:
            held = hands.lengths[:, suit]
            out -= RANGES_PER_CARD * np.maximum(np.maximum(low - held, held - high), 0)
    return out


@dataclass(frozen=True, slots=True)
class _Before:
    """The calls before one, as its maker saw them."""

    mine: tuple[Call, ...]
    partners: tuple[Call, ...]
    theirs: tuple[Call, ...]
    last: Call | None


def _before(auction: Auction, index: int) -> _Before:
    acts: dict[int, list[Call]] = {0: [], 1: [], 2: [], 3: []}
    last: Call | None = None
    seat = auction.seat_of(index)
    for i, call in enumerate(auction.calls[:index]):
        if call != PASS:
            acts[(auction.seat_of(i) - seat) & 3].append(call)
            last = call if call.is_bid else last
    return _Before(tuple(acts[0]), tuple(acts[2]), tuple(acts[1] + acts[3]), last)


def _natural(hands: Hands13, before: _Before, call: Call) -> Floats:
    """What most players mean by a call that nobody has explained."""
    if call == PASS:
        return _natural_pass(hands, before)
    none = np.zeros(len(hands.bits))
    if before.mine:  # later calls: only that a new suit is a suit
        if call.is_bid and call.strain < 4 and call.strain not in _suits(before.partners):
            return RANGES_PER_CARD * np.minimum(hands.lengths[:, int(call.strain)] - 4, 0) * 0.6
        return none
    if not call.is_bid:
        return _points(hands, (10, 37)) if before.theirs else none
    hcp, length = _shown(before, call)
    out = _points(hands, hcp)
    if call.strain < 4:
        out = out + RANGES_PER_CARD * np.minimum(hands.lengths[:, int(call.strain)] - length, 0)
    else:
        out = out + _cards(hands, ((2, 5),) * 4)
    return out


def _shown(before: _Before, call: Call) -> tuple[Range, int]:
    """Points and length of a first bid: opening, overcall, response or raise."""
    level, strain = call.level, int(call.strain)
    if before.partners:
        if strain in _suits(before.partners):
            return ((0, 37), (5, 10), (6, 12), (8, 16))[min(level, 4) - 1], 3
        if strain == 4:
            return ((6, 11), (10, 13), (12, 16), (12, 20))[min(level, 4) - 1], 0
        return ((5, 37) if level == 1 else (9, 37)), 4
    if before.theirs:
        if strain == 4:
            return (14, 19), 0
        return ((7, 17), (9, 17), (5, 14), (5, 14))[min(level, 4) - 1], 5 if level < 3 else 6
    if strain == 4:
        return ((15, 17), (20, 22), (24, 27), (10, 27))[min(level, 4) - 1], 0
    if level == 1:
        return (11, 21), 5 if strain >= 2 else 3
    if level == 2:
        return ((20, 37), 0) if strain == 0 else ((4, 11), 6)
    return (3, 11), 6


def _natural_pass(hands: Hands13, before: _Before) -> Floats:
    """A pass denies what would have been bid; strong hands and good suits seldom pass."""
    hcp = hands.hcp.astype(float)
    longest = hands.lengths.max(axis=1)
    if before.mine:
        return np.zeros(len(hcp))
    if not before.partners and not before.theirs:
        acts = _sigmoid(1.8 * (hcp + 0.4 * np.maximum(longest - 5, 0) - 11.6))
        return np.log1p(-np.minimum(acts, 0.97))
    if before.partners:
        if before.theirs and before.theirs[-1] > before.partners[-1]:
            acts = 0.8 * _sigmoid(1.0 * (hcp - 8.5))
        elif before.partners[0].is_bid and before.partners[0].level == 1:
            acts = 0.97 * _sigmoid(1.5 * (hcp - 5.5))
        else:
            return np.zeros(len(hcp))
        return np.log1p(-acts)
    return np.log1p(-np.minimum(_enters(hands, before), RANGES_SUREST))


def _enters(hands: Hands13, before: _Before) -> Floats:
    """The chance to double or overcall when only the other side has bid."""
    bids = [c for c in before.theirs if c.is_bid]
    weights = _ENTERS.get(_entry(bids))
    if weights is None:
        return np.zeros(len(hands.bits))
    theirs = sorted(_suits(before.theirs) - {4})
    others = [s for s in range(4) if s not in theirs]
    longest = hands.lengths[:, others].max(axis=1) if others else np.zeros(len(hands.bits))
    majors = [s for s in others if s >= 2]
    major = (hands.lengths[:, majors] >= 5).any(axis=1)
    shortest = hands.lengths[:, theirs].min(axis=1) if theirs else np.full(len(hands.bits), 3)
    strong = (hands.hcp - 10) / 5
    columns = (
        np.ones(len(strong)), strong, strong * abs(strong),
        longest >= 5, longest >= 6, longest >= 7, (longest >= 5) * strong,
        shortest <= 1, shortest == 2, (shortest <= 1) * strong, major,
    )  # fmt: skip
    return _sigmoid(np.stack(columns, axis=1).astype(float) @ np.array(weights))


def _entry(bids: list[Call]) -> str:
    """What has to be bid over: a level, and whether two suits were bid or notrump."""
    if not bids:
        return ""
    last = bids[-1]
    if last.strain == 4:
        return f"{last.level} nt"
    return f"{last.level} two" if len({c.strain for c in bids}) > 1 else f"{last.level}"


def _suits(calls: tuple[Call, ...]) -> set[int]:
    return {int(c.strain) for c in calls if c.is_bid}


def _sigmoid(x: Floats) -> Floats:
    out: Floats = 1 / (1 + np.exp(-x))
    return out
