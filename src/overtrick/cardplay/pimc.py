"""Monte Carlo card play: sample worlds, solve every card double dummy, play what pays most on
average. The player `pimc` for every seat and card, and the floor and the screen of alphamu."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

import numpy as np
from numpy.random import Generator

from overtrick.cardplay.base import USUAL
from overtrick.cardplay.carding import Carding, agreement, signals_named
from overtrick.cardplay.constants import (
    CLOCK_IN_HAND,
    CLOCK_SPARED,
    EARLY_CARDS,
    EFFORT,
    LITTLE,
    SECONDS,
    TIES_DOUBTED,
    TIES_LISTED,
    TIES_MANY,
    TIES_OTHERS,
    TIES_UNSURE,
)
from overtrick.cardplay.knowledge import Evidence, evidence, sample_worlds
from overtrick.cardplay.lead import Budget, choose_lead, lead_worlds
from overtrick.cardplay.pacing import Paced, shortened
from overtrick.cardplay.sampling import all_layouts, spread_layouts
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.slips import with_slips
from overtrick.cardplay.values import (
    OBJECTIVES,
    RULES,
    Objective,
    Outcome,
    Pace,
    Rule,
    Worth,
    asked,
    goal_is_open,
    look,
    outdone,
    outweighed,
    worths,
)
from overtrick.cardplay.why import explain
from overtrick.engines import spelled
from overtrick.engines.clock import Clock, now
from overtrick.engines.terms import Cost, Offer, first_line
from overtrick.game import Candidate, Card, Decision, Meaning, OptionError, View
from overtrick.game.reasons import AskedFor, LedFrom, Reason, Remark, Signal
from overtrick.game.wording import words
from overtrick.worlds.weighted import Worlds

_NOTHING: Final = 1e-6
_REST: Final = 0.75 * EFFORT  # for ties and the worlds before them together
_LEAST: Final = 0.5 * EFFORT  # for ties, whatever the worlds before them took


@dataclass(frozen=True, slots=True)
class Pimc:
    """Perfect-information Monte Carlo for all four seats.

    `worlds` are the layouts a card is solved in, fewer while many cards are left;
    `knowledge` says which evidence weighs them (cards, auction, lead, carding, line, all);
    `scoring` is one of Frank and Basin's three scoring functions; `objective` is what is
    maximised, taken from the view's form of scoring when it is empty; `slips` is how far declarer
    counts on defenders who see only their own cards (0: they find every killing card);
    `signals` are those of our side, which partner's cards are read by (standard, upside-down,
    odd-even, echo, silent), `their_signals` those that declarer expects of the defenders;
    `lead_worlds` is the number of worlds solved for an opening lead (0: as `worlds`, but no more
    than the effort allows); `early` is the number solved while twelve or more cards are left, where
    they cost most (0: as `worlds`); `ties` is the number of layouts without evidence in which equal
    cards are compared again, at most (0: not at all); `effort` is the brake on a question to the
    solver, in millions of its nodes (0.4 seconds each on a slow core). `seconds` is the clock of a
    card, a safety net for machines that are slower or busier than that; a decision that it cut
    short says so.
    """

    worlds: int = 100
    objective: str = ""
    knowledge: str = "all"
    scoring: str = "mean"
    signals: str = "standard"
    their_signals: str = "standard"
    slips: float = 0.0
    lead_worlds: int = 0
    early: int = 0
    ties: int = TIES_MANY
    effort: float = EFFORT / 1e6
    seconds: float = SECONDS
    seed: int = 0
    cost: ClassVar = Cost.QUICK
    kind: Evidence = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise OptionError(f"at least one world is needed, not {self.worlds}")
        if self.objective and self.objective not in OBJECTIVES:
            raise OptionError(f"no objective {self.objective!r}; there are {OBJECTIVES}")
        if self.lead_worlds < 0:
            raise OptionError(f"worlds for a lead are counted from 0, not {self.lead_worlds}")
        if self.early < 0:
            raise OptionError(f"worlds for early cards are counted from 0, not {self.early}")
        if self.ties < 0:
            raise OptionError(f"layouts for ties are counted from 0, not {self.ties}")
        if self.effort <= 0:
            raise OptionError(f"the effort is more than nothing, not {self.effort}")
        if self.seconds <= 0:
            raise OptionError(f"the time for a card is more than nothing, not {self.seconds}")
        if not 0 <= self.slips <= 1:
            raise OptionError(f"slips lie between 0 and 1, not {self.slips}")
        if self.scoring not in RULES:
            raise OptionError(f"no scoring function {self.scoring!r}; there are {RULES}")
        ours, theirs = agreement(self.signals), agreement(self.their_signals)
        kind = replace(evidence(self.knowledge), ours=ours, theirs=theirs)
        object.__setattr__(self, "signals", signals_named(ours))
        object.__setattr__(self, "their_signals", signals_named(theirs))
        object.__setattr__(self, "kind", kind)

    @property
    def name(self) -> str:
        return spelled("pimc", self, "worlds")

    @classmethod
    def offers(cls) -> Iterator[Offer]:
        """Who plays at a table as a rule, and the same with all its worlds."""
        yield Offer(USUAL, first_line(cls))
        yield Offer("pimc", first_line(cls))

    def within(self, seconds: float) -> Paced:
        return Paced(replace(self, seconds=shortened(self.seconds, seconds)), seconds)

    def thinned(self, worlds: int) -> Self:
        return replace(self, worlds=worlds, lead_worlds=min(self.lead_worlds, worlds))

    @property
    def carding(self) -> Carding:
        return self.kind.ours

    def goal(self, view: View) -> Objective:
        """What this seat plays for."""
        return self.objective or view.scoring  # type: ignore[return-value]

    def play(self, view: View) -> Decision:
        started = now()
        at = situation(view)
        seed = view.seed ^ self.seed
        clock = card_clock(started, self.seconds)
        if len(at.groups()) == 1:
            return obvious(at, self.name, seed, self.carding)
        rng = np.random.default_rng(seed)
        if not at.play.cards:
            return self._lead(at, rng, (self.name, seed, started), clock)
        worlds = sample_worlds(at, self.worlds, rng, self.kind, clock)
        if self.early and at.left >= EARLY_CARDS:
            worlds = worlds.part(0, self.early)
        rule: Rule = self.scoring  # type: ignore[assignment]
        found, seen = evaluate(at, worlds, self.goal(view), rule, 1e6 * self.effort, clock)
        found = with_slips(at, worlds, found, self.slips)
        chosen, tells = pick(at, found, (worlds, seen), self.carding, clock, self.ties)
        return decide(at, chosen, found, worlds, tells, (self.name, seed, started), clock)

    def _lead(
        self, at: Situation, rng: Generator, signed: tuple[str, int, float], clock: Clock
    ) -> Decision:
        """The opening lead, which has ways of its own to deal and judge worlds."""
        budget = Budget.of(self.worlds, self.lead_worlds, 1e6 * self.effort)
        worlds = lead_worlds(at, budget.worlds, rng, self.kind, clock)
        goal = self.goal(at.view)
        card, found, solved, tells = choose_lead(at, worlds, budget, goal, self.carding, clock)
        other = solved and found[0].card.suit != card.suit and not isinstance(tells, AskedFor)
        more = (Remark.USUAL_LEAD,) if other else ()
        return decide(at, card, found, worlds.part(0, solved), tells, signed, clock, more)


def card_clock(started: float, seconds: float) -> Clock:
    """The clock of a card; it cuts in early enough to end in time on a busy machine."""
    return Clock(started + (1 - CLOCK_SPARED) * seconds, CLOCK_IN_HAND)


def evaluate(
    at: Situation,
    worlds: Worlds,
    objective: Objective,
    rule: Rule = "mean",
    effort: float = EFFORT,
    clock: Clock | None = None,
) -> tuple[list[Worth], Outcome]:
    """Every card's worth: exactly, or early at IMPs by the numbers of tricks that matter."""
    if objective == "imps" and at.left >= EARLY_CARDS and goal_is_open(at):
        return asked(at, worlds, rule, effort, clock)
    seen = look(at, worlds, exact=True, effort=effort, clock=clock)
    return worths(at, seen, objective, rule), seen


