"""Is there one right card? Exact values over every layout, and what averaging over seen cards says.
`screened` throws most scenes out quickly; what it leaves is proved without any merging."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from overtrick.cardplay.blind import Defence
from overtrick.cardplay.defences import defenders
from overtrick.cardplay.ending import Ending, ending
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import Technique
from overtrick.cardplay.sampling import all_layouts
from overtrick.cardplay.situation import situation
from overtrick.cardplay.technique import declarers
from overtrick.engines.clock import OutOfTime
from overtrick.game import View
from overtrick_lab.exam.counting import agreed, counted, may_count, signalled
from overtrick_lab.exam.scene import EndingScene, Four

GAP: Final = 0.04  # of the layouts, by which the right card must be better than any other
_QUICK: Final = 10_000  # nodes of a screened scene
_PROOF: Final = 120_000
_MOST: Final = 400  # layouts
_SAME: Final = 1e-9

Values = dict[int, float]


@dataclass(frozen=True, slots=True)
class Proof:
    """The right card, its chance, the next best's, what averaging gives each, and its name."""

    card: int
    chance: float
    next_best: float
    exact: Values
    averaged: Values
    layouts: int
    technique: Technique

    @property
    def gap(self) -> float:
        return self.chance - self.next_best


def screened(scene: EndingScene, reached: dict[int, int]) -> bool:
    """Quickly: does one card seem best, where averaging misses it or cannot tell?

    `reached` are the layouts each card wins when all cards are seen.
    """
    try:
        if scene.declaring:
            return _screened_declarer(scene, reached)
        return _screened_defence(scene, reached)
    except OutOfTime:
        return False


def _screened_declarer(scene: EndingScene, reached: dict[int, int]) -> bool:
    solver = EndingSolver(scene.ending(), merge=True, most=_QUICK)
    seen = solver.expect(reached)
    bounds = {c: solver.worth(m) for c, m in seen.items()}
    top = max(bounds.values())
    if len(bounds) < 2 or top == 0:
        return False
    favourites = [c for c in bounds if bounds[c] > top - _SAME]
    root, full = solver.root, 0
    for card in favourites:
        found = solver.fronts(solver.after(root, card), seen[card])
        full += max(map(solver.worth, found)) > top - _SAME
        if full == 2 or (full and len(favourites) == 1):
            return False  # two cards win all that can be won, or averaging finds the one that does
    exact = {c: solver.worth(m) for c, m in solver.secured().items()}
    return _one_right(exact, bounds) is not None


def glimpse(scene: EndingScene, reached: dict[int, int]) -> str | None:
    """The name of declarer's line in a layout that only one card wins, all cards seen: what such a
    scene may be made to ask for."""
    game = scene.ending()
    for w in range(len(game.hands)):
        if sum(m >> w & 1 for m in reached.values()) != 1:
            continue
        card = next(c for c, m in reached.items() if m >> w & 1)
        found = declarers(EndingSolver(replace(game, hands=(game.hands[w],))), card, 1, 0)
        return None if found is None else found.name
    return None


def _screened_defence(scene: EndingScene, reached: dict[int, int]) -> bool:
    asked = Defence(scene.ending(), scene.shown(), most=3 * _QUICK)
    solver = EndingSolver(asked.game, most=_QUICK)
    seen = solver.expect(reached)
    averaged = {c: solver.worth(m) for c, m in seen.items()}
    top = max(averaged.values())
    if sum(v > top - _SAME for v in averaged.values()) < 2:
        return False  # averaging has a favourite, which is seldom wrong against a good declarer
    exact: Values = {}
    for card in sorted(averaged, key=lambda c: -averaged[c]):
        exact[card] = float(np.mean(asked.beaten(card, seen[card])))
        if list(exact.values()).count(1.0) > 1:
            return False
    return _one_right(exact, averaged) is not None


def _one_right(exact: Values, averaged: Values) -> int | None:
    """The one right card that averaging does not single out."""
    if len(exact) < 2:
        return None
    order = sorted(exact, key=lambda c: -exact[c])
    if exact[order[0]] - exact[order[1]] < GAP:
        return None
    top = max(averaged.values())
    favourites = [c for c in averaged if averaged[c] > top - _SAME]
    return None if favourites == [order[0]] else order[0]


def proved(scene: EndingScene) -> Proof | None:
    """The proof, every card by itself; None when there is none, or the line has no name."""
    return proved_ending(scene.ending(), scene.shown())


def proved_view(view: View) -> Proof | None:
    """The same for what a seat sees: nothing else goes into the proof."""
    at = situation(view)
    rows = all_layouts(at, _MOST)
    if rows is None:
        return None
    game = ending(rows, at.strain, at.leader, at.trick, at.target, view.seat, at.contract.declarer)
    return proved_ending(game, at.barred)


def proved_ending(game: Ending, shown: Four) -> Proof | None:
    try:
        return _proved_declarer(game) if game.declaring else _proved_defence(game, shown)
    except OutOfTime:
        return None


def _proved_declarer(game: Ending) -> Proof | None:
    solver = EndingSolver(game, most=_PROOF)
    seen = solver.seen()
    secured = solver.secured()
    exact = {c: solver.worth(m) for c, m in secured.items()}
    averaged = {c: solver.worth(m) for c, m in seen.items()}
    card = _one_right(exact, averaged)
    if card is None:
        return None
    rival = max((c for c in exact if c != card), key=lambda c: exact[c])
    found = declarers(solver, card, secured[card], secured[rival])
    if found is None:
        return None
    count = len(solver.game.hands)
    return Proof(card, exact[card], exact[rival], exact, averaged, count, found)


def _proved_defence(game: Ending, shown: Four) -> Proof | None:
    asked = Defence(game, shown, merge=False, most=5 * _PROOF)
    seen = EndingSolver(game, most=_PROOF)
    won = seen.seen()
    averaged = {c: seen.worth(m) for c, m in won.items()}
    exact = {c: float(np.mean(asked.beaten(c, won[c]))) for c in won}
    card = _one_right(exact, averaged)
    if card is None:
        return _proved_count(game, shown, averaged) if may_count(game) else None
    rivals = sorted((c for c in exact if c != card), key=lambda c: -exact[c])
    found = defenders(asked, card, rivals)
    if found is None:
        return None
    count = len(asked.game.hands)
    return Proof(card, exact[card], exact[rivals[0]], exact, averaged, count, found)


def _proved_count(game: Ending, shown: Four, averaged: Values) -> Proof | None:
    """Cards that are all the same, but for what they tell partner."""
    if len(averaged) > 1:
        return None
    exact = counted(game, shown)
    same = dict.fromkeys(exact, next(iter(averaged.values())))
    card = _one_right(exact, same)
    if card is None or card != agreed(game.hands[0][game.chooser], card // 13):
        return None
    rival = max(value for c, value in exact.items() if c != card)
    found = signalled(game, card)
    return Proof(card, exact[card], rival, exact, same, len(game.hands), found)
