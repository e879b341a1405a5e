"""Batched auctions agree with game.Auction, call by call."""

from __future__ import annotations

import random

import numpy as np
import pytest

from overtrick.game import Auction, Seat
from overtrick.nets.features import public_bits
from overtrick_lab.training.auctions import AuctionCopies


@pytest.mark.parametrize("seed", range(20))
def test_batched_auctions_follow_the_rules(seed: int) -> None:
    rng = random.Random(seed)
    vul = rng.randrange(4)
    start = Auction(Seat(rng.randrange(4)))
    for _ in range(rng.randrange(6)):
        if not start.is_over:
            start = start.then(rng.choice(start.legal_calls()[:6]))
    singles = [start] * 30
    batch = AuctionCopies(start, vul, 30)
    for _ in range(25):
        seat = batch.turn
        calls = []
        for row, auction in enumerate(singles):
            assert bool(batch.done[row]) == auction.is_over
            if auction.is_over:
                calls.append(0)
                continue
            assert seat == auction.turn
            expected = public_bits([int(c) for c in auction.calls], auction.dealer, vul, seat)
            assert (batch.public()[row] == expected).all()
            calls.append(int(rng.choice(auction.legal_calls()[:5])))
        batch.call(np.array(calls))
        singles = [a if a.is_over else a.then(c) for a, c in zip(singles, calls, strict=True)]
    bids, declarers, doubled = batch.contracts()
    for row, auction in enumerate(singles):
        contract = auction.contract
        if contract is None:
            assert bids[row] == -1
            continue
        assert bids[row] == 5 * (contract.level - 1) + contract.strain
        assert declarers[row] == contract.declarer
        assert doubled[row] == contract.doubled
