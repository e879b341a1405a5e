"""PIDM (Amit & Markovitch, Figure 3): from what a player sees to what each of its calls is worth.

Worlds that explain the auction are drawn once and tried in batches; the others follow their models,
who may be searching players themselves (`Searching`), and at my own later turns I may choose again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.constants import PIDM_FIRST_BATCH, PIDM_FIRST_HOPE, PIDM_HOPE
from overtrick.bidding.kernel import (
    AuctionEnding,
    AuctionPosition,
    Caller,
    Clock,
    LaterTurns,
    Leaves,
    Passing,
    Race,
    SeatHands,
    Walk,
    Worlds,
    run,
)
from overtrick.bidding.kernel.callers import Node, Split
from overtrick.bidding.kernel.walk import Own as OwnTurns
from overtrick.bidding.pidm.candidates import candidates
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import sample_worlds
from overtrick.bidding.pidm.settings import Counts, PidmSettings
from overtrick.bidding.pidm.trust import trusted
from overtrick.engines.clock import now, spend
from overtrick.worlds.consistent import Sample, SamplingBudget
from overtrick.worlds.sets import members

Floats = NDArray[np.float64]
_RESERVE: Final = 0.05  # seconds kept for the last leaves and Python's collector
_LOOKAHEAD: Final = 3e-3  # seconds of a lookahead beside its deals and auctions (`spend`)


@dataclass(frozen=True, slots=True)
class PidmOutcome:
    """A decision and all that it rests on. `calls[0]` is the player's first choice; values are in
    the units of the player's utility."""

    race: Race
    inconsistent: NDArray[np.int64]
    counts: Counts
    endings: tuple[tuple[AuctionEnding, ...], ...] = ()
    seconds: float = 0.0
    start: int = 0  # calls before the decision
    cut: bool = False  # time cut the search short

    @property
    def calls(self) -> list[int]:
        return self.race.calls

    @property
    def call(self) -> int:
        """The call of the highest mean."""
        return self.calls[self.race.leader()] if self.calls else 0

    def closes(self, place: int, share: float = 0.9) -> bool:
        """Is the auction over after this call, in nearly all worlds?"""
        shares = self.race.worlds.shares
        ended = 0.0
        for ending in self.endings[place]:
            if not any(ending.at.calls[self.start + 1 :]):
                ended += sum(shares[i] for i in members(ending.worlds))
        looked = ~np.isnan(self.race.values[:, place])
        return bool(looked.any()) and ended >= share * float(shares[looked].sum())


def decide(
    player: PlayerModel,
    position: AuctionPosition,
    hand: int,
    settings: PidmSettings,
    *,
    rng: Generator,
    counts: Counts | None = None,
    calls: Sequence[int] | None = None,
    started: float | None = None,
) -> PidmOutcome:
    """PIDM(PartialState, Agent, ResourceLimit).

    `calls` replaces φ(s) when others are to be compared; the first of them is the first choice.
    """
    began = now() if started is None else started
    counts = Counts() if counts is None else counts
    counts.decisions += 1
    counts.refined += player.refined(position)
    if calls is None:
        calls = player.selection(position, np.array([hand], np.uint64)).calls()
    race = Race(calls, hope=PIDM_HOPE)
    if len(calls) < 2:
        return PidmOutcome(race, np.zeros(0, np.int64), counts, seconds=now() - began)
    counts.lookaheads += 1
    spend(_LOOKAHEAD)
    counts.stages.append(len(position.calls))
    clock = Clock(began + settings.seconds - min(_RESERVE, 0.1 * settings.seconds))
    sample = _sampled(player, position, hand, settings, calls, rng, counts, clock)
    worlds = _weighted(sample, settings.doubt)
    table = _Batches(player, position, settings, counts, clock, worlds, [[] for _ in calls])
    run(race, table.rounds(), partial(table.values, race), clock, settle=_settle)
    return PidmOutcome(
        race, sample.inconsistent[: race.used], counts, tuple(tuple(e) for e in table.endings),
        now() - began, len(position.calls), clock.cut,
    )  # fmt: skip


def _sampled(
    player: PlayerModel,
    position: AuctionPosition,
    hand: int,
    settings: PidmSettings,
    calls: Sequence[int],
    rng: Generator,
    counts: Counts,
    clock: Clock,
) -> Sample:
    """Worlds that explain the auction, as far as the budget goes."""
    budget = SamplingBudget(settings.g * clock.left, settings.instances)
    sample = sample_worlds(
        player, position, hand, budget, settings.worlds,
        proposal=settings.proposal, rng=rng, natural=settings.natural,
    )  # fmt: skip
    counts.instances += sample.generated
    counts.failures += not sample.perfect
    if settings.trust:
        sample = trusted(player, position, sample, calls, rng, clock)
    return sample


def _settle(race: Race) -> bool:
    race.prune(PIDM_HOPE if race.used >= 2 * PIDM_FIRST_BATCH else PIDM_FIRST_HOPE)
    return len(race.open) == 1


