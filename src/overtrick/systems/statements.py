"""What a call shows, as rules write it: text with suit variables and values shared with partner.
Read once for each rule; `shows` binds the result to suits and to a context."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from overtrick.evaluation.features import feature_classes
from overtrick.systems.errors import did_you_mean
from overtrick.systems.syntax import Place

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
FIXED_SUITS: Final = {
    "clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3, "C": 0, "D": 1, "H": 2, "S": 3,
}  # fmt: skip
_VARS: Final = ("M", "oM", "m", "om", "X", "Y", "Z", "W", "T")
_MODES: Final = ("combined", "possible", "likely", "extra")
_N: Final = r"-?\d+(?:\.\d+)?"
_RANGE: Final = re.compile(rf"(?:({_N})\+|({_N})?\.\.({_N})|({_N}(?:/{_N})+)|({_N}))\Z")
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
                raise self.place.error(
                    f"`{word}` is followed by `theirs` or `unbid`, not {which!r}"
                )
            self.shared = True
            low = 3 if word == "stopped" else 2
            return self._template([Atom("STOP-NT", (which,), low, BIG, "each")])
        known = _WORDS.get(word)
        if known is None and word in _classes():
            return self._plain_feature(word)
        if known is None:
            hint = did_you_mean(word, [*_WORDS, *FIXED_SUITS, *self.defines, *_MODES])
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
        ways = [
            Atom("ACE", (suit,), 1, 1),
            Atom("KING", (suit,), 1, 1),
            Atom("SUITLEN", (suit,), 0, 1),
        ]
        return self._template([Or(tuple(self._template([w]) for w in ways))])

    def _is_suit(self, word: str) -> bool:
        return word in FIXED_SUITS or word in _VARS

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

    def _plain_feature(self, word: str) -> Template:
        """A feature by the name evaluation gives it: `FAST NT H ..2`, `DIF S H 1+`."""
        suits: list[str] = []
        while self._is_suit(self.peek()) or self.peek() in ("ALL", "NT"):
            suits.append("ALL" if self.peek() == "NT" else self.peek())
            self.variables |= {suits[-1]} & set(_VARS)
            self.take()
        return self._ranged(word, tuple(suits), "", None)

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
            values = [_number(v) for v in match[4].split("/")]
            parts = (self._template([Atom(name, suits, v, v, mode)]) for v in values)
            return self._template([Or(tuple(parts))])
        if match[1]:
            low, high = _number(match[1]), BIG
        elif match[5]:
            low = high = _number(match[5])
        else:
            low, high = _number(match[2]) if match[2] else -BIG, _number(match[3])
        return self._template([Atom(name, suits, low, high, mode)])


def _number(text: str) -> int:
    """A bound as written; the few features with fractions (intermediates, playing points) have
    bounds with a fraction too."""
    return float(text) if "." in text else int(text)  # type: ignore[return-value]


@cache
def _classes() -> frozenset[str]:
    """Names of the feature classes, as evaluation spells them."""
    return frozenset(c.name for c in feature_classes())


def parse_shows(text: str, place: Place, defines: Mapping[str, str]) -> Template:
    """Read a constraint set; errors name the place in the rule file."""
    parser = _Parser(text, place, defines)
    made = parser.whole()
    return Template(made.items, tuple(sorted(parser.variables)), parser.shared)
