"""Doubles of artificial bids: what was agreed holds, passes and redoubles are answers, nobody is
left in an asking bid; interference over key cards; where a question ends."""

from __future__ import annotations

import pytest

from overtrick.game import CALLS, Auction, Hand
from overtrick.systems import Reading, load
from overtrick.systems.explain import random_hands
from overtrick.systems.shows import HandValues
from overtrick.systems.system import system_of_text


def calls_of(text: str) -> tuple[int, ...]:
    return tuple(int(c) for c in Auction.parse(text).calls)


def bid(reading: Reading, hand: str, auction: str) -> str:
    option = reading.choose(reading.context(calls_of(auction)), HandValues(Hand.parse(hand).bits))
    return CALLS[option.call].ascii if option else "Pass"


@pytest.fixture(scope="module")
def two() -> Reading:
    return Reading(load("two-over-one"))


@pytest.fixture(scope="module")
def sayc() -> Reading:
    return Reading(load("sayc-extras"))


ASKED = [
    "1S P 2NT P",  # Jacoby
    "1H P 3C P",  # Bergen
    "1H P 3D P",
    "P P 1S P 2C P",  # Drury
    "2C P",  # strong two clubs
    "2C P 2D P",  # and its answer
    "2S P 2NT P",  # Ogust
    "1D P 1S P 1NT P 2C P",  # new minor
    "1D P 1S P 2C P 2H P",  # fourth suit
    "1NT P 2C P 2D P",  # the answer to Stayman
    "1NT P 2D P 2H P",  # the completed transfer
    "1NT P 4H P",  # Texas
    "1NT P 2S P",  # transfer to a minor
    "1NT P 4C P",  # Gerber
    "1H 1S 2S P",  # cue raise
    "1H X 2NT P",  # Jordan
    "1NT 2S 2NT P",  # Lebensohl
    "1H 2H P 2NT P",  # Michaels: which minor?
    "1NT 2C P 2D P",  # Cappelletti: which suit?
    "1S P 2NT P 3C P 4NT P 5C P",  # the answer to key cards
]


@pytest.mark.parametrize("auction", ASKED)
def test_a_double_of_an_artificial_bid_changes_nothing(two: Reading, auction: str) -> None:
    quiet = two.context(calls_of(auction))
    doubled = two.context((*quiet.calls[:-1], 1))
    assert doubled.quiet[doubled.side] == quiet.key
    for hand in random_hands(150, 5):
        values = HandValues(hand.bits)
        first, second = two.choose(quiet, values), two.choose(doubled, values)
        assert first is not None
        assert second is not None
        assert first.call == second.call, hand


def test_the_auction_goes_on_as_if_undoubled(two: Reading) -> None:
    hand = "KJ742.A3.QT2.J85"
    for plain, doubled in (
        ("1D P 1S P 1NT P 2C P 2H P", "1D P 1S P 1NT P 2C X 2H P"),
        ("1NT P 2H P 2S P", "1NT P 2H X P P XX P 2S X"),
    ):
        assert bid(two, hand, plain) == bid(two, hand, doubled)
    assert two.context(calls_of("1S P 2NT X 3C P")).uncontested


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("AQ54.K84.AQJ6.75", "1NT P 2C X", "Pass"),  # no stopper in clubs
        ("AQ54.K84.QJ6.AJ5", "1NT P 2C X", "2S"),
        ("AQ.K84.QJ6.KQJ95", "1NT P 2C X", "XX"),
        ("KJ74.83.AQ42.J85", "1NT P 2C X P P", "XX"),  # asks again
        ("AQ54.K84.AQJ6.75", "1NT P 2C X P P XX P", "2S"),
        ("AQ54.K8.QJ62.KJ5", "1NT P 2D X", "Pass"),  # two hearts
        ("AQ5.K84.QJ62.KJ5", "1NT P 2D X", "2H"),  # three
        ("AQ5.K8.KQJ62.K75", "1NT P 2D X", "XX"),  # good diamonds
        ("K7.AQ84.QJ62.KJ5", "1NT P 2H X", "Pass"),
        ("KJ7.QJ853.42.J85", "1NT P 2D X P P", "XX"),
        ("AQ54.K8.QJ62.KJ5", "1NT P 2D X P P XX P", "2H"),
        ("AQ54.KJ8.AK6.AQ5", "2NT P 3D X", "3H"),
    ],
)
def test_stayman_and_transfers_doubled(sayc: Reading, hand: str, auction: str, call: str) -> None:
    assert bid(sayc, hand, auction) == call


def test_what_the_answers_over_the_double_show(sayc: Reading) -> None:
    after = sayc.context(calls_of("1NT P 2D X P"))
    assert (after.shown[0].low[2], after.shown[0].high[2]) == (2, 2)
    after = sayc.context(calls_of("1NT P 2D X 2H"))
    assert after.shown[0].low[2] == 3
    again = sayc.context(calls_of("1NT P 2D X P P XX P"))
    assert again.quiet[0] == calls_of("1NT P 2D P")
    assert "transfer" in again.told[2].tags


KEYCARDS = "1S P 2NT P 3C P 4NT"


