"""Hands drawn as a belief says who holds which card (`nets.belief`), with their densities.

The density is what turns the auction's likelihood into an importance weight. With a flat belief
every deal is equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.nets.belief import LEAST
from overtrick.worlds.tellers import Draw
from overtrick.worlds.weighted import Deals


def by_belief(
    seat: int, beliefs: NDArray[np.float64], order: Sequence[int], rng: Generator
) -> Draw:
    """Hands drawn card by card: P(mine) ∝ belief × places left, so a flat belief deals fairly.

    The hand of `order[0]` is drawn against both others, that of `order[1]` against the last.
    """

    def draw(whose: int, free: Deals) -> tuple[Deals, NDArray[np.float64]]:
        mine = beliefs[:, (whose - seat) % 4 - 1]
        if whose == order[0]:
            odds, others = mine / np.maximum((1 - mine) / 2, LEAST), 26
        else:
            last = beliefs[:, (order[2] - seat) % 4 - 1]
            odds, others = mine / np.maximum(last, LEAST), 13
        hands, density = _drawn(free, odds, others, rng)
        return hands, -density

    return draw


def _drawn(
    free: Deals, odds: NDArray[np.float64], other_places: int, rng: Generator
) -> tuple[Deals, NDArray[np.float64]]:
    """Thirteen of each row's free cards, and the log densities.

    `odds` are those that a card is theirs, per place; the others have `other_places`. Honours go
    first: they say most.
    """
    count = len(free)
    hands = np.zeros(count, np.uint64)
    places, others = np.full(count, 13.0), np.full(count, float(other_places))
    density = np.zeros(count)
    order = sorted(range(52), key=lambda c: (-(c % 13), c))
    draws = rng.random((52, count))
    for card in order:
        open_here = (free >> np.uint64(card) & np.uint64(1)).astype(bool)
        if not open_here.any():
            continue
        weight = odds[card] * places
        chance = weight / np.maximum(weight + others, LEAST)
        theirs = (draws[card] < chance) & open_here
        density += np.log(np.where(theirs, chance, np.where(open_here, 1 - chance, 1.0)))
        hands[theirs] |= np.uint64(1 << card)
        places -= theirs
        others -= open_here & ~theirs
    return hands, density
