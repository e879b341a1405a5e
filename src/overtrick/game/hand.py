"""A hand: any set of cards as a 52-bit integer, with parsing and printing.
Numbers about a hand live in evaluation/."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from overtrick.game.cards import (
    ALL_CARDS,
    DECK,
    RANKS,
    SUIT_BITS,
    SUIT_SYMBOLS,
    Card,
    Suit,
    rank_of,
    suit_of,
)
from overtrick.game.errors import HandError, ParseError, WrongType

_UNKNOWN_SPOT: Final = "xX"
_BALANCED: Final = frozenset(((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)))
_POINTS: Final = tuple(sum(1 << 13 * s + r for s in range(4)) for r in (9, 10, 11, 12))


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards, from text: `AK3.QJ2.T98.7654` (spades first) or `♠AK3 ♥QJ2 …`.

    >>> hand = Hand("AK3.QJ2.T98.7654")
    >>> len(hand), hand.hcp, hand.shape, hand.is_balanced
    (13, 10, '3=3=3=4', True)
    >>> hand.spades, "SA" in hand, hand.lengths
    ('AK3', True, (4, 3, 3, 3))
    """

    bits: int = 0

    if TYPE_CHECKING:  # what may be passed; text is read

        def __init__(self, bits: int | str = 0) -> None: ...

    def __post_init__(self) -> None:
        try:
            if 0 <= self.bits <= ALL_CARDS:
                return
        except TypeError:
            given: object = self.bits
            if not isinstance(given, str):
                wanted = "text like 'AK3.QJ2.T98.7654'; see also Hand.of(cards)"
                raise WrongType("a hand", wanted, given) from None
            object.__setattr__(self, "bits", _parse_clean(given) or _parse_any(given))
            return
        raise HandError(f"a hand is a set of 52 cards, not the number {self.bits}")

    @classmethod
    def of(cls, cards: Iterable[int | str]) -> Hand:
        """The hand of these cards (`["SA", "HK"]`); a card twice is an error."""
        bits = 0
        for card in cards:
            card = Card.parse(card) if isinstance(card, str) else card
            if not 0 <= card < 52:
                raise HandError(f"there is no card number {card}")
            if bits >> card & 1:
                raise HandError(f"the hand holds {DECK[card].ascii} twice")
            bits |= 1 << card
        return cls(bits)

    @classmethod
    def parse(cls, text: str, *, size: int | None = None) -> Hand:
        """Read a hand; with `size`, that many cards or a precise error."""
        if not isinstance(text, str):
            raise WrongType("a hand", "text like 'AK3.QJ2.T98.7654'", text)
        hand = cls(_parse_clean(text) or _parse_any(text))
        if size is not None and len(hand) != size:
            raise HandError(f"a hand has {size} cards, {text.strip()!r} has {len(hand)}")
        return hand

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """Number of clubs, diamonds, hearts, spades."""
        b = self.bits
        return (
            (b & SUIT_BITS).bit_count(),
            (b >> 13 & SUIT_BITS).bit_count(),
            (b >> 26 & SUIT_BITS).bit_count(),
            (b >> 39).bit_count(),
        )

    @property
    def shape(self) -> str:
        """Lengths as players write them, spades first: '5=3=3=2'."""
        clubs, diamonds, hearts, spades = self.lengths
        return f"{spades}={hearts}={diamonds}={clubs}"

    @property
    def pattern(self) -> str:
        """The lengths without their suits, longest first: '5332'."""
        return "".join(str(n) for n in sorted(self.lengths, reverse=True))

    @property
    def is_balanced(self) -> bool:
        """4333, 4432 or 5332."""
        return tuple(sorted(self.lengths, reverse=True)) in _BALANCED

    @property
    def hcp(self) -> int:
        """High-card points: ace 4, king 3, queen 2, jack 1; others: `overtrick.evaluation`."""
        return sum(n * (self.bits & cards).bit_count() for n, cards in enumerate(_POINTS, 1))

    @property
    def spades(self) -> str:
        """Ranks of the spades, highest first; `len(hand.spades)` is their number."""
        return self.ranks(3)

    @property
    def hearts(self) -> str:
        """Ranks of the hearts, highest first."""
        return self.ranks(2)

    @property
    def diamonds(self) -> str:
        """Ranks of the diamonds, highest first."""
        return self.ranks(1)

    @property
    def clubs(self) -> str:
        """Ranks of the clubs, highest first."""
        return self.ranks(0)

    def length(self, suit: int | str) -> int:
        """How many cards of a suit."""
        return self.holding(suit).bit_count()

    def holding(self, suit: int | str) -> int:
        """The 13-bit set of ranks held in a suit."""
        if isinstance(suit, str):
            suit = Suit.parse(suit)
        return self.bits >> 13 * suit & SUIT_BITS

    def ranks(self, suit: int | str) -> str:
        """Ranks held in a suit, highest first: 'AK3', or '' for a void."""
        held = self.holding(suit)
        return "".join(RANKS[r] for r in range(12, -1, -1) if held >> r & 1)

    def suit(self, suit: int | str) -> Hand:
        """Only the cards of one suit."""
        if isinstance(suit, str):
            suit = Suit.parse(suit)
        return Hand(self.bits & SUIT_BITS << 13 * suit)

    def cards(self) -> list[Card]:
        """Spades first, high to low: the order in which players sort a hand."""
        return [DECK[i] for i in range(51, -1, -1) if self.bits >> i & 1]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards())

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = Card.parse(card)
        return isinstance(card, int) and 0 <= card < 52 and bool(self.bits >> card & 1)

    def __bool__(self) -> bool:
        return self.bits != 0

    def __or__(self, other: Hand) -> Hand:
        return Hand(self.bits | other.bits)

    def __and__(self, other: Hand) -> Hand:
        return Hand(self.bits & other.bits)

    def __sub__(self, other: Hand) -> Hand:
        return Hand(self.bits & ~other.bits)

    def without(self, card: int | str) -> Hand:
        """The hand after a card has left it."""
        if isinstance(card, str):
            card = Card.parse(card)
        if card not in self:
            shown = DECK[card].ascii if 0 <= card < 52 else f"card number {card}"
            raise HandError(f"{shown} is not in {self}")
        return Hand(self.bits ^ 1 << card)

    def pretty(self) -> str:
        """With suit symbols, voids as a dash: '♠AK3 ♥QJ2 ♦T98 ♣7654'."""
        return " ".join(SUIT_SYMBOLS[s] + (self.ranks(s) or "–") for s in (3, 2, 1, 0))

    def __str__(self) -> str:
        return ".".join(self.ranks(s) for s in (3, 2, 1, 0))

    def __repr__(self) -> str:
        return f"Hand({str(self)!r})"

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_hand

        return html_hand(self)


