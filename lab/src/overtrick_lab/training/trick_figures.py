"""How good a distribution of tricks is: its median, its log loss, its calibration by decile.
Numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.nets.contract import at_least

Chances = NDArray[np.floating[Any]]
"""P(exactly 0 .. 13 tricks) along the last axis."""
Tricks = NDArray[np.integer[Any]]


def median(chances: Chances) -> NDArray[np.int64]:
    """The number of tricks that is reached or missed with equal chance."""
    return np.asarray((chances.cumsum(axis=-1) < 0.5).sum(axis=-1))


def log_loss(chances: Chances, tricks: Tricks) -> float:
    """-log P(what happened), on average."""
    taken = np.take_along_axis(chances, tricks[..., None].astype(np.int64), axis=-1)
    return float(-np.log(np.maximum(taken, 1e-9)).mean())


def by_decile(chances: Chances, tricks: Tricks) -> NDArray[np.float64]:
    """[10, 3] by decile of P(at least 1 .. 13 tricks): said and happened on average, how many."""
    said = at_least(np.asarray(chances, dtype=np.float64))[..., 1:].reshape(-1)
    happened = (tricks[..., None] >= np.arange(1, 14)).reshape(-1)
    decile = np.clip((said * 10).astype(np.int64), 0, 9)
    counts = np.bincount(decile, minlength=10)
    sums = [np.bincount(decile, weights, minlength=10) for weights in (said, happened)]
    return np.stack([*(total / np.maximum(counts, 1) for total in sums), counts], axis=1)


def calibration(chances: Chances, tricks: Tricks) -> list[dict[str, float | int]]:
    """The deciles in which something was said, as a card has them."""
    return [
        {"said": round(said, 4), "happened": round(happened, 4), "n": int(count)}
        for said, happened, count in by_decile(chances, tricks).tolist()
        if count
    ]


def measured(table: Chances, tricks: Tricks) -> dict[str, Any]:
    """Errors, log-loss and calibration of a table [n, strain, declarer, 14]."""
    off = np.abs(median(table) - tricks)
    return {
        "deals": len(tricks),
        "mean_absolute_error": round(float(off.mean()), 4),
        "notrump_error": round(float(off[:, 4].mean()), 4),
        "suit_error": round(float(off[:, :4].mean()), 4),
        "log_loss": round(log_loss(table, tricks), 4),
        "calibration": calibration(table, tricks),
    }
