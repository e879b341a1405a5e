"""A board: number, dealer, vulnerability and the deal; the cycle of sixteen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overtrick.game.deal import Deal, PartialDeal
from overtrick.game.errors import BridgeError, WrongType
from overtrick.game.seats import Seat, Vulnerability

_VUL_CYCLE: Final = tuple(
    Vulnerability(v) for v in (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)
)


def dealer_of(number: int) -> Seat:
    """Who deals board `number`: North deals board 1."""
    return Seat((number - 1) % 4)


def vulnerability_of(number: int) -> Vulnerability:
    """Who is vulnerable on board `number` of the sixteen-board cycle."""
    return _VUL_CYCLE[(number - 1) % 16]


def deal_of(value: object) -> Deal:
    """A complete deal from PBN text, or from a partial deal with at most one hand unknown."""
    if isinstance(value, Deal):
        return value
    if isinstance(value, str):
        return Deal.parse(value)
    if isinstance(value, PartialDeal):
        return value.complete()
    raise WrongType("a deal", "a Deal or PBN text like 'N:AK2… … … …'", value)


@dataclass(frozen=True, slots=True)
class Board:
    """A deal with its conditions; `Board.numbered(7, deal)` fills them in from the number.

    >>> board = Board.random(7, seed=1)
    >>> board.dealer, str(board.vul)
    (Seat.SOUTH, 'All')
    >>> Board(7, dealer="S", vul="All", deal=board.deal) == board
    True
    """

    number: int
    dealer: Seat
    vul: Vulnerability
    deal: Deal

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self, number: int, dealer: Seat | str, vul: Vulnerability | str, deal: Deal | str
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.dealer) is not Seat:
            object.__setattr__(self, "dealer", Seat(self.dealer))
        if type(self.vul) is not Vulnerability:
            object.__setattr__(self, "vul", Vulnerability(self.vul))
        given: object = self.number
        if not isinstance(given, int):
            raise WrongType("a board number", "a whole number from 1", given)
        object.__setattr__(self, "deal", deal_of(self.deal))
        if self.number < 1:
            raise BridgeError(f"board numbers begin at 1, not {self.number}")

    @classmethod
    def numbered(cls, number: int, deal: Deal | str) -> Board:
        """The board with the dealer and vulnerability of its number."""
        if not isinstance(number, int):
            raise WrongType("a board number", "a whole number from 1", number)
        return cls(number, dealer_of(number), vulnerability_of(number), deal)

    @classmethod
    def random(cls, number: int = 1, seed: int | None = None) -> Board:
        """A random deal under a number; the same seed gives the same deal."""
        return cls.numbered(number, Deal.random(seed))

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_board

        return html_board(self)
