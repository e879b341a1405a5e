"""A cursor over the words of a constraint: suits, cards, numbers and ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from overtrick.game.cards import SUIT_WORDS, rank_of, suit_of
from overtrick.game.errors import ParseError

SUIT_VARIABLES: Final = ("M", "oM", "m", "om", "X", "Y", "Z", "W")
Interval = tuple[float | None, float | None]


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
    r"|\d+(?:[=-]\d+){3}(?!\d)|[\dx]*\([\dx]{2,}\)[\dx]*|[\dx]{4}(?![\d.])"  # shapes
    r"|\.\.|<=|>=|[<>=(),+:]"
    r"|-?\d+(?:\.\d+)?½?|½"
    r"|[-–—]"
    r"|[♠♥♦♣♤♡♢♧][AKQJTakqjt2-9]*"
    r"|[A-Za-z_][\w'/-]*"
    r")"
)
_SUIT_WORDS: Final = {
    **{word: i for i, word in enumerate(SUIT_WORDS)},
    **{word.removesuffix("s"): i for i, word in enumerate(SUIT_WORDS)},
}


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
class Cursor:
    """The tokens of a text and a place among them; `suits` binds suit variables."""

    source: str
    tokens: list[Token]
    suits: dict[str, int]
    at: int = 0

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

    def fail(self, what: str, token: Token | None = None) -> NoReturn:
        token = token or self.peek()
        seen = f", found {token.text!r}" if token.text else ""
        raise ConstraintError(what + seen, self.source, token.at)

    # --- numbers and ranges

    def at_number(self) -> bool:
        token = self.peek()
        if token.word in ("at", "..", "<", "<=", ">", ">=", "="):
            return True
        return bool(re.fullmatch(r"-?\d+(\.\d+)?½?|½", token.text))

    def number(self) -> float:
        token = self.take()
        body = token.text.replace("½", "")
        if not re.fullmatch(r"-?\d+(\.\d+)?½?|½", token.text):
            self.fail("expected a number", token)
        return float(body or 0) + (0.5 if "½" in token.text else 0)

    def interval(self) -> Interval:
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
                return compared(sign, self.number())
        if self.accept(".."):
            return None, self.number()
        return self.from_number(self.number())

    def from_number(self, low: float) -> Interval:
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
        return "CDHS"[found]

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


def compared(sign: str, number: float) -> Interval:
    return {
        "<=": (None, number),
        ">=": (number, None),
        "<": (None, number - 1),
        ">": (number + 1, None),
        "=": (number, number),
    }[sign]
