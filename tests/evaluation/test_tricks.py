"""Losing tricks as the paper counts them, and what partner's lengths change."""

import pytest

from overtrick.evaluation import (
    HandArray,
    expected_score,
    expected_tricks,
    total_tricks,
)
from overtrick.evaluation.holdings import table
from overtrick.game import Contract, Hand, Vulnerability


def test_footnote_8() -> None:
    """Axxx opposite Kxxx: two losers, one covered, three tricks from the suit."""
    hand = Hand.parse("A432.AKQ.AKQ.AKQ")
    partner = Hand.parse("K765.432.432.432")
    assert table("plain_losers")[hand.holding(3)] == 2
    assert expected_tricks(hand, partner) == 13 - 1
    many = expected_tricks(HandArray.of([hand] * 3), HandArray.of([partner] * 3))
    assert many.tolist() == [12, 12, 12]
    with pytest.raises(TypeError):
        expected_tricks(hand, HandArray.of([partner]))


@pytest.mark.parametrize(("level", "points"), [(2, 200), (4, 450), (6, -50)])
def test_footnote_9(level: int, points: int) -> None:
    assert expected_score(Contract.parse(f"{level}H S"), 11) == points


def test_vulnerability_counts() -> None:
    assert expected_score(Contract.parse("4H S"), 11, Vulnerability.NS) == 650


def test_footnote_11() -> None:
    hand, partner = Hand.parse("AK432.K32.K2.432"), Hand.parse("QJ65.A54.A43.765")
    assert total_tricks(hand, partner, 3) == 9 + 1  # nine trumps, four points above the average
    assert total_tricks(hand, partner, 4) == 7 + 1
    weak, nothing = Hand.parse("5432.432.432.432"), Hand.parse("876.8765.765.765")
    assert total_tricks(weak, nothing, 3) == 7 - 7
    strong, rest = Hand.parse("AKQJT98765.A.A.A"), Hand.parse("432.KQJ.KQJT.KQJ")
    assert total_tricks(strong, rest, 3) == 13


def test_textbook_losers() -> None:
    losers = {"A": 0, "K": 1, "AK": 0, "A2": 1, "K2": 1, "Q2": 2, "32": 2, "": 0,
              "AKQ": 0, "AK2": 1, "Q32": 2, "432": 3, "98765432": 3, "AKQJ2": 0}  # fmt: skip
    for cards, count in losers.items():
        holding = Hand.parse(f"{cards}...").holding(3)
        assert table("losers")[holding] == count, cards
    assert table("plain_losers")[Hand.parse("Q2...").holding(3)] == 1  # the paper: a queen wins


def test_stoppers() -> None:
    stoppers = {"": 0, "2": 0, "432": 0, "K": 1, "J32": 1, "T432": 1, "Q2": 2, "J432": 2, "A": 3,
                "K2": 3, "Q32": 3, "JT32": 3, "AK": 4, "AQJ": 4, "KQJ": 4, "AQ2": 3}  # fmt: skip
    for cards, grade in stoppers.items():
        assert table("stopper")[Hand.parse(f"{cards}...").holding(3)] == grade, cards


def test_lone_trump_suits() -> None:
    losers = {"AKQ432": 0, "AKJ432": 1, "QJT432": 2, "765432": 3, "AKQJT98765432": 0, "": 0}
    for cards, count in losers.items():
        assert table("lone_losers")[Hand.parse(f"{cards}...").holding(3)] == count, cards


def test_playing_points_are_on_lindelofs_scale() -> None:
    """A plain game: 28 points together for ten tricks."""
    opener, raise_ = Hand.parse("AQ732.K84.A6.J74"), Hand.parse("K964.A72.83.K865")
    from overtrick.evaluation import features

    together = features(opener)["LP"] + features(raise_)["LP"]
    assert 26 <= together <= 30
