"""Systems that are networks: a side that declares a learned style is asked through its network."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import View
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import observe, public_bits
from overtrick.nets.inference import Network, installed, network

LEARNED: Final = "sayc, learned style"
STYLES: Final[Mapping[str, str]] = MappingProxyType({LEARNED: "policy"})  # by what is declared


def style_of(view: View, seat: int) -> Network | None:
    """The network that a seat's side declared to bid by; None for any other system, and where no
    network can be run."""
    ours = (seat - view.seat) % 2 == 0
    name = STYLES.get(view.systems.ours if ours else view.systems.theirs)
    return network(name, "policy") if name is not None and installed() else None


def chances_of(
    net: Network, view: View, turn: int, bits: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """P(the call made at that turn | the hand of its maker) for many hands."""
    calls = [int(c) for c in view.auction.calls]
    seat = int(view.auction.seat_of(turn))
    public = public_bits(calls[:turn], view.dealer, view.vul, seat)
    rows = observe(bits, public, seen_systems(net, view, seat))
    return net.call_probabilities(rows)[:, calls[turn]].astype(float)
