"""What calls mean, for people: every meaning that goes to a browser is made here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from overtrick.game import Meaning
from overtrick.game.cards import SUIT_SYMBOLS
from overtrick.game.meaning import Lengths, Range, span
from overtrick.web.frames import SuitLetter, Told, ToldInShort

SUITS: Final[tuple[SuitLetter, ...]] = ("C", "D", "H", "S")
_NOTHING, _NEARLY_ALL, _NO_END = 2, 20, 23  # points that say nothing: none, most, no upper end
_LONG, _LONGER, _MOST = 5, 9, 13  # lengths that say nothing: up to so many, and no upper end
_LONGEST: Final = 160  # characters of an exact text that somebody reads


def meant(found: Meaning) -> Told:
    """A meaning as it goes over the wire."""
    return Told(**_fields(found))


def in_short(found: Meaning) -> ToldInShort:
    """With the ranges in words."""
    return ToldInShort(**_fields(found), ranges=shown_ranges(found))


def exactly(found: Meaning) -> dict[str, Any]:
    """The fields that tell a meaning exactly: ranges in words, the exact text if it is short."""
    words = getattr(found.shows, "words", None)
    return with_text(found, words() if callable(words) else "")


def with_text(found: Meaning, exact: str) -> dict[str, Any]:
    """The same, where the exact text is known."""
    ranges, short = shown_ranges(found), len(exact) < _LONGEST
    return {**_fields(found), "ranges": ranges, "exact": exact if short else ""}


def _fields(found: Meaning) -> dict[str, Any]:
    return {
        "words": found.words,
        "hcp": found.hcp,
        "lengths": dict(zip(SUITS, found.lengths, strict=True)),
        "forcing": found.forcing,
        "alert": found.alert,
        "act": found.act,
        "convention": found.convention,
        "rule": found.rule,
        "announce": found.announce or UNSET,
        "delayed": found.delayed or UNSET,
    }


def shown_ranges(found: Meaning) -> str:
    """The ranges that tell something, as players say them: not one single shape, which only says
    that few hands were found for the call; no points from next to nothing to nearly everything, no
    upper end that nobody holds, no length that nearly every hand has.

    >>> shown_ranges(Meaning("to play", hcp=(0, 24))), shown_ranges(Meaning("strong", hcp=(20, 22)))
    ('', '20–22 hcp')
    >>> suits = (2, 13), (2, 13), (2, 5), (2, 5)
    >>> shown_ranges(Meaning("balanced", (15, 17), suits)), shown_ranges(Meaning("two", (5, 24)))
    ('15–17 hcp, no singleton', '5+ hcp')
    """
    if all(low == high for low, high in found.lengths):
        return ""
    return ", ".join([*_points(found.hcp), *_lengths(found.lengths)])


def _points(hcp: Range) -> Iterator[str]:
    low, high = hcp
    if low > _NOTHING or high < _NEARLY_ALL:
        yield f"{low} hcp" if low == high else f"{span(low, high, _NO_END)} hcp"


def _lengths(lengths: Lengths) -> Iterator[str]:
    even = min(low for low, _ in lengths) > 1
    for suit in (3, 2, 1, 0):
        low, high = lengths[suit]
        usual = even and low == 2 and (high >= _MOST or _LONG <= high <= _LONGER)
        if not usual and not (low == 0 and high >= _LONG) and not (low == 1 and high >= _MOST):
            yield f"{SUIT_SYMBOLS[suit]}{span(low, high, _MOST)}"
    if even:
        yield "no singleton"
