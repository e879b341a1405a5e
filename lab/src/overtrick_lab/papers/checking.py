"""Are a page's figures still what is measured? A run made again beside the cells kept with a page.

Figures are numbers with an error of their own. Where both runs have the same problems one by one,
their difference is taken problem by problem. The limit is two-sided at 5 % for all figures of a
check together (Bonferroni), so that a hundred of them do not cry wolf; beside it stands the
smallest change that a figure would have shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import NormalDist, stdev
from typing import Any, Final

from overtrick_lab.papers.cells import Cell

ERRORS: Final = {
    "imps": "error",
    "mean": "se_deals",
    "imps_per_board": "error",
    "loss": "error",
    "gain": "gain_error",
}
"""Names of figures, and of the error beside each."""
NOTICED: Final = 0.15
"""IMPs that a check should notice."""
_CHANCE: Final = 0.05
_EACH: Final = "by_problem"


@dataclass(frozen=True, slots=True)
class Remeasured:
    """A number of a page, and the same number measured again."""

    name: str
    page: float
    now: float
    error: float
    """Of the difference."""

    def allowed(self, figures: int) -> float:
        """How far they may be apart when so many are looked at together."""
        return NormalDist().inv_cdf(1 - _CHANCE / (2 * max(figures, 1))) * self.error

    def moved(self, figures: int) -> bool:
        return abs(self.now - self.page) > self.allowed(figures) + 1e-9


def figures(kept: dict[str, Cell], again: dict[str, Cell]) -> list[Remeasured]:
    """Every figure that both runs have."""
    return [
        figure
        for name in sorted(set(kept) & set(again))
        for figure in _pairs(name, kept[name], again[name])
    ]


def _pairs(name: str, kept: Any, again: Any) -> Iterator[Remeasured]:
    if isinstance(kept, dict) and isinstance(again, dict):
        for value, error in ERRORS.items():
            if value in kept and value in again and kept.get(error) is not None:
                yield _figure(name, kept, again, (value, error))
        for key in kept.keys() & again.keys():
            yield from _pairs(f"{name}/{key}", kept[key], again[key])
    elif isinstance(kept, list) and isinstance(again, list) and len(kept) == len(again):
        for number, (one, other) in enumerate(zip(kept, again, strict=True)):
            if isinstance(one, dict):
                yield from _pairs(f"{name}/{number}", one, other)


def _figure(name: str, kept: Cell, again: Cell, keys: tuple[str, str]) -> Remeasured:
    value, error = keys
    first, second = kept.get(_EACH), again.get(_EACH)
    if value == "imps" and first and second and len(first) == len(second) > 1:
        apart = [b - a for a, b in zip(first, second, strict=True)]
        spread = stdev(apart) / math.sqrt(len(apart))
    else:
        spread = math.hypot(float(kept[error]), float(again.get(error) or 0.0))
    label = "" if value == "imps" else f" ({value})"
    return Remeasured(f"{name}{label}", float(kept[value]), float(again[value]), spread)


def lines(found: Iterable[Remeasured], all_figures: int) -> list[dict[str, Any]]:
    """Every figure as plain data: what the page has, what is seen, whether it moved."""
    return [
        {
            "figure": one.name,
            "page": round(one.page, 4),
            "now": round(one.now, 4),
            "allowed": round(one.allowed(all_figures), 4),
            "moved": one.moved(all_figures),
            "notices": one.allowed(all_figures) <= NOTICED,
        }
        for one in found
    ]
