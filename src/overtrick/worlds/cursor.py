"""A cursor over the words of a constraint: suits, cards, numbers and ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NoReturn

from overtrick.game.cards import SUIT_LETTERS, SUIT_WORDS, rank_of, suit_of
from overtrick.game.errors import ParseError

SUIT_VARIABLES: Final = ("M", "oM", "m", "om", "X", "Y", "Z", "W", "T")
BIG: Final = 99  # an open end; every feature stays below it
Interval = tuple[float, float]


class ConstraintError(ParseError):
    """Text that is not a constraint; says what was expected and where.

    >>> from overtrick.worlds import parse
    >>> parse("hcp 15,")
    Traceback (most recent call last):
        ...
    overtrick.worlds.cursor.ConstraintError: expected a constraint at position 8 of 'hcp 15,'
    """


_SUITS: Final = "♠♥♦♣♤♡♢♧"
_TOKEN: Final = re.compile(
    # shapes: 5-3-3-2, 5=3=3=2, 54xx, (54)31
    r"(?=[\dx(])(?:\d+(?:[=-]\d+){3}(?!\d)|[\dx]{4}(?![\d.\w])"
    r"|(?=(?:\(?[\dx]\)?){4}(?![\dx]))[\dx]*\([\dx]{2,}\)[\dx]*(?:\([\dx]{2,}\))?)"
    # words; a feature may have its suits in brackets: LOSERS(S,ALL)
    r"|[A-Za-z_][\w'-]*(?:(?<!\bnot)(?<!\band)(?<!\bor)(?<!\bno)(?<!\bbut)(?<!\bwith)"
    rf"\(\s*[\w{_SUITS}]+\s*(?:,\s*[\w{_SUITS}]+\s*)?\))?"
    r"|\.\.|<=|>=|&&?|\|\|?|[<>=(),+:/!]"
    r"|-?\d+(?:\.\d+)?½?|½"
    # a suit, or cards of it; `♠5+` and `♠5..6` are lengths
    rf"|[{_SUITS}](?=\d+(?:\+|\.\.|[-–—]\d))|[{_SUITS}][AKQJTakqjt2-9]*"
    r"|\S"
)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?½?|½")
_KNOWN: Final = re.compile(rf"[\w<>=(),+:/!&|.½{_SUITS}–—-]")
_SIGNS: Final = frozenset(("<", "<=", ">", ">=", "="))
_RANGE_WORDS: Final = _SIGNS | {"..", "at", "from"}
_FIXED: Final[dict[str, str]] = {
    **dict(zip(SUIT_WORDS, SUIT_LETTERS, strict=True)),
    **{word[:-1]: letter for word, letter in zip(SUIT_WORDS, SUIT_LETTERS, strict=True)},
}


@lru_cache(maxsize=4096)
def _number(text: str) -> float | None:
    """`12`, `-3`, `7.5`, `2½`; None for anything else."""
    if not _NUMBER.fullmatch(text):
        return None
    if text.endswith("½"):
        return float(text[:-1] or 0) + 0.5
    return float(text) if "." in text else int(text)


@lru_cache(maxsize=4096)
def _suit_named(text: str) -> str:
    if text in SUIT_VARIABLES:
        return text
    suit = suit_of(text) if len(text) == 1 and not text.islower() else None
    return _FIXED.get(text.lower(), "") if suit is None else SUIT_LETTERS[suit]


class Cursor:
    """The tokens of a text and a place among them.

    `suits` names the suit variables that may be used; None stands for all of them, as in rule
    files, where the auction binds them.
    """

    def __init__(self, source: str, suits: Mapping[str, int] | None) -> None:
        self.source, self.suits = source, suits
        self.texts: list[str] = [*_TOKEN.findall(source), ""]
        self.words = [text.lower() for text in self.texts]
        self.at = 0
        self.step: float = 1  # of the feature whose range is read: `< 12` is `..11`, or `..11.75`
        self.variables: dict[str, None] = {}

    # --- the cursor

    def word(self, ahead: int = 0) -> str:
        """A token in lower case; '' beyond the end."""
        i = self.at + ahead
        return self.words[i] if i < len(self.words) else ""

    def text(self, ahead: int = 0) -> str:
        """A token as written."""
        i = self.at + ahead
        return self.texts[i] if i < len(self.texts) else ""

    def accept(self, *words: str) -> bool:
        """Step over one of these words."""
        if self.words[self.at] in words:
            self.at += 1
            return True
        return False

    def follow(self, phrase: str) -> bool:
        """Step over a phrase of several words, if all of it stands here."""
        wanted = phrase.split()
        if self.words[self.at : self.at + len(wanted)] == wanted:
            self.at += len(wanted)
            return True
        return False

    def place(self, index: int) -> int:
        """Where in the text a token begins."""
        for i, match in enumerate(_TOKEN.finditer(self.source)):
            if i == index:
                return match.start()
        return len(self.source)

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        """Refuse the token here, or the one numbered `at`."""
        at = self.at if at is None else at
        seen = self.texts[at] if at < len(self.texts) else ""
        if seen and not _KNOWN.match(seen):
            raise ConstraintError(f"unexpected {seen!r}", self.source, self.place(at))
        found = f", found {seen!r}" if seen else ""
        raise ConstraintError(what + found, self.source, self.place(at))

    # --- numbers and ranges

    def at_range(self) -> bool:
        """Does a range begin here?"""
        word = self.words[self.at]
        return word in _RANGE_WORDS or _number(word) is not None

    def number(self) -> float:
        found = _number(self.texts[self.at])
        if found is None:
            self.fail("expected a number")
        self.at += 1
        return found

    def interval(self) -> Interval:
        """`12..14`, `5+`, `..3`, `4`, `at most 3`, `5 or more`, `<= 7`, `from -1 to 3`."""
        word = self.words[self.at]
        if word not in _RANGE_WORDS:
            return self.from_number(self.number())
        self.at += 1
        if word == "..":
            return -BIG, self.number()
        if word in _SIGNS:
            return self.compared(word, self.number())
        if word == "from":
            low = self.number()
            return (low, self.number()) if self.accept("to") else (low, BIG)
        if not self.accept("least", "most"):
            self.fail("expected 'at least' or 'at most'")
        return (self.number(), BIG) if self.words[self.at - 1] == "least" else (-BIG, self.number())

    def compared(self, sign: str, number: float) -> Interval:
        """The values on one side of a number."""
        if sign == "=":
            return number, number
        step = self.step if len(sign) == 1 else 0
        return (-BIG, number - step) if sign[0] == "<" else (number + step, BIG)

    def from_number(self, low: float) -> Interval:
        word = self.words[self.at]
        if word == "+":
            self.at += 1
            return low, BIG
        if word in ("..", "–", "—", "to") or (word == "-" and self.word(1)[:1].isdigit()):
            self.at += 1
            return (low, BIG) if _number(self.words[self.at]) is None else (low, self.number())
        if word[:1] == "-" and len(word) > 1:
            return low, abs(self.number())  # `12-14` reads as 12 and -14
        if word == "-" and self.word(1) == "card":  # `5-card major`
            self.at += 1
            return low, low
        if word == "-":
            self.at += 1
            return -BIG, low
        following = self.word(1)
        if word == "or" and following in ("more", "better", "fewer", "less"):
            self.at += 2
            return (low, BIG) if following in ("more", "better") else (-BIG, low)
        return low, low

    # --- suits and cards

    def suit_named(self, text: str) -> str:
        """The letter of a suit, or the name of a suit variable; '' for anything else."""
        return text if self.suits and text in self.suits else _suit_named(text)

    def is_suit(self, ahead: int = 0) -> bool:
        return self.suit_named(self.text(ahead)) != ""

    def use(self, name: str, at: int) -> str:
        """Note a suit that is used; a variable must be bound."""
        if name in SUIT_LETTERS:
            return name
        if self.suits is not None and name not in self.suits:
            self.fail(f"the suit {name} is not bound here", at)
        self.variables[name] = None
        return name

    def suit(self) -> str:
        """The next token, which must be a suit."""
        name = self.suit_named(self.texts[self.at])
        if not name:
            self.fail("expected a suit")
        self.at += 1
        return self.use(name, self.at - 1)

    def cards(self) -> tuple[tuple[str, int], ...]:
        """`SA SK`, `♠AK`, `AKQ in hearts`, `AKQ X`, as pairs of suit and rank."""
        out: list[tuple[str, int]] = []
        while True:
            text = self.texts[self.at]
            ranks = [rank_of(c) for c in text]
            if text and None not in ranks:
                self.at += 1
                self.accept("in", "of")
                suit = self.suit()
                out += [(suit, r) for r in ranks if r is not None]
            elif run := self.card_run(text):
                self.at += 1
                out += run
            else:
                break
        if not out:
            self.fail("expected cards such as SA, ♠AK or 'AKQ in hearts'")
        return tuple(dict.fromkeys(out))

    @staticmethod
    def card_run(text: str) -> list[tuple[str, int]]:
        """The cards of `SAK`; empty if it is something else."""
        suit = suit_of(text[0]) if len(text) > 1 else None
        if suit is None:
            return []
        ranks = [rank_of(c) for c in text[1:].replace("10", "T")]
        return [] if None in ranks else [(SUIT_LETTERS[suit], r) for r in ranks if r is not None]
