"""Pairs of hands with their tricks or costs: reading, splitting, and the exact symmetries.

Hands are rows of 52 zeros and ones in house order (suit*13 + rank, C D H S, rank 2..A).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from overtrick.archives import arrays
from overtrick.notation.solved import SolvedDeals
from overtrick_lab.training.uncontested.costs import cost_vectors

Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Pairs:
    """N deals of one partnership: opener's hands, responder's hands, and costs of 36 contracts."""

    opener: Bits
    responder: Bits
    costs: npt.NDArray[np.floating | np.integer]

    def __len__(self) -> int:
        return len(self.opener)

    def take(self, index: npt.NDArray[np.integer]) -> Pairs:
        """The rows named by `index`."""
        return Pairs(self.opener[index], self.responder[index], self.costs[index])


@dataclass(frozen=True, slots=True)
class TabledDeals:
    """Double-dummy solved deals: `hands[n, seat, 52]` and `tricks[n, strain, declarer]`."""

    hands: Bits
    tricks: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.hands)

    def take(self, index: npt.NDArray[np.integer]) -> TabledDeals:
        """The deals named by `index`."""
        return TabledDeals(self.hands[index], self.tricks[index])


def read_solved(path: Path) -> TabledDeals:
    """Deals of a `double_dummy.npz`."""
    found = SolvedDeals.load(path)
    owned = found.owners[:, None, :] == np.arange(4, dtype=np.uint8)[:, None]
    return TabledDeals(owned.astype(np.uint8), found.tricks)


def read_published(path: Path) -> Pairs:
    """The published validation pairs of an `uncontested_costs.npz`: never train on these."""
    file = arrays(path, "hands", "cost")
    bits, cost = np.unpackbits(file["hands"], axis=1).reshape(-1, 2, 4, 13), file["cost"]
    hands = np.ascontiguousarray(bits[:, :, ::-1]).reshape(-1, 2, 52)
    return Pairs(hands[:, 0], hands[:, 1], cost)


def split(solved: TabledDeals, seed: int = 2015) -> tuple[TabledDeals, TabledDeals, TabledDeals]:
    """Train, validation and test deals: 80, 10 and 10 per cent."""
    order = np.random.default_rng(seed).permutation(len(solved))
    tenth = len(solved) // 10
    return (
        solved.take(order[2 * tenth :]),
        solved.take(order[:tenth]),
        solved.take(order[tenth : 2 * tenth]),
    )


def pairs(solved: TabledDeals, *, openers: Sequence[int] = (0,)) -> Pairs:
    """The partnerships of solved deals with each of the `openers` seats bidding first.

    `(0,)` is the paper's protocol (North opens); `(0, 1, 2, 3)` adds East–West and both roles.
    """
    parts = []
    for seat in openers:
        partner = (seat + 2) % 4
        best = solved.tricks[:, :, [seat, partner]].max(axis=2)
        parts.append(Pairs(solved.hands[:, seat], solved.hands[:, partner], cost_vectors(best)))
    return join(parts)


def join(parts: Sequence[Pairs]) -> Pairs:
    """Several sets of pairs as one."""
    return Pairs(
        np.concatenate([part.opener for part in parts]),
        np.concatenate([part.responder for part in parts]),
        np.concatenate([part.costs for part in parts]),
    )


def permute_suits(solved: TabledDeals, order: Sequence[int]) -> TabledDeals:
    """The deals with their suits renamed: new suit i is old suit `order[i]`."""
    if sorted(order) != [0, 1, 2, 3]:
        raise ValueError(f"suit order {tuple(order)} is not a permutation of 0..3")
    hands = solved.hands.reshape(-1, 4, 4, 13)[:, :, list(order)].reshape(-1, 4, 52)
    return TabledDeals(hands, solved.tricks[:, [*order, 4]])


def suit_orders() -> tuple[tuple[int, ...], ...]:
    """All 24 orders of the suits, the identity first."""
    return tuple(permutations(range(4)))


def training_pairs(solved: TabledDeals, *, copies: int, rng: np.random.Generator) -> Pairs:
    """Training pairs: North opening, plus `copies` more with random suits and opening seat."""
    parts = [pairs(solved)]
    orders = suit_orders()
    for _ in range(copies):
        order = orders[int(rng.integers(1, 24))]
        seat = int(rng.integers(4))
        parts.append(pairs(permute_suits(solved, order), openers=(seat,)))
    return join(parts)
