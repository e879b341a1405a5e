"""Ways to bid that are networks, and how likely a network makes a call with many hands."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import View
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import legal_calls, observe, public_bits
from overtrick.nets.inference import Network, softmax

LEARNED: Final = "sayc, learned style"
PLAYED_BY: Final = "policy"  # the network whose style that is
# Small networks that learned how likely any hand makes a call, of the learned style and of players
# who judge inside a written system; a bidder's own network takes five times as long.
READER: Final = "policy_reader"
JUDGES: Final = "partner_reader"
IMITATION: Final = "sl"  # imitates players from elsewhere, in the systems it knows


def chances_of(
    net: Network, view: View, turn: int, bits: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """P(the call made at that turn | the hand of its maker) for many hands."""
    calls = [int(c) for c in view.auction.calls]
    seat = int(view.auction.seat_of(turn))
    public = public_bits(calls[:turn], view.dealer, view.vul, seat)
    rows = observe(bits, public, seen_systems(net, view, seat))
    legal = legal_calls(rows[:1])[0]  # the same for every hand
    chances = softmax(net.run(rows)[:, legal])[:, int(legal[: calls[turn]].sum())]
    return chances.astype(float)
