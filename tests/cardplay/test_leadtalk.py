"""What the auction says to the opening leader, and the positions that his leads are measured by."""

from __future__ import annotations

import pytest

from benchmarks.lead_positions import LeadPosition, positions
from overtrick.cardplay.leadkinds import kinds_of, worth_of
from overtrick.cardplay.leadtalk import asked_suit, heard, own_suits
from overtrick.cardplay.situation import situation
from overtrick.game import Card, Seat, Suit

HAND = "K642.Q53.J82.T74"


def position(auction: str, hand: str = HAND) -> LeadPosition:
    return LeadPosition.parse(f"{auction} ; {hand} ; S* ; any", "a test")


@pytest.mark.parametrize(
    ("auction", "suit"),
    [
        ("1NT P 2C X 2D P 3NT", "C"),  # Stayman
        ("1NT P 2H X 2S P 4S", "H"),  # a transfer
        ("1H P 4C X 4H", "C"),  # a splinter
        ("1S P 3S P 4NT P 5D X 6S", "D"),  # an answer to key cards
        ("1D P 1NT P 3NT X", "D"),  # of 3NT: dummy's suit
        ("1D 1H 1NT P 3NT X", "H"),  # of 3NT: partner's own suit
        ("1S P 2D P 3S P 4S P 4NT P 5H P 6S P P X", "D"),  # Lightner: dummy's suit
        ("1H P P X P P", ""),  # takeout
        ("1S P 2S X 4S", ""),  # takeout
        ("1NT P 3NT", ""),
        ("5D 5S 6D X", ""),  # they may have saved
    ],
)
def test_doubles_ask_for_suits(auction: str, suit: str) -> None:
    found = asked_suit(position(auction).view())
    assert ("" if found is None else found.letter) == suit


def test_suits_are_shown_by_their_meaning() -> None:
    view = position("1NT P 2H P 2S P 3NT").view()
    assert own_suits(heard(view), Seat.NORTH) == [Suit.SPADES]
    assert own_suits(heard(position("1H 1NT P 3NT").view()), Seat.EAST) == [Suit.HEARTS]


def test_kinds_of_leads() -> None:
    at = situation(position("1NT P 3NT", "QJT82.K4.963.A75").view())
    assert kinds_of(at, Card.parse("SQ"), (), ()) == ["long", "sequence"]
    assert "bare honour" in kinds_of(at, Card.parse("HK"), (), (Suit.HEARTS,))
    partners = worth_of(at, Card.parse("D9"), (Suit.DIAMONDS,), ())
    assert partners > worth_of(at, Card.parse("D9"), (), ())


def test_positions_are_whole() -> None:
    every = list(positions())
    assert len(every) >= 200
    assert len({p.hand for p in every}) == len(every)
    assert all(p.reason and p.theme and p.right for p in every)
