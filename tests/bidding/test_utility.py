"""What contracts are worth: losing tricks (footnotes 8, 9), total tricks (11), events."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding.utility import (
    Contracts,
    TrickUtility,
    at_the_table,
    table_of,
    utility_of,
)
from overtrick.game import Call, Deal, OptionError


def worlds(*deals: str) -> np.ndarray:
    return np.array([[h.bits for h in Deal.parse(d).hands] for d in deals], np.uint64)


# North Axxx opposite Kxxx in spades, everything else solid in the North hand.
FOOTNOTE_8 = "N:A432.AKQ.AKQ.AKQ QJT.JT9.JT9.JT98 K765.432.432.432 98.8765.8765.765"


def contracts(*texts: str) -> Contracts:
    rows = [[[int(Call.parse(t[:-1])) - 3, "NESW".index(t[-1]), 0] for t in texts]]
    return Contracts.of(np.array(rows, np.int64))


def test_footnote_8_losers_are_covered_by_partners_honours():
    """Axxx has two losers, one is covered by the king: three tricks in the suit, twelve in all."""
    table = table_of("ltc", worlds(FOOTNOTE_8))
    assert table.shape == (1, 5, 4, 14)
    assert (table[0, :, 0].argmax(axis=-1) == 12).all()
    assert (table.sum(axis=-1) == 1).all()


def test_footnote_9_eleven_tricks_in_hearts():
    """+200 in 2♥, +450 in 4♥, -50 in 6♥."""
    # North loses one of two small spades (the queen covers the other) and the ace of trumps.
    deal = "N:A432.KQJT98.AKQ. K98.A.JT95.T9876 QJT.765.876.AKQJ 765.432.432.5432"
    leaves = utility_of("ltc/points").leaves(worlds(deal), 0, 0)
    table = table_of("ltc", worlds(deal))
    tricks = int(table[0, 2, 0].argmax())
    rows = np.array([0])
    found = leaves.points(rows, contracts("2HN", "4HN", "6HN"))[0]
    assert tricks == 11
    assert found.tolist() == [200, 450, -50]


def test_footnote_11_total_tricks():
    """Three points are a trick and so is every trump, at most thirteen."""
    table = table_of("total", worlds(FOOTNOTE_8))
    tricks = table[0, :, 0].argmax(axis=-1)
    # 34 points: eleven tricks and more trumps than there is room for; in notrump only the points.
    north, south = 31 + 0, 3
    assert tricks[4] == (north + south) // 3
    assert tricks[3] == 13


def test_double_dummy_and_scoring():
    leaves = utility_of("dd").leaves(worlds(FOOTNOTE_8), 0, 0)
    rows = np.array([0])
    both = contracts("3NN", "6NN")
    points = leaves.points(rows, both)[0]
    values = leaves.values(rows, both)[0]
    assert values[0] == 0  # measured against the first way
    assert np.sign(values[1]) == np.sign(points[1] - points[0])
    theirs = utility_of("dd").leaves(worlds(FOOTNOTE_8), 0, 1).points(rows, both)[0]
    assert (theirs == -points).all()


def test_matchpoints_count_only_who_is_ahead():
    rows = np.array([0])
    ways = contracts("4SN", "4NN", "3NN")
    points = utility_of("ltc/points").leaves(worlds(FOOTNOTE_8), 0, 0).points(rows, ways)[0]
    found = utility_of("ltc/matchpoints").leaves(worlds(FOOTNOTE_8), 0, 0).values(rows, ways)[0]
    assert found.tolist() == np.sign(points - points[0]).tolist()


def test_passed_out_is_nothing():
    leaves = utility_of("ltc/points").leaves(worlds(FOOTNOTE_8), 3, 0)
    out = Contracts.of(np.array([[[-1, 0, 0]]], np.int64))
    assert leaves.points(np.array([0]), out)[0, 0] == 0


def test_names():
    assert utility_of("ltc") == TrickUtility("ltc", "imps")
    assert utility_of("total/matchpoints").name == "total/matchpoints"
    with pytest.raises(OptionError):
        TrickUtility("ltc", "aces")  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        utility_of("no-such-network")


def test_declarers_at_tables_take_more_in_low_contracts_and_less_in_slams():
    chances = np.zeros((1, 3, 14))
    chances[..., 9] = 1
    moved = at_the_table(chances, np.array([[4, 14, 29]]))  # 1NT, 3NT, 6NT
    means = moved @ np.arange(14)
    assert means[0] == pytest.approx([9.41, 9.19, 8.91])
    assert moved.sum(axis=-1) == pytest.approx(np.ones((1, 3)))
    assert utility_of("ltc+table").tricks == "ltc+table"
