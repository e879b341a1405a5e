"""How well hands fit what the belief network says after the auction: who holds which card.
For auctions that no declared system explains."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Seat, View
from overtrick.game.cards import ALL_CARDS, SUIT_BITS
from overtrick.nets.belief import among, believed
from overtrick.worlds.weighted import Floats

_HOLDINGS: Final = (np.arange(1 << 13)[:, None] >> np.arange(13) & 1).astype(float)


def belief_likelihood(view: View, seat: Seat, bits: NDArray[np.uint64]) -> Floats:
    """log of how well full hands of a hidden seat fit the belief: nothing where it is flat.

    Each card counts by how many times likelier than its fair share it is with that seat, among the
    seats whose hands are hidden. The sum over those seats weighs a layout.
    """
    beliefs = believed(view)
    if beliefs is None:
        return np.zeros(len(bits))
    seen = 0
    for hand in view.known.values():
        seen |= hand.bits
    hidden = tuple(int(s) for s in Seat if s not in view.known)
    table = _by_holding(beliefs.tobytes(), int(view.seat), hidden, seen)[hidden.index(int(seat))]
    out = np.zeros(len(bits))
    for suit in range(4):
        holding = bits >> np.uint64(13 * suit) & np.uint64(SUIT_BITS)
        out += table[suit][holding.astype(np.intp)]
    return out


@lru_cache(maxsize=32)
def _by_holding(beliefs: bytes, seat: int, hidden: tuple[int, ...], seen: int) -> Floats:
    """What each holding of each suit is worth with each hidden seat: [seat, suit, 8192]."""
    chances = np.frombuffer(beliefs).reshape(52, 3)
    unseen = np.array([bool((ALL_CARDS & ~seen) >> card & 1) for card in range(52)])
    columns = [(other - seat) % 4 - 1 for other in hidden]
    logs = np.log(among(chances[:, columns], unseen))
    return np.moveaxis(_HOLDINGS @ logs.reshape(4, 13, len(hidden)), 2, 0)
