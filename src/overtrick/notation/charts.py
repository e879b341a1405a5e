"""Small charts as HTML for notebooks: bars of shares, and a table whose cells are shaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from overtrick.notation.pictures import panel

_BAR, _FAINT = "#1c6b4a", "#6b7684"
_WIDTH: Final = 220  # pixels of the longest bar


def bars(rows: Iterable[tuple[str, float, str]]) -> str:
    """A line for each label: a bar as long as its value, beside the longest, and a remark."""
    many = list(rows)
    longest = max((value for _, value, _ in many), default=0.0)
    lines = []
    for label, value, remark in many:
        width = 0 if longest <= 0 else round(_WIDTH * max(value, 0.0) / longest)
        lines.append(
            f"<tr style='background:none'><td style='padding:1px 10px 1px 0;border:0;"
            f"text-align:right'>{escape(label)}</td><td style='border:0;padding:1px 0;"
            f"text-align:left'><span style='display:inline-block;height:11px;border-radius:2px;"
            f"width:{width}px;background:{_BAR}'></span>"
            f"<span style='color:{_FAINT};padding-left:8px'>{escape(remark)}</span></td></tr>"
        )
    return f"<table style='border-collapse:collapse;margin:4px 0'>{''.join(lines)}</table>"


def shaded(
    columns: Sequence[str], rows: Iterable[tuple[str, Sequence[float | None]]], most: float
) -> str:
    """Numbers in rows and columns, the darker the nearer to `most`; None is left empty."""
    style = "border:0;padding:3px 10px;text-align:center"
    head = "".join(f"<th style='{style}'>{escape(c)}</th>" for c in ("", *columns))
    lines = []
    for label, values in rows:
        cells = [f"<th style='{style}'>{escape(label)}</th>"]
        for value in values:
            if value is None:
                cells.append(f"<td style='{style}'></td>")
                continue
            share = min(max(value / most, 0.0), 1.0) if most else 0.0
            ink = "#fff" if share > 0.6 else "#1d2530"
            cells.append(
                f"<td style='{style};background:rgba(28,107,74,{share:.2f});color:{ink}'>"
                f"{value:.1f}</td>"
            )
        lines.append(f"<tr style='background:none'>{''.join(cells)}</tr>")
    return (
        f"<table style='border-collapse:collapse;margin:4px 0'><tr>{head}</tr>"
        f"{''.join(lines)}</table>"
    )


def chart(title: str, *parts: str) -> str:
    """Charts below each other under a line of words."""
    return panel(f"<div style='font-weight:600'>{escape(title)}</div>{''.join(parts)}")
