"""Which of several equally good cards a defender plays, so that it tells partner something.
What it may tell, and how, is the table in messages.py."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from overtrick.cardplay.carding import STANDARD, Carding, lead_card
from overtrick.cardplay.evidence.scenes import Scene, coming
from overtrick.cardplay.messages import (
    QUEEN,
    SPOT,
    HandFacts,
    Subject,
    asks,
    goes_high,
    is_odd,
    subject,
)
from overtrick.cardplay.situation import Situation
from overtrick.game import DECK, Card, Seat, Suit
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import Says, Signal

Told = tuple[Card, Signal | None]  # a card, and what it tells partner


def signal(at: Situation, equal: Sequence[Card], carding: Carding = STANDARD) -> Told:
    """One of `equal`, and what it tells. The cards are equally good for all the player knows."""
    if len(equal) == 1:
        return equal[0], None
    hand = at.known[at.turn]
    if not at.trick:
        return _lead(at, equal, carding)
    led = at.trick[0].suit
    if not hand >> 13 * led & SUIT_BITS:
        return _discard(at, equal, carding)
    spots = [c for c in equal if c.rank <= SPOT]
    if not spots:
        return _honour(at, equal)
    if len(at.trick) == 3 and _would_win(at, max(spots)):
        return min(c for c in spots if _would_win(at, c)), None
    return _told(at, spots, carding)


def _told(at: Situation, same: Sequence[Card], carding: Carding) -> Told:
    """The card of a suit that says what there is to say, else the lowest.

    What it says is told only if partner can read it: it is free to speak, and the highest or the
    lowest of several small cards in the hand.
    """
    suit = int(same[0].suit)
    scene = coming(at.view.auction, at.play, _dummy(at), same[0])
    about = subject(scene, suit, carding)
    if about is Subject.NOTHING:
        return min(same), None
    hand = at.known[at.turn]
    asked = bool(asks(about, scene, suit, HandFacts.of(hand)))
    high = goes_high(about, carding, asked)
    card = max(same) if high else min(same)
    held = [c for c in _held(hand) if c.suit == suit and (not at.trick or c.rank <= SPOT)]
    read = len(held) > 1 and card == (held[0] if high else held[-1])
    if suit == scene.led:
        read = read and _is_free(at, card)
    return card, _said(about, asked, scene, suit) if read else None


def _is_free(at: Situation, card: Card) -> bool:
    """In third and fourth hand a card that wins the trick is played for that, and one that lets
    them win what could be won has reasons of its own."""
    partners = at.play.trick.winner(at.strain) == at.turn.partner
    could = any(_would_win(at, c) for c in at.cards())
    return len(at.trick) == 1 or (not _would_win(at, card) and (partners or not could))


def _dummy(at: Situation) -> int:
    """Dummy's original hand, nothing before it is down."""
    return at.view.dummy.bits if at.view.dummy is not None else 0


def _would_win(at: Situation, card: Card) -> bool:
    return at.play.trick._replace(cards=(*at.trick, card)).winner(at.strain) == at.turn


def _honour(at: Situation, equal: Sequence[Card]) -> Told:
    """Two touching honours alone, under a card of declarer's: either, so that the one that falls
    says nothing about the other. Partner sees the other one the next time. Else the lowest."""
    trick = at.play.trick
    held = (at.known[at.turn] >> 13 * equal[0].suit & SUIT_BITS).bit_count()
    theirs = trick.leader.side != at.turn.side
    if held != 2 or len(equal) != 2 or not theirs or _would_win(at, max(equal)):
        return min(equal), None
    rng = np.random.default_rng((at.view.seed, len(at.play.cards)))
    return sorted(equal)[int(rng.integers(2))], Signal(Says.NOTHING)


def _lead(at: Situation, equal: Sequence[Card], carding: Carding) -> Told:
    """Partner's suit first, then our longest; inside the suit the agreed card if it is equal."""
    hand = at.known[at.turn]
    led_by_partner = _led_by(at, at.turn.partner)

    def worth(card: Card) -> tuple[int, int, int]:
        suit = card.suit
        length = (hand >> 13 * suit & SUIT_BITS).bit_count()
        return (suit in led_by_partner, suit != at.strain, length)

    best = max(equal, key=worth)
    same = [c for c in equal if c.suit == best.suit]
    scene = coming(at.view.auction, at.play, _dummy(at), best)
    if len(same) > 1 and subject(scene, best.suit, carding) is Subject.PREFERENCE:
        return _told(at, same, carding)
    holding = [c for c in _held(hand) if c.suit == best.suit]
    agreed = lead_card(holding, carding, trumps=at.strain < 4)
    return (agreed if agreed in same else max(same)), None


def _led_by(at: Situation, seat: Seat) -> set[int]:
    return {t.cards[0].suit for t in at.play.tricks() if t.cards and t.leader == seat}


def _held(hand: int) -> list[Card]:
    return [DECK[c] for c in range(51, -1, -1) if hand >> c & 1]


def _discard(at: Situation, equal: Sequence[Card], carding: Carding) -> Told:
    """A useless card, low from what we do not want led; trumps are kept."""
    hand = at.known[at.turn]
    plain = [c for c in equal if c.suit != at.strain] or list(equal)
    spots = [c for c in plain if c.rank <= SPOT] or plain

    def keep(card: Card) -> tuple[bool, int, int]:
        held = hand >> 13 * card.suit & SUIT_BITS
        honour = held.bit_length() - 1 >= QUEEN
        guarded = held.bit_count() > 13 - held.bit_length() + 1
        return (honour and not guarded, -held.bit_count(), card.rank)

    best = min(spots, key=keep)
    same = [c for c in spots if c.suit == best.suit]
    scene = coming(at.view.auction, at.play, _dummy(at), best)
    if subject(scene, best.suit, carding) is Subject.PARITY:
        return _odd_even(hand, same, best.suit)
    return _told(at, same, carding)


def _odd_even(hand: int, spots: list[Card], suit: int) -> Told:
    """The lowest odd card of a suit we like, the lowest even one of another, if there is one."""
    likes = (hand >> 13 * suit & SUIT_BITS) >> QUEEN != 0
    fits = [c for c in spots if is_odd(c.rank) == likes]
    small = [c for c in _held(hand) if c.suit == suit and c.rank <= SPOT]
    if not fits or len(small) < 2 or min(fits).rank > SPOT:
        return min(fits or spots), None
    return min(fits), Signal(Says.ENCOURAGING_ODD if likes else Says.DISCOURAGING_EVEN)


def _said(about: Subject, asked: bool, scene: Scene, suit: int) -> Signal:
    """The message in a word."""
    if about is Subject.PREFERENCE:
        lower, higher = (s for s in range(4) if s not in (scene.strain, suit))
        return Signal(Says.ASKS_FOR, Suit(higher if asked else lower))
    yes, no = {
        Subject.ATTITUDE: (Says.ENCOURAGING, Says.DISCOURAGING),
        Subject.COUNT: (Says.EVEN, Says.ODD),
        Subject.TRUMPS: (Says.TRUMPS_EVEN, Says.TRUMPS_ODD),
    }[about]
    return Signal(yes if asked else no)
