"""Systems that are networks: a side that declares a learned style is asked through its network, and
one that declares a written system through a network of players who judge inside it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.game import View
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import legal_calls, observe, public_bits, system_number
from overtrick.nets.inference import Network, installed, network, softmax

LEARNED: Final = "sayc, learned style"


class Style(NamedTuple):
    """A way to bid that can be asked: a small network that has learned how likely any hand makes a
    call, and the bidder's own, five times as slow, where its word is worth that."""

    reader: Network
    bidder: Network | None = None


def style_of(view: View, seat: int) -> Style | None:
    """The learned style that a seat's side declared; None for any other system, and where no
    network can be run."""
    if _declared(view, seat) != LEARNED or not installed():
        return None
    return Style(network("policy_reader", "policy"), network("policy", "policy"))


def judge_of(view: View, seat: int) -> Style | None:
    """Players who judge inside the written system that a seat's side declared; None where their
    network does not know that system or cannot be run. They differ, so that the small one will
    do."""
    number = system_number(_declared(view, seat))
    if number is None or style_of(view, seat) is not None or not installed():
        return None
    reader = network("partner_reader", "policy")
    return Style(reader) if number < reader.version.systems else None


def _declared(view: View, seat: int) -> str:
    return view.systems.ours if (seat - view.seat) % 2 == 0 else view.systems.theirs


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
