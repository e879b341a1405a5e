"""What declarers take beside double dummy: inputs, chances, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick.game import Deal
from overtrick.nets.inference import NetworkError
from overtrick.nets.table_tricks import (
    FACTS,
    RESULTS,
    SHIFTS,
    WIDTH,
    Contracted,
    TableTricks,
    beside,
    facts,
    seat_bits,
    table_tricks,
)

DEAL = Deal.parse("N:AKJ2.K53.A84.752 63.QJT9.KT62.QJ8 QT854.A72.QJ3.AK 97.864.975.T9643")
HANDS = np.array([[hand.bits for hand in DEAL.hands]], np.uint64)


def one(bid: int, declarer: int, doubled: int = 0) -> Contracted:
    return Contracted(*(np.array([x]) for x in (bid, declarer, doubled)))


def silent() -> TableTricks:
    """A network that finds every shift equally likely."""
    return TableTricks(((np.zeros((WIDTH, len(SHIFTS)), np.float32), np.zeros(len(SHIFTS))),))


def test_inputs_see_what_declarer_has() -> None:
    spades = facts(seat_bits(HANDS), one(18, 2))  # 4S by South
    assert spades.shape == (1, FACTS)
    points, split = spades[0, :2]
    assert points == pytest.approx((15 + 16 - 22) / 6)
    assert split == pytest.approx((16 - 15) / 8)
    assert spades[0, 4] == pytest.approx((9 - 8) / 2), "nine trumps"
    notrump = facts(seat_bits(HANDS), one(14, 0, 2))  # 3NT redoubled by North
    assert notrump[0, 1] == pytest.approx((15 - 16) / 8)
    assert notrump[0, 4] == -4, "no trumps"
    assert notrump[0, FACTS - 11 : FACTS].tolist() == [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0]


def test_results_are_seen_beside_the_contract() -> None:
    made = beside(np.array([14, 14, 14]), np.array([9, 8, 13]))
    assert made.shape == (3, RESULTS)
    assert made[:, :11].argmax(axis=1).tolist() == [5, 4, 9]


def test_chances_stay_between_none_and_thirteen() -> None:
    chances = np.zeros((2, 14))
    chances[0, 12], chances[1, 7] = 1, 1
    both = Contracted(np.array([18, 18]), np.array([2, 2]), np.array([0, 0]))
    moved = silent().at_table(chances, np.repeat(HANDS, 2, axis=0), both)
    assert moved.sum(axis=1) == pytest.approx([1, 1])
    assert moved[0, 8:] == pytest.approx(np.full(6, 1 / 6))
    assert moved[1, 3:12] == pytest.approx(np.full(9, 1 / 9))


def test_the_shipped_network_is_of_this_version() -> None:
    network = table_tricks()
    chances = np.eye(14)[[7]]
    low, slam = (network.at_table(chances, HANDS, one(bid, 2)) @ np.arange(14) for bid in (3, 28))
    assert 6 < low[0] < 8.5
    assert 6 < slam[0] < 8.5


def test_what_is_no_such_network_is_said(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="no network of table tricks"):
        table_tricks(str(tmp_path / "none.npz"))
    np.savez(tmp_path / "old.npz", inputs=np.int64(0))
    with pytest.raises(NetworkError, match="another version"):
        table_tricks(str(tmp_path / "old.npz"))
