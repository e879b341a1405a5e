"""A plan as a player would tell it: one line a trick, tactics by their names.
Tactics are read off the cards of the proof."""

from __future__ import annotations

from overtrick.cardplay.plans.whole import Plan, Played
from overtrick.game import Card, Seat, Strain, Suit
from overtrick.game.play import winning_index

_SUIT: dict[int, str] = {
    Suit.CLUBS: "club", Suit.DIAMONDS: "diamond", Suit.HEARTS: "heart", Suit.SPADES: "spade",
}  # fmt: skip


def sentences(plan: Plan) -> list[str]:
    """One sentence for each trick of the plan and its proof."""
    left = [set(hand.cards()) for hand in plan.position.hands]
    told = []
    for trick in plan.play:
        told.append(_sentence(plan, trick, left))
        for i, card in enumerate(trick.cards):
            left[trick.leader.plus(i)].discard(card)
    return told


def _sentence(plan: Plan, trick: Played, left: list[set[Card]]) -> str:
    declarer = plan.declarer
    led = trick.cards[0]
    winner = trick.leader.plus(winning_index(trick.cards, plan.position.strain))
    won = trick.cards[(winner - trick.leader) & 3]
    if trick.leader not in (declarer, declarer.partner):
        what = f"takes it with the {won}" if winner is not trick.leader else f"wins with the {won}"
        return f"{trick.leader} leads the {led}; {_name(winner, declarer)} {what}"
    suit = _SUIT[led.suit]
    hand = _name(trick.leader, declarer)
    other = _name(trick.leader.partner, declarer)
    if winner not in (declarer, declarer.partner):
        return f"give up a {suit}: the {led} from {hand}, {winner} wins with the {won}"
    if won.suit != led.suit:
        return f"ruff a {suit} in {other}: the {led} from {hand}, ruffed with the {won}"
    if led.suit == int(plan.position.strain) and trick.step and _drawing(trick, left):
        return f"draw trumps: the {led} from {hand}, won by the {won}"
    if winner is trick.leader:
        beaten = _over(won, left, winner)
        return f"run the {led} from {hand}" if beaten else f"cash the {led} in {hand}"
    if _over(won, left, winner):
        return f"finesse: the {led} from {hand} to the {won}"
    return f"cross to {other}: the {led} to the {won}"


def _drawing(trick: Played, left: list[set[Card]]) -> bool:
    """Has a defender a trump to be drawn?"""
    suit = trick.cards[0].suit
    return any(c.suit == suit for s in (trick.leader.lho, trick.leader.rho) for c in left[s])


def _over(won: Card, left: list[set[Card]], winner: Seat) -> bool:
    """Does a defender hold a higher card of the suit?"""
    higher = (c for s in (winner.lho, winner.rho) for c in left[s] if c.suit == won.suit)
    return any(c > won for c in higher)


def _name(seat: Seat, declarer: Seat) -> str:
    return "hand" if seat is declarer else "dummy" if seat is declarer.partner else str(seat)


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
