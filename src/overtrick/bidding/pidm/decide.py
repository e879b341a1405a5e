"""PIDM (seed 000, Figure 3): from what a player sees to what each of its calls is worth.
Used by the engine, by simulated players inside the lookahead, and by learning for its tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.models import PlayerModel, Position
from overtrick.bidding.pidm.lookahead import Endings, Lookahead, OutOfTime, Simulate
from overtrick.bidding.pidm.sampling import sample_worlds
from overtrick.bidding.pidm.settings import Counts, Settings
from overtrick.bidding.pidm.trust import trusted
from overtrick.bidding.utility import Contracts
from overtrick.systems.many import members
from overtrick.worlds.consistent import Budget, Sample

Floats = NDArray[np.float64]
_HOPE: Final = 2.0  # standard errors within which a call may still turn out better
_FIRST_HOPE: Final = 3.5  # the same after the first few worlds
_FIRST_BATCH: Final = 10
_ASKING: Final = 0.35  # the share of what is left for asking what partner knew
_RESERVE: Final = 0.05  # seconds kept for the last leaves and Python's collector


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision and all that it rests on. `calls[0]` is the player's first choice.

    `mean`, `error` and `values[world, call]` are in the units of the player's utility; IMPs and
    matchpoints are measured against the first choice. NaN where a call was given up on the way.
    """

    call: int
    calls: tuple[int, ...]
    mean: Floats
    error: Floats
    values: Floats
    weights: Floats
    hands: NDArray[np.uint64]
    inconsistent: NDArray[np.int64]
    counts: Counts
    fallback: str = ""
    endings: tuple[Endings, ...] = ()
    seconds: float = 0.0
    generated: int = 0
    start: int = 0  # calls before the decision

    @property
    def effective(self) -> float:
        """How many equally weighted worlds these are worth."""
        return float(1 / (self.weights**2).sum()) if len(self.weights) else 0.0

    def closes(self, number: int, share: float = 0.9) -> bool:
        """Is the auction over after this call, in nearly all worlds?"""
        if not self.endings or not self.endings[number]:
            return False
        ended = 0.0
        for calls, worlds in self.endings[number]:
            if not any(calls[self.start + 1 :]):
                ended += sum(self.weights[i] for i in members(worlds))
        looked = ~np.isnan(self.values[:, number])
        return ended >= share * float(self.weights[looked].sum())


@dataclass(slots=True)
class _Table:
    """What has been found out so far, batch by batch."""

    calls: list[int]
    values: list[Floats] = field(default_factory=list)
    hands: list[NDArray[np.uint64]] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)
    counts: list[NDArray[np.int64]] = field(default_factory=list)
    endings: list[Endings] = field(default_factory=list)
    open: list[int] = field(default_factory=list)

    def summary(self) -> tuple[Floats, Floats, Floats]:
        """Mean and error of each call, and the weights of the worlds."""
        values, weights = np.concatenate(self.values), np.concatenate(self.weights)
        weights = weights / weights.sum()
        mean = weights @ values
        spread = weights[:, None] ** 2 * (values - mean) ** 2
        few = len(weights) / max(len(weights) - 1, 1)
        return mean, np.sqrt(few * spread.sum(axis=0)), weights


def decide(
    player: PlayerModel,
    position: Position,
    hand: int,
    settings: Settings,
    *,
    rng: Generator,
    counts: Counts | None = None,
    calls: Sequence[int] | None = None,
    started: float | None = None,
) -> Outcome:
    """PIDM(PartialState, Agent, ResourceLimit): the call of the highest mean.

    `calls` replaces φ(s) when others are to be compared; the first of them is the first choice.
    """
    began = perf_counter() if started is None else started
    counts = Counts() if counts is None else counts
    counts.decisions += 1
    counts.refined += player.refined(position)
    if calls is None:
        calls = player.selection(position, np.array([hand], np.uint64)).calls()
    if len(calls) < 2:
        return _alone(calls, counts, began)
    counts.lookaheads += 1
    counts.stages.append(len(position.calls))
    deadline = began + settings.seconds - min(_RESERVE, 0.1 * settings.seconds)
    budget = Budget(settings.g * (deadline - perf_counter()), settings.instances)
    sample = sample_worlds(
        player, position, hand, budget, settings.worlds,
        proposal=settings.proposal, rng=rng, natural=settings.natural,
    )  # fmt: skip
    counts.instances += sample.generated
    counts.failures += not sample.perfect
    if settings.trust:
        left = _ASKING * (deadline - perf_counter())
        sample = trusted(player, position, sample, calls, rng, left)
    table = _Table(list(calls), open=list(range(len(calls))), endings=[[] for _ in calls])
    _look_ahead(player, position, sample, settings, (table, counts, deadline))
    return _outcome(table, sample, counts, began, len(position.calls))


