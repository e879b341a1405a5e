"""Which of several equally good cards a defender plays: leads and signals as agreed.
Partner and declarer read the same agreements (policy.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from overtrick.cardplay.situation import Situation
from overtrick.game import DECK, Card, OptionError, Seat, Suit
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import Says, Signal

_TEN = 8
_NINE = 7
Told = tuple[Card, Signal | None]  # a card, and what it tells partner


@dataclass(frozen=True, slots=True)
class Carding:
    """A pair's agreements about cards that would otherwise be equal; both sides may know them.

    `odd_even`: a first discard of an odd card likes its suit, an even one does not.
    `echo`: trumps that declarer draws are played high-low from three, low-high from two or four.
    """

    small: Literal["fourth", "third-fifth"] = "fourth"
    attitude: Literal["standard", "upside-down", "none"] = "standard"
    count: Literal["standard", "upside-down", "none"] = "standard"
    preference: bool = True
    odd_even: bool = False
    echo: bool = False

    def words(self) -> str:
        """As written on a convention card."""
        leads = "fourth best" if self.small == "fourth" else "third and fifth best"
        parts = [f"{leads}, top of a sequence"]
        told = (("attitude", self.attitude), ("count", self.count))
        parts += [f"{'no' if w == 'none' else w} {n}" for n, w in told]
        parts += ["suit preference on ruffs"] if self.preference else []
        parts += ["trump echo"] if self.echo else []
        return ", ".join([*parts, "odd-even discards"] if self.odd_even else parts)


STANDARD: Final = Carding()
SILENT: Final = Carding(attitude="none", count="none", preference=False)
AGREEMENTS: Final = {
    "standard": STANDARD,
    "upside-down": Carding(attitude="upside-down", count="upside-down"),
    "odd-even": Carding(odd_even=True),
    "echo": Carding(echo=True),
    "silent": SILENT,
}


def agreement(name: str | bool) -> Carding:
    """Signals by name; true and false stand for the usual ones and no signals.

    >>> agreement(False).words()
    'fourth best, top of a sequence, no attitude, no count'
    """
    told = ("standard" if name else "silent") if isinstance(name, bool) else name
    if told not in AGREEMENTS:
        raise OptionError(f"no signals called {name!r}; there are {', '.join(AGREEMENTS)}")
    return AGREEMENTS[told]


def signals_named(carding: Carding) -> str:
    """The name of a pair's signals."""
    return next(name for name, known in AGREEMENTS.items() if known == carding)


def lead_card(holding: Sequence[Card], carding: Carding = STANDARD, *, trumps: bool) -> Card:
    """The agreed card from a suit (highest first): sequences, fourth best, top of nothing, MUD.

    >>> suit = [Card.parse(c) for c in ("SK", "SJ", "S8", "S5", "S2")]
    >>> lead_card(suit, trumps=False)
    Card('S5')
    """
    count = len(holding)
    if count <= 2:
        return holding[0]
    honours = _from_honours([c.rank for c in holding], trumps)
    if honours is not None:
        return holding[honours]
    if holding[0].rank <= _TEN:  # nothing: top of three small, second highest of more
        return holding[1] if count > 3 or trumps else holding[0]
    if carding.small == "fourth":
        return holding[3] if count >= 4 else holding[-1]
    return holding[2] if count in (3, 4) else holding[4]


def _from_honours(ranks: list[int], trumps: bool) -> int | None:
    """Which honour is led from three cards or more, if one is: the place in the holding."""
    top, second, third = ranks[:3]
    near = third >= second - 2 and third >= _NINE
    if top >= _NINE and second == top - 1 and (near or trumps or top >= 11 or len(ranks) == 3):
        return 0
    if top >= 10 and second >= _NINE and third == second - 1 and not trumps:
        return 1  # inside a sequence
    return 0 if trumps and top == 12 else None  # an ace is not underled against a suit contract


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
    spots = [c for c in equal if c.rank <= _TEN]
    if not spots:
        return _honour(at, equal)
    trick = at.play.trick
    if len(trick.cards) == 3 and _would_win(at, max(spots)):
        return min(c for c in spots if _would_win(at, c)), None
    if led == at.strain:
        echoes = carding.echo and trick.leader != at.turn.partner
        return _echo(hand, spots, led) if echoes else (min(spots), None)
    if trick.leader == at.turn.partner:
        return _attitude(hand, spots, led, carding)
    return _count(hand, spots, led, carding)


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


