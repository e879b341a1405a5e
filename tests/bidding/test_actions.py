"""Calls that no good player makes, in auctions in which robots have made them."""

from __future__ import annotations

import pytest

from overtrick.bidding import bidder
from overtrick.game import Auction, Call, Hand, Seat, Systems, View, Vulnerability

BIDDERS = ("partner", "rules(system=two-over-one)")


def call(engine: str, hand: str, auction: str) -> Call:
    """What the seat on turn says after North's opening bid."""
    calls = Auction.parse(auction, Seat.NORTH)
    both = Systems("two-over-one", "two-over-one")
    view = View(calls.turn, Hand.parse(hand), calls, Vulnerability.NONE, systems=both)
    return bidder(engine).bid(view).call


@pytest.mark.parametrize("engine", BIDDERS)
@pytest.mark.parametrize("auction", ["2S P P 3H", "2S P 3S P", "2S P 3S 4H"])
def test_a_weak_two_bid_says_it_once(engine: str, auction: str) -> None:
    assert call(engine, "KQJ876.54.K87.32", auction) == Call("Pass")


@pytest.mark.parametrize("engine", BIDDERS)
def test_two_of_their_trumps_are_no_penalty_double(engine: str) -> None:
    assert call(engine, "KJ4.QJ32.AT.9876", "1NT 2D") != Call("X")


@pytest.mark.parametrize("engine", BIDDERS)
def test_a_slam_without_the_ace_king_of_a_suit_is_not_bid_on_hope(engine: str) -> None:
    """No diamond control and no queen of trumps: key cards first, and a stop where they lack."""
    hand = "AKQ3.A.J32.KJ985"
    asked = call(engine, hand, "1C P 1H P 1S P 3C P")
    assert asked != Call("6C")
    if asked == Call("4C"):  # asks; 4♦ shows one key card or four
        assert call(engine, hand, "1C P 1H P 1S P 3C P 4C P 4H P") < Call("6C")
