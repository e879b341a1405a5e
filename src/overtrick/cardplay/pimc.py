"""Monte Carlo card play: sample worlds, solve every card double dummy, play what works most often.
Used as a player (`pimc`) and as the floor and the screen of alphamu; any seat, any card."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import numpy as np
from numpy.random import Generator

from overtrick.cardplay.carding import SILENT, STANDARD, Carding, signal
from overtrick.cardplay.knowledge import Evidence, Worlds, evidence, sample_worlds
from overtrick.cardplay.lead import Budget, choose_lead, lead_worlds
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.slips import with_slips
from overtrick.cardplay.values import (
    OBJECTIVES,
    RULES,
    Objective,
    Outcome,
    Rule,
    Worth,
    goal_is_open,
    look,
    worths,
)
from overtrick.cardplay.why import explain
from overtrick.game import Candidate, Card, Decision, Meaning, OptionError, View

_EARLY: Final = 12  # with so many cards left ties are broken by the next goal, not exactly
_LATE: Final = 7  # with so few, numbers of tricks cost no more than yes or no


@dataclass(frozen=True, slots=True)
class Pimc:
    """Perfect-information Monte Carlo for all four seats.

    `knowledge` says which evidence weighs the worlds (cards, auction, lead, carding, all);
    `scoring` is one of Frank and Basin's three scoring functions; `objective` is what is
    maximised, taken from the view's form of scoring when it is empty; `slips` is how far declarer
    counts on defenders who see only their own cards (0: they find every killing card);
    `lead_worlds` is the number of worlds solved for an opening lead (0: as `worlds`, but no more
    than a second and a half allows).
    """

    worlds: int = 40
    objective: str = ""
    knowledge: str = "auction"
    scoring: str = "mean"
    signals: bool = True
    slips: float = 0.0
    lead_worlds: int = 0
    seed: int = 0
    kind: Evidence = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise OptionError(f"at least one world is needed, not {self.worlds}")
        if self.objective and self.objective not in OBJECTIVES:
            raise OptionError(f"no objective {self.objective!r}; there are {OBJECTIVES}")
        if self.lead_worlds < 0:
            raise OptionError(f"worlds for a lead are counted from 0, not {self.lead_worlds}")
        if not 0 <= self.slips <= 1:
            raise OptionError(f"slips lie between 0 and 1, not {self.slips}")
        if self.scoring not in RULES:
            raise OptionError(f"no scoring function {self.scoring!r}; there are {RULES}")
        object.__setattr__(self, "kind", evidence(self.knowledge))

    @property
    def name(self) -> str:
        parts = [f"worlds={self.worlds}"]
        parts += [f"objective={self.objective}"] if self.objective else []
        parts += [f"knowledge={self.knowledge}"] if self.knowledge != "auction" else []
        parts += [f"scoring={self.scoring}"] if self.scoring != "mean" else []
        parts += [] if self.signals else ["signals=False"]
        parts += [f"slips={self.slips}"] if self.slips else []
        parts += [f"lead_worlds={self.lead_worlds}"] if self.lead_worlds else []
        parts += [f"seed={self.seed}"] if self.seed else []
        return f"pimc({', '.join(parts)})"

    @property
    def carding(self) -> Carding:
        return STANDARD if self.signals else SILENT

    def goal(self, view: View) -> Objective:
        """What this seat plays for."""
        return self.objective or view.scoring  # type: ignore[return-value]

    def play(self, view: View) -> Decision:
        started = perf_counter()
        at = situation(view)
        seed = view.seed ^ self.seed
        if len(at.groups()) == 1:
            return obvious(at, self.name, seed, self.carding)
        rng = np.random.default_rng(seed)
        if not at.play.cards:
            return self._lead(at, rng, (self.name, seed, started))
        worlds = sample_worlds(at, self.worlds, rng, self.kind)
        rule: Rule = self.scoring  # type: ignore[assignment]
        found, _ = evaluate(at, worlds, self.goal(view), rule)
        found = with_slips(at, worlds, found, self.slips)
        chosen, words = pick(at, found, worlds, self.carding)
        return decide(at, chosen, found, worlds, words, (self.name, seed, started))

    def _lead(self, at: Situation, rng: Generator, signed: tuple[str, int, float]) -> Decision:
        """The opening lead, which has ways of its own to deal and judge worlds."""
        budget = Budget.of(self.worlds, self.lead_worlds)
        worlds = lead_worlds(at, budget.worlds, rng, self.kind)
        goal = self.goal(at.view)
        card, found, solved, words = choose_lead(at, worlds, budget, goal, self.carding)
        return decide(at, card, found, worlds.part(0, solved), words, signed)


def evaluate(
    at: Situation, worlds: Worlds, objective: Objective, rule: Rule = "mean"
) -> tuple[list[Worth], Outcome]:
    """Every card's worth: yes or no at the goal, and more only to break ties."""
    if objective != "imps" or not goal_is_open(at) or at.left <= _LATE:
        seen = look(at, worlds, exact=True)
        return worths(at, seen, objective, rule), seen
    seen = look(at, worlds)
    found = worths(at, seen, objective, rule)
    if len(_groups_of(at, near(found, worlds))) <= 1:
        return found, seen
    if at.left < _EARLY:
        exact = look(at, worlds, exact=True)
        return worths(at, exact, objective, rule), exact
    # Early on a second yes-or-no question costs far less than the numbers themselves.
    shift = 1 if found[0].chance >= 0.5 else -1
    more = look(at, worlds, shift=shift)
    extra = {c: float(x) for c, x in zip(more.cards, more.weights @ more.reached, strict=True)}
    return sorted(
        (
            Worth(w.card, w.chance, None, None, w.error, w.value + 0.01 * extra[w.card])
            for w in found
        ),
        key=lambda w: -w.value,
    ), seen


