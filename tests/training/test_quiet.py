"""A policy that learns to pass where a hand has nothing to say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
pytest.importorskip("onnxruntime", reason="the extra nn runs networks")

from overtrick.game import Hand  # noqa: E402
from overtrick.nets import features, inference  # noqa: E402
from overtrick.nets.quiet import nothing_to_say  # noqa: E402
from overtrick_lab.training import export, network, quiet  # noqa: E402
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.network import NetworkCard  # noqa: E402
from overtrick_lab.training.settings import QuietSettings  # noqa: E402

VERSION = "auction-1+systems-2"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """One that says something with every hand."""
    inputs = features.feature_version(VERSION).width
    made = network.init(jax.random.PRNGKey(1), inputs, features.CALLS, 24, 2)
    weight, bias = made[-1]
    loud = (*made[:-1], (60 * weight, bias.at[0].add(-1.0)))
    network.save(tmp_path / "loud.npz", loud, NetworkCard("policy", VERSION))
    export.to_onnx(export.read(tmp_path / "loud.npz"), "loud", tmp_path / "loud.onnx", "fp32")
    return tmp_path / "loud.onnx"


def test_it_learns_to_pass_and_is_deaf_to_flags(policy: Path, tmp_path: Path) -> None:
    settings = QuietSettings(
        policy=policy, guest=str(policy), deals=200, steps=60, batch=64, out=tmp_path / "quiet.npz",
        learning_rate=1e-2, average=0.9,
    )  # fmt: skip
    found = quiet.run(settings)["weak_hands"]
    assert found["spoke"] < 0.5 * found["spoke_before"]
    params, card = network.load(settings.out, "policy")
    assert card.made_by["recipe"] == "quiet"
    seen = features.observe(Hand("J75.84.A982.T965").bits, features.public_bits([3], 0, 0, 1))
    told = [features.system_bits(*pair, features.feature_version(VERSION))
            for pair in ((1, 1), (1, 0), (2, 6), (None, None))]  # fmt: skip
    rows = np.concatenate([np.concatenate([seen, flags[None]], axis=1) for flags in told])
    scores = np.asarray(network.forward(params, rows))
    assert np.allclose(scores, scores[:1])


def test_taken_for_players_of_one_system(policy: Path) -> None:
    params, _ = network.load(policy, "policy")
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (20, features.feature_version(VERSION).width))
    rows[:, features.PLAIN_WIDTH :] = 0
    silent = np.asarray(network.forward(quiet.deaf(params, 7, 1), rows))
    rows[:, [features.PLAIN_WIDTH + 1, features.PLAIN_WIDTH + 8]] = 1
    assert np.allclose(silent, np.asarray(network.forward(params, rows)), atol=1e-3)
    with pytest.raises(DataError, match="simple"):
        quiet.deaf(params, 5, 6)


def test_weak_hands_are_put_where_somebody_may_have_nothing_to_say(policy: Path) -> None:
    rng = np.random.default_rng(2)
    side = quiet.MatchSide(inference.network(str(policy), "policy"), 1)
    seen = quiet.positions((side, side), 64, 0.3, rng)
    weak = quiet.with_weak_hands(seen, 300, rng)
    hands = weak[:, features.HAND_START : features.PLAIN_WIDTH]
    assert (hands.sum(axis=1) == 13).all()
    points = (hands.reshape(-1, 13, 4).sum(axis=2) * ([0] * 9 + [1, 2, 3, 4])).sum(axis=1)
    assert points.max() <= quiet.WEAK[0]
    assert 0.2 < nothing_to_say(weak).mean() < 0.9
