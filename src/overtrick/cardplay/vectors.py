"""Vectors over sampled worlds as integers, fronts of them, and the terms of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Front = list[int]
WHOLE: Final = 1 << 30  # nothing was cut off


class FrontNode(NamedTuple):
    """A position as all worlds share it: cards gone since the root, the trick, tricks won."""

    gone: int
    leader: int
    trick: tuple[int, ...]
    won: int  # by declarer's side since the root

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) & 3


@dataclass(frozen=True, slots=True)
class Game:
    """What stays the same in a search: worlds (remaining cards), strain, declarer, goals.

    `goals` are numbers of tricks declarer's side takes from the root on, ascending.
    """

    hands: NDArray[np.uint64]
    strain: int
    declarer: int
    goals: tuple[int, ...]
    values: tuple[float, ...]  # of each bit, worlds by goals

    @property
    def all(self) -> int:
        return (1 << len(self.hands) * len(self.goals)) - 1


def covered(front: Front, by: Front) -> bool:
    """Is every vector of the first front within some vector of the second?"""
    return all(any(x & ~y == 0 for y in by) for x in front)


def covering(front: Front, above: Sequence[Front]) -> int:
    """The youngest of some fronts that covers this one, or `WHOLE`."""
    for i in range(len(above) - 1, -1, -1):
        if above[i] and covered(front, above[i]):
            return i
    return WHOLE


def cards_of(bits: int) -> list[int]:
    """The cards of a set, lowest first."""
    out = []
    while bits:
        low = bits & -bits
        out.append(low.bit_length() - 1)
        bits ^= low
    return out


def packed(reached: NDArray[np.bool_], indices: list[int], count: int) -> int:
    """(worlds, goals) booleans as the bits of one integer."""
    spread = np.zeros((indices[-1] + 1, count), bool)
    spread[indices] = reached
    return int.from_bytes(np.packbits(spread.ravel(), bitorder="little").tobytes(), "little")
