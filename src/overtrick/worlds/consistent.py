"""RBMBMC: the K deals most consistent with an auction that a budget finds (Amit & Markovitch 2006).
What a call says about its maker's hand comes in as a vectorised test.

Ways to propose deals, all fair to every consistent deal:
    plain    the 39 unseen cards dealt at random, as in the paper
    staged   hand by hand, the most telling first; hands that fail are not completed
    exact    from a constraint dealer, mixed with plain deals and weighted by what the mixture is
    auto     staged; when that finds too few, dealt so that some rule explains every call (which
             leaves out hands that no rule fits, and so needs no weights)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.engines.clock import now, spend
from overtrick.evaluation import HandArray
from overtrick.game.cards import ALL_CARDS
from overtrick.worlds.dealer import Dealer
from overtrick.worlds.splitting import deal_out
from overtrick.worlds.tellers import at_random, holding, most_telling, teller_first
from overtrick.worlds.weighted import Worlds

Hands = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]
Proposal = Literal["plain", "staged", "exact", "auto"]
MakeDealer = Callable[[], Dealer | None]
_CHUNK: Final = 4096
_CHECKED: Final = 2e-6  # seconds that a deal takes to be dealt and checked, where work is counted
_DEALT: Final = 2048  # proposals of the dealer at a time, so that the clock is seen
_PATIENCE: Final = 9_000  # instances after which `auto` asks the dealer
_SPLITS: Final = 8  # ways to complete one hand that passed its stage
_PLAIN_SHARE: Final = 0.1  # of the exact proposal, so that no consistent deal is out of reach


@dataclass(frozen=True, slots=True)
class CallTest:
    """One call of the auction: its maker, and which hands might have made it."""

    seat: int
    test: Callable[[HandArray], Mask]
    told: float = 1.0  # how much it says, larger is tested sooner


@dataclass(frozen=True, slots=True)
class SamplingBudget:
    """What sampling may cost: seconds, instances checked, or whichever is spent first."""

    seconds: float | None = None
    instances: int | None = None

    def deadline(self) -> float:
        return float("inf") if self.seconds is None else now() + self.seconds


@dataclass(frozen=True, slots=True)
class Sample:
    """K worlds with the number of calls each fails to explain; `weights` sum to 1."""

    hands: Hands  # [k, seat]
    inconsistent: Counts
    weights: NDArray[np.float64]
    generated: int  # instances dealt and checked, up to the one that completed the sample
    seconds: float
    proposal: Proposal = "plain"
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def perfect(self) -> bool:
        """Does every world explain every call?"""
        return bool(len(self.hands)) and not self.inconsistent.any()


def rbmbmc(
    seat: int,
    hand: int,
    tests: Sequence[CallTest],
    budget: SamplingBudget,
    k: int,
    *,
    rng: Generator,
    proposal: Proposal = "staged",
    dealer: MakeDealer | None = None,
) -> Sample:
    """The k most consistent deals for a seat that holds `hand`: a contract algorithm.

    It ends when k deals explain every call or the budget is spent; at least k deals are looked
    at in any case. Among deals that explain everything the earliest stay, so these are fair.
    `dealer` makes the dealer of the exact proposal, and is asked only if that is used.
    """
    started, deadline = now(), budget.deadline()
    most = budget.instances if budget.instances is not None else 1 << 60
    exact = dealer() if dealer is not None and proposal == "exact" else None
    source = _Source(seat, hand, tuple(tests), rng, exact)
    source.share = _PLAIN_SHARE if proposal == "exact" else 0.0
    kept = _Kept(k, len(tests) + 1)
    used, size = 0, max(k, 16)
    while not kept.finished and (used == 0 or (used < most and now() < deadline)):
        if used:
            size = min(size, most - used)
        if proposal == "auto" and used >= _PATIENCE and source.dealer is None and dealer:
            source.dealer, dealer = dealer(), None
        whole = proposal in ("plain", "exact") or source.dealer is not None or not used
        found, counts, weights, looked = (source.whole if whole else source.staged)(
            size, kept.cutoff
        )
        spend(looked * _CHECKED)
        used += ceil(looked * kept.add(found, counts, weights))
        size = min(_CHUNK if source.dealer is None else _DEALT, 4 * size)
    hands, counts, weights = kept.best()
    return Sample(hands, counts, weights, used, now() - started, proposal, tuple(source.notes))


def inconsistencies(hands: Hands, tests: Sequence[CallTest], cutoff: int) -> Counts:
    """How many calls each deal fails to explain; counting stops at `cutoff` (Figure 2)."""
    counts = np.zeros(len(hands), np.int64)
    alive = np.arange(len(hands))
    seen: dict[int, HandArray] = {}
    for call in sorted(tests, key=lambda t: -t.told):
        if call.seat not in seen:
            seen[call.seat] = HandArray(hands[alive, call.seat])
        failed = ~call.test(seen[call.seat])
        counts[alive[failed]] += 1
        stay = counts[alive] < cutoff
        if not stay.all():
            alive = alive[stay]
            seen = {}
            if not len(alive):
                break
    return counts


class _Kept:
    """The k most consistent deals so far, those of equal count in the order they came."""

    def __init__(self, k: int, cutoff: int) -> None:
        self.k, self.cutoff = k, cutoff
        self._hands: Hands = np.zeros((0, 4), np.uint64)
        self._counts: Counts = np.zeros(0, np.int64)
        self._weights = np.zeros(0)

    @property
    def finished(self) -> bool:
        return len(self._hands) >= self.k and self.cutoff == 0

    def add(self, hands: Hands, counts: Counts, weights: NDArray[np.float64]) -> float:
        """Keep the best; which share of these deals was looked at until nothing was missing?"""
        missing = self.k - int((self._counts == 0).sum())
        perfect = np.flatnonzero(counts == 0)
        good = np.flatnonzero(counts < self.cutoff)
        counts = np.concatenate([self._counts, counts[good]])
        order = np.argsort(counts, kind="stable")[: self.k]
        self._counts = counts[order]
        self._hands = np.concatenate([self._hands, hands[good]])[order]
        self._weights = np.concatenate([self._weights, weights[good]])[order]
        if len(order) == self.k:
            self.cutoff = int(self._counts[-1])
        return (int(perfect[missing - 1]) + 1) / len(hands) if len(perfect) >= missing else 1.0

    def best(self) -> tuple[Hands, Counts, NDArray[np.float64]]:
        total = self._weights.sum()
        return self._hands, self._counts, self._weights / (total if total else 1.0)


Drawn = tuple[Hands, Counts, NDArray[np.float64], int]


class _Source:
    """Where deals come from; a draw gives deals, counts, weights, and how many were looked at."""

    def __init__(
        self,
        seat: int,
        hand: int,
        tests: tuple[CallTest, ...],
        rng: Generator,
        dealer: Dealer | None,
    ) -> None:
        self.seat, self.tests, self.rng, self.dealer = seat, tests, rng, dealer
        self.hand = np.uint64(hand)
        self.pool = ALL_CARDS & ~hand
        others = [(seat + step) & 3 for step in (2, 1, 3)]
        told = {s: sum(t.told for t in tests if t.seat == s) for s in others}
        self.order = most_telling(told)
        self.notes: list[str] = []
        self._tried = self._dealt = 0
        self._splits = 1
        self.share = 0.0  # of plain deals in the exact proposal

    def whole(self, n: int, cutoff: int) -> Drawn:
        """Whole deals, then all tests."""
        hands, weights = self._exact(n) if self.dealer is not None else (self._plain(n), None)
        counts = inconsistencies(hands, self.tests, cutoff)
        looked = n if self.dealer is not None else len(hands)
        return hands, counts, np.ones(len(hands)) if weights is None else weights, looked

    def _plain(self, n: int) -> Hands:
        hands = np.zeros((n, 4), np.uint64)
        hands[:, self.seat] = self.hand
        pool = np.full(n, self.pool, np.uint64)
        for seat, cards in zip(self.order, deal_out(self.rng, pool, [13] * 3), strict=True):
            hands[:, seat] = cards
        return hands

    def _exact(self, n: int) -> tuple[Hands, NDArray[np.float64]]:
        """A mixture of dealt and plain deals: weight = 1 / (density of the mixture)."""
        assert self.dealer is not None
        dealt = self.dealer.attempt(n, self.rng)
        self._tried += dealt.proposals
        self._dealt += len(dealt)
        if not self.share or not len(dealt):
            return dealt.hands, np.ones(len(dealt))
        plain = int(self.rng.binomial(round(len(dealt) / (1 - self.share)), self.share))
        chance = dealt.chance / dealt.acceptance * self._dealt / self._tried
        fair = self._plain(plain)
        inside = np.ones(plain, bool)
        for seat in self.order:
            rule = self.dealer.problem.constraints[seat]
            inside &= rule.mask(HandArray(fair[:, seat]))
        hands = np.concatenate([dealt.hands, fair])
        member = np.concatenate([np.ones(len(dealt), bool), inside])
        # Times the density of a plain deal; the dealer's deals are `1/chance` times as dense.
        density = self.share + (1 - self.share) * member / chance
        mixed = self.rng.permutation(len(hands))
        return hands[mixed], 1 / density[mixed]

    def staged(self, n: int, cutoff: int) -> Drawn:
        """Hand by hand; of each stage only the most consistent hands are completed.

        The logs of the worlds on their way are minus the calls that they do not explain.
        """
        looked = n

        def judge(seat: int, now: Worlds) -> Worlds:
            nonlocal looked
            mine = [t for t in self.tests if t.seat == seat]
            if mine:
                now = Worlds(now.deals, now.logs - inconsistencies(now.deals, mine, cutoff))
            if seat == self.order[2]:
                return now
            # The last hand is what is left: splitting before it would only repeat deals.
            first = seat == self.order[0]
            take = _going_on(-now.logs, cutoff, self._splits if mine and first else 1)
            looked += max(0, len(take) - len(np.unique(take))) if first else 0
            return now.taken(take)

        start = holding(self.seat, int(self.hand), n)
        found = teller_first(start, self.order, at_random(self.rng), judge)
        if n == _CHUNK:  # it is hard: make more of every hand that is found
            self._splits = min(_SPLITS, 2 * self._splits)
        counts = np.rint(-found.logs).astype(np.int64)
        return found.deals, counts, np.ones(len(found)), max(looked, 1)


def _going_on(counts: NDArray[np.float64], cutoff: int, times: int) -> NDArray[np.intp]:
    """The rows worth completing: those of the lowest count, each so many times."""
    if not len(counts) or counts.min() >= cutoff:
        return np.zeros(0, np.intp)
    best = np.flatnonzero(counts == counts.min())
    return np.tile(best, times)