def near(found: list[Worth], worlds: Worlds, seen: Outcome | None = None) -> list[Worth]:
    """Cards as good as the best as far as these worlds can tell.

    Worlds weigh 1/n or more, so that less than a quarter of that is no difference; when they are
    all there are, every difference is one. A card that is nowhere better than another and
    somewhere worse is not as good, however seldom.
    """
    best = found[0]
    margin = 1e-6 if worlds.complete else 0.25 * float(worlds.shares.min())
    worse = _NOTHING if worlds.complete else LITTLE
    close = [
        w
        for w in found
        if w.chance >= best.chance - margin and w.value >= best.value - max(worse, margin)
    ]
    told = None if seen is None else seen.told
    if seen is None or told is None:
        return close
    column = {card: told[:, i] for i, card in enumerate(seen.cards)}
    return [w for w in close if not outdone(column[w.card], told)] or close


def pick(
    at: Situation,
    found: list[Worth],
    solved: tuple[Worlds, Outcome],
    carding: Carding,
    clock: Clock | None = None,
    ties: int = TIES_MANY,
) -> tuple[Card, Signal | None]:
    """Among the cards that are equally good: a signal from a defender, the lowest otherwise."""
    equal = [w.card for w in near(found, *solved)]
    certain = not TIES_UNSURE <= found[0].chance <= 1 - TIES_UNSURE
    if ties and (certain or at.left <= TIES_DOUBTED):
        effort = max(_REST - solved[1].spent, _LEAST)
        equal = safest(at, equal, min(ties, TIES_MANY if certain else TIES_OTHERS), effort, clock)
    if at.declaring:
        return cheapest(at, equal), None
    return signal(at, equal, carding)


