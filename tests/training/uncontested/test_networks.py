"""The JAX learners on invented deals: costs, symmetry, and that learning lowers the cost."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick_lab.training.uncontested.costs import cost_vectors
from overtrick_lab.training.uncontested.deals import TabledDeals

jax = pytest.importorskip("jax", reason="JAX (the train extra) is not installed")


def test_costs_in_jax(solved: TabledDeals) -> None:
    from overtrick_lab.training.uncontested import board

    cards, tricks = board.draw(jax.random.key(1), board.shoe(solved), 200)
    assert (np.asarray(cards).sum(axis=2) == 13).all()
    assert (np.asarray(board.costs_of(tricks)) == cost_vectors(np.asarray(tricks))).all()


def test_random_cards_are_two_disjoint_hands() -> None:
    from overtrick_lab.training.uncontested import board

    cards = np.asarray(board.random_cards(jax.random.key(0), 50))
    assert (cards.sum(axis=2) == 13).all()
    assert cards.sum(axis=1).max() == 1


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["relay", "penetrative"])
def test_learning_lowers_the_cost(solved: TabledDeals, learner: str) -> None:
    from overtrick_lab.training.uncontested import board, penetrative, relay

    shoe = board.shoe(solved)
    if learner == "relay":
        plan = relay.RelaySetup(turns=3, width=32, depth=2, batch=256, high=5e-3)
        state, step = relay.start(jax.random.key(0), plan), relay.train_step
    else:
        plan = penetrative.PenetrativeSetup(turns=3, width=32, depth=2, batch=32, high=5e-3)
        state, step = penetrative.start(jax.random.key(0), plan), penetrative.train_step

    @jax.jit
    def move(state, number):  # type: ignore[no-untyped-def]
        key = jax.random.fold_in(jax.random.key(5), number)
        return step(state, board.solved_batch(key, shoe, plan.batch), number / 400, plan)

    costs = []
    for number in range(400):
        state, cost = move(state, number)
        costs.append(float(cost))
    assert np.mean(costs[-20:]) < 0.6 * np.mean(costs[:20])


@pytest.mark.slow
def test_the_accelerator_command(
    solved: TabledDeals, tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overtrick_lab.papers.ho2015.networks import read
    from overtrick_lab.training.uncontested import (
        board,
        deals,
        penetrative,
        recipe,
        relay,
        spectator,
    )

    monkeypatch.setattr(recipe, "STEPS", 2)
    run = recipe.UncontestedRun(
        tmp_path, 2, board.shoe(solved), {"test": board.fixed(deals.pairs(solved))}
    )
    recipe.train_penetrative(run, penetrative.PenetrativeSetup(2, 8, 1, 8), (1.0, 2))
    nets = recipe.train_spectator(run, spectator.SpectatorSetup(8, 8, 1, 8), (1.0, 2))
    recipe.train_relay(run, relay.RelaySetup(3, 8, 1, 16), (nets, 0.5), (1.0, 2))
    assert set(run.results) == {"penetrative", "spectator", "relay"}
    assert [len(read(tmp_path, name)) for name in ("penetrative", "relay")] == [2, 2]
