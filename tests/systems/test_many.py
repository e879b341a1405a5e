"""Pools of hands answer as the scalar engine does, hand by hand and auction by auction."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.game import Auction, Hand
from overtrick.systems import Reading, load
from overtrick.systems.explain import random_hands
from overtrick.systems.many import Pool
from overtrick.systems.reading import last_resort
from overtrick.systems.shows import HandValues
from overtrick.worlds.sets import as_mask, as_set, members
from tests.bid_out import bid_out


def scalar(reading: Reading, calls: tuple[int, ...], values: HandValues) -> int:
    ctx = reading.context(calls)
    option = reading.choose(ctx, values)
    return option.call if option else last_resort(ctx, values)


def deals(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    cards = np.array([rng.permutation(52) for _ in range(count)]).reshape(count, 4, 13)
    return np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=2)


def test_sets_and_masks() -> None:
    mask = np.array([True, False, True, True, False, False, False, False, True])
    assert as_set(mask) == 0b100001101
    assert as_mask(0b100001101, 9).tolist() == mask.tolist()
    assert list(members(0b100001101)) == [0, 2, 3, 8]


@pytest.mark.parametrize(
    "auction", ["", "1NT P", "1S P 2NT P", "1C X", "1H P 1S 2D", "2H X P", "1C P 1H P 2C P"]
)
def test_a_pool_bids_what_the_engine_bids(auction: str) -> None:
    reading = Reading(load("two-over-one"))
    calls = tuple(int(c) for c in Auction.parse(auction).calls)
    ctx = reading.context(calls)
    pool = Pool(random_hands(150, 4))
    expected = [scalar(reading, calls, pool.values(i)) for i in range(len(pool))]
    assert pool.calls(reading, ctx).tolist() == expected
    for call in {*expected, 37}:
        assert pool.makes(reading, ctx, call).tolist() == [e == call for e in expected]


def test_bid_out_and_follows() -> None:
    reading = Reading(load("sayc"))
    bits = deals(40, 8)
    pools = [Pool(bits[:, k]) for k in range(4)]
    reached = bid_out(reading, pools, vul=1)
    assert sum(many.bit_count() for _, many in reached) == 40
    for auction, many in reached:
        for i in members(many):
            calls: tuple[int, ...] = ()
            while not reading.context(calls, 1).is_over:
                ctx = reading.context(calls, 1)
                values = pools[len(calls) & 3].values(i)
                option = reading.choose(ctx, values)
                calls = (*calls, option.call if option else last_resort(ctx, values))
            assert calls == auction
        for seat in range(4):
            assert not many & ~pools[seat].followers(reading, auction, 1, seat)


def test_hands_come_in_several_forms() -> None:
    hand = Hand.parse("AQ5.K84.QJ62.KJ5")
    reading = Reading(load("sayc"))
    ctx = reading.context(())
    for hands in ([hand], [hand.bits], np.array([hand.bits], np.uint64)):
        assert Pool(hands).calls(reading, ctx).tolist() == [7]
