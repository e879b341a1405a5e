"""The layouts that decide between a card and the best other one: of those that are possible one
of each kind, and what the other card would need. They are drawn beside the engine's own worlds,
weighed by the auction, and say how many there were."""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import DECK, Card, Decision, Hand, Seat, View
from overtrick.game.seats import SeatLetter
from overtrick.web.sentences import Sentence, sentence

_WORLDS: Final = 24
_LATEST: Final = 11  # tricks left: with more the solver takes too long for a hint
_FEW: Final = 3  # layouts: fewer may have anything in common
_HONOUR: Final = 8  # the ten: the least card that people look for

Bools = NDArray[np.bool_]


class ShownLayout(msgspec.Struct, frozen=True):
    """Hidden hands as they could be, and whether the card or the other one is better there."""

    hands: dict[SeatLetter, str]
    better: bool


class Deciding(msgspec.Struct, frozen=True):
    """Of `worlds` layouts the card is better in `better`, the other in `worse`; one of each."""

    other: str
    worlds: int
    better: int
    worse: int
    layouts: tuple[ShownLayout, ...]
    said: tuple[Sentence, ...]


def deciding(view: View, decision: Decision) -> Deciding | None:
    """What decides between the card of a decision and the best other card; nothing in the first
    tricks, where nothing was compared, or where no layout tells them apart."""
    if view.play is None or view.dummy is None:
        return None
    at = situation(view)
    other = _other(at, decision)
    if other is None or at.left > _LATEST:
        return None
    worlds = sample_worlds(at, _WORLDS, np.random.default_rng(view.seed), evidence("auction"))
    tricks = dd.solve_worlds(worlds.deals, at.strain, at.leader, at.trick)
    mine, theirs = tricks[:, int(decision.card)], tricks[:, int(other)]
    made, lost = mine >= at.target, theirs >= at.target
    better, worse = made & ~lost, lost & ~made
    if not better.any() and not worse.any():
        better, worse = mine > theirs, theirs > mine
    if not better.any() and not worse.any():
        return None
    layouts = [_layout(at, worlds.deals[rows][0], kind) for rows, kind in
               ((better, True), (worse, False)) if rows.any()]  # fmt: skip
    return Deciding(
        other.ascii, len(worlds.deals), int(better.sum()), int(worse.sum()), tuple(layouts),
        tuple(_needs(at, worlds.deals, other, better, worse)),
    )  # fmt: skip


def _other(at: Situation, decision: Decision) -> Card | None:
    """The best other card that is no equal of the chosen one."""
    same = next((set(g) for g in at.groups() if decision.card in g), {decision.card})
    found = [
        c
        for c in decision.candidates
        if isinstance(c.action, Card) and c.action not in same and c.value is not None
    ]
    best = max(found, key=lambda c: c.value or 0.0, default=None)
    return best.action if best is not None and isinstance(best.action, Card) else None


def _layout(at: Situation, deal: NDArray[np.uint64], better: bool) -> ShownLayout:
    hidden = [Seat(s) for s in at.hidden]
    return ShownLayout({s.letter: _text(int(deal[s])) for s in hidden}, better)


def _text(bits: int) -> str:
    """What is left of a hand, suits between dots."""
    return str(Hand(bits))


def _needs(
    at: Situation, deals: NDArray[np.uint64], other: Card, better: Bools, worse: Bools
) -> list[Sentence]:
    """A card that one hand has wherever the other card is better, and not wherever it is worse."""
    if worse.sum() < _FEW:
        return []
    for card in (DECK[c] for c in range(51, -1, -1) if at.pool >> c & 1 and c % 13 >= _HONOUR):
        for seat in at.hidden:
            has = (deals[:, seat] >> np.uint64(int(card)) & np.uint64(1)).astype(bool)
            if has[worse].all() and not has[better].any() and not has.all():
                said = sentence("needs", card=other, seat=Seat(seat), honour=card)
                return [said]
    return []
