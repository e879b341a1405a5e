"""Two honest baselines for the auction: always pass, and a few natural rules about points. The
floor of every comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.bidding.points.natural import NaturalRule, meaning_of, rules
from overtrick.engines.terms import Cost
from overtrick.evaluation import feature, one_hand
from overtrick.game import CALLS, PASS, Candidate, Decision, Hand, Meaning, View
from overtrick.game.reasons import Agreed


@dataclass(frozen=True, slots=True)
class AlwaysPass:
    """Passes whatever happens."""

    cost: ClassVar = Cost.INSTANT

    @property
    def name(self) -> str:
        return "pass"

    @property
    def system(self) -> str:
        return "always passes"

    def bid(self, view: View) -> Decision:
        return Decision(PASS, Meaning("says nothing"), engine=self.name)


@dataclass(frozen=True, slots=True)
class Points:
    """Natural bidding by points and length: five-card majors, 15–17 notrump, weak twos.

    Each rule is a call with the meaning it shows; the first rule whose meaning fits the hand
    is bid, so what is disclosed is what was decided.
    """

    cost: ClassVar = Cost.INSTANT

    @property
    def name(self) -> str:
        return "points"

    @property
    def system(self) -> str:
        return "natural: five-card majors, 15–17 notrump, weak twos, takeout doubles"

    def meaning(self, view: View, call: int) -> Meaning | None:
        """What its rules say of a call."""
        return meaning_of(view.auction, CALLS[call])

    def bid(self, view: View) -> Decision:
        fitting = [rule for rule in rules(view.auction) if fits(view.hand, rule)]
        chosen = fitting[0]
        # Others are told what the call shows, not which of its rules this hand followed.
        meaning = meaning_of(view.auction, chosen.call) or chosen.meaning
        candidates = tuple(
            Candidate(rule.call, note=rule.meaning.words) for rule in _distinct(fitting)
        )
        return Decision(
            chosen.call,
            meaning,
            candidates,
            reasons=(Agreed(chosen.meaning.words),),
            engine=self.name,
        )


def fits(hand: Hand, rule: NaturalRule) -> bool:
    """Is the hand one that the rule's meaning describes?"""
    low, high = rule.meaning.hcp
    one = one_hand(hand.bits)
    if not low <= feature("HCP")(one) <= high:
        return False
    lengths = hand.lengths
    if not all(a <= n <= b for n, (a, b) in zip(lengths, rule.meaning.lengths, strict=True)):
        return False
    if rule.balanced and feature("BAL")(one) != 0:
        return False
    suit, rivals = rule.choice
    return all(
        lengths[suit] > lengths[other] or (tie and lengths[suit] == lengths[other])
        for other, tie in rivals
    )


def _distinct(found: list[NaturalRule]) -> list[NaturalRule]:
    seen: dict[int, NaturalRule] = {}
    for rule in found:
        seen.setdefault(rule.call, rule)
    return list(seen.values())
