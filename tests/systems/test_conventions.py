"""Conventions that are off by default, switched on: their examples, and what they must not break.
A strong club of the opponents comes from a system written here, as a player would write one."""

from __future__ import annotations

import pytest

from overtrick.game import CALLS, Auction, Hand
from overtrick.systems import Reading, load
from overtrick.systems.lint import run_examples
from overtrick.systems.shows import HandValues
from overtrick.systems.system import system_of_text

CARDS = {
    "dont": ("cappelletti",),
    "two-way-checkback": ("new-minor-forcing",),
    "smolen": (),
    "lebensohl-doubles": (),
    "minorwood": (),
    "mathe": (),
    "rkcb-3014": ("rkcb-1430",),
    "texas": (),
    "ogust": (),
}
STRONG_CLUB = """
opening
  1C "16 or more, any shape" forcing alert artificial tag strong-club : hcp 16+ @100
  Pass "less" : any @10
"""


@pytest.mark.parametrize("system", ["sayc-extras", "two-over-one"])
@pytest.mark.parametrize("convention", sorted(CARDS))
def test_examples_with_a_switch_turned(system: str, convention: str) -> None:
    made = load(system, on=(convention,), off=CARDS[convention])
    results = run_examples(made)
    own = [r for r in results if r.example.convention == convention]
    problems = [r.problem for r in results if r.problem]
    assert problems == []
    assert own or convention == "mathe"


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("KJ742.QT95.84.93", "X"),
        ("8.J4.KQ742.QT953", "2NT"),
        ("84.J4.KQ742.QT95", "1NT"),
        ("KQJ74.J43.84.932", "1S"),
        ("4.KQT953.J84.932", "2H"),
        ("AQ4.KQ43.A84.932", "P"),
    ],
)
def test_mathe_over_a_strong_club(hand: str, call: str) -> None:
    reading = Reading(load("two-over-one", on=("mathe",)), system_of_text(STRONG_CLUB))
    opening = tuple(int(c) for c in Auction.parse("1C").calls)
    ctx = reading.context(opening, 0, 1)  # the dealer's side plays the strong club
    option = reading.choose(ctx, HandValues(Hand.parse(hand).bits))
    assert option is not None
    assert CALLS[option.call] == Auction.parse(call).calls[0] if call != "X" else option.call == 1


def test_a_natural_club_is_not_a_strong_one() -> None:
    reading = Reading(load("two-over-one", on=("mathe",)))
    ctx = reading.context(tuple(int(c) for c in Auction.parse("1C").calls))
    words = {o.words for o in reading.options(ctx)}
    assert "both majors" not in words


def test_dont_displaces_the_other_defence() -> None:
    reading = Reading(load("two-over-one", on=("dont",)))  # Cappelletti is still on
    ctx = reading.context(tuple(int(c) for c in Auction.parse("1NT").calls))
    assert {o.rule.convention for o in reading.of_call(ctx, 1)} == {"dont"}
