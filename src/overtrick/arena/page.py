"""The pieces of a report page: style, tables, hands, auctions, charts as SVG.
A page is one HTML file without outside links, for light and dark screens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import sqrt
from typing import Final

from overtrick.game import Auction, Board, Hand, Seat, Strain
from overtrick.game.cards import SUIT_SYMBOLS

_CSS: Final = """
:root{--ink:#1b2430;--soft:#5d6a79;--line:#d9dfe6;--paper:#fff;--card:#f6f8fa;--a:#1f6f54;
--b:#a8453a;--s:#2746a8;--h:#c1272d;--d:#c2610c;--c:#1e7b34}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf2;--soft:#9aa7b5;--line:#2f3a46;
--paper:#12181f;--card:#1a222b;--a:#5cc7a0;--b:#ee9186;--s:#8fb0ff;--h:#ff8080;--d:#ffb066;
--c:#7dd68f}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);
background:var(--paper);max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.45rem;line-height:1.3;margin:.2rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.4rem 0 .6rem;padding-bottom:.25rem;
border-bottom:2px solid var(--line)}
h3{font-size:1rem;margin:0 0 .6rem}
.soft{color:var(--soft)}.small{font-size:.86rem}.a{color:var(--a)}.b{color:var(--b)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:.7rem}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}
.tile b{display:block;font-size:1.45rem;line-height:1.25;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .7rem;border-bottom:1px solid var(--line);text-align:right;
vertical-align:top}
th:first-child,td:first-child{text-align:left}
thead th{color:var(--soft);font-weight:600;overflow-wrap:anywhere}
svg{display:block;width:100%;min-width:36rem;height:auto}svg text{fill:var(--soft);font-size:12px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:1.2rem}
.heat{width:100%;table-layout:fixed}.heat td,.heat th{text-align:center;padding:.22rem .2rem}
.heat caption{text-align:left;font-weight:600;padding:.2rem 0;overflow-wrap:anywhere}
.board{background:var(--card);border:1px solid var(--line);border-radius:.5rem;
padding:.9rem 1rem;margin:.8rem 0}
.board .inside{display:flex;flex-wrap:wrap;align-items:flex-start;gap:1rem 2.4rem}
.deal{display:grid;grid-template-columns:repeat(3,auto);gap:.1rem 1rem;line-height:1.35;
white-space:nowrap;font-size:.94rem}
.auction{border-collapse:collapse;font-size:.94rem}.auction th{color:var(--soft);font-weight:500}
.auction caption{text-align:left;font-weight:600;white-space:nowrap;padding-bottom:.15rem}
.auction td,.auction th{text-align:left!important;padding:.08rem .7rem .08rem 0;border:0}
.s{color:var(--s)}.h{color:var(--h)}.d{color:var(--d)}.c{color:var(--c)}
.vul{text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px}
"""
_CLASS: Final = dict(zip(SUIT_SYMBOLS, "cdhs", strict=True))


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML page."""
    head = (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_CSS}</style></head><body>"
    )
    return "\n".join([head, *parts, "</body></html>"]) + "\n"


def suits(text: str) -> str:
    """Text with its suit symbols coloured; never by colour alone, the symbol stays."""
    return "".join(
        f"<span class={_CLASS[c]}>{c}</span>" if c in _CLASS else escape(c) for c in text
    )


