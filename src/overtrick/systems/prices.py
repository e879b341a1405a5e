"""What switches cost and gain here, as it was measured: IMPs a deal, and how often a deal changes.

`prices.json` holds runs, each with its command, commit, machine and date: those of `gains`, written
by `benchmarks/cards.py prices`, and those of `benchmarks/screening.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("prices.json")


@dataclass(frozen=True, slots=True)
class SwitchPrice:
    """IMPs a deal, the mean of its two rooms, that a convention gains where it is played."""

    gain: float
    error: float
    deals: int
    changed: int  # deals in which the result differs

    @property
    def words(self) -> str:
        """Read aloud: what it gains in a thousand deals, and how often it matters."""
        if not self.changed:
            return f"changed no result in {self.deals:,} deals"
        per = self.deals / self.changed
        verb = "gained" if self.gain >= 0 else "cost"
        return (
            f"{verb} {abs(1000 * self.gain):.1f} ± {1000 * self.error:.1f} IMPs in a thousand "
            f"deals; one deal in {per:,.0f} ended otherwise ({self.deals:,} deals)"
        )


@lru_cache(maxsize=1)
def _runs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["runs"]
    return found


def with_run(run: Mapping[str, Any]) -> dict[str, Any]:
    """The whole file with a run in the place of the one by the same command."""
    return {"runs": [*(r for r in _runs() if r["command"] != run["command"]), run]}


def prices(system: str) -> Mapping[str, SwitchPrice]:
    """By convention, for a system of the library; nothing where nobody measured."""
    return {
        row["convention"]: _price(row)
        for run in _runs() for row in run["rows"] if row["system"] == system
    }  # fmt: skip


def origin(system: str) -> str:
    """Command, commit, machine and date of the runs about a system."""
    about = [run for run in _runs() if any(row["system"] == system for row in run["rows"])]
    keys = ("command", "commit", "machine", "date")
    return "; ".join(", ".join(str(run[key]) for key in keys) for run in about)


def _price(row: Mapping[str, Any]) -> SwitchPrice:
    deals = row["deals"]
    mean = row["sum"] / deals
    variance = max(row["squares"] / deals - mean * mean, 0.0)
    return SwitchPrice(mean, (variance / deals) ** 0.5, deals, row["changed"])


__all__ = ["SwitchPrice", "origin", "prices", "with_run"]
