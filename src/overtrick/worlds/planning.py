"""Decides how a dealing problem is worked: who is counted, who is tried, who just gets cards.
Nothing here changes what is dealt, only how many tries it takes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import comb, prod
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation.holdings import table
from overtrick.game import Seat, Side
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import ALWAYS
from overtrick.worlds.counting import HandCounter, suit_table
from overtrick.worlds.pairs import PairCounter, lengths_of, subsets
from overtrick.worlds.problem import DealingProblem, ImpossibleDeal, suit_filters
from overtrick.worlds.regions import POINTS, region
from overtrick.worlds.splitting import choose_from
from overtrick.worlds.together import UnionCounter, side_words

Bits = NDArray[np.uint64]
Bools = NDArray[np.bool_]
_RAW_ABOVE: Final = 0.35  # a constraint this common is met faster by trying than by counting
_PAIR_GAIN: Final = 2.5  # counting two hands costs about this much more than counting one


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """Seats drawn from a count, seats tested after a random draw, seats that just get cards."""

    drawn: tuple[int, ...]
    tested: tuple[int, ...]
    free: tuple[int, ...]
    source: HandCounter | PairCounter | UnionCounter | None
    pool: int
    need: int
    chance: float  # that random hands of the drawn seats are among those drawn
    exact: bool  # what is drawn satisfies the first seat's constraint as it is

    @property
    def last_tested(self) -> bool:
        return bool(self.tested) and not self.free

    def draw(self, n: int, rng: Generator) -> tuple[Bits, ...]:
        """About n draws of the new cards of the drawn seats."""
        if isinstance(self.source, PairCounter | UnionCounter):
            return self.source.draw(n, rng)
        if self.source is None:
            return (choose_from(rng, self.pool, self.need, n)[:n],)
        return (self.source.hands(rng.integers(0, self.source.total, size=n)),)


@dataclass(frozen=True, slots=True)
class _Count:
    """What is known about one constrained seat before any plan is made."""

    counter: HandCounter
    exact: bool
    chance: float  # that a random hand is counted
    by_shape: float  # that it has one of the counted shapes

    @property
    def residual(self) -> float:
        """Of hands with a fitting shape, how many fit."""
        return self.chance / self.by_shape


def make_plan(problem: DealingProblem) -> SamplingPlan:
    """The plan that should need the least work; `ImpossibleDeal` if a seat has no hand."""
    seats = problem.unknown
    if not seats:
        return SamplingPlan((), (), (), None, 0, 0, 1.0, True)
    told = list(_others(problem, -1))
    if len(seats) == 2:
        told = told[:1]  # the other hand is its complement, and part of the same count
    counts = {s: _count(problem, s) for s in told}
    union = _union_plan(problem, counts)
    if not told:
        free = SamplingPlan((), (), tuple(seats), None, problem.pool, 0, 1.0, True)
        return free if union is None or union.chance > _RAW_ABOVE else union
    told.sort(key=lambda s: counts[s].chance)
    acceptance = prod(counts[s].chance for s in told[1:])
    pair = max(permutations(told, 2), key=lambda ab: _pair_acceptance(counts, *ab), default=None)
    paired = _pair_acceptance(counts, *pair) / _PAIR_GAIN if pair is not None else 0.0
    every = prod(c.chance for c in counts.values()) / _PAIR_GAIN
    if union is not None and every > max(acceptance, paired) * union.chance:
        return union
    if pair is not None and paired > acceptance:
        return _pair_plan(problem, counts, pair)
    return _single_plan(problem, counts, told)


def _single_plan(
    problem: DealingProblem, counts: dict[int, _Count], told: list[int]
) -> SamplingPlan:
    """The rarest seat from its count, unless it is so common that trying is faster."""
    first, seats = told[0], problem.unknown
    others = tuple(told[1:]) or _others(problem, first)
    free = tuple(s for s in seats if s != first and s not in others)
    need, c = problem.needs[first], counts[first]
    if c.chance > _RAW_ABOVE and not problem.voids[first] and len(seats) > 2:
        return SamplingPlan((first,), others, free, None, problem.pool, need, 1.0, False)
    return SamplingPlan((first,), others, free, c.counter, problem.pool, need, c.chance, c.exact)


def _union_plan(problem: DealingProblem, counts: dict[int, _Count]) -> SamplingPlan | None:
    """Both hands of a side from the count of what they have together, if all four are open."""
    rule = problem.together
    if rule is None or len(problem.unknown) < 4:
        return None
    known = problem.known[Seat.NORTH] | problem.known[Seat.SOUTH]
    need, need_too = problem.needs[Seat.NORTH], problem.needs[Seat.SOUTH]
    counter = UnionCounter.of(rule, problem.pool, known, need)
    if not counter.total:
        raise ImpossibleDeal(side_words(Side.NS, rule))
    chance = counter.total / comb(problem.pool.bit_count(), need + need_too)
    pair = (int(Seat.NORTH), int(Seat.SOUTH))
    tested = tuple(s for s in counts if s not in pair)
    free = tuple(s for s in problem.unknown if s not in pair and s not in tested)
    return SamplingPlan(pair, tested, free, counter, problem.pool, need, chance, False)


def _others(problem: DealingProblem, first: int) -> tuple[int, ...]:
    """The seats beside the first about which something was said."""
    rules, voids = problem.constraints, problem.voids
    return tuple(s for s in problem.unknown if s != first and (rules[s] != ALWAYS or voids[s]))


def _pair_acceptance(counts: dict[int, _Count], a: int, b: int) -> float:
    return counts[b].residual * prod(c.chance for s, c in counts.items() if s not in (a, b))


def _pair_plan(
    problem: DealingProblem, counts: dict[int, _Count], ab: tuple[int, ...]
) -> SamplingPlan:
    """One seat's hand and another's shape from their joint count."""
    a, b = ab
    shapes = np.zeros(sh.COUNT, bool)
    shapes[counts[b].counter.rows] = True
    pair = PairCounter.of(
        counts[a].counter, problem.pool, problem.known[a], problem.known[b], shapes
    )
    if not pair.total:
        raise ImpossibleDeal(
            f"{Seat(a)} and {Seat(b)} cannot have {problem.constraints[a].words()}"
            f" and {problem.constraints[b].words()} together"
        )
    size, need = problem.pool.bit_count(), problem.needs[a]
    all_pairs = comb(size, need) * comb(size - need, problem.needs[b])
    tested = tuple(s for s in counts if s not in ab)
    free = tuple(s for s in problem.unknown if s not in counts)
    chance = pair.total / all_pairs
    return SamplingPlan((a, b), tested, free, pair, problem.pool, need, chance, counts[a].exact)


def _count(problem: DealingProblem, seat: int) -> _Count:
    """The exact count of hands for a seat, narrowed by what the other seats leave it."""
    rule, voids = problem.constraints[seat], problem.voids[seat]
    filters, exact = suit_filters(rule)
    mine = problem.pool & ~voids
    known = problem.known[seat]
    suits = tuple(suit_table(s, mine, known, filters[s]) for s in range(4))
    allowed = region(rule).outer & _left_by_others(problem, seat)
    counter = HandCounter.of(suits, allowed)  # type: ignore[arg-type]
    if not counter.total:
        raise ImpossibleDeal(f"{Seat(seat)} cannot have {rule.words()} beside what is known")
    size = problem.pool.bit_count()
    every = comb(size, problem.needs[seat])
    return _Count(
        counter, exact, counter.total / every, _shape_ways(problem, seat, counter) / every
    )


def _shape_ways(problem: DealingProblem, seat: int, counter: HandCounter) -> int:
    """How many hands have one of the counter's shapes."""
    free, have = lengths_of(problem.pool), lengths_of(problem.known[seat])
    new = sh.lengths_array()[counter.rows].astype(np.int64) - have
    new = new[(new >= 0).all(axis=1)]
    ways = subsets().ways[free, new]
    return int(ways.prod(axis=1).sum())


