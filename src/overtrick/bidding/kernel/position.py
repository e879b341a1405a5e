"""The public part of a bidding decision: the calls so far, who dealt, who is vulnerable."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.game import View

Contract = tuple[int, int, int]
"""Bid (0 = 1♣; -1: passed out), declarer, doubling (0, 1, 2)."""


@dataclass(frozen=True, slots=True)
class AuctionPosition:
    """An auction as plain numbers, cheap to make by the thousand."""

    calls: tuple[int, ...]
    dealer: int
    vul: int

    @classmethod
    def of(cls, view: View) -> AuctionPosition:
        return cls(tuple(int(c) for c in view.auction.calls), int(view.dealer), int(view.vul))

    @property
    def turn(self) -> int:
        return (self.dealer + len(self.calls)) & 3

    def seat_of(self, turn: int) -> int:
        """Who made call number `turn`."""
        return (self.dealer + turn) & 3

    def then(self, call: int) -> AuctionPosition:
        return AuctionPosition((*self.calls, call), self.dealer, self.vul)

    def before(self, turn: int) -> AuctionPosition:
        """The position in which call number `turn` was made."""
        return AuctionPosition(self.calls[:turn], self.dealer, self.vul)

    @property
    def is_over(self) -> bool:
        calls = self.calls
        return len(calls) >= 4 and not (calls[-1] or calls[-2] or calls[-3])

    @property
    def contract(self) -> Contract:
        """The contract if nobody bids any more."""
        doubled = 0
        for last in range(len(self.calls) - 1, -1, -1):
            call = self.calls[last]
            if call >= 3:
                break
            doubled = max(doubled, call)
        else:
            return -1, 0, 0
        strain = (call - 3) % 5
        first = next(
            i for i in range(last & 1, last + 1, 2)
            if self.calls[i] >= 3 and (self.calls[i] - 3) % 5 == strain
        )  # fmt: skip
        return call - 3, self.seat_of(first), doubled
