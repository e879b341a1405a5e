"""Learned agreements: where a system leaves a choice of calls, ranges that decide between them.
Read by PIDM (`nets=path`) and written by training.bidi; a plain text file in the bidding language.

    refines two-over-one "co-training, 40 nets"

    after 1H 2H
      among Pass 3H 4H "24 examples"
        Pass : hcp ..13 "9 examples"
        3H 4H : hcp 14..15, losers H 6+
        4H : hcp 16+

With a hand for which the system allows exactly Pass, 3H and 4H, the first line that fits decides;
a hand that no line fits keeps its choice. Opponents' calls stand in brackets, their passes are
left out, `when we passed` after an auction asks for a pass of our side before the opening.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.game.calls import CALLS, Call
from overtrick.game.errors import BridgeError
from overtrick.systems.meanings import constraint_of
from overtrick.systems.shows import HandValues, Items, bind, holds, parse_shows
from overtrick.systems.syntax import Place

Mask = NDArray[np.bool_]
_CODES: Final = np.uint64(1) << np.arange(38, dtype=np.uint64)
_PASSED: Final = "when we passed"
_LINE: Final = re.compile(r'(?P<calls>[^:"]+?)\s*:\s*(?P<shows>[^"]*?)\s*(?:"(?P<words>[^"]*)")?\Z')
_AMONG: Final = re.compile(r'among\s+(?P<calls>[^"]+?)\s*(?:"(?P<words>[^"]*)")?\Z')


class Situation(Protocol):
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
class Ruling:
    """With a hand in these ranges, only these calls."""

    calls: tuple[int, ...]
    text: str
    items: Items
    words: str = ""

    def __str__(self) -> str:
        called = " ".join(CALLS[c].ascii for c in self.calls)
        return f"{called} : {self.text}" + (f' "{self.words}"' if self.words else "")


@dataclass(frozen=True, slots=True)
class Choice:
    """The hands to which the system leaves exactly these calls, and what decides."""

    among: frozenset[int]
    rulings: tuple[Ruling, ...]
    words: str = ""

    @property
    def code(self) -> int:
        return sum(1 << c for c in self.among)

    def ruling(self, values: HandValues) -> Ruling | None:
        """The line that decides for one hand."""
        return next((r for r in self.rulings if holds(r.items, values)), None)

    def narrow(self, hands: HandArray, rows: NDArray[np.intp], out: Mask) -> None:
        """Write the calls that stay for these rows into `out` [hands, 38]."""
        part = HandArray(hands.bits[rows]) if len(rows) < len(hands) else hands
        open_ = np.ones(len(rows), bool)
        for ruling in self.rulings:
            hit = open_ & constraint_of(ruling.items).mask(part)
            if hit.any():
                chosen = rows[hit]
                out[chosen] = False
                for call in ruling.calls:
                    out[chosen, call] = True
                open_ &= ~hit
                if not open_.any():
                    return


@dataclass(frozen=True, slots=True)
class RefinedNet:
    """What was learned about one auction."""

    key: AuctionKey
    choices: tuple[Choice, ...]

    def choice(self, calls: Iterable[int]) -> Choice | None:
        wanted = frozenset(calls)
        return next((c for c in self.choices if c.among == wanted), None)

    def choose(self, calls: Iterable[int], values: HandValues) -> frozenset[int]:
        """φ of one hand, narrowed."""
        kept = frozenset(calls)
        found = self.choice(kept)
        ruling = found.ruling(values) if found is not None else None
        return kept if ruling is None else frozenset(ruling.calls)

    def restrict(self, allowed: Mask, hands: HandArray) -> Mask:
        """φ [hands, 38] of many hands, narrowed; a copy."""
        out = allowed.copy()
        codes = np.where(allowed, _CODES, np.uint64(0)).sum(axis=1, dtype=np.uint64)
        for choice in self.choices:
            rows = np.flatnonzero(codes == np.uint64(choice.code))
            if len(rows):
                choice.narrow(hands, rows, out)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Refinements:
    """All learned agreements of a player; the empty one changes nothing. Equal only to itself."""

    system: str = ""
    title: str = ""
    nets: dict[AuctionKey, RefinedNet] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nets)

    def at(self, calls: Sequence[int]) -> RefinedNet | None:
        """What was learned about the situation after these calls."""
        return self.nets.get(AuctionKey.of(calls))

    def covers(self, position: Situation) -> bool:
        """Has the net of this auction been refined?"""
        return self.at(position.calls) is not None

    def narrow(self, position: Situation, hands: HandArray, allowed: Mask) -> Mask:
        """The calls that stay; hands no refined node speaks about keep theirs."""
        net = self.at(position.calls)
        return allowed if net is None else net.restrict(allowed, hands)

    def explain(self, calls: Sequence[int], among: Iterable[int], values: HandValues) -> str:
        """Why a hand has no choice any more, in the words of the file; empty if it has."""
        net = self.at(calls)
        choice = net.choice(among) if net is not None else None
        ruling = choice.ruling(values) if choice is not None else None
        return "" if ruling is None else f"learned: {ruling}"

    def with_net(self, net: RefinedNet) -> Refinements:
        """A copy with one more net, in place of an older one for the same auction."""
        return Refinements(self.system, self.title, {**self.nets, net.key: net})

    def text(self) -> str:
        """The file."""
        lines = [f"refines {self.system}" + (f' "{self.title}"' if self.title else "")]
        for net in self.nets.values():
            lines += ["", net.key.words()]
            for choice in net.choices:
                calls = " ".join(CALLS[c].ascii for c in sorted(choice.among))
                lines.append(f"  among {calls}" + (f' "{choice.words}"' if choice.words else ""))
                lines += [f"    {ruling}" for ruling in choice.rulings]
        return "\n".join([*lines, ""])


def ruling_of(
    calls: Iterable[int], text: str, words: str = "", place: Place | None = None
) -> Ruling:
    """A line from its text."""
    template = parse_shows(text, place or Place("text", 1), {})
    return Ruling(tuple(sorted(calls)), text, bind(template, {}, None), words)


def load_refinements(path: str | Path) -> Refinements:
    """Read a file of learned agreements; errors name the line."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise BridgeError(f"cannot read learned agreements: {error}") from None
    return read_refinements(text, file.name)


