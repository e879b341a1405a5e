"""What the cards played say of the hidden hands: the opening lead, the defenders' carding and
declarer's line, choice by choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from overtrick.cardplay.carding import STANDARD, Carding
from overtrick.cardplay.evidence.declarers import declarer_likelihood
from overtrick.cardplay.evidence.defenders import choice_likelihood
from overtrick.cardplay.evidence.scenes import Scene, scenes
from overtrick.game import Seat, View
from overtrick.worlds.weighted import Floats, Worlds
from overtrick.worlds.witness import hidden_hands


@dataclass(frozen=True, slots=True)
class CardsWitness:
    """How likely the hidden hands play the cards they played, each kind of choice as far as it is
    trusted: the opening lead, later cards of defenders, and those of declarer's side.

    Declarer's hand is read from dummy's cards too, since declarer chose them.
    """

    lead: float = 1.0
    carding: float = 1.0
    line: float = 1.0
    ours: Carding = STANDARD  # how a defender reads partner's cards
    theirs: Carding = STANDARD  # how declarer reads the defenders'
    cost: ClassVar = 4.0

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        out = np.zeros(len(worlds))
        contract = view.contract
        if view.dummy is None or contract is None or not (self.lead or self.carding or self.line):
            return out
        carding = self.theirs if view.seat == contract.declarer else self.ours
        hidden = dict(hidden_hands(view, worlds))
        side = {contract.declarer, contract.dummy} if contract.declarer in hidden else set()
        for scene, gone in _choices(view, {*hidden, *side}):
            seat = contract.declarer if scene.seat in side else Seat(scene.seat)
            held = hidden[seat] & ~np.uint64(gone[seat])
            if scene.seat in side:
                if self.line:
                    out += self.line * declarer_likelihood(scene, held)
            elif trust := self.carding if scene.index else self.lead:
                out += trust * choice_likelihood(scene, held, carding)
        return out


def _choices(view: View, seats: set[Seat]) -> list[tuple[Scene, tuple[int, ...]]]:
    """The choices of these seats, the last one first, with what each seat had played before."""
    assert view.play is not None
    assert view.dummy is not None
    gone = [0, 0, 0, 0]
    out = []
    for scene in scenes(view.auction, view.play, view.dummy.bits, tuple(map(int, seats))):
        out.append((scene, tuple(gone)))
        gone[scene.seat] |= 1 << scene.card
    return out[::-1]
