"""Deals that satisfy constraints on any seats, uniformly among all such deals.
Used by samplers, `overtrick deal`, deal scripts, and everything that needs hands of a kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.evaluation.holdings import table
from overtrick.game import Deal, Hand, PartialDeal, Seat
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import ALWAYS, Constraint
from overtrick.worlds.counting import HandCounter, suit_table
from overtrick.worlds.problem import ImpossibleDeal, Problem, TooRare, pose, suit_filters
from overtrick.worlds.regions import POINTS, region
from overtrick.worlds.splitting import choose, choose_from, deal_out

Hands = NDArray[np.uint64]
Accept = Callable[[Hands], NDArray[np.bool_]]
_BATCH: Final = 1 << 14
_RAW_ABOVE: Final = 0.35  # a constraint this common is met faster by trying than by counting
DEFAULT_BUDGET: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class Dealt:
    """Deals and how they were come by. `hands[i, seat]` is a 52-bit hand."""

    hands: Hands
    proposals: int
    chance: float

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, i: int) -> Deal:
        return _deal(self.hands[i].tolist())

    def __iter__(self) -> Iterator[Deal]:
        return (_deal(row) for row in self.hands.tolist())

    @property
    def acceptance(self) -> float:
        """The share of proposed deals that satisfied everything."""
        return len(self.hands) / self.proposals if self.proposals else 0.0


def _deal(row: list[int]) -> Deal:
    a, b, c, d = row
    return Deal((Hand(a), Hand(b), Hand(c), Hand(d)))


class Dealer:
    """Deals under constraints. The deals are independent and uniform among all that fit.

    One seat's hand is drawn from an exact count of its (shape, hcp) classes and suit holdings;
    the others get the rest at random and whole deals are rejected until all constraints hold.
    With two hands unknown, both are part of the count.

    >>> from overtrick.worlds import parse
    >>> dealer = Dealer({Seat.NORTH: parse("hcp 15..17, balanced")})
    >>> dealt = dealer.sample(100, np.random.default_rng(1))
    >>> len(dealt), dealt[0][Seat.NORTH] == Hand(int(dealt.hands[0, 0]))
    (100, True)
    """

    def __init__(
        self,
        constraints: Mapping[Seat, Constraint] | None = None,
        *,
        known: PartialDeal | None = None,
        voids: Mapping[Seat, Collection[int]] | None = None,
        accept: Accept | None = None,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        """`voids` are suits of which a seat gets no card beyond its known ones; `accept` may
        reject whole deals (uint64[n, 4] → bool[n]); `budget` limits proposals per deal found."""
        rules = {s: c.simplify() for s, c in (constraints or {}).items()}
        self.problem: Problem = pose(rules, known, voids)
        self.accept = accept
        self.budget = budget
        self._plan = _plan(self.problem)

    def sample(self, n: int, rng: Generator) -> Dealt:
        """n deals, or `TooRare` when the budget is spent without one."""
        found: list[Hands] = []
        have = proposals = since_last = 0
        size = min(_BATCH, max(64, 2 * n))
        while have < n:
            batch, tried = self._propose(size, rng)
            proposals += tried
            since_last += tried
            if len(batch):
                found.append(batch)
                have += len(batch)
                since_last = 0
            elif since_last >= self.budget:
                raise self._too_rare(since_last)
            if have:
                size = int(1.1 * (n - have) * proposals / have) + 64
            size = min(_BATCH, size if have else 2 * size)
        hands = np.concatenate(found) if found else np.zeros((0, 4), np.uint64)
        rate = have / proposals if proposals else 0.0
        kept = hands[:n]
        used = round(proposals * len(kept) / have) if have else 0
        return Dealt(kept, max(used, len(kept)), self._plan.chance * rate)

    def deals(self, rng: Generator) -> Iterator[Deal]:
        """Deals without end, made in batches."""
        size = 16
        while True:
            yield from self.sample(size, rng)
            size = min(4096, 2 * size)

    def _too_rare(self, tried: int) -> TooRare:
        bound = self._plan.chance / tried
        return TooRare(
            f"no deal fits in {tried:,} proposals: rarer than about 1 in {1 / bound:,.0f} deals",
            tried,
            bound,
        )

    def _propose(self, n: int, rng: Generator) -> tuple[Hands, int]:
        """About n proposals: those that satisfy everything, and how many there were."""
        plan, problem = self._plan, self.problem
        out = np.empty((n, 4), np.uint64)
        out[:] = np.array(problem.known, np.uint64)
        if plan.first is None:
            return self._finish(out), n
        new = plan.draw(n, rng)
        rows = out[: len(new)]
        rows[:, plan.first] |= new
        rest = new ^ np.uint64(problem.pool)
        if not plan.exact:
            keep = problem.constraints[plan.first].mask(np.ascontiguousarray(rows[:, plan.first]))
            rows, rest = rows[keep], rest[keep]
        for seat in plan.tested[:-1] if plan.last_tested else plan.tested:
            cards = choose(rng, rest, problem.needs[seat])
            rows[:, seat] |= cards
            keep = self._fits(seat, cards, rows)
            rows, rest = rows[keep], (rest ^ cards)[keep]
        return self._rest(rows, rest, rng), len(new)

    def _rest(self, rows: Hands, rest: Hands, rng: Generator) -> Hands:
        """Deal what is left; the last tested seat takes all of it if nobody else is open."""
        plan, problem = self._plan, self.problem
        if plan.last_tested:
            seat = plan.tested[-1]
            rows[:, seat] |= rest
            rows = rows[self._fits(seat, rest, rows)]
        elif plan.free and len(rows):
            needs = [problem.needs[s] for s in plan.free]
            for seat, cards in zip(plan.free, deal_out(rng, rest, needs), strict=True):
                rows[:, seat] |= cards
        return self._finish(rows)

    def _fits(self, seat: int, cards: Hands, rows: Hands) -> NDArray[np.bool_]:
        rule, void = self.problem.constraints[seat], self.problem.voids[seat]
        keep: NDArray[np.bool_] = (cards & np.uint64(void)) == 0
        if rule != ALWAYS:
            keep &= rule.mask(HandArray(rows[:, seat]))
        return keep

    def _finish(self, rows: Hands) -> Hands:
        if self.accept is not None and len(rows):
            rows = rows[self.accept(rows)]
        return rows


@dataclass(frozen=True, slots=True)
class _Plan:
    """Who is drawn first and how; who is tested after a random draw; who just gets cards."""

    first: int | None
    tested: tuple[int, ...]
    free: tuple[int, ...]
    counter: HandCounter | None
    pool: int
    need: int
    chance: float  # that a random hand of `first` is among those drawn
    exact: bool  # what is drawn satisfies first's constraint as it is

    @property
    def last_tested(self) -> bool:
        return bool(self.tested) and not self.free

    def draw(self, n: int, rng: Generator) -> Hands:
        if self.counter is None:
            return choose_from(rng, self.pool, self.need, n)[:n]
        return self.counter.hands(rng.integers(0, self.counter.total, size=n))


def _plan(problem: Problem) -> _Plan:
    """Draw the seat with the rarest constraint first, then test the others, rarest first."""
    seats = problem.unknown
    if not seats:
        return _Plan(None, (), (), None, 0, 0, 1.0, True)
    told = [s for s in seats if problem.constraints[s] != ALWAYS or problem.voids[s]]
    counters = {s: _counter(problem, s) for s in told}
    size = problem.pool.bit_count()
    chances = {s: c.total / comb(size, problem.needs[s]) for s, (c, _) in counters.items()}
    for seat in told:
        if not counters[seat][0].total:
            wanted = problem.constraints[seat].words()
            raise ImpossibleDeal(f"{Seat(seat)} cannot have {wanted} beside what is known")
    order = sorted(seats, key=lambda s: chances.get(s, 2.0))
    first, tested = order[0], tuple(s for s in order[1:] if s in told)
    free = tuple(s for s in order[1:] if s not in told)
    need = problem.needs[first]
    common = chances.get(first, 2.0) > _RAW_ABOVE and not problem.voids[first]
    if not told or (common and len(seats) > 2):
        return _Plan(first, tested, free, None, problem.pool, need, 1.0, not told)
    counter, exact = counters[first]
    return _Plan(first, tested, free, counter, problem.pool, need, chances[first], exact)


def _counter(problem: Problem, seat: int) -> tuple[HandCounter, bool]:
    """The exact count of hands for a seat, narrowed by what the other seats leave it."""
    rule = problem.constraints[seat]
    filters, exact = suit_filters(rule)
    mine = problem.pool & ~problem.voids[seat]
    suits = tuple(suit_table(s, mine, problem.known[seat], filters[s]) for s in range(4))
    allowed = region(rule).outer & _left_by_others(problem, seat)
    return HandCounter.of(suits, allowed), exact  # type: ignore[arg-type]


def _left_by_others(problem: Problem, seat: int) -> NDArray[np.bool_]:
    """Classes of a seat that leave the others what they need; exact when one other is open."""
    others = [s for s in problem.unknown if s != seat]
    hcp = np.arange(POINTS)
    lengths = sh.lengths_array().astype(np.int64)
    known = [_holds(problem.known[s]) for s in range(4)]
    spent_points = sum(known[s][0] for s in range(4) if s != seat and s not in others)
    points_left = 40 - spent_points  # for this seat and the open ones together
    spent = [
        sum(known[s][1][i] for s in range(4) if s != seat and s not in others) for i in range(4)
    ]
    if len(others) == 1:
        return _mirrored(region(problem.constraints[others[0]]).outer, points_left, spent)
    bounds = [problem.constraints[s].bounds() for s in others]
    low = sum(b.hcp[0] for b in bounds)
    high = sum(b.hcp[1] for b in bounds)
    allowed = np.broadcast_to(
        (points_left - hcp >= low) & (points_left - hcp <= high), (560, POINTS)
    )
    for suit in range(4):
        remain = 13 - spent[suit] - lengths[:, suit]
        fits = (remain >= sum(b.lengths[suit][0] for b in bounds)) & (
            remain <= sum(b.lengths[suit][1] for b in bounds)
        )
        allowed = allowed & fits[:, None]
    return allowed


def _mirrored(other: NDArray[np.bool_], points: int, spent: list[int]) -> NDArray[np.bool_]:
    """The classes of one hand whose complement, in another's hand, is in `other`."""
    out = np.zeros((sh.COUNT, POINTS), bool)
    numbers = sh.shape_number()
    for i, (c, d, h, s) in enumerate(sh.shapes()):
        mirror = (13 - spent[0] - c, 13 - spent[1] - d, 13 - spent[2] - h, 13 - spent[3] - s)
        j = numbers.get(mirror)
        if j is None:
            continue
        for p in range(POINTS):
            if 0 <= points - p < POINTS and other[j, points - p]:
                out[i, p] = True
    return out


def _holds(bits: int) -> tuple[int, list[int]]:
    """HCP and lengths of a set of cards."""
    parts = [bits >> 13 * s & 0x1FFF for s in range(4)]
    return sum(int(table("hcp")[p]) for p in parts), [p.bit_count() for p in parts]


def deals(
    n: int, rng: Generator, constraints: Mapping[Seat, Constraint] | None = None
) -> list[Deal]:
    """n deals in which these seats hold such hands."""
    return list(Dealer(constraints).sample(n, rng))
