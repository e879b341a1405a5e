"""A position in the play: what is left in four hands, the strain, who leads, the trick so far.
Built from a deal, a contract or a play."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.game import DECK, Card, Contract, Deal, Hand, IllegalPlay, Play, Seat, Strain
from overtrick.game.cards import SUIT_BITS
from overtrick.game.deal import Hands
from overtrick.game.errors import BridgeError
from overtrick.game.play import winning_index


class PositionError(BridgeError):
    """Hands and a trick that cannot occur together.

    >>> try:
    ...     Position(Deal.parse("N:A..2. K..3. 3..A. 2..K.").hands, Strain.NT, Seat.NORTH,
    ...              (Card.parse("SA"),))
    ... except PositionError as error:
    ...     print(error)
    SA of North is somewhere else too
    """


@dataclass(frozen=True, slots=True)
class Position:
    """Remaining hands (without the cards of the trick in progress), strain, leader, trick.

    >>> deal = Deal.parse("N:A..2. K..3. 3..A. 2..K.")
    >>> position = Position.start(deal, Strain.NT, Seat.NORTH)
    >>> position.then(Card.parse("SA")).turn, position.tricks_left
    (Seat.EAST, 2)
    """

    hands: Hands
    strain: Strain
    leader: Seat
    trick: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if len(self.trick) > 3:
            raise PositionError(f"a trick in progress has at most 3 cards, not {len(self.trick)}")
        seen = 0
        for card in self.trick:
            seen |= 1 << card
        if seen.bit_count() != len(self.trick):
            raise PositionError("a card is twice in the trick in progress")
        for seat, hand in zip(Seat, self.hands, strict=True):
            if twice := seen & hand.bits:
                card = DECK[twice.bit_length() - 1]
                raise PositionError(f"{card.ascii} of {seat} is somewhere else too")
            seen |= hand.bits
        full = len(self.hands[self.turn])
        for i in range(4):
            seat = self.leader.plus(i)
            due = full - (i < len(self.trick))
            if len(self.hands[seat]) != due:
                raise PositionError(f"{seat} should have {due} cards, not {len(self.hands[seat])}")
        if full == 0:
            raise PositionError("there is no card left to play")

    @classmethod
    def start(cls, deal: Deal, strain: int, leader: int) -> Position:
        """Before the first card of a deal (or of an end position)."""
        return cls(deal.hands, Strain(strain), Seat(leader))

    @classmethod
    def of_contract(cls, deal: Deal, contract: Contract) -> Position:
        """Before the opening lead against a contract."""
        return cls.start(deal, contract.strain, contract.leader)

    @classmethod
    def of_play(cls, deal: Deal, play: Play) -> Position:
        """Where a play stands; `deal` has the original hands."""
        for i, trick in enumerate(play.tricks()):
            for seat_offset, card in enumerate(trick.cards):
                seat = trick.leader.plus(seat_offset)
                if card not in deal[seat]:
                    number = 4 * i + seat_offset + 1
                    raise IllegalPlay(f"card {number}, {card.ascii}: {seat} does not hold it")
        played = play.state.played
        hands = tuple(Hand(h.bits & ~played) for h in deal.hands)
        trick = play.trick
        return cls(hands, play.strain, trick.leader, trick.cards)  # type: ignore[arg-type]

    @property
    def turn(self) -> Seat:
        return self.leader.plus(len(self.trick))

    @property
    def tricks_left(self) -> int:
        """Tricks still to be decided, the one in progress included."""
        return len(self.hands[self.turn])

    def legal_cards(self) -> Hand:
        """What the seat on turn may play."""
        hand = self.hands[self.turn]
        if self.trick:
            follow = hand.bits & SUIT_BITS << 13 * (self.trick[0] // 13)
            if follow:
                return Hand(follow)
        return hand

    def then(self, card: int) -> Position:
        """After one more card; the last card of a deal leaves no position."""
        if card not in self.legal_cards():
            raise IllegalPlay(f"{self.turn} cannot play {DECK[card].ascii} now")
        hands = list(self.hands)
        hands[self.turn] = hands[self.turn].without(card)
        cards = (*self.trick, DECK[card])
        if len(cards) < 4:
            return Position(tuple(hands), self.strain, self.leader, cards)  # type: ignore[arg-type]
        winner = self.leader.plus(winning_index(cards, self.strain))
        return Position(tuple(hands), self.strain, winner)  # type: ignore[arg-type]