def tiles(pairs: Iterable[tuple[str, str]]) -> str:
    """Big figures with a line of words under each."""
    inside = "".join(
        f"<div class=tile><b>{escape(value)}</b><span class='soft small'>{escape(words)}</span>"
        "</div>"
        for words, value in pairs
    )
    return f"<div class=tiles>{inside}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of text under a head; the first column is words, the others are figures."""
    top = "".join(f"<th>{escape(c)}</th>" for c in head)
    body = "".join("<tr>" + "".join(f"<td>{suits(c)}</td>" for c in row) + "</tr>" for row in rows)
    return (
        f"<div class=scroll><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def swing_chart(scores: Sequence[int]) -> str:
    """The running total of IMPs for A as a line, its own 95 % range for equal sides as a band."""
    if not scores:
        return "<p class=soft>No boards yet.</p>"
    width, height, left, bottom = 960, 300, 48, 24
    totals = [0]
    for s in scores:
        totals.append(totals[-1] + s)
    n = len(scores)
    # The standard deviation about nothing: how far luck alone would carry equal sides.
    luck = 1.96 * sqrt(sum(s * s for s in scores) / n)
    top = max(10.0, max(abs(t) for t in totals), luck * sqrt(n)) * 1.05
    middle = (height - bottom) / 2

    def at(i: float, value: float) -> str:
        x = left + (width - left - 8) * i / n
        return f"{x:.1f},{middle - value / top * (middle - 8):.1f}"

    steps = [n * k / 60 for k in range(61)]
    band = " ".join(at(i, luck * sqrt(i)) for i in steps)
    band += " " + " ".join(at(i, -luck * sqrt(i)) for i in reversed(steps))
    # At most one point per pixel: a chart of 20,000 boards stays small.
    step = max(1, n // width)
    kept = dict.fromkeys([*range(0, n + 1, step), n])
    line = " ".join(at(i, totals[i]) for i in kept)
    marks = "".join(
        f"<line x1={left} x2={width - 8} y1={y} y2={y} stroke='var(--line)'/>"
        f"<text x={left - 6} y={y} dy=4 text-anchor=end>{f'{v:+d}' if v else '0'}</text>"
        for v in _ticks(top)
        for y in [at(0, v).split(",")[1]]
    )
    colour = "a" if totals[-1] >= 0 else "b"
    return (
        f"<div class=scroll><svg viewBox='0 0 {width} {height}' role=img "
        f"aria-label='Running total of IMPs for A, {totals[-1]:+d} after {n} boards'>"
        f"<polygon points='{band}' fill='var(--soft)' opacity='.13'/>{marks}"
        f"<polyline points='{line}' fill=none stroke='var(--{colour})' stroke-width=2 "
        "stroke-linejoin=round />"
        f"<text x={left} y={height - 6}>1</text><text x={width - 8} y={height - 6} "
        f"text-anchor=end>board {n}</text></svg></div>"
    )


def _ticks(top: float) -> list[int]:
    """Round values on both sides of nothing."""
    step = 1
    for candidate in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000):
        if top / step <= 3.2:
            break
        step = candidate
    return [k * step for k in range(-3, 4) if abs(k * step) < top]


def swing_histogram(scores: Sequence[int]) -> str:
    """How many boards gave each swing, losses in one colour and wins in the other."""
    counts = dict.fromkeys(range(-24, 25), 0)
    for s in scores:
        counts[s] += 1
    quiet = counts.pop(0)
    reach = max((abs(k) for k, c in counts.items() if c), default=1)
    shown = {k: c for k, c in counts.items() if abs(k) <= reach}
    most = max([1, *shown.values()])
    width, height = 960, 164
    slot = (width - 20) / (2 * reach + 1)
    bars = []
    for k, c in shown.items():
        x = 10 + (k + reach) * slot
        tall = 120 * c / most
        side = "a" if k > 0 else "b"
        bars.append(
            f"<rect x='{x + 1:.1f}' y='{140 - tall:.1f}' width='{slot - 2:.1f}' "
            f"height='{tall:.1f}' rx=2 fill='var(--{side})'><title>{k:+d} IMPs: {c} boards"
            "</title></rect>"
        )
        if reach <= 13 or k % 2 == 0:
            bars.append(f"<text x='{x + slot / 2:.1f}' y=156 text-anchor=middle>{k:+d}</text>")
    flat = f"{quiet} of {len(scores)} boards were flat"
    return (
        f"<div class=scroll><svg viewBox='0 0 {width} {height}' role=img "
        f"aria-label='Boards by swing; {flat}'>"
        f"<line x1=10 x2={width - 10} y1=140 y2=140 stroke='var(--line)'/>{''.join(bars)}"
        "</svg></div>"
        f"<p class='soft small'>Boards by swing, IMPs for A; {flat}.</p>"
    )


def heat_map(caption: str, counts: dict[tuple[int, int], int]) -> str:
    """Contracts by level and strain, darker the more often."""
    total = sum(counts.values()) or 1
    most = max(counts.values(), default=1)
    rows = []
    for level in range(1, 8):
        cells = []
        for strain in range(5):
            n = counts.get((level, strain), 0)
            # The square root keeps rare contracts visible beside 3NT.
            shade = 62 * sqrt(n / most)
            cells.append(
                f"<td style='background:color-mix(in srgb,var(--a) {shade:.0f}%,transparent)' "
                f"title='{100 * n / total:.1f} %'>{n or ''}</td>"
            )
        rows.append(f"<tr><th>{level}</th>{''.join(cells)}</tr>")
    head = "".join(f"<th>{suits(s.symbol)}</th>" for s in Strain)
    return (
        f"<table class=heat><caption>{escape(caption)}</caption>"
        f"<tr><th></th>{head}</tr>{''.join(rows)}</table>"
    )


def deal_diagram(board: Board) -> str:
    """Four hands around the table; vulnerable seats are underlined."""
    n, e, s, w = (_hand(board, seat) for seat in Seat)
    empty = "<div></div>"
    return f"<div class=deal>{empty}{n}{empty}{w}{empty}{e}{empty}{s}{empty}</div>"


def _hand(board: Board, seat: Seat) -> str:
    hand: Hand = board.deal[seat]
    name = f"<span class={'vul' if board.vul.of(seat) else 'soft'}>{seat}</span>"
    lines = "<br>".join(suits(f"{SUIT_SYMBOLS[k]} {hand.ranks(k) or '–'}") for k in (3, 2, 1, 0))
    return f"<div>{name}<br>{lines}</div>"


def auction_table(caption: str, auction: Auction, result: str) -> str:
    """An auction in four columns with what came of it."""
    cells = [""] * ((auction.dealer - Seat.WEST) % 4) + [
        suits(str(c)) if c else "Pass" for c in auction
    ]
    rows = "".join(
        "<tr>" + "".join(f"<td>{c}</td>" for c in cells[i : i + 4]) + "</tr>"
        for i in range(0, len(cells), 4)
    )
    heads = "".join(f"<th>{x}</th>" for x in ("West", "North", "East", "South"))
    return (
        f"<table class=auction><caption>{caption}</caption><tr>{heads}</tr>{rows}"
        f"<tr><td colspan=4>{result}</td></tr></table>"
    )
