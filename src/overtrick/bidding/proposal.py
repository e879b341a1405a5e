"""Deals that could be, drawn from a belief network or uniformly, each with its density.
Used by bmcs; the density is what turns the auction's likelihood into an importance weight.

A deal is drawn in two steps, one hidden hand and then the split of the other two, so that a search
can ask after the first step whether that hand would have bid as it did, and only go on from hands
that would. That finds fitting deals even after long auctions.
"""

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
_LEAST: Final = 1e-4  # nothing is impossible


@dataclass(frozen=True, slots=True)
class Proposal:
    """Drawn deals: hands [n, seat] as 52-bit numbers and log densities [n] up to a constant."""

    hands: NDArray[np.uint64]
    log_density: NDArray[np.float64]

    def taken(self, rows: NDArray[np.intp]) -> Proposal:
        return Proposal(self.hands[rows], self.log_density[rows])


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
    return np.asarray(np.maximum(balanced(house, unseen).astype(float), _LEAST))


def balanced(logits: Floats, unseen: NDArray[np.bool_]) -> Floats:
    """Probabilities [52, 3] that give each player 13 of the unseen cards (as in training)."""
    for _ in range(_BALANCE):
        counts = softmax(logits)[unseen].sum(axis=0)
        logits = logits - np.log(np.maximum(counts, 1e-6) / 13)
    return softmax(logits)


def first_hands(
    view: View, beliefs: NDArray[np.float64], step: int, count: int, rng: np.random.Generator
) -> Proposal:
    """Hands of the seat `step` places to the left (1, 2 or 3); the other two are still empty.

    Card by card: P(his) ∝ belief × his places left, so a flat belief deals fairly.
    """
    hands = np.zeros((count, 4), dtype=np.uint64)
    hands[:, view.seat] = view.hand.bits
    his = beliefs[:, step - 1]
    odds = his / np.maximum((1 - his) / 2, _LEAST)
    free = np.full(count, ~np.uint64(view.hand.bits))
    density = _draw(hands, (view.seat + step) % 4, (odds, 26), free, rng)
    return Proposal(hands, density)


def other_hands(
    view: View, beliefs: NDArray[np.float64], step: int, drawn: Proposal, rng: np.random.Generator
) -> Proposal:
    """Split what is left between the two other hidden seats, card by card as before."""
    one, two = (s for s in (1, 2, 3) if s != step)
    hands = drawn.hands.copy()
    free = ~(hands[:, view.seat] | hands[:, (view.seat + step) % 4])
    odds = beliefs[:, one - 1] / np.maximum(beliefs[:, two - 1], _LEAST)
    density = _draw(hands, (view.seat + one) % 4, (odds, 13), free, rng)
    everyone = np.uint64((1 << 52) - 1)
    hands[:, (view.seat + two) % 4] = everyone & free & ~hands[:, (view.seat + one) % 4]
    return Proposal(hands, drawn.log_density + density)


def _draw(
    hands: NDArray[np.uint64],
    seat: int,
    against: tuple[NDArray[np.float64], int],
    free: NDArray[np.uint64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Give `seat` 13 of each row's free cards; returns the log densities.

    `against` has the odds that a card is his, per place, and how many places the others have.
    Honours go first: they say most.
    """
    odds, other_places = against
    count = len(hands)
    places, others = np.full(count, 13.0), np.full(count, float(other_places))
    density = np.zeros(count)
    order = sorted(range(52), key=lambda c: (-(c % 13), c))
    draws = rng.random((52, count))
    for card in order:
        open_here = (free >> np.uint64(card) & np.uint64(1)).astype(bool)
        if not open_here.any():
            continue
        weight = odds[card] * places
        chance = weight / np.maximum(weight + others, _LEAST)
        his = (draws[card] < chance) & open_here
        density += np.log(np.where(his, chance, np.where(open_here, 1 - chance, 1.0)))
        hands[his, seat] |= np.uint64(1 << card)
        places -= his
        others -= open_here & ~his
    return density


def propose(view: View, belief: Network | None, count: int, rng: np.random.Generator) -> Proposal:
    """Whole deals, without a question in between."""
    beliefs = card_beliefs(view, belief)
    return other_hands(view, beliefs, 2, first_hands(view, beliefs, 2, count, rng), rng)
