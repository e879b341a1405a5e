"""The report of a match: numbers with their errors, a swing chart, what each engine did.
Used by `overtrick match --report` and the web's match viewer; one HTML file, no outside links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import median

from overtrick.arena.job import Match
from overtrick.arena.profile import BANDS, Profile, profiles
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.store import Store
from overtrick.game import Auction, Seat, Strain

_CSS = """
:root{--ink:#1b2430;--soft:#5d6a79;--line:#d9dfe6;--paper:#fff;--a:#1f6f54;--b:#a33b3b}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf2;--soft:#98a5b3;--line:#2f3a46;
--paper:#151b22;
--a:#5cc7a0;--b:#e58a8a}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);
max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;margin:.6rem 0}th,td{padding:.25rem .6rem;border-bottom:1px solid
var(--line);text-align:right}th:first-child,td:first-child{text-align:left}
.big{font-size:2rem;font-weight:600}.soft{color:var(--soft)}svg{width:100%;height:auto}
.heat td{min-width:2.6rem}
"""


def summary_rows(job: Match, result: Estimate) -> list[tuple[str, str]]:
    """The figures every report begins with."""
    low, high = result.interval
    method = "double dummy" if job.method == "dd" else "played out"
    return [
        ("A", job.a),
        ("B", job.b),
        ("IMPs/board for A", f"{result.mean:+.3f} ± {result.error:.3f}"),
        ("95 % interval", f"{low:+.3f} … {high:+.3f}"),
        ("A is the better side", f"{100 * result.better:.1f} %"),
        ("A wins a 32-board match", f"{100 * result.wins_match(32):.1f} %"),
        ("Boards", f"{result.boards} in both rooms, {method}, seed {job.seed}"),
    ]


def profile_rows(pair: tuple[Profile, Profile]) -> list[tuple[str, str, str]]:
    """Opening rates, doubles and times of both engines, side by side."""
    rows = []
    for k, (low, high) in enumerate(BANDS):
        label = f"opens with {low}+ hcp" if high == 37 else f"opens with {low}–{high} hcp"
        rows.append((label, *(_percent(p.opening_rates()[k]) for p in pair)))
    rows.append(("contracts declared", *(str(p.declared) for p in pair)))
    rows.append(("of them made", *(_share(p.made, p.declared) for p in pair)))
    rows.append(("doubled", *(_share(p.doubled, p.declared) for p in pair)))
    rows.append(("doubled and made", *(_share(p.doubled_made, p.doubled) for p in pair)))
    rows.append(("director's rulings", *(str(p.rulings) for p in pair)))
    rows.append(("ms per call, median", *(_time(p.times, 0.5) for p in pair)))
    rows.append(("ms per call, 99th of 100", *(_time(p.times, 0.99) for p in pair)))
    rows.append(("ms per call, most", *(_time(p.times, 1.0) for p in pair)))
    return [(r[0], r[1], r[2]) for r in rows]


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "–"


def _time(times: list[float], quantile: float) -> str:
    if not times:
        return "–"
    if quantile == 0.5:
        return f"{median(times):.2f}"
    return f"{sorted(times)[min(len(times) - 1, int(quantile * len(times)))]:.2f}"


def markdown(store: Store, result: Estimate) -> str:
    """The report as Markdown, for docs/results.md."""
    job = store.job
    pair = profiles(store.results(result.boards), job.a, job.b)
    lines = ["| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in summary_rows(job, result)]
    lines += ["", "| | A | B |", "|---|---|---|"]
    lines += [f"| {name} | {a} | {b} |" for name, a, b in profile_rows(pair)]
    return "\n".join(lines) + "\n"


def html(store: Store, last: int | None = None) -> str:
    """The whole report as one page."""
    job = store.job
    scores: list[int] = []
    swings: list[tuple[int, int]] = []
    for r in store.results(last):
        scores.append(r.imps)
        swings.append((r.imps, r.number))
    result = estimate(scores)
    pair = profiles(store.results(last), job.a, job.b)
    biggest = {n for _, n in sorted(swings, key=lambda s: (-abs(s[0]), s[1]))[:12]}
    shown = [r for r in store.results(last) if r.number in biggest and r.imps]
    shown.sort(key=lambda r: (-abs(r.imps), r.number))
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(job.a)} – "
        f"{escape(job.b)}</title><meta name=viewport content='width=device-width'>"
        f"<style>{_CSS}</style>",
        f"<h1>{escape(job.a)} <span class=soft>against</span> {escape(job.b)}</h1>",
        f"<p class=big>{result.mean:+.3f} ± {result.error:.3f} IMPs a board</p>",
        _table(summary_rows(job, result)),
        "<h2>The match board by board</h2>",
        _swing_chart(scores),
        "<h2>What each engine did</h2>",
        _table([("", "A", "B"), *profile_rows(pair)], head=True),
        "<h2>Contracts declared</h2>",
        *(_heat_map(p) for p in pair),
        "<h2>Biggest swings</h2>",
        *(_board_section(r) for r in shown),
    ]
    return "\n".join(parts) + "\n"


def _table(rows: Sequence[tuple[str, ...]], head: bool = False) -> str:
    out = []
    for i, row in enumerate(rows):
        cell = "th" if head and i == 0 else "td"
        out.append("<tr>" + "".join(f"<{cell}>{escape(c)}" for c in row))
    return "<table>" + "".join(out) + "</table>"


def _swing_chart(scores: list[int]) -> str:
    """Running total of IMPs for A as a line, single boards as bars."""
    width, height, middle = 900, 260, 130
    if not scores:
        return "<p class=soft>No boards yet.</p>"
    total, totals = 0, []
    for s in scores:
        total += s
        totals.append(total)
    top = max(20, *(abs(t) for t in totals))
    # At most one point per pixel: a chart of 20,000 boards stays small.
    step = max(1, len(scores) // width)
    kept = [*range(0, len(totals), step), len(totals) - 1]
    scale = (width - 40) / max(1, len(totals) - 1)
    points = " ".join(
        f"{20 + i * scale:.1f},{middle - totals[i] / top * 110:.1f}" for i in dict.fromkeys(kept)
    )
    bars = ""
    if len(scores) <= 400:
        bars = "".join(
            f"<line x1='{20 + i * scale:.1f}' x2='{20 + i * scale:.1f}' y1='{middle}' "
            f"y2='{middle - s * 4:.1f}' stroke='var(--{'a' if s > 0 else 'b'})' opacity='.35'/>"
            for i, s in enumerate(scores)
            if s
        )
    return (
        f"<svg viewBox='0 0 {width} {height}' role=img aria-label='Running total of IMPs'>"
        f"<line x1=20 x2={width - 20} y1={middle} y2={middle} stroke='var(--line)'/>{bars}"
        f"<polyline points='{points}' fill=none stroke='var(--a)' stroke-width=2 />"
        f"<text x=20 y=14 fill='var(--soft)' font-size=13>+{top} IMPs for A</text>"
        f"<text x={width - 20} y=14 text-anchor=end fill='var(--ink)' font-size=13>"
        f"{totals[-1]:+d} after {len(scores)} boards</text></svg>"
    )


def _heat_map(profile: Profile) -> str:
    most = max(profile.contracts.values(), default=1)
    rows = []
    for level in range(1, 8):
        cells = []
        for strain in range(5):
            n = profile.contracts.get((level, strain), 0)
            shade = n / most
            cells.append(
                f"<td style='background:color-mix(in srgb,var(--a) {70 * shade:.0f}%,transparent)'>"
                f"{n or ''}"
            )
        rows.append(f"<tr><th>{level}{''.join(cells)}")
    head = "".join(f"<th>{s.symbol}" for s in Strain)
    caption = f"<caption class=soft>{escape(profile.name)}</caption>"
    return f"<table class=heat>{caption}<tr><th>{head}{''.join(rows)}</table>"


def _board_section(result: BoardResult) -> str:
    board = result.board()
    hands = [(str(seat), board.deal[seat].pretty()) for seat in Seat]
    rooms = [
        (name, _auction_text(room, board.dealer), room.contract or "passed out", f"{room.score:+d}")
        for name, room in (("open: A N–S", result.open), ("closed: B N–S", result.closed))
    ]
    return (
        f"<h3>Board {result.number}, {result.imps:+d} IMPs, dealer {board.dealer}, "
        f"vulnerable {board.vul}</h3>{_table(hands)}{_table(rooms)}"
    )


def _auction_text(room: RoomResult, dealer: Seat) -> str:
    auction: Auction = room.auction(dealer)
    return str(auction)
