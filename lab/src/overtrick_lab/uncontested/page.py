"""A learned system as one HTML page: openings, replies, what each shows, deals bid by it.
Nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import Template
from typing import Any, Final

from overtrick.game import Hand
from overtrick.game.cards import SUIT_SYMBOLS
from overtrick_lab.uncontested.census import HandCensus, call_of
from overtrick_lab.uncontested.describe import ExampleDeal, LearnedSystem, SystemRow, remarks

COLOURS: Final = ("#14803c", "#d96a00", "#cf1f2e", "#1f3fb4")  # ♣ ♦ ♥ ♠
_POINTS: Final = 26  # the strength axis ends here
_PAGE: Final = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title><style>$style</style></head>
<body><main>
<header><p class="over">What system did the machine invent?</p><h1>$title</h1>
<p class="lead">$lead</p></header>
<section class="facts">$facts</section>
<section><h2>What a player notices</h2><ul class="notes">$notes</ul></section>
<section><h2>Openings and replies</h2>
<p class="legend">Ranges hold for nine hands in ten. The curve is high-card points from 0 to 25, the
band its middle nine tenths. Suit bars are average lengths, the thin line again nine tenths.
Open a row to see the replies.</p>
$rows</section>
<section><h2>Where it ends up</h2>$contracts</section>
<section><h2>Eight deals, as it bids them</h2><div class="deals">$deals</div></section>
<footer>$footer</footer>
</main></body></html>
""")
_STYLE: Final = """
:root{--ink:#1d2530;--faint:#6b7684;--line:#e4dfd2;--paper:#fbf9f3;--card:#fff;--mark:#1c6b4a}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
 font:15px/1.5 "Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
main{max-width:1000px;margin:0 auto;padding:36px 20px 60px}
.over{color:var(--mark);font-weight:600;margin:0;letter-spacing:.02em}
h1{font-size:34px;line-height:1.15;margin:2px 0 10px}
h2{font-size:20px;margin:38px 0 10px}
.lead{font-size:17px;color:#3c4654;max-width:46em;margin:0}
.facts{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}
.fact{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 16px}
.fact b{display:block;font-size:22px;line-height:1.2}
.fact span,.legend,footer{color:var(--faint);font-size:13px}
.notes{margin:0;padding-left:20px;max-width:52em}.notes li{margin:4px 0}
details,.leaf{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:6px 0}
summary{list-style:none;cursor:pointer}summary::-webkit-details-marker{display:none}
.row{display:grid;grid-template-columns:16px 64px 92px 150px 176px 1fr;gap:12px;
 align-items:center;padding:8px 14px}
summary .turn::before{content:"▸";color:var(--faint)}
details[open]>summary .turn::before{content:"▾"}
.call{font-size:19px;font-weight:650;white-space:nowrap}
.freq{font-variant-numeric:tabular-nums;font-size:13px;color:#3c4654}
.freq i{display:block;height:5px;border-radius:3px;background:var(--mark);margin-top:3px;
 min-width:2px}
.say{font-size:14px}.say small{display:block;color:var(--faint);font-size:12.5px}
.tag{display:inline-block;border:1px solid #d9b45f;background:#fff6df;color:#7a5a12;
 font-size:11.5px;border-radius:20px;padding:0 8px;margin-right:6px}
.inner{padding:2px 10px 10px 30px;border-top:1px dashed var(--line)}
.inner details,.inner .leaf{background:#fdfcf8}
.deals{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:12px}
.deal{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.deal p{margin:0 0 2px}.deal .hand{font-size:14px}.deal .who{color:var(--faint);font-size:12px}
.bids{margin-top:8px!important;font-size:15px;font-weight:600}
.grid{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
.grid td,.grid th{padding:4px 10px;text-align:right;border:1px solid var(--line);font-weight:400}
.grid th{color:var(--faint)}
@media(max-width:760px){.row{grid-template-columns:16px 56px 80px 1fr}
 .row svg.suits{display:none}.say{grid-column:2/-1}.inner{padding-left:12px}}
footer{margin-top:40px}
"""


def page(system: LearnedSystem, card: Mapping[str, Any] | None = None) -> str:
    """The whole page; `card` adds how the model was trained and what it scored."""
    card = card or {}
    opened = sum(row.share for row in system.openings if row.call)
    calls = sum((turn + 1) * share for turn, share in enumerate(system.turns))
    artificial = sum(row.share for row in system.openings if row.artificial) / max(opened, 1e-9)
    facts = [
        (f"{100 * opened:.0f} %", "of first hands are opened"),
        (f"{100 * artificial:.0f} %", "of openings are artificial"),
        (f"{calls:.1f}", "calls a deal"),
    ]
    for name, value in card.get("results", {}).items():
        facts.append((f"{value['cost']:.2f} ± {value['error']:.2f}", f"IMPs lost, {name}"))
    lead = card.get("story", "A bidding system for silent opponents that nobody wrote down.")
    notes = "".join(f"<li>{_suited(line)}</li>" for line in remarks(system))
    foot = (
        f"Made from {system.deals:,} random deals bid by the model with silent opponents: "
        f"<code>overtrick describe {escape(system.name)} --html</code>."
    )
    return _PAGE.substitute(
        title=f"The {escape(system.name)} system",
        style=_STYLE,
        lead=escape(lead),
        facts="".join(f"<div class='fact'><b>{b}</b><span>{escape(t)}</span></div>"
                      for b, t in facts),
        notes=notes,
        rows="".join(_row(row) for row in system.openings),
        contracts=_contracts(system),
        deals="".join(_deal(example) for example in system.examples),
        footer=foot,
    )  # fmt: skip


