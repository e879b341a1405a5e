"""Bidding challenges as the paper makes and scores them: two hands, silent opponents, IMPs by LTC.
`states` takes its training deals from the same generator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel.leaves import Contracts, side_scores, table_of
from overtrick.bidding.pidm.models import SILENT, PlayerModel
from overtrick.evaluation import HandArray, feature
from overtrick.game import imps
from overtrick.game.calls import strain_of

Hands = NDArray[np.uint64]
OPENS: Final = 20  # high cards and the lengths of the two longest suits: worth an opening bid


@dataclass(frozen=True, slots=True)
class Challenge:
    """Two hands of a pair (north, south) and two of the silent one, dealt by North."""

    number: int
    hands: tuple[int, int, int, int]
    reference: int
    """The best expected score of the 35 contracts, from either hand."""
    start: tuple[int, ...] = ()
    """Calls already made, for problems restricted to a part of the system."""


def deals(count: int, seed: int, every: bool = False) -> Hands:
    """Random deals [count, seat] in which North or South has an opening bid, or `every` deal."""
    rng = np.random.default_rng(seed)
    found: list[Hands] = []
    have = 0
    while have < count:
        cards = np.argsort(rng.random((2 * (count - have) + 16, 52)), axis=1).astype(np.uint64)
        bits = np.uint64(1) << cards
        made = np.bitwise_or.reduce(bits.reshape(len(bits), 4, 13), axis=2)
        if not every:
            made = made[opens(made[:, 0]) | opens(made[:, 2])]
        found.append(made)
        have += len(made)
    return np.concatenate(found)[:count]


def opens(hands: Hands) -> NDArray[np.bool_]:
    """The filter against trivial problems: is the hand suitable for an opening bid?"""
    many = HandArray(hands)
    lengths = np.sort(np.stack([feature(f"SUITLEN({s})")(many) for s in "CDHS"]), axis=0)
    return np.asarray(feature("HCP")(many) + lengths[-1] + lengths[-2] >= OPENS)


def challenges(count: int, seed: int) -> list[Challenge]:
    """A set of problems; the same seed gives the same set."""
    return as_challenges(deals(count, seed))


def as_challenges(many: Hands, start: tuple[int, ...] = ()) -> list[Challenge]:
    """Deals as problems, with their reference scores."""
    if not len(many):
        return []
    best = scores(many).max(axis=(1, 2))
    return [
        Challenge(i, (int(d[0]), int(d[1]), int(d[2]), int(d[3])), int(r), start)
        for i, (d, r) in enumerate(zip(many, best, strict=True))
    ]


def scores(many: Hands, tricks: str = "ltc") -> NDArray[np.float64]:
    """Expected points of every contract by North and by South: [deals, 35, 2]."""
    table = table_of(tricks, many)  # [deals, strain, declarer, tricks]
    bids = np.tile(np.arange(35), (len(many), 1))
    out = np.zeros((len(many), 35, 2))
    for way, declarer in enumerate((0, 2)):
        declarers = np.full_like(bids, declarer)
        points = side_scores(Contracts(bids, declarers, np.zeros_like(bids)), vul=0, side=0)
        chances = table[np.arange(len(many))[:, None], bids % 5, declarers]
        out[:, :, way] = (chances * points).sum(axis=-1)
    return out


def contract_of(calls: Sequence[int], dealer: int = 0) -> tuple[int, int, int]:
    """Bid 0..34 (-1: passed out), declarer and doubling of a finished auction."""
    bid, side, doubled = -1, 0, 0
    for i, call in enumerate(calls):
        if call >= 3:
            bid, side, doubled = call - 3, i & 1, 0
        elif call:
            doubled = call
    if bid < 0:
        return -1, 0, 0
    first = next(i for i, c in enumerate(calls) if i & 1 == side and strain_of(c) == bid % 5)
    return bid, (dealer + first) & 3, doubled


def result(challenge: Challenge, calls: Sequence[int]) -> int:
    """IMPs of the contract reached against the reference: zero at best."""
    bid, declarer, doubled = contract_of(calls)
    score = 0.0
    if bid >= 0:
        hands = np.array([challenge.hands], np.uint64)
        chances = table_of("ltc", hands)[0, bid % 5, declarer]
        one = Contracts.of(np.array([[[bid, declarer, doubled]]]))
        score = float((chances * side_scores(one, vul=0, side=0)[0, 0]).sum())
    return imps(round(score) - challenge.reference)


def pair_player(
    mine: PlayerModel, partner: PlayerModel | None = None, theirs: str = SILENT
) -> PlayerModel:
    """A player of a challenge: this strategy, this model of partner, opponents who pass, or who
    bid by the rules of a system."""
    opponent = PlayerModel(theirs, mine.system, utility=mine.utility)
    other = replace(partner or mine, theirs=theirs, lho=opponent, rho=opponent, partner=None)
    return replace(mine, theirs=theirs, lho=opponent, rho=opponent, partner=other)
