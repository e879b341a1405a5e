"""Alpha-mu: declarer searches a few own cards ahead with vectors over worlds, not one by one.
Small endings are solved to the last card, for defenders too; else defenders and opening leads are
pimc's, with the same knowledge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Self

import numpy as np

from overtrick.cardplay.constants import (
    EFFORT,
    LITTLE,
    SEARCH_CARDS,
    SEARCH_FIRST,
    SEARCH_SOLVED,
    SEARCH_SOLVES,
    SEARCH_WORLDS,
    SECONDS,
)
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.knowledge import sample_worlds
from overtrick.cardplay.pacing import Paced, shortened
from overtrick.cardplay.pimc import (
    Pimc,
    card_clock,
    cheapest,
    decide,
    evaluate,
    obvious,
    pick,
    safest,
)
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.solved import solve_ending
from overtrick.cardplay.values import Objective, Outcome, Worth, goal_is_open, score_table, stake
from overtrick.cardplay.vectors import Front, FrontNode, Game
from overtrick.doubledummy import reach_worlds
from overtrick.engines import spelled
from overtrick.engines.clock import Clock, OutOfTime, now
from overtrick.engines.terms import Cost
from overtrick.game import Card, Decision, OptionError, Play, View
from overtrick.game.reasons import Blind, Reason, Remark
from overtrick.worlds.weighted import Worlds

_PLANS: Final = ("keep", "filter", "new")
_SURE: Final = 0.995  # what is rounded to certainty when it is told


class Promise(NamedTuple):
    """What was searched for one card: the search, the root, and the vector it can secure."""

    search: Search
    root: FrontNode
    vector: int
    card: int


@dataclass(frozen=True, slots=True)
class AlphaMu:
    """Declarer by alpha-mu of `depth` own cards over `worlds`, everyone else by pimc.

    `plan` says what happens at the second card of a trick: keep (follow the plan made at the
    first), filter (replan with the worlds in which the defenders' last cards were no gifts), or
    new. Nothing is remembered between cards: a plan is made again from the view when it is
    followed. The search stops after a number of solved positions; `seconds` is only the safety net
    of a card, and a decision that it cut short says so. `effort` is the brake on a question to the
    solver, in millions of its nodes.
    """

    worlds: int = 100
    depth: int = 2
    objective: str = ""
    knowledge: str = "all"
    plan: str = "new"
    seconds: float = SECONDS
    signals: str = "standard"
    their_signals: str = "standard"
    lead_worlds: int = 0
    effort: float = EFFORT / 1e6
    seed: int = 0
    cost: ClassVar = Cost.SLOW
    pimc: Pimc = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise OptionError(f"the search looks at least one card ahead, not {self.depth}")
        if self.plan not in _PLANS:
            raise OptionError(f"no plan {self.plan!r}; there are {', '.join(_PLANS)}")
        if self.seconds <= 0:
            raise OptionError(f"the time for a card is more than nothing, not {self.seconds}")
        pimc = Pimc(
            self.worlds, self.objective, self.knowledge,
            signals=self.signals, their_signals=self.their_signals,
            lead_worlds=self.lead_worlds, effort=self.effort, seconds=self.seconds, seed=self.seed,
        )  # fmt: skip
        object.__setattr__(self, "pimc", pimc)
        object.__setattr__(self, "signals", pimc.signals)
        object.__setattr__(self, "their_signals", pimc.their_signals)

    @property
    def name(self) -> str:
        return spelled("alphamu", self, "worlds", "depth")

    def within(self, seconds: float) -> Paced:
        return Paced(replace(self, seconds=shortened(self.seconds, seconds)), seconds)

    def thinned(self, worlds: int) -> Self:
        return replace(self, worlds=worlds, lead_worlds=min(self.lead_worlds, worlds))

    def play(self, view: View) -> Decision:
        started = now()
        at = situation(view)
        if not at.declaring:
            return self._defend(at) or replace(self.pimc.play(view), engine=self.name)
        seed = view.seed ^ self.seed
        if len(at.groups()) == 1:
            return obvious(at, self.name, seed, self.pimc.carding)
        clock = card_clock(started, self.seconds)
        worlds, found, chosen, more = self._think(at, seed, clock)
        signed = (self.name, seed, started)
        return decide(at, chosen, found, worlds, None, signed, clock, more)

    def _defend(self, at: Situation) -> Decision | None:
        """A defender's card from where endings may be solved; before that pimc has its own way."""
        started, view = now(), at.view
        if at.left > SEARCH_SOLVED or self.pimc.goal(view) != "imps" or len(at.groups()) == 1:
            return None
        seed, clock = view.seed ^ self.seed, card_clock(started, self.seconds)
        worlds, found, seen = self._look(at, seed, "imps", clock)
        solved = solve_ending(at, worlds, (found, seen), clock)
        if solved is None:
            card, tells = pick(at, found, (worlds, seen), self.pimc.carding, clock)
        else:
            card, tells = signal(at, solved.cards, self.pimc.carding)
        more = (solved.reason,) if solved is not None else ()
        return decide(at, card, found, worlds, tells, (self.name, seed, started), clock, more)

    def _think(
        self, at: Situation, seed: int, clock: Clock
    ) -> tuple[Worlds, list[Worth], Card, tuple[Reason, ...]]:
        """The worlds, pimc's view of each card in them, the card, and why if the search chose."""
        goal = self.pimc.goal(at.view)
        worlds, found, seen = self._look(at, seed, goal, clock)
        kept = self._kept(at, clock) if self.plan == "keep" else None
        if kept is not None:
            return worlds, found, kept, (Remark.AS_PLANNED,)
        solved = solve_ending(at, worlds, (found, seen), clock) if goal == "imps" else None
        if solved is not None:
            return worlds, found, cheapest(at, solved.cards), (solved.reason,)
        promise = self._search(at, worlds, (found, seen), goal, clock)
        if promise is None:
            card, _ = pick(at, found, (worlds, seen), self.pimc.carding, clock)
            return worlds, found, card, ()
        return worlds, found, Card(promise.card), _promised(promise, goal, found)

    def _look(
        self, at: Situation, seed: int, goal: Objective, clock: Clock
    ) -> tuple[Worlds, list[Worth], Outcome]:
        rng = np.random.default_rng(seed)
        worlds = sample_worlds(at, self.worlds, rng, self.pimc.kind, clock)
        if self.plan == "filter" and len(worlds) > 1:
            worlds = without_gifts(at, worlds)
        found, seen = evaluate(at, worlds, goal, effort=1e6 * self.pimc.effort, clock=clock)
        return worlds.part(0, len(seen.reached)), found, seen

    def _search(
        self,
        at: Situation,
        worlds: Worlds,
        solved: tuple[list[Worth], Outcome],
        goal: Objective,
        clock: Clock,
    ) -> Promise | None:
        """The best card of the short list, by deepening; None when pimc's choice stands."""
        if at.left > SEARCH_FIRST or (goal == "imps" and not goal_is_open(at)) or clock.cut:
            return None
        found, seen = solved
        game = game_of(at, worlds.part(0, SEARCH_WORLDS), goal)
        solves = SEARCH_SOLVES.get(at.left, 10_000)
        search = Search(game, seconds=max(clock.left, 0.0), most_solved=solves)
        root = FrontNode(0, at.leader, tuple(int(c) for c in at.trick), 0)
        cards = search.my_cards(root)
        listed = _short_list(at, cards, found)
        if len(listed) == 1 and self.plan != "keep":
            return None  # no rival, and nobody asks for the plan
        # What pimc would play comes first, and a rival has to be better than that by more than
        # worlds can tell: less is no reason to give up a trick.
        plain, _ = pick(at, found, (worlds, seen), self.pimc.carding, clock)
        listed = _led_by(at, plain, cards, listed)
        listed = _safe_first(at, listed, found, clock)
        order = dict.fromkeys(listed, 0.0)
        least = 0.0
        if goal == "imps":
            # The search says how much of a card's worth in its worlds was clairvoyance; the level
            # comes from all worlds, with the tricks beside the contract.
            search.note(root, seen.cards, seen.reached[:SEARCH_WORLDS])
            vectors = search.by_card(root, search.game.all)
            value = {int(w.card): w.value / stake(at) for w in found}
            order = {card: value[card] - search.worth(vectors[card]) for card in listed}
            least = 0.0 if worlds.complete else LITTLE / stake(at)
        best: Promise | None = None
        promised = float("inf")
        try:
            for depth in range(2, self.depth + 1):
                best, promised = _deepen(search, root, order, depth, (promised, least))
        except OutOfTime:
            clock.late()  # the work is spent, or the time: then the decision says so
        return best

    def _kept(self, at: Situation, clock: Clock) -> Card | None:
        """The card the plan of this trick's first card foresees now, if it still stands."""
        played = _own_cards(at)
        if not played:
            return None
        earlier = at.play.cards[: played[0]]
        play = Play(at.play.strain, at.play.opening_leader, earlier)
        view = replace(at.view, play=play)
        before = situation(view)
        if len(before.groups()) == 1:
            return None
        goal = self.pimc.goal(view)
        worlds, found, seen = self._look(before, view.seed ^ self.seed, goal, clock)
        promise = self._search(before, worlds, (found, seen), goal, clock)
        return None if promise is None else _follow(promise, at.play.cards[played[0] :])


def _promised(promise: Promise, goal: Objective, found: list[Worth]) -> tuple[Reason, ...]:
    """What the search says of its card, beside what pimc says of every card; nothing where both
    say that the contract is made, or lost."""
    if goal != "imps":
        return (Remark.BEST_BLIND,)
    chance = promise.search.worth(promise.vector)
    sure = all(w.chance >= _SURE for w in found if w.card == promise.card)
    return (Blind(chance),) if chance >= 1 - _SURE and not (sure and chance >= _SURE) else ()


def _own_cards(at: Situation) -> list[int]:
    """Indices in the play of the cards our side has put into this trick."""
    start = at.play.state.start
    side = at.turn.side
    return [start + i for i in range(len(at.trick)) if (at.leader + i) & 1 == side]


def _follow(promise: Promise, cards: tuple[Card, ...]) -> Card | None:
    """Walk down the searched tree along the cards played; the card that keeps the promise."""
    search, node, promised = promise.search, promise.root, promise.vector
    if not cards or cards[0] != promise.card:
        return None
    for card in cards:
        if not search.is_max(node):
            can = dict(search.their_cards(node, search.game.all))
            promised &= can.get(int(card), 0)
        node = search.after(node, int(card))
    if promised.bit_count() < 4:
        return None  # too few worlds of the plan are left to follow it blindly
    vectors = search.by_card(node, promised)
    best = max(vectors, key=lambda c: search.worth(vectors[c] & promised))
    return Card(best) if vectors[best] & promised == promised else None


# ---------------------------------------------------------------- the search


def game_of(at: Situation, worlds: Worlds, objective: Objective) -> Game:
    """The search's terms: make or fail for imps, every number of tricks otherwise."""
    weights = worlds.shares.tolist()
    if objective == "imps":
        return Game(
            worlds.deals, at.strain, int(at.contract.declarer), (at.target,), tuple(weights)
        )
    goals = tuple(range(1, at.left + 1))
    steps = [1.0] * len(goals)
    if objective == "matchpoints":
        steps = (np.diff(score_table(at)) / 100).tolist()
    values = tuple(w * step for w in weights for step in steps)
    return Game(worlds.deals, at.strain, int(at.contract.declarer), goals, values)


def _short_list(at: Situation, cards: list[int], found: list[Worth]) -> list[int]:
    """The searcher's cards in the order of pimc's values, the hopeless ones left out."""
    value = {int(w.card): w for w in found}
    ordered = sorted(cards, key=lambda c: (-round(value[c].value, 9), c // 13 == at.strain, c % 13))
    best = value[ordered[0]]
    near = [c for c in ordered if value[c].chance >= best.chance - 0.2]
    return near[:SEARCH_CARDS]


def _led_by(at: Situation, plain: Card, cards: list[int], listed: list[int]) -> list[int]:
    """The list with pimc's card first, which many equals may have crowded out."""
    first = [card for card in cards if _touch(at, card, plain)]
    return [*first, *(card for card in listed if card not in first)]


def _safe_first(at: Situation, listed: list[int], found: list[Worth], clock: Clock) -> list[int]:
    """The list with sure cards that the worlds cannot tell apart in the order of safety: the search
    takes the first of equals, and pimc has compared only the equals of its own card."""
    worth = {int(w.card): (round(w.value, 9), round(w.chance, 9)) for w in found}
    first, rest = listed[:1], listed[1:]
    sure = [card for card in rest if worth[card][1] >= 1 and worth[card] != worth[listed[0]]]
    equal = [card for card in sure if worth[card] == worth[sure[0]]]
    if len(equal) < 2:
        return listed
    compared = safest(at, [Card(card) for card in equal], effort=EFFORT, clock=clock)
    safe = {int(card) for card in compared}
    ordered = iter(sorted(equal, key=lambda card: card not in safe))
    return first + [next(ordered) if card in equal else card for card in rest]


def _touch(at: Situation, card: int, other: Card) -> bool:
    """Are the two cards of one group, so that it is the same to play either?"""
    return any(card in group and other in group for group in at.groups())


def _deepen(
    search: Search,
    root: FrontNode,
    order: dict[int, float],
    depth: int,
    bounds: tuple[float, float],
) -> tuple[Promise, float]:
    """The best card at one depth; its value can only fall from the depth before.

    `order` are the cards, and what each is worth beyond its vector, in shares of the goal;
    `bounds` the value at the depth before, and what a card must be better by than one before it.
    """
    before, least = bounds
    every = search.game.all
    cards = search.by_card(root, every)
    best: Promise | None = None
    value = -float("inf")
    found: Front = []
    for card, beside in order.items():
        bound = cards[card] & every
        if search.worth(bound) + beside <= value + least + 1e-9:
            continue
        child = search.after(root, card)
        search.expect(child, every, bound)
        # A front that adds no vector is no reason to go on, unless the card has more beside it.
        cut = (found,) if best is not None and beside <= order[best.card] else ()
        below, _ = search.front(child, depth - 1, bound, cut)
        vector = max(below, key=search.worth)
        worth = search.worth(vector) + beside
        if worth > value + least + 1e-9:
            best, value, found = Promise(search, root, vector, card), worth, below
        if value >= before - 1e-9:
            break  # root cut: as good as the depth before promised
    assert best is not None
    return best, value


def without_gifts(at: Situation, worlds: Worlds, tricks: int = 2) -> Worlds:
    """Only worlds that were still won, all cards seen, after each recent card of a defender.

    This is payoff reduction applied to history: right against perfect defenders only.
    """
    target = at.target + at.play.declarer_tricks
    keep = np.ones(len(worlds), bool)
    start = max(0, at.play.state.start - 4 * (tricks - 1))
    back = np.zeros((len(worlds), 4), np.uint64)
    for index in range(len(at.play.cards) - 1, start - 1, -1):
        before = Play(at.play.strain, at.play.opening_leader, at.play.cards[:index])
        seat = int(before.turn)
        back[:, seat] |= np.uint64(1 << at.play.cards[index])
        if seat & 1 == at.contract.declarer & 1:
            continue
        left = 13 - before.tricks_played
        goal = left - (target - before.declarer_tricks) + 1
        if 0 < goal <= left:
            trick = tuple(int(c) for c in before.trick.cards)
            hands = worlds.deals | back
            beaten = reach_worlds(hands, at.strain, int(before.trick.leader), trick, goal)
            keep &= ~beaten.any(axis=1)
    if not keep.any() or keep.all():
        return worlds
    weights = np.where(keep, worlds.shares, 0)[keep]
    return Worlds.weighing(
        worlds.deals[keep], weights / weights.sum(), worlds.complete, worlds.drawn
    )
