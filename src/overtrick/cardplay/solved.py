"""The last cards played exactly: every layout, to the end, for declarer and for a defender.
What the exact chance differs from the sampled one is how much of it was seeing all cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overtrick.cardplay.endings import Defence, Ending, Solver, ending
from overtrick.cardplay.knowledge import Worlds
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.technique import Technique, declarers, defenders
from overtrick.cardplay.values import Worth, goal_is_open, stake
from overtrick.cardplay.vectors import OutOfTime
from overtrick.engines.clock import Clock
from overtrick.game import Card

_CARDS: Final = {True: 7, False: 5}  # cards left from which it is tried, by declaring
_LAYOUTS: Final = {True: 100, False: 40}
_NODES: Final = 30_000  # a third of a second, for each of two ways
_NAMED: Final = 12_000  # more of them to name the line, and for each defender who is tested
_SAME: Final = 1e-6
Terms = tuple[Sequence[float], Clock | None]  # weights of the layouts, and the time there is


@dataclass(frozen=True, slots=True)
class Solved:
    """The best cards, which are equals, the chance they secure, and the name of the line."""

    cards: list[Card]
    chance: float
    technique: Technique | None

    def words(self) -> str:
        name = self.technique
        return f"{name.words} ({name.name})" if name is not None else "solved to the end"


def solve_ending(
    at: Situation, worlds: Worlds, found: list[Worth], clock: Clock | None = None
) -> Solved | None:
    """The best card when all layouts are here and few enough; None when they are not."""
    small = at.left <= _CARDS[at.declaring] and len(worlds) <= _LAYOUTS[at.declaring]
    if not (small and worlds.complete and len(at.hidden) == 2 and goal_is_open(at)):
        return None
    game = ending(
        worlds.hands, at.strain, at.leader, at.trick, at.target,
        int(at.view.seat), int(at.contract.declarer),
    )  # fmt: skip
    weights = worlds.weights.tolist()
    try:
        if at.declaring:
            return _declared(at, game, (weights, clock), found)
        return _defended(at, game, (weights, clock), found)
    except OutOfTime:
        return None


def _best(at: Situation, exact: dict[int, float], found: list[Worth]) -> list[int]:
    """The cards worth most: what they are worth in the worlds, less what needed sight."""
    worth = {int(w.card): w for w in found}
    value = {c: worth[c].value / stake(at) + exact[c] - worth[c].chance for c in exact}
    top = max(value.values())
    return [c for c in value if value[c] > top - _SAME]


def _declared(at: Situation, game: Ending, terms: Terms, found: list[Worth]) -> Solved:
    weights, clock = terms
    try:
        solver = Solver(game, weights, most=_NODES, clock=clock)
        secured = solver.secured()
    except OutOfTime:
        solver = Solver(game, weights, merge=True, most=_NODES, clock=clock)
        secured = solver.secured()
    exact = {c: solver.worth(m) for c, m in secured.items()}
    best = _best(at, exact, found)
    rivals = [c for c in exact if c not in best]
    name = None
    if len(best) == 1 and rivals:
        rival = max(rivals, key=lambda c: exact[c])
        solver.most += _NAMED
        try:
            name = declarers(solver, best[0], secured[best[0]], secured[rival], _NAMED)
        except OutOfTime:
            name = None
    return Solved([Card(c) for c in best], exact[best[0]], name)


def _defended(at: Situation, game: Ending, terms: Terms, found: list[Worth]) -> Solved:
    weights, clock = terms
    asked = Defence(game, at.barred, most=2 * _NODES, clock=clock)
    seen = Solver(game, weights, most=_NODES, clock=clock).seen()
    exact = {}
    for card, surely in seen.items():
        chances = asked.beaten(card, surely)
        exact[card] = sum(w * c for w, c in zip(weights, chances, strict=True))
    best = _best(at, exact, found)
    rivals = sorted((c for c in exact if c not in best), key=lambda c: -exact[c])
    only = len(best) == 1 and rivals and exact[best[0]] > exact[rivals[0]] + _SAME
    name = defenders(asked, best[0], rivals) if only else None
    touching = [c for group in at.groups() for c in group if {int(x) for x in group} & set(best)]
    return Solved(touching, exact[best[0]], name)
