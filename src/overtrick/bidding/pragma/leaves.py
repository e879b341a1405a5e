"""What contracts are worth in each R-deal: tricks by network, IMPs against what is expected.
Used by pragma's knowledge sources at the leaves of their trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.rollout import Ending, Worlds
from overtrick.nets.contract import ContractModel, imps_of, score_table

Floats = NDArray[np.float64]
Contract = tuple[int, int, int]
"""Bid (-1: passed out), declarer, doubling."""


class Leaves:
    """Values of contracts in worlds, for one side; computed once for each contract.

    `reference` is the score the side expects in each world (nothing until `refer` is called):
    values are IMPs against it.
    """

    __slots__ = ("_kept", "_scores", "_table", "_vul", "reference", "side")

    def __init__(self, worlds: Worlds, model: ContractModel, vul: int, side: int) -> None:
        self._table = model.table(worlds.hands)
        self._vul, self.side = vul, side
        self.reference: Floats = np.zeros(len(worlds))
        self._scores: dict[Contract, tuple[Floats, Floats]] = {}
        self._kept: dict[Contract, Floats] = {}

    def refer(self, reference: Floats) -> None:
        """Compare with these scores from now on."""
        self.reference = reference
        self._kept.clear()

    def chances(self, contract: Contract) -> Floats:
        """P(tricks = 0..13) in each world."""
        bid, declarer, _ = contract
        found: Floats = self._table[:, bid % 5, declarer]
        return found

    def _outcomes(self, contract: Contract) -> tuple[Floats, Floats]:
        """Scores for the side by tricks [14], and their mean in each world."""
        found = self._scores.get(contract)
        if found is None:
            bid, declarer, doubled = contract
            if bid < 0:
                found = np.zeros(14), np.zeros(len(self._table))
            else:
                sign = 1.0 if declarer & 1 == self.side else -1.0
                scores = sign * score_table()[bid, doubled, self._vul >> (declarer & 1) & 1]
                found = scores, self.chances(contract) @ scores
            self._scores[contract] = found
        return found

    def score(self, contract: Contract) -> Floats:
        """Expected score for the side in each world."""
        return self._outcomes(contract)[1]

    def imps(self, contract: Contract) -> Floats:
        """Expected IMPs against the reference in each world."""
        found = self._kept.get(contract)
        if found is None:
            if contract[0] < 0:
                found = imps_of(-self.reference)
            else:
                scores, _ = self._outcomes(contract)
                swings = imps_of(scores[None] - self.reference[:, None])
                found = np.asarray((swings * self.chances(contract)).sum(axis=1))
            self._kept[contract] = found
        return found


def reference_of(leaves: Leaves, worlds: Worlds, plan: list[Ending]) -> Floats:
    """The score each world expects when everybody follows the rules from here."""
    out = np.zeros(len(worlds))
    for ending in plan:
        rows = worlds.rows(ending.worlds)
        out[rows] = leaves.score(ending.contract)[rows]
    return out