def _look_ahead(
    player: PlayerModel,
    position: Position,
    sample: Sample,
    settings: Settings,
    state: tuple[_Table, Counts, float],
) -> None:
    """Batches of worlds until the sample, the time or the doubt is used up."""
    table, counts, deadline = state
    doubt = settings.doubt ** (sample.inconsistent - sample.inconsistent.min(initial=0))
    weights = sample.weights * doubt
    at, took = 0, 0.0
    while at < len(sample) and len(table.open) > 1:
        now = perf_counter()
        if at and now + took > deadline:
            return
        size = min(settings.batch, _FIRST_BATCH) if not at else settings.batch
        part = slice(at, at + size)
        ahead = Lookahead(player, position.turn, sample.hands[part], position, settings)
        ahead.weights, ahead.counts = weights[part], counts
        ahead.deadline, ahead.strict = deadline, at > 0
        ahead.simulate = _simulator(counts)
        try:
            _batch(ahead, position, table)
        except OutOfTime:
            return
        table.weights.append(weights[part])
        table.counts.append(sample.inconsistent[part])
        table.hands.append(sample.hands[part])
        at += size
        took = 1.2 * (perf_counter() - now)
        _give_up(table, _HOPE if at >= 2 * _FIRST_BATCH else _FIRST_HOPE)


def _batch(ahead: Lookahead, position: Position, table: _Table) -> None:
    """One batch: the contract of every world after every call that is still open."""
    count = len(ahead.worlds)
    found = np.zeros((count, len(table.open), 3), np.int64)
    ends = [
        ahead.after(position.then(table.calls[number]), found[:, way])
        for way, number in enumerate(table.open)
    ]
    values = np.full((count, len(table.calls)), np.nan)
    values[:, table.open] = ahead.leaves.values(np.arange(count), Contracts.of(found))
    offset = sum(len(v) for v in table.values)
    for number, some in zip(table.open, ends, strict=True):
        table.endings[number] += [(calls, those << offset) for calls, those in some]
    table.values.append(values)


def _give_up(table: _Table, hope: float) -> None:
    """Calls that cannot win any more are not tried in further worlds."""
    mean, error, _ = table.summary()
    floor = max(mean[i] - hope * error[i] for i in table.open)
    table.open = [i for i in table.open if i == 0 or mean[i] + hope * error[i] >= floor]


def _simulator(counts: Counts) -> Simulate:
    """Simulated players decide by the same PIDM with their own models and a fixed seed."""

    def simulate(model: PlayerModel, position: Position, hand: int, settings: Settings) -> int:
        rng = np.random.default_rng(hand & 0xFFFFFFFF)
        return decide(model, position, hand, settings, rng=rng, counts=counts).call

    return simulate


def _alone(calls: Sequence[int], counts: Counts, began: float) -> Outcome:
    none = np.zeros((0, len(calls)))
    return Outcome(
        calls[0] if calls else 0, tuple(calls), np.zeros(len(calls)), np.zeros(len(calls)),
        none, np.zeros(0), np.zeros((0, 4), np.uint64), np.zeros(0, np.int64), counts,
        seconds=perf_counter() - began,
    )  # fmt: skip


def _outcome(table: _Table, sample: Sample, counts: Counts, began: float, start: int) -> Outcome:
    if not table.values:
        return _alone(table.calls, counts, began)
    mean, error, weights = table.summary()
    best = int(np.nanargmax(np.where(np.isnan(mean), -np.inf, mean)))
    return Outcome(
        table.calls[best], tuple(table.calls), mean, error,
        np.concatenate(table.values), weights, np.concatenate(table.hands),
        np.concatenate(table.counts), counts, "", tuple(table.endings),
        perf_counter() - began, sample.generated, start,
    )  # fmt: skip
