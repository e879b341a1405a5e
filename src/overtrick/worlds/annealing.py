"""Reversed simulated annealing for R-deals (PRAGMA, Figure 5), thousands of deals side by side.

Each deal starts from a random distribution of the unseen cards. Again and again two cards of two
unseen hands change places: a swap that helps, or does no harm, is kept; one that harms is rejected
with a probability that rises. Once all constraints hold, harmless swaps go on for a while and make
the deal forget how it was found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.game import PartialDeal, Seat
from overtrick.worlds.constraints import ALWAYS, Constraint, has
from overtrick.worlds.dealer import DealSample
from overtrick.worlds.problem import DealingProblem, TooRare, pose
from overtrick.worlds.satisfaction import shortfall
from overtrick.worlds.splitting import deal_out

Hands = NDArray[np.uint64]
Floats = NDArray[np.float32]
_BATCH: Final = 2048  # chains side by side: large enough to be fast, small enough for the cache
_ONE: Final = np.uint64(1)


@dataclass(frozen=True, slots=True)
class Cooling:
    """How long and how hot. Temperatures are in points of constraint satisfaction."""

    heat: float = 3.0  # a swap that harms by so much is at first kept with probability 1/e
    cooling: float = 0.95  # per swap
    most: int = 400  # swaps after which a deal that never fitted is given up
    harmless: int = 160  # swaps after the constraints are met

    def temperature(self, step: int) -> float:
        return max(self.heat * self.cooling**step, 1e-3)


DEFAULT: Final = Cooling()


class Annealer:
    """Deals under constraints by annealing; like `Dealer`, but the deals are only nearly uniform.

    >>> from overtrick.worlds import parse
    >>> annealer = Annealer({Seat.NORTH: parse("hcp 15..17, balanced")})
    >>> len(annealer.sample(50, np.random.default_rng(1)))
    50
    """

    def __init__(
        self,
        constraints: Mapping[Seat, Constraint] | None = None,
        *,
        known: PartialDeal | None = None,
        voids: Mapping[Seat, Collection[int]] | None = None,
        schedule: Cooling = DEFAULT,
    ) -> None:
        rules = {s: c.simplify() for s, c in (constraints or {}).items()}
        self.problem: DealingProblem = pose(rules, known, voids)
        self.schedule = schedule

    def sample(self, n: int, rng: Generator) -> DealSample:
        """n deals, or `TooRare` when hardly any chain finds one. `chance` is not known here."""
        found: list[Hands] = []
        have = swaps = tried = 0
        while have < n:
            size = max(32, n - have)
            if have < tried // 50:  # where hardly any chain fits, many at once say so sooner
                size = max(size, tried)
            size = min(_BATCH, size)
            hands, used = self._batch(size, rng)
            swaps += used * size
            tried += size
            have += len(hands)
            found.append(hands)
            if tried >= 4 * _BATCH + 4 * n and have < tried // 50:
                raise TooRare(f"annealing found {have} deals in {tried:,} chains", tried, 0.0)
        return DealSample(np.concatenate(found)[:n], max(swaps, n), float("nan"))

    def some(self, chains: int, rng: Generator) -> Hands:
        """The deals that so many chains find, perhaps none: for callers in a hurry."""
        return self._batch(chains, rng)[0]

    def _batch(self, size: int, rng: Generator) -> tuple[Hands, int]:
        problem = self.problem
        hands = np.empty((size, 4), np.uint64)
        hands[:] = np.array(problem.known, np.uint64)
        unknown = problem.unknown
        pool = np.full(size, problem.pool, np.uint64)
        needs = [problem.needs[s] for s in unknown]
        for seat, cards in zip(unknown, deal_out(rng, pool, needs), strict=True):
            hands[:, seat] |= cards
        fixed = np.array(problem.known, np.uint64)
        rules = [_with_void(problem, s) for s in range(4)]
        return anneal(hands, rules, unknown, rng, fixed=fixed, schedule=self.schedule)


def _with_void(problem: DealingProblem, seat: int) -> Constraint:
    """A seat's constraint, and that it gets no card of a suit it has shown out of."""
    barred = problem.voids[seat] & ~problem.known[seat]
    cards = [c for c in range(52) if barred >> c & 1]
    return problem.constraints[seat] & (has(cards, 0, 0) if cards else ALWAYS)


