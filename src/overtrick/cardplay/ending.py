"""The question of an ending: every layout there may be, who chooses, how many tricks are needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.vectors import cards_of

WON: Final = 1
LOST: Final = 0
PASS: Final = -1  # a hand that keeps all its cards: the question every squeeze is tested with
Front = list[int]


class EndingState(NamedTuple):
    """A position as all layouts share it.

    `seen` are the cards left in the two hands in sight, `gone` counts what the hidden hands have
    played of each class (four bits each), `trick` has a card for each play, for a hidden hand the
    lowest of its class.
    """

    seen: int
    gone: int
    leader: int
    trick: tuple[int, ...]
    need: int
    left: int

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) & 3


@dataclass(frozen=True, slots=True)
class Ending:
    """The question: layouts (remaining cards by seat), who chooses, how many tricks are needed.

    `hands` share the two hands in sight; cards of the trick in progress are not in them.
    `need` counts tricks of the chooser's side from here, this trick included.
    """

    hands: tuple[tuple[int, int, int, int], ...]
    strain: int
    leader: int
    trick: tuple[int, ...]
    need: int
    chooser: int  # the seat whose view it is: declarer, or a defender
    declarer: int

    @property
    def declaring(self) -> bool:
        return self.chooser == self.declarer

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) & 3

    @property
    def sighted(self) -> tuple[int, int]:
        """The two hands that are seen: the chooser's and dummy's."""
        return self.chooser, self.declarer ^ 2

    @property
    def hidden(self) -> tuple[int, int]:
        one, other = (s for s in range(4) if s not in self.sighted)
        return one, other

    @property
    def left(self) -> int:
        return self.hands[0][self.turn].bit_count()

    @property
    def every(self) -> int:
        return (1 << len(self.hands)) - 1


def ending(
    hands: NDArray[np.uint64] | Sequence[Sequence[int]],
    strain: int,
    leader: int,
    trick: Iterable[int],
    need: int,
    chooser: int,
    declarer: int,
) -> Ending:
    """An `Ending` from arrays, as samplers make them."""
    rows = tuple((int(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in hands)
    cards = tuple(int(c) for c in trick)
    return Ending(rows, strain, leader, cards, need, chooser, declarer)


def shared_out(pool: int, sizes: tuple[int, int], barred: tuple[int, int]) -> list[tuple[int, int]]:
    """Every way to deal a pool to two hands that are out of some suits."""
    first, second = pool & barred[1], pool & barred[0]
    free = pool & ~(first | second)
    need = sizes[0] - first.bit_count()
    if first & second or not 0 <= need <= free.bit_count():
        return []
    out = []
    for part in combinations(cards_of(free), need):
        hand = first
        for card in part:
            hand |= 1 << card
        out.append((hand, pool & ~hand))
    return out
