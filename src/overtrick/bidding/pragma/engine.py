"""The pragma bidder, `pragma(system=sayc)`: a refinement loop over
knowledge sources, as long as thinking pays (section 3.5 of the PRAGMA paper).

    candidates   calls the system allows the hand, or nearly allows
    worlds       R-deals: deals that explain the auction by the rules of both sides
    callers      everybody by the rules; partner decides for themselves in nested R-deals
    leaves       tricks by contract nets, IMPs against what the rules' call leads to
    margins      more for calls that would mislead partner
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

import numpy as np

from overtrick.bidding.kernel import Clock, Margin, OutOfTime, estimate_of
from overtrick.bidding.pragma.candidates import CallChoice, choices
from overtrick.bidding.pragma.nested import partner_decides
from overtrick.bidding.pragma.sources import continuation, simple_domination
from overtrick.bidding.pragma.thought import Thought
from overtrick.bidding.rules import RulesBidder, context_of, set_card
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import CALLS, Candidate, Decision, OptionError, View
from overtrick.game.reasons import Favourite, Reason, Remark
from overtrick.systems.meanings import call_meaning

# What a node of a tree and a nested R-deal cost, for weighing time: fixed, so that the same view
# is met with the same work on any machine.
_NODE_SECONDS: Final = 0.00025
_NESTED_SECONDS: Final = 0.004


@dataclass(frozen=True, slots=True)
class Pragma:
    """Bids a system with judgement.

    The work is fixed by rounds of R-deals, so the same view gives the same call; `seconds` is a
    safety net, and a decision says when it cut in.
    """

    system: str = "sayc"
    theirs: str = ""
    seconds: float = 4.0
    tricks: str = "tricks"
    rounds: str = "16 32 64 96"  # R-deals of each round of knowledge source 2
    k: int = 6  # at most so many calls are weighed
    stretch: float = 2.0  # how far a hand may be from what a call shows
    margin: float = 1.0  # standard errors by which a call must beat the rules' own …
    least: float = 0.2  # … and IMPs in any case
    misleading: float = 0.2  # … and IMPs for each point by which it would mislead partner
    price: float = 1.0  # IMPs a second of thinking costs
    hope: float = 2.0  # standard errors within which a call may still turn out best
    again: int = 0  # R-deals at which our own later turns are chosen too, 0: by the rules
    outer: int = 12  # R-deals in which partner decides for themselves (source 3), 0: none
    inner: int = 6  # R-deals they imagine in each of them
    strictly: bool = False  # source 1 needs a better result in every R-deal, not only in some
    threads: int = 1
    cost: ClassVar = Cost.SLOW

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.k < 1:
            raise OptionError("pragma needs seconds > 0 and k ≥ 1")
        set_card(self)
        if not self._rounds or min(self._rounds) < 4:
            raise OptionError("pragma's rounds are numbers of R-deals, 4 or more")
        self._rules  # noqa: B018  (fail now, not at the table)
        estimate_of(self.tricks, self.threads)

    @property
    def _rounds(self) -> list[int]:
        words = self.rounds.replace(",", " ").split()
        return [int(n) for n in words] if all(n.isdigit() for n in words) else []

    @property
    def _rules(self) -> RulesBidder:
        return RulesBidder(self.system, self.theirs)

    @property
    def name(self) -> str:
        return spelled("pragma", self)

    def within(self, seconds: float) -> Self:
        return replace(self, seconds=min(self.seconds, seconds))

    def bid(self, view: View) -> Decision:
        started = now()
        reading = self._rules.reading(view)
        ctx = context_of(reading, view)
        found = choices(reading, ctx, view, most=self.k, stretch=self.stretch)
        clock = Clock(started + self.seconds)
        margins = [Margin(self.margin, self.least, self.misleading * c.lie) for c in found]
        rng = np.random.default_rng(view.seed)
        thought = Thought(view, reading, found, rng, self.tricks, margins, self.hope, clock)
        if len(found) == 1:
            return self._decision(thought, found[0], (Remark.ONLY_CALL,), started)
        try:
            source = self._refine(thought)
        except OutOfTime:
            source = "KS 2"
        call, reason = self._choose(thought)
        decision = self._decision(thought, call, (reason, *clock.reasons), started, source)
        return clock.told(decision)

    def _refine(self, thought: Thought) -> str:
        """Figure 8: cheap sources first, until the call is obvious or more time does not pay."""
        rounds, race = self._rounds, thought.race
        for number, count in enumerate(rounds):
            thought.clock.check()
            before = thought.nodes
            sample = thought.draw(count)
            if number == 0 and simple_domination(thought, sample, strictly=self.strictly):
                return "KS 1"
            continuation(thought, sample, again=self.again)
            race.prune(favourite=False)
            if len(race.open) == 1:
                return "KS 2"
            more = rounds[min(number + 1, len(rounds) - 1)]
            price = self.price * (thought.nodes - before) * _NODE_SECONDS * more / count
            if number + 1 < len(rounds) and race.worth_of_more(more) < price:
                race.log.append("more imagined deals would not pay")
                break
        return self._ask_partner(thought)

    def _ask_partner(self, thought: Thought) -> str:
        """Knowledge source 3, if the doubt that is left is worth its time."""
        race, cost = thought.race, self.outer * self.inner * _NESTED_SECONDS
        if not self.outer or race.regret() < self.price * cost:
            return "KS 2"
        means = {i: found[0] for i in race.open if (found := race.mean(i))}
        rivals = sorted(race.open, key=lambda i: -means.get(i, 0.0))[:2]
        race.open = sorted({race.leader(), *rivals})
        partner_decides(thought, thought.samples[-1], outer=self.outer, inner=self.inner)
        return "KS 3"

    @staticmethod
    def _choose(thought: Thought) -> tuple[CallChoice, Reason]:
        """The best choice; the rules' own unless another has proved better."""
        race = thought.race
        if not race.used:
            alone = len(race.open) == 1
            return thought.choices[race.open[0]], Remark.DOMINATED if alone else Remark.NO_TIME
        found = race.verdict(Favourite.RULES)
        return thought.choices[found.place], found.reason

    def _decision(
        self, thought: Thought, choice: CallChoice, reasons: tuple[Reason, ...], started: float,
        source: str = "system",
    ) -> Decision:  # fmt: skip
        shown = [_candidate(thought, i) for i in range(len(thought.choices))]
        shown.sort(key=lambda c: -(c.value if c.value is not None else -99))
        ctx = context_of(thought.reading, thought.view)
        return Decision(
            CALLS[choice.call],
            call_meaning(thought.reading, ctx, choice.call),
            tuple(shown),
            reasons=reasons,
            worlds=sum(len(s) for s in thought.samples),
            seed=thought.view.seed,
            milliseconds=(now() - started) * 1000,
            engine=self.name,
            details=_details(thought, source),
        )


def _candidate(thought: Thought, place: int) -> Candidate:
    choice, race = thought.choices[place], thought.race
    told = {"lie": choice.lie, "leads_to": thought.outlook(place)}
    compared = race.seen(place) and race.seen(0)
    value, error = (race.gain(place) if place else (0.0, 0.0)) if compared else (None, None)
    return Candidate(CALLS[choice.call], value, error, choice.words, told)


def _details(thought: Thought, source: str) -> dict[str, object]:
    """For windows and logs: who decided, the course of the thought, the R-deals."""
    out: dict[str, object] = {
        "source": source, "determined": thought.determined, "log": tuple(thought.race.log),
        "nodes": thought.nodes,
    }  # fmt: skip
    if thought.samples:
        worlds = np.concatenate([s.held.deals for s in thought.samples])
        out["worlds"] = worlds
        out["weights"] = np.full(len(worlds), 1 / len(worlds))
    return out
