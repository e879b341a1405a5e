"""Matches between exported networks: all tables of a set of solved deals side by side in numpy.
Ten thousand deals in half a minute on one core, without JAX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Auction, Seat, imps, points
from overtrick.game.board import dealer_of, vulnerability_of
from overtrick.nets.features import CARD_AT, SAYC, UNKNOWN_SYSTEM, hand_bits, system_bits
from overtrick.nets.inference import Network
from overtrick.notation.solved import SolvedDeals
from overtrick_lab.training.auctions import AuctionCopies
from overtrick_lab.training.disclosure import Openings, openings

Ints = NDArray[np.int64]
_LONGEST = 70


@dataclass(frozen=True, slots=True)
class MatchSide:
    """Who sits there, what they play, and whether the opponents are told (numbers of
    nets.features.SYSTEMS)."""

    net: Network
    system: int = SAYC
    disclosed: bool = True

    @property
    def declared(self) -> int:
        """What the opponents hear of the system."""
        return self.system if self.disclosed else UNKNOWN_SYSTEM


@dataclass(frozen=True, slots=True)
class MatchTable:
    """How one set of deals went, dealer and vulnerability alike: results for North-South."""

    places: NDArray[np.intp]
    scores: Ints
    opener: Ints  # who bid first, -1 when passed out
    opening: Ints  # the bid, 0 = 1C


def conditions(count: int) -> Iterator[tuple[int, int, NDArray[np.intp]]]:
    """Dealer, vulnerability and the places of the deals that have them: the 16-board cycle."""
    for number in range(16):
        places = np.arange(number, count, 16)
        if len(places):
            yield dealer_of(number + 1), vulnerability_of(number + 1), places


def bid_out(
    sides: tuple[MatchSide, MatchSide], hands: NDArray[np.uint64], dealer: int, vul: int
) -> AuctionCopies:
    """All these deals bid to the end, N-S by the first side, E-W by the second, greedily."""
    auctions = AuctionCopies(Auction(Seat(dealer)), vul, len(hands))
    cards = [hand_bits(hands[:, seat]) for seat in range(4)]
    for _ in range(_LONGEST):
        live = np.flatnonzero(~auctions.done)
        if len(live) == 0:
            break
        mine, other = sides[auctions.turn & 1], sides[1 - (auctions.turn & 1)]
        parts = [auctions.public(live), cards[auctions.turn][live]]
        if (told := system_bits(mine.system, other.declared, mine.net.version)) is not None:
            parts.append(np.broadcast_to(told, (len(live), len(told))))
        logits = mine.net.run(np.concatenate(parts, axis=1))
        calls = np.zeros(len(hands), dtype=np.int64)
        calls[live] = np.where(auctions.legal(live), logits, -np.inf).argmax(axis=1)
        auctions.call(calls)
    return auctions


def play(sides: tuple[MatchSide, MatchSide], deals: SolvedDeals) -> Iterator[MatchTable]:
    """One table for each deal."""
    hands = deals.hands
    for dealer, vul, places in conditions(len(deals)):
        end = bid_out(sides, hands[places], dealer, vul)
        opener, opening = end.opening()
        yield MatchTable(places, _scores(end, deals.tricks[places], vul), opener, opening)


def _scores(end: AuctionCopies, tricks: NDArray[np.uint8], vul: int) -> Ints:
    found = np.zeros(len(tricks), dtype=np.int64)
    for row, (bid, declarer, doubled) in enumerate(zip(*end.contracts(), strict=True)):
        if bid >= 0:
            made, side = int(tricks[row, bid % 5, declarer]), int(declarer) & 1
            level, strain = int(bid) // 5 + 1, int(bid) % 5
            worth = points(level, strain, int(doubled), bool(vul >> side & 1), made)
            found[row] = -worth if side else worth
    return found


def duel(ours: MatchSide, theirs: MatchSide, deals: SolvedDeals) -> NDArray[np.float64]:
    """IMPs of `ours` on each deal, both rooms, double dummy."""
    scores = np.zeros((2, len(deals)), dtype=np.int64)
    for room, sides in enumerate(((ours, theirs), (theirs, ours))):
        for table in play(sides, deals):
            scores[room, table.places] = table.scores
    return np.array([imps(int(d)) for d in scores[0] - scores[1]], dtype=float)


def opening_style(side: MatchSide, deals: SolvedDeals) -> Openings:
    """What it opens when it sits in all four seats."""
    opener = np.full(len(deals), -1)
    opening, dealers = opener.copy(), np.zeros(len(deals), dtype=np.int64)
    for table, (dealer, _, places) in zip(
        play((side, side), deals), conditions(len(deals)), strict=True
    ):
        opener[places], opening[places], dealers[places] = table.opener, table.opening, dealer
    return openings(deals.owners[:, CARD_AT].astype(np.int8), dealers, opener, opening)
