"""A board: number, dealer, vulnerability and the deal; the cycle of sixteen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overtrick.game.deal import Deal
from overtrick.game.errors import BridgeError
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


@dataclass(frozen=True, slots=True)
class Board:
    """A deal with its conditions; `Board.numbered(7, deal)` fills them in from the number.

    >>> board = Board.random(7, seed=1)
    >>> board.dealer, str(board.vul)
    (<Seat.SOUTH: 2>, 'All')
    """

    number: int
    dealer: Seat
    vul: Vulnerability
    deal: Deal

    def __post_init__(self) -> None:
        if self.number < 1:
            raise BridgeError(f"board numbers begin at 1, not {self.number}")

    @classmethod
    def numbered(cls, number: int, deal: Deal) -> Board:
        return cls(number, dealer_of(number), vulnerability_of(number), deal)

    @classmethod
    def random(cls, number: int = 1, seed: int | None = None) -> Board:
        return cls.numbered(number, Deal.random(seed))

    def _repr_html_(self) -> str:
        from overtrick.notation.diagram import html_board

        return html_board(self)
