"""A plan as a player would tell it: one line a trick, tactics by their names.
Tactics are read off the cards of the proof."""

from __future__ import annotations

from overtrick.cardplay.plans.whole import Plan, ProofTrick
from overtrick.game import Card, Seat, Strain, Suit
from overtrick.game.play import winning_index
from overtrick.game.reasons import Planned, Way
from overtrick.game.wording import words

_SUIT: dict[int, str] = {
    Suit.CLUBS: "club", Suit.DIAMONDS: "diamond", Suit.HEARTS: "heart", Suit.SPADES: "spade",
}  # fmt: skip


def ahead(plan: Plan) -> list[Planned]:
    """Each trick of the plan and its proof."""
    left = [set(hand.cards()) for hand in plan.position.hands]
    told = []
    for trick in plan.play:
        led = trick.cards[0]
        winner = trick.leader.plus(winning_index(trick.cards, plan.position.strain))
        won = trick.cards[(winner - trick.leader) & 3]
        way = _way(plan, trick, left, winner, won)
        told.append(Planned(way, trick.leader, led, winner, won, plan.declarer))
        for i, card in enumerate(trick.cards):
            left[trick.leader.plus(i)].discard(card)
    return told


def sentences(plan: Plan) -> list[str]:
    """One sentence for each trick."""
    return [words(trick) for trick in ahead(plan)]


def _way(plan: Plan, trick: ProofTrick, left: list[set[Card]], winner: Seat, won: Card) -> Way:
    declarer, led = plan.declarer, trick.cards[0]
    ours = (declarer, declarer.partner)
    if trick.leader not in ours:
        return Way.THEY_LEAD if winner is not trick.leader else Way.THEY_LEAD_AND_WIN
    if winner not in ours:
        return Way.GIVE_UP
    if won.suit != led.suit:
        return Way.RUFF
    if led.suit == int(plan.position.strain) and trick.step and _drawing(trick, left):
        return Way.DRAW
    beaten = _over(won, left, winner)
    if winner is trick.leader:
        return Way.RUN if beaten else Way.CASH
    return Way.FINESSE if beaten else Way.CROSS


def _drawing(trick: ProofTrick, left: list[set[Card]]) -> bool:
    """Has a defender a trump to be drawn?"""
    suit = trick.cards[0].suit
    return any(c.suit == suit for s in (trick.leader.lho, trick.leader.rho) for c in left[s])


def _over(won: Card, left: list[set[Card]], winner: Seat) -> bool:
    """Does a defender hold a higher card of the suit?"""
    higher = (c for s in (winner.lho, winner.rho) for c in left[s] if c.suit == won.suit)
    return any(c > won for c in higher)


def summary(plan: Plan) -> str:
    """The promise in one line."""
    strain = Strain(plan.position.strain)
    where = "at notrump" if strain is Strain.NT else f"with {_SUIT[strain]}s as trumps"
    text = f"{_tricks(plan.tricks)} {where}, against any defence in each suit"
    if plan.tricks < plan.possible:
        text += f"; double dummy there are {plan.possible}, which suit by suit does not find"
    return text


def _tricks(count: int) -> str:
    return "1 trick" if count == 1 else f"{count} tricks"
