"""Endings solved to the end: every layout, every card, one plan kept until the hand is over.
Used as the player `exact`; until the ending is small enough it plays like alphamu."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

import numpy as np

from overtrick.cardplay.alphamu import AlphaMu, game_of
from overtrick.cardplay.constants import SECONDS
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.knowledge import sample_worlds
from overtrick.cardplay.pacing import Paced, shortened
from overtrick.cardplay.pimc import cheapest, decide, evaluate, obvious
from overtrick.cardplay.sampling import count_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import Worth, goal_is_open
from overtrick.cardplay.vectors import FrontNode
from overtrick.engines import spelled
from overtrick.engines.clock import OutOfTime, now
from overtrick.engines.terms import Cost
from overtrick.game import Card, Decision, OptionError, Play, View
from overtrick.game.reasons import Remark
from overtrick.worlds.weighted import Worlds

_DEEP: Final = 52
_SOLVES: Final = 12_000


@dataclass(frozen=True, slots=True)
class Exact:
    """Alpha-mu first; once the layouts are at most `limit` with `cards` left, all of them at once.

    The plan made when the ending became small enough is followed to the end, card by card: making
    a new plan at every card would forget what the defenders could have done. It is a plan to make
    the contract: at matchpoints, where every trick counts, alpha-mu plays the ending too.
    """

    worlds: int = 100
    depth: int = 2
    limit: int = 80
    cards: int = 5
    knowledge: str = "all"
    seconds: float = SECONDS
    signals: str = "standard"
    their_signals: str = "standard"
    seed: int = 0
    cost: ClassVar = Cost.SLOW
    before: AlphaMu = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.limit < 1 or not 1 <= self.cards <= 13:
            raise OptionError("limit is at least 1 and cards between 1 and 13")
        first = AlphaMu(
            self.worlds,
            self.depth,
            knowledge=self.knowledge,
            seconds=self.seconds,
            signals=self.signals,
            their_signals=self.their_signals,
            seed=self.seed,
        )
        object.__setattr__(self, "before", first)
        object.__setattr__(self, "signals", first.signals)
        object.__setattr__(self, "their_signals", first.their_signals)

    @property
    def name(self) -> str:
        return spelled("exact", self, "worlds", "limit", "cards")

    def within(self, seconds: float) -> Paced:
        return Paced(replace(self, seconds=shortened(self.seconds, seconds)), seconds)

    def thinned(self, worlds: int) -> Self:
        return replace(self, worlds=worlds)

    def play(self, view: View) -> Decision:
        started = now()
        at = situation(view)
        at_imps = self.before.pimc.goal(view) == "imps"
        if not at.declaring or not at_imps or not self._small(at):
            return replace(self.before.play(view), engine=self.name)
        seed = view.seed ^ self.seed
        if len(at.groups()) == 1:
            return obvious(at, self.name, seed, self.before.pimc.carding)
        worlds = self._all(at)
        found, _ = evaluate(at, worlds, "imps")
        chosen = self._planned(at, found)
        if chosen is None:
            return replace(self.before.play(view), engine=self.name)
        signed, more = (self.name, seed, started), (Remark.SOLVED,)
        return decide(at, chosen, found, worlds, None, signed, more=more)

    def _small(self, at: Situation) -> bool:
        """Is the contract still open, and can all of the ending be searched?"""
        small = at.left <= self.cards and count_layouts(at) <= self.limit
        return small and goal_is_open(at)

    def _all(self, at: Situation) -> Worlds:
        rng = np.random.default_rng(at.view.seed ^ self.seed)
        return sample_worlds(at, self.limit, rng, self.before.pimc.kind)

    def _planned(self, at: Situation, found: list[Worth]) -> Card | None:
        """Plan at the first small position of our side, then walk along what was played."""
        first = self._first(at)
        root_at = situation(replace(at.view, play=first))
        worlds = self._all(root_at)
        search = Search(game_of(root_at, worlds, "imps"), seconds=self.seconds, most_solved=_SOLVES)
        node = FrontNode(0, root_at.leader, tuple(int(c) for c in root_at.trick), 0)
        value = {int(w.card): w.value for w in found}
        try:
            front, _ = search.front(node, _DEEP, search.game.all)
            promised = max(front, key=search.worth)
            for card in at.play.cards[len(first.cards) :]:
                if not search.is_max(node):
                    can = dict(search.their_cards(node, search.game.all))
                    promised &= can.get(int(card), 0)
                node = search.after(node, int(card))
            return _keeping(at, search, node, promised, value)
        except OutOfTime:
            return None

    def _first(self, at: Situation) -> Play:
        """The earliest point from which the ending was small and the choice declarer's."""
        first = at.play
        for count in range(len(at.play.cards) - 1, -1, -1):
            play = Play(at.play.strain, at.play.opening_leader, at.play.cards[:count])
            if play.controller != at.view.seat:
                continue
            then = situation(replace(at.view, play=play))
            if not self._small(then):
                break
            first = play
        return first


def _keeping(
    at: Situation, search: Search, node: FrontNode, promised: int, value: dict[int, float]
) -> Card | None:
    """A card after which the promise still stands; if we strayed, the best from here."""
    options: list[tuple[float, float, int]] = []
    for card in search.my_cards(node):
        child = search.after(node, card)
        kept, _ = search.front(child, _DEEP, promised)
        best = max(kept, key=search.worth)
        options.append((search.worth(best), value.get(card, 0.0), card))
    if not promised:
        return None
    worth, second, _ = max(options)
    equal = [Card(c) for w, v, c in options if w >= worth - 1e-9 and v >= second - 1e-6]
    return cheapest(at, equal)
