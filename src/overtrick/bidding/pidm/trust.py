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
from overtrick.worlds.splitting import deal_out

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
_WORLDS: Final = 100  # worlds in which partner is asked …
_DEALS: Final = 12  # … each time over so many deals from his side of the table
_EACH: Final = 120  # deals tried for a world at a time
_ROUNDS: Final = 8
_LEAST: Final = 4  # with fewer deals nothing is known about what he would have done
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
    values = leaves.values(np.arange(len(deals)), Contracts.of(ways))
    out = np.ones(len(hands))
    for world in np.unique(owner).tolist():
        mine = values[owner == world]
        if len(mine) >= _LEAST:
            mean = mine.mean(axis=0)
            best = int(mean[1:].argmax()) + 1
            error = max(float(mine[:, best].std(ddof=1)) / len(mine) ** 0.5, 0.3)
            goes_on = 0.5 * (1 + erf((float(mean[best]) - _BAR) / error / 2**0.5))
            out[world] = 1 - (1 - _DOUBT) * goes_on
    return out


def _from_his_side(
    seat: int, his: Hands, tests: list[CallTest], rng: Generator, until: float
) -> tuple[NDArray[np.intp], Hands]:
    """Deals around each of his hands that explain the auction to him, and whose they are."""
    found: list[Hands] = []
    owners: list[NDArray[np.intp]] = []
    have = np.zeros(len(his), np.int64)
    for _ in range(_ROUNDS):
        open_ = np.flatnonzero(have < _DEALS)
        if not len(open_) or perf_counter() > until:
            break
        rows = np.repeat(open_, _EACH)
        deals = np.zeros((len(rows), 4), np.uint64)
        deals[:, seat] = his[rows]
        rest = np.uint64(ALL_CARDS) & ~his[rows]
        for step, cards in zip((2, 1, 3), deal_out(rng, rest, [13] * 3), strict=True):
            deals[:, (seat + step) & 3] = cards
        good = np.flatnonzero(inconsistencies(deals, tests, 1) == 0)
        found.append(deals[good])
        owners.append(rows[good])
        have += np.bincount(rows[good], minlength=len(his))
    if not found:
        return np.zeros(0, np.intp), np.zeros((0, 4), np.uint64)
    owner, deals = np.concatenate(owners), np.concatenate(found)
    order = np.argsort(owner, kind="stable")
    owner, deals = owner[order], deals[order]
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return owner[rank < _DEALS], deals[rank < _DEALS]


def _end(player: PlayerModel, position: Position) -> tuple[int, int, int]:
    """The contract if nobody bids any more."""
    return ending_of(player.context(position), position.dealer, 0).contract
