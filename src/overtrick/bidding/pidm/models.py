"""Players as BIDI models them: [M1, …, U, φ, …, Mn], a selection strategy φ over a system, a
utility U, and models M of the other players. A model is a Caller: it makes its first choice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel.callers import Node, SeatHands, Split
from overtrick.bidding.kernel.leaves import Utility, utility_of
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.rules import reading_of
from overtrick.evaluation import HandArray
from overtrick.systems import Reading
from overtrick.systems.context import Context
from overtrick.systems.loose import LooseReading
from overtrick.systems.many import Pool
from overtrick.systems.meanings import turned_vul
from overtrick.systems.reading import OfferedCall
from overtrick.worlds.consistent import CallTest
from overtrick.worlds.sets import as_mask, as_set

Mask = NDArray[np.bool_]
Calls = NDArray[np.int64]
Priorities = NDArray[np.int16]
HandSet = int
"""A set of hands of a pool: bit i is hand i."""
NOT_CONSIDERED: Final = -9999
DEFAULT_PRIORITY: Final = -1000  # of a call that only the default node of the net allows
SILENT: Final = "pass"  # a system of players who always pass, and whose passes say nothing


@dataclass(frozen=True, slots=True)
class Selection:
    """φ(s) for many hands in one position: which calls, and with what priority of their rule.

    `allowed[hand, call]`; `priority` is NOT_CONSIDERED where a call is not allowed, and
    DEFAULT_PRIORITY where no rule fits the hand (the root's "all that is not forbidden").
    `first` is the call the player makes when it does not search.
    """

    allowed: Mask
    priority: Priorities
    first: Calls

    @property
    def size(self) -> NDArray[np.int64]:
        """|φ(s)| of each hand; 2 or more is an informative state (section 4.2.1)."""
        return np.asarray(self.allowed.sum(axis=1), np.int64)

    def calls(self, row: int = 0) -> list[int]:
        """The calls of one hand, the first choice in front, then by priority."""
        found = np.flatnonzero(self.allowed[row]).tolist()
        first = int(self.first[row])
        return sorted(found, key=lambda c: (c != first, -int(self.priority[row, c]), c))


class Refinement(Protocol):
    """Learned agreements: narrow what a net selects (section 4.2.3), never widen it."""

    def covers(self, position: AuctionPosition) -> bool:
        """Has the net of this auction been refined?"""

    def narrow(self, position: AuctionPosition, hands: HandArray, allowed: Mask) -> Mask:
        """The calls [hands, 38] that stay; a hand no refined node speaks about keeps its own."""


@dataclass(frozen=True, eq=False)
class PlayerModel:
    """A player: what it considers (φ), what it wants (U), and whom it imagines at the table.

    `near` is how far below the best fitting rule another rule's priority may be for its call to
    be considered; 0 is the net of Appendix B, where only rules of equal priority conflict.
    `lho`, `partner` and `rho` are the models this player has of the others; None stands for the
    default model, a player of the same kind without models of its own, so the depth is finite.
    The system `pass` is a player who always passes. With `slack`, calls a hand misses by that many
    points are considered too, `loose.COST` below their own priority (so `near` decides as well).
    With `wide` (a near and a slack), learned agreements choose among the calls considered so, and
    hands they do not speak about are bid as ever.
    """

    system: str = "sayc"
    theirs: str = ""
    near: int = 0
    refinement: Refinement | None = None
    utility: Utility = field(default_factory=utility_of)
    lho: PlayerModel | None = None
    partner: PlayerModel | None = None
    rho: PlayerModel | None = None
    slack: int = 0
    wide: tuple[int, int] | None = None

    @property
    def silent(self) -> bool:
        return self.system == SILENT

    @cached_property
    def _opposed(self) -> str:
        """The system as which the opponents' calls are read."""
        return self.system if self.theirs in ("", SILENT) else self.theirs

    @cached_property
    def reading(self) -> Reading:
        """Both systems, in one order whoever is on turn, so that contexts are shared."""
        one, two = sorted((self.system, self._opposed))
        return _reading(one, "" if one == two else two, self.slack)

    def context(self, position: AuctionPosition) -> Context:
        """What the auction means when the player on turn plays `system`."""
        vul = turned_vul(position.vul, position.dealer)
        theirs = self._opposed
        first = (len(position.calls) & 1) ^ (self.system > theirs) if self.system != theirs else 0
        return self.reading.context(position.calls, vul, int(first))

    @cached_property
    def _others(self) -> dict[int, PlayerModel]:
        ours = replace(self, lho=None, partner=None, rho=None)
        theirs = PlayerModel(self.theirs or self.system, self.system, 0, None, self.utility)
        return {1: self.lho or theirs, 2: self.partner or ours, 3: self.rho or theirs}

    def other(self, step: int) -> PlayerModel:
        """The model of the player `step` seats to the left (1 LHO, 2 partner, 3 RHO)."""
        return self._others[step]

    @property
    def depth(self) -> int:
        """How many levels of imagined players there are below this one."""
        others = [m for m in (self.lho, self.partner, self.rho) if m is not None]
        return 1 + max(m.depth for m in others) if others else 0

    def refined(self, position: AuctionPosition) -> bool:
        return self.refinement is not None and self.refinement.covers(position)

    @cached_property
    def unlearned(self) -> PlayerModel:
        """This player before learning, with all the calls that agreements choose from."""
        near, slack = self.wide or (self.near, self.slack)
        return replace(self, near=near, slack=slack, refinement=None, wide=None)

    def selection(self, position: AuctionPosition, hands: Pool | NDArray[np.uint64]) -> Selection:
        """φ(s) for every hand of the player on turn; narrower where an agreement was learned."""
        pool = hands if isinstance(hands, Pool) else Pool(hands)
        count = len(pool)
        priority = np.full((count, 38), NOT_CONSIDERED, np.int16)
        first = np.full(count, -1, np.int64)
        for call, rank, hit in self._found(position, pool, pool.everyone):
            rows = np.flatnonzero(as_mask(hit, count))
            priority[rows, call] = rank
            rows = rows[first[rows] < 0]
            first[rows] = call
        allowed = priority > NOT_CONSIDERED
        if self.refinement is not None and self.refinement.covers(position):
            if self.wide:
                return self._agreed(position, pool, Selection(allowed, priority, first))
            allowed = _kept(allowed, self.refinement.narrow(position, pool.hands, allowed))
            priority[~allowed] = NOT_CONSIDERED
            stays = allowed[np.arange(count), first]
            first = np.where(stays, first, priority.argmax(axis=1))
        return Selection(allowed, priority, first)

    def _agreed(self, position: AuctionPosition, pool: Pool, strict: Selection) -> Selection:
        """The selection without learning, but for the hands that an agreement settles."""
        assert self.refinement is not None
        wide = self.unlearned.selection(position, pool)
        kept = self.refinement.narrow(position, pool.hands, wide.allowed)
        rows = np.flatnonzero((wide.size > 1) & (kept.sum(axis=1) == 1))
        strict.allowed[rows] = kept[rows]
        strict.priority[rows] = np.where(kept[rows], wide.priority[rows], NOT_CONSIDERED)
        strict.first[rows] = kept[rows].argmax(axis=1)
        return strict

    def chosen(
        self, position: AuctionPosition, pool: Pool, among: HandSet | None = None
    ) -> dict[int, HandSet]:
        """The first choice of every hand, as disjoint sets by call: the cheapest simulation."""
        here = pool.everyone if among is None else among
        if self.silent:
            return {0: here}
        if self.refined(position):
            return _sets(self.selection(position, pool).first, here)
        return pool.by_call(self.reading, self.context(position), here)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        """The first choice in every world, as the kernel's walk asks for it."""
        pool = held.pool(nodes[0][0].turn)
        return [self.chosen(at, pool, worlds) for at, worlds in nodes]

    def chances(self, at: AuctionPosition, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The first choice of every hand, as certain."""
        pool = Pool(hands)
        out = np.zeros((len(hands), 38))
        for call, some in self.chosen(at, pool).items():
            out[as_mask(some, len(hands)), call] = 1.0
        return out

    def test(self, position: AuctionPosition, turn: int) -> CallTest:
        """Call number `turn` of the auction as a test of its maker's hand: a ∈ φ(s)."""
        before, call = position.before(turn), position.calls[turn]

        def fits(hands: HandArray) -> Mask:
            if self.silent:
                return np.ones(len(hands), bool)
            if self.refined(before):
                return self.selection(before, Pool(hands)).allowed[:, call]
            return self._made(before, call, hands)

        return CallTest(before.turn, fits, 1.0 if call else 0.25)

    def _made(self, position: AuctionPosition, call: int, hands: HandArray) -> Mask:
        """Which hands have this call in φ: a set of the call fits, and none much better does."""
        ctx, pool = self.context(position), Pool(hands)
        mine, anything = 0, False
        for option in self.reading.options(ctx):
            anything = anything or not option.items
            if option.call == call:
                mine |= pool.satisfying(option.items)
        out = np.zeros(len(hands), bool)
        fitting = as_mask(mine, len(hands))
        for part, until in ((fitting, call), (~fitting, None)):
            rows = np.flatnonzero(part)
            if not len(rows) or (until is None and anything):
                continue  # some rule fits any hand: nobody is left to the default
            some = Pool(hands.bits[rows])
            found = 0
            for made, _, hit in self._found(position, some, some.everyone, until):
                if made == call:
                    found |= hit
            out[rows] = as_mask(found, len(rows))
        return out

    def _found(
        self, position: AuctionPosition, pool: Pool, among: HandSet, until: int | None = None
    ) -> Iterator[tuple[int, int, HandSet]]:
        """φ without refinement as (call, priority, hands), best first; each hand and call once.

        `until` ends it after the last rule for that call, which every hand must satisfy.
        """
        if self.silent:
            yield 0, 0, among
            return
        ctx = self.context(position)
        options = self.reading.options(ctx)
        if until is not None:
            options = options[: 1 + max(i for i, o in enumerate(options) if o.call == until)]
        left = among
        for option, hit, new in _window(pool, options, among, self.near):
            left &= ~new
            yield option.call, option.priority, hit
        if left and until is None:
            yield from self._default(ctx, pool, left)

    def _default(
        self, ctx: Context, pool: Pool, left: HandSet
    ) -> Iterator[tuple[int, int, HandSet]]:
        """Hands that no rule fits: what the rules engine would do first, then all the rest."""
        first = pool.by_call(self.reading, ctx, left)
        for call, hit in first.items():
            yield call, DEFAULT_PRIORITY, hit
        for call in self.reading.default_calls(ctx):
            rest = left & ~first.get(call, 0)
            if rest:
                yield call, DEFAULT_PRIORITY, rest


@lru_cache(maxsize=16)
def _reading(ours: str, theirs: str, slack: int) -> Reading:
    strict = reading_of(ours, theirs)
    return LooseReading(strict, slack) if slack else strict


def _window(
    pool: Pool, options: list[OfferedCall], among: HandSet, near: int
) -> Iterator[tuple[OfferedCall, HandSet, HandSet]]:
    """Options with the hands for which they are within `near` of the best, and of those the
    hands for which this one is the best."""
    open_, live = among, 0  # without an option so far; with one whose window is still open
    bests: deque[tuple[int, HandSet]] = deque()
    taken: dict[int, HandSet] = {}
    for option in options:
        while bests and bests[0][0] > option.priority + near:
            live &= ~bests.popleft()[1]
        if not open_ | live:
            return
        hit = pool.satisfying(option.items) & (open_ | live) & ~taken.get(option.call, 0)
        if hit:
            taken[option.call] = taken.get(option.call, 0) | hit
            new = hit & open_
            if new:
                open_ ^= new
                live |= new
                bests.append((option.priority, new))
            yield option, hit, new


def _kept(allowed: Mask, narrowed: Mask) -> Mask:
    """Where narrowing would leave nothing, what was allowed stays."""
    both = allowed & narrowed
    return np.asarray(np.where(both.any(axis=1, keepdims=True), both, allowed))


def _sets(calls: Calls, here: HandSet) -> dict[int, HandSet]:
    """Calls by hand as sets of hands by call, of the hands `here`."""
    out = {int(c): as_set(calls == c) & here for c in np.unique(calls)}
    return {call: hands for call, hands in out.items() if hands}
