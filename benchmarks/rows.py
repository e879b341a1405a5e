"""A row of the benchmark table, and how the table is printed.
Used by every module here that exposes `run() -> list[Row]`, and by `python -m benchmarks`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number with its bar; `met` is None when there is no bar."""

    what: str
    measured: str
    bar: str = ""
    met: bool | None = None


def at_least(what: str, value: float, bar: float, text: str = "{:.2f}") -> Row:
    """A row whose number must not be smaller than the bar."""
    return Row(what, text.format(value), "≥ " + text.format(bar), value >= bar)


def at_most(what: str, value: float, bar: float, text: str = "{:.2f}") -> Row:
    """A row whose number must not be larger than the bar."""
    return Row(what, text.format(value), "< " + text.format(bar), value <= bar)


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | bar | met |", "|---|---|---|---|"]
    for row in rows:
        met = "" if row.met is None else "yes" if row.met else "**no**"
        lines.append(f"| {row.what} | {row.measured} | {row.bar} | {met} |")
    return "\n".join(lines)
