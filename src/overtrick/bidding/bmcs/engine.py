"""Belief Monte Carlo search at the table, `bmcs(seconds=1)`: section V of Qiu et al., "Human-level
bridge bidding", with importance weights and neural tricks.

    candidates   the policy's top k calls above p_min
    worlds       deals drawn from the belief network, weighted by how their players would have bid
    callers      partner and we: the policy; opponents: what they declared
    leaves       tricks by network or solver, IMPs against the policy's own choice
    margins      a little more for calls that the policy hardly likes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.base import NONE, Pair
from overtrick.bidding.bmcs.imagined import Imagined, Weighting
from overtrick.bidding.constants import DECLARED_HEAT, RACE_EVIDENCE
from overtrick.bidding.disclosure import measured
from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    Clock,
    Margin,
    NetworkCaller,
    Race,
    SeatHands,
    Utility,
    Walk,
    Worlds,
    estimate_of,
    run,
    system_number,
)
from overtrick.bidding.kernel.declared import declared_caller
from overtrick.bidding.kernel.race import pruned
from overtrick.bidding.policy import STYLE, Policy
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import (
    CALLS,
    Auction,
    Candidate,
    Decision,
    Meaning,
    OptionError,
    View,
    Vulnerability,
)
from overtrick.game.reasons import Favourite, Reason, Remark, TooFewWorlds
from overtrick.nets.belief import card_beliefs
from overtrick.nets.inference import network

if TYPE_CHECKING:
    from overtrick.systems.explain import Explained

Opponents = Literal["declared", "own"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bmcs:
    """The learned policy with search: doubtful calls are bid out over deals the auction allows.

    Its ablations: `belief=""` draws worlds uniformly (RL-MCS), `weighting="none"` drops the
    filter, `weighting="rejection"` is the paper's own filter, `tricks="dd"` solves every leaf,
    `opponents="own"` takes the opponents for players of our own style, as the paper does.
    The work is fixed by `batches`, so the same view gives the same call; `seconds` is a safety net,
    and a decision says when it cut in.
    """

    net: str = "policy"
    belief: str = "belief"
    tricks: str = "tricks+both"  # double dummy, or what our players take
    weighting: Weighting | None = "importance"
    opponents: Opponents = "declared"
    seconds: float = 2.0  # no new batch of worlds begins when it could end after this
    batches: int = 6  # at most so many; fewer when the answer is clear
    k: int = 4  # at most so many candidate calls
    p_min: float = 1e-5  # calls less probable than this are not considered
    sure: float = 0.9999  # a call more probable than this needs no search
    proposals: int = 800  # P_MAX: deals drawn in a batch
    worlds: int = 120  # R_MAX: deals rolled out in a batch
    r_min: float = 8.0  # R_MIN: effective worlds below which the policy decides
    margin: float = 0.6  # standard errors by which a call must beat the policy's …
    least: float = 0.1  # … IMPs by which it must beat it in any case …
    improbable: float = 0.1  # … and IMPs more for each factor 10 that the policy likes it less
    worth: float = 0.02  # IMPs that further batches must promise; with 0 all of them are drawn
    doubt: float = 0.01  # how often a player is thought to do something else entirely
    heat: float = 3.0  # how much less sure than our network partner is, who searches as well
    disclose: int = 0
    threads: int = 1
    declares: str = STYLE  # the system it is said to play; who declares the same is taken for it
    cost: ClassVar = Cost.SLOW

    def __post_init__(self) -> None:
        if self.weighting is None:  # how `weighting=none` arrives from a command line
            object.__setattr__(self, "weighting", "none")
        if self.weighting not in ("importance", "rejection", "none"):
            raise OptionError(f"bmcs weighs by importance, rejection or none, not {self.weighting}")
        if self.opponents not in ("declared", "own"):
            raise OptionError(f"bmcs takes opponents as declared or own, not {self.opponents}")
        if self.seconds <= 0 or self.worlds < 1 or self.proposals < self.worlds:
            raise OptionError("bmcs needs seconds > 0 and at least as many proposals as worlds ≥ 1")
        if self.batches < 1 or self.k < 1 or not 0 <= self.doubt < 1 or not self.heat > 0:
            raise OptionError("bmcs needs batches ≥ 1, k ≥ 1, doubt from 0 to below 1, heat > 0")
        self.policy  # noqa: B018  (fail now, not at the table, when a network is missing)
        if self.belief:
            network(self.belief, "belief", self.threads)
        estimate_of(self.tricks, self.threads)

    @property
    def name(self) -> str:
        return spelled("bmcs", self)

    @property
    def system(self) -> str:
        return self.policy.system

    @property
    def policy(self) -> Policy:
        return Policy(self.net, self.disclose, self.threads, self.declares)

    def within(self, seconds: float) -> Self:
        return replace(self, seconds=min(self.seconds, seconds))

    def disclosing(self, hands: int) -> Self:
        return self if self.disclose else replace(self, disclose=hands)

    def explain(
        self, auction: Auction, vul: Vulnerability, systems: Pair = NONE, *, samples: int = 2
    ) -> tuple[list[Explained], list[Explained]]:
        """What calls show by the hands that its network makes them with, if it is less sure."""
        from overtrick.bidding.explained import by_network

        return by_network(self.policy.network, auction, vul, systems, samples, self.heat)

    def meaning(self, view: View, call: int) -> Meaning:
        """What a call shows: the search turns doubtful ones, so it is read as the call of a network
        that is less sure."""
        if not self.disclose:
            return self.policy.meaning(view, call)
        return measured(self.policy.network, view, call, self.disclose, self.heat)

    def bid(self, view: View) -> Decision:
        started = now()
        chances = self.policy.probabilities(view).astype(float)
        order = np.argsort(-chances, kind="stable")
        candidates = [int(c) for c in order[: self.k] if chances[c] >= self.p_min]
        first = int(order[0])
        if quiet := self.policy.has_nothing_to_say(view):
            candidates = candidates[:1]  # what gains by surprise alone is not looked for
        if len(candidates) < 2 or chances[first] >= self.sure:
            alone = [Candidate(CALLS[first], 0.0)]
            remark = Remark.TOO_WEAK if quiet else Remark.NO_DOUBT
            return self._decision(view, first, alone, started, (remark,))
        clock = Clock(started + self.seconds)
        race = self.race(view, candidates, chances[candidates], clock)
        call, reason = self.choice(race)
        shown = [_candidate(race, i, float(chances[c])) for i, c in enumerate(candidates)]
        shown.sort(key=lambda c: -(c.value or 0.0))
        reasons = (reason, *clock.reasons)
        return clock.told(self._decision(view, call, shown, started, reasons, race))

    def race(
        self, view: View, candidates: Sequence[int], chances: Floats, clock: Clock,
        ours: Caller | None = None, margin: Margin | None = None,
    ) -> Race:  # fmt: skip
        """The candidates tried in batches of worlds; the first is the policy's own call. `ours`
        bids for partner and us where no network has learned what we play; `margin` is what others
        must gain, if not what the options say."""
        position, rng = AuctionPosition.of(view), np.random.default_rng(view.seed)
        callers = self.callers(view, ours)
        belief = network(self.belief, "belief", self.threads) if self.belief else None
        beliefs = card_beliefs(view, belief)
        utility = Utility(self.tricks, view.scoring, self.threads)

        def value(worlds: Worlds, calls: Sequence[int]) -> Floats:
            contracts, _ = Walk(SeatHands(worlds.deals), callers).after(position, calls)
            return utility.values(worlds.deals, contracts, view.vul, view.seat & 1)

        improbable = np.maximum(np.log10(chances[0] / chances), 0)
        margins = [Margin(self.margin, self.least, self.improbable * f) for f in improbable]
        race = Race(candidates, margins if margin is None else margin)
        draw = self.imagined(view, beliefs, callers, rng).batch
        run(race, [draw] * self.batches, value, clock, enough=self.r_min, settle=self._settled)
        return race

    def _settled(self, race: Race) -> bool:
        """Is it clear, or would the batches that are left hardly change anything?"""
        if pruned(race):
            return True
        left = self.batches - len(race.rounds)
        if not self.worth or race.worlds.effective < RACE_EVIDENCE:
            return False
        return race.worth_of_turning(left) < self.worth

    def callers(self, view: View, mine: Caller | None = None) -> list[Caller]:
        """Partner and we by our own network (or as told), the opponents by what they declared."""
        net = self.policy.network
        ours, theirs = system_number(view.systems.ours), system_number(view.systems.theirs)
        mine = mine or NetworkCaller(net, ours, theirs, self.heat)
        other: Caller = NetworkCaller(net, theirs, ours, min(self.heat, DECLARED_HEAT))
        if self.opponents == "declared" and view.systems.theirs != self.system:
            declared = (view.systems.theirs, view.systems.ours)
            other = declared_caller(*declared, threads=self.threads) or other
        return [other if (seat - view.seat) % 2 else mine for seat in range(4)]

    def imagined(
        self, view: View, beliefs: Floats, callers: Sequence[Caller], rng: Generator
    ) -> Imagined:
        """Batches of worlds for this view."""
        return Imagined(
            view, beliefs, callers, rng, self.proposals, self.worlds, self.doubt,
            self.weighting or "none",
        )  # fmt: skip

    def choice(self, race: Race) -> tuple[int, Reason]:
        """The call, and why: the search overrules the policy only with enough evidence."""
        effective = race.worlds.effective
        if effective < self.r_min:
            return race.calls[0], TooFewWorlds(effective)
        found = race.verdict(Favourite.POLICY)
        return race.calls[found.place], found.reason

    def _decision(
        self,
        view: View,
        call: int,
        candidates: list[Candidate],
        started: float,
        reasons: tuple[Reason, ...],
        race: Race | None = None,
    ) -> Decision:
        return Decision(
            CALLS[call],
            self.meaning(view, call),
            candidates=tuple(candidates),
            reasons=reasons,
            worlds=race.used if race else 0,
            seed=view.seed,
            milliseconds=1000 * (now() - started),
            engine=self.name,
            details=_details(race, view) if race else {},
        )


def _candidate(race: Race, place: int, chance: float) -> Candidate:
    value, error = race.gain(place) if race.used else (None, None)
    note, told = f"policy {100 * chance:.0f} %", {"probability": chance}
    return Candidate(CALLS[race.calls[place]], value, error, note, told)


def _details(race: Race, view: View) -> dict[str, object]:
    """For windows and logs: the worlds, their shares, what they say about each hidden hand."""
    worlds = race.worlds
    out: dict[str, object] = {"effective_worlds": worlds.effective, "batches": len(race.rounds)}
    if len(worlds):
        hidden = [seat for seat in range(4) if seat != view.seat]
        belief = {seat: worlds.described(seat) for seat in hidden}
        out |= {"worlds": worlds.deals, "weights": worlds.shares, "belief": belief}
    return out
