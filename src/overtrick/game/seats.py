"""The four seats, the two sides and who is vulnerable."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, Literal, Self

from overtrick.game.errors import ParseError, WrongType

SeatLetter = Literal["N", "E", "S", "W"]
_LETTERS: Final[tuple[SeatLetter, ...]] = ("N", "E", "S", "W")


class Side(IntEnum):
    """A partnership: the seat number modulo two.

    >>> Seat.EAST.side, Side.NS.other
    (Side.EW, Side.EW)
    """

    NS = 0
    EW = 1

    if TYPE_CHECKING:  # text is read, see _missing_

        def __new__(cls, value: int | str) -> Self: ...

    @property
    def other(self) -> Side:
        """The opponents."""
        return Side(1 - self)

    @classmethod
    def _missing_(cls, value: object) -> Self:
        found = _SIDE_WORDS.get(str(value).upper().replace("-", "").replace("/", ""))
        if found is None:
            raise WrongType("a side", "'NS' or 'EW', or Side.NS", value)
        return cls(found)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Side.{self.name}"


_SIDE_WORDS: Final = {"NS": 0, "EW": 1}


class Seat(IntEnum):
    """North, East, South, West clockwise; `seat + n` is an int, `seat.plus(n)` a seat.

    >>> Seat("w").lho, Seat.SOUTH.partner.letter, str(Seat.WEST.plus(2))
    (Seat.NORTH, 'N', 'East')
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    if TYPE_CHECKING:  # text is read, see _missing_

        def __new__(cls, value: int | str) -> Self: ...

    @property
    def letter(self) -> SeatLetter:
        """N, E, S or W."""
        return _LETTERS[self]

    @property
    def side(self) -> Side:
        """North-South or East-West."""
        return Side(self & 1)

    @property
    def lho(self) -> Seat:
        """The seat to the left, next to act."""
        return _SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        """The seat across the table."""
        return _SEATS[(self + 2) & 3]

    @property
    def rho(self) -> Seat:
        """The seat to the right."""
        return _SEATS[(self + 3) & 3]

    def plus(self, n: int) -> Seat:
        """The seat n places clockwise."""
        return _SEATS[(self + n) & 3]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a letter or a word."""
        found = _SEAT_WORDS.get(text.strip().upper())
        if found is None:
            raise ParseError(f"no such seat {text!r} (N, E, S or W)")
        return cls(found)

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str):
            return cls.parse(value)
        raise WrongType("a seat", "'N', 'E', 'S' or 'W', or Seat.NORTH", value)

    def __str__(self) -> str:
        return self.name.capitalize()

    def __repr__(self) -> str:
        return f"Seat.{self.name}"


_SEATS: Final = tuple(Seat)
_SEAT_WORDS: Final = {word: seat for seat in Seat for word in (seat.letter, seat.name)}


class Vulnerability(IntEnum):
    """Who is vulnerable: bit 0 for North-South, bit 1 for East-West.

    >>> vul = Vulnerability("N-S")
    >>> vul.of(Seat.SOUTH), vul.of(Side.EW)
    (True, False)
    """

    NONE = 0
    NS = 1
    EW = 2
    ALL = 3

    if TYPE_CHECKING:  # text is read, see _missing_

        def __new__(cls, value: int | str) -> Self: ...

    def of(self, seat_or_side: int) -> bool:
        """Is this seat (or side) vulnerable?"""
        return bool(self >> (seat_or_side & 1) & 1)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read None, NS, EW, All and their synonyms."""
        key = text.strip().lower().replace("/", "").replace("-", "")
        found = _VUL_WORDS.get(key)
        if found is None:
            raise ParseError(f"no such vulnerability {text!r} (None, NS, EW or All)")
        return cls(found)

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str):
            return cls.parse(value)
        raise WrongType("a vulnerability", "'None', 'NS', 'EW' or 'All'", value)

    def __str__(self) -> str:
        return ("None", "NS", "EW", "All")[self]

    def __repr__(self) -> str:
        return f"Vulnerability.{self.name}"


_VUL_WORDS: Final = {
    **dict.fromkeys(("none", "love", "neither", "o", "0", "z", ""), 0),
    **dict.fromkeys(("ns", "n"), 1),
    **dict.fromkeys(("ew", "e"), 2),
    **dict.fromkeys(("all", "both", "b"), 3),
}
