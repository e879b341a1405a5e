"""Reads constraints from text: `hcp 12..14, spades 5+, not balanced, (hearts 4 or M 4)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from overtrick.evaluation import FeatureError, feature
from overtrick.evaluation.registry import Feature
from overtrick.game.errors import ParseError
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    ALWAYS,
    NEVER,
    Constraint,
    all_of,
    any_of,
    between,
    has,
    negated,
    shape_set,
)
from overtrick.worlds.cursor import (
    SUIT_VARIABLES,
    ConstraintError,
    Cursor,
    Interval,
    Token,
    compared,
    tokens,
)

Names = Mapping[str, "Constraint | str"]


# Words that name a feature: (without a suit, with a suit); None where that makes no sense.
_FEATURES: Final[dict[str, tuple[str | None, str | None]]] = {
    "hcp": ("HCP", "HCP({})"),
    "controls": ("CONTROLS", "CONTROLS({})"),
    "aces": ("ACE", "ACE({})"),
    "kings": ("KING", "KING({})"),
    "queens": ("QUEEN", "QUEEN({})"),
    "jacks": ("JACK", "JACK({})"),
    "tens": ("TEN", "TEN({})"),
    "honours": ("HONOR", "HONOR({})"),
    "tops": ("HC", "HC({})"),
    "intermediates": ("INTER", "INTER({})"),
    "quick": ("QUICK", "QUICK({})"),
    "losers": ("LTC", "LOSERS({},ALL)"),
    "points": ("TP", "POINTS({},ALL)"),
    "covers": (None, "COVER({},ALL)"),
    "keycards": (None, "RKCB({})"),
    "quality": (None, "QLTY({})"),
    "stopper": (None, "STOP-NT({})"),
    "biddable": (None, "BIDDBLE({})"),
    "length": (None, "SUITLEN({})"),
    "unsupported": (None, "UNLOS({})"),
    "longest": (None, "LONGEST({})"),
    "opens": (None, "FIRSTBID({})"),
    "suits": ("SUITS", None),
    "major": ("LMAJ", None),
    "minor": ("LMIN", None),
    "balance": ("BAL", None),
    "lp": ("LP", None),
    "ntlp": ("NTLP", None),
}
_SAME: Final = {
    "control": "controls", "ace": "aces", "king": "kings", "queen": "queens", "jack": "jacks",
    "ten": "tens", "honors": "honours", "honour": "honours", "honor": "honours",
    "keycard": "keycards", "rkcb": "keycards", "stop": "stopper", "stoppers": "stopper",
    "loser": "losers", "ltc": "losers", "cover": "covers", "majors": "major", "minors": "minor",
    "point": "points", "qlty": "quality", "tops": "tops", "quicktricks": "quick",
}  # fmt: skip
_DEEPEST: Final = 60
_SHORT: Final = {"void": (0, 0), "singleton": (1, 1), "doubleton": (2, 2)}
# What a feature means when no number follows it: `stopper X`, `longest X`, `major`.
_DEFAULT: Final = {"STOP-NT": 3, "LONGEST": 1, "LONG": 1, "FIRSTBID": 1, "UPLINE": 1}


def parse(
    source: str, suits: Mapping[str, int] | None = None, names: Names | None = None
) -> Constraint:
    """The constraint a text describes.

    `suits` binds suit variables (`{"M": 3, "oM": 2}`); `names` holds defined pieces, as
    constraints or as text that is read with the same binding.

    >>> parse("hcp 9+, M 4, oM 5+", {"M": 2, "oM": 3}).words()
    '9+ hcp, 4 hearts, 5+ spades'
    >>> parse("losers S ..7 or 2 of AKQ in hearts").words()
    'at most 7 losers with spades as trumps or 2 of ♥AKQ'
    """
    reader = _Reader(source, tokens(source), dict(suits or {}), names=names or {})
    found = reader.alternatives()
    if reader.at < len(reader.tokens):
        reader.fail("expected a comma, 'and', 'or' or the end")
    return found


def variables(source: str) -> list[str]:
    """The suit variables a text mentions, in order of appearance.

    >>> variables("M 4, oM 5+, losers M ..7")
    ['M', 'oM']
    """
    found: dict[str, None] = {}
    for token in tokens(source):
        for piece in re.findall(r"[A-Za-z]+", token.text):
            if piece in SUIT_VARIABLES:
                found[piece] = None
    return list(found)


@dataclass(slots=True)
class _Reader(Cursor):
    """One method for each kind of phrase."""

    names: Names = field(default_factory=dict)
    open_names: tuple[str, ...] = ()
    depth: int = 0

    # --- or, and, not

    def alternatives(self) -> Constraint:
        parts = [self.conjunction()]
        while self.accept("or", "|", "||"):
            parts.append(self.conjunction())
        return any_of(parts)

    def conjunction(self) -> Constraint:
        parts = [self.negation()]
        while self.accept(",", "and", "but", "with", "&", "&&"):
            parts.append(self.negation())
        return all_of(parts)

    def negation(self) -> Constraint:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("too many brackets inside each other")
        if self.accept("not", "!", "no", "without"):
            found = negated(self.negation())
        elif self.accept("("):
            found = self.alternatives()
            if not self.accept(")"):
                self.fail("expected a closing bracket")
        else:
            found = self.atom()
        self.depth -= 1
        return found

    # --- one statement

    def atom(self) -> Constraint:
        token = self.peek()
        if not token.text:
            self.fail("expected a constraint")
        if token.text in self.names:
            return self.named(self.take())
        if self.is_shape(token):
            return self.shapes()
        if self.at_number():
            return self.number_first()
        if token.word in ("has", "holds", "hold"):
            self.take()
            return has(self.cards())
        if token.word in ("shape", "any", "exactly"):
            return self.any_or_shape()
        return self.plain_word()

    def plain_word(self) -> Constraint:
        token = self.peek()
        word = token.word
        flags = {"always": ALWAYS, "anything": ALWAYS, "never": NEVER, "nothing": NEVER}
        if word in flags:
            self.take()
            return flags[word]
        if (shape := sh.named(word.replace("semi-", "semi"))) is not None:
            self.take()
            return shape_set(shape)
        if word in _SHORT:
            self.take()
            self.accept("in")
            low, high = _SHORT[word]
            return between(f"SUITLEN({self.suit()})", low, high)
        if word in ("either", "both"):
            return self.majors()
        if self.is_suit(token):
            return self.about_suit()
        found = self.feature_name()
        return self.ranged(found)

    def named(self, token: Token) -> Constraint:
        """A defined piece; text is read with the same suits."""
        piece = self.names[token.text]
        if isinstance(piece, Constraint):
            return piece
        if token.text in self.open_names:
            self.fail(f"{token.text!r} is defined by itself", token)
        inner = _Reader(piece, tokens(piece), self.suits, names=self.names)
        inner.open_names = (*self.open_names, token.text)
        inner.depth = self.depth
        found = inner.alternatives()
        if inner.at < len(inner.tokens):
            inner.fail("expected a comma, 'and', 'or' or the end")
        return found

    # --- shapes

    @staticmethod
    def is_shape(token: Token) -> bool:
        return (
            bool(re.fullmatch(r"[\dx]{4}|\d+(?:[=-]\d+){3}|[\dx]*\(\d+\)[\dx]*", token.text))
            and not token.text.isalpha()
        )

    def any_or_shape(self) -> Constraint:
        """`any` alone is every hand; otherwise shapes follow."""
        if self.accept("any"):
            if self.is_shape(self.peek()):
                self.at -= 1
                return self.shapes()
            self.accept("hand")
            return ALWAYS
        self.take()
        return self.shapes()

    def shapes(self) -> Constraint:
        """Patterns joined by + and -: `any 4333 + any 4432 - 4=4=3=2`."""
        bits, sign = 0, "+"
        while True:
            new = self.one_shape()
            bits = bits | new if sign == "+" else bits & ~new
            follows = self.is_shape(self.peek(1)) or self.peek(1).word == "any"
            if self.peek().text not in ("+", "-") or not follows:
                return shape_set(bits)
            sign = self.take().text

    def one_shape(self) -> int:
        loose = self.accept("any")
        token = self.take()
        if (known := sh.named(token.word)) is not None:
            return known
        if not self.is_shape(token):
            self.fail("expected a shape such as 5332, 5=3=3=2 or (54)31", token)
        loose = self.accept("any") or loose
        try:
            return sh.parse_shape(f"any {token.text}" if loose else token.text)
        except ParseError as error:
            raise ConstraintError(error.what, self.source, token.at) from None

    def ranged(self, f: Feature) -> Constraint:
        """A feature followed by one or more ranges: `keycards X 1 or 4`."""
        if not (self.at_number() or self.peek().word == "from"):
            if f.of.name not in _DEFAULT:
                self.fail(f"expected a range for {f.name}")
            return between(f.name, _DEFAULT[f.of.name])
        parts = [between(f.name, *self.interval())]
        while self.peek().word == "or" and re.match(r"\d|\.\.", self.peek(1).text or "x"):
            if not self.value_ends(1):
                break
            self.take()
            parts.append(between(f.name, *self.interval()))
        return any_of(parts)

    def value_ends(self, ahead: int) -> bool:
        """Does a bare value (not `4+ spades`) begin there?"""
        i = ahead
        while re.fullmatch(r"-?[\d.]+½?|\.\.|\+|[-–—]", self.peek(i).text or "x"):
            i += 1
        return self.peek(i).word in ("", ",", ")", "or", "and")

    def number_first(self) -> Constraint:
        """`12–14 hcp`, `5+ spades`, `2 of AKQ in hearts`, `0 or 3 keycards X`."""
        if self.peek(1).text in ("<", "<="):
            return self.chain()
        ranges = [self.interval()]
        while self.peek().word == "or" and re.match(r"\d", self.peek(1).text or "x"):
            self.take()
            ranges.append(self.interval())
        if self.accept("of"):
            cards = self.cards()
            return any_of(has(cards, *_whole(r)) for r in ranges)
        if self.is_suit(self.peek()):
            found = feature(f"SUITLEN({self.suit()})")
        else:
            found = self.feature_name()
        return any_of(between(found.name, low, high) for low, high in ranges)

    def chain(self) -> Constraint:
        """`5 <= HCP <= 10`, as the paper writes it."""
        low = self.number()
        sign = self.take().text
        found = feature(f"SUITLEN({self.suit()})") if self.is_suit(self.peek()) else None
        found = found or self.feature_name()
        parts = [between(found.name, *compared({"<": ">", "<=": ">="}[sign], low))]
        if self.peek().text in ("<", "<="):
            parts.append(between(found.name, *compared(self.take().text, self.number())))
        return all_of(parts)

    def about_suit(self) -> Constraint:
        """`spades 5+`, `X > Y`, `X longer than Y`, `X + Y 9+`."""
        suit = self.suit()
        sign = self.peek().text
        if self.accept("longer"):
            self.accept("than")
            return between(f"DIF({self.two_suits(suit)})", 1)
        if sign in (">", ">=", "=", "<", "<=") and self.is_suit(self.peek(1)):
            self.take()
            return between(f"DIF({self.two_suits(suit)})", *compared(sign, 0))
        if sign == "+" and self.is_suit(self.peek(1)):
            self.take()
            return self.ranged(feature(f"SUITLEN({self.two_suits(suit)})"))
        return self.ranged(feature(f"SUITLEN({suit})"))

    def two_suits(self, suit: str) -> str:
        """A suit and the next one read, which must be another."""
        token = self.peek()
        other = self.suit()
        if other == suit:
            self.fail("expected another suit", token)
        return f"{suit},{other}"

    def majors(self) -> Constraint:
        """`either major 4+`, `both minors 4+`."""
        join = any_of if self.take().word == "either" else all_of
        token = self.take()
        pairs = {"major": "HS", "minor": "CD", "majors": "HS", "minors": "CD"}
        if token.word not in pairs:
            self.fail("expected 'major' or 'minor'", token)
        start, out = self.at, []
        for suit in pairs[token.word]:
            self.at = start
            out.append(self.ranged(feature(f"SUITLEN({suit})")))
        return join(out)

    def feature_name(self) -> Feature:
        """A word such as `losers`, with a suit or without, or a name from the appendix."""
        token = self.take()
        if "(" in token.text:
            return self.spelled(token)
        word = _SAME.get(token.word, token.word)
        if word == "key" and self.accept("cards"):
            word = "keycards"
        if word == "quick" and self.peek().word == "tricks":
            self.take()
        if word not in _FEATURES:
            return self.spelled(token)
        alone, with_suit = _FEATURES[word]
        if self.peek().word in ("in", "for") and self.is_suit(self.peek(1)):
            self.take()
        if with_suit is not None and self.is_suit(self.peek()):
            return feature(with_suit.format(self.suit()))
        if alone is None:
            self.fail(f"expected a suit after {token.text!r}")
        return feature(alone)

    def spelled(self, token: Token) -> Feature:
        """A feature by its own name, with suit variables replaced: `LOSERS(X,ALL)`."""
        name, bracket, rest = token.text.partition("(")
        if bracket:
            parts = []
            for part in rest.rstrip(")").split(","):
                value = self.suit_value(Token(part.strip(), token.at))
                parts.append(part.strip() if value is None else "CDHS"[value])
            name = f"{_TO_CLASS.get(name.lower(), name)}({','.join(parts)})"
        try:
            return feature(name)
        except FeatureError:
            known = "a feature, a suit, a shape or a defined name"
            raise ConstraintError(f"{token.text!r} is not {known}", self.source, token.at) from None


_TO_CLASS: Final = {
    "length": "SUITLEN", "quality": "QLTY", "stopper": "STOP-NT", "keycards": "RKCB",
}  # fmt: skip


def _whole(r: Interval) -> tuple[int | None, int | None]:
    low, high = r
    return (0 if low is None else int(low)), (None if high is None else int(high))
