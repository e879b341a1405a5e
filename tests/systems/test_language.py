"""Reading rule files: what is understood, and one clear line for what is not."""

from __future__ import annotations

import pytest

from overtrick.game import Auction, Hand
from overtrick.game.calls import CALLS
from overtrick.systems import Reading, RuleError, UnknownSystem, load, system_of_text
from overtrick.systems.patterns import expand
from overtrick.systems.shows import HandValues, bind, holds, parse_shows
from overtrick.systems.syntax import Place

HERE = Place("here.bid", 1)


def calls_of(text: str) -> tuple[int, ...]:
    return tuple(int(c) for c in Auction.parse(text).calls)


def choose(text: str, hand: str, auction: str = "") -> str:
    reading = Reading(system_of_text(text))
    calls = tuple(int(c) for c in Auction.parse(auction).calls)
    option = reading.choose(reading.context(calls), HandValues(Hand.parse(hand).bits))
    return "none" if option is None else option.words


def test_patterns_expand_with_variables_and_missing_passes() -> None:
    found = dict(expand("1M 2NT", HERE))
    assert set(found) == {(5, 0, 12, 0), (6, 0, 12, 0)}
    assert found[(5, 0, 12, 0)] == {"M": 2}
    over = [calls for calls, _ in expand("1D (1S..2H)", HERE)]
    assert over == [(4, 6), (4, 7), (4, 8), (4, 9), (4, 10)]
    assert [c for c, _ in expand("(1H) P (P)", HERE)] == [(5, 0, 0)]


def test_other_major_and_distinct_letters() -> None:
    found = list(expand("1M 2oM", HERE))
    assert [(c[0], c[2]) for c, _ in found] == [(5, 11), (6, 10)]
    assert all(b["X"] != b["Y"] for _, b in expand("1X 2Y", HERE))


@pytest.mark.parametrize(
    ("text", "hand", "expected"),
    [
        ("hcp 15..17, balanced", "AQ5.K84.QJ62.KJ5", True),
        ("spades 5+, spades >= hearts", "AQJ54.K8342.7.95", True),
        ("hearts > spades", "AQJ54.K8342.7.95", False),
        ("hearts 4 or spades 4", "KJ74.83.AQ42.J85", True),
        ("not (hearts 4 or spades 4)", "KJ74.83.AQ42.J85", False),
        ("keycards S 1/4", "KJ74.83.Q842.J85", True),
        ("aces 0/3", "KJ74.83.Q842.J85", True),
        ("flat", "AQ5.K84.QJ62.KJ5", True),
        ("control H", "AQ5.8.QJ6532.KJ5", True),
        ("hearts + spades 9+", "AQJ54.K832.7.J95", True),
    ],
)
def test_constraint_texts(text: str, hand: str, expected: bool) -> None:
    items = bind(parse_shows(text, HERE, {}), {}, None)
    assert holds(items, HandValues(Hand.parse(hand).bits)) is expected


def test_priority_then_more_specific_then_order() -> None:
    text = """
opening
  1C "low" : hcp 10+ @90
  1D "high" : hcp 16+ @100
  1H "special" : hcp 10+, hearts 5+ @90
"""
    assert choose(text, "A5.K8.QJ6532.KJ5") == "low"
    assert choose(text, "A5.KQ8.AJ653.KJ5") == "high"
    assert choose(text, "A5.K8532.QJ65.K5") == "special"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("A6532.Q3.A763.K2", "spades"), ("A6532.Q3.A7632.2", "spades"),
        ("A6.3.A76532.KQ52", "diamonds"), ("A632.Q3.A76.K432", "clubs"),
    ],
)  # fmt: skip
def test_of_several_suits_the_longest(hand: str, expected: str) -> None:
    text = 'after (1H)\n  cheapest X "suit {X}" when X is unbid : X 4+ @100\n  Pass "no" : any @1\n'
    symbols = {"clubs": "♣", "diamonds": "♦", "spades": "♠"}
    assert choose(text, hand, "1H") == f"suit {symbols[expected]}"


