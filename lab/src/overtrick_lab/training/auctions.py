"""Many auctions from one point on, advanced together in numpy: observe, call, see who declares.
All rows share whose turn it is, because each call moves all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Auction
from overtrick.nets.features import (
    CALLS,
    DOUBLE,
    FIRST_BID,
    HAND_START,
    PASS,
    REDOUBLE,
    Bits,
    public_bits,
    vulnerability_bits,
)

Ints = NDArray[np.int64]
_BLOCKS = HAND_START // 4  # every four bits are one per seat: vulnerability, passes, history


class AuctionCopies:
    """`count` copies of an auction that then go their own ways."""

    def __init__(self, auction: Auction, vul: int, count: int) -> None:
        self.turn = int(auction.turn)
        self._vul = vul
        self._rows = np.arange(count)
        start = public_bits([int(c) for c in auction.calls], auction.dealer, vul, 0)
        # Seat 0's view is the absolute one; another seat's is the same with seats rotated.
        self._seats = np.repeat(start.reshape(1, _BLOCKS, 4), count, axis=0)
        last = auction.last_bid
        self.last: Ints = np.full(count, -1 if last is None else int(last) - FIRST_BID)
        bidder = auction.last_bidder
        self.bidder: Ints = np.full(count, -1 if bidder is None else int(bidder))
        self.doubled: Ints = np.full(count, auction.doubled)
        passes = 0
        for call in reversed(auction.calls):
            if call != PASS:
                break
            passes += 1
        self.passes: Ints = np.full(count, passes)
        self.first: Ints = np.full((count, 2, 5), -1)  # who named a strain first, by side
        for i, call in enumerate(auction.calls):
            seat = auction.seat_of(i)
            if call >= FIRST_BID and self.first[0, seat & 1, call.strain] < 0:
                self.first[:, seat & 1, call.strain] = seat
        self.done = np.full(count, auction.is_over)

    def public(self, rows: Ints | slice = slice(None)) -> Bits:
        """The first 428 bits as the seat on turn sees them."""
        seen = np.roll(self._seats[rows], -self.turn, axis=2).reshape(-1, HAND_START)
        seen[:, :4] = 0
        seen[:, list(vulnerability_bits(self._vul, self.turn))] = 1
        return seen

    def legal(self, rows: Ints | slice = slice(None)) -> NDArray[np.bool_]:
        """Which of the 38 calls the seat on turn may make."""
        last, doubled = self.last[rows], self.doubled[rows]
        theirs = (self.bidder[rows] - self.turn) % 2 == 1
        legal = np.empty((len(last), CALLS), dtype=np.bool_)
        legal[:, PASS] = True
        legal[:, DOUBLE] = (last >= 0) & theirs & (doubled == 0)
        legal[:, REDOUBLE] = (last >= 0) & ~theirs & (doubled == 1)
        legal[:, FIRST_BID:] = np.arange(CALLS - FIRST_BID) > last[:, None]
        return legal

    def call(self, calls: Ints) -> None:
        """Every auction that is not over takes its call; the turn moves on for all."""
        seat, live = self.turn, ~self.done
        bids = live & (calls >= FIRST_BID)
        self._mark(bids, calls - FIRST_BID, 0)
        self._mark(live & (calls == DOUBLE), self.last, 1)
        self._mark(live & (calls == REDOUBLE), self.last, 2)
        self._seats[live & (calls == PASS) & (self.last < 0), 1, seat] = 1
        self.doubled = np.where(bids, 0, self.doubled)
        self.doubled[live & (calls == DOUBLE)] = 1
        self.doubled[live & (calls == REDOUBLE)] = 2
        self.last = np.where(bids, calls - FIRST_BID, self.last)
        self.bidder = np.where(bids, seat, self.bidder)
        strain = np.where(bids, (calls - FIRST_BID) % 5, 0)
        fresh = bids & (self.first[self._rows, seat & 1, strain] < 0)
        self.first[self._rows[fresh], seat & 1, strain[fresh]] = seat
        self.passes = np.where(live, np.where(calls == PASS, self.passes + 1, 0), self.passes)
        self.done = self.done | (self.passes >= np.where(self.last >= 0, 3, 4))
        self.turn = (seat + 1) % 4

    def _mark(self, where: NDArray[np.bool_], bid: Ints, kind: int) -> None:
        self._seats[self._rows[where], 2 + 3 * bid[where] + kind, self.turn] = 1

    def opening(self) -> tuple[Ints, Ints]:
        """Who made the first bid and which (0 = 1C); -1 where nobody has bid."""
        made: NDArray[np.bool_] = self._seats[:, 2::3].astype(np.bool_)
        bid: NDArray[np.bool_] = np.any(made, axis=2)
        first = bid.argmax(axis=1)
        seat = made[self._rows, first].argmax(axis=1)
        none = ~bid.any(axis=1)
        return np.where(none, -1, seat), np.where(none, -1, first)

    def contracts(self) -> tuple[Ints, Ints, Ints]:
        """Bid (-1 when passed out), declarer and doubling of each auction as it stands."""
        strain = np.maximum(self.last, 0) % 5
        declarer = self.first[self._rows, np.maximum(self.bidder, 0) & 1, strain]
        return self.last, np.where(self.last >= 0, declarer, 0), self.doubled
