"""What a network about opening leads looks at: own cards, and how the others' cards lie on average.
Every number is a mean of yes-or-no facts over worlds, so that one deal and a thousand weighted ones
are described alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Inputs = NDArray[np.float32]
SEATS: Final = 3  # partner, dummy, declarer: two, one and three places after the leader
FACTS: Final = 10  # length; void, singleton, doubleton, five and more; ace, king, queen, jack, ten
_AROUND: Final = (2, 1, 3)
_SUIT: Final = np.uint64(0x1FFF)
_TOPS: Final = np.uint64(sum(1 << 13 * s + 12 for s in range(4)))
_BLOCK: Final = SEATS * FACTS + 6  # a suit: the facts, own length and own five honours
_LED: Final = 13 + 8 + 13 + 2 + SEATS * FACTS
WIDTH: Final = _LED + 2 + 4 * _BLOCK + 9


@dataclass(frozen=True, slots=True)
class Problems:
    """n opening leads to be judged: the leader's hand, the facts, the contract."""

    hands: Bits  # (n,)
    facts: Inputs  # (n, suit, seat, fact)
    strain: NDArray[np.int64]
    level: NDArray[np.int64]
    doubled: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.hands)


def facts_of(layouts: Bits, leader: int) -> Inputs:
    """(n, 4, 3, 10): the facts of each layout, by suit and seat."""
    out = np.zeros((len(layouts), 4, SEATS, FACTS), np.float32)
    for j, step in enumerate(_AROUND):
        hand = layouts[:, (leader + step) & 3]
        for suit in range(4):
            held = hand >> np.uint64(13 * suit) & _SUIT
            count = np.bitwise_count(held)
            out[:, suit, j, 0] = count / 13
            for k in range(3):
                out[:, suit, j, 1 + k] = count == k
            out[:, suit, j, 4] = count >= 5
            for k in range(5):
                out[:, suit, j, 5 + k] = held >> np.uint64(12 - k) & np.uint64(1)
    return out


def mean_facts(layouts: Bits, weights: NDArray[np.float64], leader: int) -> Inputs:
    """The facts of one problem: (1, 4, 3, 10), averaged over weighted layouts."""
    found = facts_of(layouts, leader).reshape(len(layouts), -1)
    mean = weights.astype(np.float32) @ found
    return mean.reshape(1, 4, SEATS, FACTS)


def run_tops(hands: Bits) -> Bits:
    """The highest card of every run of touching cards: one card for each choice that matters."""
    return hands & ~(hands >> np.uint64(1) & ~_TOPS)


def candidates(hands: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(problem, card) of every lead that is no equal of another, problems in order."""
    shifts = np.arange(52, dtype=np.uint64)
    return np.nonzero(run_tops(hands)[:, None] >> shifts & np.uint64(1))  # type: ignore[return-value]


def inputs(some: Problems, problem: NDArray[np.int64], card: NDArray[np.int64]) -> Inputs:
    """One row for each (problem, card): the suit led first, trumps, the others by length."""
    own = _own(some.hands)  # (n, 4, 13)
    lengths = own.sum(axis=2)
    flat = some.facts.reshape(len(some), 4, SEATS * FACTS)
    blocks = np.concatenate(
        [flat, lengths[:, :, None] / 13, own[:, :, :7:-1]], axis=2, dtype=np.float32
    )
    rows = np.arange(len(card))
    suit, rank = card // 13, card % 13
    trumps = some.strain[problem]
    held = own[problem, suit]
    out = np.zeros((len(card), WIDTH), np.float32)
    out[:, :13] = held
    out[rows, 13 + np.minimum(lengths[problem, suit].astype(int), 8) - 1] = 1
    out[rows, 21 + rank] = 1
    above = np.arange(13) > rank[:, None]
    out[:, 34] = (held * above).sum(axis=1) / 4
    out[:, 35] = ((1 - held) * above).sum(axis=1) / 4
    out[:, 36:_LED] = flat[problem, suit]
    out[:, _LED] = suit == trumps
    out[:, _LED + 1] = trumps == 4
    at = _LED + 2
    suited = trumps < 4
    out[suited, at : at + _BLOCK] = blocks[problem[suited], trumps[suited]]
    at += _BLOCK
    # The other suits, longest first: neither led nor trumps.
    key = lengths[problem] * 4 + np.arange(4)
    key = np.where((np.arange(4) == suit[:, None]) | (np.arange(4) == trumps[:, None]), -1, key)
    order = np.argsort(-key, axis=1)
    for place in range(3):
        which = order[:, place]
        there = key[rows, which] >= 0
        out[there, at : at + _BLOCK] = blocks[problem[there], which[there]]
        at += _BLOCK
    out[rows, at + some.level[problem] - 1] = 1
    out[:, at + 7] = some.doubled[problem] > 0
    out[:, at + 8] = lengths[problem, np.minimum(trumps, 3)] / 13 * suited
    return out


def _own(hands: Bits) -> Inputs:
    shifts = np.arange(52, dtype=np.uint64)
    found = (hands[:, None] >> shifts & np.uint64(1)).astype(np.float32)
    return found.reshape(len(hands), 4, 13)
