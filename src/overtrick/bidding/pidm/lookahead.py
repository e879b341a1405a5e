"""LookAheadSearch (seed 000, Figure 3) for many worlds at once: worlds that hear the same auction
travel together. Used by `decide`; simulated players see only their own hand and the auction."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.models import PlayerModel, Position
from overtrick.bidding.pidm.candidates import candidates
from overtrick.bidding.pidm.settings import Counts, Settings
from overtrick.bidding.rollout import Worlds, WorldSet, ending_of
from overtrick.bidding.utility import Contracts, Leaves
from overtrick.systems.many import Pool, members

Ints = NDArray[np.int64]
Simulate = Callable[[PlayerModel, Position, int, Settings], int]
"""A simulated player's decision: model, position, hand and settings to a call."""
Endings = list[tuple[tuple[int, ...], WorldSet]]


class OutOfTime(Exception):
    """The deadline passed in the middle of a batch."""


class Lookahead:
    """One batch of worlds of one decision.

    `strict` worlds must reach the ends of their auctions (`OutOfTime` otherwise); else an auction
    that is cut short is worth what its last bid is.
    """

    def __init__(
        self,
        player: PlayerModel,
        seat: int,
        hands: NDArray[np.uint64],
        position: Position,
        settings: Settings,
    ) -> None:
        self.player, self.seat, self.settings = player, seat, settings
        self.worlds = Worlds(hands, position.dealer)
        self.leaves: Leaves = player.utility.leaves(hands, position.vul, seat & 1)
        self.weights = np.ones(len(hands))
        self.counts = Counts()
        self.simulate: Simulate | None = None
        self.deadline = float("inf")
        self.strict = False
        self.cut = 0
        self._mine = Pool(hands[:1, seat])
        theirs = position.calls[(seat + 1 - position.dealer) & 1 :: 2]
        ours = position.calls[(seat - position.dealer) & 1 :: 2]
        # Before our side has opened nobody has been silent yet.
        self.quiet = settings.quiet and any(ours) and not any(theirs)

    def after(self, position: Position, into: Ints) -> Endings:
        """Bid all worlds to the end from a position; fills `into` [worlds, 3] with contracts."""
        found: Endings = []
        self._go(position, self.worlds.every, into, found, self.settings.own_turns)
        return found

    def _go(
        self, position: Position, those: WorldSet, into: Ints, found: Endings, turns: int
    ) -> None:
        stack = [(position, those)]
        while stack:
            now, here = stack.pop()
            self.counts.nodes += 1
            step = (now.turn - self.seat) & 3
            model = self.player.other(step) if step else self.player
            ctx = (self.player if model.silent else model).context(now)
            late = perf_counter() > self.deadline
            if late and self.strict:
                raise OutOfTime
            if ctx.is_over or late:
                self.cut += late and not ctx.is_over
                ending = ending_of(ctx, now.dealer, here)
                into[self.worlds.rows(here)] = ending.contract
                found.append((now.calls, here))
            elif step & 1 and self.quiet:
                stack.append((now.then(0), here))
            elif step:
                for call, part in self._theirs(model, now, here).items():
                    stack.append((now.then(call), part))
            else:
                calls = self._own_calls(now, turns)
                if len(calls) == 1:
                    stack.append((now.then(calls[0]), here))
                else:
                    self._best((now, here), calls, into, found, turns - 1)

    def _theirs(self, model: PlayerModel, now: Position, here: WorldSet) -> dict[int, WorldSet]:
        """What another player does in each world: its first choice, or a search of its own."""
        pool = self.worlds.pools[now.turn]
        if self.settings.depth < 1 or self.simulate is None or model.silent:
            return model.chosen(now, pool, here)
        out: dict[int, WorldSet] = {}
        chosen = model.selection(now, pool)
        size = chosen.size
        searching = [i for i in members(here) if size[i] > 1]
        left = self.deadline - perf_counter()
        share = self.settings.r * left / max(len(searching), 1)
        for i in members(here):
            call = int(chosen.first[i])
            if size[i] > 1 and share > self.settings.epsilon and perf_counter() < self.deadline:
                self.counts.simulations += 1
                hand = int(pool.hands.bits[i])
                call = self.simulate(model, now, hand, self.settings.simulated(share))
            out[call] = out.get(call, 0) | 1 << i
        return out

    def _own_calls(self, now: Position, turns: int) -> list[int]:
        """What I might do at a later turn of mine; my hand is the same in all worlds."""
        if self.settings.own == "model" or turns < 1:
            return list(self.player.chosen(now, self._mine))
        hand = int(self._mine.hands.bits[0])
        widen, most = self.settings.own_widen, self.settings.own_most
        return candidates(self.player, now, hand, widen, most)

    def _best(
        self,
        at: tuple[Position, WorldSet],
        calls: list[int],
        into: Ints,
        found: Endings,
        turns: int,
    ) -> None:
        """A choice of mine: the best call on average over these worlds, or world by world."""
        now, here = at
        rows = self.worlds.rows(here)
        ways = np.zeros((len(self.worlds), len(calls), 3), np.int64)
        ends: list[Endings] = [[] for _ in calls]
        for way, call in enumerate(calls):
            self._go(now.then(call), here, ways[:, way], ends[way], turns)
        contracts = Contracts.of(ways[rows])
        if self.settings.own == "world":
            best = self.leaves.points(rows, contracts).argmax(axis=1)
            into[rows] = ways[rows, best]
            for way, some in enumerate(ends):
                mine = sum(1 << int(row) for row in rows[best == way])
                found += [(calls_, those & mine) for calls_, those in some if those & mine]
            return
        values = self.leaves.values(rows, contracts)
        for chosen_for, by in _halves(len(rows), self.settings.crossed):
            taken = int((self.weights[rows[by]] @ values[by]).argmax())
            part = rows[chosen_for]
            into[part] = ways[part, taken]
            mine = sum(1 << int(row) for row in part)
            found += [(calls_, those & mine) for calls_, those in ends[taken] if those & mine]


def _halves(count: int, crossed: bool) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Worlds to decide for, and worlds to decide by: a choice is not judged by its own worlds."""
    every = np.arange(count)
    if not crossed or count < 4:
        return [(every, every)]
    return [(every[::2], every[1::2]), (every[1::2], every[::2])]