def test_cue_is_a_bid_of_any_suit_of_theirs() -> None:
    text = """
after 1H (2C)
  cue "good raise" forcing artificial : hearts 3+, hcp 11+ @100
  jump cue "splinter" forcing artificial : hearts 4+, clubs ..1 @110
  Pass "no" : any @1
"""
    reading = Reading(system_of_text(text))
    ctx = reading.context(calls_of("1H 2C"))
    hands = {"A5.K842.A653.J95": "3C", "A54.K842.A6532.5": "4C", "9532.84.J653.J95": "Pass"}
    for hand, call in hands.items():
        option = reading.choose(ctx, HandValues(Hand.parse(hand).bits))
        assert option is not None
        assert CALLS[option.call].ascii == call


def test_negative_rules_forbid_and_special_meanings_displace_generic_ones() -> None:
    text = """
opening
  1C "strong" forcing : hcp 16+ @100
layer 5
anytime
  1D "generic" : any @50
  Pass "generic pass" : any @1
never Pass when forced
layer 10
after 1C
  1D "special: weak" : hcp ..7 @60
"""
    weak, good = "95.8742.J653.J95", "A5.K842.A653.J95"
    assert choose(text, weak, "1C P") == "special: weak"
    assert choose(text, good, "1C P") == "generic"  # the displaced rule, as Pass is forbidden
    assert choose(text, weak) == "generic"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('opening\n  1C "x" : hpc 12+', "no such feature 'hpc' (did you mean hcp?)"),
        ('opening\n  9C "x" : hcp 12+', "no such call '9C'"),
        ('opening\n  1C "x" froing : any', "no such flag 'froing' (did you mean forcing?)"),
        ('opening when we open\n  1C "x"', "no such condition 'we open'"),
        ("after 1C\n", "a block without rules"),
        ('  1C "x"', "belongs to nothing"),
        ('opening\n  1C "x" : hcp 12+ @high', "a priority is a number"),
        ('aftr 1C\n  1D "x"', "did you mean after?"),
        ('after 1NT when M is major\n  2C "x"', "is not bound by the auction"),
        ('after 2C 1D\n  2D "x"', "no auction fits"),
        ("examples:\n  AKQ -> ", "an example reads"),
    ],
)
def test_mistakes_name_file_line_and_hint(text: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        system_of_text(text, "bad.bid")
    assert "bad.bid:" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_names_give_one_line() -> None:
    with pytest.raises(UnknownSystem, match="no bidding system called 'sayk'"):
        load("sayk")
    with pytest.raises(UnknownSystem, match="no convention 'bergenn'; did you mean bergen"):
        load("sayc", ("bergenn",))


def test_switches_change_what_is_bid() -> None:
    hand = HandValues(Hand.parse("KQ84.973.Q965.42").bits)
    calls = tuple(int(c) for c in Auction.parse("1S P").calls)
    plain, bergen = Reading(load("sayc")), Reading(load("sayc", ("bergen",)))
    first = plain.choose(plain.context(calls), hand)
    second = bergen.choose(bergen.context(calls), hand)
    assert first is not None
    assert second is not None
    assert (first.call, second.call) == (11, 13)  # 2♠ and 3♣


def test_conventions_that_exclude_each_other() -> None:
    switches = load("sayc", ("dont", "rkcb-3014")).switches
    assert (switches["dont"], switches["cappelletti"]) == (True, False)
    assert (switches["rkcb-3014"], switches["rkcb-1430"]) == (True, False)
    with pytest.raises(UnknownSystem, match="cappelletti and dont cannot be played together"):
        load("sayc", ("dont", "cappelletti"))
    with pytest.raises(RuleError, match="two or more"):
        system_of_text('either dont\nopening\n  1C "x"\n')
