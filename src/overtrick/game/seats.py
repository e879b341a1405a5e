"""The four seats, the two sides and who is vulnerable."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from overtrick.game.errors import ParseError


class Side(IntEnum):
    """A partnership: the seat number modulo two.

    >>> Seat.EAST.side, Side.NS.other
    (<Side.EW: 1>, <Side.EW: 1>)
    """

    NS = 0
    EW = 1

    @property
    def other(self) -> Side:
        return Side(1 - self)

    def __str__(self) -> str:
        return self.name


class Seat(IntEnum):
    """North, East, South, West clockwise; `seat + n` is an int, `seat.plus(n)` a seat.

    >>> Seat.parse("w").lho, Seat.SOUTH.partner.letter, str(Seat.WEST.plus(2))
    (<Seat.NORTH: 0>, 'N', 'East')
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        return "NESW"[self]

    @property
    def side(self) -> Side:
        return Side(self & 1)

    @property
    def lho(self) -> Seat:
        return _SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        return _SEATS[(self + 2) & 3]

    @property
    def rho(self) -> Seat:
        return _SEATS[(self + 3) & 3]

    def plus(self, n: int) -> Seat:
        """The seat n places clockwise."""
        return _SEATS[(self + n) & 3]

    @classmethod
    def parse(cls, text: str) -> Self:
        found = _SEAT_WORDS.get(text.strip().upper())
        if found is None:
            raise ParseError(f"no such seat {text!r} (N, E, S or W)")
        return cls(found)

    def __str__(self) -> str:
        return self.name.capitalize()


_SEATS: Final = tuple(Seat)
_SEAT_WORDS: Final = {word: seat for seat in Seat for word in (seat.letter, seat.name)}


class Vulnerability(IntEnum):
    """Who is vulnerable: bit 0 for North-South, bit 1 for East-West.

    >>> vul = Vulnerability.parse("N-S")
    >>> vul.of(Seat.SOUTH), vul.of(Side.EW)
    (True, False)
    """

    NONE = 0
    NS = 1
    EW = 2
    ALL = 3

    def of(self, seat_or_side: int) -> bool:
        """Is this seat (or side) vulnerable?"""
        return bool(self >> (seat_or_side & 1) & 1)

    @classmethod
    def parse(cls, text: str) -> Self:
        key = text.strip().lower().replace("/", "").replace("-", "")
        found = _VUL_WORDS.get(key)
        if found is None:
            raise ParseError(f"no such vulnerability {text!r} (None, NS, EW or All)")
        return cls(found)

    def __str__(self) -> str:
        return ("None", "NS", "EW", "All")[self]


_VUL_WORDS: Final = {
    **dict.fromkeys(("none", "love", "neither", "o", "0", "z", ""), 0),
    **dict.fromkeys(("ns", "n"), 1),
    **dict.fromkeys(("ew", "e"), 2),
    **dict.fromkeys(("all", "both", "b"), 3),
}
