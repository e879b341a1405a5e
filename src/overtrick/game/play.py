"""The play: cards in playing order, whose turn it is, who won which trick, what is legal.
It knows no hidden hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from overtrick.game.cards import DECK, SUIT_BITS, Card, Strain, Suit
from overtrick.game.contract import Contract
from overtrick.game.errors import IllegalPlay, WrongType
from overtrick.game.hand import Hand
from overtrick.game.seats import Seat, Side


class Trick(NamedTuple):
    """Up to four cards in playing order, beginning with the leader's."""

    leader: Seat
    cards: tuple[Card, ...]

    def card_of(self, seat: int) -> Card | None:
        index = (seat - self.leader) % 4
        return self.cards[index] if index < len(self.cards) else None

    def winner(self, strain: int) -> Seat:
        """Who is winning the trick as it stands."""
        return Seat((self.leader + winning_index(self.cards, strain)) & 3)


class _PlayState(NamedTuple):
    leader: int  # of the current trick
    start: int  # index of the current trick's first card
    ns_tricks: int
    played: int  # 52-bit set


@dataclass(frozen=True, slots=True)
class Play:
    """The cards played so far at a strain, from the opening leader.

    >>> play = Play("NT", "W").then("SK").then("SA")
    >>> play.turn, play.trick.winner(play.strain)
    (Seat.EAST, Seat.NORTH)
    """

    strain: Strain
    opening_leader: Seat
    cards: tuple[Card, ...] = ()
    _state: _PlayState | None = field(default=None, compare=False, repr=False)

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self,
            strain: Strain | str,
            opening_leader: Seat | str,
            cards: Iterable[int | str] = (),
            _state: _PlayState | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self._state is None:
            object.__setattr__(self, "strain", Strain(self.strain))
            object.__setattr__(self, "opening_leader", Seat(self.opening_leader))
            cards = _cards(self.cards)
            object.__setattr__(self, "cards", cards)
            object.__setattr__(self, "_state", _replay(self.strain, self.opening_leader, cards))

    @classmethod
    def of(cls, contract: Contract | str, cards: Iterable[int | str] = ()) -> Play:
        """The play of a contract (`"3NT S"`), with the cards so far."""
        contract = Contract.parse(contract) if isinstance(contract, str) else contract
        return cls(contract.strain, contract.leader, _cards(cards))

    @classmethod
    def trusted(
        cls,
        strain: Strain,
        leader: Seat,
        cards: Iterable[int],
        state: tuple[int, int, int, int],
    ) -> Play:
        """For readers that followed the play themselves: the state is (leader of the current
        trick, index of its first card, tricks won by North-South, cards played as bits)."""
        return cls(strain, leader, tuple([DECK[c] for c in cards]), _PlayState(*state))

    @property
    def state(self) -> _PlayState:
        """What the rules need of the play so far."""
        assert self._state is not None
        return self._state

    @property
    def declarer(self) -> Seat:
        """Whose contract is played."""
        return self.opening_leader.rho

    @property
    def dummy(self) -> Seat:
        """Whose cards lie open after the lead."""
        return self.opening_leader.lho

    @property
    def turn(self) -> Seat:
        """Whose card is next (dummy's cards are chosen by declarer)."""
        return Seat((self.state.leader + len(self.cards) - self.state.start) & 3)

    @property
    def controller(self) -> Seat:
        """Who chooses the next card."""
        return self.declarer if self.turn == self.dummy else self.turn

    @property
    def trick(self) -> Trick:
        """The trick in progress; empty between tricks."""
        return Trick(Seat(self.state.leader), self.cards[self.state.start :])

    @property
    def led_suit(self) -> Suit | None:
        """The suit to follow; None at the start of a trick."""
        cards = self.cards[self.state.start :]
        return cards[0].suit if cards else None

    @property
    def tricks_played(self) -> int:
        """Complete tricks."""
        return self.state.start // 4

    @property
    def declarer_tricks(self) -> int:
        """Tricks that declarer's side has won."""
        return self.tricks_won(self.declarer.side)

    def tricks_won(self, side: int) -> int:
        """Tricks that a side has won."""
        ns = self.state.ns_tricks
        return ns if side & 1 == Side.NS else self.tricks_played - ns

    @property
    def is_over(self) -> bool:
        """All 52 cards are played."""
        return len(self.cards) == 52

    @property
    def played(self) -> Hand:
        """Every card played so far."""
        return Hand(self.state.played)

    def tricks(self) -> Iterator[Trick]:
        """Every trick begun so far, the one in progress last."""
        leader = self.opening_leader
        for start in range(0, len(self.cards), 4):
            trick = Trick(leader, self.cards[start : start + 4])
            yield trick
            leader = trick.winner(self.strain)

    def played_by(self, seat: int) -> Hand:
        """The cards a seat has played."""
        bits = 0
        for trick in self.tricks():
            card = trick.card_of(seat)
            if card is not None:
                bits |= 1 << card
        return Hand(bits)

    def voids(self) -> tuple[frozenset[Suit], ...]:
        """Per seat the suits it has shown out of."""
        out: tuple[set[Suit], ...] = (set(), set(), set(), set())
        for trick in self.tricks():
            for i, card in enumerate(trick.cards[1:], 1):
                if card.suit != trick.cards[0].suit:
                    out[(trick.leader + i) & 3].add(trick.cards[0].suit)
        return tuple(frozenset(s) for s in out)

    def legal_cards(self, hand: Hand) -> Hand:
        """What the seat on turn may play from `hand` (its cards not yet played, or all 13)."""
        left = hand.bits & ~self.state.played
        led = self.led_suit
        if led is not None:
            follow = left & SUIT_BITS << 13 * led
            if follow:
                return Hand(follow)
        return Hand(left)

    def why_illegal(self, card: int | str, hand: Hand) -> str | None:
        """None for a legal card of `hand`, else the reason in words."""
        card = _number(card)
        if self.is_over:
            return _OVER
        if not 0 <= card < 52:
            return f"there is no card number {card}"
        if self.state.played >> card & 1:
            return "it has been played already"
        if not hand.bits >> card & 1:
            return f"{self.turn} does not hold it"
        if card not in self.legal_cards(hand):
            return f"{self.turn} must follow suit"
        return None

    def then(self, card: int | str, hand: Hand | None = None) -> Play:
        """The play after one more card; with `hand`, checked against it."""
        card = _number(card)
        if hand is not None and (why := self.why_illegal(card, hand)):
            shown = DECK[card].ascii if 0 <= card < 52 else str(card)
            raise IllegalPlay(f"card {len(self.cards) + 1}, {shown}: {why}")
        cards = (*self.cards, _card(card, len(self.cards)))
        state = _next(self.state, self.strain, cards, card)
        return Play(self.strain, self.opening_leader, cards, state)

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_play

        return html_play(self)

    def __len__(self) -> int:
        return len(self.cards)


