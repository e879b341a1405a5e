"""What a call shows, as rules write it: text with suit variables and values shared with partner.
Read once per rule, bound to suits and to a context per auction; bound forms test hands and explain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from overtrick.evaluation.hands import OneHand
from overtrick.evaluation.registry import ALL, Feature, feature
from overtrick.systems.context import NOTHING, Context, Shown, join
from overtrick.systems.errors import did_you_mean
from overtrick.systems.syntax import Place

# A bound item: (feature number, low, high), or ("or", [items, …]) or ("not", items).
Item = tuple[Any, ...]
Items = tuple[Item, ...]
BIG: Final = 99


@dataclass(frozen=True, slots=True)
class Atom:
    """`low ≤ feature(suits) ≤ high`; `mode` adds partner's least, most or likely value first."""

    name: str
    suits: tuple[str, ...]
    low: int
    high: int
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Template


@dataclass(frozen=True, slots=True)
class Template:
    """A conjunction of atoms, alternatives and negations."""

    items: tuple[Atom | Or | Not, ...]
    variables: tuple[str, ...]
    shared: bool  # does it use values shared with partner?


@dataclass(frozen=True, slots=True)
class _Word:
    """How a word of the language maps to a feature: its class and the suits it takes."""

    feature: str
    takes: int  # how many suits
    optional: bool = False
    default: tuple[int, int] = (1, BIG)


_WORDS: Final[dict[str, _Word]] = {
    "hcp": _Word("HCP", 1, True),
    "points": _Word("POINTS", 1, True),
    "losers": _Word("LOSERS", 1, True),
    "playing-losers": _Word("UNLOS", 1),
    "controls": _Word("CONTROLS", 1, True),
    "aces": _Word("ACE", 0), "kings": _Word("KING", 0), "queens": _Word("QUEEN", 0),
    "ace": _Word("ACE", 1), "king": _Word("KING", 1), "queen": _Word("QUEEN", 1),
    "jack": _Word("JACK", 1),
    "keycards": _Word("RKCB", 1),
    "quality": _Word("QLTY", 1),
    "honours": _Word("HONOR", 1, True),
    "top": _Word("HC", 1),
    "stopper": _Word("STOP-NT", 1, False, (3, BIG)),
    "half-stopper": _Word("STOP-NT", 1, False, (2, BIG)),
    "quick": _Word("QUICK", 1, True),
    "cover": _Word("COVER", 1),
    "biddable": _Word("BIDDBLE", 1),
    "longest": _Word("LONGEST", 1, False, (1, 1)),
    "balanced": _Word("BAL", 0, False, (0, 0)),
    "semi-balanced": _Word("BAL", 0, False, (0, 1)),
    "unbalanced": _Word("BAL", 0, False, (1, BIG)),
    "shape": _Word("BAL", 0),
    "longer-major": _Word("LMAJ", 0), "longer-minor": _Word("LMIN", 0),
    "suits": _Word("SUITS", 0),
    "opening-strength": _Word("TWENTY", 0),
}  # fmt: skip
_FIXED: Final = {
    "clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3, "C": 0, "D": 1, "H": 2, "S": 3,
}  # fmt: skip
_VARS: Final = ("M", "oM", "m", "om", "X", "Y", "Z", "W", "T")
_MODES: Final = ("combined", "possible", "likely", "extra")
_RANGE: Final = re.compile(r"(?:(-?\d+)\+|(-?\d+)?\.\.(-?\d+)|(-?\d+(?:/-?\d+)+)|(-?\d+))\Z")
_TOKEN: Final = re.compile(r"\s*(\(|\)|,|>=|<=|>|<|[^\s(),<>=]+|=)")


