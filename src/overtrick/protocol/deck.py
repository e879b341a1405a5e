"""The random boards of a session: dealt from a secret that is promised before and told after it.
Used by `overtrick tm serve`, and by whoever wants to check that the promise was kept."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from hashlib import sha256

from overtrick.game import Board, Deal
from overtrick.game.commitment import promise_of


@dataclass(frozen=True, slots=True)
class KeyedDeck:
    """Boards 1, 2, 3, … of a secret.

    The promise says nothing about the boards, but only this secret fits it. What our own engines
    draw their choices from follows from the secret too, and leads nobody back to it.

    >>> deck = KeyedDeck("7")
    >>> deck.boards(2)[1] == deck.boards(8)[1], KeyedDeck("8").boards(1) == deck.boards(1)
    (True, False)
    """

    secret: str

    @classmethod
    def drawn(cls) -> KeyedDeck:
        """One that nobody can guess."""
        return cls(secrets.token_hex(16))

    @property
    def promise(self) -> str:
        return promise_of(f"overtrick deck {self.secret}")

    @property
    def player_seed(self) -> int:
        digest = sha256(f"overtrick players {self.secret}".encode()).digest()
        return int.from_bytes(digest[:6], "little")

    def boards(self, count: int) -> tuple[Board, ...]:
        return tuple(Board.numbered(n, self._deal(n)) for n in range(1, count + 1))

    def _deal(self, number: int) -> Deal:
        # Python seeds from the whole text by SHA-512: the cards of one hand do not give it away.
        return Deal.random(random.Random(f"overtrick deck {self.secret} board {number}"))
