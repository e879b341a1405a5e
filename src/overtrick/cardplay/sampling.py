"""Layouts of the hidden cards, dealt at random or listed in full: numpy arrays, no objects.
Two hidden hands after the opening lead, three before it."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.situation import Situation
from overtrick.game import BridgeError
from overtrick.game.cards import SUIT_BITS

Hands = NDArray[np.uint64]  # (n, 4): remaining cards of N, E, S, W
Floats = NDArray[np.float64]
_DEALT: Final = 20  # for each of the layouts that are to be different


class NoWorlds(BridgeError):
    """The cards cannot lie as they have been shown; somebody revoked."""


def count_layouts(at: Situation) -> int:
    """How many layouts of the hidden cards the play allows (three hidden hands: all of them)."""
    if len(at.hidden) == 2:
        free, first, _ = _two(at)
        return comb(free.bit_count(), first)
    total, left = 1, at.pool.bit_count()
    for seat in at.hidden:
        total *= comb(left, at.needs[seat])
        left -= at.needs[seat]
    return total


def deal_layouts(at: Situation, n: int, rng: Generator) -> Hands:
    """n layouts, independent and uniform among those that fit the cards and voids shown."""
    out = np.empty((n, 4), np.uint64)
    out[:] = np.array(at.known, np.uint64)
    if len(at.hidden) == 2:
        free, need, fixed = _two(at)
        one, other = at.hidden
        mine = choose(rng, free, need, n)
        out[:, one] = mine | np.uint64(fixed[0])
        out[:, other] = (mine ^ np.uint64(free)) | np.uint64(fixed[1])
        return out
    cards = np.array(bits_of(at.pool), np.uint64)
    order = np.argsort(rng.random((n, len(cards))), axis=1)
    start = 0
    for seat in at.hidden:
        stop = start + at.needs[seat]
        out[:, seat] = np.bitwise_or.reduce(cards[order[:, start:stop]], axis=1)
        start = stop
    return out


def all_layouts(at: Situation, limit: int) -> Hands | None:
    """Every layout, or None when there are more than `limit` or three hands are hidden."""
    if len(at.hidden) != 2 or count_layouts(at) > limit:
        return None
    free, need, fixed = _two(at)
    one, other = at.hidden
    picks = [sum(part) for part in combinations(bits_of(free), need)]
    out = np.empty((len(picks), 4), np.uint64)
    out[:] = np.array(at.known, np.uint64)
    mine = np.array(picks, np.uint64)
    out[:, one] = mine | np.uint64(fixed[0])
    out[:, other] = (mine ^ np.uint64(free)) | np.uint64(fixed[1])
    return out


def spread_layouts(at: Situation, n: int, rng: Generator) -> tuple[Hands, Floats]:
    """n layouts of two hidden hands with their weights, as different as possible: of every second
    one the suits break in another way, until all ways have come as often.

    What happens in one layout of a hundred is mostly a matter of how the suits break, and
    independent layouts would have to be hundreds to show it. The others are independent, because
    the rest is a matter of who has which card when they break as usual.
    """
    hands = deal_layouts(at, _DEALT * n, rng)
    mine = hands[:, at.hidden[0]]
    breaks = np.zeros(len(hands), np.int64)
    for suit in range(4):
        breaks = 16 * breaks + np.bitwise_count(mine & np.uint64(SUIT_BITS << 13 * suit))
    _, kind, often = np.unique(breaks, return_inverse=True, return_counts=True)
    order = np.argsort(kind, kind="stable")
    nth = np.empty(len(hands), np.int64)  # of its kind, in the order of dealing
    nth[order] = np.arange(len(hands)) - np.repeat(np.cumsum(often) - often, often)
    turns = np.stack([np.argsort(nth, kind="stable"), np.arange(len(hands))], axis=1).ravel()
    picked = turns[np.sort(np.unique(turns, return_index=True)[1])][:n]
    share = (often / np.bincount(kind[picked], minlength=len(often)).clip(1))[kind[picked]]
    return hands[picked], share / share.sum()


def choose(rng: Generator, cards: int, need: int, n: int) -> Hands:
    """n random subsets of `need` of these cards."""
    singles = np.array(bits_of(cards), np.uint64)
    if need == 0:
        return np.zeros(n, np.uint64)
    if need == len(singles):
        return np.full(n, cards, np.uint64)
    picked = np.argpartition(rng.random((n, len(singles))), need - 1, axis=1)[:, :need]
    found: Hands = np.bitwise_or.reduce(singles[picked], axis=1)
    return found


def bits_of(cards: int) -> list[int]:
    """The single bits of a set, lowest first."""
    out = []
    while cards:
        low = cards & -cards
        out.append(low)
        cards ^= low
    return out


def _two(at: Situation) -> tuple[int, int, tuple[int, int]]:
    """Free cards, how many of them the first hidden seat gets, and what voids give to each."""
    one, other = at.hidden
    both = at.pool & at.barred[one] & at.barred[other]
    first, second = at.pool & at.barred[other], at.pool & at.barred[one]
    free = at.pool & ~(first | second)
    need = at.needs[one] - first.bit_count()
    if both or not 0 <= need <= free.bit_count():
        raise NoWorlds("no layout fits the cards played: a seat that showed out has the suit")
    return free, need, (first, second)
