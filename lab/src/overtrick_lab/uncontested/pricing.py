"""What a contract will cost when both hands are known, and what a call is worth when one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from overtrick.archives import arrays
from overtrick_lab.uncontested.features import CONTRACTS, condensed_both, polynomial
from overtrick_lab.uncontested.models import Bits, Model, bid_out

Floats = npt.NDArray[np.float64]
_ORDER = 3
_DRAWN = 1500  # partner's hands tried for every estimate


@dataclass(frozen=True, slots=True)
class Price:
    """Ridge regression of the 36 costs on points and lengths of both hands, third order."""

    weights: npt.NDArray[np.float32]  # [286, 36]

    def costs(self, opener: Bits, responder: Bits) -> Floats:
        """Expected cost in IMPs `[n, 36]`, never below zero."""
        x = polynomial(condensed_both(opener, responder), _ORDER)
        return np.maximum(x @ self.weights, 0.0)

    def save(self, path: Path | IO[bytes]) -> None:
        """Write the weights."""
        np.savez_compressed(path, weights=self.weights)

    @staticmethod
    def load(path: Path | IO[bytes]) -> Price:
        """Read what `save` wrote."""
        return Price(arrays(path)["weights"])


@dataclass(frozen=True, slots=True)
class CallCost:
    """Mean cost of a call over partner's possible hands, with its standard error."""

    cost: float
    error: float


def partners(
    model: Model, hand: Bits, calls: Sequence[int], count: int, rng: np.random.Generator
) -> Bits:
    """Hands partner may hold: from the unseen cards, and making the calls partner made.

    When no drawn hand would have bid so, partner's calls are not believed.
    """
    unseen = np.flatnonzero(hand[0] == 0)
    order = rng.random((_DRAWN, len(unseen))).argpartition(13, axis=1)[:, :13]
    drawn = np.zeros((_DRAWN, 52), dtype=np.uint8)
    np.put_along_axis(drawn, unseen[order], 1, axis=1)
    rows = np.arange(_DRAWN)
    for turn in range((len(calls) + 1) % 2, len(calls), 2):
        made = model.values(drawn[rows], calls[:turn]).argmax(axis=1)
        rows = rows[made == calls[turn]]
        if not len(rows):
            return drawn[:count]
    return drawn[rows[:count]]


def estimates(
    sight: tuple[Model, Price], hand: Bits, calls: Sequence[int], options: Sequence[int],
    others: Bits,
) -> list[CallCost]:  # fmt: skip
    """What each of the calls `options` costs when both partners then go on as the model bids."""
    model, price = sight
    mine = np.repeat(hand, len(others), axis=0)
    opener, responder = (others, mine) if len(calls) % 2 else (mine, others)
    costs = price.costs(opener, responder)
    out = []
    for call in options:
        if not 0 <= call < CONTRACTS:
            raise ValueError(f"call index {call} is not in 0..35")
        contract, _ = bid_out(model, opener, responder, (*calls, call))
        values = costs[np.arange(len(costs)), contract]
        error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
        out.append(CallCost(float(values.mean()), error))
    return out