def winning_index(cards: tuple[Card, ...], strain: int) -> int:
    """Which of the cards of one trick (leader first) wins it so far."""
    best = 0
    for i in range(1, len(cards)):
        card, top = cards[i], cards[best]
        if card // 13 == top // 13:
            if card > top:
                best = i
        elif card // 13 == strain:
            best = i
    return best


_OVER: Final = "the play is over"


def _card(number: int, index: int) -> Card:
    if not 0 <= number < 52:
        raise IllegalPlay(f"card {index + 1}: there is no card number {number}")
    return DECK[number]


def _number(card: int | str) -> int:
    """A card as its number; text is read."""
    if isinstance(card, int):
        return card
    if isinstance(card, str):
        return Card.parse(card)
    raise WrongType("a card", "text like 'SA' or a number from 0 to 51", card)


def _cards(numbers: Iterable[int | str]) -> tuple[Card, ...]:
    if isinstance(numbers, str):  # its letters would be read as cards
        raise WrongType("cards", "a list like ['SA', 'S2']", numbers)
    found = [_number(c) for c in numbers]
    if found and (min(found) < 0 or max(found) > 51):
        return tuple([_card(c, i) for i, c in enumerate(found)])  # raises with the place
    return tuple([DECK[c] for c in found])


@cache
def strengths(strain: int, led: int) -> tuple[int, ...]:
    """For each card how high it ranks in a trick: trumps, then the suit led, then nothing."""
    return tuple(
        [card % 13 + (26 if card // 13 == strain else 13 if card // 13 == led else -26)
         for card in range(52)]
    )  # fmt: skip


def _replay(strain: int, leader: int, cards: tuple[Card, ...]) -> _PlayState:
    """The state after all these cards at once; readers of files live on it."""
    played = 0
    for card in cards:
        played |= 1 << card
    if played.bit_count() != len(cards):
        seen: set[int] = set()
        for i, card in enumerate(cards):
            if card in seen:
                raise IllegalPlay(f"card {i + 1}, {card.ascii}: it has been played already")
            seen.add(card)
    ns_tricks, whole = 0, len(cards) & ~3
    for start in range(0, whole, 4):
        trick = cards[start : start + 4]
        strength = strengths(strain, trick[0] // 13)
        ranked = [strength[c] for c in trick]
        leader = leader + ranked.index(max(ranked)) & 3
        ns_tricks += 1 - (leader & 1)
    return _PlayState(leader, whole, ns_tricks, played)


def _next(state: _PlayState, strain: int, cards: tuple[Card, ...], card: int) -> _PlayState:
    if len(cards) > 52:
        raise IllegalPlay(f"card {len(cards)}: {_OVER}")
    if state.played >> card & 1:
        raise IllegalPlay(f"card {len(cards)}, {DECK[card].ascii}: it has been played already")
    played = state.played | 1 << card
    if len(cards) - state.start < 4:
        return state._replace(played=played)
    winner = (state.leader + winning_index(cards[state.start :], strain)) & 3
    return _PlayState(winner, len(cards), state.ns_tricks + (winner & 1 == Side.NS), played)
