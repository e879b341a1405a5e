"""Play without any search: any legal card, the highest one, and a card by rule for a player who is
late. The first two are opponents in tests and the floor of every comparison."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.leadrules import rule_lead
from overtrick.engines.terms import Cost
from overtrick.game import Card, Decision, Meaning, Play, View
from overtrick.game.reasons import Remark


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Plays a random legal card; the seed is drawn from what it sees."""

    seed: int = 0
    cost: ClassVar = Cost.INSTANT

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

    cost: ClassVar = Cost.INSTANT

    @property
    def name(self) -> str:
        return "highest"

    def play(self, view: View) -> Decision:
        legal = view.legal_cards()
        card = max(legal, key=lambda c: (legal.length(c.suit), c.suit, c.rank))
        reason = Remark.HIGHEST if len(legal) > 1 else Remark.ONLY_LEGAL
        return Decision(card, Meaning("highest card"), reasons=(reason,), engine=self.name)


def at_once(view: View) -> Decision:
    """A sensible card without any search: leads by rule, else second hand low, third hand high."""
    play = view.play
    assert play is not None
    if not play.cards:
        card, reason = rule_lead(view, STANDARD), Remark.LED_BY_RULE
    else:
        card, reason = _plain(view, play), Remark.PLAYED_BY_RULE
    return Decision(card, Meaning("a card"), reasons=(reason,), seed=view.seed, engine="at once")


def _plain(view: View, play: Play) -> Card:
    legal = view.legal_cards().cards()
    low = min(legal, key=lambda c: (int(c.suit) == play.strain, c.rank, c.suit))
    trick = play.trick
    if not trick.cards:
        return max(
            legal, key=lambda c: (c.rank == 12, sum(d.suit == c.suit for d in legal), c.rank)
        )
    if trick.winner(play.strain) == play.turn.partner and len(trick.cards) > 1:
        return low
    winners = [c for c in legal if _wins(c, play)]
    if not winners or len(trick.cards) == 1:
        return low
    if len(trick.cards) == 3:
        return min(winners, key=lambda c: (int(c.suit) == play.strain, c.rank))
    return max(winners, key=lambda c: (int(c.suit) != play.strain, c.rank))


def _wins(card: Card, play: Play) -> bool:
    trick = play.trick
    return type(trick)(trick.leader, (*trick.cards, card)).winner(play.strain) == play.turn
