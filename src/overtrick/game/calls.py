"""The 38 calls: Pass, double, redouble and the 35 bids, numbered as in the network's
observation."""

from __future__ import annotations

import re
from operator import index
from typing import ClassVar, Final, Self, SupportsIndex

from overtrick.game.cards import Strain
from overtrick.game.errors import ParseError, WrongType

_BID: Final = re.compile(r"([1-7])\s*(NT|N|C|D|H|S|♣|♦|♥|♠|♧|♢|♡|♤|SA)\Z", re.IGNORECASE)
_WORDS: Final = {
    **dict.fromkeys(("P", "PASS", "PASSES", "--"), 0),
    **dict.fromkeys(("X", "D", "DB", "DBL", "DOUBLE", "DOUBLES"), 1),
    **dict.fromkeys(("XX", "R", "RD", "RDBL", "REDOUBLE", "REDOUBLES"), 2),
}


class Call(int):
    """A call as an int: 0 Pass, 1 X, 2 XX, 3..37 the bids 1♣..7NT.

    >>> Call("1NT"), Call("4♠"), Call("dbl"), Call("p") == Call.PASS
    (Call('1NT'), Call('4S'), Call('X'), True)
    >>> str(Call.bid(4, "S")), Call("2C").level
    ('4♠', 2)
    """

    __slots__ = ()
    PASS: ClassVar[Call]
    DOUBLE: ClassVar[Call]
    REDOUBLE: ClassVar[Call]

    def __new__(cls, call: SupportsIndex | str) -> Self:
        if isinstance(call, str):
            return super().__new__(cls, cls.parse(call))
        try:
            number = index(call)  # numbers out of arrays are numbers too
        except TypeError:
            raise WrongType("a call", "text like '1NT', 'Pass' or 'X'", call) from None
        if not 0 <= number < 38:
            raise ParseError(f"call numbers run from 0 to 37, not {number}")
        return super().__new__(cls, number)

    @classmethod
    def bid(cls, level: int, strain: int | str) -> Call:
        """The bid of a level (1..7) and a strain."""
        if isinstance(strain, str):
            strain = Strain.parse(strain)
        if not (1 <= level <= 7 and 0 <= strain <= 4):
            raise ParseError(f"no bid of level {level} in strain {strain}")
        return CALLS[3 + 5 * (level - 1) + strain]

    @classmethod
    def parse(cls, text: str) -> Call:
        """Read a call as players, PBN and LIN write it."""
        key = text.strip().upper().replace("\ufe0f", "")
        if key in _WORDS:
            return CALLS[_WORDS[key]]
        match = _BID.match(key)
        if match is None:
            raise ParseError(f"no such call {text.strip()!r} (like 1NT, 4S, Pass, X, XX)")
        return cls.bid(int(match[1]), Strain.parse(match[2]))

    @property
    def is_bid(self) -> bool:
        """Neither Pass nor X nor XX."""
        return self >= 3

    @property
    def level(self) -> int:
        """1..7 for a bid, 0 for Pass, X and XX."""
        return level_of(self)

    @property
    def strain(self) -> Strain:
        """The strain of a bid; other calls have none and raise."""
        if self < 3:
            raise ParseError(f"{self} names no strain")
        return Strain(strain_of(self))

    @property
    def ascii(self) -> str:
        """As PBN writes it: Pass, X, XX, 4S, 1NT."""
        return _ASCII[self]

    def __str__(self) -> str:
        return _PRETTY[self]

    def __repr__(self) -> str:
        return f"Call({_ASCII[self]!r})"


def strain_of(call: int) -> int:
    """0..4 for the number of a bid, -1 for Pass, X and XX: `Call.strain` of plain numbers."""
    return (call - 3) % 5 if call >= 3 else -1


def level_of(call: int) -> int:
    """1..7 for the number of a bid, 0 for Pass, X and XX."""
    return (call - 3) // 5 + 1 if call >= 3 else 0


CALLS: Final[tuple[Call, ...]] = tuple(Call(i) for i in range(38))
PASS: Final = CALLS[0]
DOUBLE: Final = CALLS[1]
REDOUBLE: Final = CALLS[2]
Call.PASS, Call.DOUBLE, Call.REDOUBLE = PASS, DOUBLE, REDOUBLE
_BIDS: Final = [(level, strain) for level in range(1, 8) for strain in Strain]
_ASCII: Final = ("Pass", "X", "XX", *(f"{level}{strain.letter}" for level, strain in _BIDS))
_PRETTY: Final = ("Pass", "X", "XX", *(f"{level}{strain.symbol}" for level, strain in _BIDS))
