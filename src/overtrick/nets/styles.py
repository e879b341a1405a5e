"""Systems that are networks: a side that declares a learned style is asked through its network, and
one that declares a written system through a network of players who judge inside it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import View
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import observe, public_bits, system_number
from overtrick.nets.inference import Network, installed, network

LEARNED: Final = "sayc, learned style"
STYLES: Final[Mapping[str, str]] = MappingProxyType({LEARNED: "policy"})  # by what is declared


JUDGE: Final = "partner"


def style_of(view: View, seat: int) -> Network | None:
    """The network that a seat's side declared to bid by; None for any other system, and where no
    network can be run."""
    name = STYLES.get(_declared(view, seat))
    return network(name, "policy") if name is not None and installed() else None


def judge_of(view: View, seat: int) -> Network | None:
    """The network that judges inside the written system that a seat's side declared; None where it
    does not know that system or cannot be run."""
    number = system_number(_declared(view, seat))
    if number is None or style_of(view, seat) is not None or not installed():
        return None
    found = network(JUDGE, "policy")
    return found if number < found.version.systems else None


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
    return net.call_probabilities(rows)[:, calls[turn]].astype(float)
