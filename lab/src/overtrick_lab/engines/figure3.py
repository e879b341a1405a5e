"""Figures 2 and 3 of Amit & Markovitch as they are printed: PIDM and LookAheadSearch, one world and
one call at a time, with resources that are divided and never measured.

Resources are counted in instances, the deals that sampling may look at, so the same view costs the
same on any machine. Every player has the same SampleSize, deals are dealt at random, every world
counts alike, nothing leaves the comparison early and the highest mean is called. Where a lookahead
has `epsilon` or less left, U(State) is the auction bid on by first choices ("the strategy of the
current player"): the figure does not say what an auction that is not over is worth.

What wins is measured as everywhere here, in IMPs against the first choice in the same world, or in
points; the largest U of one world is the same call by either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionEnding, AuctionPosition, Race, Worlds
from overtrick.bidding.kernel.leaves import Contracts, Leaves
from overtrick.bidding.pidm import Pidm
from overtrick.bidding.pidm.decide import PidmOutcome
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import sample_worlds
from overtrick.bidding.pidm.settings import Counts
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import Decision, OptionError, View
from overtrick.game.reasons import BestMean, Reason, Remark
from overtrick.worlds.consistent import SamplingBudget


@dataclass(frozen=True, slots=True)
class PrintedSettings:
    """The parameters of Figure 3."""

    resource: float = 50_000.0
    """ResourceLimit of a decision, in instances."""
    worlds: int = 10
    """SampleSize, of every player."""
    g: float = 0.3
    """The share for sampling."""
    r: float = 0.2
    """The share of a lookahead's resources for one simulated decision."""
    epsilon: float = 5.0
    """Instances below which nothing more is looked at."""

    def __post_init__(self) -> None:
        if self.resource <= 0 or self.worlds < 1 or self.epsilon < 0:
            raise OptionError("figure3 needs resource > 0, worlds ≥ 1 and epsilon ≥ 0")
        if not 0 < self.g < 1 or not 0 < self.r < 1:
            raise OptionError("the shares g and r lie between 0 and 1")


def decide(
    player: PlayerModel,
    position: AuctionPosition,
    hand: int,
    settings: PrintedSettings,
    *,
    rng: Generator,
    counts: Counts | None = None,
    resource: float | None = None,
) -> PidmOutcome:
    """PIDM(PartialState, Agent, ResourceLimit)."""
    began, counts = now(), Counts() if counts is None else counts
    resource = settings.resource if resource is None else resource
    counts.decisions += 1
    counts.refined += player.refined(position)
    calls = player.selection(position, np.array([hand], np.uint64)).calls()
    race = Race(calls)
    if len(calls) < 2:
        return PidmOutcome(race, np.zeros(0, np.int64), counts)
    counts.lookaheads += 1
    counts.stages.append(len(position.calls))
    sampling = settings.g * resource
    budget = SamplingBudget(instances=max(int(sampling), 1))
    sample = sample_worlds(
        player, position, hand, budget, settings.worlds, proposal="plain", rng=rng
    )
    counts.instances += sample.generated
    counts.failures += not sample.perfect
    leaves = player.utility.leaves(sample.hands, position.vul, position.turn & 1)
    share = (resource - sampling) / (len(calls) * len(sample))
    looks = [
        _LookAhead(player, position.turn, world, leaves, row, settings, counts)
        for row, world in enumerate(sample.hands)
    ]
    ends = [[look.search(position.then(call), share) for call in calls] for look in looks]
    race.add(Worlds.even(sample.hands), leaves.values(_contracts(ends)))
    ways = tuple(
        tuple(AuctionEnding(end, 1 << row) for row, end in enumerate(way))
        for way in zip(*ends, strict=True)
    )
    return PidmOutcome(race, sample.inconsistent, counts, ways, now() - began, len(position.calls))


@dataclass(frozen=True, slots=True)
class _LookAhead:
    """One world, seen by the player who called the search: `search` is LookAheadSearch, which
    returns the auction that its utility belongs to."""

    player: PlayerModel
    me: int
    world: NDArray[np.uint64]
    leaves: Leaves
    row: int
    settings: PrintedSettings
    counts: Counts
    hands: list[NDArray[np.uint64]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", [self.world[seat : seat + 1] for seat in range(4)])

    def search(self, at: AuctionPosition, resource: float) -> AuctionPosition:
        self.counts.nodes += 1
        if at.is_over:
            return at
        if resource <= self.settings.epsilon:
            return self.bid_on(at)
        if at.turn == self.me:
            calls = self.player.selection(at, self.hands[self.me]).calls()
            ways = [self.search(at.then(call), resource / len(calls)) for call in calls]
            points = self.leaves.points(_contracts([ways]), np.array([self.row]))[0]
            return ways[int(points.argmax())]
        model = self.player.other((at.turn - self.me) & 3)
        simulated = self.settings.r * resource
        return self.search(at.then(self.simulated(model, at, simulated)), resource - simulated)

    def simulated(self, model: PlayerModel, at: AuctionPosition, resource: float) -> int:
        """What another player calls, who sees their own hand and the auction only."""
        hand = int(self.world[at.turn])
        self.counts.simulations += 1
        rng = np.random.default_rng(hand & 0xFFFFFFFF)
        ask = partial(decide, model, at, hand, self.settings, rng=rng, counts=self.counts)
        return ask(resource=resource).call

    def bid_on(self, at: AuctionPosition) -> AuctionPosition:
        """The auction when everybody follows their first choice from here on."""
        while not at.is_over:
            step = (at.turn - self.me) & 3
            model = self.player.other(step) if step else self.player
            at = at.then(int(model.selection(at, self.hands[at.turn]).first[0]))
        return at


def _contracts(ends: Sequence[Sequence[AuctionPosition]]) -> Contracts:
    return Contracts.of(np.array([[end.contract for end in ways] for ways in ends], np.int64))


@dataclass(frozen=True, slots=True)
class Figure3(PrintedSettings):
    """PIDM as printed: one sample size for everybody, players who simulate players until their
    share of the resources is used up, no candidates but the selection's, no margins.

    `resource` is the ResourceLimit of a call, in deals that sampling looks at; `g` is the share of
    it that sampling may use, `r` the share of a lookahead's for one simulated decision, `epsilon`
    what is too little to look at anything more. `near` and `slack`
    say what the selection holds, as for `pidm`; here every call with a rule for the hand, or one
    that it misses by three points.
    """

    system: str = "two-over-one"
    theirs: str = ""
    nets: str = ""
    near: int = 5000
    slack: int = 3
    utility: str = "tricks"
    cost: ClassVar = Cost.SLOW
    pidm: Pidm = field(init=False, repr=False)

    def __post_init__(self) -> None:
        PrintedSettings.__post_init__(self)
        made = Pidm(
            system=self.system, theirs=self.theirs, nets=self.nets, near=self.near,
            slack=self.slack, utility=self.utility,
        )  # fmt: skip
        object.__setattr__(self, "pidm", made)
        object.__setattr__(self, "system", made.system)

    @property
    def name(self) -> str:
        return spelled("figure3", self)

    def bid(self, view: View) -> Decision:
        started, player = now(), self.pidm.player(view)
        position, rng = AuctionPosition.of(view), np.random.default_rng(view.seed)
        found = decide(player, position, view.hand.bits, self, rng=rng)
        alone = len(found.calls) < 2
        reason: Reason = Remark.NO_CHOICE if alone else BestMean(found.race.used)
        return self.pidm.decision(
            view, player, found.call, found, (reason,), started, engine=self.name
        )
