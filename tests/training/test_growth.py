"""Larger networks that call as before, and self-play that goes on with them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick_lab.training import growth, network, ppo, rollout, selfplay  # noqa: E402
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.settings import GrowSettings, SelfplaySettings  # noqa: E402
from tests.training.test_going_on import killed, same  # noqa: E402
from tests.training.toys import tiny  # noqa: E402


def test_a_grown_network_computes_the_same_and_all_of_it_can_learn() -> None:
    keys = jax.random.split(jax.random.PRNGKey(1), 3)
    small = network.init(keys[0], 30, 5, 16, layers=2)
    small = (*small[:-1], (30 * small[-1][0], small[-1][1] + 1))
    inputs = jax.random.bernoulli(keys[1], 0.3, (200, 30))
    large = network.grow(small, 24, 4, keys[2])
    assert network.form(large) == (24, 4)
    before, after = network.forward(small, inputs), network.forward(large, inputs)
    assert np.allclose(before, after, atol=0.01 * float(before.std()))
    wide = network.forward(network.grow(small, 24, 2, keys[2]), inputs)
    assert np.allclose(before, wide, atol=1e-5)
    silent = network.grow(small, 24, 4)
    assert np.allclose(before, network.forward(silent, inputs), atol=1e-5)
    assert network.form(network.grow(small, 0, 0)) == (16, 2)

    slope = jax.grad(lambda p: (network.forward(p, inputs) ** 2).sum())(large)
    heard = [np.abs(np.asarray(weight[16:])).sum(axis=1) for weight, _ in slope[1:]]
    assert all((each > 0).all() for each in heard)  # what new units say is listened to from now on
    woken = np.abs(np.asarray(slope[3][0])).sum(axis=0)[:16]
    assert (woken > 0).mean() > 0.8


def test_heat_leaves_the_order_of_preference() -> None:
    params = network.init(jax.random.PRNGKey(0), 10, 6, 8, layers=1)
    params = (*params[:-1], (100 * params[-1][0], params[-1][1]))
    inputs = jnp.eye(10)
    cold = network.forward(params, inputs)
    warm = network.forward(growth.heated(params, 3.0), inputs)
    assert (cold.argsort(axis=1) == warm.argsort(axis=1)).all()
    assert jax.nn.softmax(warm).max() < jax.nn.softmax(cold).max()


def test_the_calls_drawn_stand_for_all() -> None:
    size, keys = 4096, jax.random.split(jax.random.PRNGKey(2), 4)
    log_prob = -10 * jax.random.uniform(keys[0], (size,)) ** 8
    ours = jax.random.bernoulli(keys[1], 0.75, (size,))
    worth = jax.random.normal(keys[2], (size,)) + log_prob
    nothing = jnp.zeros((size, 1))
    happened = rollout.Calls(*[nothing] * 12)._replace(log_prob=log_prob, ours=ours)
    batch = ppo.CallBatch(happened, worth, worth, jnp.ones(size))
    settings = SelfplaySettings(minibatch=128, learned=0.25)
    means = []
    for key in jax.random.split(keys[3], 40):
        drawn = ppo.hesitant(batch, key, settings)
        assert drawn.weight.shape == (1024,)
        means.append(float((drawn.weight * drawn.target).mean()))
    assert np.mean(means) == pytest.approx(float(worth.mean()), abs=4 * np.std(means) / 40**0.5)
    unsure = drawn.happened.log_prob < -0.1
    assert float(unsure.mean()) > 2 * float((log_prob < -0.1).mean())


@pytest.fixture
def grown(folder: Path, tmp_path: Path) -> SelfplaySettings:
    """Self-play that goes on with a policy larger than SL."""
    resume = tmp_path / "small"
    resume.mkdir()
    shutil.copy(folder / "sl.npz", resume / "policy.npz")
    critic = network.init(jax.random.PRNGKey(0), 791, 1, 16, layers=1)
    network.save(resume / "critic.npz", critic, network.NetworkCard("critic", "contracts"))
    wish = GrowSettings(
        resume=resume, out=tmp_path / "grown", width=56, layers=2, critic_width=24, heat=2.0
    )
    found = growth.run(wish)
    assert (found["width"], found["layers"], found["critic_width"]) == (56, 2, 24)
    with pytest.raises(DataError, match="heat"):
        growth.run(replace(wish, heat=0.0))
    return replace(
        tiny(folder), resume=wish.out, out=tmp_path / "whole", iterations=2, learned=0.5, every=2
    )


def test_past_selves_of_any_size_sit_beside_a_grown_policy(grown: SelfplaySettings) -> None:
    start = selfplay.prepare(grown)
    assert network.form(start.critic) == (24, 1)
    assert [network.form(each) for each in start.past] == [(48, 1)]
    league = selfplay.League(start.supervised, 2, start.policy)
    for params in (*start.past, start.policy):
        league.add(params)
    seen = jnp.eye(start.supervised[0][0].shape[0])
    for number, params in enumerate((start.supervised, *start.past, start.policy)):
        sat = league.past(number)
        assert network.form(sat) == (56, 2)
        assert np.allclose(network.forward(sat, seen), network.forward(params, seen), atol=1e-5)


@pytest.mark.slow
def test_selfplay_with_a_grown_policy_goes_on_after_a_kill(
    grown: SelfplaySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = replace(grown, iterations=6)
    selfplay.run(whole)
    after, _ = network.load(grown.out / "policy.npz", "policy")
    assert network.form(after) == (56, 2)
    cut = replace(whole, out=whole.out.with_name("cut"))
    killed(monkeypatch, lambda: selfplay.run(cut), 2)
    selfplay.run(cut)
    for name in ("policy.npz", "past_1.npz", "past_2.npz"):
        assert same(whole.out / name, cut.out / name), name