EMPTY: Final = Hand(0)


@lru_cache(maxsize=1 << 14)  # there are 8192 holdings in descending order
def _ranks(text: str) -> int:
    """The 13-bit holding of plain rank letters, or -1 when they are anything else."""
    bits = 0
    for c in text:
        rank = rank_of(c)
        if rank is None or bits >> rank & 1:
            return -1
        bits |= 1 << rank
    return bits


def _parse_clean(text: str) -> int:
    """`AK3.QJ2.T98.7654` and nothing else, quickly; 0 when it is not so simple."""
    suits = text.split(".")
    if len(suits) != 4 or len(text) > 55:
        return 0
    spades, hearts, diamonds, clubs = map(_ranks, suits)
    if spades < 0 or hearts < 0 or diamonds < 0 or clubs < 0:
        return 0
    return spades << 39 | hearts << 26 | diamonds << 13 | clubs


def _parse_any(text: str) -> int:
    return _parse_letters(text) if _has_suit_letters(text) else _parse_dotted(text)


def _has_suit_letters(text: str) -> bool:
    return any(suit_of(c) is not None for c in text)


def _parse_dotted(text: str) -> int:
    suits = text.strip().split(".")
    if len(suits) != 4:
        raise ParseError(
            f"a hand has four suits separated by dots (spades first), found {len(suits)}", text
        )
    bits, position = 0, len(text) - len(text.lstrip())
    for suit, ranks in zip((3, 2, 1, 0), suits, strict=True):
        bits |= _parse_ranks(ranks, suit, text, position)
        position += len(ranks) + 1
    return bits


def _parse_letters(text: str) -> int:
    """`SAK3 HQJ2 DT98 C7654`, in any suit order, commas, dots and spaces ignored."""
    bits, suit, seen = 0, None, 0
    run_start = 0
    for i, c in enumerate(text + " S"):  # a sentinel suit closes the last run
        found = suit_of(c)
        if found is None:
            continue
        if suit is not None:
            bits |= _parse_ranks(text[run_start:i], suit, text, run_start)
        elif text[:i].strip(" .,\ufe0f"):
            raise ParseError("ranks before the first suit", text, 0)
        if i < len(text):
            if seen >> found & 1:
                raise ParseError(f"suit {c!r} twice", text, i)
            seen |= 1 << found
        suit, run_start = found, i + 1
    return bits


def _parse_ranks(ranks: str, suit: int, text: str, position: int) -> int:
    bits, i = 0, 0
    while i < len(ranks):
        c = ranks[i]
        rank = rank_of("T") if ranks.startswith("10", i) else rank_of(c)
        if rank is None:
            if c in " .,-–—\ufe0f":
                i += 1
                continue
            hint = " (spot cards must be named)" if c in _UNKNOWN_SPOT else ""
            raise ParseError(f"no such rank {c!r}{hint}", text, position + i)
        bit = 1 << (suit * 13 + rank)
        if bits & bit:
            raise HandError(f"the hand holds {DECK[suit * 13 + rank].ascii} twice in {text!r}")
        bits |= bit
        i += 2 if ranks.startswith("10", i) else 1
    return bits
