"""How likely calls are by a network: that of the learned style a side declared, or one of players
who judge inside a written system. That takes ten microseconds a hand and call, so that hopeless
layouts are soon dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.reading import Floats
from overtrick.game import View
from overtrick.nets.inference import Network
from overtrick.nets.styles import chances_of, judge_of, style_of

_ANY: Final = 0.001  # how likely any call is that the network would not make
_PILOT: Final = 48  # layouts that say which calls tell most
_HOPELESS: Final = 8.0  # layouts so far below the best (log) are not asked about further
_DROPPED: Final = 8.0  # what they lose


def learned_seats(view: View, hidden: Sequence[int]) -> tuple[int, ...]:
    """The hidden seats whose side declared a learned style that can be asked."""
    return tuple(seat for seat in hidden if style_of(view, seat) is not None)


def judging_seats(view: View, hidden: Sequence[int]) -> tuple[int, ...]:
    """The hidden seats that may judge inside a written system which a network knows."""
    return tuple(seat for seat in hidden if judge_of(view, seat) is not None)


def learned_likelihood(view: View, seat: int, hands: NDArray[np.uint64], prior: Floats) -> Floats:
    """log P(calls of that seat | its full hand), layout by layout; the calls that tell most come
    first, and layouts that are hopeless by then, `prior` log weights included, are dropped."""
    net = style_of(view, seat) or judge_of(view, seat)
    assert net is not None
    turns = [i for i in range(len(view.auction.calls)) if view.auction.seat_of(i) == seat]
    pilot = {turn: float(_logs(net, view, turn, hands[:_PILOT]).mean()) for turn in turns}
    found = np.zeros(len(hands))
    alive = np.arange(len(hands))
    for turn in sorted(turns, key=lambda turn: pilot[turn]):
        found[alive] += _logs(net, view, turn, hands[alive])
        score = (found + prior)[alive]
        out = score < score.max() - _HOPELESS
        found[alive[out]] -= _DROPPED
        alive = alive[~out]
    return found


def either(rules: Floats, judged: Floats) -> Floats:
    """log P(calls | hand) of a player who bids by the rules or judges beside them: nobody declares
    which, and after a call that one of the two explains well it is hardly the other."""
    return np.asarray(np.logaddexp(rules, judged) - np.log(2))


def _logs(net: Network, view: View, turn: int, hands: NDArray[np.uint64]) -> Floats:
    each, back = np.unique(hands, return_inverse=True)
    chances = np.log((1 - _ANY) * chances_of(net, view, turn, each) + _ANY)
    found: Floats = chances[back.ravel()]
    return found
