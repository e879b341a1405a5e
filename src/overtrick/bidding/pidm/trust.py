"""What partner knew when they stopped: worlds in which they would have bid slam count less.

Partner searches too (BIDI's Figure 3), so their game bid says more than its rule: with a hand that
makes slam likely, as far as they can know, they would have bid on. For each world their choice is
worked out from their side of the table, over deals that explain the auction to them; all worlds
together, in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import erf

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.constants import (
    TRUST_BAR,
    TRUST_DEALS,
    TRUST_DOUBT,
    TRUST_EACH,
    TRUST_ROUNDS,
    TRUST_SHARED,
    TRUST_WORLDS,
)
from overtrick.bidding.kernel.leaves import Contracts
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.pidm.candidates import SLAM_BIDS
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import call_tests
from overtrick.engines.clock import Clock
from overtrick.worlds.consistent import CallTest, Sample, inconsistencies
from overtrick.worlds.tellers import at_random, teller_first
from overtrick.worlds.weighted import Worlds

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]


def trusted(
    player: PlayerModel,
    position: AuctionPosition,
    sample: Sample,
    calls: Sequence[int],
    rng: Generator,
    clock: Clock,
) -> Sample:
    """The sample with worlds weighted by how likely partner was to stop; itself if they did not."""
    slams = [c for c in calls if c >= SLAM_BIDS]
    if not slams or not len(sample) or not placed(player, position):
        return sample
    hands = sample.hands[:TRUST_WORLDS]
    weights = sample.weights[:TRUST_WORLDS] * stopping(player, position, hands, slams, rng, clock)
    return replace(
        sample, hands=hands, inconsistent=sample.inconsistent[:TRUST_WORLDS],
        weights=weights / weights.sum(),
    )  # fmt: skip


def placed(player: PlayerModel, position: AuctionPosition) -> bool:
    """Is partner's last call a game bid below slam that ends the auction if I pass?"""
    calls = position.calls
    if len(calls) < 4 or calls[-1] or not 3 <= calls[-2] < SLAM_BIDS:
        return False
    ctx = player.context(position)
    return ctx.at_game and not ctx.forced and ctx.bids[ctx.me] > 0


def stopping(
    player: PlayerModel,
    position: AuctionPosition,
    hands: Hands,
    slams: Sequence[int],
    rng: Generator,
    clock: Clock,
) -> Floats:
    """How likely partner was to stop there, with the hand they have in each world."""
    seat = (position.turn + 2) & 3
    partner = player.other(2)
    before = position.before(len(position.calls) - 2)
    tests = call_tests(partner, before, seat)
    owner, deals = _from_their_side(seat, hands[:, seat], tests, rng, clock)
    if not len(deals):
        return np.ones(len(hands))
    ends = [position.contract, *(position.then(c).contract for c in slams)]
    ways = np.tile(np.array(ends, np.int64), (len(deals), 1, 1))
    leaves = player.utility.leaves(deals, position.vul, seat & 1)
    gains = leaves.values(Contracts.of(ways))[:, 1:]
    return 1 - (1 - TRUST_DOUBT) * _going_on(owner, gains, len(hands))


def _going_on(owner: NDArray[np.intp], gains: Floats, worlds: int) -> Floats:
    """The chance that the best slam looked worth it, by each world's own deals and, as far as
    these are few, by all of them."""
    count = np.bincount(owner, minlength=worlds)[:, None] + TRUST_SHARED
    total = np.stack([np.bincount(owner, g, worlds) for g in gains.T], axis=1)
    mean = (total + TRUST_SHARED * gains.mean(axis=0)) / count
    error = np.maximum(gains.std(axis=0) / np.sqrt(count), 0.3)
    best = mean.argmax(axis=1)
    rows = np.arange(worlds)
    sure = (mean[rows, best] - TRUST_BAR) / error[rows, best] / 2**0.5
    return np.array([0.5 * (1 + erf(x)) for x in sure])


def _from_their_side(
    seat: int, theirs: Hands, tests: list[CallTest], rng: Generator, clock: Clock
) -> tuple[NDArray[np.intp], Hands]:
    """Deals around each of their hands that explain the auction to them, and whose they are."""
    found: list[Hands] = []
    owners: list[NDArray[np.intp]] = []
    have = np.zeros(len(theirs), np.int64)
    for turn in range(TRUST_ROUNDS):
        open_ = np.flatnonzero(have < TRUST_DEALS)
        if not len(open_) or (turn and clock.late()):
            break
        whose, deals = _around(seat, theirs, np.repeat(open_, TRUST_EACH), tests, rng)
        found.append(deals)
        owners.append(whose)
        have += np.bincount(whose, minlength=len(theirs))
    owner, deals = np.concatenate(owners), np.concatenate(found)
    order = np.argsort(owner, kind="stable")
    owner, deals = owner[order], deals[order]
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return owner[rank < TRUST_DEALS], deals[rank < TRUST_DEALS]


def _around(
    seat: int, theirs: Hands, whose: NDArray[np.intp], tests: list[CallTest], rng: Generator
) -> tuple[NDArray[np.intp], Hands]:
    """A deal around each of these hands, those that fail a test left out."""
    mine = (seat + 2) & 3
    order = [mine, (seat + 1) & 3, (seat + 3) & 3]

    def judge(dealt: int, now: Worlds) -> Worlds:
        nonlocal whose
        if dealt == order[1]:
            return now  # both opponents are tested once both are dealt
        some = [t for t in tests if (t.seat == mine) == (dealt == mine)]
        good = np.flatnonzero(inconsistencies(now.deals, some, 1) == 0)
        whose = whose[good]
        return now.taken(good)

    start = np.zeros((len(whose), 4), np.uint64)
    start[:, seat] = theirs[whose]
    deals = teller_first(Worlds.even(start), order, at_random(rng), judge).deals
    return whose, deals
