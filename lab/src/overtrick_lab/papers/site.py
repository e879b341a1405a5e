"""Markdown reports: their tables, and all of them as one small web site with a front page.
Knows the Markdown our reports use, and needs no package for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Final

from overtrick.arena.page import page, table

_INLINE: Final = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"!\[([^\]]*)\]\(([\w./-]+)\)"), r"<img src='\2' alt='\1'>"),
    (re.compile(r"\[([^\]]+)\]\(((?:https?:/)?[\w./#?=&%-]+)\)"), r"<a href='\2'>\1</a>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])"), r"<i>\1</i>"),
)
_MORE_CSS: Final = (
    "<style>img{max-width:100%;background:#fff;border-radius:.4rem}code{background:var(--card);"
    "padding:.05em .3em;border-radius:.25rem}pre{background:var(--card);padding:.8rem;"
    "overflow-x:auto}a{color:var(--s)}th,td{text-align:left!important}"
    "table{margin:.8rem 0 1.4rem}thead th{overflow-wrap:normal!important}</style>"
)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown.

    >>> print(markdown_table(("engine", "IMPs"), [("policy", "+0.9")]))
    | engine | IMPs |
    |---|---|
    | policy | +0.9 |
    """
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def inline(text: str) -> str:
    """Emphasis, code, links and pictures of one line; everything else is shown as it is."""
    out = escape(text, quote=False).replace("'", "&#39;")
    for pattern, by in _INLINE:
        out = pattern.sub(by, out)
    return out


def body(markdown: str) -> str:
    """Headings, paragraphs, lists, tables and code blocks as HTML."""
    return "\n".join(_blocks(markdown.splitlines()))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    i = 0
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
        elif line.startswith("```"):
            end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("```")), None)
            stop = len(lines) if end is None else end
            yield f"<pre>{escape(chr(10).join(lines[i + 1 : stop]))}</pre>"
            i = stop + 1
        elif match := re.match(r"(#{1,6}) +(.*)", line):
            level = len(match[1])
            yield f"<h{level}>{inline(match[2])}</h{level}>"
            i += 1
        elif line.startswith("|"):
            end = _run(lines, i, lambda text: text.startswith("|"))
            yield _table(lines[i:end])
            i = end
        elif _ITEM.match(line):
            end = _run(lines, i, lambda text: bool(_ITEM.match(text) or text.startswith("  ")))
            yield _list(lines[i:end])
            i = end
        else:
            end = _run(lines, i, lambda text: bool(text.strip()) and not _STARTS.match(text))
            end = max(end, i + 1)
            yield f"<p>{inline(' '.join(lines[i:end]))}</p>"
            i = end


_ITEM: Final = re.compile(r"(?:[-*]|\d+\.) +")
_STARTS: Final = re.compile(r"#{1,6} |\||```|(?:[-*]|\d+\.) ")


def _run(lines: Sequence[str], start: int, belongs: Callable[[str], bool]) -> int:
    """Where the lines that belong together end."""
    end = start
    while end < len(lines) and belongs(lines[end]):
        end += 1
    return end


def _table(lines: Sequence[str]) -> str:
    rows = [[c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    ruled = len(rows) > 1 and all(set(c) <= set("-: ") for c in rows[1])
    head, rest = (rows[0], rows[2:]) if ruled else ([], rows)
    top = "".join(f"<th>{inline(c)}</th>" for c in head)
    inside = "".join(
        "<tr>" + "".join(f"<td>{inline(c)}</td>" for c in row) + "</tr>" for row in rest
    )
    return (
        f"<div class=scroll><table><thead><tr>{top}</tr></thead>"
        f"<tbody>{inside}</tbody></table></div>"
    )


def _list(lines: Sequence[str]) -> str:
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line):
            items.append(_ITEM.sub("", line, count=1))
        else:
            items[-1] += " " + line.strip()
    kind = "ol" if lines[0][0].isdigit() else "ul"
    return f"<{kind}>" + "".join(f"<li>{inline(item)}</li>" for item in items) + f"</{kind}>"


def report_page(title: str, markdown: str) -> str:
    """One report as a page with a way back to the front page."""
    back = "<p class=small><a href='../index.html'>All papers</a></p>"
    # The page has its own title; the report's first heading would say it twice.
    rest = re.sub(r"\A\s*# [^\n]*\n", "", markdown)
    return page(title, [_MORE_CSS, back, f"<h1>{escape(title)}</h1>", body(rest)])


def front_page(title: str, words: str, rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Name, title, status and address ('' for none) of each report."""
    listed = list(rows)
    shown = table(("paper", "title", "status"), [(n, t, s) for n, t, s, _ in listed])
    for name, _, _, address in listed:
        if address:
            link = f"<td><a href='{escape(address)}'>{escape(name)}</a></td>"
            shown = shown.replace(f"<td>{escape(name)}</td>", link, 1)
    return page(title, [_MORE_CSS, f"<h1>{escape(title)}</h1>", f"<p>{escape(words)}</p>", shown])
