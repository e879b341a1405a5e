"""What kinds of lead a card is, as far as its leader sees, and what a kind is worth beyond what the
worlds say: declarer sees through no card, and a long suit or partner's takes time that double dummy
does not give it."""

from __future__ import annotations

from collections.abc import Collection

from overtrick.cardplay.constants import LEAD_KINDS_NOTRUMP, LEAD_KINDS_TRUMPS
from overtrick.cardplay.situation import Situation
from overtrick.game import Card
from overtrick.game.cards import SUIT_BITS

_TEN, _JACK, _ACE = 8, 9, 12


def kinds_of(
    at: Situation, card: Card, partners: Collection[int], theirs: Collection[int]
) -> list[str]:
    """The kinds of lead that a card is, where partner and they have shown these suits."""
    hand, suit = at.known[at.turn], int(card.suit)
    held = hand >> 13 * suit & SUIT_BITS
    count, top = held.bit_count(), held.bit_length() - 1
    sequence = card.rank >= _TEN and bool(held >> card.rank - 1 & 1)
    from_honour = _JACK <= top < _ACE and card.rank < top and not held >> top - 1 & 1
    found = {
        "trump": suit == at.strain,
        "partner's": suit in partners,
        "theirs": suit in theirs and suit != at.strain,
        "singleton": count == 1,
        "doubleton": count == 2,
        "three": count == 3,
        "long": count >= 5,
        "sequence": sequence and count > 2,
        "from an honour": from_honour,
        "under the ace": top == _ACE and card.rank < _ACE,
        "bare honour": count <= 2 and card.rank >= _JACK and not sequence,
        "ace": card.rank == _ACE and not held >> _ACE - 1 & 1,
    }
    return [name for name, is_one in found.items() if is_one]


def worth_of(
    at: Situation, card: Card, partners: Collection[int], theirs: Collection[int]
) -> float:
    """What its kinds are worth beyond what the worlds say, in tricks."""
    worth = LEAD_KINDS_TRUMPS if at.strain < 4 else LEAD_KINDS_NOTRUMP
    return sum(worth.get(kind, 0.0) for kind in kinds_of(at, card, partners, theirs))
