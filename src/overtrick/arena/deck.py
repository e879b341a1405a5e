"""Boards that nobody knows before they are played, and that nobody can change afterwards.

They are drawn from the system's randomness and each is put under a seal. The promise for all of
them is told before the first board; the seal of a board is opened when both rooms have played it.
Until then it is in the memory of this program alone: no file and no command line has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from overtrick.game import Board, BridgeError, Deal
from overtrick.game.commitment import Sealed, opened, promise_of, promise_of_all

SECRET: Final = "secret"  # in place of "random" or a file of deals


@dataclass(frozen=True, slots=True)
class SecretDeck:
    """Sealed boards by number.

    >>> deck = SecretDeck.drawn(range(1, 5))
    >>> deck.board(4).number, deck.promise == promise_of_all(deck.promises.values())
    (4, True)
    """

    texts: Mapping[int, str]

    @classmethod
    def drawn(cls, numbers: Iterable[int], known: Mapping[int, str] = {}) -> SecretDeck:
        """New boards, but for those whose seals are known: matches that are compared share them."""
        chance = SystemRandom()
        return cls(
            {
                n: known[n] if n in known
                else Sealed.of([Board.numbered(n, Deal.random(chance))]).text
                for n in numbers
            }
        )  # fmt: skip

    def board(self, number: int) -> Board:
        """The board under a seal."""
        return board_in(self.texts[number])

    @property
    def promises(self) -> dict[int, str]:
        """What is told of each board before it is played."""
        return {number: promise_of(text) for number, text in self.texts.items()}

    @property
    def promise(self) -> str:
        return promise_of_all(self.promises.values())


def board_in(text: str) -> Board:
    """The one board under a seal."""
    boards = opened(text, promise_of(text))
    if len(boards) != 1:
        raise BridgeError(f"{len(boards)} boards are under a seal of one")
    return boards[0]
