"""Deals that could be, drawn from a belief network or uniformly, each with its density.
Used by bmcs; the density is what turns the auction's likelihood into an importance weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.policy import seen_systems
from overtrick.game import View
from overtrick.nets.features import CARD_AT, observe, public_bits
from overtrick.nets.inference import Floats, Network, softmax

_BALANCE: Final = 3  # rounds; the recipe training.belief has the same number


@dataclass(frozen=True, slots=True)
class Proposal:
    """Drawn deals: hands [n, seat] as 52-bit numbers and log densities [n] up to a constant."""

    hands: NDArray[np.uint64]
    log_density: NDArray[np.float64]


def card_beliefs(view: View, belief: Network | None) -> NDArray[np.float64]:
    """P(card is with LHO, partner, RHO) as [52 house cards, 3]; own cards have no row sum."""
    if belief is None:
        return np.full((52, 3), 1 / 3)
    calls = [int(c) for c in view.auction.calls]
    public = public_bits(calls, view.dealer, view.vul, view.seat)
    rows = observe(view.hand.bits, public, seen_systems(belief, view))
    house = np.empty((52, 3), dtype=np.float32)
    house[CARD_AT] = belief.run(rows).reshape(52, 3)
    unseen = np.array([not view.hand.bits >> card & 1 for card in range(52)])
    return balanced(house, unseen).astype(float)


def balanced(logits: Floats, unseen: NDArray[np.bool_]) -> Floats:
    """Probabilities [52, 3] that give each player 13 of the unseen cards (as in training)."""
    for _ in range(_BALANCE):
        counts = softmax(logits)[unseen].sum(axis=0)
        logits = logits - np.log(np.maximum(counts, 1e-6) / 13)
    return softmax(logits)


def propose(view: View, belief: Network | None, count: int, rng: np.random.Generator) -> Proposal:
    """Deal the 39 unseen cards one by one, each to a player by belief and by places left.

    P(player) ∝ belief × places left, so with a flat belief every deal is equally likely; the
    product of the chances taken is the density. Honours go first: they say most.
    """
    beliefs = card_beliefs(view, belief)
    unseen = [c for c in range(52) if not view.hand.bits >> c & 1]
    order = sorted(unseen, key=lambda c: (-(c % 13), c))
    places = np.full((count, 3), 13.0)
    hands = np.zeros((count, 4), dtype=np.uint64)
    hands[:, view.seat] = view.hand.bits
    seats = np.array([(view.seat + step) % 4 for step in (1, 2, 3)])
    log_density = np.zeros(count)
    rows = np.arange(count)
    draws = rng.random((len(order), count))
    for step, card in enumerate(order):
        chance = places * np.maximum(beliefs[card], 1e-4)
        chance /= chance.sum(axis=1, keepdims=True)
        first = chance[:, 0]
        who = (draws[step] > first).astype(np.intp)
        who += draws[step] > first + chance[:, 1]
        # Rounding can point at a player with no place left; the fullest hand never is.
        full = places[rows, who] == 0
        if full.any():
            who[full] = places[full].argmax(axis=1)
        log_density += np.log(chance[rows, who])
        places[rows, who] -= 1
        hands[rows, seats[who]] |= np.uint64(1 << card)
    return Proposal(hands, log_density)
