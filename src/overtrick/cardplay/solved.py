"""The last cards played exactly: every layout, to the end, for declarer and for a defender.
What the exact chance differs from the sampled one is how much of it was seeing all cards."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from overtrick.cardplay.blind import Defence
from overtrick.cardplay.constants import (
    ENDINGS_CARDS,
    ENDINGS_LAYOUTS,
    ENDINGS_LOOKED,
    ENDINGS_NAMED,
    ENDINGS_NODES,
    ENDINGS_PROOF,
)
from overtrick.cardplay.defences import defenders
from overtrick.cardplay.ending import Ending, ending
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import Technique
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.technique import declarers
from overtrick.cardplay.values import Outcome, Worth, goal_is_open, outdone, stake
from overtrick.cardplay.vectors import packed
from overtrick.engines.clock import Clock, OutOfTime
from overtrick.game import Card
from overtrick.game.reasons import Reason, Remark
from overtrick.worlds.weighted import Worlds

_SAME: Final = 1e-6
Seen = tuple[list[Worth], Outcome]  # what each card is worth with all cards seen


class EndingTask(NamedTuple):
    """Weights of the layouts, the time there is, by card the layouts won with all cards seen."""

    weights: Sequence[float]
    clock: Clock | None
    reached: dict[int, int]

    def solver(self, game: Ending, merge: bool = False) -> EndingSolver:
        most = ENDINGS_NODES if merge else ENDINGS_PROOF
        found = EndingSolver(game, self.weights, merge=merge, most=most, clock=self.clock)
        found.expect(self.reached)
        return found


@dataclass(frozen=True, slots=True)
class Solved:
    """The best cards, which are equals, the chance they secure, and the name of the line."""

    cards: list[Card]
    chance: float
    technique: Technique | None

    @property
    def reason(self) -> Reason:
        return self.technique.coup if self.technique is not None else Remark.SOLVED


def solve_ending(
    at: Situation,
    worlds: Worlds,
    solved: Seen,
    clock: Clock | None = None,
) -> Solved | None:
    """The best card when all layouts are here and few enough; None when they are not.

    `solved` is what each card is worth in these worlds with all cards seen.
    """
    small = at.left <= ENDINGS_CARDS[at.declaring] and len(worlds) <= ENDINGS_LAYOUTS[at.declaring]
    if not (small and worlds.complete and len(at.hidden) == 2 and goal_is_open(at)):
        return None
    game = ending(
        worlds.deals, at.strain, at.leader, at.trick, at.target,
        int(at.view.seat), int(at.contract.declarer),
    )  # fmt: skip
    asked = EndingTask(worlds.shares.tolist(), clock, _layouts_won(solved[1]))
    try:
        with _uncollected():
            if at.declaring:
                return _declared(at, game, asked, solved)
            return _defended(at, game, asked, solved)
    except OutOfTime:
        return None


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for garbage meanwhile: the tables are many small objects, and none of them is."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _best(at: Situation, exact: dict[int, float], found: list[Worth], seen: Outcome) -> list[int]:
    """The cards worth most: what they are worth in the worlds, less what needed sight.

    Of equals the contract's chance decides, then none is left that another outdoes with all cards
    seen: a card that beats the contract because declarer must guess wrong is no better than one
    that beats it anyhow.
    """
    worth = {int(w.card): w for w in found}
    value = {c: worth[c].value / stake(at) + exact[c] - worth[c].chance for c in exact}
    top = max(value.values())
    near = [c for c in value if value[c] > top - _SAME]
    surest = max(exact[c] for c in near)
    near = [c for c in near if exact[c] > surest - _SAME]
    if seen.tricks is None:
        return near
    column = {int(c): seen.tricks[:, i] for i, c in enumerate(seen.cards)}
    rivals = np.stack([column[c] for c in near], axis=1)
    return [c for c in near if not outdone(column[c], rivals)]


def _layouts_won(seen: Outcome) -> dict[int, int]:
    """The worlds in which each card reaches the goal, as integers."""
    every = list(range(len(seen.reached)))
    return {int(c): packed(seen.reached[:, i, None], every, 1) for i, c in enumerate(seen.cards)}


def _declared(at: Situation, game: Ending, asked: EndingTask, solved: Seen) -> Solved:
    try:
        solver = asked.solver(game)
        secured = solver.secured()
    except OutOfTime:
        if asked.clock is not None and asked.clock.late():
            raise
        solver = asked.solver(game, merge=True)
        secured = solver.secured()
    exact = {c: solver.worth(m) for c, m in secured.items()}
    best = _best(at, exact, *solved)
    rivals = [c for c in exact if c not in best]
    name = None
    if len(best) == 1 and rivals:
        rival = max(rivals, key=lambda c: exact[c])
        solver.most += ENDINGS_NAMED
        try:
            won, less = secured[best[0]], secured[rival]
            name = declarers(solver, best[0], won, less, ENDINGS_NAMED, ENDINGS_LOOKED)
        except OutOfTime:
            name = None
    return Solved([Card(c) for c in best], exact[best[0]], name)


def _defended(at: Situation, game: Ending, asked: EndingTask, solved: Seen) -> Solved:
    defence = Defence(game, at.barred, most=2 * ENDINGS_NODES, clock=asked.clock)
    exact = {}
    for card in defence.cards():
        chances = defence.beaten(card, asked.reached[card])
        exact[card] = sum(w * c for w, c in zip(asked.weights, chances, strict=True))
    best = _best(at, exact, *solved)
    rivals = sorted((c for c in exact if c not in best), key=lambda c: -exact[c])
    only = len(best) == 1 and rivals and exact[best[0]] > exact[rivals[0]] + _SAME
    name = defenders(defence, best[0], rivals) if only else None
    touching = [c for group in at.groups() for c in group if {int(x) for x in group} & set(best)]
    return Solved(touching, exact[best[0]], name)
