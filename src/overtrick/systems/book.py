"""A system written out: its calls auction by auction, BML for humans, alert text for BBO.
All walk the same options the bidder uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from overtrick.game.calls import CALLS
from overtrick.game.meaning import Forcing
from overtrick.systems.classes import is_possible
from overtrick.systems.meanings import call_meaning
from overtrick.systems.reading import Reading
from overtrick.systems.system import System


@dataclass(frozen=True, slots=True)
class BookEntry:
    """One call of the book: where it stands and what it shows."""

    auction: tuple[int, ...]
    call: int
    words: str
    ranges: str
    forcing: Forcing
    alert: bool
    convention: str


def entries(reading: Reading, auction: tuple[int, ...]) -> list[BookEntry]:
    """The calls of the system after an auction, cheapest first; generic passes are left out."""
    ctx = reading.context(auction, 0, 0)
    out = []
    for call in sorted({o.call for o in reading.options(ctx) if o.rule.layer > 5}):
        if not is_possible(reading, ctx, call):
            continue
        m = call_meaning(reading, ctx, call)
        out.append(BookEntry(auction, call, m.words, m.ranges(), m.forcing, m.alert, m.convention))
    return out


def walk(system: System, depth: int = 4) -> Iterator[tuple[tuple[int, ...], list[BookEntry]]]:
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


def contested(system: System) -> Iterator[tuple[tuple[int, ...], list[BookEntry]]]:
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
    """The system as Bridge Bidding Markup Language, which `systems.bml` reads back."""
    lines = [f"#+TITLE: {system.title}", ""]
    for auction, found in walk(system, depth):
        title = f"* {_title(auction)}" if auction else "* Opening bids"
        lines += _bml_table(title, auction, found, ours_first=True)
    for auction, found in contested(system):
        ours = len(auction) % 2 == 0
        lines += _bml_table(f"* {_title(auction, ours)}", auction, found, ours_first=ours)
    return "\n".join(lines)


def _bml_table(
    title: str, auction: tuple[int, ...], found: list[BookEntry], ours_first: bool
) -> list[str]:
    """A heading and the calls after one auction. Opponents are bracketed, and their passes are left
    out where nothing else of theirs is said."""
    theirs = [(i % 2 == 1) is ours_first for i in range(len(auction))]
    silent = all(not call for call, other in zip(auction, theirs, strict=True) if other)
    calls = [
        f"({_short(call)})" if other else _short(call)
        for call, other in zip(auction, theirs, strict=True)
        if not (other and silent)
    ]
    where = ["-".join(calls) + "-"] if calls else []
    return [title, "", *where, *(f"{_short(e.call)} = {_bml(e)}" for e in found), ""]


def _title(auction: tuple[int, ...], ours_first: bool = True) -> str:
    return _marked(spell(auction, ours_first=ours_first))


def _short(call: int) -> str:
    return {0: "P", 1: "D", 2: "R"}.get(call, CALLS[call].ascii.replace("NT", "N"))


def _bml(entry: BookEntry) -> str:
    text = entry.words + (f" [{entry.ranges}]" if entry.ranges else "")
    return _marked(text) + (f", {entry.forcing}" if entry.forcing is not Forcing.NONE else "")


def _marked(text: str) -> str:
    for symbol, mark in zip("♣♦♥♠", ("!c", "!d", "!h", "!s"), strict=True):
        text = text.replace(symbol, mark)
    return text


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
