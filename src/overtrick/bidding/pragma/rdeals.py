"""R-deals: representative deals for what a seat knows after an auction (PRAGMA, section 3.3). The
auction is read through the systems of both sides."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.constants import PRAGMA_PATIENCE, PRAGMA_SPARE
from overtrick.bidding.kernel import AuctionPosition, RulesCaller, SeatHands
from overtrick.game import PartialDeal, Seat, View
from overtrick.systems import Reading
from overtrick.systems.meanings import knowledge
from overtrick.worlds import ALWAYS, Constraint, DealingError, sample_deals
from overtrick.worlds.annealing import Cooling

_QUICK: Final = Cooling(most=150, harmless=60)


def constraints_of(reading: Reading, view: View, *, deny: bool = True) -> dict[Seat, Constraint]:
    """What the auction says about the hidden hands; with `deny`, also what was not bid."""
    found = knowledge(reading, view.auction, view.vul, int(view.seat & 1), deny=deny)
    return {s: found[s] for s in Seat if s != view.seat and found[s] is not ALWAYS}


def loosened(reading: Reading, view: View) -> list[dict[Seat, Constraint]]:
    """The constraints, then weaker and weaker ones for auctions in which somebody erred."""
    exact = constraints_of(reading, view)
    plain = constraints_of(reading, view, deny=False)
    partner = view.seat.partner
    without = [{s: c for s, c in plain.items() if s != odd} for odd in Seat if odd != view.seat]
    only = {s: c for s, c in plain.items() if s == partner}
    return [exact, plain, *without, only, {}]


def r_deals(reading: Reading, view: View, count: int, rng: Generator) -> NDArray[np.uint64]:
    """`count` deals [n, seat] that explain the auction, those without an odd call first."""
    known = PartialDeal.of(view.known)
    wanted = int(PRAGMA_SPARE * count) + 4
    for constraints in loosened(reading, view):
        try:
            found = sample_deals(
                wanted, rng, constraints, known=known, schedule=_QUICK, patience=PRAGMA_PATIENCE
            )
        except DealingError:
            continue
        return _plainest(reading, view, found.dealt.hands)[:count]
    raise DealingError("no deal explains the auction")  # the empty constraints always deal


def _plainest(reading: Reading, view: View, hands: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The deals, those with the fewest calls that the rules would not have made first."""
    at, held = AuctionPosition.of(view), SeatHands(hands)
    odd = np.zeros(len(held), np.int64)
    for turn, call in enumerate(at.calls):
        seat = at.seat_of(turn)
        if seat != view.seat:
            ctx = RulesCaller(reading, (seat - view.seat) & 1).context(at.before(turn))
            made = held.pool(seat).makers(reading, ctx, call)
            odd[held.rows(held.every & ~made)] += 1
    return hands[np.argsort(odd, kind="stable")]
