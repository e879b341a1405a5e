"""What keeps the openings of a policy inside the system it declares while it grows stronger."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick_lab.training.data import DataError
from overtrick_lab.training.disclosure import ONE_LEVEL, PAPER_RL, Openings

LIGHT_GOAL: Final = 0.11
"""The guard keeps openings on 0-7 HCP under this share (15 % is the limit a gate accepts)."""


class OpeningGuard:
    """Weights on openings that break the declared system, each steered by its own measurement."""

    def __init__(self, first: float, goals: NDArray[np.float64]) -> None:
        self.weights: NDArray[np.float32] = np.full(6, first, dtype=np.float32)
        self._least = min(first, 0.002)  # a guard that begins at 0 stays off
        self._goals = goals

    def steer(self, seen: Openings) -> None:
        """Raise what is short of its goal, relax what has room."""
        short = np.array([seen.conforms[bid] for bid in ONE_LEVEL]) < self._goals
        breaks = np.append(short, seen.light_rate > LIGHT_GOAL)
        changed = self.weights * np.where(breaks, 1.5, 0.85)
        self.weights = np.clip(changed, self._least, 1.0).astype(np.float32)


def conformity_goals(conformity: str, lead: float) -> NDArray[np.float64]:
    """The share of each one-level opening that shall conform to the system: five percentages, or
    what the paper's policy has and a lead over it."""
    if not conformity:
        return np.array([PAPER_RL[bid] / 100 + lead for bid in ONE_LEVEL])
    try:
        goals = np.array([float(each) / 100 for each in conformity.split(",")])
    except ValueError:
        goals = np.empty(0)
    if len(goals) != len(ONE_LEVEL) or not ((goals >= 0) & (goals <= 1)).all():
        raise DataError(
            f"conformity is five percentages, for {', '.join(ONE_LEVEL)}: not {conformity}"
        )
    return goals
