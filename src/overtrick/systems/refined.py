"""Learned agreements: where a system leaves a choice of calls, ranges that decide between them.
PIDM reads them (`nets=path`), co-training writes them: a plain text file in the bidding language.

    refines two-over-one "co-training, 40 nets"

    after 1H 2H
      Pass > 3H : hcp ..13 "9 examples, +0.8 IMPs"
      4H > 3H > Pass : hcp 14+

With a hand to which the system leaves a choice, the first line that fits it decides: of its calls
the first that the system allows. A hand that no line fits, or to which no call of its line is
allowed, keeps its choice; a hand without a choice is never touched. Opponents' calls stand in
brackets, their passes are left out, `when we passed` after an auction asks for a pass of our side
before the opening. `4H among 3H 4H : hcp 14+` speaks only of hands to which exactly these calls are
open. `refines two-over-one near 5000 slack 3` says among which calls was chosen: those of every
rule the hand fits, or misses by three points; a player whose own choice is narrower then listens to
the agreements all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.game.calls import CALLS, Call
from overtrick.game.errors import BridgeError, refusal
from overtrick.systems.meanings import constraint_of
from overtrick.systems.shows import HandValues, Items, bind, holds, parse_shows
from overtrick.systems.syntax import Place

Mask = NDArray[np.bool_]
_PASSED: Final = "when we passed"
_LINE: Final = re.compile(r'(?P<calls>[^:"]+?)\s*:\s*(?P<shows>[^"]*?)\s*(?:"(?P<words>[^"]*)")?\Z')

_AMONG: Final = " among "
_HEAD: Final = re.compile(
    r'refines\s*(?P<system>[^\s"]*)(\s+near\s+(?P<near>\d+)\s+slack\s+(?P<slack>\d+))?\s*'
    r'("(?P<title>[^"]*)"?)?\Z'
)
_LEARNED: Final = "learned"  # the folder of the agreements that ship with the package


class HasCalls(Protocol):
    """Anything with the calls so far, dealer first (PIDM's positions)."""

    @property
    def calls(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class AuctionKey:
    """A situation as agreements see it: the calls from the opening on, did our side pass first?"""

    calls: tuple[int, ...]
    passed: bool

    @classmethod
    def of(cls, calls: Sequence[int]) -> AuctionKey:
        """The key of the player in turn after these calls."""
        opening = next((i for i, c in enumerate(calls) if c), len(calls))
        passed = any((len(calls) - i) % 2 == 0 for i in range(opening))
        return cls(tuple(int(c) for c in calls[opening:]), passed)

    def words(self) -> str:
        """`after 1H (2C) 2H`, `opening when we passed`."""
        parts = []
        for i, call in enumerate(self.calls):
            theirs = (len(self.calls) - i) % 2 == 1
            if not (theirs and call == 0):
                parts.append(f"({CALLS[call].ascii})" if theirs else CALLS[call].ascii)
        # Of two opponents' passes at the end nothing would be seen: none can be, we are in turn.
        text = f"after {' '.join(parts)}" if parts else "opening"
        return f"{text} {_PASSED}" if self.passed else text


@dataclass(frozen=True, slots=True)
class RangeRuling:
    """With a hand in these ranges, these calls in this order of preference."""

    calls: tuple[int, ...]
    text: str
    items: Items
    words: str = ""
    among: frozenset[int] = frozenset()
    """Only where exactly these calls are open; empty: wherever there is a choice."""

    def __str__(self) -> str:
        called = " > ".join(CALLS[c].ascii for c in self.calls)
        if self.among:
            called += _AMONG + " ".join(CALLS[c].ascii for c in sorted(self.among))
        return f"{called} : {self.text}" + (f' "{self.words}"' if self.words else "")


@dataclass(frozen=True, slots=True)
class RefinedNet:
    """What was learned about one auction."""

    key: AuctionKey
    rulings: tuple[RangeRuling, ...]

    def ruling(self, values: HandValues, among: Iterable[int]) -> RangeRuling | None:
        """The line that speaks about one hand with these calls open."""
        open_ = frozenset(among)
        fitting = (r for r in self.rulings if not r.among or r.among == open_)
        return next((r for r in fitting if holds(r.items, values)), None)

    def choose(self, calls: Iterable[int], values: HandValues) -> frozenset[int]:
        """φ of one hand, narrowed."""
        kept = frozenset(calls)
        ruling = self.ruling(values, kept) if len(kept) > 1 else None
        best = next((c for c in ruling.calls if c in kept), None) if ruling else None
        return kept if best is None else frozenset({best})

    def restrict(self, allowed: Mask, hands: HandArray) -> Mask:
        """φ [hands, 38] of many hands, narrowed; a copy."""
        out = allowed.copy()
        rows = np.flatnonzero(allowed.sum(axis=1) > 1)
        part = HandArray(hands.bits[rows]) if len(rows) < len(hands) else hands
        for ruling in self.rulings:
            if not len(rows):
                break
            hit = constraint_of(ruling.items).mask(part)
            if ruling.among:
                hit = hit & (allowed[rows] == _mask(ruling.among)).all(axis=1)
            open_ = rows[hit]
            for call in ruling.calls:
                takes = allowed[open_, call]
                out[open_[takes]] = False
                out[open_[takes], call] = True
                open_ = open_[~takes]
            rows, part = rows[~hit], HandArray(part.bits[~hit])
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Refinements:
    """All learned agreements of a player; the empty one changes nothing. Equal only to itself."""

    system: str = ""
    title: str = ""
    nets: dict[AuctionKey, RefinedNet] = field(default_factory=dict)
    width: tuple[int, int] | None = None
    """`near` and `slack` of the choices that were settled, if the file says so."""

    def __len__(self) -> int:
        return len(self.nets)

    def at(self, calls: Sequence[int]) -> RefinedNet | None:
        """What was learned about the situation after these calls."""
        return self.nets.get(AuctionKey.of(calls))

    def covers(self, position: HasCalls) -> bool:
        """Has the net of this auction been refined?"""
        return self.at(position.calls) is not None

    def narrow(self, position: HasCalls, hands: HandArray, allowed: Mask) -> Mask:
        """The calls that stay; hands no refined node speaks about keep theirs."""
        net = self.at(position.calls)
        return allowed if net is None else net.restrict(allowed, hands)

    def explain(self, calls: Sequence[int], among: Iterable[int], values: HandValues) -> str:
        """Why a hand has no choice any more, in the words of the file; empty if it has."""
        net = self.at(calls)
        open_ = frozenset(among)
        ruling = net.ruling(values, open_) if net is not None else None
        if ruling is None or not set(ruling.calls) & open_:
            return ""
        return str(ruling)

    def with_net(self, net: RefinedNet) -> Refinements:
        """A copy with one more net, in place of an older one for the same auction; one without
        lines only takes the older one away."""
        nets = {**self.nets, net.key: net}
        if not net.rulings:
            del nets[net.key]
        return replace(self, nets=nets)

    def text(self) -> str:
        """The file."""
        width = f" near {self.width[0]} slack {self.width[1]}" if self.width else ""
        title = f' "{self.title}"' if self.title else ""
        lines = [f"refines {self.system}{width}{title}"]
        for net in self.nets.values():
            lines += ["", net.key.words(), *(f"  {ruling}" for ruling in net.rulings)]
        return "\n".join([*lines, ""])


def _mask(calls: Iterable[int]) -> Mask:
    out = np.zeros(len(CALLS), bool)
    out[list(calls)] = True
    return out


def ruling_of(
    calls: Iterable[int],
    text: str,
    words: str = "",
    place: Place | None = None,
    among: Iterable[int] = (),
) -> RangeRuling:
    """A line from its text."""
    template = parse_shows(text, place or Place("text", 1), {})
    return RangeRuling(tuple(calls), text, bind(template, {}, None), words, frozenset(among))


def load_refinements(path: str | Path) -> Refinements:
    """Read a file of learned agreements, or those that ship for a system, by its name; errors name
    the line."""
    file = Path(path)
    if str(path) in shipped():
        text = (files("overtrick.systems") / _LEARNED / f"{path}.bid").read_text(encoding="utf-8")
        return read_refinements(text, f"{path}.bid")
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise BridgeError(f"cannot read learned agreements: {refusal(error)}") from None
    return read_refinements(text, file.name)


def shipped() -> list[str]:
    """Systems with learned agreements in the package."""
    root = files("overtrick.systems") / _LEARNED
    return sorted(f.name.removesuffix(".bid") for f in root.iterdir()) if root.is_dir() else []


def read_refinements(text: str, name: str = "text") -> Refinements:
    """The same from a text."""
    reader = _RefinedReader()
    for number, raw in enumerate(text.splitlines(), 1):
        body = raw.split("#")[0].rstrip()
        if body.strip():
            reader.line(body.strip(), Place(name, number))
    return reader.done()


class _RefinedReader:
    """The state while a file is read, line by line."""

    def __init__(self) -> None:
        self.system, self.title = "", ""
        self.width: tuple[int, int] | None = None
        self.nets: dict[AuctionKey, list[RangeRuling]] = {}
        self.here: list[RangeRuling] | None = None

    def line(self, text: str, place: Place) -> None:
        word = text.split()[0]
        if word == "refines":
            match = _HEAD.match(text)
            if match is None:
                raise place.error(f"cannot read {text[:40]!r}", 'write: refines system "title"')
            self.system, self.title = match["system"] or "", match["title"] or ""
            self.width = (int(match["near"]), int(match["slack"])) if match["near"] else None
        elif word in ("opening", "after"):
            self.here = self.nets.setdefault(_parse_key(text, place), [])
        else:
            self._ruling(text, place)

    def _ruling(self, text: str, place: Place) -> None:
        match = _LINE.match(text)
        if match is None or self.here is None:
            raise place.error(
                f"cannot read {text[:40]!r}", "below an auction stands: calls : ranges"
            )
        order, _, open_ = match["calls"].partition(_AMONG)
        calls = [_parse_call(c, place) for c in order.split(">")]
        among = [_parse_call(c, place) for c in open_.split()]
        shows, words = match["shows"] or "any", match["words"] or ""
        self.here.append(ruling_of(calls, shows, words, place, among))

    def done(self) -> Refinements:
        nets = {k: RefinedNet(k, tuple(r)) for k, r in self.nets.items()}
        return Refinements(self.system, self.title, nets, self.width)


def _parse_call(text: str, place: Place) -> int:
    try:
        return int(Call.parse(text))
    except BridgeError:
        raise place.error(f"no such call {text!r}") from None


def _parse_key(text: str, place: Place) -> AuctionKey:
    passed = text.endswith(_PASSED)
    body = text.removesuffix(_PASSED).strip()
    if body == "opening":
        return AuctionKey((), passed)
    calls: list[int] = []
    sides: list[bool] = []
    for word in body.split()[1:]:
        theirs = word.startswith("(")
        if sides and sides[-1] == theirs:  # the other side passed in between
            calls.append(0)
            sides.append(not theirs)
        calls.append(_parse_call(word.strip("()"), place))
        sides.append(theirs)
    if not calls:
        raise place.error("`after` needs an auction")
    if not sides[-1]:
        calls.append(0)
    return AuctionKey(tuple(calls), passed)
