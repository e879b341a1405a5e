"""What speaks for a call that departs from its meaning, as a player sees it in the hand.

Who has too little looks for tricks that points do not count: short suits beside trumps, a good long
suit, aces and kings, tens and nines. Who has too much looks for what points count too high: flat
shape, queens and jacks, a hand without an ace. Where there is nothing of that, only the deals that
were imagined speak for the call, and it is said so.
"""

from __future__ import annotations

from typing import Final

from overtrick.game import Hand, Suit
from overtrick.game.reasons import Departs, Lack, MakesUp, Merit
from overtrick.systems.context import Context

_NOTRUMP: Final = 4
_TEN, _QUEEN = 8, 10  # by rank, the two is 0
_TRUMPS: Final = 4
_MANY_TRUMPS: Final = 5
_LONG: Final = 6
_FIVE: Final = 5
_GOOD: Final = 2  # of ace, king and queen, which a good suit has
_SPOTS: Final = 3
_SHARE: Final = 0.75  # of the high cards, when a hand is nearly all of one sort
_TOO_MUCH: Final = (Lack.MORE_POINTS, Lack.MORE_WITH_SHAPE, Lack.LONGER)


def makes_up(hand: Hand, call: int, ctx: Context, departs: Departs) -> MakesUp | None:
    """The first of these that the hand has; nothing for a call that is only the nearest."""
    if departs.lack is Lack.NEAREST:
        return None
    if departs.lack in _TOO_MUCH:
        return _counted_too_high(hand) or MakesUp(Merit.DEALS)
    trumps = _trumps(call, ctx)
    found = _shape(hand, trumps) or _tricks(hand, trumps, ctx) or _cards(hand)
    return found or MakesUp(Merit.DEALS)


def _trumps(call: int, ctx: Context) -> int | None:
    """The suit that the call names or that is agreed; None in notrump."""
    if ctx.agreed[ctx.side] >= 0:
        return int(ctx.agreed[ctx.side])
    strain = (call - 3) % 5
    return strain if call >= 3 and strain != _NOTRUMP else None


def _shape(hand: Hand, trumps: int | None) -> MakesUp | None:
    """A short suit with trumps to ruff with."""
    if trumps is None or hand.lengths[trumps] < _TRUMPS:
        return None
    for short, merit in ((0, Merit.VOID), (1, Merit.SINGLETON)):
        for suit in Suit:
            if hand.lengths[suit] == short:
                return MakesUp(merit, short, suit)
    return None


def _tricks(hand: Hand, trumps: int | None, ctx: Context) -> MakesUp | None:
    """A long suit, more trumps than partner counts on, an honour where partner is long."""
    least = _FIVE if trumps is None else _LONG
    for suit in Suit:
        if hand.lengths[suit] >= least and _tops(hand, suit) >= _GOOD:
            return MakesUp(Merit.LONG_SUIT, hand.lengths[suit], suit)
    if trumps is not None and hand.lengths[trumps] >= _MANY_TRUMPS:
        return MakesUp(Merit.TRUMPS, hand.lengths[trumps], Suit(trumps))
    for suit in Suit:
        if ctx.suits[ctx.partner] >> suit & 1 and _tops(hand, suit):
            return MakesUp(Merit.HONOUR, _tops(hand, suit), suit)
    return None


def _cards(hand: Hand) -> MakesUp | None:
    """Aces and kings, or good small cards."""
    if hand.hcp and 4 * _of(hand, 12) + 3 * _of(hand, 11) >= _SHARE * hand.hcp:
        return MakesUp(Merit.CONTROLS, _of(hand, 12) + _of(hand, 11))
    spots = _of(hand, _TEN) + _of(hand, _TEN - 1)
    return MakesUp(Merit.SPOTS, spots) if spots >= _SPOTS else None


def _counted_too_high(hand: Hand) -> MakesUp | None:
    if max(hand.lengths) == _TRUMPS and min(hand.lengths) == 3:
        return MakesUp(Merit.FLAT)
    if not _of(hand, 12):
        return MakesUp(Merit.ACELESS)
    soft = 2 * _of(hand, _QUEEN) + _of(hand, _QUEEN - 1)
    return MakesUp(Merit.SOFT) if soft > hand.hcp / 2 else None


def _of(hand: Hand, rank: int) -> int:
    """How many cards of a rank."""
    return sum(hand.bits >> 13 * suit + rank & 1 for suit in range(4))


def _tops(hand: Hand, suit: int) -> int:
    """How many of ace, king and queen."""
    return (hand.bits >> 13 * suit + _QUEEN & 7).bit_count()
