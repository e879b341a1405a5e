"""A notrump overcall is answered to the end: Stayman and transfers find game or stop in time."""

from __future__ import annotations

import pytest

from overtrick.game import CALLS, Auction, Hand
from overtrick.systems import Reading, load
from overtrick.systems.shows import HandValues

AUCTIONS = [
    ("KJ42.Q83.A952.83", "1D 1NT P 2C P 2D P", "3NT"),
    ("KJ42.983.A952.83", "1D 1NT P 2C P 2D P", "2NT"),
    ("KJ42.983.A952.K3", "1D 1NT P 2C P 2S P", "4S"),
    ("KJ9742.83.952.83", "1D 1NT P 2H P 2S P", "Pass"),
    ("KJ974.Q3.952.K83", "1D 1NT P 2H P 2S P", "2NT"),
    ("KJ974.Q3.A52.K83", "1D 1NT P 2H P 2S P", "3NT"),
    ("KJ9742.Q3.A52.83", "1D 1NT P 2H P 2S P", "4S"),
    ("AQ3.KJ4.KQ42.J83", "1D 1NT P 2H P 2S P 3NT P", "4S"),
    ("AQ.KJ4.KQ942.J83", "1D 1NT P 2H P 2S P 3NT P", "Pass"),
    ("AQ3.KJ4.KQ42.983", "1D 1NT P 2C P 2D P 2NT P", "Pass"),
    ("AQ3.KJ4.KQJ2.K83", "1D 1NT P 2C P 2D P 2NT P", "3NT"),
]


@pytest.fixture(scope="module", params=["sayc", "two-over-one"])
def reading(request: pytest.FixtureRequest) -> Reading:
    return Reading(load(request.param))


@pytest.mark.parametrize(("hand", "auction", "call"), AUCTIONS)
def test_the_second_round(reading: Reading, hand: str, auction: str, call: str) -> None:
    calls = tuple(int(c) for c in Auction.parse(auction).calls)
    option = reading.choose(reading.context(calls), HandValues(Hand.parse(hand).bits))
    assert option is not None
    assert CALLS[option.call].ascii == call
