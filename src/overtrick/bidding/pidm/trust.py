"""What partner knew when he stopped: worlds in which he would have bid slam himself count less.
Used by `decide` when partner has placed the contract at game and the search thinks of a slam.

Partner searches too (seed 000, Figure 3), so a game bid of his says more than its rule: with a hand
that makes slam likely, as far as he can know, he would have bid on. For each world his choice is
worked out from his side of the table, over deals that explain the auction to him; all worlds
together, in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import erf
from time import perf_counter
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.models import PlayerModel, Position
from overtrick.bidding.pidm.candidates import SLAM_BIDS
from overtrick.bidding.pidm.sampling import call_tests
from overtrick.bidding.rollout import ending_of
from overtrick.bidding.utility import Contracts
from overtrick.game.cards import ALL_CARDS
from overtrick.worlds.consistent import CallTest, Sample, inconsistencies
from overtrick.worlds.splitting import choose

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
_WORLDS: Final = 80  # worlds in which partner is asked …
_DEALS: Final = 8  # … each time over so many deals from his side of the table
_EACH: Final = 100  # deals tried for a world at a time
_ROUNDS: Final = 40
_SHARED: Final = 2.0  # deals that stand for what is common to all worlds
_BAR: Final = 0.5  # IMPs that slam must be worth to him
_DOUBT: Final = 0.15  # a world in which he would surely have bid it keeps this weight


def trusted(
    player: PlayerModel,
    position: Position,
    sample: Sample,
    calls: Sequence[int],
    rng: Generator,
    seconds: float,
) -> Sample:
    """The sample with worlds weighted by how likely partner was to stop; itself if he did not."""
    slams = [c for c in calls if c >= SLAM_BIDS]
    if not slams or not len(sample) or not placed(player, position):
        return sample
    hands = sample.hands[:_WORLDS]
    weights = sample.weights[:_WORLDS] * stopping(player, position, hands, slams, (rng, seconds))
    return replace(
        sample, hands=hands, inconsistent=sample.inconsistent[:_WORLDS],
        weights=weights / weights.sum(),
    )  # fmt: skip


def placed(player: PlayerModel, position: Position) -> bool:
    """Is partner's last call a game bid below slam that ends the auction if I pass?"""
    calls = position.calls
    if len(calls) < 4 or calls[-1] or not 3 <= calls[-2] < SLAM_BIDS:
        return False
    ctx = player.context(position)
    return ctx.at_game and not ctx.forced and ctx.bids[ctx.me] > 0


def stopping(
    player: PlayerModel,
    position: Position,
    hands: Hands,
    slams: Sequence[int],
    effort: tuple[Generator, float],
) -> Floats:
    """How likely partner was to stop where he did, with the hand he has in each world."""
    rng, seconds = effort
    until = perf_counter() + seconds
    seat = (position.turn + 2) & 3
    partner = player.other(2)
    before = position.before(len(position.calls) - 2)
    tests = call_tests(partner, before, seat)
    owner, deals = _from_his_side(seat, hands[:, seat], tests, rng, until)
    if not len(deals):
        return np.ones(len(hands))
    ends = [_end(player, position), *(_end(player, position.then(c)) for c in slams)]
    ways = np.tile(np.array(ends, np.int64), (len(deals), 1, 1))
    leaves = player.utility.leaves(deals, position.vul, seat & 1)
    gains = leaves.values(np.arange(len(deals)), Contracts.of(ways))[:, 1:]
    return 1 - (1 - _DOUBT) * _going_on(owner, gains, len(hands))


def _going_on(owner: NDArray[np.intp], gains: Floats, worlds: int) -> Floats:
    """The chance that the best slam looked worth it, by each world's own deals and, as far as
    these are few, by all of them."""
    count = np.bincount(owner, minlength=worlds)[:, None] + _SHARED
    total = np.stack([np.bincount(owner, g, worlds) for g in gains.T], axis=1)
    mean = (total + _SHARED * gains.mean(axis=0)) / count
    error = np.maximum(gains.std(axis=0) / np.sqrt(count), 0.3)
    best = mean.argmax(axis=1)
    rows = np.arange(worlds)
    sure = (mean[rows, best] - _BAR) / error[rows, best] / 2**0.5
    return np.array([0.5 * (1 + erf(x)) for x in sure])


def _from_his_side(
    seat: int, his: Hands, tests: list[CallTest], rng: Generator, until: float
) -> tuple[NDArray[np.intp], Hands]:
    """Deals around each of his hands that explain the auction to him, and whose they are."""
    found: list[Hands] = []
    owners: list[NDArray[np.intp]] = []
    have = np.zeros(len(his), np.int64)
    mine = (seat + 2) & 3
    first, others = [t for t in tests if t.seat == mine], [t for t in tests if t.seat != mine]
    for turn in range(_ROUNDS):
        open_ = np.flatnonzero(have < _DEALS)
        if not len(open_) or (turn and perf_counter() > until):
            break
        rows = np.repeat(open_, _EACH)
        deals = np.zeros((len(rows), 4), np.uint64)
        deals[:, seat] = his[rows]
        rest = np.uint64(ALL_CARDS) & ~his[rows]
        deals[:, mine] = choose(rng, rest, 13)
        good = np.flatnonzero(inconsistencies(deals, first, 1) == 0)
        rows, deals = rows[good], deals[good]
        rest = np.uint64(ALL_CARDS) & ~(deals[:, seat] | deals[:, mine])
        deals[:, (seat + 1) & 3] = choose(rng, rest, 13)
        deals[:, (seat + 3) & 3] = rest & ~deals[:, (seat + 1) & 3]
        good = np.flatnonzero(inconsistencies(deals, others, 1) == 0)
        found.append(deals[good])
        owners.append(rows[good])
        have += np.bincount(rows[good], minlength=len(his))
    owner, deals = np.concatenate(owners), np.concatenate(found)
    order = np.argsort(owner, kind="stable")
    owner, deals = owner[order], deals[order]
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return owner[rank < _DEALS], deals[rank < _DEALS]


def _end(player: PlayerModel, position: Position) -> tuple[int, int, int]:
    """The contract if nobody bids any more."""
    return ending_of(player.context(position), position.dealer, 0).contract
