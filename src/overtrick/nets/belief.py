"""Who holds which card, as a belief network sees it from one seat and the auction.

The bidding search draws its worlds from it, card play weighs layouts by it, and the page draws what
hands could be.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Auction, Hand, Seat, View, Vulnerability
from overtrick.game.view import Systems
from overtrick.nets.features import CARD_AT, observe, public_bits, system_bits, system_number
from overtrick.nets.inference import Floats, Network, installed, network, softmax

SHIPPED: Final = "belief"
LEAST: Final = 1e-4  # nothing is impossible
_BALANCE: Final = 3  # rounds; the recipe training.belief has the same number


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
    return np.asarray(np.maximum(balanced(house, unseen).astype(float), LEAST))


def believed(view: View) -> NDArray[np.float64] | None:
    """`card_beliefs` of the shipped network, which sees the calls and no card that was played.

    None where no network can be run. Read only: a board's answer is kept.
    """
    if not installed():
        return None
    return _believed(view.seat, view.hand, view.auction, view.vul, view.systems)


@lru_cache(maxsize=256)
def _believed(
    seat: Seat, hand: Hand, auction: Auction, vul: Vulnerability, systems: Systems
) -> NDArray[np.float64]:
    view = View(seat, hand, auction, vul, systems=systems)
    found = card_beliefs(view, network(SHIPPED, "belief"))
    found.setflags(write=False)
    return found


def among(beliefs: NDArray[np.float64], unseen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Some of the players' columns [52, k], when the unseen cards are known to be theirs: how many
    times likelier than its fair share each has each of those cards; 1 for cards in sight."""
    found = beliefs * beliefs.shape[1] / beliefs.sum(axis=1, keepdims=True)
    return np.where(unseen[:, None], found, 1.0)


def balanced(logits: Floats, unseen: NDArray[np.bool_]) -> Floats:
    """Probabilities [52, 3] that give each player 13 of the unseen cards (as in training)."""
    for _ in range(_BALANCE):
        counts = softmax(logits)[unseen].sum(axis=0)
        logits = logits - np.log(np.maximum(counts, 1e-6) / 13)
    return softmax(logits)


def seen_systems(net: Network, view: View, seat: int | None = None) -> NDArray[np.uint8] | None:
    """The suffix that names both sides' systems as a seat sees them (this one, or another).

    None for networks without it; a side that declared nothing we know stays dark.
    """
    ours, theirs = system_number(view.systems.ours), system_number(view.systems.theirs)
    if seat is not None and (seat - view.seat) % 2:
        ours, theirs = theirs, ours
    return system_bits(ours, theirs, net.version)
