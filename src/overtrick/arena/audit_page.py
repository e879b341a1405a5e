"""An audit as one HTML page: the worst rules and auctions with hands, faults, conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Final

from overtrick.arena.findings import FaultFound, Finding, Findings
from overtrick.arena.page import page, suits, table, tiles

_SHOWN: Final = 30
_SHOWN_FAULTS: Final = 20


def html(found: Findings, unused: Mapping[str, Sequence[str]]) -> str:
    """The page; `unused` are rules that never speak, by the reason (from lint)."""
    settings = found.settings
    title = f"Audit of {settings.system}"
    parts = [
        f"<h1>{escape(title)} <span class=soft>against</span> {escape(settings.against)}</h1>",
        _figures(found),
        "<p class='soft small'>A finding is a rule and another call that the system also allows, "
        "or that the hand misses by one thing. “Lost” is what the other call gains in the deals "
        "themselves, over all deals; “imagined” is its gain each time in worlds the "
        "auction allows. The order is by both together, less one standard error.</p>",
        "<h2>Rules that lose</h2>",
        *(_finding(f) for f in found.rules[:_SHOWN]),
        "<h2>Auctions that lose</h2>",
        _table(found.auctions[:_SHOWN]),
        *_conventions(found),
        "<h2>Faults</h2>",
        table(
            ("kind", "calls", "share"),
            [(kind, str(n), f"{found.share(kind):.3%}") for kind, n in found.kinds.items()],
        ),
        *_faults(found.faults),
        *_unused(unused),
    ]
    return page(title, parts)


def _figures(found: Findings) -> str:
    rows = [
        ("deals, each in both rooms", f"{found.boards:,}"),
        ("decisions", f"{found.decisions:,}"),
        ("of them with a choice", f"{found.choices:,}"),
    ]  # fmt: skip
    if found.is_match:
        result = f"{found.result.mean:+.3f} ± {found.result.error:.3f}"
        rows.insert(0, ("IMPs a board against them, both rooms", result))
    if found.choices and found.judgement.boards == found.choices:  # a selection says little
        value = f"{found.judgement.mean:+.2f} ± {found.judgement.error:.2f}"
        rows.append(("IMPs a choice that judgement would gain, in imagined worlds", value))
    return tiles(rows)


def imagined_words(finding: Finding) -> str:
    """'+1.2 ± 0.4 (8)', or a dash where nothing was imagined."""
    if finding.imagined is None:
        return "–"
    error = "" if finding.imagined_error is None else f" ± {finding.imagined_error:.1f}"
    return f"{finding.imagined:+.1f}{error} ({finding.imagined_times})"


def _finding(finding: Finding) -> str:
    cases = "".join(f"<li>{suits(str(case))}</li>" for case in finding.cases)
    wants = f"<p class=small>Wanted by: {suits(finding.wants)}</p>" if finding.wants else ""
    return (
        f"<div class=board><h3>{suits(finding.calls)} <span class=b>{finding.lost:.4f} ± "
        f"{finding.lost_error:.4f} lost a deal</span></h3>"
        f"<p class=small>“{suits(finding.words)}” <span class=soft>{escape(finding.what)}</span>; "
        f"better “{suits(finding.other_words)}” <span class=soft>{escape(finding.instead)}</span>. "
        f"{finding.times} times, {finding.gain:+.2f} ± {finding.gain_error:.2f} each; imagined "
        f"{imagined_words(finding)}.</p>{wants}<ul class=small>{cases}</ul></div>"
    )


def _table(found: Iterable[Finding]) -> str:
    head = ("auction", "better", "times", "lost a deal", "each time", "imagined", "hand")
    rows = [
        (f.what, f.instead, str(f.times), f"{f.lost:.4f} ± {f.lost_error:.4f}",
         f"{f.gain:+.1f} ± {f.gain_error:.1f}", imagined_words(f),
         f.cases[0].hand if f.cases else "")
        for f in found
    ]  # fmt: skip
    return table(head, rows)


def _conventions(found: Findings) -> list[str]:
    if not found.conventions:
        return []
    rows = [(c.name, f"{c.gain:+.4f} ± {c.error:.4f}", str(c.changed)) for c in found.conventions]
    head = ("convention", "gains, IMPs a deal", "deals changed")
    return ["<h2>What conventions gain</h2>", table(head, rows)]


def _faults(faults: Sequence[FaultFound]) -> list[str]:
    parts = []
    for kind, some in groupby(faults, key=lambda f: f.kind):
        every = list(some)
        rows = [
            (f.auction, f.what, str(f.count), "; ".join(f.hands)) for f in every[:_SHOWN_FAULTS]
        ]
        count = sum(f.count for f in every)
        parts += [
            f"<h3>{escape(kind[:1].upper() + kind[1:])} ({count:,})</h3>",
            table(("after", "call", "times", "hands"), rows),
        ]
    return parts


def _unused(unused: Mapping[str, Sequence[str]]) -> list[str]:
    parts = []
    for title, lines in unused.items():
        if lines:
            rows = "".join(f"<li>{suits(line)}</li>" for line in lines)
            parts.append(
                f"<h2>{escape(title[:1].upper() + title[1:])} ({len(lines)})</h2>"
                f"<ul class=small>{rows}</ul>"
            )
    return parts
