"""Displayed ranges: they hold the hands that make the calls, and little else."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.evaluation import HandArray, feature, features
from overtrick.game import Auction, Hand
from overtrick.game.meaning import ANY_HCP
from overtrick.systems import Reading, load, system_of_text
from overtrick.systems.classes import (
    after_call,
    as_table,
    classes_of,
    draw,
    everything,
    ranges,
    weights,
)
from overtrick.systems.explain import explain_auction, random_hands
from overtrick.systems.many import Pool
from overtrick.systems.meanings import call_meaning
from overtrick.systems.shows import bind, parse_shows
from overtrick.systems.syntax import Place
from overtrick.systems.walk import deal_pools
from overtrick.worlds.sets import as_mask, members
from tests.bid_out import bid_out


def calls_of(text: str) -> tuple[int, ...]:
    return tuple(int(c) for c in Auction.parse(text).calls)


@pytest.mark.parametrize(
    ("text", "hcp", "spades"),
    [
        ("hcp 15..17, balanced", (15, 17), (2, 5)),
        ("hcp 6..10, spades 6", (6, 10), (6, 6)),
        ("spades 5+, hearts >= spades, hcp 12+", (12, 25), (5, 6)),
        ("not (spades 4+) , hcp ..5", (0, 5), (0, 3)),
    ],
)
def test_ranges_of_texts(text: str, hcp: tuple[int, int], spades: tuple[int, int]) -> None:
    outer, inner = classes_of(bind(parse_shows(text, Place("here", 1), {}), {}, None))
    assert not inner & ~outer
    shown = ranges(outer)
    assert shown.hcp == hcp
    assert (shown.low[3], shown.high[3]) == spades


def test_shares_of_all_hands_and_dealing_from_classes() -> None:
    assert weights().sum() == pytest.approx(1)
    assert weights()[:, 10].sum() == pytest.approx(0.0941, abs=0.001)
    reading = Reading(load("sayc"))
    classes = after_call(reading, reading.context(()), 7)  # 1NT
    hands = HandArray(draw(classes, 300, np.random.default_rng(1)))
    assert set(feature("HCP")(hands).tolist()) <= {14, 15, 16, 17, 18}
    assert as_table(everything()).any(axis=1).all()


def test_a_rebid_shows_everything_the_hand_has_shown() -> None:
    reading = Reading(load("sayc"))
    meaning = call_meaning(reading, reading.context(calls_of("1H P 1S P")), 10)  # 2♥
    assert meaning.hcp[0] >= 10
    assert meaning.hcp[1] <= 17
    told = explain_auction(reading, Auction.parse("1H P 1S P 2H"), samples=1)[-1].meaning
    assert told.hcp[0] >= 10
    assert told.hcp[1] <= 16
    assert told.lengths[2][0] == 6


def test_what_better_calls_would_have_said_is_taken_away() -> None:
    text = """
opening
  1NT "strong" : hcp 15..17, balanced @100
  1C "the rest" : hcp 12..17 @50
  Pass "nothing" : any @1
"""
    reading = Reading(system_of_text(text))
    ctx = reading.context(())
    assert call_meaning(reading, ctx, 3).hcp == (12, 17)
    passes = as_table(after_call(reading, ctx, 0)).any(axis=0)
    assert passes[11]
    assert not passes[12:18].any()
    one_club = after_call(reading, ctx, 3)
    flat = Hand.parse("AQ5.K84.QJ62.KJ5")
    pool = Pool([flat])
    assert not pool.makers(reading, ctx, 3)
    balanced = as_table(one_club)[:, 16]
    assert not balanced.all()


def test_hands_lie_in_the_ranges_their_calls_show() -> None:
    reading, pools = Reading(load("sayc")), deal_pools(150, 21)
    inside = total = 0
    for calls, many in bid_out(reading, pools):
        for i, call in enumerate(calls):
            m = call_meaning(reading, reading.context(calls[:i]), call)
            for k in members(many):
                hand = pools[i & 3].hands[k]
                held = m.hcp[0] <= features(hand)["HCP"] <= m.hcp[1] and all(
                    a <= n <= b for n, (a, b) in zip(hand.lengths, m.lengths, strict=True)
                )
                inside += held
                total += 1
    assert inside >= 0.985 * total


def test_ranges_are_no_wider_than_the_hands() -> None:
    """Against 0.5 % and 99.5 % of the hands that make the call."""
    reading, pool = Reading(load("two-over-one")), Pool(random_hands(20_000, 2))
    points = feature("HCP")(pool.hands)
    waste, seen = [], set()
    for calls, _ in bid_out(reading, deal_pools(40, 3)):
        for i, call in enumerate(calls):
            if calls[: i + 1] in seen:
                continue
            seen.add(calls[: i + 1])
            made = pool.followers(reading, calls[: i + 1], 0, i & 3)
            if made.bit_count() < 100:
                continue
            low, high = np.quantile(points[as_mask(made, len(pool))], (0.005, 0.995))
            shown = call_meaning(reading, reading.context(calls[:i]), call).hcp
            above = 0 if shown[1] == ANY_HCP[1] else max(0, shown[1] - high)  # or no end is told
            waste.append(max(0, low - shown[0]) + above)
    assert len(waste) > 50
    assert np.mean(waste) < 1.5


def test_sample_hands_differ_and_make_their_calls() -> None:
    reading = Reading(load("sayc"))
    auction = Auction.parse("1NT P 2C P 2H P 3NT P P P")
    told = explain_auction(reading, auction, samples=3)
    hands = [h for e in told for h in e.samples]
    assert len(hands) == len(set(hands)) == 30
    calls = calls_of("1NT P 2C P 2H P 3NT P P P")
    for i, explained in enumerate(told):
        pool = Pool(list(explained.samples))
        assert pool.followers(reading, calls[: i + 1], 0, i & 3) == pool.everyone
