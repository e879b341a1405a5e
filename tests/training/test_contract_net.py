"""The recipe of the paper's contract nets: learning, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("optax")

from overtrick.nets.contract import exactly, paper_nets
from overtrick_lab.training import contract_net
from overtrick_lab.training.contract_net import (
    ContractDeals,
    ContractSettings,
    converged,
    hands_of,
    run,
)
from overtrick_lab.training.data import DataError, ObservedDeals, random_owners, write_solved


def solved(count: int, seed: int = 0) -> ObservedDeals:
    """Random deals whose 'tricks' are a third of the side's points: easy to learn."""
    owner = random_owners(count, np.random.default_rng(seed))
    rank = np.arange(52) // 4
    worth = np.select([rank == 12, rank == 11, rank == 10, rank == 9], [4, 3, 2, 1])
    side = np.stack([((owner % 2 == s) * worth).sum(axis=1) for s in (0, 1, 0, 1)], axis=1)
    tricks = np.minimum(13, side // 3).astype(np.int8)
    return ObservedDeals(owner, np.repeat(tricks[:, None], 5, axis=1))


def test_hands_have_thirteen_cards() -> None:
    hands = hands_of(random_owners(50, np.random.default_rng(1)))
    assert (np.bitwise_count(hands) == 13).all()
    assert (np.bitwise_or.reduce(hands, axis=1) == np.uint64((1 << 52) - 1)).all()


@pytest.mark.parametrize("recipe", ["softmax", "paper"])
def test_the_recipe_learns_and_writes_nets_and_card(tmp_path: Path, recipe: str) -> None:
    write_solved(tmp_path / "deals.npz", solved(1500))
    settings = ContractSettings(
        deals=tmp_path / "deals.npz", out=tmp_path / "nets.npz", held_out=200, steps=250,
        batch=256, recipe=recipe,
    )  # fmt: skip
    found = run(settings)
    assert found["mean_absolute_error"] < 0.8
    assert (tmp_path / "nets.json").exists()
    nets = paper_nets(str(tmp_path / "nets.npz"))
    table = nets.table(hands_of(solved(3).owner))
    assert table.shape == (3, 5, 4, 14)
    assert np.allclose(table.sum(axis=-1), 1)


def test_a_net_that_does_not_converge_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = solved(200)
    train, settings = ContractDeals(deals.owner, deals.tricks), ContractSettings(restarts=2)
    costs = iter([9.0, 9.0, 0.1])
    monkeypatch.setattr(contract_net, "learn", lambda *_: iter([(1, next(costs), [])]))
    assert converged(train, "suit", settings, np.random.default_rng(0)) == ([], 2)
    costs = iter([9.0] * 3)
    with pytest.raises(DataError, match="did not converge"):
        converged(train, "suit", settings, np.random.default_rng(0))


def test_separate_outputs_become_chances() -> None:
    said = np.array([0.9] * 8 + [0.5, 0.6, 0.2, 0.1, 0.0, 0.0])
    chances = exactly(said)
    assert chances.sum() == pytest.approx(1)
    assert (chances >= 0).all()
    assert chances[10:].sum() == pytest.approx(0.2)
