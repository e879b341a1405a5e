"""The pragma bidder: a refinement loop over knowledge sources, as long as thinking pays.
Used at tables as `pragma(system=sayc, seconds=1)`; seed 004, section 3.5."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from overtrick.bidding.pragma.candidates import Choice, choices
from overtrick.bidding.pragma.nested import partner_decides
from overtrick.bidding.pragma.sources import continuation, simple_domination
from overtrick.bidding.pragma.thought import OutOfTime, Thought
from overtrick.bidding.rules import RulesBidder, context_of
from overtrick.engines import spelled
from overtrick.game import CALLS, Candidate, Decision, OptionError, View
from overtrick.nets.contract import contract_model
from overtrick.systems.meanings import call_meaning

# What a node of a tree and a nested R-deal cost, for weighing time: fixed, so that the same view
# is met with the same work on any machine.
_NODE_SECONDS: Final = 0.00025
_NESTED_SECONDS: Final = 0.004
_HURRY: Final = 0.85  # of the time that is given may be used: putting things in order takes some


@dataclass(frozen=True, slots=True)
class Pragma:
    """Bids a system with judgement.

    The work is fixed by rounds of R-deals, so the same view gives the same call, unless
    `seconds` cuts it short.
    """

    system: str = "sayc"
    theirs: str = ""
    seconds: float = 1.0
    tricks: str = "tricks"
    rounds: str = "16 32 64 96"  # R-deals of each round of knowledge source 2
    k: int = 6  # at most so many calls are weighed
    stretch: float = 2.0  # how far a hand may be from what a call shows
    margin: float = 1.0  # standard errors by which a call must beat the rules' own …
    least: float = 0.2  # … and IMPs in any case
    shame: float = 0.2  # … and IMPs for each point by which it would mislead partner
    price: float = 0.1  # IMPs a second of thinking costs
    hope: float = 2.0  # standard errors within which a call may still turn out best
    free: int = 0  # R-deals at which our own later turns are chosen too, 0: by the rules
    outer: int = 12  # R-deals in which partner decides for herself (knowledge source 3), 0: none
    inner: int = 6  # R-deals she imagines in each of them
    threads: int = 1

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.k < 1:
            raise OptionError("pragma needs seconds > 0 and k ≥ 1")
        if not self._rounds or min(self._rounds) < 4:
            raise OptionError("pragma's rounds are numbers of R-deals, 4 or more")
        self._rules  # noqa: B018  (fail now, not at the table)
        contract_model(self.tricks, self.threads)

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

    def bid(self, view: View) -> Decision:
        started = perf_counter()
        reading = self._rules.reading(view)
        ctx = context_of(reading, view)
        found = choices(reading, ctx, view, most=self.k, stretch=self.stretch)
        model = contract_model(self.tricks, self.threads)
        thought = Thought(view, reading, ctx, found, model, np.random.default_rng(view.seed))
        if len(found) == 1:
            return self._decision(thought, found[0], "the only call of the system", started)
        thought.deadline = started + _HURRY * self.seconds
        try:
            source = self._refine(thought)
        except OutOfTime:
            thought.log.append("time is up")
            source = "KS 2"
        call, why = self._choose(thought)
        return self._decision(thought, call, why, started, source)

    def _refine(self, thought: Thought) -> str:
        """Figure 8: cheap sources first, until the call is obvious or more time does not pay."""
        rounds = self._rounds
        for number, count in enumerate(rounds):
            before = thought.nodes
            sample = thought.draw(count)
            if number == 0 and simple_domination(thought, sample):
                return "KS 1"
            continuation(thought, sample, free=self.free)
            self._prune(thought)
            if len(thought.alive) == 1:
                return "KS 2"
            more = rounds[min(number + 1, len(rounds) - 1)]
            price = self.price * (thought.nodes - before) * _NODE_SECONDS * more / count
            if number + 1 < len(rounds) and thought.worth_of_more(more) < price:
                thought.log.append("more imagined deals would not pay")
                break
        return self._ask_partner(thought)

    def _ask_partner(self, thought: Thought) -> str:
        """Knowledge source 3, if the doubt that is left is worth its time."""
        doubt, cost = thought.loss(), self.outer * self.inner * _NESTED_SECONDS
        if not self.outer or doubt < self.price * cost:
            return "KS 2"
        best = thought.best()
        rivals = sorted(thought.alive, key=lambda i: -(thought.mean(i) or 0.0))[:2]
        thought.alive = sorted({best, *rivals})
        partner_decides(thought, thought.samples[-1], outer=self.outer, inner=self.inner)
        return "KS 3"

    def _prune(self, thought: Thought) -> None:
        """Choices that are clearly behind are not looked at again."""
        best = thought.best()
        for i in list(thought.alive):
            if i == best:
                continue
            gain, error = thought.gain(best, i)
            if gain > self.hope * error + (0 if i else self.least + self.shame):
                thought.drop(i, f"is {gain:.1f} ± {error:.1f} IMPs behind")

    def _choose(self, thought: Thought) -> tuple[Choice, str]:
        """The best choice; the rules' own unless another has proved better."""
        rules, best = thought.choices[0], thought.best()
        if not thought.values[best]:
            alone = len(thought.alive) == 1
            return thought.choices[best], "every other call is dominated" if alone else "no time"
        if best == 0:
            return rules, f"best in {thought.seen_of(0)} imagined deals"
        if not thought.values[0]:  # dropped before it was valued: there is nothing to prove
            seen = thought.seen_of(best)
            return thought.choices[best], f"best in {seen} imagined deals; {rules} is dominated"
        proved = {i: thought.gain(i, 0) for i in thought.alive if i and self._proved(thought, i)}
        if not proved:
            gain, error = thought.gain(best, 0)
            return rules, f"{thought.choices[best]} gains only {gain:.2f} ± {error:.2f} IMPs"
        best = max(proved, key=lambda i: proved[i][0] - self.shame * thought.choices[i].lie)
        gain, error = proved[best]
        seen = min(thought.seen_of(best), thought.seen_of(0))
        return thought.choices[best], (
            f"gains {gain:.2f} ± {error:.2f} IMPs over {rules} in {seen} imagined deals"
        )

    def _proved(self, thought: Thought, i: int) -> bool:
        """Has a choice shown that it is better than the rules' own?"""
        gain, error = thought.gain(i, 0)
        need = max(self.least, self.margin * error) + self.shame * thought.choices[i].lie
        return gain > need

    def _decision(
        self, thought: Thought, choice: Choice, why: str, started: float, source: str = "system"
    ) -> Decision:
        shown = []
        for i, c in enumerate(thought.choices):
            compared = thought.values[i] and thought.values[0]
            gain, error = thought.gain(i, 0) if i and compared else (0.0, 0.0)
            told = {"lie": c.lie, "leads_to": thought.outlook(i)}
            value, known = (gain, error) if compared else (None, None)
            shown.append(Candidate(CALLS[c.call], value, known, c.words, told))
        shown.sort(key=lambda c: -(c.value if c.value is not None else -99))
        return Decision(
            CALLS[choice.call],
            call_meaning(thought.reading, thought.ctx, choice.call),
            tuple(shown),
            why,
            worlds=sum(len(s.worlds) for s in thought.samples),
            seed=thought.view.seed,
            milliseconds=(perf_counter() - started) * 1000,
            engine=self.name,
            details=self._details(thought, source),
        )

    def _details(self, thought: Thought, source: str) -> dict[str, object]:
        """For windows and logs: who decided, the course of the thought, the R-deals."""
        out: dict[str, object] = {
            "source": source, "log": tuple(thought.log), "nodes": thought.nodes,
        }  # fmt: skip
        if thought.samples:
            worlds = np.concatenate([s.worlds.hands for s in thought.samples])
            out["worlds"] = worlds
            out["weights"] = np.full(len(worlds), 1 / len(worlds))
        return out