def _left_by_others(problem: DealingProblem, seat: int) -> Bools:
    """Classes of a seat that leave the others what they need; exact when one other is open."""
    others = [s for s in problem.unknown if s != seat]
    closed = [s for s in range(4) if s != seat and s not in others]
    known = {s: _holds(problem.known[s]) for s in closed}
    points = 40 - sum(p for p, _ in known.values())  # of this seat and the open ones together
    cards = [13 - sum(lengths[i] for _, lengths in known.values()) for i in range(4)]
    if len(others) == 1:
        return _mirrored(region(problem.constraints[others[0]]).outer, points, cards)
    bounds = [problem.constraints[s].bounds() for s in others]
    left = points - np.arange(POINTS)
    low, high = sum(b.hcp[0] for b in bounds), sum(b.hcp[1] for b in bounds)
    allowed = np.broadcast_to((left >= low) & (left <= high), (sh.COUNT, POINTS))
    for suit in range(4):
        remain = cards[suit] - sh.lengths_array()[:, suit].astype(np.int64)
        low = sum(b.lengths[suit][0] for b in bounds)
        high = sum(b.lengths[suit][1] for b in bounds)
        allowed = allowed & ((remain >= low) & (remain <= high))[:, None]
    return allowed


def _mirrored(other: Bools, points: int, cards: list[int]) -> Bools:
    """The classes of one hand whose complement, in another's hand, is in `other`."""
    mirror = np.array(cards, np.int64) - sh.lengths_array()
    real = np.asarray(((mirror >= 0) & (mirror <= 13)).all(axis=1))
    c, d, h, s = np.where(real[:, None], mirror, 0).T
    number = sh.shape_table()[((c * 14 + d) * 14 + h) * 14 + s]
    real &= number < sh.COUNT
    left = points - np.arange(POINTS)
    fits = (left >= 0) & (left < POINTS)
    picked = other[np.where(real, number, 0)][:, np.where(fits, left, 0)]
    out: Bools = picked & real[:, None] & fits
    return out


def _holds(bits: int) -> tuple[int, list[int]]:
    """HCP and lengths of a set of cards."""
    parts = [bits >> 13 * s & 0x1FFF for s in range(4)]
    return sum(int(table("hcp")[p]) for p in parts), [p.bit_count() for p in parts]