def read_refinements(text: str, name: str = "text") -> Refinements:
    """The same from a text."""
    reader = _Reader(name)
    for number, raw in enumerate(text.splitlines(), 1):
        body = raw.split("#")[0].rstrip()
        if body.strip():
            reader.line(body.strip(), Place(name, number))
    return reader.done()


class _Reader:
    """The state while a file is read, line by line."""

    def __init__(self, name: str) -> None:
        self.name, self.system, self.title = name, "", ""
        self.nets: dict[AuctionKey, list[Choice]] = {}
        self.key: AuctionKey | None = None
        self.choice: tuple[frozenset[int], str, list[Ruling]] | None = None

    def line(self, text: str, place: Place) -> None:
        word = text.split()[0]
        if word == "refines":
            name, _, rest = text[len("refines") :].partition('"')
            self.system, self.title = name.strip(), rest.rstrip('"')
        elif word in ("opening", "after"):
            self._finish()
            self.key = _parse_key(text, place)
            self.nets.setdefault(self.key, [])
        elif word == "among":
            self._among(text, place)
        else:
            self._ruling(text, place)

    def _among(self, text: str, place: Place) -> None:
        match = _AMONG.match(text)
        if self.key is None or match is None:
            raise place.error("`among` stands below an auction and names calls: among Pass 3H")
        self._finish()
        calls = frozenset(_parse_call(c, place) for c in match["calls"].split())
        if len(calls) < 2:
            raise place.error("a choice is among two calls or more")
        self.choice = (calls, match["words"] or "", [])

    def _ruling(self, text: str, place: Place) -> None:
        match = _LINE.match(text)
        if match is None or self.choice is None:
            raise place.error(
                f"cannot read {text[:40]!r}", "a line below `among` reads: calls : ranges"
            )
        calls = [_parse_call(c, place) for c in match["calls"].split()]
        if not set(calls) <= self.choice[0]:
            raise place.error("a line may only choose among the calls above it")
        made = ruling_of(calls, match["shows"] or "any", match["words"] or "", place)
        self.choice[2].append(made)

    def _finish(self) -> None:
        if self.choice is not None and self.key is not None:
            among, words, rulings = self.choice
            self.nets[self.key].append(Choice(among, tuple(rulings), words))
        self.choice = None

    def done(self) -> Refinements:
        self._finish()
        nets = {k: RefinedNet(k, tuple(c)) for k, c in self.nets.items()}
        return Refinements(self.system, self.title, nets)


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
