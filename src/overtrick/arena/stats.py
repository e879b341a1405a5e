"""Honest statistics of a match: mean, standard error clustered by deal, interval, win
probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np


@dataclass(frozen=True, slots=True)
class Estimate:
    """IMPs per board of A over B.

    >>> Estimate(1.0, 0.25, 100, 100).better > 0.99
    True
    """

    mean: float
    error: float  # standard error of the mean
    boards: int
    clusters: int  # independent deals

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval (Student's t over the deals)."""
        half = student_95(self.clusters - 1) * self.error
        return (self.mean - half, self.mean + half)

    @property
    def better(self) -> float:
        """Probability that A is really the better side, given a flat prior."""
        if self.error == 0:
            return 0.5 if self.mean == 0 else float(self.mean > 0)
        return _normal(self.mean / self.error)

    def wins_match(self, boards: int) -> float:
        """Probability that A wins a match of so many boards (ties count half)."""
        if self.clusters < 2:
            return 0.5
        spread = self.error * sqrt(self.clusters)
        if spread == 0:
            return 0.5 if self.mean == 0 else float(self.mean > 0)
        return _normal(self.mean * sqrt(boards) / spread)

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_lines

        low, high = self.interval
        return html_lines(f"{self}\n95 % from {low:+.3f} to {high:+.3f}")

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f} IMPs/board ({self.boards} boards)"


def estimate(imps: Sequence[float], deals: Sequence[object] | None = None) -> Estimate:
    """Mean and standard error; results of the same deal are one cluster.

    With clusters of unequal size this is the ratio estimator with its linearised variance.

    >>> found = estimate([1, 2, 3, 2])
    >>> found.mean, round(found.error, 3)
    (2.0, 0.408)
    """
    values = np.asarray(imps, dtype=float)
    n = len(values)
    if n == 0:
        return Estimate(0.0, float("inf"), 0, 0)
    mean = float(values.mean())
    if deals is None:
        sums = values - mean
    else:
        index: dict[object, int] = {}
        groups = np.array([index.setdefault(d, len(index)) for d in deals])
        sums = np.zeros(len(index))
        np.add.at(sums, groups, values - mean)
    k = len(sums)
    if k < 2:
        return Estimate(mean, float("inf"), n, k)
    error = sqrt(float((sums**2).sum()) * k / (k - 1)) / n
    return Estimate(mean, error, n, k)


def student_95(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t (Cornish–Fisher; exact tables below 5)."""
    if degrees < 1:
        return float("inf")
    if degrees < 5:
        return (12.706, 4.303, 3.182, 2.776)[degrees - 1]
    z, v = 1.959964, float(degrees)
    z2 = z * z
    first = z * (z2 + 1) / (4 * v)
    second = z * ((5 * z2 + 16) * z2 + 3) / (96 * v * v)
    third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * v**3)
    return z + first + second + third


def _normal(z: float) -> float:
    return 0.5 * (1 + erf(z / sqrt(2)))
