"""Contract scores and IMP cost vectors of the uncontested bidding game, from double-dummy tricks.
The rule reproduces the published cost vectors.

A contract is an index 0..35: 0 is Pass, 1..35 are 1C, 1D, 1H, 1S, 1NT, 2C … 7NT.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from overtrick.game import points
from overtrick_lab.uncontested.census import call_of
from overtrick_lab.uncontested.features import CONTRACTS

__all__ = [
    "CATEGORIES",
    "CONTRACTS",
    "IMP_EDGES",
    "MAX_COST",
    "category",
    "contract_name",
    "cost_vectors",
    "imps",
    "score",
    "score_table",
    "scores",
]

MAX_COST = 24
#: Upper edges of 0, 1, 2 … IMPs; a difference equal to an edge counts as one more.
IMP_EDGES = (
    10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490, 1740,
    1990, 2240, 2490, 2990, 3490, 3990,
)  # fmt: skip
CATEGORIES = ("pass", "partial", "game", "slam", "grand slam")


def contract_name(contract: int) -> str:
    """'Pass', '1C', … '7NT'."""
    if not 0 <= contract < CONTRACTS:
        raise ValueError(f"contract index {contract} is not in 0..35")
    return call_of(contract).ascii


def score(level: int, strain: int, tricks: int) -> int:
    """Non-vulnerable score of a contract; four or more down is assumed doubled."""
    doubled = level + 6 - tricks > 3
    return points(level, strain, int(doubled), False, tricks)


@cache
def score_table() -> npt.NDArray[np.int64]:
    """Scores `[contract, tricks]`, shape (36, 14); the Pass row is zero."""
    table = np.zeros((CONTRACTS, 14), dtype=np.int64)
    for contract in range(1, CONTRACTS):
        level, strain = divmod(contract - 1, 5)
        table[contract] = [score(level + 1, strain, tricks) for tricks in range(14)]
    table.setflags(write=False)
    return table


def scores(tricks: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Scores of all 36 contracts `[n, 36]` from the pair's tricks by strain `[n, 5]`.

    `tricks` holds, for C, D, H, S, NT, what the better placed partner takes as declarer.
    """
    table = score_table()
    strains = (np.arange(CONTRACTS) - 1) % 5  # Pass reads a strain too, its row is all zero
    return table[np.arange(CONTRACTS)[None, :], np.asarray(tricks)[:, strains]]


def imps(difference: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """IMPs of non-negative score differences, differences on an edge rounded up."""
    return np.searchsorted(np.array(IMP_EDGES), difference, side="right")


def cost_vectors(tricks: npt.NDArray[np.integer]) -> npt.NDArray[np.int8]:
    """Cost in IMPs `[n, 36]` of every contract against the pair's best one."""
    values = scores(tricks)
    return imps(values.max(axis=1, keepdims=True) - values).astype(np.int8)


def category(costs: npt.NDArray[np.floating | np.integer]) -> npt.NDArray[np.int64]:
    """Index into `CATEGORIES` of the cheapest contract of each row (the lowest on equal cost)."""
    best = np.asarray(costs).argmin(axis=1)
    level, strain = np.divmod(best - 1, 5)
    level += 1
    game = level * np.where(strain < 2, 20, 30) + np.where(strain == 4, 10, 0) >= 100
    kind = np.where(level == 7, 4, np.where(level == 6, 3, np.where(game, 2, 1)))
    return np.where(best == 0, 0, kind)
