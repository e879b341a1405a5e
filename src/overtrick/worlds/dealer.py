"""Deals that satisfy constraints on any seats, uniformly among all such deals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.game import BridgeError, Deal, Hand, ParseError, PartialDeal, Seat, Side, WrongType
from overtrick.game.errors import expect
from overtrick.worlds.constraints import ALWAYS, Constraint
from overtrick.worlds.planning import make_plan
from overtrick.worlds.problem import DealingProblem, TooRare, pose
from overtrick.worlds.splitting import choose, deal_out
from overtrick.worlds.together import Together, UnionCounter

Hands = NDArray[np.uint64]
Wishes = Mapping[Seat, Constraint] | Mapping[str, str] | Mapping[Seat | str, Constraint | str]
Accept = Callable[[Hands], NDArray[np.bool_]]
_BATCH: Final = 1 << 14
_DRAWN: Final = 1000  # deals whose points a drawing counts
DEFAULT_BUDGET: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class DealSample:
    """Deals and how they were come by. `hands[i, seat]` is a 52-bit hand.

    >>> from overtrick.worlds import Dealer
    >>> found = Dealer({"N": "hcp 15..17, balanced"}).sample(3, seed=1)
    >>> len(found), [deal.north.hcp for deal in found]
    (3, [15, 16, 15])
    """

    hands: Hands
    proposals: int
    chance: float

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, i: int) -> Deal:
        return _deal(self.hands[i].tolist())

    def __iter__(self) -> Iterator[Deal]:
        return (_deal(row) for row in self.hands.tolist())

    def _repr_html_(self) -> str:
        from overtrick.notation.charts import bars, chart

        seats = []
        for seat in Seat:
            points = [Hand(int(bits)).hcp for bits in self.hands[:_DRAWN, seat]]
            mean = sum(points) / max(len(points), 1)
            seats.append((str(seat), mean, f"{mean:.1f} hcp on average"))
        said = "" if self.chance >= 1 else f", one deal in {1 / self.chance:,.0f} is like these"
        deals = "".join(deal._repr_html_() for deal in list(self)[:1])
        return chart(f"{len(self):,} deals{said}", bars(seats), deals)

    @property
    def acceptance(self) -> float:
        """The share of proposed deals that satisfied everything."""
        return len(self.hands) / self.proposals if self.proposals else 0.0


def _deal(row: list[int]) -> Deal:
    a, b, c, d = row
    return Deal((Hand(a), Hand(b), Hand(c), Hand(d)))


class Dealer:
    """Deals under constraints. The deals are independent and uniform among all that fit.

    One seat's hand is drawn from an exact count of its (shape, hcp) classes and suit holdings,
    together with the shape of a second seat if that is rare; the others get the rest at random
    and whole deals are rejected until all constraints hold. With two hands unknown, both are
    part of the count.

    >>> dealer = Dealer({"N": "hcp 15..17, balanced"})
    >>> dealt = dealer.sample(100, seed=1)
    >>> len(dealt), dealt[0].north.is_balanced, 15 <= dealt[0].north.hcp <= 17
    (100, True, True)
    """

    def __init__(
        self,
        constraints: Wishes | None = None,
        *,
        known: PartialDeal | str | None = None,
        voids: Mapping[Seat, Collection[int]] | None = None,
        together: Mapping[Side, Together] | None = None,
        accept: Accept | None = None,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        """`voids` are suits of which a seat gets no card beyond its known ones; `together` says
        what a side has in its two hands; `accept` may reject whole deals (uint64[n, 4] →
        bool[n]); `budget` limits proposals per deal found."""
        rules = {s: c.simplify() for s, c in wished(constraints).items()}
        known = PartialDeal.parse(known) if isinstance(known, str) else known
        self.problem: DealingProblem = pose(rules, known, voids, together)
        self.accept = accept
        self.budget = budget
        self._plan = make_plan(self.problem)

    def sample(
        self, n: int, rng: Generator | int | None = None, *, seed: int | None = None
    ) -> DealSample:
        """n deals, or `TooRare` when the budget is spent without one.

        Randomness is a generator or a seed; without either, every call deals anew.
        """
        expect(n, (int, np.integer), "the number of deals", "a whole number")
        rng = generator(seed if rng is None else rng)
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
        return DealSample(kept, max(used, len(kept)), self._plan.chance * rate)

    def attempt(self, n: int, rng: Generator) -> DealSample:
        """What n proposals give, perhaps nothing: for those who have to watch the clock."""
        hands, tried = self._propose(min(n, _BATCH), rng)
        rate = len(hands) / tried if tried else 0.0
        return DealSample(hands, tried, self._plan.chance * rate)

    def deals(self, rng: Generator | int | None = None) -> Iterator[Deal]:
        """Deals without end, made in batches."""
        rng = generator(rng)
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
        if not plan.drawn:
            return self._rest(out, np.full(n, problem.pool, np.uint64), rng), n
        new = plan.draw(n, rng)
        rows, rest = out[: len(new[0])], np.full(len(new[0]), problem.pool, np.uint64)
        for seat, cards in zip(plan.drawn, new, strict=True):
            rows[:, seat] |= cards
            rest ^= cards
        for i, seat in enumerate(plan.drawn):
            if i or not plan.exact:
                keep = self._fits(seat, rows)
                rows, rest = rows[keep], rest[keep]
        for seat in plan.tested[:-1] if plan.last_tested else plan.tested:
            cards = choose(rng, rest, problem.needs[seat])
            rows[:, seat] |= cards
            keep = self._fits(seat, rows)
            rows, rest = rows[keep], (rest ^ cards)[keep]
        return self._rest(rows, rest, rng), len(new[0])

    def _rest(self, rows: Hands, rest: Hands, rng: Generator) -> Hands:
        """Deal what is left; the last tested seat takes all of it if nobody else is open."""
        plan, problem = self._plan, self.problem
        if plan.last_tested:
            seat = plan.tested[-1]
            rows[:, seat] |= rest
            rows = rows[self._fits(seat, rows)]
        elif plan.free and len(rows):
            needs = [problem.needs[s] for s in plan.free]
            for seat, cards in zip(plan.free, deal_out(rng, rest, needs), strict=True):
                rows[:, seat] |= cards
        return self._finish(rows)

    def _fits(self, seat: int, rows: Hands) -> NDArray[np.bool_]:
        """Which rows give this seat cards it may hold, and a hand it should."""
        rule = self.problem.constraints[seat]
        barred = self.problem.voids[seat] & ~self.problem.known[seat]
        keep: NDArray[np.bool_] = (rows[:, seat] & np.uint64(barred)) == 0
        if rule != ALWAYS:
            keep &= rule.mask(HandArray(rows[:, seat]))
        return keep

    def _finish(self, rows: Hands) -> Hands:
        rule = self.problem.together
        if rule is not None and not isinstance(self._plan.source, UnionCounter):
            rows = rows[rule.mask(rows[:, Seat.NORTH] | rows[:, Seat.SOUTH])]
        if self.accept is not None and len(rows):
            rows = rows[self.accept(rows)]
        return rows


def deals(
    n: int, rng: Generator | int | None = None, constraints: Wishes | None = None
) -> list[Deal]:
    """n deals in which these seats hold such hands.

    >>> [deal.south.hcp >= 20 for deal in deals(2, 7, {"S": "hcp 20+"})]
    [True, True]
    """
    return list(Dealer(constraints).sample(n, rng))


def generator(seed: Generator | int | None) -> Generator:
    """A generator as it is, or the one of a seed."""
    if seed is None or isinstance(seed, int | Generator | np.integer):
        return np.random.default_rng(seed)
    raise WrongType("a seed", "a whole number or a numpy Generator", seed)


def wished(wishes: Wishes | None) -> dict[Seat, Constraint]:
    """Constraints by seat; seats may be letters, constraints text in the language of `parse`."""
    from overtrick.worlds.language import parse

    if wishes is not None and not isinstance(wishes, Mapping):
        raise WrongType("constraints", "a dict like {'N': 'hcp 15..17, balanced'}", wishes)
    out: dict[Seat, Constraint] = {}
    for seat, rule in (wishes or {}).items():
        if not isinstance(rule, Constraint | str):
            raise WrongType("a constraint", "text like 'hcp 15..17, balanced'", rule)
        try:
            out[Seat(seat)] = parse(rule) if isinstance(rule, str) else rule
        except ParseError as error:
            raise BridgeError(f"{Seat(seat)}: {error}") from None
    return out
