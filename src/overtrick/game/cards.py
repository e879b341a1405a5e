"""Suits, strains, ranks and the 52 cards: suits C, D, H, S ascending, card = suit * 13 + rank.
Foreign orders (DDS, OpenSpiel, PBN) are converted where they enter."""

from __future__ import annotations

from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING, Final, Self, SupportsIndex

from overtrick.game.errors import ParseError, WrongType

RANKS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "CDHS"
SUIT_SYMBOLS: Final = "♣♦♥♠"
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
ALL_CARDS: Final = (1 << 52) - 1
SUIT_BITS: Final = (1 << 13) - 1

# The outline symbols some programs write (♤♡♢♧) and the filled ones mean the same suit.
_SUIT_OF: Final = {
    **{c: i for i, c in enumerate("CDHS")},
    **{c: i for i, c in enumerate("cdhs")},
    **{c: i for i, c in enumerate("♣♦♥♠")},
    **{c: i for i, c in enumerate("♧♢♡♤")},
}
_RANK_OF: Final = {c: i for i, c in enumerate(RANKS)} | {c.lower(): i for i, c in enumerate(RANKS)}


class Suit(IntEnum):
    """One of the four suits; prints as its symbol.

    >>> suit = Suit("hearts")
    >>> suit, str(suit), suit.is_major
    (Suit.HEARTS, '♥', True)
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    if TYPE_CHECKING:  # text is read, see _missing_

        def __new__(cls, value: int | str) -> Self: ...

    @property
    def letter(self) -> str:
        """C, D, H or S."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """♣, ♦, ♥ or ♠."""
        return SUIT_SYMBOLS[self]

    @property
    def is_major(self) -> bool:
        """Hearts or spades."""
        return self >= Suit.HEARTS

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a letter, a symbol or a word."""
        if text in _SUIT_OF:
            return cls(_SUIT_OF[text])
        if text.upper() in cls.__members__:
            return cls[text.upper()]
        raise ParseError(f"no such suit {text!r}")

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str):
            return cls.parse(value)
        raise WrongType("a suit", "'S', 'H', 'D' or 'C', or Suit.SPADES", value)

    def __str__(self) -> str:
        return SUIT_SYMBOLS[self]

    def __repr__(self) -> str:
        return f"Suit.{self.name}"


class Strain(IntEnum):
    """A trump suit or notrump; `Strain(suit)` turns a suit into its strain.

    >>> Strain("NT").suit is None, Strain(Suit.SPADES), Strain.CLUBS.is_minor
    (True, Strain.SPADES, True)
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NT = 4

    if TYPE_CHECKING:  # text is read, see _missing_

        def __new__(cls, value: int | str) -> Self: ...

    @property
    def letter(self) -> str:
        """As written in ASCII: C, D, H, S, NT."""
        return "NT" if self == Strain.NT else SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """♣, ♦, ♥, ♠ or NT."""
        return "NT" if self == Strain.NT else SUIT_SYMBOLS[self]

    @property
    def suit(self) -> Suit | None:
        """The trump suit, or None at notrump."""
        return None if self == Strain.NT else Suit(self)

    @property
    def is_major(self) -> bool:
        """Hearts or spades."""
        return self in (Strain.HEARTS, Strain.SPADES)

    @property
    def is_minor(self) -> bool:
        """Clubs or diamonds."""
        return self in (Strain.CLUBS, Strain.DIAMONDS)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a suit, or N, NT, notrump."""
        if text.upper() in ("N", "NT", "NOTRUMP", "SA"):
            return cls(4)
        return cls(Suit.parse(text))

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str):
            return cls.parse(value)
        raise WrongType("a strain", "'S', 'H', 'D', 'C' or 'NT', or Strain.SPADES", value)

    def __str__(self) -> str:
        return self.symbol

    def __repr__(self) -> str:
        return f"Strain.{self.name}"


class Card(int):
    """One of the 52 cards, an int 0..51 that prints as players write it.

    >>> Card("SA"), Card("♥T"), Card("d10")
    (Card('SA'), Card('HT'), Card('DT'))
    >>> str(Card("SA")), Card.of(Suit.SPADES, 12).rank
    ('♠A', 12)
    """

    __slots__ = ()

    def __new__(cls, card: SupportsIndex | str) -> Self:
        if isinstance(card, str):
            return super().__new__(cls, cls.parse(card))
        try:
            number = index(card)  # numbers out of arrays are numbers too
        except TypeError:
            raise WrongType("a card", "text like 'SA' or a number from 0 to 51", card) from None
        if not 0 <= number < 52:
            raise ParseError(f"card numbers run from 0 to 51, not {number}")
        return super().__new__(cls, number)

    @classmethod
    def of(cls, suit: int, rank: int) -> Card:
        """The card of a suit (0..3) and a rank (0 = two … 12 = ace)."""
        return DECK[suit * 13 + rank]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `SA`, `♠A`, `sa`, `S10`; for rank-first text (`AS`) see `protocol`."""
        stripped = text.strip()
        if not stripped or stripped[0] not in _SUIT_OF:
            raise ParseError("a card begins with its suit (S, H, D or C)", text)
        rank = stripped[1:].lstrip("\ufe0f")  # the emoji variation selector of some keyboards
        if rank == "10":
            rank = "T"
        if rank not in _RANK_OF:
            raise ParseError(f"no such rank {rank!r}", text, 1)
        return DECK[_SUIT_OF[stripped[0]] * 13 + _RANK_OF[rank]]

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return Suit(self // 13)

    @property
    def rank(self) -> int:
        """0 for the two … 12 for the ace."""
        return self % 13

    @property
    def bit(self) -> int:
        """As a set of one card among 52 bits."""
        return 1 << self

    @property
    def ascii(self) -> str:
        """As PBN and LIN write it: SA, HT."""
        return SUIT_LETTERS[self // 13] + RANKS[self % 13]

    def __str__(self) -> str:
        return SUIT_SYMBOLS[self // 13] + RANKS[self % 13]

    def __repr__(self) -> str:
        return f"Card({self.ascii!r})"


DECK: Final[tuple[Card, ...]] = tuple(Card(i) for i in range(52))


def rank_of(letter: str) -> int | None:
    """0..12 for a rank letter, None when there is no such rank."""
    return _RANK_OF.get(letter)


def suit_of(letter: str) -> int | None:
    """0..3 for a suit letter or symbol, None when there is no such suit."""
    return _SUIT_OF.get(letter)
