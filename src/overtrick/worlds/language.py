"""Reads constraints from text: `hcp 12..14, spades 5+, not balanced, (hearts 4 or M 4)`.
Used by the bidding-language files (with suit variables bound), `overtrick deal` and people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from overtrick.evaluation import FeatureError, feature
from overtrick.evaluation.registry import Feature
from overtrick.game.cards import rank_of, suit_of
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

SUIT_VARIABLES: Final = ("M", "oM", "m", "om", "X", "Y", "Z", "W")
Names = Mapping[str, "Constraint | str"]


class ConstraintError(ParseError):
    """Text that is not a constraint; says what was expected and where."""


class Token(NamedTuple):
    """A piece of the text and where it begins."""

    text: str
    at: int

    @property
    def word(self) -> str:
        return self.text.lower()


_TOKEN: Final = re.compile(
    r"\s+|(?P<token>"
    r"[A-Za-z][A-Za-z-]*\([^()]*\)"  # a feature with its suits: LOSERS(S,ALL)
    r"|\d+(?:[=-]\d+){3}(?!\d)|\(\d+\)\d+|\d*\(\d\d+\)\d*|[\dx]{4}(?![\d.])"  # shapes
    r"|\.\.|<=|>=|[<>=(),+:]"
    r"|-?\d+(?:\.\d+)?½?|½"
    r"|[-–—]"
    r"|[♠♥♦♣♤♡♢♧][AKQJTakqjt2-9]*"
    r"|[A-Za-z_][\w'/-]*"
    r")"
)

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
_SUIT_WORDS: Final = {
    **{w: i for i, w in enumerate(("clubs", "diamonds", "hearts", "spades"))},
    **{w: i for i, w in enumerate(("club", "diamond", "heart", "spade"))},
}
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
    reader = _Reader(source, tokens(source), dict(suits or {}), names or {})
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


def tokens(source: str) -> list[Token]:
    """The text in pieces."""
    out, position = [], 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is None:
            raise ConstraintError(f"unexpected {source[position]!r}", source, position)
        if match["token"] is not None:
            out.append(Token(match["token"], position))
        position = match.end()
    return out


@dataclass(slots=True)
class _Reader:
    """A cursor over the tokens; one method for each kind of phrase."""

    source: str
    tokens: list[Token]
    suits: dict[str, int]
    names: Names
    at: int = 0
    open_names: tuple[str, ...] = field(default=())

    # --- the cursor

    def peek(self, ahead: int = 0) -> Token:
        i = self.at + ahead
        return self.tokens[i] if i < len(self.tokens) else Token("", len(self.source))

    def take(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *words: str) -> bool:
        if self.peek().word in words and self.peek().text:
            self.at += 1
            return True
        return False

    def fail(self, what: str, token: Token | None = None) -> None:
        token = token or self.peek()
        seen = f", found {token.text!r}" if token.text else ""
        raise ConstraintError(what + seen, self.source, token.at)

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
        if self.accept("not", "!", "no", "without"):
            return negated(self.negation())
        if self.accept("("):
            inside = self.alternatives()
            if not self.accept(")"):
                self.fail("expected a closing bracket")
            return inside
        return self.atom()

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
        inner = _Reader(piece, tokens(piece), self.suits, self.names)
        inner.open_names = (*self.open_names, token.text)
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

    # --- numbers and ranges

    def at_number(self) -> bool:
        token = self.peek()
        if token.word in ("at", "..", "<", "<=", ">", ">=", "="):
            return True
        return bool(re.fullmatch(r"-?[\d.]*½?", token.text)) and bool(token.text)

    def number(self) -> float:
        token = self.take()
        body = token.text.replace("½", "")
        if not re.fullmatch(r"-?\d*(\.\d+)?", body) or not token.text:
            self.fail("expected a number", token)
        return float(body or 0) + (0.5 if "½" in token.text else 0)

    def interval(self) -> tuple[float | None, float | None]:
        """`12..14`, `5+`, `..3`, `4`, `at most 3`, `5 or more`, `<= 7`, `from -1 to 3`."""
        if self.accept("at"):
            least = self.accept("least")
            if not least and not self.accept("most"):
                self.fail("expected 'at least' or 'at most'")
            return (self.number(), None) if least else (None, self.number())
        if self.accept("from"):
            low = self.number()
            return (low, self.number()) if self.accept("to") else (low, None)
        for sign in ("<=", ">=", "<", ">", "="):
            if self.accept(sign):
                return _compared(sign, self.number())
        if self.accept(".."):
            return None, self.number()
        return self.from_number(self.number())

    def from_number(self, low: float) -> tuple[float | None, float | None]:
        following = self.peek(1)
        if self.accept("+"):
            return low, None
        if self.accept("..", "–", "—", "to") or (
            self.peek().text == "-" and following.text[:1].isdigit() and self.accept("-")
        ):
            return (low, self.number()) if self.at_number() else (low, None)
        if self.at_number() and self.peek().text.startswith("-"):
            return low, abs(self.number())  # `12-14` reads as 12 and -14
        if self.accept("-"):
            return None, low
        if self.peek().word == "or" and following.word in ("more", "fewer", "less", "better"):
            self.at += 2
            return (low, None) if following.word in ("more", "better") else (None, low)
        return low, low

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

    # --- suits, cards and features

    def is_suit(self, token: Token) -> bool:
        return self.suit_value(token) is not None or token.text in SUIT_VARIABLES

    def suit_value(self, token: Token) -> int | None:
        text = token.text
        if text in self.suits:
            return self.suits[text]
        if token.word in _SUIT_WORDS:
            return _SUIT_WORDS[token.word]
        return suit_of(text) if len(text) == 1 and not text.islower() else None

    def suit(self) -> str:
        """The letter of a suit, with variables replaced."""
        token = self.take()
        found = self.suit_value(token)
        if found is None:
            if token.text in SUIT_VARIABLES:
                self.fail(f"the suit {token.text} is not bound here", token)
            self.fail("expected a suit", token)
        assert found is not None
        return "CDHS"[found]

    def about_suit(self) -> Constraint:
        """`spades 5+`, `X > Y`, `X longer than Y`, `X + Y 9+`."""
        suit = self.suit()
        sign = self.peek().text
        if self.accept("longer"):
            self.accept("than")
            return between(f"DIF({suit},{self.suit()})", 1)
        if sign in (">", ">=", "=", "<", "<=") and self.is_suit(self.peek(1)):
            self.take()
            other = self.suit()
            return self.ordered(f"DIF({suit},{other})", sign)
        if sign in ("+",) and self.is_suit(self.peek(1)):
            self.take()
            return self.ranged(feature(f"SUITLEN({suit},{self.suit()})"))
        return self.ranged(feature(f"SUITLEN({suit})"))

    @staticmethod
    def ordered(name: str, sign: str) -> Constraint:
        return between(name, *_compared(sign, 0))

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
        assert alone is not None
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

    def cards(self) -> list[int]:
        """`SA SK`, `♠AK`, `AKQ in hearts`, `AKQ X`."""
        out: list[int] = []
        while True:
            token = self.peek()
            text = token.text
            if (
                text
                and all(rank_of(c) is not None for c in text)
                and not (len(text) > 1 and suit_of(text[0]) is not None)
            ):
                self.take()
                self.accept("in", "of")
                suit = "CDHS".index(self.suit())
                out += [13 * suit + (rank_of(c) or 0) for c in text]
            elif len(text) > 1 and self.card_run(text):
                self.take()
                out += self.card_run(text)
            else:
                break
        if not out:
            self.fail("expected cards such as SA, ♠AK or 'AKQ in hearts'")
        return out

    def card_run(self, text: str) -> list[int]:
        """The cards of `SAK`; empty if it is something else."""
        suit = suit_of(text[0])
        ranks = [rank_of(c) for c in text[1:].replace("10", "T")]
        if suit is None or any(r is None for r in ranks):
            return []
        return [13 * suit + r for r in ranks if r is not None]


_TO_CLASS: Final = {
    "length": "SUITLEN", "quality": "QLTY", "stopper": "STOP-NT", "keycards": "RKCB",
}  # fmt: skip


def _compared(sign: str, number: float) -> tuple[float | None, float | None]:
    return {
        "<=": (None, number),
        ">=": (number, None),
        "<": (None, number - 1),
        ">": (number + 1, None),
        "=": (number, number),
    }[sign]


def _whole(r: tuple[float | None, float | None]) -> tuple[int | None, int | None]:
    low, high = r
    return (0 if low is None else int(low)), (None if high is None else int(high))
