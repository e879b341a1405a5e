"""Cost-sensitive regression baselines on one hand, and their "optimistic" two-hand versions.

CSTSR predicts every contract's cost by ridge regression; CSOSR punishes only estimates on the wrong
side (too high for the best contract, too low for the others), here with a Gaussian kernel
approximated from landmarks and a squared one-sided loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
PENALTIES = tuple(10.0**power for power in range(-6, 4))


@dataclass(frozen=True, slots=True)
class Regression:
    """Linear cost estimates: weights `[dim, 36]`."""

    weights: Floats

    def choose(self, x: Floats) -> npt.NDArray[np.int64]:
        """The contract of least estimated cost."""
        return np.asarray((x @ self.weights).argmin(axis=1))

    def cost(self, x: Floats, costs: Floats) -> Floats:
        """Cost of the contract chosen on every row."""
        return np.asarray(costs[np.arange(len(x)), self.choose(x)])


def two_sided(x: Floats, costs: Floats, penalty: float) -> Regression:
    """CSTSR: ordinary ridge regression of all costs at once."""
    gram = x.T @ x + penalty * np.eye(x.shape[1])
    weights: Floats = np.asarray(np.linalg.solve(gram, x.T @ costs), dtype=np.float64)
    return Regression(weights)


def one_sided(x: Floats, costs: Floats, penalty: float, steps: int = 12) -> Regression:
    """CSOSR by Newton steps on the rows that are on the wrong side, one contract at a time."""
    best = costs.min(axis=1, keepdims=True)
    sign = np.where(costs <= best, 1.0, -1.0)  # +1: the estimate must not exceed the cost
    weights = two_sided(x, costs, penalty).weights
    ridge = penalty * np.eye(x.shape[1])
    for column in range(costs.shape[1]):
        target, side, vector = costs[:, column], sign[:, column], weights[:, column]
        previous = None
        for _ in range(steps):
            wrong = side * (x @ vector - target) > 0.0
            if previous is not None and np.array_equal(wrong, previous):
                break
            rows = x[wrong]
            fit = np.linalg.solve(rows.T @ rows + ridge, rows.T @ target[wrong])
            vector = np.asarray(fit, dtype=np.float64)
            previous = wrong
        weights[:, column] = vector
    return Regression(weights)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A Gaussian kernel of width `gamma` seen from landmark rows (Nyström's approximation)."""

    landmarks: Floats
    mixing: Floats  # whitens the landmarks' own kernel matrix
    gamma: float

    def expand(self, x: Floats) -> Floats:
        """Features `[n, size + 1]`, a constant first."""
        seen = _gaussian(x, self.landmarks, self.gamma) @ self.mixing
        return np.column_stack([np.ones(len(x)), seen])


def nystrom(x: Floats, gamma: float, size: int, rng: np.random.Generator) -> Kernel:
    """The kernel exp(-gamma |x-y|²) with `size` random rows of `x` as landmarks."""
    landmarks = x[rng.choice(len(x), min(size, len(x)), replace=False)]
    values, vectors = np.linalg.eigh(_gaussian(landmarks, landmarks, gamma))
    keep = values > 1e-9 * values[-1]
    return Kernel(landmarks, vectors[:, keep] / np.sqrt(values[keep]), gamma)


def _gaussian(x: Floats, y: Floats, gamma: float) -> Floats:
    square = (x * x).sum(axis=1)[:, None] + (y * y).sum(axis=1) - 2.0 * (x @ y.T)
    return np.asarray(np.exp(-gamma * square))
