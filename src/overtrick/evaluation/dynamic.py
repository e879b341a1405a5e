"""The dynamic attributes of seed 000 A.5 once partner's suit lengths are known.
For engines that have heard the bidding; without that knowledge the static features stand in."""

from __future__ import annotations

from collections.abc import Sequence

from overtrick.evaluation.features import SUITS, covers, fast, playing_points
from overtrick.evaluation.hands import Hands, Value
from overtrick.evaluation.registry import ALL, NT

Lengths = Sequence[float]
"""Partner's known or expected lengths: clubs, diamonds, hearts, spades."""


def cover_cards(hands: Hands, trump: int, suit: int, partner: Lengths | None = None) -> Value:
    """Cover cards for partner's losers (COVER).

    Opposite a void nothing covers, opposite a singleton only the ace, opposite a doubleton
    the ace and king; ruffs cover no more losers than partner has cards in the suit.
    """
    if suit == ALL:
        parts = [cover_cards(hands, trump, s, partner) for s in SUITS]
        return parts[0] + parts[1] + parts[2] + parts[3]
    full = covers(hands, trump, suit)
    if partner is None or suit == trump or partner[suit] >= 3:
        return full
    length = round(partner[suit])
    honours = hands.look("ace", suit) * (length >= 1) + hands.look("king", suit) * (length >= 2)
    ruffs = full - hands.look("covers_side", suit)
    return hands.minimum(honours + ruffs, length)


def fast_losers(hands: Hands, strain: int, suit: int, partner: Lengths | None = None) -> Value:
    """Losers that can be cashed at once (FAST); partner's shortness ends them beside trumps."""
    if suit == ALL:
        parts = [fast_losers(hands, strain, s, partner) for s in SUITS]
        return hands.minimum(13, parts[0] + parts[1] + parts[2] + parts[3])
    lost = fast(hands, strain, suit)
    if partner is None or strain == NT or suit == strain:
        return lost
    return hands.minimum(lost, round(partner[suit]))


def playing_strength(hands: Hands, trump: int, partner: Lengths | None = None) -> Value:
    """Playing points with this trump suit (LP): a point for every trump beyond eight together,
    a point off for every one short of eight, at most four."""
    points = playing_points(hands)
    if partner is None or trump == NT:
        return points
    extra = hands.look("length", trump) + round(partner[trump]) - 8
    return points + hands.minimum(4, hands.maximum(-4, extra))