class _Parser:
    """Recursive descent: comma, then `or`, then `and`, then `not`, then one statement."""

    def __init__(self, text: str, place: Place, defines: Mapping[str, str]) -> None:
        self.tokens = _TOKEN.findall(text)
        self.place, self.defines, self.text = place, defines, text
        self.at = 0
        self.shared = False
        self.variables: set[str] = set()

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def whole(self) -> Template:
        out = self.commas()
        if self.peek():
            raise self.place.error(f"cannot read {self.peek()!r} in {self.text!r}")
        return out

    def commas(self) -> Template:
        items: list[Atom | Or | Not] = list(self.either().items)
        while self.peek() == ",":
            self.take()
            items.extend(self.either().items)
        return self._template(items)

    def either(self) -> Template:
        parts = [self.both()]
        while self.peek() == "or":
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else self._template([Or(tuple(parts))])

    def both(self) -> Template:
        items: list[Atom | Or | Not] = list(self.negated().items)
        while self.peek() == "and":
            self.take()
            items.extend(self.negated().items)
        return self._template(items)

    def negated(self) -> Template:
        if self.peek() == "not":
            self.take()
            return self._template([Not(self.negated())])
        if self.peek() == "(":
            self.take()
            inner = self.commas()
            if self.take() != ")":
                raise self.place.error(f"a bracket is not closed in {self.text!r}")
            return inner
        return self.statement()

    def _template(self, items: list[Atom | Or | Not]) -> Template:
        return Template(tuple(items), tuple(sorted(self.variables)), self.shared)

    def statement(self) -> Template:
        word = self.take()
        if word == "any":
            return self._template([])
        if word in self.defines:
            return self._named(word)
        mode = ""
        if word in _MODES:
            mode, word, self.shared = word, self.take(), True
        if self._is_suit(word):
            return self._length(word, mode)
        if word == "flat":
            lengths: list[Atom | Or | Not] = [Atom("SUITLEN", (s,), 3, 4) for s in "CDHS"]
            return self._template(lengths)
        if word == "control" and self.peek() in ("unbid", "side"):
            self.shared = True
            return self._template([Atom("CONTROL", (self.take(),), 1, 1, "each")])
        if word == "control":
            return self._control()
        if word == "unbid":
            self.shared = True
            return self._ranged("SUITLEN", ("unbid",), "each", None)
        if word in ("stopped", "half-stopped"):
            which = self.take()
            if which not in ("theirs", "unbid"):
                raise self.place.error(f"`{word}` is followed by `theirs` or `unbid`, not {which!r}")
            self.shared = True
            low = 3 if word == "stopped" else 2
            return self._template([Atom("STOP-NT", (which,), low, BIG, "each")])
        known = _WORDS.get(word)
        if known is None:
            hint = did_you_mean(word, [*_WORDS, *_FIXED, *self.defines, *_MODES])
            raise self.place.error(f"no such feature {word!r}", hint)
        return self._feature(word, known, mode)

    def _named(self, word: str) -> Template:
        inner = _Parser(self.defines[word], self.place, self.defines)
        made = inner.whole()
        self.shared |= inner.shared
        self.variables |= inner.variables
        return made

    def _control(self) -> Template:
        suit = self._suit()
        ways = [Atom("ACE", (suit,), 1, 1), Atom("KING", (suit,), 1, 1), Atom("SUITLEN", (suit,), 0, 1)]
        return self._template([Or(tuple(self._template([w]) for w in ways))])

    def _is_suit(self, word: str) -> bool:
        return word in _FIXED or word in _VARS

    def _suit(self) -> str:
        word = self.take()
        if not self._is_suit(word):
            raise self.place.error(f"expected a suit, found {word!r} in {self.text!r}")
        if word in _VARS:
            self.variables.add(word)
        return word

    def _length(self, word: str, mode: str) -> Template:
        self.at -= 1
        suit = self._suit()
        if self.peek() in (">", ">=", "<", "<="):
            sign = self.take()
            other = self._suit()
            if sign.startswith("<"):
                suit, other = other, suit
            return self._template([Atom("DIF", (suit, other), int(len(sign) == 1), BIG)])
        if self.peek() == "+":
            self.take()
            other = self._suit()
            return self._ranged("SUITLEN", (suit, other), mode, None)
        return self._ranged("SUITLEN", (suit,), mode, None)

    def _feature(self, word: str, known: _Word, mode: str) -> Template:
        suits: tuple[str, ...] = ()
        if known.takes and (not known.optional or self._is_suit(self.peek())):
            suits = (self._suit(),)
        name = known.feature
        if name in ("POINTS", "LOSERS", "COVER"):
            if suits:
                suits = (suits[0], "ALL")
            else:
                name = {"POINTS": "LP", "LOSERS": "LTC"}[name]
        return self._ranged(name, suits, mode, known.default)

    def _ranged(
        self, name: str, suits: tuple[str, ...], mode: str, default: tuple[int, int] | None
    ) -> Template:
        match = _RANGE.match(self.peek())
        if match is None:
            if default is None:
                raise self.place.error(
                    f"expected a range after {name.lower()} in {self.text!r}", "like 5+, 2..4, ..3"
                )
            return self._template([Atom(name, suits, *default, mode)])
        self.take()
        if match[4]:
            values = [int(v) for v in match[4].split("/")]
            parts = (self._template([Atom(name, suits, v, v, mode)]) for v in values)
            return self._template([Or(tuple(parts))])
        if match[1]:
            low, high = int(match[1]), BIG
        elif match[5]:
            low = high = int(match[5])
        else:
            low, high = int(match[2]) if match[2] else -BIG, int(match[3])
        return self._template([Atom(name, suits, low, high, mode)])


