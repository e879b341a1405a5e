"""What a small card tells partner: one table, by which defenders choose their cards and by which
partner and declarer read them.

`subject` says what a card of a suit speaks of, as far as everybody sees; `asks` says what a hand
has to tell of it; `goes_high` whether that is told by a high card or a low one. The three work for
one hand and for thousands at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from overtrick.cardplay.carding import Carding
from overtrick.cardplay.evidence.scenes import Scene
from overtrick.game.cards import SUIT_BITS

SPOT: Final = 8  # the ten: higher cards are played for tricks
QUEEN: Final = 10
_KING: Final = 11
_FINISHED: Final = 2  # in the last tricks nobody waits for a signal


class Subject(Enum):
    """What a card speaks of."""

    NOTHING = "nothing"
    ATTITUDE = "attitude"
    COUNT = "count"
    TRUMPS = "trumps"
    PREFERENCE = "preference"
    PARITY = "parity"


@dataclass(frozen=True, slots=True)
class HandFacts:
    """Of one hand, or of many as columns: by suit how many cards, and the rank of the best."""

    count: Sequence[Any]
    top: Sequence[Any]

    @classmethod
    def of(cls, hand: int) -> HandFacts:
        suits = [hand >> 13 * s & SUIT_BITS for s in range(4)]
        return cls([s.bit_count() for s in suits], [s.bit_length() - 1 for s in suits])


def subject(scene: Scene, suit: int, carding: Carding) -> Subject:
    """What a small card of this suit speaks of in this place.

    A lead speaks only when partner is going to ruff it; a card on partner's lead of what we hold
    there, the next time of our length, and of the other suits where dummy ruffs the next round; a
    card on declarer's lead of our length, which high-low and low-high repeat the next time; a
    discard of its suit, the first time.
    """
    led = scene.led
    trumps = scene.strain < 4
    if scene.left <= _FINISHED:
        return Subject.NOTHING
    if led is None:
        ruffs = trumps and suit != scene.strain and scene.partner_void >> suit & 1
        return Subject.PREFERENCE if carding.preference and ruffs else Subject.NOTHING
    if suit != led:
        return _discarded(scene, suit, carding)
    partner_led = (scene.leader - scene.seat) & 3 == 2
    if suit == scene.strain:
        return Subject.TRUMPS if carding.echo and not partner_led else Subject.NOTHING
    if not partner_led:
        return Subject.COUNT if carding.count != "none" else Subject.NOTHING
    if carding.preference and trumps and _dummy_ruffs_next(scene, suit):
        return Subject.PREFERENCE
    if not scene.led_before >> suit & 1:
        return Subject.ATTITUDE if carding.attitude != "none" else Subject.NOTHING
    return Subject.COUNT if carding.count != "none" else Subject.NOTHING


def _discarded(scene: Scene, suit: int, carding: Carding) -> Subject:
    if suit == scene.strain or scene.thrown >> suit & 1:
        return Subject.NOTHING
    if carding.odd_even and not scene.thrown:
        return Subject.PARITY
    return Subject.ATTITUDE if carding.attitude != "none" else Subject.NOTHING


def _dummy_ruffs_next(scene: Scene, suit: int) -> bool:
    """Has dummy trumps, and no card of the suit after this trick?"""
    played = (scene.dummy_seat - scene.leader) & 3 < len(scene.trick)
    left = (scene.dummy >> 13 * suit & SUIT_BITS).bit_count() - (not played)
    return left <= 0 and bool(scene.dummy >> 13 * scene.strain & SUIT_BITS)


def asks(about: Subject, scene: Scene, suit: int, hand: HandFacts) -> Any:
    """What a hand has to tell: does it like the suit, is its length even, or is the higher of the
    other side suits the better one?"""
    count, top = hand.count[suit], hand.top[suit]
    if about in (Subject.COUNT, Subject.TRUMPS):
        return count % 2 == 0
    if about is Subject.PREFERENCE:
        lower, higher = (hand.top[s] for s in range(4) if s not in (scene.strain, suit))
        return higher >= lower
    likes = top >= QUEEN
    under_top = scene.led == suit and scene.trick[0].rank >= _KING
    if under_top and scene.strain < 4:  # two cards: the third round can be ruffed
        likes = likes | (count == 2)
    return likes


def goes_high(about: Subject, carding: Carding, asked: Any) -> Any:
    """Is it told by a high card? Even numbers of trumps are shown by a low one."""
    if about is Subject.ATTITUDE:
        return asked == (carding.attitude == "standard")
    if about is Subject.COUNT:
        return asked == (carding.count == "standard")
    return asked == (about is not Subject.TRUMPS)


def is_odd(rank: int) -> bool:
    """3, 5, 7 and 9 are odd cards; the ranks are counted from the two."""
    return rank % 2 == 1
