"""Models in numpy: greedy auctions follow the rules, files keep them, JAX agrees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick_lab.papers.ho2015.learner import LearnerSetting, Trainer, prepare
from overtrick_lab.training.uncontested.deals import TabledDeals, pairs
from overtrick_lab.uncontested.models import NetModel, bid_out, load, save


def _random_net(turns: int = 5, nets: int = 1) -> NetModel:
    rng = np.random.default_rng(1)
    sizes = [(94, 16), (16, 16), (16, 36)]
    layers = tuple(
        tuple(
            (rng.normal(size=size).astype(np.float32) * 0.2, np.zeros(size[1], np.float32))
            for size in sizes
        )
        for _ in range(nets)
    )
    return NetModel(layers, 0.2, turns)


def test_auctions_rise_and_end(solved: TabledDeals) -> None:
    part = pairs(solved)
    contract, calls = bid_out(_random_net(), part.opener, part.responder)
    for row, final in zip(calls, contract, strict=True):
        made = row[row >= 0]
        bids = made[1:] if len(made) and made[0] == 0 else made
        if len(made) > 1 and made[-1] == 0:
            bids = bids[:-1]
        assert (np.diff(bids) > 0).all()
        assert final == (bids.max() if len(bids) else 0)


def test_tree_auctions_agree_with_the_general_loop(solved: TabledDeals) -> None:
    part = pairs(solved)
    data = prepare(part)
    (model,) = Trainer([LearnerSetting(iterations=2_000)], data).run()
    fast = model.bid_out(data.opener, data.responder)
    slow = bid_out(model, part.opener, part.responder)
    assert (fast[0] == slow[0]).mean() > 0.995  # float32 products may differ in the last bit
    assert fast[1].shape == slow[1].shape


@pytest.mark.parametrize("nets", [1, 5])
def test_files_keep_models(solved: TabledDeals, tmp_path: Path, nets: int) -> None:
    part = pairs(solved)
    model = _random_net(nets=nets)
    save(tmp_path / "net.npz", model)
    again = load(tmp_path / "net.npz")
    same = bid_out(model, part.opener, part.responder)[0]
    assert (bid_out(again, part.opener, part.responder)[0] == same).mean() > 0.97


def test_tree_files(solved: TabledDeals, tmp_path: Path) -> None:
    (model,) = Trainer([LearnerSetting(length=2, iterations=500)], prepare(pairs(solved))).run()
    save(tmp_path / "tree.npz", model)
    again = load(tmp_path / "tree.npz")
    hands = solved.hands[:, 0]
    legal = np.isfinite(model.values(hands, (1,)))
    change = np.abs(again.values(hands, (1,))[legal] - model.values(hands, (1,))[legal])
    assert change.max() < 0.05  # IMPs
    assert again.values(hands, (1, 9))[0, 0] == 0.0  # beyond the model only Pass is left
    assert np.isinf(again.values(hands, (1, 9))[0, 1:]).all()


def test_network_input_and_forward_agree_with_jax(solved: TabledDeals) -> None:
    pytest.importorskip("jax", reason="JAX (the train extra) is not installed")
    from overtrick_lab.training.uncontested import board, mlp

    model = _random_net()
    batch = board.fixed(pairs(solved))
    calls = np.zeros((len(solved), 36), dtype=bool)
    calls[:, [0, 3]] = True
    params = [(w, b) for w, b in model.nets[0]]
    theirs = np.asarray(mlp.apply(params, board.seen(batch.hands[:, 0], calls, 2), slope=0.2))
    ours = model.values(solved.hands[:, 0], (0, 3))
    legal = np.isfinite(ours[0])
    assert legal.tolist() == [c == 0 or c > 3 for c in range(36)]
    assert np.allclose(ours[:, legal], theirs[:, legal], atol=1e-4)
