"""Cards that are fixed before the first call: a hash is told at once, the text it is of at the end.
Used wherever boards are dealt for people or programs that should not have to trust the dealer."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from overtrick.game.board import Board
from overtrick.game.errors import BridgeError
from overtrick.game.seats import Seat, Vulnerability


def promise_of(text: str) -> str:
    """The SHA-256 of a text. Who knows the text checks it without this program, too:
    `printf %s 'TEXT' | sha256sum`."""
    return sha256(text.encode()).hexdigest()


def promise_of_all(promises: Iterable[str]) -> str:
    """One promise for many: that of their lines. Each can be opened alone, none can be changed."""
    return promise_of("\n".join(promises))


@dataclass(frozen=True, slots=True)
class Sealed:
    """Boards under a seal. `promise` says nothing about the cards, since nobody can guess the salt,
    and no other cards fit it; `text` opens it.

    >>> board = Board.random(7, seed=1)
    >>> sealed = Sealed.of([board])
    >>> opened(sealed.text, sealed.promise) == (board,)
    True
    """

    text: str

    @classmethod
    def of(cls, boards: Iterable[Board], salt: str = "") -> Sealed:
        """Seal boards: the salt, then a line for each; a salt that is not given is drawn."""
        lines = [salt or secrets.token_hex(16)]
        for board in boards:
            lines.append(
                f"{board.number} {board.dealer.letter} {board.vul} {board.deal.pbn(board.dealer)}"
            )
        return cls("\n".join(lines))

    @property
    def promise(self) -> str:
        return promise_of(self.text)


def opened(text: str, promise: str) -> tuple[Board, ...]:
    """The boards of an opened seal; refused when the text is not what was promised."""
    found = promise_of(text)
    if found != promise:
        raise BridgeError(f"this is not what was promised: its SHA-256 is {found}")
    boards = []
    for line in text.splitlines()[1:]:
        fields = line.split(" ", 3)
        if len(fields) != 4 or not (fields[0].isascii() and fields[0].isdecimal()):
            raise BridgeError(f"no board in {line[:80]!r}: number, dealer, vulnerable, cards")
        number, dealer, vul, deal = fields
        boards.append(Board(int(number[:6]), Seat.parse(dealer), Vulnerability.parse(vul), deal))
    return tuple(boards)
