"""What a call shows, said once: the rules behind it as one statement, the commonest hand first.

Rules name a hand in phrases ("raise, 5–9 points with support"). Where several rules make the same
call, their phrases are merged: what all of them say stays, a range or a length that not all of them
keep is widened to what they have together, and a rule whose words begin with *or* is a second kind
of hand, told beside the first. Everything is fields; words are made last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from overtrick.game.meaning import Lengths, Range

_NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
_COUNT: Final = "|".join(_NUMBERS[1:])
_LENGTH: Final = re.compile(
    rf"(?:(?:a|an) )?(?P<good>(?:very )?(?:good|strong|solid) )?(?P<low>{_COUNT})"
    rf"(?: or (?P<more>more|{_COUNT}))?(?P<mid> (?:good|strong|solid))?"
    r"(?P<what> (?:cards?|trumps|clubs|diamonds|hearts|spades)|-card (?:support|suit))(?P<rest>.*)"
)
_STRENGTH: Final = re.compile(
    r"(?P<low>\d+)(?:–(?P<high>\d+))?(?P<more>\+| or more)?"
    r"(?P<unit> (?:points|high cards|hcp))?(?P<rest>(?: .*)?)"
)
_SUITS: Final = {" clubs": 0, " diamonds": 1, " hearts": 2, " spades": 3}
_RARE: Final = 0.02  # what fewer hands than this have changes neither range nor length in words
_MOST: Final = 0.5  # a detail that so many of the hands share is worth saying
_TOP: Final = 37  # more high-card points than a hand can have


class Sort(Enum):
    """What a phrase speaks of."""

    IDEA = "idea"
    STRENGTH = "strength"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One statement about a hand: an idea with its detail, a strength, or a length.

    >>> read_phrase("6–9 points with support", 3).span, read_phrase("six or more cards", 3).span
    ((6, 9), (6, 13))
    >>> read_phrase("takeout: short in their suit", 0).detail
    'short in their suit'
    """

    sort: Sort
    text: str
    detail: str = ""
    span: Range = (0, 0)
    suit: int = -1
    form: tuple[str, str] = ("", "")  # what stands before and behind the number

    def __str__(self) -> str:
        if self.sort is Sort.IDEA:
            return f"{self.text}: {self.detail}" if self.detail else self.text
        return self.text

    def over(self, span: Range) -> Phrase:
        """The same statement with other ends."""
        if self.sort is Sort.LENGTH:
            return replace(self, text=_lengths(span, self.form), span=span)
        return replace(self, text=_strengths(span, self.form), span=span)


@dataclass(frozen=True, slots=True)
class RulePart:
    """One rule's part in a call: its words, how many of the hands are its, and their ranges; is it
    a second kind of hand?"""

    words: str
    share: float
    hcp: Range
    points: Range | None
    lengths: Lengths
    is_second: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """A call as one statement, and the second kind of hand where the agreement has one."""

    phrases: tuple[Phrase, ...]
    second: tuple[Phrase, ...] = ()

    @property
    def words(self) -> str:
        """What a player would say at the table."""
        first, other = (", ".join(map(str, p)) for p in (self.phrases, self.second))
        return f"{first}; or {other}" if other else first

    def __str__(self) -> str:
        return self.words


def described(ways: Sequence[RulePart], suit: int, trumps: int = -1) -> Description:
    """One statement for everything a call may come from. `suit` is the one it bids and `trumps` the
    one it agrees, or -1.

    >>> kinds = [RulePart("raise, 5–9 points", 0.8, (5, 9), (5, 9), ((0, 13),) * 4),
    ...          RulePart("raise, 10 high cards", 0.2, (10, 10), (10, 11), ((0, 13),) * 4)]
    >>> described(kinds, 2).words
    'raise, 5–11 points'
    """
    first = [w for w in ways if not w.is_second]
    other = [w for w in ways if w.is_second]
    if not first:
        first, other = other, []
    second = _merged(_heaviest(other), suit, trumps) if other else ()
    return Description(_merged(first, suit, trumps), second)


def _heaviest(ways: Sequence[RulePart]) -> list[RulePart]:
    """The commonest second kind; two `or`s are more than anybody listens to."""
    return [max(ways, key=lambda w: w.share)]


