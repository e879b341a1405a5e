"""Is a sample of deals biased? Distances to another sample on points, lengths and key cards.
Used to judge annealing against exact dealing, and by `benchmarks/pragma.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
from overtrick.game import Seat
from overtrick.game.cards import DECK, SUIT_SYMBOLS

Hands = NDArray[np.uint64]
KEY_CARDS: Final = tuple(13 * suit + rank for suit in range(4) for rank in (12, 11, 10))


@dataclass(frozen=True, slots=True)
class Bias:
    """Total-variation distances by what was counted; `noise` is what two fair samples of these
    sizes would show on average for the widest of them."""

    points: dict[Seat, float]
    lengths: dict[tuple[Seat, int], float]
    cards: dict[tuple[Seat, int], float]
    noise: float

    @property
    def worst(self) -> float:
        """The largest distance on points or lengths."""
        return max([*self.points.values(), *self.lengths.values()], default=0.0)

    @property
    def worst_card(self) -> float:
        """The largest difference in how often a seat holds a key card."""
        return max(self.cards.values(), default=0.0)

    def rows(self) -> list[tuple[str, float]]:
        """Everything in words, largest first."""
        named = [(f"{s} hcp", v) for s, v in self.points.items()]
        named += [(f"{s} {SUIT_SYMBOLS[u]} length", v) for (s, u), v in self.lengths.items()]
        named += [(f"{s} {DECK[c]}", v) for (s, c), v in self.cards.items()]
        return sorted(named, key=lambda pair: -pair[1])


def total_variation(a: NDArray[np.integer], b: NDArray[np.integer]) -> float:
    """Half the sum of differences between two distributions of whole numbers."""
    size = int(max(a.max(initial=0), b.max(initial=0))) + 1
    one, two = np.bincount(a, minlength=size) / len(a), np.bincount(b, minlength=size) / len(b)
    return float(np.abs(one - two).sum() / 2)


def bias(sample: Hands, truth: Hands) -> Bias:
    """Distances between two samples of deals [n, seat]; seats that never change are left out."""
    seats = [s for s in Seat if len(np.unique(truth[:64, s])) > 1]
    points: dict[Seat, float] = {}
    lengths: dict[tuple[Seat, int], float] = {}
    cards: dict[tuple[Seat, int], float] = {}
    noise = 0.0
    for seat in seats:
        a, b = HandArray(sample[:, seat]), HandArray(truth[:, seat])
        hcp = [np.asarray(feature("HCP")(x), np.int64) for x in (a, b)]
        points[seat] = total_variation(*hcp)
        noise = max(noise, _expected(hcp[1], len(a), len(b)))
        for suit in range(4):
            column = [np.asarray(x.look("length", suit), np.int64) for x in (a, b)]
            lengths[seat, suit] = total_variation(*column)
        for card in KEY_CARDS:
            held = [float((x.bits >> np.uint64(card) & np.uint64(1)).mean()) for x in (a, b)]
            cards[seat, card] = abs(held[0] - held[1])
    return Bias(points, lengths, cards, noise)


def _expected(column: NDArray[np.int64], n: int, m: int) -> float:
    """Mean distance of two samples of n and m from this distribution (normal approximation)."""
    share = np.bincount(column) / len(column)
    deviation = np.sqrt(share * (1 - share) * (1 / n + 1 / m))
    return float(deviation.sum() * np.sqrt(2 / np.pi) / 2)
