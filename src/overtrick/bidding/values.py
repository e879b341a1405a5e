"""What contracts are worth in a world: chances of each number of tricks, expected IMPs.
Used by bmcs and pidm at the leaves of their searches; tricks by a network or the solver."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Deal, Hand
from overtrick.nets.contract import imps_of, score_table
from overtrick.nets.features import hand_bits
from overtrick.nets.inference import network, softmax

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def trick_chances(
    how: str, hands: NDArray[np.uint64], bids: Ints, declarers: Ints, threads: int = 1
) -> Floats:
    """P(tricks = 0..13) for each world and candidate's contract: [worlds, ways, 14].

    `how` is a tricks network, or "dd" for exact double dummy (slow).
    """
    if how == "dd":
        return _solved(hands, bids, declarers)
    world = np.arange(len(hands))[:, None]
    table = trick_table(how, hands, threads)
    found: Floats = table[world, np.maximum(bids, 0) % 5, declarers]
    return found


def trick_table(how: str, hands: NDArray[np.uint64], threads: int = 1) -> Floats:
    """A network's P(tricks = 0..13) for every strain and declarer: [worlds, 5, 4, 14]."""
    net = network(how, "tricks", threads)
    rows = np.concatenate([hand_bits(hands[:, seat]) for seat in range(4)], axis=1)
    return softmax(net.run(rows).reshape(len(hands), 5, 4, 14)).astype(float)


def _solved(hands: NDArray[np.uint64], bids: Ints, declarers: Ints) -> Floats:
    from overtrick import doubledummy

    out = np.zeros((*bids.shape, 14))
    known: dict[tuple[int, int, int], int] = {}
    for (world, way), bid in np.ndenumerate(bids):
        if bid < 0:
            out[world, way, 0] = 1
            continue
        key = (world, int(bid) % 5, int(declarers[world, way]))
        if key not in known:
            deal = Deal(tuple(Hand(int(h)) for h in hands[world]))  # type: ignore[arg-type]
            known[key] = doubledummy.tricks(deal, key[1], key[2])
        out[world, way, known[key]] = 1
    return out


def expected_imps(
    chances: Floats, bids: Ints, declarers: Ints, doubled: Ints, *, vul: int, side: int
) -> Floats:
    """Expected IMPs for `side` of every way against the first, [worlds, ways].

    Two contracts of one side in the same strain take the same tricks, whoever declares; other
    pairs of contracts are taken as independent given the world.
    """
    scores = side_scores(bids, declarers, doubled, vul=vul, side=side)
    value: Floats = np.zeros(bids.shape)
    for way in range(1, bids.shape[1]):
        first, other = (bids[:, 0], declarers[:, 0]), (bids[:, way], declarers[:, way])
        played = (first[0] >= 0) & (other[0] >= 0) & (first[1] % 2 == other[1] % 2)
        alike = played & (first[0] % 5 == other[0] % 5)
        same = (first[0] == other[0]) & (first[1] == other[1])
        same &= doubled[:, 0] == doubled[:, way]
        for where, joint in ((alike & ~same, True), (~alike & ~same, False)):
            at = np.flatnonzero(where)
            if len(at):
                likely = chances[at][:, [0, way]]
                if joint:  # the higher contract says how many tricks there are
                    higher = (first[0] > other[0])[at] & (first[1] == other[1])[at]
                    likely[higher, 1] = likely[higher, 0]
                value[at, way] = _worth(scores[at][:, [0, way]], likely, joint)
    return value


def side_scores(bids: Ints, declarers: Ints, doubled: Ints, *, vul: int, side: int) -> Floats:
    """Points for `side` at 0..13 tricks of each contract, [worlds, ways, 14]."""
    sign = np.where(declarers % 2 == side, 1.0, -1.0)
    vulnerable = (vul >> (declarers % 2)) & 1
    scores: Floats = score_table()[np.maximum(bids, 0), doubled, vulnerable] * sign[..., None]
    scores[bids < 0] = 0
    return scores


def _worth(scores: Floats, chances: Floats, joint: bool) -> Floats:
    """Expected IMPs of the second of two contracts over the first, [worlds, 2, 14] each."""
    first, second = scores[:, 0], scores[:, 1]
    if joint:
        return np.asarray((imps_of(second - first) * chances[:, 1]).sum(axis=1))
    table = imps_of(second[:, :, None] - first[:, None, :])
    return np.asarray(np.einsum("wij,wi,wj->w", table, chances[:, 1], chances[:, 0]))
