"""Reasons in words: a finesse, a drop or a duck is named only where it is one."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.cardplay.knowledge import CARDS, sample_worlds
from overtrick.cardplay.situation import situation
from overtrick.cardplay.why import tactic
from overtrick.game import Board, Card, Deal, Play, view_of
from overtrick.game.wording import words
from tests.cardplay.helpers import contract_auction

DEAL = Deal.parse("N:AQ43.432.T32.432 KJ2.AKQ.KQ5.JT98 T765.765.A76.AK5 98.JT98.J984.Q76")
VOID = Deal.parse("N:AQ43.432.T32.432 -.AKQJ.KQ54.JT987 T765.765.A76.AK5 KJ982.T98.J98.Q6")


def said(cards: str, card: str, deal: Deal = DEAL) -> str:
    """What is said of a card of South's 3NT after these cards, everyone's turn as it comes."""
    board = Board.numbered(1, deal)
    auction = contract_auction(3, 4)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for text in cards.split():
        play = play.then(Card.parse(text), board.deal[play.turn])
    view = view_of(board, auction, play)
    at = situation(view)
    worlds = sample_worlds(at, 40, np.random.default_rng(1), CARDS)
    found = tactic(at, Card.parse(card), worlds)
    return "" if found is None else words(found)


@pytest.mark.parametrize(
    ("cards", "card", "text"),
    [
        ("D4 D2 DQ", "DA", "wins"),
        ("D4 D2 DQ", "D6", "holds up the ♦A"),
        ("D4 D2 DQ DA S6 S9", "SQ", "finesses against the ♠K"),
        ("D4 D2 DQ DA S6 S9", "SA", "plays for the drop of the ♠K"),
        ("D4 D2 DQ DA ST S8", "S3", "lets the ♠T run"),
        ("D4 D2 DQ DA C5 C6", "C2", ""),
        ("S9", "S3", "plays low"),
        ("D4 D2", "DK", "third hand high"),
        ("D4 DT", "D5", "third hand low"),
        ("D4 D2 DQ DA S5 S8 SA S2 DT", "DK", "goes up with the ♦K"),
        ("D4 D2 DQ DA H5 H8 H2", "HA", "wins"),
        ("D4 D2 DQ DA H5", "H8", ""),
    ],
)
def test_words(cards: str, card: str, text: str) -> None:
    found = said(cards, card)
    assert found.startswith(text) if text else not found, found


def test_no_drop_when_they_lead_the_suit() -> None:
    assert said("S9", "SA") == "goes up with the ♠A"
    assert said("DJ D2 DK", "DA") == "wins"


def test_a_finesse_can_be_marked() -> None:
    # East has shown out of spades, so West has the king.
    found = said("S8 S3 HJ ST S6 S9", "SQ", VOID)
    assert found == "takes the marked finesse against the ♠K (West has it)"


def test_a_finesse_that_cannot_work_is_none() -> None:
    # West has shown out of spades, so that East takes the queen with the king.
    turned = VOID.hands[0], VOID.hands[3], VOID.hands[2], VOID.hands[1]
    assert said("HJ H4 HT H7 HA H3 H8 H5 DK D2 DJ DA S6 HK", "SQ", Deal(turned)) == ""