@pytest.mark.parametrize(
    ("hand", "over", "call"),
    [
        ("QJ7542.KQ3.KQ2.5", "X", "XX"),  # none
        ("AJ7542.KQ3.Q72.5", "X", "Pass"),  # one
        ("AJ7542.AQ3.Q72.5", "X", "5C"),  # two
        ("AQ7542.AQ3.J72.5", "X", "5D"),  # two and the queen
        ("QJ7542.KQ3.KQ2.5", "5C", "X"),
        ("AJ7542.KQ3.Q72.5", "5C", "Pass"),
        ("AJ7542.AQ3.Q72.5", "5C", "5D"),
        ("QJ7542.KQ3.KQ2.5", "6C", "X"),  # even
        ("AJ7542.KQ3.Q72.5", "6C", "Pass"),  # odd
    ],
)
def test_interference_over_key_cards(two: Reading, hand: str, over: str, call: str) -> None:
    assert bid(two, hand, f"{KEYCARDS} {over}") == call


def test_the_asker_goes_on_after_interference(two: Reading) -> None:
    strong, weak = "KQ84.AK73.AQ65.2", "KQ84.A73.KQ65.A2"
    assert bid(two, strong, f"{KEYCARDS} X P P") == "6S"
    assert bid(two, weak, f"{KEYCARDS} X XX P") == "5S"
    assert bid(two, "KQ84.K73.KQ65.KQ", f"{KEYCARDS} 6C X P") == "Pass"
    assert two.context(calls_of(f"{KEYCARDS} X P P")).must_bid


def test_a_control_bid_doubled(two: Reading) -> None:
    after = "1H P 1S P 3S P 4C X"
    assert bid(two, "J532.AKQ84.64.AQ", after) == "XX"
    assert bid(two, "QJ32.AKJ84.K64.Q", after) != "XX"


@pytest.mark.parametrize(
    "text", ["1S P 2NT X", "1NT P 2C X", f"{KEYCARDS} X", "1H P 1S P 3S P 4C X"]
)
def test_nobody_passes_without_an_answer(two: Reading, text: str) -> None:
    ctx = two.context(calls_of(text))
    assert ctx.must_bid
    passes = [o for o in two.options(ctx) if o.call == 0]
    assert all(o.rule.act.value == "answering" for o in passes)


def test_a_bid_of_the_agreed_suit_at_game_or_higher_is_no_question(two: Reading) -> None:
    ctx = two.context(calls_of("1S P 2NT P 3H P 3S P 4C P 4NT P 5S P"))
    assert not ctx.forced
    assert bid(two, "QJ84.A73.KQ65.K2", "1S P 2NT P 3H P 3S P 4C P 4NT P 5S P") == "Pass"
    assert two.context(calls_of("1C P 1D P 3D P 4D P")).forced  # below game it asks (Minorwood)


SMALL = """
opening
  1C "asks" forcing artificial tag ask : hcp 12+ @100
  Pass "less" : any @10
after 1C
  1D "weak" artificial : hcp ..7 @100
  1H "strong" artificial : hcp 8+ @100
after 1C (X)
  Pass "clubs" answers : clubs 5+ @120
after 1C (X) P (P)
  XX "asks again" forcing artificial tag again : any @50
after 1C 1D
  2S "weak opposite" : any @100
never Pass when must bid
"""


def test_the_rule_of_the_language() -> None:
    reading = Reading(system_of_text(SMALL, "small.bid"))
    assert bid(reading, "AQ5.K84.QJ62.KJ5", "1C X") == "1H"
    assert bid(reading, "52.84.J62.KJ9754", "1C X") == "Pass"
    assert bid(reading, "52.84.J62.KJ9754", "1C P") == "1D"
    assert bid(reading, "AQ5.K84.QJ62.KJ5", "1C X 1D P") == "2S"
    assert bid(reading, "AQ5.K84.QJ62.KJ5", "1C X P P") == "XX"
    assert bid(reading, "52.84.J62.KJ9754", "1C X P P XX P") == "1D"
    theirs = reading.context(calls_of("1C X 1D"))
    assert theirs.quiet[theirs.side] == theirs.key  # the doublers did double


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("AQJ2.T75.AKQ.T96", "1NT P 2C 2H", "2S"),  # a major is still shown
        ("KT94.7.AT43.Q854", "1NT P 2C 2H P P", "X"),
        ("AQJ2.T75.AKQ.T96", "1NT P 2H 3C", "3S"),
        ("AQ2.T975.AKQ.T96", "1NT P 2H 3C", "Pass"),  # not game alone
        ("AK.QJ65.AK.AKQ97", "2C 3D P P", "3NT"),  # a strong hand does not sell out
        ("KQ.AKQJ43..AKQ65", "1D 2NT 3S P P", "X"),
        ("K3.AJ762.KJ.K763", "P P 1H 1S 2S 3C", "4H"),  # the agreed suit of an artificial raise
    ],
)
def test_bids_over_our_artificial_calls(two: Reading, hand: str, auction: str, call: str) -> None:
    assert bid(two, hand, auction) == call


def test_a_passed_hands_natural_response_may_be_passed(two: Reading, sayc: Reading) -> None:
    for reading in (two, sayc):
        assert reading.context(calls_of("1D P 1S P")).must_bid
        assert not reading.context(calls_of("P P 1D P 1S P")).must_bid
        assert reading.context(calls_of("P P 1S P 2C P")).must_bid  # Drury is no natural bid
        assert bid(reading, "AJ7.K82.QJ32.Q85", "P P 1D P 1S P") == "Pass"
        assert bid(reading, "AJ7.K82.QJ32.Q85", "1D P 1S P") == "1NT"
