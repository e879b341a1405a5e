"""The one walk of auctions: worlds × candidate calls to contracts, a Caller for every seat.

Worlds that hear the same auction travel together as one node, and all auctions take their next
call together, so a network is asked once a turn and a rule is tried on a whole set with one `&`.
At the deciding player's own later turns `LaterTurns` compares calls anew; it is a Caller like any
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel.callers import Caller, Floats, Node, SeatHands, Split, WorldSet
from overtrick.bidding.kernel.leaves import Contracts, Leaves, Rows
from overtrick.bidding.kernel.position import AuctionPosition, Contract
from overtrick.engines.clock import Clock, OutOfTime, spend

_LONGEST: Final = 60  # calls of an auction, far beyond any real one
_LOOKED: Final = 6e-5  # seconds that an auction takes to be looked at, where work is counted
Own = Literal["model", "set", "world"]
OWN: Final = ("model", "set", "world")


@dataclass(frozen=True, slots=True)
class AuctionEnding:
    """A finished auction and the worlds that reach it."""

    at: AuctionPosition
    worlds: WorldSet

    @property
    def contract(self) -> Contract:
        return self.at.contract


class Walk:
    """Auctions bid on to their ends from some position.

    `most` bounds the auctions looked at; with it, or with a clock that is not `strict`, auctions
    that were not finished end as they stand, and `complete` is False.
    """

    __slots__ = ("callers", "clock", "complete", "held", "most", "nodes", "strict")

    def __init__(
        self,
        held: SeatHands,
        callers: Sequence[Caller],
        clock: Clock | None = None,
        *,
        strict: bool = True,
        most: int | None = None,
    ) -> None:
        self.held, self.callers = held, list(callers)
        self.clock = Clock() if clock is None else clock
        self.strict, self.most = strict, most
        self.nodes = 0
        self.complete = True

    def endings(self, start: Sequence[Node]) -> list[AuctionEnding]:
        """Every auction in which these worlds end."""
        ends: list[AuctionEnding] = []
        going = list(start)
        while going:
            self.nodes += len(going)
            spend(len(going) * _LOOKED)
            ends += [AuctionEnding(at, worlds) for at, worlds in going if self._ends(at)]
            live = [(at, worlds) for at, worlds in going if not self._ends(at)]
            if live and self._stops():
                self.complete = False
                return ends + [AuctionEnding(at, worlds) for at, worlds in live]
            going = [
                (at.then(call), part)
                for (at, _), split in zip(live, self._split(live), strict=True)
                for call, part in split.items()
            ]
        return ends

    def _ends(self, at: AuctionPosition) -> bool:
        return at.is_over or len(at.calls) >= _LONGEST

    def _split(self, live: list[Node]) -> list[Split]:
        return self.callers[live[0][0].turn].choose(live, self.held) if live else []

    def _stops(self) -> bool:
        if self.most is not None and self.nodes >= self.most:
            return True
        if not self.clock.late():
            return False
        if self.strict:
            raise OutOfTime
        return True

    def after(
        self, at: AuctionPosition, calls: Sequence[int], worlds: WorldSet | None = None
    ) -> tuple[Contracts, list[list[AuctionEnding]]]:
        """The contract of every world after each of these calls of the seat on turn, [n, ways],
        and the auctions that led there, way by way; with `worlds`, only of these."""
        here = self.held.every if worlds is None else worlds
        starts = [(at.then(call), here) for call in calls]
        ways = self.by_call(len(at.calls), starts, calls)
        return contracts_of(ways, self.held), ways

    def on(self, at: AuctionPosition) -> Contracts:
        """The contract of every world from a position on, [n, 1]."""
        return contracts_of([self.endings([(at, self.held.every)])], self.held)

    def by_call(
        self, turn: int, starts: Sequence[Node], calls: Sequence[int]
    ) -> list[list[AuctionEnding]]:
        """The endings, sorted by their call number `turn`."""
        ways: list[list[AuctionEnding]] = [[] for _ in calls]
        place = {call: way for way, call in enumerate(calls)}
        for ending in self.endings(starts):
            ways[place[ending.at.calls[turn]]].append(ending)
        return ways


def contracts_of(ways: Sequence[Sequence[AuctionEnding]], held: SeatHands) -> Contracts:
    """Endings, way by way, as the contract of each world."""
    found = np.zeros((len(held), len(ways), 3), np.int64)
    for way, ends in enumerate(ways):
        for ending in ends:
            found[held.rows(ending.worlds), way] = ending.contract
    return Contracts.of(found)


Options = Callable[[AuctionPosition, NDArray[np.uint64]], "list[list[int]]"]
"""A later turn of mine and hands of mine: the calls each would compare, first choice first."""


class LaterTurns:
    """My own later turns: the calls are compared again, by walking on from each of them.

    The worlds that come to a turn sound alike, so one call is chosen for all of them (`set`): the
    best on average. With `world` it is the best one world by world, which sees through the cards.
    At most `turns` turns are chosen so, where at least `fewest` worlds come together; elsewhere
    `plain` calls. With `crossed`, half of the worlds chooses for the other half, so that no choice
    is judged by its own worlds; with `least`, a call replaces the first choice only if its mean
    gain is more than that of its gains.

    `owner` tells whose world each is when several hands of mine are looked at together.
    """

    def __init__(
        self,
        walk: Walk,
        seat: int,
        plain: Caller,
        options: Options,
        leaves: Leaves,
        *,
        own: Own = "set",
        turns: int = 1,
        shares: Floats | None = None,
        owner: Rows | None = None,
        crossed: bool = False,
        fewest: int = 1,
        least: Callable[[Floats], float] | None = None,
    ) -> None:
        self.seat, self.plain, self.options, self.leaves = seat, plain, options, leaves
        self.own, self.turns, self.crossed = own, turns, crossed
        self.fewest, self.least = fewest, least
        count = len(walk.held)
        self.shares = np.ones(count) if shares is None else shares
        self.owner = np.zeros(count, np.intp) if owner is None else owner
        self.walk = walk

    def chances(self, at: AuctionPosition, hands: NDArray[np.uint64]) -> Floats:
        return self.plain.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        many = [worlds.bit_count() >= self.fewest for _, worlds in nodes]
        return [
            self._node(at, worlds, held) if enough else self.plain.choose([(at, worlds)], held)[0]
            for (at, worlds), enough in zip(nodes, many, strict=True)
        ]

    def _node(self, at: AuctionPosition, here: WorldSet, held: SeatHands) -> Split:
        rows = held.rows(here)
        _, first, whose = np.unique(self.owner[rows], return_index=True, return_inverse=True)
        options = self.options(at, held.deals[rows[first], self.seat])
        alone = np.array([len(calls) == 1 for calls in options])
        out: Split = {}
        for mine in np.flatnonzero(alone):
            _add(out, options[mine][0], rows[whose == mine], held)
        if alone.all():
            return out
        calls = list(dict.fromkeys(c for some in options if len(some) > 1 for c in some))
        has = np.array([[c in some and len(some) > 1 for c in calls] for some in options])
        found = self._deeper(at, [(c, rows[has[whose, w]]) for w, c in enumerate(calls)], held)
        for mine in np.flatnonzero(~alone):
            part = rows[whose == mine]
            ways = [calls.index(c) for c in options[mine]]
            self._compare(options[mine], part, found.taken(part).ways(ways), held, out)
        return out

    def _compare(
        self, calls: list[int], rows: Rows, contracts: Contracts, held: SeatHands, out: Split
    ) -> None:
        """One hand of mine: which call in which of its worlds."""
        if self.own == "world":
            best = self.leaves.points(contracts, rows).argmax(axis=1)
            for way in np.unique(best):
                _add(out, calls[way], rows[best == way], held)
            return
        values = self.leaves.values(contracts, rows)
        for chosen_for, by in halves(len(rows), self.crossed):
            call = calls[self._best(values[by], self.shares[rows[by]])]
            _add(out, call, rows[chosen_for], held)

    def _best(self, values: Floats, shares: Floats) -> int:
        """The way that is best on average; with `least`, only one that is clearly better."""
        if self.least is None:
            return int((shares @ values).argmax())
        best = 0
        for way in range(1, values.shape[1]):
            gain = values[:, way] - values[:, best]
            if gain.mean() > self.least(gain):
                best = way
        return best

    def _deeper(
        self, at: AuctionPosition, choices: Sequence[tuple[int, Rows]], held: SeatHands
    ) -> Contracts:
        """What each call leads to, in the worlds in which it is considered, when one turn fewer is
        left to choose."""
        callers = list(self.walk.callers)
        callers[self.seat] = self._fewer()
        inner = Walk(held, callers, self.walk.clock, strict=self.walk.strict)
        starts = [(at.then(call), held.set_of(rows)) for call, rows in choices]
        ways = inner.by_call(len(at.calls), starts, [call for call, _ in choices])
        self.walk.nodes += inner.nodes
        return contracts_of(ways, held)

    def _fewer(self) -> Caller:
        if self.turns <= 1:
            return self.plain
        return LaterTurns(
            self.walk, self.seat, self.plain, self.options, self.leaves, own=self.own,
            turns=self.turns - 1, shares=self.shares, owner=self.owner, crossed=self.crossed,
            fewest=self.fewest, least=self.least,
        )  # fmt: skip


def _add(out: Split, call: int, rows: Rows, held: SeatHands) -> None:
    out[call] = out.get(call, 0) | held.set_of(rows)


def halves(count: int, crossed: bool) -> list[tuple[Rows, Rows]]:
    """Worlds to decide for, and worlds to decide by: a choice is not judged by its own worlds."""
    every = np.arange(count)
    if not crossed or count < 4:
        return [(every, every)]
    return [(every[::2], every[1::2]), (every[1::2], every[::2])]
