"""How sure the belief network is about the unseen cards, by the length of the auction (Fig. 3).
Random deals are bid by the policy in all seats, exported networks only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Auction, Seat
from overtrick.game.board import dealer_of, vulnerability_of
from overtrick.nets.features import SAYC, Bits, hand_bits, system_bits
from overtrick.nets.inference import Floats, Network, softmax
from overtrick_lab.training.auctions import AuctionCopies
from overtrick_lab.training.data import hands_of, random_owners

_BALANCE: Final = 3  # rounds; nets.belief and training.belief have the same number
_LEAST: Final = 1e-6
_LONGEST: Final = 60
UNIFORM_LOSS: Final = float(-(np.log(1 / 3) + 2 * np.log(2 / 3)) * 39 / 156)
"""The 156-question loss of a belief that knows its own cards only: 0.4774."""
UNIFORM_CARD: Final = float(np.log(3))


@dataclass(frozen=True, slots=True)
class BeliefPoint:
    """The positions after so many calls: both losses and the standard error of the first."""

    calls: int
    positions: int
    loss: float
    error: float
    card_loss: float


class _Sums:
    """Running sums by the number of calls."""

    def __init__(self) -> None:
        self.count = np.zeros(_LONGEST, dtype=np.int64)
        self.sums = np.zeros((_LONGEST, 3))

    def add(self, calls: int, loss: NDArray[np.float64], card: NDArray[np.float64]) -> None:
        self.count[calls] += len(loss)
        self.sums[calls] += loss.sum(), (loss**2).sum(), card.sum()

    def points(self) -> list[BeliefPoint]:
        found = []
        for calls in np.flatnonzero(self.count):
            count = int(self.count[calls])
            loss, squares, card = self.sums[calls] / count
            spread = max(squares - loss**2, 0.0)
            error = float(np.sqrt(spread / max(count - 1, 1)))
            found.append(BeliefPoint(int(calls), count, float(loss), error, float(card)))
        return found


def measure(policy: Network, belief: Network, deals: int, seed: int) -> list[BeliefPoint]:
    """Every position of so many random deals, dealer and vulnerability by the 16-board cycle."""
    rng = np.random.default_rng([2024, seed])
    owners = random_owners(deals, rng)
    sums = _Sums()
    for number in range(16):
        rows = owners[number::16]
        if len(rows):
            _bid_out(policy, belief, rows, number + 1, sums)
    return sums.points()


def _bid_out(
    policy: Network, belief: Network, owners: NDArray[np.int8], number: int, sums: _Sums
) -> None:
    auctions = AuctionCopies(
        Auction(Seat(dealer_of(number))), int(vulnerability_of(number)), len(owners)
    )
    hands = hands_of(owners)
    cards = [hand_bits(hands[:, seat]) for seat in range(4)]
    for turn in range(_LONGEST):
        live = np.flatnonzero(~auctions.done)
        if len(live) == 0:
            return
        seen = [auctions.public(live), cards[auctions.turn][live]]
        scores = belief.run(_told(belief, seen)).reshape(-1, 52, 3)
        holder = (owners[live].astype(np.int64) - auctions.turn - 1) % 4
        sums.add(turn, *losses(scores, holder))
        logits = policy.run(_told(policy, seen))
        calls = np.zeros(len(owners), dtype=np.int64)
        calls[live] = np.where(auctions.legal(live), logits, -np.inf).argmax(axis=1)
        auctions.call(calls)


def _told(net: Network, parts: list[Bits]) -> Bits:
    """The observation, with both sides' declared system where the network knows of systems."""
    if (told := system_bits(SAYC, SAYC, net.version)) is not None:
        parts = [*parts, np.broadcast_to(told, (len(parts[0]), len(told)))]
    return np.concatenate(parts, axis=1)


def losses(
    scores: Floats, holder: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[n] each: the paper's mean cross-entropy of 156 yes-or-no questions, and nats a card.

    `holder` says who has each card: 0 LHO, 1 partner, 2 RHO, 3 the player on turn.
    """
    unseen = (holder < 3)[..., None]
    chances = np.asarray(_balanced(scores, unseen) * unseen, dtype=np.float64)
    true = holder[..., None] == np.arange(3)
    right = np.clip(np.where(true, chances, 1 - chances), _LEAST, 1.0)
    asked = -np.log(right).mean(axis=(1, 2))
    each = np.log(np.clip((chances * true).sum(axis=2), _LEAST, 1.0)) * unseen[..., 0]
    return asked, -each.sum(axis=1) / 39


def _balanced(scores: Floats, unseen: NDArray[np.bool_]) -> Floats:
    """P(player) [n, 52, 3] that gives each player 13 of the unseen cards."""
    for _ in range(_BALANCE):
        counts = (softmax(scores) * unseen).sum(axis=1, keepdims=True)
        scores = scores - np.log(np.maximum(counts, _LEAST) / 13).astype(np.float32)
    return softmax(scores)
