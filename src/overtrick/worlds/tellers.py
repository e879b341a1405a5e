"""Deals drawn hand by hand, the seat that told most first, so that fitting deals are found after
long auctions: a hand that would not have bid like that is dropped before the others are dealt.

How a hand is drawn and what becomes of it are the caller's: by a belief network or at random,
weighed by chances (bidding.bmcs, cardplay's leads) or tested against rules (worlds.consistent).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.random import Generator

from overtrick.game.cards import ALL_CARDS
from overtrick.worlds.splitting import choose
from overtrick.worlds.weighted import Deals, Floats, Worlds

Draw = Callable[[int, Deals], tuple[Deals, Floats | float]]
"""A seat and the cards free in each row: its hand in each row, and log(1 / density)."""
Judge = Callable[[int, Worlds], Worlds]
"""A seat that has just been dealt its hand, and the rows: those that go on, with new weights."""


def teller_first(start: Worlds, order: Sequence[int], draw: Draw, judge: Judge) -> Worlds:
    """Deal the seats of `order` one after another; the last gets what is left.

    `start` has the known hands, and 0 for hands not dealt yet. After each hand `judge` says which
    rows go on and how often. An empty result means that no row went on.
    """
    now = start
    for place, seat in enumerate(order):
        free = np.uint64(ALL_CARDS) & ~np.bitwise_or.reduce(now.deals, axis=1)
        last = place == len(order) - 1
        cards, logs = (free, 0.0) if last else draw(seat, free)
        deals = now.deals.copy()
        deals[:, seat] = cards
        now = judge(seat, Worlds(deals, now.logs + logs))
        if not len(now):
            return Worlds.even(np.zeros((0, 4), np.uint64))
    return now


def at_random(rng: Generator) -> Draw:
    """Thirteen of the free cards, all sets equally likely."""
    return lambda _, free: (choose(rng, free, 13), 0.0)


def most_telling(told: Mapping[int, float]) -> list[int]:
    """Seats by how much they have told, most first; equal ones in the order given."""
    return sorted(told, key=lambda seat: -told[seat])


def holding(seat: int, hand: int, count: int) -> Worlds:
    """`count` rows in which only one hand is known."""
    deals = np.zeros((count, 4), np.uint64)
    deals[:, seat] = hand
    return Worlds.even(deals)
