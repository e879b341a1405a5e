"""A system written out: a static HTML book, BML for humans, alert text for BBO.
Used by `overtrick system book|export`; all three walk the same options the bidder uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from overtrick.game.calls import CALLS
from overtrick.game.meaning import Forcing
from overtrick.systems.card import card_lines
from overtrick.systems.classes import is_possible
from overtrick.systems.context import Context
from overtrick.systems.meanings import call_meaning
from overtrick.systems.reading import Reading
from overtrick.systems.system import System


@dataclass(frozen=True, slots=True)
class Entry:
    """One call of the book: where it stands and what it shows."""

    auction: tuple[int, ...]
    call: int
    words: str
    ranges: str
    forcing: Forcing
    alert: bool
    convention: str


def entries(reading: Reading, auction: tuple[int, ...]) -> list[Entry]:
    """The calls of the system after an auction, cheapest first; generic passes are left out."""
    ctx = reading.context(auction, 0, 0)
    out = []
    for call in sorted({o.call for o in reading.options(ctx) if o.rule.layer > 5}):
        if not is_possible(reading, ctx, call):
            continue
        m = call_meaning(reading, ctx, call)
        out.append(Entry(auction, call, m.words, m.ranges(), m.forcing, m.alert, m.convention))
    return out


def walk(system: System, depth: int = 4) -> Iterator[tuple[tuple[int, ...], list[Entry]]]:
    """Auctions the system knows, breadth first, with the calls after each.

    Only auctions whose every call has a meaning in the system, at most `depth` calls that are
    not passes; opponents pass.
    """
    reading = Reading(system)
    queue: list[tuple[tuple[int, ...], int]] = [((), 0)]
    known = _prefixes(system)
    while queue:
        auction, made = queue.pop(0)
        found = entries(reading, auction)
        if found:
            yield auction, found
        if made >= depth:
            continue
        for entry in found:
            following = (*auction, entry.call, 0) if entry.call >= 3 else ()
            if following and following in known:
                queue.append((following, made + 1))


def _prefixes(system: System) -> set[tuple[int, ...]]:
    return {calls for calls in system.index if calls and all(c == 0 for c in calls[1::2])}


def contested(system: System) -> Iterator[tuple[tuple[int, ...], list[Entry]]]:
    """Positions after one call of the opponents: their openings and their interference."""
    reading = Reading(system)
    for calls in sorted(k for k in system.index if 1 <= len(k) <= 2 and k[-1]):
        found = entries(reading, calls)
        if found:
            yield calls, found


def spell(calls: tuple[int, ...], *, ours_first: bool = True) -> str:
    """An auction in the book's notation: opponents' calls in brackets, their passes left out."""
    parts = []
    for i, call in enumerate(calls):
        theirs = (i % 2 == 1) is ours_first
        if theirs and call == 0:
            continue
        parts.append(f"({CALLS[call].ascii})" if theirs else CALLS[call].ascii)
    return " ".join(parts) or "Opening"


def to_bml(system: System, depth: int = 3) -> str:
    """The system as Bridge Bidding Markup Language."""
    lines = [f"#+TITLE: {system.title}", ""]
    for auction, found in walk(system, depth):
        lines.append(f"* {spell(auction)}" if auction else "* Opening bids")
        if auction:
            lines.append("-".join(_short(c) for c in auction[::2]) + ";")
        lines += [f"{_short(e.call)} {_bml(e)}" for e in found]
        lines.append("")
    return "\n".join(lines)


def _short(call: int) -> str:
    return "P" if call == 0 else {1: "X", 2: "XX"}.get(call, CALLS[call].ascii.replace("NT", "N"))


def _bml(entry: Entry) -> str:
    text = entry.words + (f" [{entry.ranges}]" if entry.ranges else "")
    for symbol, mark in zip("♣♦♥♠", ("!c", "!d", "!h", "!s"), strict=True):
        text = text.replace(symbol, mark)
    return text + (f", {entry.forcing}" if entry.forcing is not Forcing.NONE else "")


def to_bbo_alerts(system: System, depth: int = 3) -> str:
    """BBOalert text: `context,call,explanation`, one line for each call worth alerting."""
    lines = ["BBOalert", f"//{system.title}"]
    for auction, found in walk(system, depth):
        where = "".join("--" if c == 0 else _short(c) for c in auction)
        for e in found:
            if e.alert or e.convention:
                lines.append(
                    f"{where},{_short(e.call)},{e.words.replace(',', ';')} "
                    + e.ranges.replace(",", "")
                )
    return "\n".join([*lines, ""])


_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.red{color:#b3261e}.alert{background:#fff3d6}h2{margin-top:2rem}
small{color:#666}nav a{margin-right:1rem}"""


def _pretty(text: str) -> str:
    out = escape(text)
    for symbol in "♥♦":
        out = out.replace(symbol, f'<span class="red">{symbol}</span>')
    return out


def _table(found: list[Entry]) -> str:
    rows = []
    for e in found:
        call = _pretty(str(CALLS[e.call]))
        mark = ' class="alert"' if e.alert else ""
        force = "" if e.forcing is Forcing.NONE else escape(str(e.forcing))
        rows.append(
            f"<tr{mark}><td><b>{call}</b></td><td>{_pretty(e.words)}<br><small>{_pretty(e.ranges)}</small></td>"
            f"<td>{force}</td><td><small>{escape(e.convention)}</small></td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>"
        '<nav><a href="index.html">Card</a><a href="uncontested.html">Uncontested</a>'
        f'<a href="contested.html">Contested</a></nav>{body}</html>'
    )


def write_book(system: System, folder: Path, depth: int = 4) -> list[Path]:
    """Write the system as a small static site; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    card = "".join(
        f"<tr><td>{'✓' if on else '–'}</td><td>{_pretty(title)}</td>"
        f"<td><small>{escape(name)}</small></td></tr>"
        for name, title, on in card_lines(system)
    )
    pages = {"index.html": _page(system.title, f"<h2>Convention card</h2><table>{card}</table>")}
    for name, source, first in (
        ("uncontested.html", walk(system, depth), True),
        ("contested.html", contested(system), False),
    ):
        parts = []
        for auction, found in source:
            ours = first or len(auction) % 2 == 0
            parts.append(f"<h2>{_pretty(spell(auction, ours_first=ours))}</h2>{_table(found)}")
        pages[name] = _page(system.title, "".join(parts))
    out = []
    for name, text in pages.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        out.append(path)
    return out


def position(reading: Reading, ctx: Context) -> str:
    """A short description of a position, for headings: who opened, forced or not."""
    parts = ["forced"] if ctx.forced else []
    if ctx.forced_to_game:
        parts.append("game force")
    if ctx.agreed[ctx.side] >= 0:
        parts.append(f"{'♣♦♥♠'[ctx.agreed[ctx.side]]} agreed")
    return ", ".join(parts) or "open"
