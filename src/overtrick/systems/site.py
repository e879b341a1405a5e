"""The system book as a static web site: the card, a book to learn from, auctions with links,
contested ones, examples. The pages need nothing but a browser and print well."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from overtrick.game.calls import CALLS
from overtrick.game.meaning import Forcing
from overtrick.systems.book import BookEntry, contested, spell, walk
from overtrick.systems.card import card_lines
from overtrick.systems.lessons import sections, to_markdown
from overtrick.systems.system import System

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1d2127;--soft:#69707a;--line:#dfe2e6;--mark:#fff4d8;
--red:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#9aa0a8;--line:#3a3f46;
--mark:#3b3420;--red:#ff8a80}}
body{font:16px/1.5 system-ui,sans-serif;max-width:58rem;margin:0 auto;padding:1rem;
color:var(--ink)}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.05rem;margin:2rem 0 .3rem;
scroll-margin-top:1rem}
nav a,.toc a{margin-right:.9rem;white-space:nowrap}a{color:inherit;
text-decoration-color:var(--soft)}
.toc{line-height:2;border-block:1px solid var(--line);padding:.4rem 0}
table{border-collapse:collapse;width:100%}td{padding:.3rem .6rem;
border-bottom:1px solid var(--line);vertical-align:top}
td:first-child{width:4rem;white-space:nowrap;font-weight:600}
td:last-child{color:var(--soft);font-size:.85rem;text-align:right}
small{color:var(--soft);display:block}.alert td:first-child{background:var(--mark)}
.red{color:var(--red)}code{font:.9rem ui-monospace,monospace}h2 a{text-decoration:none}
h3{font-size:1rem;margin:1rem 0 .2rem}li{margin:.15rem 0}
@media print{nav,.toc{display:none}.answers{break-before:page}
h2{break-after:avoid}tr{break-inside:avoid}}"""
_PAGES: Final = (
    ("index.html", "Card"), ("learn.html", "Learn"), ("uncontested.html", "Uncontested"),
    ("contested.html", "Contested"), ("examples.html", "Examples"),
)  # fmt: skip


def write_book(system: System, folder: Path, depth: int = 4) -> list[Path]:
    """Write the system as a small static site; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    bodies = (
        _card(system), _learn(system), _uncontested(system, depth), _contested(system),
        _examples(system),
    )  # fmt: skip
    out = []
    for (name, _), body in zip(_PAGES, bodies, strict=True):
        path = folder / name
        path.write_text(_page(system.title, name, body), encoding="utf-8")
        out.append(path)
    text = folder / "learn.md"
    text.write_text(to_markdown(system), encoding="utf-8")
    return [*out, text]


def _page(title: str, here: str, body: str) -> str:
    links = "".join(
        f"<b>{label}</b>&emsp;" if name == here else f'<a href="{name}">{label}</a>'
        for name, label in _PAGES
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{escape(title)}</h1><nav>{links}</nav>{body}</html>\n"
    )


def _pretty(text: str) -> str:
    out = escape(text)
    for letter, symbol in zip("CDHS", "♣♦♥♠", strict=True):
        for level in "1234567":
            out = out.replace(f"{level}{letter}", f"{level}{symbol}")
    for symbol in "♥♦":
        out = out.replace(symbol, f'<span class="red">{symbol}</span>')
    return out


def _anchor(auction: tuple[int, ...]) -> str:
    return "a-" + "-".join(CALLS[c].ascii for c in auction)


def _card(system: System) -> str:
    rows = "".join(
        f"<tr><td>{'✓' if on else '–'}</td><td>{_pretty(title)}</td><td>{escape(name)}</td></tr>"
        for name, title, on in card_lines(system)
    )
    return f"<h2>Convention card</h2><table>{rows}</table>"


def _learn(system: System) -> str:
    """Prose, tables and quizzes of the lessons; the answers begin a page of their own."""
    body: list[str] = []
    answers: list[str] = []
    for section in sections(system):
        body.append(f"<h2>{_pretty(section.title)}</h2>")
        body += [f"<p>{_pretty(text)}</p>" for text in section.paragraphs]
        for title, rows in section.tables:
            body.append(f"<h3>{_pretty(title)}</h3>" if title else "")
            cells = ("".join(f"<td>{_pretty(cell)}</td>" for cell in row) for row in rows)
            body.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")
        if section.questions:
            asked = "".join(f"<li>{_pretty(q.words)}</li>" for q in section.questions)
            right = "".join(f"<li>{_pretty(q.answer)}</li>" for q in section.questions)
            body.append(f"<h3>Quiz</h3><ol>{asked}</ol>")
            answers.append(f"<h3>{_pretty(section.title)}</h3><ol>{right}</ol>")
    return f'{"".join(body)}<h2 class="answers">Answers</h2>{"".join(answers)}'


def _rows(found: list[BookEntry], known: set[tuple[int, ...]]) -> str:
    rows = []
    for e in found:
        following = (*e.auction, e.call, 0)
        call = _pretty(str(CALLS[e.call]))
        if following in known:
            call = f'<a href="#{_anchor(following)}">{call}</a>'
        notes = [escape(e.convention)] if e.convention else []
        if e.forcing is Forcing.SIGN_OFF:
            notes.append("sign-off")
        elif e.forcing is not Forcing.NONE:
            notes.append(f"forcing {escape(str(e.forcing))}")
        mark = ' class="alert"' if e.alert else ""
        rows.append(
            f"<tr{mark}><td>{call}</td><td>{_pretty(e.words)}<small>{_pretty(e.ranges)}</small></td>"
            f"<td>{'<br>'.join(notes)}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _uncontested(system: System, depth: int) -> str:
    parts = list(walk(system, depth))
    known = {auction for auction, _ in parts}
    openings = [a for a in known if len(a) == 2]
    contents = "".join(
        f'<a href="#{_anchor(a)}">{_pretty(CALLS[a[0]].ascii)}</a>' for a in sorted(openings)
    )
    body = [f'<p class="toc">{contents}</p>']
    for auction, found in parts:
        title = _pretty(spell(auction)) if auction else "Opening bids"
        up = auction[:-2]
        back = f' <a href="#{_anchor(up)}" title="one call back">↑</a>' if auction else ""
        body.append(f'<h2 id="{_anchor(auction)}">{title}{back}</h2>{_rows(found, known)}')
    return "".join(body)


def _contested(system: System) -> str:
    contents: list[str] = []
    body: list[str] = []
    for auction, found in contested(system):
        ours = len(auction) % 2 == 0
        title = _pretty(spell(auction, ours_first=ours))
        contents.append(f'<a href="#{_anchor(auction)}">{title}</a>')
        body.append(f'<h2 id="{_anchor(auction)}">{title}</h2>{_rows(found, set())}')
    return f'<p class="toc">{"".join(contents)}</p>{"".join(body)}'


def _examples(system: System) -> str:
    """The hands beside the rules, by convention: what `overtrick system test` bids."""
    groups: dict[str, list[str]] = {}
    for e in system.examples():
        name = system.titles.get(e.convention, "") or e.place.file.rsplit("/", 1)[-1][:-4]
        where = _pretty(e.auction) if e.auction else "opening"
        groups.setdefault(name, []).append(
            f"<tr><td>{_pretty(e.call)}</td><td><code>{escape(e.hand)}</code></td><td>{where}</td></tr>"
        )
    return "".join(
        f"<h2>{_pretty(name)}</h2><table>{''.join(rows)}</table>" for name, rows in groups.items()
    )
