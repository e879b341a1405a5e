"""A contract: level, strain, doubled or not, and who declares.
A passed-out board has contract None."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overtrick.game.cards import Strain
from overtrick.game.errors import ContractError, ParseError
from overtrick.game.seats import Seat

_CONTRACT: Final = re.compile(
    r"\s*([1-7])\s*(NT|N|C|D|H|S|♣|♦|♥|♠)\s*(XX|X|RDBL|DBL|)\s*"
    r"(?:(?:by\s+)?(N(?:orth)?|E(?:ast)?|S(?:outh)?|W(?:est)?))?\s*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Contract:
    """`4♠X by South`: doubled is 0, 1 (X) or 2 (XX).

    >>> Contract.parse("4SX S") == Contract(4, "S", "S", 1)
    True
    >>> str(Contract.parse("3NT", "W")), Contract(3, "NT", "W").target
    ('3NT West', 9)
    """

    level: int
    strain: Strain
    declarer: Seat
    doubled: int = 0

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self, level: int, strain: Strain | str, declarer: Seat | str, doubled: int = 0
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.strain) is not Strain:
            object.__setattr__(self, "strain", Strain(self.strain))
        if type(self.declarer) is not Seat:
            object.__setattr__(self, "declarer", Seat(self.declarer))
        if not (1 <= self.level <= 7 and 0 <= self.strain <= 4 and 0 <= self.doubled <= 2):
            raise ContractError(
                f"no contract of level {self.level}, strain {self.strain}, doubled {self.doubled}"
            )

    @classmethod
    def parse(cls, text: str, declarer: Seat | str | None = None) -> Contract:
        """Read `4SX S`, `3NT by West`, `4♠`; `declarer` where the text names none."""
        match = _CONTRACT.match(text.replace("\ufe0f", ""))
        if match is None:
            raise ParseError("a contract reads like 4SX, 3NT or 4♠XX", text)
        level, strain, doubled, seat = match.groups()
        if seat is not None:
            declarer = Seat.parse(seat)
        if declarer is None:
            raise ParseError("who declares? write 4S N or give the declarer", text)
        times = {"": 0, "X": 1, "DBL": 1}.get(doubled.upper(), 2)
        return cls(int(level), Strain.parse(strain), declarer, times)

    @property
    def dummy(self) -> Seat:
        """Declarer's partner."""
        return self.declarer.partner

    @property
    def leader(self) -> Seat:
        """Who makes the opening lead."""
        return self.declarer.lho

    @property
    def target(self) -> int:
        """Tricks declarer needs."""
        return self.level + 6

    @property
    def ascii(self) -> str:
        """Without declarer, as PBN writes it: `4SX`, `3NT`."""
        return f"{self.level}{self.strain.letter}{'X' * self.doubled}"

    def pretty(self) -> str:
        """Without declarer, with the suit's symbol: `4♠X`."""
        return f"{self.level}{self.strain.symbol}{'X' * self.doubled}"

    def __str__(self) -> str:
        return f"{self.pretty()} {self.declarer}"

    def __repr__(self) -> str:
        return f"Contract.parse('{self.ascii} {self.declarer.letter}')"
