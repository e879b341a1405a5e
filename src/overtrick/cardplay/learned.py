"""How likely the calls are when a side declared a learned style: its network is asked.
That takes ten microseconds a hand and call, so that hopeless layouts are soon dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.reading import Floats
from overtrick.game import View
from overtrick.nets.styles import chances_of, style_of

_ANY: Final = 0.001  # how likely any call is that the network would not make
_PILOT: Final = 48  # layouts that say which calls tell most
_HOPELESS: Final = 8.0  # layouts so far below the best (log) are not asked about further
_DROPPED: Final = 8.0  # what they lose


def learned_seats(view: View, hidden: Sequence[int]) -> tuple[int, ...]:
    """The hidden seats whose side declared a learned style that can be asked."""
    return tuple(seat for seat in hidden if style_of(view, seat) is not None)


def learned_likelihood(
    view: View, seats: Sequence[int], deals: NDArray[np.uint64], prior: Floats
) -> Floats:
    """log P(calls of those seats | their full hands), layout by layout; the calls that tell most
    come first, and layouts that are hopeless by then, `prior` log weights included, are dropped."""
    turns = [i for i in range(len(view.auction.calls)) if view.auction.seat_of(i) in seats]
    pilot = {turn: float(_logs(view, turn, deals[:_PILOT]).mean()) for turn in turns}
    found = np.zeros(len(deals))
    alive = np.arange(len(deals))
    for turn in sorted(turns, key=lambda turn: pilot[turn]):
        found[alive] += _logs(view, turn, deals[alive])
        score = (found + prior)[alive]
        out = score < score.max() - _HOPELESS
        found[alive[out]] -= _DROPPED
        alive = alive[~out]
    return found


def _logs(view: View, turn: int, deals: NDArray[np.uint64]) -> Floats:
    seat = int(view.auction.seat_of(turn))
    net = style_of(view, seat)
    assert net is not None
    hands, back = np.unique(deals[:, seat], return_inverse=True)
    chances = np.log((1 - _ANY) * chances_of(net, view, turn, hands) + _ANY)
    found: Floats = chances[back.ravel()]
    return found
