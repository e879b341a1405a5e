"""Two honest baselines for the play: any legal card, and the highest legal card.
Used as opponents in tests and as the floor of every comparison."""

from __future__ import annotations

import random
from dataclasses import dataclass

from overtrick.game import Decision, Meaning, View
from overtrick.game.reasons import Remark


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Plays a random legal card; the seed is drawn from what it sees."""

    seed: int = 0

    @property
    def name(self) -> str:
        return f"random(seed={self.seed})" if self.seed else "random"

    def play(self, view: View) -> Decision:
        seed = view.seed ^ self.seed
        card = random.Random(seed).choice(view.legal_cards().cards())
        return Decision(card, Meaning("any card"), seed=seed, engine=self.name)


@dataclass(frozen=True, slots=True)
class Highest:
    """Plays the highest legal card, in the longest suit when it may choose the suit."""

    @property
    def name(self) -> str:
        return "highest"

    def play(self, view: View) -> Decision:
        legal = view.legal_cards()
        card = max(legal, key=lambda c: (legal.length(c.suit), c.suit, c.rank))
        reason = Remark.HIGHEST if len(legal) > 1 else Remark.ONLY_LEGAL
        return Decision(card, Meaning("highest card"), reasons=(reason,), engine=self.name)