def _suited(text: str) -> str:
    """Escaped text with coloured suit symbols."""
    out = escape(text)
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        out = out.replace(symbol, f"<span style='color:{COLOURS[suit]}'>{symbol}</span>")
    return out


def _row(row: SystemRow) -> str:
    what = row.shown
    tag = "<span class='tag'>artificial</span>" if row.artificial else ""
    words = row.words()
    if row.artificial:
        words = words.removeprefix("artificial").removeprefix(", ").removeprefix(": ")
    cells = (
        f"<span class='turn'></span><span class='call'>{_suited(str(call_of(row.call)))}</span>"
        f"<span class='freq'>{_share(row.share)}"
        f"<i style='width:{max(2, 80 * row.share):.0f}px'></i></span>"
        f"{_strength(what)}{_suits(what)}"
        f"<span class='say'>{tag}{_suited(words)}"
        f"<small>{_hand(what.typical[0])}{_after(row)}</small></span>"
    )
    if not row.replies:
        return f"<div class='leaf'><div class='row'>{cells}</div></div>"
    inner = "".join(_row(reply) for reply in row.replies)
    return (
        f"<details><summary class='row'>{cells}</summary><div class='inner'>{inner}</div></details>"
    )


def _share(share: float) -> str:
    return f"{100 * share:.1f} %"


def _after(row: SystemRow) -> str:
    if row.passed is None:
        return ""
    if row.passed < 0.01:
        return " · never passed"
    if row.passed > 0.97:
        return " · ends the auction"
    return f" · partner passes {100 * row.passed:.0f} %"


def _strength(what: HandCensus) -> str:
    """The curve of high-card points with the middle nine tenths as a band."""
    wide, high, top = 146, 38, max(what.spread) or 1.0
    step = wide / _POINTS
    spread = what.spread[:_POINTS]
    dots = " ".join(
        f"{step * (point + 0.5):.1f},{high - 12 - (high - 14) * share / top:.1f}"
        for point, share in enumerate(spread)
    )
    low, upper = what.hcp
    left, right = step * low, step * min(upper + 1, _POINTS)
    return (
        f"<svg width='{wide}' height='{high}' role='img' aria-label='{low} to {upper} points'>"
        f"<rect x='{left:.1f}' width='{right - left:.1f}' height='{high - 12}' fill='#dcece3'/>"
        f"<polyline points='{dots}' fill='none' stroke='#1c6b4a' stroke-width='1.6'/>"
        f"<line x1='0' y1='{high - 12}' x2='{wide}' y2='{high - 12}' stroke='#c9c3b3'/>"
        f"<text x='{(left + right) / 2:.1f}' y='{high - 1}' font-size='11' text-anchor='middle' "
        f"fill='#3c4654'>{low}–{upper}</text></svg>"
    )


def _suits(what: HandCensus) -> str:
    """Four bars, spades first: average length, and the middle nine tenths as a line."""
    parts = []
    step = 13.0
    for place, suit in enumerate((3, 2, 1, 0)):
        y = 9 * place + 2
        mean, (low, high) = what.mean_lengths[suit], what.lengths[suit]
        colour = COLOURS[suit]
        parts.append(
            f"<text x='0' y='{y + 7}' font-size='10' fill='{colour}'>{SUIT_SYMBOLS[suit]}</text>"
            f"<rect x='14' y='{y}' width='{step * mean:.1f}' height='6' rx='2' fill='{colour}' "
            f"opacity='.35'/><line x1='{14 + step * low:.1f}' x2='{14 + step * high:.1f}' "
            f"y1='{y + 3}' y2='{y + 3}' stroke='{colour}' stroke-width='1.6'/>"
            f"<text x='{18 + step * max(mean, high):.1f}' y='{y + 7}' font-size='9' "
            f"fill='#6b7684'>{mean:.1f}</text>"
        )
    return f"<svg class='suits' width='172' height='40'>{''.join(parts)}</svg>"


def _hand(hand: Hand) -> str:
    parts = []
    for suit, cards in zip((3, 2, 1, 0), str(hand).split("."), strict=True):
        mark = f"<span style='color:{COLOURS[suit]}'>{SUIT_SYMBOLS[suit]}</span>"
        parts.append(f"{mark}{cards.replace('T', '10') or '—'}")
    return " ".join(parts)


def _deal(example: ExampleDeal) -> str:
    bids = " – ".join(str(call_of(call)) for call in example.calls)
    return (
        "<div class='deal'><p class='who'>opener</p>"
        f"<p class='hand'>{_hand(example.opener)}</p><p class='who'>responder</p>"
        f"<p class='hand'>{_hand(example.responder)}</p>"
        f"<p class='bids'>{_suited(bids)}</p></div>"
    )


def _contracts(system: LearnedSystem) -> str:
    """Final contracts by level and strain, in per cent; darker is more often."""
    top = max(system.contracts[1:]) or 1.0
    head = "".join(f"<th>{_suited(name)}</th>" for name in (*SUIT_SYMBOLS, "NT"))
    lines = []
    for level in range(1, 8):
        cells = []
        for strain in range(5):
            share = system.contracts[1 + 5 * (level - 1) + strain]
            depth = 0.55 * (share / top) ** 0.5
            text = f"{100 * share:.1f}" if share >= 0.0005 else ""
            cells.append(f"<td style='background:rgba(28,107,74,{depth:.2f})'>{text}</td>")
        lines.append(f"<tr><th>{level}</th>{''.join(cells)}</tr>")
    passed = (
        f"<p class='legend'>Per cent of deals; {100 * system.contracts[0]:.1f} % passed out.</p>"
    )
    return f"{passed}<table class='grid'><tr><th></th>{head}</tr>{''.join(lines)}</table>"
