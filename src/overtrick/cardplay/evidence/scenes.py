"""Every card that a seat had to choose, as the table saw it: the public side of a choice.
defenders.py and declarers.py say how likely each hidden hand makes the choice that was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from overtrick.game import PASS, Auction, Card, Play
from overtrick.game.cards import ALL_CARDS, SUIT_BITS
from overtrick.game.play import winning_index


@dataclass(frozen=True, slots=True)
class Scene:
    """One choice: what was on the table, what had gone before, what was played.

    `alive` holds every card not in a finished trick; suits are listed as 4-bit sets.
    """

    seat: int
    card: Card
    index: int  # in the order of play
    strain: int
    alive: int
    trick: tuple[Card, ...]
    leader: int
    dummy_seat: int
    dummy: int  # its remaining cards; 0 before it is down
    partner_led: int
    mine_led: int
    theirs_led: int
    partner_bid: int
    theirs_bid: int
    partner_void: int
    led_before: int = 0  # suits led to earlier tricks, by anybody
    thrown: int = 0  # suits of which this seat has thrown cards away

    @property
    def kind(self) -> str:
        """Which table of weights applies; a choice without the led suit is a `discard`."""
        if self.index == 0:
            return "opening"
        return ("lead", "second", "third", "fourth")[len(self.trick)]

    @property
    def left(self) -> int:
        """Tricks still to come, this one included."""
        return self.alive.bit_count() // 4

    @property
    def led(self) -> int | None:
        return self.trick[0].suit if self.trick else None

    @property
    def best(self) -> Card | None:
        """The card that wins the trick so far."""
        return self.trick[winning_index(self.trick, self.strain)] if self.trick else None

    @property
    def partner_wins(self) -> bool:
        if not self.trick:
            return False
        winner = (self.leader + winning_index(self.trick, self.strain)) & 3
        return winner == (self.seat + 2) & 3

    @property
    def dummy_follows(self) -> bool:
        """Does dummy still play to this trick?"""
        return (self.dummy_seat - self.leader) & 3 > len(self.trick)

    @property
    def other_follows(self) -> bool:
        """Does the seat opposite still play to this trick?"""
        return len(self.trick) < 2


def scenes(auction: Auction, play: Play, dummy: int, seats: tuple[int, ...]) -> Iterator[Scene]:
    """The choices of these seats in the order of play; `dummy` is its original hand."""
    leads, voids, thrown = [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]
    alive, gone, index, before = ALL_CARDS, 0, 0, 0
    for trick in play.tricks():
        led = trick.cards[0].suit
        for i, card in enumerate(trick.cards):
            seat = (trick.leader + i) & 3
            if seat in seats:
                partner = (seat + 2) & 3
                theirs = ((seat + 1) & 3, (seat + 3) & 3)
                yield Scene(
                    seat=seat,
                    card=card,
                    index=index,
                    strain=int(play.strain),
                    alive=alive,
                    trick=trick.cards[:i],
                    leader=int(trick.leader),
                    dummy_seat=int(play.dummy),
                    dummy=dummy & ~gone if index else 0,
                    partner_led=leads[partner],
                    mine_led=leads[seat],
                    theirs_led=leads[theirs[0]] | leads[theirs[1]],
                    partner_bid=_bid(auction, (partner,)),
                    theirs_bid=_bid(auction, theirs),
                    partner_void=voids[partner],
                    led_before=before,
                    thrown=thrown[seat],
                )
            if i == 0:
                leads[seat] |= 1 << led
            elif card.suit != led:
                voids[seat] |= 1 << led
                thrown[seat] |= 1 << card.suit if int(card.suit) != play.strain else 0
            gone |= 1 << card
            index += 1
        before |= 1 << led
        for card in trick.cards:
            alive &= ~(1 << card)


def coming(auction: Auction, play: Play, dummy: int, card: Card) -> Scene:
    """The choice that is made next, as the table will see it if this card is played."""
    after = Play(play.strain, play.opening_leader, (*play.cards, card))
    return list(scenes(auction, after, dummy, (int(play.turn),)))[-1]


def _bid(auction: Auction, seats: tuple[int, ...]) -> int:
    """Suits bid by these seats."""
    out = 0
    for i, call in enumerate(auction.calls):
        if call != PASS and call.is_bid and call.strain < 4 and auction.seat_of(i) in seats:
            out |= 1 << int(call.strain)
    return out


def suit_cards(cards: int, suit: int) -> list[int]:
    """Cards of a suit in a set, lowest first."""
    held = cards >> 13 * suit & SUIT_BITS
    return [13 * suit + r for r in range(13) if held >> r & 1]
