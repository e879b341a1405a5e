"""Players as seed 000 models them: [M1, …, U, φ, …, Mn], a selection strategy over a system.
Used by bidding.pidm for itself, and for the partner and opponents it imagines."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.matching import HandTable, Matcher
from overtrick.bidding.rules import hand_values, last_resort, reading_of
from overtrick.bidding.utility import Utility, utility_of
from overtrick.evaluation import HandArray
from overtrick.game import View
from overtrick.systems import Reading
from overtrick.systems.context import Context
from overtrick.systems.meanings import turned_vul
from overtrick.systems.shows import holds
from overtrick.worlds.consistent import CallTest

Mask = NDArray[np.bool_]
Calls = NDArray[np.int64]
Priorities = NDArray[np.int16]
NOT_CONSIDERED: Final = -9999
DEFAULT_PRIORITY: Final = -1000  # of a call that only the default node of the net allows


@dataclass(frozen=True, slots=True)
class Position:
    """The public part of a state: the calls so far, who dealt, who is vulnerable."""

    calls: tuple[int, ...]
    dealer: int
    vul: int

    @classmethod
    def of(cls, view: View) -> Position:
        return cls(tuple(int(c) for c in view.auction.calls), int(view.dealer), int(view.vul))

    @property
    def turn(self) -> int:
        return (self.dealer + len(self.calls)) & 3

    def then(self, call: int) -> Position:
        return Position((*self.calls, call), self.dealer, self.vul)

    def before(self, turn: int) -> Position:
        """The position in which call number `turn` was made."""
        return Position(self.calls[:turn], self.dealer, self.vul)


@dataclass(frozen=True, slots=True)
class Selection:
    """φ(s) for many hands in one position: which calls, and with what priority of their rule.

    `allowed[hand, call]`; `priority` is NOT_CONSIDERED where a call is not allowed, and
    DEFAULT_PRIORITY where no rule fits the hand (the root's "all that is not forbidden").
    `first` is the call the rules engine would make.
    """

    allowed: Mask
    priority: Priorities
    first: Calls

    @property
    def size(self) -> NDArray[np.int64]:
        """|φ(s)| of each hand; 2 or more is an informative state (section 4.2.1)."""
        return self.allowed.sum(axis=1)

    def calls(self, row: int) -> list[int]:
        """The calls of one hand, the model's first choice in front, then by priority."""
        found = np.flatnonzero(self.allowed[row]).tolist()
        first = int(self.first[row])
        return sorted(found, key=lambda c: (c != first, -int(self.priority[row, c]), c))


class Refinement(Protocol):
    """Learned agreements: narrows what a net selects (section 4.2.3), never widens it."""

    def covers(self, position: Position) -> bool:
        """Has the net of this auction been refined?"""

    def narrow(self, position: Position, hands: HandArray, allowed: Mask) -> Mask:
        """The calls [hands, 38] that stay; a hand no refined node speaks about keeps its own."""


@dataclass(frozen=True, eq=False)
class PlayerModel:
    """A player: what it considers (φ), what it wants (U), and whom it imagines at the table.

    `near` is how far below the best fitting rule another rule's priority may be for its call to
    be considered; 0 is the net of Appendix B, where only rules of equal priority conflict.
    `lho`, `partner` and `rho` are the models this player has of the others; None stands for the
    default model, a player of the same kind without models of its own, so the depth is finite.
    """

    system: str = "sayc"
    theirs: str = ""
    near: int = 0
    refinement: Refinement | None = None
    utility: Utility = field(default_factory=utility_of)
    lho: PlayerModel | None = None
    partner: PlayerModel | None = None
    rho: PlayerModel | None = None

    @cached_property
    def reading(self) -> Reading:
        """Both systems, in one order whoever is on turn, so that contexts are shared."""
        one, two = sorted((self.system, self.theirs or self.system))
        return reading_of(one, "" if one == two else two)

    def context(self, position: Position) -> Context:
        """What the auction means when the player on turn plays `system`."""
        vul = turned_vul(position.vul, position.dealer)
        theirs = self.theirs or self.system
        first = (len(position.calls) & 1) ^ (self.system > theirs) if self.system != theirs else 0
        return self.reading.context(position.calls, vul, int(first))

    def selection(self, position: Position, hands: NDArray[np.uint64] | HandTable) -> Selection:
        """φ(s) for every hand of the player on turn; refined where an agreement was learned."""
        table = hands if isinstance(hands, HandTable) else HandTable(hands)
        ctx = self.context(position)
        matcher = matcher_of(self.reading, ctx)
        fits = matcher.fits(table)
        priority = _priorities(matcher, fits)
        best = priority.max(axis=1, initial=NOT_CONSIDERED)
        allowed = (priority >= best[:, None] - self.near) & (priority > NOT_CONSIDERED)
        lost = np.flatnonzero(best == NOT_CONSIDERED)
        if len(lost):  # the root: everything that is not forbidden
            default = self.reading.default_calls(ctx)
            allowed[lost[:, None], default] = True
            priority[lost[:, None], default] = DEFAULT_PRIORITY
        first = self._first(ctx, matcher, fits, table)
        if self.refinement is not None and self.refinement.covers(position):
            allowed = _kept(allowed, self.refinement.narrow(position, table.hands, allowed))
            first = _best_of(allowed, priority, first)
        priority[~allowed] = NOT_CONSIDERED
        return Selection(allowed, priority, first)

    def quick(
        self, position: Position, table: HandTable, rows: NDArray[np.intp] | None = None
    ) -> Calls:
        """The first choice of each hand without the rest of φ: the cheapest simulation."""
        if self.refinement is not None and self.refinement.covers(position):
            bits = table.hands.bits if rows is None else table.hands.bits[rows]
            return self.selection(position, bits).first
        ctx = self.context(position)
        if rows is not None and len(rows) <= _FEW and "matcher" not in ctx.memo:
            bits = table.hands.bits
            return np.array([self._one(ctx, int(bits[row])) for row in rows], np.int64)
        matcher = matcher_of(self.reading, ctx)
        found = matcher.first(table, rows)
        calls = np.where(found >= 0, matcher.calls[found] if len(matcher.calls) else 0, -1)
        for i in np.flatnonzero(found < 0).tolist():
            row = i if rows is None else int(rows[i])
            calls[i] = last_resort(ctx, hand_values(int(table.hands.bits[row])))
        return calls

    def tests(self, position: Position, turn: int) -> CallTest:
        """Call number `turn` of the auction as a test of its maker's hand: a ∈ φ(s)."""
        before = position.before(turn)
        call = position.calls[turn]

        def test(hands: HandArray) -> Mask:
            if self.refinement is not None and self.refinement.covers(before):
                return self.selection(before, HandTable(hands)).allowed[:, call]
            matcher = matcher_of(self.reading, self.context(before))
            return matcher.made(call, self.near, hands)

        return CallTest(before.turn, test, 1.0 if call else 0.25)

    def _first(self, ctx: Context, matcher: Matcher, fits: Mask, table: HandTable) -> Calls:
        if not len(fits):
            found = np.full(len(table), -1)
        else:
            found = fits.argmax(axis=0)
            found = np.where(fits[found, np.arange(len(found))], found, -1)
        calls = np.where(found >= 0, matcher.calls[found] if len(fits) else 0, -1)
        for row in np.flatnonzero(found < 0).tolist():
            calls[row] = last_resort(ctx, hand_values(int(table.hands.bits[row])))
        return calls

    def _one(self, ctx: Context, bits: int) -> int:
        values = hand_values(bits)
        for option in self.reading.options(ctx):
            if holds(option.items, values):
                return option.call
        return last_resort(ctx, values)

    @property
    def depth(self) -> int:
        """How many levels of imagined players there are below this one."""
        others = [m for m in (self.lho, self.partner, self.rho) if m is not None]
        return 1 + max(m.depth for m in others) if others else 0

    def other(self, step: int) -> PlayerModel:
        """The model of the player `step` seats to the left (1 LHO, 2 partner, 3 RHO)."""
        found = (None, self.lho, self.partner, self.rho)[step]
        if found is not None:
            return found
        if step == 2:
            return _plain(self.system, self.theirs, self.near, self.refinement, self.utility)
        theirs = self.theirs or self.system
        return _plain(theirs, self.system, self.near, None, self.utility)


_FEW: Final = 4  # hands for which walking the options is cheaper than compiling them


@lru_cache(maxsize=64)
def _plain(
    system: str, theirs: str, near: int, refinement: Refinement | None, utility: Utility
) -> PlayerModel:
    """The default model: the same kind of player, who imagines nobody."""
    return PlayerModel(system, theirs, near, refinement, utility)


def matcher_of(reading: Reading, ctx: Context) -> Matcher:
    """The compiled options of a context, kept with it."""
    found = ctx.memo.get("matcher")
    if found is None:
        found = ctx.memo["matcher"] = Matcher(reading.options(ctx))
    return found  # type: ignore[return-value]


def _priorities(matcher: Matcher, fits: Mask) -> Priorities:
    """The best priority of each call for each hand, [hands, 38]."""
    count = fits.shape[1]
    out = np.full((count, 38), NOT_CONSIDERED, np.int16)
    for i in range(len(matcher.options) - 1, -1, -1):  # better ones overwrite
        out[fits[i], matcher.calls[i]] = matcher.priorities[i]
    return out


def _kept(allowed: Mask, narrowed: Mask) -> Mask:
    """Where narrowing would leave nothing, what was allowed stays."""
    both = allowed & narrowed
    return np.where(both.any(axis=1)[:, None], both, allowed)


def _best_of(allowed: Mask, priority: Priorities, first: Calls) -> Calls:
    """The old first choice where it is still allowed, else the highest priority left."""
    stays = allowed[np.arange(len(first)), first]
    best = np.where(allowed, priority, NOT_CONSIDERED).argmax(axis=1)
    return np.where(stays, first, best).astype(np.int64)
