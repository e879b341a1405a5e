"""Random positions for the double-dummy tests.
Used by the tests beside it."""

from __future__ import annotations

import random

from overtrick.doubledummy import Position
from overtrick.game import Deal, Play, Seat, Strain


def random_position(cards_played: int, rng: random.Random) -> Position:
    """A position after that many random legal cards."""
    deal = Deal.random(rng)
    position = Position.start(deal, rng.randrange(5), rng.randrange(4))
    for _ in range(cards_played):
        position = position.then(rng.choice(position.legal_cards().cards()))
    return position


def random_play(deal: Deal, cards: int, rng: random.Random) -> Play:
    """That many random legal cards of a deal."""
    play = Play(Strain(rng.randrange(5)), Seat(rng.randrange(4)))
    for _ in range(cards):
        play = play.then(rng.choice(play.legal_cards(deal[play.turn]).cards()))
    return play


def exhaustive(position: Position) -> int:
    """Tricks of the side on turn by plain search: the oracle for small endings."""
    return max(_value(position, card) for card in position.legal_cards())


def _value(position: Position, card: int) -> int:
    side = position.turn & 1
    if position.tricks_left == 1 and len(position.trick) == 3:
        from overtrick.game.play import winning_index

        cards = (*position.trick, card)
        winner = position.leader + winning_index(cards, position.strain)
        return int(winner & 1 == side)
    after = position.then(card)
    rest = exhaustive(after)
    won = int(not after.trick and after.turn & 1 == side)
    if after.turn & 1 == side:
        return won + rest
    return won + after.tricks_left - rest
