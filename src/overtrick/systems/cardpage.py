"""A convention card to print, in the order of the ACBL's or the WBF's form.

Everything on it is asked of the rules: what an opening shows and its responses, what an overcall of
theirs meets. Every convention that is played stands in some box. The page needs nothing but a
browser, whose "print to PDF" makes one or two sheets of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from overtrick.game.calls import CALLS, Call
from overtrick.game.meaning import Meaning
from overtrick.systems.book import BookEntry, entries
from overtrick.systems.card import ConventionCard
from overtrick.systems.meanings import call_meaning
from overtrick.systems.reading import Reading
from overtrick.systems.switches import Convention
from overtrick.systems.system import System

Form = Literal["acbl", "wbf"]
FORMS: Final[tuple[Form, ...]] = ("acbl", "wbf")
_OPENINGS: Final = tuple(range(3, 22))  # 1♣ to 4♠
# In which box of the ACBL's form a convention stands; others stand where their topic does.
_BOXES: Final = {
    "strong-2c": "Two-level openings", "weak-twos": "Two-level openings",
    "ogust": "Two-level openings", "inverted-minors": "Minor openings", "walsh": "Minor openings",
    "strong-2nt-response": "Minor openings", "jacoby-2nt": "Major openings",
    "bergen": "Major openings", "drury": "Major openings", "splinters": "Major openings",
    "two-over-one": "General approach", "negative-doubles": "Special doubles",
    "support-doubles": "Special doubles", "responsive-doubles": "Special doubles",
    "jordan": "Over their takeout double", "cappelletti": "Defence to notrump",
    "dont": "Defence to notrump", "michaels": "Direct cue-bid",
    "unusual-2nt": "Notrump overcalls", "lebensohl": "Notrump openings",
}  # fmt: skip
_SLAMS: Final = "Slams"
_TOPICS: Final = {
    "Openings": "General approach", "Notrump": "Notrump openings", _SLAMS: "Slam conventions",
}  # fmt: skip
_OTHER: Final = "Other conventional calls"
_MOST_RESPONSES: Final = 14


@dataclass(frozen=True, slots=True)
class Facts:
    """What a card tells: openings with their meaning and responses, calls against theirs."""

    openings: dict[int, tuple[Meaning, list[BookEntry]]]
    theirs: dict[tuple[int, ...], list[BookEntry]]
    conventions: tuple[Convention, ...]

    def over(self, *auction: str) -> list[BookEntry]:
        return self.theirs[tuple(int(Call.parse(c)) for c in auction)]

    def call_over(self, call: str, *auction: str) -> list[str]:
        """One call after an auction, as a line; nothing when it has no meaning."""
        return [_line(e) for e in self.over(*auction) if e.call == int(Call.parse(call))]


_THEIRS: Final = (("1C",), ("1H",), ("1S",), ("1NT",), ("2H",), ("1H", "X"), ("1NT", "X"))


def facts_of(system: System) -> Facts:
    """Everything that a card tells about a system."""
    reading = Reading(system)
    start = reading.context((), 0, 0)
    known = {e.call for e in entries(reading, ())}
    openings = {
        call: (call_meaning(reading, start, call), _bids(reading, (call, 0)))
        for call in _OPENINGS
        if call in known
    }
    theirs = {
        (calls := tuple(int(Call.parse(c)) for c in auction)): _bids(reading, calls)
        for auction in _THEIRS
    }
    played = tuple(c for c in system.conventions if c.on)
    return Facts(openings, theirs, played)


def _bids(reading: Reading, auction: tuple[int, ...]) -> list[BookEntry]:
    """What is written about an auction; that a pass says nothing needs no line."""
    return [e for e in entries(reading, auction) if e.call]


def page(system: System, card: ConventionCard, form: Form = "acbl") -> str:
    """The card as one HTML page."""
    facts = facts_of(system)
    body = _acbl(system, card, facts) if form == "acbl" else _wbf(system, card, facts)
    title = card.name or system.title
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{_SHEET[form]}</style></head>"
        f'<body class="{form}">{body}</body></html>\n'
    )


# ---------------------------------------------------------------- the two forms


def _acbl(system: System, card: ConventionCard, facts: Facts) -> str:
    majors = [_opening(facts, c) for c in ("1H", "1S")]
    minors = [_opening(facts, c) for c in ("1C", "1D")]
    twos = [_opening(facts, c) for c in ("2C", "2D", "2H", "2S")]
    pre = [_opening(facts, c) for c in ("3C", "3H", "3NT", "4C", "4H")]
    boxes: dict[str, list[str]] = {
        "General approach": [system.title, *_changed(facts)],
        "Notrump openings": [_opening(facts, c) for c in ("1NT", "2NT")] + _responses(facts, "1NT"),
        "Major openings": [*majors, *_responses(facts, "1S")],
        "Minor openings": [*minors, *_responses(facts, "1D")],
        "Two-level openings": [*twos, *_responses(facts, "2H")],
        "Opening preempts": pre,
        "Simple overcall": facts.call_over("1S", "1H"),
        "Jump overcall": facts.call_over("2S", "1H"),
        "Notrump overcalls": facts.call_over("1NT", "1H") + facts.call_over("2NT", "1H"),
        "Direct cue-bid": facts.call_over("2H", "1H") + facts.call_over("2C", "1C"),
        "Defence to notrump": [_line(e) for e in facts.over("1NT")],
        "Over their takeout double": [_line(e) for e in facts.over("1H", "X")][:8],
        "Against preempts": [_line(e) for e in facts.over("2H")][:8],
        "Special doubles": [],
        "Slam conventions": [],
        "Leads and signals": _carding(card),
    }
    for convention in facts.conventions:
        box = _BOXES.get(convention.name) or _TOPICS.get(convention.topic) or _OTHER
        boxes.setdefault(box, []).append(_convention(convention))
    if card.notes:
        boxes["Notes"] = _notes(card)
    inner = "".join(_box(name, lines) for name, lines in boxes.items() if any(lines))
    return f"{_head(system, card)}<main>{inner}</main>"


def _wbf(system: System, card: ConventionCard, facts: Facts) -> str:
    left = {
        "Overcalls": facts.call_over("1S", "1H") + facts.call_over("2C", "1H"),
        "1NT overcall": facts.call_over("1NT", "1H"),
        "Jump overcalls": facts.call_over("2S", "1H") + facts.call_over("2NT", "1H"),
        "Direct and jump cue-bids": facts.call_over("2H", "1H") + facts.call_over("3H", "1H"),
        "Against notrump": [_line(e) for e in facts.over("1NT")],
        "Against preempts": [_line(e) for e in facts.over("2H")][:8],
        "Over their takeout double": [_line(e) for e in facts.over("1H", "X")][:8],
    }
    against = [c for c in facts.conventions if c.topic.startswith("They")]
    others = [c for c in facts.conventions if c not in against and c.topic != _SLAMS]
    middle = {
        "Leads and signals": _carding(card),
        "Conventions when they bid": [_convention(c) for c in against],
    }
    right = {
        "System summary": [system.title, _opening(facts, "1NT"), *_changed(facts)],
        "Conventions": [_convention(c) for c in others],
        "Notes": _notes(card),
    }
    columns = (left, middle, right)
    sides = "".join(
        f"<div>{''.join(_box(n, lines) for n, lines in boxes.items() if any(lines))}</div>"
        for boxes in columns
    )
    slams = [_convention(c) for c in facts.conventions if c.topic == _SLAMS]
    rows = "".join(_row(call, *facts.openings[call]) for call in facts.openings)
    titles = ("Opening", "Artificial", "Least cards", "Description", "Responses")
    head = "".join(f"<th>{title}</th>" for title in titles)
    return (
        f'{_head(system, card)}<main class="three">{sides}</main>'
        f'<main class="sheet"><table><tr>{head}</tr>{rows}</table>'
        f"{_box('High-level bidding', slams)}</main>"
    )


def _row(call: int, meaning: Meaning, responses: Sequence[BookEntry]) -> str:
    suit = call - 3
    length = str(meaning.lengths[suit % 5][0]) if suit % 5 < 4 else ""
    told = "; ".join(f"{CALLS[e.call]} {e.words}" for e in responses[:_MOST_RESPONSES])
    artificial = "✓" if meaning.alert else ""
    cells = (str(CALLS[call]), artificial, length, _told(meaning), told)
    return "<tr>" + "".join(f"<td>{_suits(cell)}</td>" for cell in cells) + "</tr>"


# ---------------------------------------------------------------- lines and boxes


def _told(meaning: Meaning) -> str:
    ranges = meaning.ranges()
    return meaning.words + (f" ({ranges})" if ranges and ranges not in meaning.words else "")


def _opening(facts: Facts, call: str) -> str:
    found = facts.openings.get(int(Call.parse(call)))
    return f"{CALLS[int(Call.parse(call))]} {_told(found[0])}" if found else ""


def _responses(facts: Facts, call: str) -> list[str]:
    found = facts.openings.get(int(Call.parse(call)))
    shown = found[1] if found else []
    return [f"{CALLS[int(Call.parse(call))]}–{_line(e)}" for e in shown[:_MOST_RESPONSES]]


def _line(entry: BookEntry) -> str:
    return f"{CALLS[entry.call]} {entry.words}"


def _convention(convention: Convention) -> str:
    return (
        f"✓ {convention.title}: {convention.about}" if convention.about else f"✓ {convention.title}"
    )


def _changed(facts: Facts) -> list[str]:
    changed = [c.title for c in facts.conventions if c.is_changed]
    return [f"besides the standard: {', '.join(changed)}"] if changed else []


def _notes(card: ConventionCard) -> list[str]:
    return [f"{k}: {v}" for k, v in card.notes.items() if k not in ("leads", "signals")]


def _carding(card: ConventionCard) -> list[str]:
    return [f"{key}: {card.notes[key]}" for key in ("leads", "signals") if key in card.notes] or [
        "leads: fourth best, top of a sequence", "signals: standard attitude and count",
    ]  # fmt: skip


def _head(system: System, card: ConventionCard) -> str:
    return (
        f"<header><h1>{escape(card.name or system.title)}</h1>"
        f"<p>{_suits(system.title)} · <code>{escape(card.line)}</code></p></header>"
    )


def _box(name: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_suits(line)}</li>" for line in lines if line)
    return f"<section><h2>{escape(name)}</h2><ul>{items}</ul></section>"


def _suits(text: str) -> str:
    out = escape(text)
    for symbol in "♥♦":
        out = out.replace(symbol, f"<b>{symbol}</b>")
    return out


_STYLE: Final = """
:root{color-scheme:light}*{box-sizing:border-box}
body{font:11px/1.35 system-ui,sans-serif;margin:0 auto;padding:12px;color:#111;background:#fff}
h1{font-size:16px;margin:0}header p{margin:2px 0 8px;color:#444}
code{font:10px ui-monospace,monospace;overflow-wrap:anywhere}
section{border:1px solid #333;padding:3px 6px 5px;margin:0 0 6px;break-inside:avoid}
h2{font-size:11px;margin:0 0 2px;text-transform:uppercase;letter-spacing:.04em}
ul{margin:0;padding:0;list-style:none}li{padding-left:8px;text-indent:-8px}b{color:#b3261e}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #333;padding:2px 4px;
text-align:left;vertical-align:top}tr{break-inside:avoid}.sheet{margin-top:10px}
.sheet section{margin-top:6px}
@media print{body{font-size:8.4px;padding:0}h2{font-size:8.4px}code{font-size:8px}}
"""
_SHEET: Final[dict[Form, str]] = {
    "acbl": "@page{size:letter;margin:9mm}body{max-width:820px}main{columns:2;column-gap:8px}"
    "@media(max-width:560px){main{columns:1}}",
    "wbf": "@page{size:A4 landscape;margin:9mm}body{max-width:1120px}"
    ".three{display:grid;grid-template-columns:1fr 1fr 1.1fr;gap:8px}.sheet{break-before:page;"
    "overflow-x:auto}@media(max-width:700px){.three{display:block}}",
}  # fmt: skip
