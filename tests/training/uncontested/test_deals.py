"""Reading, splitting and permuting deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick_lab.training.uncontested import deals
from overtrick_lab.training.uncontested.costs import cost_vectors
from overtrick_lab.training.uncontested.deals import TabledDeals


def _pack(solved: TabledDeals) -> np.ndarray:
    owner = solved.hands.argmax(axis=1)[:, ::-1].reshape(-1, 13, 4).astype(np.uint8)
    return (owner << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2).astype(np.uint8)


def test_owners_round_trip(solved: TabledDeals, tmp_path: Path) -> None:
    np.savez(tmp_path / "dd.npz", owners=_pack(solved), tricks=solved.tricks)
    again = deals.read_solved(tmp_path / "dd.npz")
    assert (again.hands == solved.hands).all()
    assert (again.tricks == solved.tricks).all()


def test_published_hands_are_read_in_house_order(tmp_path: Path) -> None:
    bits = np.zeros((1, 104), dtype=np.uint8)
    bits[0, 12] = 1  # North: spade ace
    bits[0, 52 + 39] = 1  # South: club two
    np.savez(
        tmp_path / "u.npz", hands=np.packbits(bits, axis=1), cost=np.zeros((1, 36), np.float32)
    )
    pairs = deals.read_published(tmp_path / "u.npz")
    assert np.flatnonzero(pairs.opener[0]).tolist() == [51]
    assert np.flatnonzero(pairs.responder[0]).tolist() == [0]


def test_split_is_a_partition(solved: TabledDeals) -> None:
    train, validation, test = deals.split(solved)
    assert (len(train), len(validation), len(test)) == (480, 60, 60)
    rows = {part.hands[i].tobytes() for part in (train, validation, test) for i in range(len(part))}
    assert len(rows) == 600


def test_permuted_suits_move_cards_and_tricks_together(solved: TabledDeals) -> None:
    order = (2, 0, 3, 1)
    moved = deals.permute_suits(solved, order)
    assert (moved.hands[0, 0].reshape(4, 13)[0] == solved.hands[0, 0].reshape(4, 13)[2]).all()
    assert (moved.tricks[:, 0] == solved.tricks[:, 2]).all()
    assert (moved.tricks[:, 4] == solved.tricks[:, 4]).all()
    assert (deals.pairs(moved).costs == cost_vectors(moved.tricks[:, :, 0])).all()
    with pytest.raises(ValueError, match="permutation"):
        deals.permute_suits(solved, (0, 0, 1, 2))


def test_training_copies(solved: TabledDeals) -> None:
    rng = np.random.default_rng(0)
    assert len(deals.training_pairs(solved, copies=2, rng=rng)) == 3 * len(solved)
    both = deals.pairs(solved, openers=(0, 2))
    assert (both.opener[:600] == both.responder[600:]).all()
    assert (both.costs[:600] == both.costs[600:]).all()
