"""Self-bid deals walked as one tree of auctions: which sets fire, tie, or leave hands unserved.
Thousands of deals go through each auction together (see `many`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Hand
from overtrick.game.calls import CALLS
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.properties import Silly, silly_calls, stops_below_game
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.worlds.sets import members

_EXAMPLES: Final = 3


class Tie(NamedTuple):
    """Two sets of equal priority for different calls that the same hands satisfy."""

    first: str  # rule and call that win
    second: str
    priority: int
    by: str  # what decides: "detail" (more statements) or "order" (place in the files)


@dataclass(slots=True)
class CountedCases:
    """How often something happened, with the first few cases."""

    count: int = 0
    cases: list[str] = field(default_factory=list)

    def add(self, count: int, case: str) -> None:
        self.count += count
        if len(self.cases) < _EXAMPLES and case not in self.cases:
            self.cases.append(case)


@dataclass(slots=True)
class WalkTally:
    """What a walk has seen."""

    deals: int = 0
    calls: int = 0
    fired: Counter[str] = field(default_factory=Counter)  # by rule
    sets: Counter[int] = field(default_factory=Counter)  # by constraint set
    offered: set[int] = field(default_factory=set)  # sets that applied to some auction
    fitted: set[int] = field(default_factory=set)  # sets that some hand satisfied
    beaten: dict[int, Counter[str]] = field(default_factory=dict)  # who took their hands
    ties: dict[Tie, CountedCases] = field(default_factory=dict)
    gaps: dict[str, CountedCases] = field(default_factory=dict)
    inconsistent: dict[str, CountedCases] = field(default_factory=dict)
    forcing_passed: dict[str, CountedCases] = field(default_factory=dict)
    below_game: dict[str, CountedCases] = field(default_factory=dict)
    silly: dict[str, CountedCases] = field(default_factory=dict)  # of the other kinds
    asked: Counter[str] = field(default_factory=Counter)  # of a survey: hands tried, by auction

    def note(self, where: dict[Any, CountedCases], key: object, many: int, case: str) -> None:
        where.setdefault(key, CountedCases()).add(many.bit_count(), case)


def auction_text(calls: Iterable[int]) -> str:
    return " ".join(CALLS[c].ascii for c in calls) or "opening"


def deal_pools(count: int, seed: int) -> list[Pool]:
    """Random deals as four pools, dealer first."""
    rng = np.random.default_rng(seed)
    cards = np.argsort(rng.random((count, 52)), axis=1).astype(np.uint64)
    bits: NDArray[np.uint64] = np.bitwise_or.reduce(
        np.uint64(1) << cards.reshape(count, 4, 13), axis=2
    )
    return [Pool(bits[:, k]) for k in range(4)]


def walk(reading: Reading, pools: list[Pool], vul: int, tally: WalkTally) -> None:
    """All deals of the pools bid to the end, and what happened counted."""
    tally.deals += len(pools[0])
    stack: list[tuple[tuple[int, ...], int]] = [((), pools[0].everyone)]
    while stack:
        calls, among = stack.pop()
        ctx = reading.context(calls, vul)
        if ctx.is_over:
            _ended(ctx, among, tally)
            continue
        tally.calls += among.bit_count()
        for call, hit in visit(reading, ctx, pools[ctx.me], among, tally).items():
            stack.append(((*calls, call), hit))


def visit(
    reading: Reading, ctx: Context, pool: Pool, among: int, tally: WalkTally
) -> dict[int, int]:
    """One auction: the hands by call, with everything noteworthy counted."""
    options = reading.options(ctx)
    tally.offered.update([o.shows.order for o in options])
    out: dict[int, int] = {}
    chosen: list[tuple[OfferedCall | None, int]] = []
    left = among
    for i, option in enumerate(options):
        hit = left & pool.satisfying(option.items)
        if hit:
            chosen.append((option, hit))
            _fired(option, hit, tally)
            _ties(options, i, hit, ctx, pool, tally)
            out[option.call] = out.get(option.call, 0) | hit
            left ^= hit
            if not left:
                break
    if left:
        for call, hit in _without(reading, ctx, pool, left, tally).items():
            out[call] = out.get(call, 0) | hit
    for kind, chose, hit in silly_calls(reading, ctx, pool, chosen):
        auction, case = auction_text(ctx.calls), _case(pool, hit)
        if kind is Silly.FORCING_PASSED:
            tally.note(tally.forcing_passed, auction, hit, case)
        else:
            by = f" {_name(chose)}" if chose else ""
            tally.note(tally.silly, f"{kind}:{by} after {auction}", hit, case)
    return out


def survey(reading: Reading, ctx: Context, pool: Pool, among: int, tally: WalkTally) -> None:
    """The same with every set tried on every hand: who satisfies it, and who takes those hands."""
    visit(reading, ctx, pool, among, tally)
    tally.asked[auction_text(ctx.calls)] += among.bit_count()
    taken: list[tuple[OfferedCall, int]] = []
    left = among
    for option in reading.options(ctx):
        order = option.shows.order
        fits = among & pool.satisfying(option.items)
        if fits:
            tally.fitted.add(order)
            for winner, hit in taken:
                both = fits & hit
                if both:
                    beaten = tally.beaten.setdefault(order, Counter())
                    beaten[_name(winner)] += both.bit_count()
        hit = left & fits
        if hit:
            taken.append((option, hit))
            left ^= hit


def _fired(option: OfferedCall, hit: int, tally: WalkTally) -> None:
    count = hit.bit_count()
    tally.fired[option.rule.id] += count
    tally.sets[option.shows.order] += count
    tally.fitted.add(option.shows.order)


def _ties(
    options: list[OfferedCall], i: int, hit: int, ctx: Context, pool: Pool, tally: WalkTally
) -> None:  # fmt: skip
    winner = options[i]
    for other in options[i + 1 :]:
        if other.priority != winner.priority:
            return
        if other.call == winner.call or (winner.is_longest and other.shows is winner.shows):
            continue
        both = hit & pool.satisfying(other.items)
        if both:
            same = len(winner.shows.template.items) == len(other.shows.template.items)
            key = Tie(_name(winner), _name(other), winner.priority, "order" if same else "detail")
            tally.note(
                tally.ties, key, both, f"{_case(pool, both)} after {auction_text(ctx.calls)}"
            )


def _without(
    reading: Reading, ctx: Context, pool: Pool, left: int, tally: WalkTally
) -> dict[int, int]:
    """Hands that no set fits: a displaced generic meaning, or none at all."""
    shown = auction_text(ctx.calls)
    for option, hit in pool.chosen(reading, ctx, left):
        if option is None:
            where, key = tally.gaps, shown
        else:
            _fired(option, hit, tally)
            where, key = tally.inconsistent, f"{_name(option)} after {shown}"
        tally.note(where, key, hit, _case(pool, hit))
        for i in islice(members(hit), 1, _EXAMPLES):
            tally.note(where, key, 0, str(pool.hands[i]))
    return pool.by_call(reading, ctx, left)


def _ended(ctx: Context, among: int, tally: WalkTally) -> None:
    if stops_below_game(ctx):
        tally.note(tally.below_game, auction_text(ctx.calls), among, "")


def _name(option: OfferedCall) -> str:
    return f"{option.rule.id} {CALLS[option.call].ascii}"


def _case(pool: Pool, many: int) -> str:
    return str(Hand(int(pool.hands.bits[next(members(many))])))
