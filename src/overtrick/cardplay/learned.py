"""How likely calls are by a network: that of the learned style a side declared, or one of players
who judge inside a written system. A bidder's own takes ten microseconds a hand and call, so that a
small reader of its calls drops hopeless layouts first."""

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
_HOPELESS: Final = 6.0  # a bidder is not asked about layouts so far below the best (log)


def learned_seats(view: View, hidden: Sequence[int]) -> tuple[int, ...]:
    """The hidden seats whose side declared a learned style that can be asked."""
    return tuple(seat for seat in hidden if style_of(view, seat) is not None)


def judging_seats(view: View, hidden: Sequence[int]) -> tuple[int, ...]:
    """The hidden seats that may judge inside a written system which a network knows."""
    return tuple(seat for seat in hidden if judge_of(view, seat) is not None)


def read_likelihood(view: View, seat: int, hands: NDArray[np.uint64]) -> Floats:
    """log P(calls of that seat | its full hand), layout by layout, as its reader says."""
    style = style_of(view, seat) or judge_of(view, seat)
    assert style is not None
    return _calls(style.reader, view, seat, hands)


def asked_likelihood(
    view: View, seat: int, hands: NDArray[np.uint64], read: Floats, prior: Floats
) -> Floats:
    """The same as a bidder itself says, where it can be asked: about layouts that have hope after
    what its reader said, `prior` log weights with it."""
    style = style_of(view, seat)
    if style is None or style.bidder is None:
        return read
    alive = prior >= prior.max() - _HOPELESS
    found = read.copy()
    found[alive] = _calls(style.bidder, view, seat, hands[alive])
    return found


def learned_likelihood(view: View, seat: int, hands: NDArray[np.uint64], prior: Floats) -> Floats:
    """Both, one after the other."""
    read = read_likelihood(view, seat, hands)
    return asked_likelihood(view, seat, hands, read, prior + read)


def either(rules: Floats, judged: Floats) -> Floats:
    """log P(calls | hand) of a player who bids by the rules or judges beside them: nobody declares
    which, and after a call that one of the two explains well it is hardly the other."""
    return np.asarray(np.logaddexp(rules, judged) - np.log(2))


def _calls(net: Network, view: View, seat: int, hands: NDArray[np.uint64]) -> Floats:
    """log P(all calls of the seat | hand), each hand asked about once."""
    each, back = np.unique(hands, return_inverse=True)
    found: Floats = np.zeros(len(each))
    for turn in range(len(view.auction.calls)):
        if view.auction.seat_of(turn) == seat:
            found += np.log((1 - _ANY) * chances_of(net, view, turn, each) + _ANY)
    return found[back.ravel()]
