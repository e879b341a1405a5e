"""Learning from what other calls would have brought."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick.game import Auction, Hand, OptionError  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick.nets.quiet import nothing_to_say  # noqa: E402
from overtrick_lab.training import (  # noqa: E402
    export,
    match,
    network,
    post_mortem,
    rewards,
    trick_network,
)
from overtrick_lab.training.belief import Watch, Watched, WatchedPlayers  # noqa: E402
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.network import NetworkCard  # noqa: E402
from overtrick_lab.training.rollout import NOBODY, Form  # noqa: E402
from overtrick_lab.training.settings import PostMortemSettings  # noqa: E402
from tests.training.test_distil import VERSION, policy  # noqa: E402
from tests.training.test_going_on import killed, same  # noqa: E402

FORM = Form(features.feature_version(VERSION).systems, "relu")


@pytest.fixture
def settings(folder: Path, tmp_path: Path) -> PostMortemSettings:
    tricks = trick_network.init(jax.random.PRNGKey(3), 8, 8, 1)
    network.save(tmp_path / "tricks.npz", tricks, NetworkCard("tricks", "hands"))
    return PostMortemSettings(
        policy=policy(tmp_path / "policy.npz", 1, 24, 2, 60.0), out=tmp_path / "better.npz",
        tricks=tmp_path / "tricks.npz", guest=folder / "sl.npz", deals=folder / "solved.npz",
        held_out=60, boards=60, tables=128, positions=64, minibatch=32, calls=2, steps=6,
        alternatives=3, refresh=4, average=0.9, learning_rate=1e-2, save_seconds=0,
    )  # fmt: skip


def seated(count: int) -> Watched:
    deals = simulator.random_deals(jax.random.PRNGKey(0), count)
    return Watched(simulator.start(deals), jnp.full(count, NOBODY))


def test_auctions_end_as_they_would_side_by_side(settings: PostMortemSettings) -> None:
    params = network.load(settings.policy, "policy")[0]
    end = post_mortem.bid_out(lambda w: match.greedy(params, w.tables, *FORM), seated(200)).tables
    whole = simulator.play_out(lambda t, _: match.greedy(params, t, *FORM), seated(200).tables)
    done = np.asarray(end.done)
    assert done.mean() > 0.5
    for name in ("last", "bidder", "doubled", "history", "first"):
        one, other = np.asarray(getattr(end, name)), np.asarray(getattr(whole, name))
        assert (one[done] == other[done]).all()


@pytest.mark.slow
def test_a_call_brings_what_its_auction_brings(settings: PostMortemSettings) -> None:
    params = network.load(settings.policy, "policy")[0]
    tricks = network.load(settings.tricks, "tricks")[0]
    room = post_mortem.RecipeSetting(Watch(settings, FORM, FORM, 0), replace(settings, draws=1))
    key, watched = jax.random.PRNGKey(5), seated(40)
    asked = post_mortem.ask(
        WatchedPlayers(params, params), tricks, watched, jnp.zeros(6), key, room
    )
    draw_key = jax.random.split(jax.random.split(key)[0], 1)[0]
    drawn = trick_network.draw(tricks, watched.tables.deals.owner, draw_key)
    tables = watched.tables._replace(deals=watched.tables.deals._replace(tricks=drawn))

    def score(place: int) -> np.ndarray:
        after = simulator.step(tables, asked.calls[:, place])
        end = simulator.play_out(lambda t, _: match.greedy(params, t, *FORM), after)
        return np.asarray(simulator.score(end))

    sign = np.where(np.asarray(tables.turn) % 2 == 0, 1, -1)
    for place in range(settings.alternatives):
        counts = np.asarray(asked.counts[:, place])
        expected = np.asarray(simulator.imps(jnp.asarray(sign * (score(place) - score(0)))))
        assert (np.asarray(asked.imps[:, place])[counts] == expected[counts]).all()
    assert (np.asarray(asked.calls[:, 0]) == np.asarray(asked.before.argmax(axis=1))).all()
    assert all(len(set(row)) == settings.alternatives for row in np.asarray(asked.calls).tolist())


def test_the_mean_of_the_answers_is_learned(settings: PostMortemSettings) -> None:
    """One position asked a thousand times: a call that brings 2 IMPs on average gains 2 scores."""
    params = network.load(settings.policy, "policy")[0]
    tables = simulator.start(simulator.random_deals(jax.random.PRNGKey(0), 1))
    many = 1000
    observation = jnp.repeat(simulator.observe(tables, FORM.systems), many, axis=0)
    legal = jnp.repeat(simulator.legal(tables), many, axis=0)
    before = network.logits(params, observation, legal, "relu")
    calls = jnp.tile(jnp.array([[0, 5, 9]]), (many, 1))
    noise = np.random.default_rng(0).normal(0, 5, (many, 3))
    imps = jnp.asarray(noise - noise.mean(axis=0) + np.array([0.0, 2.0, -1.0]))
    asked = post_mortem.ComparedCalls(
        observation, legal, legal, before, calls, jnp.ones_like(calls, bool), imps
    )
    room = post_mortem.RecipeSetting(
        Watch(settings, FORM, FORM, 0), replace(settings, keep=0.5, step=1.0, others=0.0)
    )
    slope = jax.jit(jax.grad(post_mortem.loss), static_argnames="room")
    for _ in range(300):
        params = jax.tree.map(lambda p, g: p - 0.01 * g, params, slope(params, asked, room=room))
    now = network.logits(params, observation[:1], legal[:1], "relu")[0]
    was = 0.5 * before[0]
    assert float(now[5] - now[0] - (was[5] - was[0])) == pytest.approx(2.0, abs=0.1)
    assert float(now[9] - now[0] - (was[9] - was[0])) == pytest.approx(-1.0, abs=0.1)


def test_openings_that_break_the_system_cost_something(settings: PostMortemSettings) -> None:
    owner = np.zeros((1, 52), np.int8)
    owner[0] = np.repeat(np.arange(4), 13)  # North has the lowest ranks: no points, 4-3-3-3
    deals = simulator.random_deals(jax.random.PRNGKey(0), 1)._replace(
        owner=jnp.asarray(owner), dealer=jnp.zeros(1, jnp.int32)
    )
    seen = simulator.observe(simulator.start(deals), FORM.systems)
    calls = jnp.array([[0, features.FIRST_BID, features.FIRST_BID + 4, features.FIRST_BID + 10]])
    guard = jnp.array([1.0, 2.0, 4.0, 8.0, 16.0, 0.5])
    found = np.asarray(post_mortem.opening_cost(seen, calls, guard))
    assert found.tolist() == [[0.0, 1.5, 16.5, 0.5]]


@pytest.mark.parametrize(
    ("hand", "auction", "bluff"),
    [
        ("J75.84.A982.T965", "1C", True),  # an overcall on nothing
        ("J75.84.A982.T965", "", True),
        ("J75.84.A982.T965", "P P", True),
        ("J75.84.A982.T965", "1C P", False),  # five points: a response is judgement
        ("J75.84.9832.T965", "1C P", True),
        ("J75.84.9832.T965", "1C X", False),  # running is no bluff
        ("J75.84.9832.T965", "1NT P", False),
        ("J75.84.A982.T965", "1C X 1H", False),  # partner asked
        ("J75.84.A982.T965", "1H P 2H", True),
        ("QJ975.84.982.T96", "1C", True),
        ("KJ975.84.Q82.T96", "1C", False),
        ("QJ9754.84.82.T96", "1C", False),
        ("AJ75.84.A982.T96", "1C", False),
    ],
)
def test_a_call_on_a_hand_with_nothing_to_say_is_a_bluff(
    hand: str, auction: str, bluff: bool
) -> None:
    calls = Auction.parse(auction).calls
    public = features.public_bits([int(c) for c in calls], 0, 0, len(calls) % 4)
    row = jnp.asarray(features.observe(Hand(hand).bits, public))
    assert bool(nothing_to_say(row)[0]) == bluff
    assert bool(nothing_to_say(np.asarray(row))[0]) == bluff
    price = post_mortem.bluff_cost(row, jnp.array([[0, 1, 3]]), 4.0)
    assert price.tolist() == [[0.0, 4.0, 4.0] if bluff else [0.0, 0.0, 0.0]]


@pytest.mark.slow
def test_it_runs_and_says_what_it_did(settings: PostMortemSettings) -> None:
    settings = replace(settings, table=rewards.SHIPPED, reward="matchpoints")
    found = [measured for _, measured in post_mortem.training(settings)]
    assert found[-1]["steps"] == (settings.steps + 1) * settings.calls
    params, card = network.load(settings.out, "policy")
    assert network.form(params) == (24, 2)
    assert card.made_by["recipe"] == "post-mortem"
    assert card.made_by["measured"] == found[-1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"minibatch": 128}, "minibatch"), ({"alternatives": 1}, "two calls"), ({"sharpen": 0}, "0")],
)
def test_wrong_settings_are_told(
    settings: PostMortemSettings, wrong: dict[str, int], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        post_mortem.run(replace(settings, **wrong))


@pytest.mark.slow
def test_it_goes_on_after_a_kill(
    settings: PostMortemSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post_mortem.run(settings)
    cut = replace(settings, out=tmp_path / "cut.npz")
    killed(monkeypatch, lambda: post_mortem.run(cut), 3)
    post_mortem.run(cut)
    assert same(settings.out, cut.out)


def _escaped(
    params: network.Params, asked: post_mortem.ComparedCalls, room: post_mortem.RecipeSetting
) -> jax.Array:
    scores = network.logits(params, asked.observation, asked.legal, room.watch.form.activation)
    return post_mortem.outside(scores, asked, 1.0).mean()


@pytest.mark.slow
def test_inside_a_system_only_its_calls_are_compared(
    settings: PostMortemSettings, tmp_path: Path
) -> None:
    """A system that allows every legal pass, one-level bid and nothing else."""
    inputs = features.feature_version(VERSION).width
    allows = np.full(features.CALLS, -1.0, np.float32)
    allows[[0, *range(features.FIRST_BID, features.FIRST_BID + 5)]] = 1.0
    made = network.init(jax.random.PRNGKey(7), inputs, features.CALLS, 8, 1)
    within = (*made[:-1], (0 * made[-1][0], jnp.asarray(allows)))
    network.save(tmp_path / "allowed.npz", within, NetworkCard("allowed", VERSION))
    params = network.load(settings.policy, "policy")[0]
    tricks = network.load(settings.tricks, "tricks")[0]
    room = post_mortem.RecipeSetting(Watch(settings, FORM, FORM, 0), replace(settings, draws=1))
    players = WatchedPlayers(params, params, network.load(tmp_path / "allowed.npz", "allowed")[0])
    asked = post_mortem.ask(players, tricks, seated(200), jnp.zeros(6), jax.random.PRNGKey(5), room)
    calls, counts = np.asarray(asked.calls), np.asarray(asked.counts)
    assert (allows[calls[counts]] > 0).all()
    assert counts[:, 0].mean() > 0.9
    assert np.asarray(asked.legal)[:, features.FIRST_BID :].all(), "the loss still sees them all"
    learned, _ = network.load(settings.policy, "policy")
    slope = jax.jit(jax.grad(lambda p: _escaped(p, asked, room)))
    for _ in range(200):
        learned = jax.tree.map(lambda p, g: p - 0.1 * g, learned, slope(learned))
    best = network.logits(learned, asked.observation, asked.legal, "relu").argmax(axis=1)
    assert (allows[np.asarray(best)] > 0).mean() > 0.95, "and learns to keep inside without a mask"
    inside = replace(settings, within=tmp_path / "allowed.npz", systems="acol,polish", visiting="")
    assert post_mortem.run(inside)["steps"] > 0


def test_systems_are_named(settings: PostMortemSettings) -> None:
    with pytest.raises(OptionError, match="acoll"):
        post_mortem.run(replace(settings, systems="acoll"))


def test_it_starts_from_an_exported_network(settings: PostMortemSettings, tmp_path: Path) -> None:
    for precision, near in (("fp32", 1e-3), ("fp16", 1e-3), ("int8", 0.02)):
        made = tmp_path / f"{precision}.onnx"
        export.to_onnx(export.read(settings.policy), "policy", made, precision)
        stored, exported = (network.load(path, "policy")[0] for path in (settings.policy, made))
        for (weight, bias), (other, moved) in zip(stored, exported, strict=True):
            scale = float(jnp.abs(weight).max())
            assert np.allclose(weight, other, atol=near * scale)
            assert np.allclose(bias, moved, atol=1e-3)
    with pytest.raises(DataError, match="not a belief"):
        network.load(made, "belief")
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    with pytest.raises(DataError, match="not a network"):
        network.load(tmp_path / "broken.onnx", "policy")