def _echo(hand: int, spots: list[Card], trumps: int) -> Told:
    """High from an odd number of trumps, low from an even one: the reverse of count elsewhere."""
    odd = (hand >> 13 * trumps & SUIT_BITS).bit_count() % 2 == 1
    says = Says.TRUMPS_ODD if odd else Says.TRUMPS_EVEN
    return (max(spots) if odd else min(spots)), Signal(says)


def _attitude(hand: int, spots: list[Card], suit: int, carding: Carding) -> Told:
    if carding.attitude == "none":
        return min(spots), None
    likes = (hand >> 13 * suit & SUIT_BITS) >> 10 != 0  # queen or better
    high = likes == (carding.attitude == "standard")
    says = Says.ENCOURAGING if likes else Says.DISCOURAGING
    return (max(spots) if high else min(spots)), Signal(says)


def _count(hand: int, spots: list[Card], suit: int, carding: Carding) -> Told:
    if carding.count == "none":
        return min(spots), None
    held = (hand >> 13 * suit & SUIT_BITS).bit_count()
    even = held % 2 == 0
    high = even == (carding.count == "standard")
    return (max(spots) if high else min(spots)), Signal(Says.EVEN if even else Says.ODD)


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
    if carding.preference and len(same) > 1 and _ruffs(at, best.suit):
        return _preference(at, hand, same)
    holding = [c for c in _held(hand) if c.suit == best.suit]
    agreed = lead_card(holding, carding, trumps=at.strain < 4)
    return (agreed if agreed in same else max(same)), None


def _ruffs(at: Situation, suit: int) -> bool:
    """Has partner shown out of this side suit in a suit contract?"""
    return at.strain < 4 and suit != at.strain and bool(at.barred[at.turn.partner] >> 13 * suit & 1)


def _preference(at: Situation, hand: int, same: list[Card]) -> Told:
    """Partner is going to ruff: a high card asks for the higher of the other side suits."""
    others = [s for s in range(4) if s not in (at.strain, same[0].suit)]
    tops = [(hand >> 13 * s & SUIT_BITS).bit_length() for s in others]
    high = tops[1] >= tops[0]
    wanted = others[1] if high else others[0]
    return (max(same) if high else min(same)), Signal(Says.ASKS_FOR, Suit(wanted))


def _led_by(at: Situation, seat: Seat) -> set[int]:
    return {t.cards[0].suit for t in at.play.tricks() if t.cards and t.leader == seat}


def _held(hand: int) -> list[Card]:
    return [DECK[c] for c in range(51, -1, -1) if hand >> c & 1]


def _discard(at: Situation, equal: Sequence[Card], carding: Carding) -> Told:
    """A useless card, low from what we do not want led; trumps are kept."""
    hand = at.known[at.turn]
    plain = [c for c in equal if c.suit != at.strain] or list(equal)
    spots = [c for c in plain if c.rank <= _TEN] or plain

    def keep(card: Card) -> tuple[bool, int, int]:
        held = hand >> 13 * card.suit & SUIT_BITS
        honour = held.bit_length() - 1 >= 10
        guarded = held.bit_count() > 13 - held.bit_length() + 1
        return (honour and not guarded, -held.bit_count(), card.rank)

    best = min(spots, key=keep)
    same = [c for c in spots if c.suit == best.suit]
    if carding.odd_even and not at.barred[at.turn]:
        return _odd_even(hand, same, best.suit)
    return _attitude(hand, same, best.suit, carding)


def _odd_even(hand: int, spots: list[Card], suit: int) -> Told:
    """The lowest odd card of a suit we like, the lowest even one of another, if there is one."""
    likes = (hand >> 13 * suit & SUIT_BITS) >> 10 != 0
    fits = [c for c in spots if is_odd(c.rank) == likes]
    if not fits:
        return min(spots), None
    return min(fits), Signal(Says.ENCOURAGING_ODD if likes else Says.DISCOURAGING_EVEN)


def is_odd(rank: int) -> bool:
    """3, 5, 7 and 9 are odd cards; the ranks are counted from the two."""
    return rank % 2 == 1
