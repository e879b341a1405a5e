"""Worlds consistent with a View: own hand, dummy, played cards, shown voids, what calls showed."""

from __future__ import annotations

from numpy.random import Generator

from overtrick.game import Hand, PartialDeal, Seat, View
from overtrick.worlds.dealer import DEFAULT_BUDGET, Accept, Dealer, DealSample, Wishes, wished


def dealer_for(
    view: View,
    constraints: Wishes | None = None,
    *,
    accept: Accept | None = None,
    budget: int = DEFAULT_BUDGET,
) -> Dealer:
    """A dealer of the original four hands as this seat may imagine them.

    Constraints are about original hands of thirteen cards. Seats the view sees in full are
    not tested: a partner who bid what they did not have has still bid it.

    >>> from overtrick import View
    >>> view = View("N", "AK3.QJ2.T98.7654", "", "None")
    >>> dealer_for(view, {"S": "hcp 15..17"}).sample(1, seed=1)[0].south.hcp
    15
    """
    hands = {seat: Hand(0) for seat in Seat}
    voids: dict[Seat, frozenset[int]] = {}
    if view.play is not None:
        shown = view.play.voids()
        for seat in Seat:
            hands[seat] = view.play.played_by(seat)
            voids[seat] = frozenset(int(s) for s in shown[seat])
    hands |= view.known
    unseen = {
        s: c for s, c in wished(constraints).items() if s not in view.known and len(hands[s]) < 13
    }
    return Dealer(
        unseen,
        known=PartialDeal.of(hands),
        voids={s: v for s, v in voids.items() if s not in view.known},
        accept=accept,
        budget=budget,
    )


def sample(
    view: View,
    n: int,
    constraints: Wishes | None = None,
    rng: Generator | int | None = None,
) -> DealSample:
    """n worlds for a view; without `rng`, the same view always gets the same worlds.

    >>> from overtrick.game import Auction, Board, view_of
    >>> board = Board.random(1, seed=3)
    >>> view = view_of(board, Auction(board.dealer))
    >>> worlds = sample(view, 20)
    >>> {int(w) for w in worlds.hands[:, view.seat]} == {view.hand.bits}
    True
    """
    return dealer_for(view, constraints).sample(n, view.seed if rng is None else rng)
