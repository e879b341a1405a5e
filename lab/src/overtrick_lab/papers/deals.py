"""Where the deals of an experiment come from: the data that ships with a clone, or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from overtrick_lab.training.data import DataError

SHIPPED: Final = Path("data") / "solved_deals.npz"


def solved_deals(folder: Path | None) -> Path:
    """A file of solved deals: `double_dummy.npz` or `solved_deals.npz` of a folder, or ours."""
    tried = [SHIPPED] if folder is None else [folder / "double_dummy.npz", folder / SHIPPED.name]
    for path in tried:
        if path.exists():
            return path
    raise DataError(
        f"there is no {tried[0]}: run this in a clone of the repository, give --data a folder "
        "with double_dummy.npz, or make one with overtrick label"
    )


def published_pairs(folder: Path | None) -> Path | None:
    """The published uncontested pairs, where somebody has them."""
    path = None if folder is None else folder / "uncontested_costs.npz"
    return path if path is not None and path.exists() else None