def anneal(
    hands: Hands,
    constraints: Sequence[Constraint],
    open_seats: Sequence[int],
    rng: Generator,
    *,
    fixed: Hands | None = None,
    schedule: Cooling = DEFAULT,
) -> tuple[Hands, int]:
    """Deals [n, seat] after annealing, without those that never fitted, and the swaps tried.

    Only `open_seats` exchange cards (not the `fixed` ones, [4] or [n, 4]); every deal may have
    hands of its own in the other seats.
    """
    state = _Chains(hands.copy(), constraints, list(open_seats), fixed)
    met = np.full(len(hands), -1)  # when each deal first satisfied everything
    step = 0
    if len(state.seats) > 1:
        while step < schedule.most + schedule.harmless:
            met[(met < 0) & (state.away == 0)] = step
            late = schedule.most if (met < 0).any() else 0
            if step >= max(int(met.max()) + schedule.harmless, late) and (step or late == 0):
                break
            state.swap(rng, schedule.temperature(step))
            step += 1
    return state.hands[state.away == 0], step


class _Chains:
    """Many deals, the cards each open seat may give away, and how far each seat is from fitting."""

    def __init__(
        self, hands: Hands, constraints: Sequence[Constraint], seats: list[int], fixed: Hands | None
    ) -> None:
        self.hands, self.rules = hands, constraints
        self.rows = np.arange(len(hands))
        loose = hands if fixed is None else hands & ~fixed
        self.cards = {s: _card_lists(loose[:, s]) for s in seats}
        self.seats = [s for s in seats if self.cards[s].shape[1]]
        self.short: dict[int, Floats] = {s: self._short(s, hands[:, s]) for s in self.seats}
        self.away: Floats = sum(self.short.values(), np.zeros(len(hands), np.float32))

    def _short(self, seat: int, bits: Hands) -> Floats:
        rule = self.rules[seat]
        if rule == ALWAYS:
            return np.zeros(len(bits), np.float32)
        return np.asarray(shortfall(rule, HandArray(bits)), np.float32)

    def swap(self, rng: Generator, temperature: float) -> None:
        """One swap in every deal, between the same two seats; kept or taken back."""
        a, b = (self.seats[i] for i in rng.permutation(len(self.seats))[:2])
        at_a = rng.integers(self.cards[a].shape[1], size=len(self.rows))
        at_b = rng.integers(self.cards[b].shape[1], size=len(self.rows))
        card_a, card_b = self.cards[a][self.rows, at_a], self.cards[b][self.rows, at_b]
        turned = (_ONE << card_a) | (_ONE << card_b)
        new_a, new_b = self.hands[:, a] ^ turned, self.hands[:, b] ^ turned
        short_a, short_b = self._short(a, new_a), self._short(b, new_b)
        harm = short_a + short_b - self.short[a] - self.short[b]
        luck = rng.random(len(self.rows), dtype=np.float32)
        keep = (harm <= 0) | ((self.away > 0) & (luck < np.exp(-np.maximum(harm, 0) / temperature)))
        self.hands[:, a] = np.where(keep, new_a, self.hands[:, a])
        self.hands[:, b] = np.where(keep, new_b, self.hands[:, b])
        self.cards[a][self.rows, at_a] = np.where(keep, card_b, card_a)
        self.cards[b][self.rows, at_b] = np.where(keep, card_a, card_b)
        self.short[a] = np.where(keep, short_a, self.short[a])
        self.short[b] = np.where(keep, short_b, self.short[b])
        self.away = np.where(keep, self.away + harm, self.away)
        self.away[self.away < 1e-3] = 0


def _card_lists(bits: Hands) -> Hands:
    """[n, k] card numbers of hands that all have k cards."""
    held = (bits[:, None] >> np.arange(52, dtype=np.uint64) & _ONE).astype(bool)
    count = int(held[0].sum()) if len(held) else 0
    return np.nonzero(held)[1].astype(np.uint64).reshape(len(bits), count)
