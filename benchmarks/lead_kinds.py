"""What kinds of lead a card is, as far as its leader sees: double dummy misjudges kinds, not cards.
benchmarks/lead_results.py measures by how much."""

from __future__ import annotations

from collections.abc import Collection

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
        "five": count == 5,
        "six": count >= 6,
        "sequence": sequence and count > 2,
        "from an honour": from_honour,
        "under the ace": top == _ACE and card.rank < _ACE,
        "bare honour": count <= 2 and card.rank >= _JACK and not sequence,
        "ace": card.rank == _ACE and not held >> _ACE - 1 & 1,
    }
    return [name for name, is_one in found.items() if is_one]