def _weighted(sample: Sample, doubt: float) -> Worlds:
    """Worlds that explain less weigh less."""
    odd = sample.inconsistent - sample.inconsistent.min(initial=0)
    weights = sample.weights * doubt**odd
    return Worlds(sample.hands, np.log(np.maximum(weights, 1e-300)))


@dataclass(slots=True)
class _Batches:
    """The worlds of a sample, a batch at a time: what every open call is worth in them.

    What the models say of a hand is worked out for all worlds at once and serves every batch.
    """

    player: PlayerModel
    position: AuctionPosition
    settings: PidmSettings
    counts: Counts
    clock: Clock
    worlds: Worlds
    endings: list[list[AuctionEnding]]
    held: SeatHands = field(init=False)
    leaves: Leaves = field(init=False)

    def __post_init__(self) -> None:
        deals, at = self.worlds.deals, self.position
        self.held = SeatHands(deals)
        self.leaves = self.player.utility.leaves(deals, at.vul, at.turn & 1)

    def rounds(self) -> list[Callable[[], Worlds]]:
        """A few worlds first, then whole batches."""
        size, count = self.settings.batch, len(self.worlds)
        edges = [0, *range(min(size, PIDM_FIRST_BATCH), count, size), count]
        parts = [np.arange(a, b) for a, b in pairwise(edges) if b > a]
        return [partial(self.worlds.taken, rows) for rows in parts]

    def values(self, race: Race, worlds: Worlds, calls: Sequence[int]) -> Floats:
        """One batch: the contract of every world after every call that is still open."""
        rows = np.arange(race.used, race.used + len(worlds))
        walk = Walk(self.held, [], self.clock, strict=bool(race.rounds))
        walk.callers = self.callers(walk)
        contracts, ways = walk.after(self.position, calls, self.held.set_of(rows))
        self.counts.nodes += walk.nodes
        for place, some in zip(race.open, ways, strict=True):
            self.endings[place] += some
        return self.leaves.values(contracts.taken(rows), rows)

    def callers(self, walk: Walk) -> list[Caller]:
        """Everybody as this player imagines them: first choices, searching players, or silence."""
        settings, at, me = self.settings, self.position, self.position.turn
        found: list[Caller] = [self.player] * 4
        for step in (1, 2, 3):
            model = self.player.other(step)
            found[(me + step) & 3] = model
            if step & 1 and settings.quiet and bid_alone(at):
                found[(me + step) & 3] = Passing()
            elif settings.depth > 0 and not model.silent:
                found[(me + step) & 3] = Searching(model, settings, self.counts, self.clock)
        own = own_turns(settings, at)
        if own != "model" and settings.own_turns > 0:
            found[me] = LaterTurns(
                walk, me, self.player, self.options, self.leaves, own=own,
                turns=settings.own_turns, shares=self.worlds.shares, crossed=settings.crossed,
            )  # fmt: skip
        return found

    def options(self, at: AuctionPosition, hands: NDArray[np.uint64]) -> list[list[int]]:
        """What I might do at a later turn of mine."""
        widen, most = self.settings.own_widen, self.settings.own_most
        return [candidates(self.player, at, int(hand), widen, most) for hand in hands]


@dataclass(frozen=True, slots=True, eq=False)
class Searching:
    """A simulated player who decides by PIDM with models and a fixed seed of their own, where their
    selection leaves a choice. They see their own hand and the auction only."""

    model: PlayerModel
    settings: PidmSettings
    counts: Counts
    clock: Clock

    def chances(self, at: AuctionPosition, hands: NDArray[np.uint64]) -> Floats:
        return self.model.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return [self._node(at, worlds, held) for at, worlds in nodes]

    def _node(self, at: AuctionPosition, here: int, held: SeatHands) -> Split:
        pool = held.pool(at.turn)
        chosen = self.model.selection(at, pool)
        choice = chosen.size > 1
        searching = sum(bool(choice[i]) for i in members(here))
        share = self.settings.r * self.clock.left / max(searching, 1)
        out: Split = {}
        for i in members(here):
            call = int(chosen.first[i])
            if choice[i] and share > self.settings.epsilon and not self.clock.late():
                self.counts.simulations += 1
                call = self._decided(at, int(pool.hands.bits[i]), self.settings.simulated(share))
            out[call] = out.get(call, 0) | 1 << i
        return out

    def _decided(self, at: AuctionPosition, hand: int, settings: PidmSettings) -> int:
        rng = np.random.default_rng(hand & 0xFFFFFFFF)
        return decide(self.model, at, hand, settings, rng=rng, counts=self.counts).call


def own_turns(settings: PidmSettings, position: AuctionPosition) -> OwnTurns:
    """How my later turns are imagined; `auto` has room to ask and answer while we bid alone."""
    if settings.own != "auto":
        return settings.own
    return "set" if bid_alone(position) else "model"


def bid_alone(position: AuctionPosition) -> bool:
    """Has our side opened, and the other said nothing? Before that nobody has been silent yet."""
    side = len(position.calls) & 1
    return any(position.calls[side::2]) and not any(position.calls[1 - side :: 2])
