"""Weighted worlds and the one resampler: shares, effective numbers, fair smaller sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import Hand
from overtrick.worlds import Dealer
from overtrick.worlds.tellers import at_random, holding, most_telling, teller_first
from overtrick.worlds.weighted import Worlds, fewer, systematic


def numbered(logs: np.ndarray) -> Worlds:
    """Worlds that can be told apart by North's number."""
    deals = np.zeros((len(logs), 4), np.uint64)
    deals[:, 0] = np.arange(len(logs))
    return Worlds(deals, logs)


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=80), st.integers(1, 60), st.integers(0, 99))
def test_fewer_worlds_keep_the_weight(logs: list[float], most: int, seed: int) -> None:
    many = numbered(np.array(logs))
    some = many.fewer(most, np.random.default_rng(seed))
    assert 1 <= len(some) <= most or len(some) == len(many)
    assert len(set(some.deals[:, 0].tolist())) == len(some)
    assert np.exp(some.logs).sum() == pytest.approx(np.exp(many.logs).sum(), rel=1e-6)
    assert some.shares.sum() == pytest.approx(1)


def test_fewer_worlds_are_fair() -> None:
    rng = np.random.default_rng(0)
    many = numbered(rng.normal(0, 2, 200))
    means = np.zeros(200)
    for _ in range(600):
        some = many.fewer(30, rng)
        np.add.at(means, some.deals[:, 0].astype(int), some.shares / 600)
    assert np.abs(means - many.shares).max() < 0.01


def test_hopeless_worlds_are_left_out() -> None:
    many = numbered(np.array([0.0, -np.inf, 1.0]))
    assert many.fewer(9, np.random.default_rng(0)).deals[:, 0].tolist() == [0, 2]


def test_systematic_draws_leave_little_to_chance() -> None:
    rng = np.random.default_rng(1)
    assert np.bincount(systematic(np.array([0.5, 0.25, 0.25]), 8, rng)).tolist() == [4, 2, 2]
    again = numbered(np.log([0.5, 0.25, 0.25])).resampled(8, rng)
    assert sorted(again.deals[:, 0].tolist()) == [0, 0, 0, 0, 1, 1, 2, 2]
    assert again.effective == pytest.approx(8)


def test_ties_do_not_depend_on_their_order() -> None:
    rows, shares = fewer(np.ones(50), 10, np.random.default_rng(2))
    assert len(rows) == 10
    assert np.allclose(shares, 0.1)


def test_what_worlds_say_about_a_hand() -> None:
    deals = Dealer().sample(300, np.random.default_rng(3)).hands
    told = Worlds.even(deals).described(2)
    assert 9 < told["hcp"] < 11
    assert sum(told["cards"]) == pytest.approx(13)
    assert all(sum(lengths) == pytest.approx(1) for lengths in told["lengths"])


def test_deals_are_made_hand_by_hand_and_judged_on_the_way() -> None:
    hand = Hand.parse("AQ5.K973.QJ2.A84").bits
    rng = np.random.default_rng(4)
    asked: list[int] = []

    def judge(seat: int, now: Worlds) -> Worlds:
        asked.append(seat)
        rows = np.flatnonzero(now.deals[:, seat] & np.uint64(1))  # whoever holds the two of clubs
        return now.taken(rows) if seat == 3 else now

    order = most_telling({1: 0.0, 2: 0.0, 3: 2.0})
    found = teller_first(holding(0, hand, 400), order, at_random(rng), judge)
    assert order == asked == [3, 1, 2]
    assert 80 < len(found) < 190
    assert (np.bitwise_count(found.deals) == 13).all()
    assert (np.bitwise_or.reduce(found.deals, axis=1) == np.uint64((1 << 52) - 1)).all()
    nobody = teller_first(
        holding(0, hand, 9), order, at_random(rng), lambda _, now: now.taken(np.zeros(0, int))
    )
    assert len(nobody) == 0