def safest(
    at: Situation,
    equal: list[Card],
    count: int = TIES_MANY,
    effort: float = _REST,
    clock: Clock | None = None,
) -> list[Card]:
    """Those of the equal cards that are best if the hidden hands were misread altogether.

    Layouts drawn without any evidence break the tie: a card may lose a trick only where the
    evidence said it could not, and that is no reason to give it. All layouts where they are few,
    else such as differ in how the suits break, some first and the others while cards are equal.
    """
    if _alike(at, equal):
        return equal
    worlds = _without_evidence(at, count)
    pace = Pace.at(at.left, clock)
    for start, stop in ((0, TIES_OTHERS), (TIES_OTHERS, len(worlds))):
        if start >= len(worlds) or effort <= 0 or _alike(at, equal):
            break
        if pace.late():
            break
        some = worlds.part(start, stop)
        seen = look(at, some, exact=True, effort=effort, most=len(some), pace=pace)
        assert seen.tricks is not None
        column = {card: seen.tricks[:, i] for i, card in enumerate(seen.cards)}
        rivals = np.stack([column[c] for c in equal], axis=1)
        equal = [c for c in equal if not outweighed(column[c], rivals, seen.weights)]
        effort -= seen.spent
    return equal


def _alike(at: Situation, cards: list[Card]) -> bool:
    """Do the cards all touch, so that it is the same to play any of them?"""
    return sum(bool(set(group) & set(cards)) for group in at.groups()) < 2


def _without_evidence(at: Situation, count: int) -> Worlds:
    """All layouts where they are few, else so many of them. Layouts that differ in touching cards
    only are not taken for one: which defender has the higher one may decide who is on lead."""
    rng = np.random.default_rng(at.view.seed)
    every = all_layouts(at, TIES_LISTED if count >= TIES_OTHERS else count)
    if every is None:
        return Worlds.weighing(*spread_layouts(at, count, rng))
    even = np.full(len(every), 1 / len(every))
    return Worlds.weighing(rng.permutation(every), even, complete=True)


def cheapest(at: Situation, equal: list[Card]) -> Card:
    """The lowest of the equal cards, trumps last; the same card whatever their order."""
    return min(equal, key=lambda c: (c.suit == at.strain and not at.trick, c.rank, c.suit))


def obvious(at: Situation, engine: str, seed: int, carding: Carding) -> Decision:
    """No choice that matters: one card, or cards that touch. No thought, so no hesitation."""
    cards = at.cards()
    if len(cards) == 1:
        only = (Remark.ONLY_CARD,)
        return Decision(cards[0], Meaning("forced"), reasons=only, seed=seed, engine=engine)
    card, tells = (cheapest(at, cards), None) if at.declaring else signal(at, cards, carding)
    meaning = Meaning(words(tells) if tells else "one of equals")
    reasons = (Remark.ALL_EQUAL, *told(tells))
    return Decision(card, meaning, reasons=reasons, seed=seed, engine=engine)


def decide(
    at: Situation,
    card: Card,
    found: list[Worth],
    worlds: Worlds,
    tells: Signal | LedFrom | AskedFor | None,
    signed: tuple[str, int, float],
    clock: Clock | None = None,
    more: tuple[Reason, ...] = (),
) -> Decision:
    """The decision as everybody sees it: candidates, reasons and `more` of them, worlds, time.

    Where no world was solved there are no numbers: the cards come in the networks' order.
    """
    engine, seed, started = signed
    solved = len(worlds) > 0
    candidates = tuple(
        Candidate(
            w.card,
            w.value if solved else None,
            w.error if solved else None,
            details={
                "chance": w.chance if solved else None, "tricks": w.tricks, "score": w.score
            },
            reasons=(w.fate(at),) if solved else (),
        )
        for w in found
    )  # fmt: skip
    known = explain(at, card, found, worlds) if solved else ()
    late = clock.reasons if clock is not None else ()
    return Decision(
        card,
        Meaning(words(tells) if tells else "a card"),
        candidates,
        worlds=len(worlds),
        seed=seed,
        milliseconds=1000 * (now() - started),
        engine=engine,
        details={"complete": worlds.complete},
        cut=bool(late),
        reasons=(*known, *more, *told(tells), *late),
    )


def told(tells: Signal | LedFrom | AskedFor | None) -> tuple[Reason, ...]:
    """What the card tells partner, as a reason if there is any."""
    return (tells,) if tells else ()
