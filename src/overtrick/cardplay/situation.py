"""What a seat knows when it has to play a card, in numbers: whose cards are hidden, who is void.
It is made from a View and holds no unseen card."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.game import BridgeError, Card, Contract, Play, Seat, View
from overtrick.game.cards import ALL_CARDS, DECK, SUIT_BITS

Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Situation:
    """A view taken apart. Sets of cards are 52-bit integers, tuples go by seat.

    `known` are the remaining cards of the hands in sight, `shown` what each seat has played,
    `barred` the suits a hidden seat has shown out of, `needs` how many cards it still holds.
    """

    view: View
    play: Play
    contract: Contract
    legal: int
    pool: int
    hidden: tuple[int, ...]
    known: Four
    shown: Four
    barred: Four
    needs: Four

    @property
    def turn(self) -> Seat:
        return self.play.turn

    @property
    def declaring(self) -> bool:
        """Is the next card declarer's or dummy's?"""
        return self.view.seat == self.contract.declarer

    @property
    def strain(self) -> int:
        return int(self.play.strain)

    @property
    def leader(self) -> int:
        return int(self.play.trick.leader)

    @property
    def trick(self) -> tuple[Card, ...]:
        return self.play.trick.cards

    @property
    def left(self) -> int:
        """Tricks still to come, the one in progress included."""
        return 13 - self.play.tricks_played

    @property
    def target(self) -> int:
        """Tricks the side on turn still needs: to make the contract, or to beat it."""
        side = self.turn.side
        won = self.play.tricks_won(side)
        goal = self.contract.target
        return (goal if self.declaring else 14 - goal) - won

    def cards(self) -> list[Card]:
        """The legal cards, spades first, high to low."""
        return [DECK[c] for c in range(51, -1, -1) if self.legal >> c & 1]

    def alive(self) -> int:
        """Cards that can still win something: not in a finished trick."""
        done = self.play.cards[: self.play.state.start]
        gone = 0
        for card in done:
            gone |= 1 << card
        return ALL_CARDS & ~gone

    def groups(self) -> list[list[Card]]:
        """Legal cards that touch, highest first: nothing alive lies between them elsewhere.

        Cards on the table keep their place, so that ♠A and ♠Q are no equals once ♠K is played.
        """
        hand = self.known[self.turn]
        between = self.alive() & ~hand
        out: list[list[Card]] = []
        for card in self.cards():
            last = out[-1][-1] if out else None
            if last is not None and last.suit == card.suit and not _gap(between, card, last):
                out[-1].append(card)
            else:
                out.append([card])
        return out


def _gap(between: int, low: int, high: int) -> bool:
    """Is a card of `between` ranked between two cards of a suit?"""
    return bool(between & ((1 << high) - (1 << low + 1)))


def situation(view: View, *, on_turn: bool = True) -> Situation:
    """Take a view apart. The seat must choose the next card, unless it only looks on."""
    play, contract = view.play, view.contract
    if play is None or contract is None:
        raise BridgeError("there is no card to play before the auction is over")
    if on_turn and play.controller != view.seat:
        raise BridgeError(f"{play.controller} chooses the next card, not {view.seat}")
    shown, barred = [0, 0, 0, 0], [0, 0, 0, 0]
    for trick in play.tricks():
        led = trick.cards[0].suit
        for i, card in enumerate(trick.cards):
            seat = (trick.leader + i) & 3
            shown[seat] |= 1 << card
            if card.suit != led:
                barred[seat] |= SUIT_BITS << 13 * led
    seen = view.known
    known = [seen[Seat(s)].bits & ~shown[s] if Seat(s) in seen else 0 for s in range(4)]
    hidden = tuple(s for s in range(4) if Seat(s) not in seen)
    needs = [13 - shown[s].bit_count() if s in hidden else 0 for s in range(4)]
    return Situation(
        view=view,
        play=play,
        contract=contract,
        legal=view.legal_cards().bits if play.controller == view.seat else 0,
        pool=view.unseen.bits,
        hidden=hidden,
        known=tuple(known),  # type: ignore[arg-type]
        shown=tuple(shown),  # type: ignore[arg-type]
        barred=tuple(barred),  # type: ignore[arg-type]
        needs=tuple(needs),  # type: ignore[arg-type]
    )