def parse_shows(text: str, place: Place, defines: Mapping[str, str]) -> Template:
    """Read a constraint set; errors name the place in the rule file."""
    parser = _Parser(text, place, defines)
    made = parser.whole()
    return Template(made.items, tuple(sorted(parser.variables)), parser.shared)


_FEATURES: Final[list[Feature]] = []


@cache
def feature_number(name: str, suits: tuple[int, ...]) -> int:
    """A small number for a feature, so that values of a hand are kept by it."""
    shown = [("CDHS"[s] if s < 4 else "ALL") for s in suits]
    _FEATURES.append(feature(f"{name}({','.join(shown)})" if shown else name))
    return len(_FEATURES) - 1


def feature_of(number: int) -> Feature:
    return _FEATURES[number]


class HandValues(dict[int, float]):
    """Feature values of one hand by feature number, computed when first asked for."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self.hand = OneHand(bits)

    def __missing__(self, number: int) -> float:
        found = _FEATURES[number]
        value: float = found.of.compute(self.hand, *found.suits)
        self[number] = value
        return value


def holds(items: Items, values: HandValues) -> bool:
    """Does the hand satisfy every item?"""
    for item in items:
        kind = item[0]
        if kind == "or":
            if not any(holds(part, values) for part in item[1]):
                return False
        elif kind == "not":
            if holds(item[1], values):
                return False
        elif not item[1] <= values[kind] <= item[2]:
            return False
    return True


def bind(template: Template, bindings: Mapping[str, int], ctx: Context | None) -> Items:
    """Fill in the suits and, for shared values, what partner has shown."""
    out: list[Item] = []
    for item in template.items:
        if isinstance(item, Atom):
            if item.mode == "each":
                out.extend(_bind_each(item, ctx))
            else:
                out.append(_bind_atom(item, bindings, ctx))
        elif isinstance(item, Or):
            out.append(("or", tuple(bind(p, bindings, ctx) for p in item.parts)))
        else:
            out.append(("not", bind(item.part, bindings, ctx)))
    return tuple(out)


def _suit_number(name: str, bindings: Mapping[str, int]) -> int:
    if name == "ALL":
        return ALL
    fixed = _FIXED.get(name)
    return bindings[name] if fixed is None else fixed


def _bind_atom(atom: Atom, bindings: Mapping[str, int], ctx: Context | None) -> Item:
    suits = tuple(_suit_number(s, bindings) for s in atom.suits)
    low, high = atom.low, atom.high
    if atom.mode and ctx is not None:
        shift = _shared(atom, suits, ctx)
        low, high = low - shift, high - shift if high < BIG else BIG
    return (feature_number(atom.name, suits), low, high)


@cache
def _control_ways(suit: int) -> tuple[Items, ...]:
    """First or second round control: ace, king, singleton or void."""
    return tuple(
        ((feature_number(name, (suit,)), low, high),)
        for name, low, high in (("ACE", 1, 1), ("KING", 1, 1), ("SUITLEN", 0, 1))
    )


def _bind_each(atom: Atom, ctx: Context | None) -> list[Item]:
    """One item for each suit of theirs, or each suit nobody has bid."""
    if ctx is None:
        return []
    theirs = ctx.their_suits
    mask = theirs if atom.suits[0] == "theirs" else 15 & ~(theirs | ctx.our_suits)
    if atom.name == "CONTROL":  # `side`: every suit partner has not shown himself
        mask = 15 & ~ctx.our_suits
        return [("or", _control_ways(s)) for s in range(4) if mask >> s & 1]
    if atom.name == "STOP-NT" and (ctx.told[ctx.partner].call - 3) % 5 == 4:
        return []  # partner bid notrump and has looked after the stoppers
    return [
        (feature_number(atom.name, (s,)), atom.low, atom.high) for s in range(4) if mask >> s & 1
    ]


def _shared(atom: Atom, suits: tuple[int, ...], ctx: Context) -> int:
    """What partner adds to our own value: at least, at most, or likely; `extra` is what the hand
    has beyond the least it has shown itself."""
    if atom.mode == "extra":
        mine = ctx.shown[ctx.me]
        if atom.name == "SUITLEN":
            return -mine.low[suits[0]]
        return -(mine.hcp[0] if atom.name == "HCP" else ctx.points_of(ctx.me)[0])
    shown = ctx.shown[ctx.partner]
    if atom.name == "SUITLEN":
        low, high = shown.low[suits[0]], shown.high[suits[0]]
        return {"combined": low, "possible": high, "likely": low + (high - low >= 3)}[atom.mode]
    what = "hcp" if atom.name == "HCP" else "points"
    if atom.mode == "likely":
        return ctx.expected(ctx.partner, what)
    span = shown.hcp if what == "hcp" else ctx.points_of(ctx.partner)
    return span[0] if atom.mode == "combined" else min(span[1], 30)


def bounds(items: Items) -> Shown:
    """The ranges of high cards, points and lengths that the items allow."""
    hcp, points = [0, 37], [0, 40]
    low, high = [0, 0, 0, 0], [13, 13, 13, 13]
    rest: list[Shown] = []
    for item in items:
        kind = item[0]
        if kind == "or":
            rest.append(join([bounds(part) for part in item[1]]))
            continue
        if kind == "not":
            continue
        _bound_atom(_FEATURES[kind], item[1], item[2], (hcp, points, low, high))
    for item in items:  # differences once the lengths are known
        if item[0] not in ("or", "not") and _FEATURES[item[0]].of.name == "DIF":
            a, b = _FEATURES[item[0]].suits
            low[a] = max(low[a], low[b] + int(item[1]))
            if high[a] < 12:  # a suit that may be anything bounds nothing
                high[b] = min(high[b], high[a] - int(item[1]))
    out = Shown((hcp[0], hcp[1]), (points[0], points[1]), tuple(low), tuple(high))  # type: ignore[arg-type]
    for other in rest:
        out = out.meet(other)
    return out


def _bound_atom(
    found: Feature, lo: int, hi: int, into: tuple[list[int], list[int], list[int], list[int]]
) -> None:
    hcp, points, low, high = into
    name = found.of.name
    if name == "HCP" and (not found.suits or found.suits == (ALL,)):
        hcp[0], hcp[1] = max(hcp[0], lo), min(hcp[1], hi)
    elif name == "SUITLEN" and len(found.suits) == 1:
        s = found.suits[0]
        low[s], high[s] = max(low[s], lo), min(high[s], hi)
    elif name in ("POINTS", "LP"):
        points[0], points[1] = max(points[0], lo), min(points[1], hi)
        hcp[0], hcp[1] = max(hcp[0], lo - 5), min(hcp[1], hi)
    elif name == "BAL" and hi <= 1:
        for s in range(4):
            low[s], high[s] = max(low[s], 2 - hi), min(high[s], 5 + hi)
    elif name == "LONGEST" and lo == 1:
        low[found.suits[0]] = max(low[found.suits[0]], 4)


__all__ = [
    "BIG", "NOTHING", "Atom", "HandValues", "Item", "Items", "Not", "Or", "Template", "bind",
    "bounds", "feature_number", "feature_of", "holds", "parse_shows",
]  # fmt: skip
