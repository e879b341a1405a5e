"""Weighted worlds: deals that could be with the log of how much each counts, and fair smaller sets.

Samplers of the whole house draw through the two functions below, so that "in proportion to the
weights" means the same everywhere: `systematic` repeats places, `fewer` never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature

Deals = NDArray[np.uint64]
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Worlds:
    """Deals [n, seat] as 52-bit hands, and the logs of their weights (up to a common constant).

    A bidder's are whole deals, a card player's the cards that are left. `complete` says that every
    possible one is here, and `drawn` of how many independent ones they were chosen, where that is
    not what their own weights say.
    """

    deals: Deals
    logs: Floats
    complete: bool = False
    drawn: float = 0.0

    @classmethod
    def weighing(
        cls, deals: Deals, shares: Floats, complete: bool = False, drawn: float = 0.0
    ) -> Worlds:
        """Worlds by weights that sum to 1. They are kept to the last digit, which the way through
        their logs would change."""
        with np.errstate(divide="ignore"):
            found = cls(deals, np.log(shares), complete, drawn)
        vars(found)["shares"] = shares
        return found

    @classmethod
    def even(cls, deals: Deals) -> Worlds:
        """Worlds that all count the same."""
        return cls(deals, np.zeros(len(deals)))

    @classmethod
    def joined(cls, parts: Sequence[Worlds]) -> Worlds:
        """Worlds drawn in several rounds, as one set."""
        if not parts:
            return cls.even(np.zeros((0, 4), np.uint64))
        logs = np.concatenate([p.logs for p in parts])
        return cls(np.concatenate([p.deals for p in parts]), logs)

    def __len__(self) -> int:
        return len(self.deals)

    @cached_property
    def shares(self) -> Floats:
        """The weights, made to sum to 1."""
        return shares_of(self.logs)

    @property
    def effective(self) -> float:
        """How many equally weighted worlds these are worth."""
        return self.drawn or effective(self.logs)

    def weighed(self, logs: Floats) -> Worlds:
        """The same worlds after more evidence."""
        return Worlds(self.deals, self.logs + logs, self.complete)

    def part(self, start: int, stop: int) -> Worlds:
        """Some of the worlds, in the order they were drawn."""
        shares = self.shares[start:stop]
        return Worlds.weighing(
            self.deals[start:stop], shares / shares.sum(), self.complete, self.drawn
        )

    def taken(self, rows: Rows) -> Worlds:
        return Worlds(self.deals[rows], self.logs[rows])

    def resampled(self, count: int, rng: Generator) -> Worlds:
        """`count` worlds of equal weight, each as often as it weighs."""
        rows = systematic(np.exp(self.logs - self.logs.max()), count, rng)
        return Worlds.even(self.deals[rows])

    def fewer(self, most: int, rng: Generator) -> Worlds:
        """At most so many different worlds that stand for all; hopeless ones are left out."""
        alive = np.flatnonzero(np.isfinite(self.logs))
        if len(alive) <= most:
            return self.taken(alive)
        top = self.logs[alive].max()
        weights = np.exp(self.logs[alive] - top)
        rows, shares = fewer(weights, most, rng)
        return Worlds(self.deals[alive[rows]], top + np.log(shares * weights.sum()))

    def thinned(self, most: int, rng: Generator, dealt: int = 1) -> Worlds:
        """The same, and the mean weight stays with them, of so many that were dealt at first: sets
        that fit better than others go on doing so when they are joined."""
        rows, shares = fewer(self.shares, most, rng)
        top = float(self.logs.max())
        level = top + float(np.log(np.exp(self.logs - top).sum() / dealt))
        return Worlds(self.deals[rows], np.log(shares) + level)

    def described(self, seat: int) -> dict[str, Any]:
        """What they say about one hand: expected HCP, lengths by suit, who may hold which card."""
        hands, shares = self.deals[:, seat], self.shares
        array = HandArray(hands)
        hcp = np.asarray(feature("HCP")(array), dtype=float)
        mean = float(shares @ hcp)
        cards = (hands[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
        return {
            "hcp": mean,
            "hcp_deviation": float(np.sqrt(shares @ (hcp - mean) ** 2)),
            "lengths": [
                np.bincount(np.asarray(array.look("length", suit), np.int64), shares, 14).tolist()
                for suit in range(4)
            ],
            "cards": (shares @ cards.astype(float)).tolist(),
        }


def shares_of(logs: Floats) -> Floats:
    """Weights that sum to 1, from their logs."""
    if not len(logs):
        return np.zeros(0)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def effective(logs: Floats) -> float:
    """How many equal weights these are worth."""
    return float(1 / (shares_of(logs) ** 2).sum()) if len(logs) else 0.0


def systematic(weights: Floats, count: int, rng: Generator) -> Rows:
    """`count` places in proportion to the weights, with as little chance in it as possible."""
    marks = (np.arange(count) + rng.random()) * weights.sum() / count
    found = np.searchsorted(np.cumsum(weights), marks)
    return np.asarray(np.minimum(found, len(weights) - 1))


def fewer(weights: Floats, most: int, rng: Generator) -> tuple[Rows, Floats]:
    """At most so many different places and their shares: heavy ones as they are, the others drawn
    and made equal.

    Fearnhead and Clifford's scheme: unbiased, and nothing is drawn that can be kept.
    """
    if len(weights) <= most:
        return np.arange(len(weights)), weights / weights.sum()
    order = np.argsort(-weights, kind="stable")  # ties are many, and must not depend on the CPU
    falling = weights[order]
    rest = falling.sum() - np.concatenate([[0.0], np.cumsum(falling)[:-1]])
    light = rest <= falling * (most - np.arange(len(falling)))  # still above an even share
    heavy = int(np.argmin(light)) if not light.all() else len(falling)
    kept = order[:heavy]
    room = most - heavy
    if not room:
        return kept, weights[kept] / weights[kept].sum()
    others = rng.permutation(order[heavy:])
    total = float(weights[others].sum())
    picked, copies = np.unique(systematic(weights[others], room, rng), return_counts=True)
    share = np.concatenate([weights[kept], copies * total / room])
    return np.concatenate([kept, others[picked]]), share / share.sum()
