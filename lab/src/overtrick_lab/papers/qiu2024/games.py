"""The games one bidder played, as arrays: its openings, its contracts, the length of auctions.
Any bidder's complete auctions will do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.nets.features import BIDS, FIRST_BID
from overtrick_lab.training.disclosure import (
    CHECKED,
    conforms_to_sayc,
    high_card_points,
    suit_lengths,
)

Ints = NDArray[np.int64]
STRONGEST = 22
"""High-card points from which hands are counted together."""
KINDS = ("Pass", "1C", "1D", "1H", "1S", "1NT", "2C", "2D", "2H", "2S", "2NT", "3 up")
"""What a hand with the chance to open may do: the rows of `by_points`."""


class TableRecord(NamedTuple):
    """One table: who holds each card (observation order), who dealt, the calls, the contract.

    `side` is that of the bidder whose games these are: 0 North-South, 1 East-West, 2 all seats.
    `bid` is the contract's (0 = 1C), -1 when passed out.
    """

    owner: NDArray[np.int8]
    dealer: int
    calls: tuple[int, ...]
    bid: int
    declarer: int
    side: int


class Conforming(NamedTuple):
    """How often an opening was made, and how often the hand was as the booklet has it."""

    made: int
    fits: int

    @property
    def share(self) -> float | None:
        return self.fits / self.made if self.made else None


@dataclass(frozen=True, slots=True)
class Games:
    """Many of them; `opener` is -1 when nobody bid, `opening` the first bid (0 = 1C)."""

    owner: NDArray[np.int8]
    dealer: Ints
    side: Ints
    opener: Ints
    opening: Ints
    bid: Ints
    declarer: Ints
    length: Ints

    def __len__(self) -> int:
        return len(self.dealer)

    @classmethod
    def of(cls, games: Iterable[TableRecord]) -> Games:
        rows, owners = [], []
        for game in games:
            first = next((i for i, c in enumerate(game.calls) if c >= FIRST_BID), -1)
            opener = (game.dealer + first) % 4 if first >= 0 else -1
            opening = game.calls[first] - FIRST_BID if first >= 0 else -1
            rows.append(
                (game.dealer, game.side, opener, opening, game.bid, game.declarer, len(game.calls))
            )
            owners.append(game.owner)
        columns = np.array(rows, dtype=np.int64).reshape(-1, 7).T
        return cls(np.array(owners, dtype=np.int8).reshape(-1, 52), *columns)

    def mine(self, seat: Ints) -> NDArray[np.bool_]:
        """Whether that seat (-1: nobody) was the bidder's."""
        found: NDArray[np.bool_] = (seat >= 0) & ((self.side == 2) | (seat % 2 == self.side))
        return found

    def openings(self) -> Ints:
        """[7 levels, 5 strains]: how often the bidder opened so (Fig. 4)."""
        return _grid(self.opening[self.mine(self.opener)])

    def contracts(self) -> Ints:
        """[7, 5]: the contracts that the bidder's side declared (Fig. 5)."""
        return _grid(self.bid[(self.bid >= 0) & self.mine(self.declarer)])

    def lengths(self) -> Ints:
        """[longest + 1]: tables by the number of calls, the last passes included (Fig. 6)."""
        return np.bincount(self.length, minlength=1)

    def conformity(self) -> dict[str, Conforming]:
        """By opening bid (Table V)."""
        rows = np.flatnonzero(self.mine(self.opener))
        points, lengths = self._hands(rows, self.opener[rows])
        found = {}
        for number, name in enumerate(CHECKED):
            these = self.opening[rows] == number
            fits = conforms_to_sayc(name, points[these], lengths[these])
            found[name] = Conforming(int(these.sum()), int(fits.sum()))
        return found

    def by_points(self) -> Ints:
        """[KINDS, 0 .. STRONGEST]: what the bidder did when it had the chance to open."""
        found = np.zeros((len(KINDS), STRONGEST + 1), dtype=np.int64)
        distance = np.where(self.opener >= 0, (self.opener - self.dealer) % 4, 4)
        kind = 1 + np.minimum(self.opening, len(KINDS) - 2)
        for step in range(4):
            seat = (self.dealer + step) % 4
            rows = np.flatnonzero(self.mine(seat) & (distance >= step))
            points, _ = self._hands(rows, seat[rows])
            did = np.where(distance[rows] == step, kind[rows], 0)
            np.add.at(found, (did, np.minimum(points, STRONGEST)), 1)
        return found

    def _hands(self, rows: NDArray[np.intp], seat: Ints) -> tuple[Ints, Ints]:
        """High-card points [n] and suit lengths [n, 4] of one seat in each row."""
        owner = self.owner[rows]
        places = np.arange(len(rows))
        return high_card_points(owner)[places, seat], suit_lengths(owner)[places, seat]


def joined(parts: Iterable[Games]) -> Games:
    """Several sets as one."""
    sets = list(parts)
    if not sets:
        return Games.of(())
    columns = {
        name: np.concatenate([getattr(part, name) for part in sets])
        for name in Games.__dataclass_fields__
    }
    return Games(**columns)


def opening_rates(counts: Ints, bands: Iterable[tuple[int, int]]) -> list[float]:
    """From `by_points`: the share of hands in each band of points that opened."""
    rates = []
    for low, high in bands:
        part = counts[:, low : high + 1]
        rates.append(float(1 - part[0].sum() / max(int(part.sum()), 1)))
    return rates


def _grid(bids: Ints) -> Ints:
    return np.bincount(bids, minlength=BIDS).reshape(7, 5)