def _merged(ways: Sequence[RulePart], suit: int, trumps: int) -> tuple[Phrase, ...]:
    shares: dict[str, float] = {}
    for way in ways:
        shares[way.words] = shares.get(way.words, 0) + way.share
    told = {words: read(words, suit, trumps) for words in shares}
    whole = sum(shares.values()) or 1.0
    head = _head(told, shares)
    best = max((w for w in told if _heads(told[w]) == head), key=lambda w: shares[w])
    common = [w for w in ways if shares[w.words] >= _RARE * whole] or ways
    return tuple(
        phrase
        for i, said in enumerate(told[best])
        if (phrase := _fitted(said, i, told, shares, common)) is not None
    )


def _heads(phrases: tuple[Phrase, ...]) -> str:
    """What a statement is about: its first idea, or nothing but numbers."""
    return next((p.text for p in phrases if p.sort is Sort.IDEA), "")


def _head(told: dict[str, tuple[Phrase, ...]], shares: dict[str, float]) -> str:
    """The idea that most of the hands have in common."""
    by_head: dict[str, float] = {}
    for words, phrases in told.items():
        by_head[_heads(phrases)] = by_head.get(_heads(phrases), 0) + shares[words]
    return max(by_head, key=lambda h: by_head[h])


def _fitted(
    said: Phrase,
    place: int,
    told: dict[str, tuple[Phrase, ...]],
    shares: dict[str, float],
    ways: Sequence[RulePart],
) -> Phrase | None:
    """A phrase of the commonest rule as it holds for all: kept, widened, or without its detail."""
    if said.sort is Sort.IDEA:
        if not said.detail:
            return said
        whole = sum(shares.values()) or 1.0
        same = sum(shares[w] for w, phrases in told.items() if said in phrases)
        return said if same >= _MOST * whole else replace(said, detail="")
    span = _span_of(said, ways)
    if span is None:
        return said if len(told) == 1 or not place else None
    exact = said.sort is Sort.STRENGTH and not said.form[1].startswith(" points")
    if said.span[1] >= _TOP:
        span = (span[0], said.span[1])
    fits = said.span[0] <= span[0] and span[1] <= said.span[1]
    return said if span == said.span or (fits and not exact) else said.over(span)


def _span_of(said: Phrase, ways: Sequence[RulePart]) -> Range | None:
    """What the ways together have of the thing a phrase speaks of."""
    if said.sort is Sort.LENGTH:
        if said.suit < 0:
            return None
        spans = [w.lengths[said.suit] for w in ways]
    elif "points" in said.form[1]:
        points = [w.points for w in ways]
        if any(p is None for p in points):
            return None
        spans = [p for p in points if p is not None]
    else:
        spans = [w.hcp for w in ways]
    return min(low for low, _ in spans), max(high for _, high in spans)


# ---------------------------------------------------------------- reading and saying


def read(words: str, suit: int, trumps: int = -1) -> tuple[Phrase, ...]:
    """A rule's words as phrases; `suit` is the one the call bids and `trumps` the agreed one."""
    return tuple(read_phrase(part, suit, trumps) for part in words.split(", "))


def read_phrase(text: str, suit: int, trumps: int = -1) -> Phrase:
    """One statement between commas."""
    if match := _LENGTH.fullmatch(text):
        low = _NUMBERS.index(match["low"])
        high = low
        if match["more"]:
            high = 13 if match["more"] == "more" else _NUMBERS.index(match["more"])
        fit = match["what"].startswith("-card sup") or match["what"] == " trumps"
        if fit and not match["more"]:
            high = 13  # support is told by its least
        form = (match["good"] or match["mid"] or "", match["what"] + match["rest"])
        where = trumps if fit else _SUITS.get(match["what"], suit)
        return Phrase(Sort.LENGTH, text, span=(low, high), suit=where, form=form)
    if match := _STRENGTH.fullmatch(text):
        low = int(match["low"])
        high = _TOP if match["more"] else int(match["high"] or low)
        form = ("", (match["unit"] or "") + match["rest"])
        return Phrase(Sort.STRENGTH, text, span=(low, high), form=form)
    head, _, detail = text.partition(": ")
    return Phrase(Sort.IDEA, head, detail)


def _lengths(span: Range, form: tuple[str, str]) -> str:
    low, high = span
    what = form[1]
    if what.startswith(("-card", " trumps")):
        return f"{_NUMBERS[min(low, 10)]}{what}"
    if low == 0:
        return f"at most {_NUMBERS[min(high, 10)]}{what}"
    count = _NUMBERS[min(low, 10)] + (" or more" if high > low else "")
    return f"{count}{what}"


def _strengths(span: Range, form: tuple[str, str]) -> str:
    low, high = span
    unit = form[1].replace(" high cards", " points")
    if high >= _TOP - 7:
        return f"{low}+{unit}"
    return f"{low}{unit}" if low == high else f"{low}–{high}{unit}"
