"""Simulated auctions of many hands at once, with a choice at the tagged player's own next turn.
LookAheadSearch (Figure 3) for all states of an auction together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.models import PlayerModel, Position
from overtrick.bidding.pidm.settings import Own
from overtrick.bidding.utility import Contracts, Leaves
from overtrick.game.scoring import IMP_STEPS
from overtrick.papers.amit2006.problems import Hands, contract_of
from overtrick.papers.amit2006.states import first_choices, is_over
from overtrick.systems.many import Pool, as_mask, as_set

Ends = NDArray[np.int64]
_LONGEST: Final = 40
_STEPS: Final = np.array(IMP_STEPS)


class Ahead:
    """Worlds [n, seat] of several hands of one player: `owner[n]` says whose world each is.

    The others follow their first choices. The player itself, at its next `turns` turns at which
    its net before learning leaves a choice, takes the call that is best on average over those of
    its worlds that have come to the same auction (`set`: it knows its hand and the calls, never the
    cards), or the best one world by world (`world`, Figure 3 as printed: hopeful about what it will
    know then).
    """

    def __init__(
        self,
        players: Sequence[PlayerModel],
        seat: int,
        worlds: Hands,
        owner: NDArray[np.intp],
        leaves: Leaves,
        own: Own = "set",
    ) -> None:
        self.players, self.seat, self.worlds, self.owner = players, seat, worlds, owner
        self.pools = [Pool(worlds[:, s]) for s in range(4)]
        self.leaves, self.own = leaves, own
        # What was learned about the next turn came from earlier tags; this one looks for itself.
        self.me = replace(players[seat], refinement=None)
        first = np.unique(owner, return_index=True)[1]
        self.hands = worlds[first, seat]

    def after(self, position: Position, among: NDArray[np.bool_], turns: int) -> Ends:
        """The contract [n, 3] that each of these worlds reaches from a position on."""
        into = np.zeros((len(self.worlds), 3), np.int64)
        self._go(position, as_set(among), into, turns)
        return into

    def _go(self, start: Position, among: int, into: Ends, turns: int) -> None:
        stack = [(start, among)]
        while stack:
            position, here = stack.pop()
            if is_over(position.calls) or len(position.calls) >= _LONGEST:
                into[as_mask(here, len(into))] = contract_of(position.calls, position.dealer)
                continue
            seat = position.turn
            if seat == self.seat and turns:
                stack += self._own(position, here, into, turns)
                continue
            found = first_choices(self.players[seat], position, self.pools[seat], here)
            stack += [(position.then(call), part) for call, part in found.items()]

    def _own(
        self, position: Position, here: int, into: Ends, turns: int
    ) -> list[tuple[Position, int]]:
        """The player's own turn: hands without a choice go on, the others compare their calls."""
        mask = as_mask(here, len(into))
        owners = np.unique(self.owner[mask])
        chosen = self.me.selection(position, self.hands[owners])
        single = chosen.size == 1
        on: list[tuple[Position, int]] = []
        for call in np.unique(chosen.first[single]).tolist():
            mine = np.isin(self.owner, owners[single & (chosen.first == call)])
            on.append((position.then(call), as_set(mine & mask)))
        if not single.all():
            self._compare(position, mask, (owners[~single], chosen.allowed[~single]), into, turns)
        return on

    def _compare(
        self,
        position: Position,
        mask: NDArray[np.bool_],
        choice: tuple[NDArray[np.intp], NDArray[np.bool_]],
        into: Ends,
        turns: int,
    ) -> None:
        """For each owner the call with the highest mean IMPs over its worlds in this auction."""
        owners, allowed = choice
        rows = np.flatnonzero(mask & np.isin(self.owner, owners))
        at = np.searchsorted(owners, self.owner[rows])
        calls = np.flatnonzero(allowed.any(axis=0))
        ways = np.zeros((len(rows), len(calls), 3), np.int64)
        for way, call in enumerate(calls.tolist()):
            some = np.zeros(len(into), bool)
            some[rows[allowed[at, call]]] = True
            found = np.zeros_like(into)
            self._go(position.then(call), as_set(some), found, turns - 1)
            ways[:, way] = found[rows]
        points = self.leaves.points(rows, Contracts.of(ways))
        open_ = allowed[:, calls]
        if self.own == "world":
            into[rows] = ways[
                np.arange(len(rows)), np.where(open_[at], points, -np.inf).argmax(axis=1)
            ]
            return
        first = open_.argmax(axis=1)[at]
        gains = _imps(points - points[np.arange(len(rows)), first][:, None])
        totals = np.stack([np.bincount(at, gains[:, w], len(owners)) for w in range(len(calls))], 1)
        best = np.where(open_, totals, -np.inf).argmax(axis=1)
        into[rows] = ways[np.arange(len(rows)), best[at]]


def _imps(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """IMPs of differences in (expected) points."""
    won = np.searchsorted(_STEPS, np.abs(points), side="right")
    return np.asarray(np.sign(points) * won)
