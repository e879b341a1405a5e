"""A picture of calibration: what nets said against what happened, one line for each net.
Used by `benchmarks/pragma.py` for the contract nets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from overtrick.training.data import DataError


def draw(nets: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Write a picture; each net's rows have `said`, `happened` and `n` by decile."""
    try:
        import matplotlib
    except ImportError:
        raise DataError("pictures need matplotlib: pip install 'overtrick[plots]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4))
    left.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, rows in nets.items():
        said = [row["said"] for row in rows]
        off = [100 * (row["happened"] - row["said"]) for row in rows]
        left.plot(said, [row["happened"] for row in rows], "o-", markersize=3, label=name)
        right.plot(said, off, "o-", markersize=3, label=name)
    left.set_xlabel("said: P(at least k tricks)")
    left.set_ylabel("happened")
    left.legend()
    right.axhspan(-2, 2, color="0.93")
    right.axhline(0, color="0.7", linewidth=1)
    right.set_xlabel("said")
    right.set_ylabel("happened − said, points")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
