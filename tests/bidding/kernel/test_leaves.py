"""What contracts are worth: losing tricks (footnotes 8, 9), total tricks (11), events."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding.kernel.leaves import (
    Contracts,
    Utility,
    at_the_table,
    expected_imps,
    table_of,
    utility_of,
)
from overtrick.game import Call, Deal, OptionError, imps, points


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
    found = leaves.points(contracts("2HN", "4HN", "6HN"))[0]
    assert tricks == 11
    assert found.tolist() == [200, 450, -50]


def test_footnote_11_total_tricks():
    """Three points above the average are a trick and so is every trump, at most thirteen."""
    table = table_of("total", worlds(FOOTNOTE_8))
    tricks = table[0, :, 0].argmax(axis=-1)
    # 34 points are five tricks more than half of them: on eight spades thirteen, in notrump twelve.
    assert tricks[4] == 7 + 5
    assert tricks[3] == 13


def test_double_dummy_and_scoring():
    leaves = utility_of("dd").leaves(worlds(FOOTNOTE_8), 0, 0)
    both = contracts("3NN", "6NN")
    points = leaves.points(both)[0]
    values = leaves.values(both)[0]
    assert values[0] == 0  # measured against the first way
    assert np.sign(values[1]) == np.sign(points[1] - points[0])
    theirs = utility_of("dd").leaves(worlds(FOOTNOTE_8), 0, 1).points(both)[0]
    assert (theirs == -points).all()


def test_matchpoints_count_only_who_is_ahead():
    ways = contracts("4SN", "4NN", "3NN")
    points = utility_of("ltc/points").leaves(worlds(FOOTNOTE_8), 0, 0).points(ways)[0]
    found = utility_of("ltc/matchpoints").leaves(worlds(FOOTNOTE_8), 0, 0).values(ways)[0]
    assert found.tolist() == np.sign(points - points[0]).tolist()


def test_values_are_imps_over_the_first_way() -> None:
    ways = [[14, 0, 0], [15, 2, 0], [-1, 0, 0], [14, 0, 0], [17, 1, 1]]
    chances = np.zeros((1, 5, 14))  # 3NT, 4C, passed out, 3NT again, 4H doubled by East
    chances[0, [0, 1, 3], [9, 10, 9]] = 1
    chances[0, [2, 4], [0, 7]] = 1
    value = expected_imps(chances, Contracts.of(np.array([ways])), vul=1, side=0)[0]
    game = points(3, 4, 0, True, 9)
    assert value[0] == value[3] == 0
    assert value[1] == imps(points(4, 0, 0, True, 10) - game)
    assert value[2] == imps(-game)
    assert value[4] == imps(-points(4, 2, 1, False, 7) - game)


def test_same_strain_takes_the_same_tricks() -> None:
    ways = Contracts.of(np.array([[[13, 3, 0], [18, 3, 0]]]))  # 3S, 4S by West
    chances = np.zeros((1, 2, 14))
    chances[..., [9, 10]] = 0.5
    value = expected_imps(chances, ways, vul=0, side=1)
    fails = imps(points(4, 3, 0, False, 9) - points(3, 3, 0, False, 9))
    makes = imps(points(4, 3, 0, False, 10) - points(3, 3, 0, False, 10))
    assert value[0, 1] == (fails + makes) / 2


def test_imps_against_a_score_and_against_the_first_way_agree_when_tricks_are_certain() -> None:
    leaves = utility_of("ltc").leaves(worlds(FOOTNOTE_8), 0, 0)
    ways = contracts("3NN", "6NN", "4SS")
    reference = leaves.points(ways)[:, 0]
    assert leaves.imps(ways, reference).tolist() == leaves.values(ways).tolist()


def test_passed_out_is_nothing():
    leaves = utility_of("ltc/points").leaves(worlds(FOOTNOTE_8), 3, 0)
    out = Contracts.of(np.array([[[-1, 0, 0]]], np.int64))
    assert leaves.points(out)[0, 0] == 0


def test_names():
    assert utility_of("ltc") == Utility("ltc", "imps")
    assert utility_of("total/matchpoints").name == "total/matchpoints"
    with pytest.raises(OptionError):
        Utility("ltc", "aces")  # type: ignore[arg-type]
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


def test_what_our_players_take_depends_on_the_hands_too():
    strong = "N:AKQ2.KQ3.A84.K52 J6.JT94.KT62.QJ8 T8543.A72.QJ3.A4 97.865.975.T9763"
    weak = "N:Q872.K53.A84.752 J6.QJT9.KT6.AJ83 AT543.A72.QJ3.K4 K9.864.9752.QT96"
    deals, ways = worlds(strong, weak), contracts("2SS", "4SS")
    both = Contracts.of(np.concatenate([ways.array, ways.array]))
    plain = utility_of("ltc").leaves(deals, 0, 0).chances(both)
    found = utility_of("ltc+played").leaves(deals, 0, 0).chances(both)
    assert found.shape == plain.shape
    assert found.sum(axis=-1) == pytest.approx(np.ones((2, 2)))
    moved = (found - plain) @ np.arange(14)
    assert np.abs(moved).max() < 1
    assert len(set(moved.ravel().round(6))) > 2
    half_way = utility_of("ltc+both").leaves(deals, 0, 0).chances(both)
    assert half_way == pytest.approx((plain + found) / 2)
    out = Contracts.of(np.array([[[-1, 0, 0]]] * 2, np.int64))
    assert utility_of("ltc+played/points").leaves(deals, 0, 0).values(out).tolist() == [[0], [0]]


def test_worlds_in_which_all_ways_end_alike_cost_nothing():
    asked = []

    class Counted(Utility):
        def leaves(self, deals, vul, side):
            asked.append(len(deals))
            return super().leaves(deals, vul, side)

    deal = "N:A432.KQJT98.AKQ. K98.A.JT95.T9876 QJT.765.876.AKQJ 765.432.432.5432"
    three = np.concatenate([contracts(*texts).array for texts in (
        ("4HN", "4HN"), ("4HN", "6HN"), ("2HN", "2HN"))])  # fmt: skip
    deals, ends = worlds(deal, deal, deal), Contracts.of(three)
    for scoring in ("imps", "matchpoints"):
        found = Counted("ltc", scoring).values(deals, ends, 0, 0)
        assert asked.pop() == 1
        assert (found == utility_of(f"ltc/{scoring}").leaves(deals, 0, 0).values(ends)).all()
        assert found[1, 1] < 0
    assert Counted("ltc", "points").values(deals, ends, 0, 0)[0].tolist() == [450, 450]
