"""A row of the benchmark table, and how the table is printed.
Used by every module here that exposes `run() -> list[Row]`, and by `python -m benchmarks`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number with its wanted; `met` is None when there is no wanted."""

    what: str
    measured: str
    wanted: str = ""
    met: bool | None = None


def at_least(what: str, value: float, wanted: float, text: str = "{:.2f}") -> Row:
    """A row whose number must not be smaller than the wanted."""
    return Row(what, text.format(value), "≥ " + text.format(wanted), value >= wanted)


def at_most(what: str, value: float, wanted: float, text: str = "{:.2f}") -> Row:
    """A row whose number must not be larger than the wanted."""
    return Row(what, text.format(value), "< " + text.format(wanted), value <= wanted)


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | wanted | met |", "|---|---|---|---|"]
    for row in rows:
        met = "" if row.met is None else "yes" if row.met else "**no**"
        lines.append(f"| {row.what} | {row.measured} | {row.wanted} | {met} |")
    return "\n".join(lines)
