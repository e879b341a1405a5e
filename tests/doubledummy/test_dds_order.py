"""The order of suits, ranks, strains and vulnerabilities is converted in dds.py and only there.
A wrong order here would be silent everywhere else, so each one is pinned down."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick import dd
from overtrick.doubledummy.dds import (
    STRAIN_ORDER,
    VULNERABILITY_ORDER,
    encode,
    from_card,
    scores,
    to_card,
    to_holdings,
)
from overtrick.game import DECK, Card, Deal, Seat, Strain


def test_every_card_goes_there_and_back() -> None:
    assert [from_card(*to_card(card)) for card in range(52)] == list(range(52))
    assert to_card(Card.parse("SA")) == (0, 14)
    assert to_card(Card.parse("HT")) == (1, 10)
    assert to_card(Card.parse("D2")) == (2, 2)
    assert to_card(Card.parse("C3")) == (3, 3)


def test_holdings_are_spades_first_with_bits_2_to_14() -> None:
    hands = np.array([[1 << c, 0, 0, 0] for c in DECK], dtype=np.uint64)
    for card, holding in zip(DECK, to_holdings(hands)[:, 0], strict=True):
        suit, rank = to_card(card)
        assert holding.tolist() == [1 << rank if s == suit else 0 for s in range(4)]


def test_strains_and_vulnerabilities() -> None:
    names = [Strain(s).letter for s in STRAIN_ORDER]
    assert names == ["S", "H", "D", "C", "NT"]
    assert VULNERABILITY_ORDER == (0, 2, 3, 1)  # DDS: none 0, both 1, N-S 2, E-W 3


def test_scores_reach_every_card_of_a_group() -> None:
    row = np.zeros((1, 54), dtype=np.int32)
    row[0, 1] = 2  # two cards are listed
    row[0, 2:4] = [0, 3]  # a spade and a club
    row[0, 15:17] = [14, 5]  # the ace and the five
    row[0, 28:30] = [1 << 13 | 1 << 12, 0]  # the king and queen are as good as the ace
    row[0, 41:43] = [7, 4]
    found = {DECK[i].ascii: int(v) for i, v in enumerate(scores(row)[0]) if v >= 0}
    assert found == {"C5": 4, "SQ": 7, "SK": 7, "SA": 7}


def test_encode_puts_everything_where_dds_reads_it() -> None:
    hands = np.array([[1, 2, 4, 8]], dtype=np.uint64)
    board = encode(hands, Strain.HEARTS, Seat.WEST, (Card.parse("SA"), Card.parse("C9")))[0]
    assert board[:8].tolist() == [1, 3, 0, 3, 0, 14, 9, 0]
    assert board[8:].reshape(4, 4)[:, 3].tolist() == [4, 8, 16, 32]


@pytest.mark.parametrize("strain", list(Strain))
@pytest.mark.parametrize("declarer", list(Seat))
def test_whoever_has_a_suit_takes_all_tricks_in_it(strain: Strain, declarer: Seat) -> None:
    """Each seat holds one whole suit: trumps take everything, notrump goes to the leader."""
    suits = ["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"]
    deal = Deal.parse("N:" + " ".join(suits))  # N spades, E hearts, S diamonds, W clubs
    owner = {Strain.SPADES: 0, Strain.HEARTS: 1, Strain.DIAMONDS: 2, Strain.CLUBS: 3}
    winner = owner.get(strain, declarer.lho)
    expected = 13 if winner & 1 == declarer & 1 else 0
    assert dd.tricks(deal, strain, declarer) == expected
    assert dd.table(deal)[strain, declarer] == expected