def near(found: list[Worth], worlds: Worlds) -> list[Worth]:
    """Cards as good as the best as far as these worlds can tell.

    Worlds weigh 1/n or more, so that less than a quarter of that is no difference; when they are
    all there are, every difference is one.
    """
    best = found[0]
    margin = 1e-6 if worlds.complete else 0.25 * float(worlds.weights.min())
    return [
        w
        for w in found
        if w.chance >= best.chance - margin
        and abs(w.value - best.value) <= 2e-4 + (margin if best.tricks is None else 0)
        and (w.tricks is None or best.tricks is None or w.tricks >= best.tricks - 0.03)
    ]


def _groups_of(at: Situation, found: list[Worth]) -> list[list[Card]]:
    wanted = {w.card for w in found}
    return [g for g in at.groups() if wanted & set(g)]


def pick(at: Situation, found: list[Worth], worlds: Worlds, carding: Carding) -> tuple[Card, str]:
    """Among the cards that are equally good: a signal from a defender, the lowest otherwise."""
    equal = [w.card for w in near(found, worlds)]
    if at.declaring:
        return cheapest(at, equal), ""
    return signal(at, equal, carding)


def cheapest(at: Situation, equal: list[Card]) -> Card:
    """The lowest of the equal cards, trumps last; the same card whatever their order."""
    return min(equal, key=lambda c: (c.suit == at.strain and not at.trick, c.rank, c.suit))


def obvious(at: Situation, engine: str, seed: int, carding: Carding) -> Decision:
    """No choice that matters: one card, or cards that touch. No thought, so no hesitation."""
    cards = at.cards()
    if len(cards) == 1:
        return Decision(cards[0], Meaning("forced"), why="the only card", seed=seed, engine=engine)
    card, tells = (cheapest(at, cards), "") if at.declaring else signal(at, cards, carding)
    why = "all these cards are equal" + (f"; {tells}" if tells else "")
    meaning = Meaning(tells or "one of equals")
    return Decision(card, meaning, why=why, seed=seed, engine=engine)


def decide(
    at: Situation,
    card: Card,
    found: list[Worth],
    worlds: Worlds,
    tells: str,
    signed: tuple[str, int, float],
) -> Decision:
    """The decision as everybody sees it: candidates, words, worlds, time."""
    engine, seed, started = signed
    candidates = tuple(
        Candidate(
            w.card,
            w.value,
            w.error,
            w.words(at.declaring),
            {"chance": w.chance, "tricks": w.tricks, "score": w.score},
        )
        for w in found
    )
    why = explain(at, card, found, worlds)
    return Decision(
        card,
        Meaning(tells or "a card"),
        candidates,
        why + (f"; {tells}" if tells else ""),
        len(worlds),
        seed,
        1000 * (perf_counter() - started),
        engine,
        {"complete": worlds.complete},
    )
