"""The belief recipe: balanced hands, losses that mean what they say, learning from auctions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick.nets import belief as proposal  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick_lab.training import belief, data, network  # noqa: E402
from overtrick_lab.training.network import NetworkCard  # noqa: E402
from overtrick_lab.training.predicting_settings import BeliefSettings  # noqa: E402
from overtrick_lab.training.rollout import NOBODY, Form  # noqa: E402


def telling_policy(path: Path, version: str) -> None:
    """A policy that opens 1S with the ace of spades and passes otherwise, or after any bid."""
    width = features.feature_version(version).width
    first = np.zeros((width, 4), dtype=np.float32)
    first[features.HAND_START + 51, 0] = 1
    first[features.HISTORY_START : features.HAND_START, 0] = -9
    last = np.zeros((4, features.CALLS), dtype=np.float32)
    last[0, 6] = 50
    bias = np.zeros(features.CALLS, dtype=np.float32)
    bias[0] = 20
    params = ((jnp.asarray(first), jnp.zeros(4)), (jnp.asarray(last), jnp.asarray(bias)))
    network.save(path, params, NetworkCard("policy", version))


def tiny(tmp_path: Path, **changes: object) -> BeliefSettings:
    made = BeliefSettings(
        policy=tmp_path / "policy.npz", out=tmp_path / "belief.npz", steps=32, tables=64, calls=8,
        width=32, evaluate=100, average=0.95, learning_rate=3e-3,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def some_tables(count: int) -> simulator.AuctionTables:
    made = jax.jit(lambda key: simulator.start(simulator.random_deals(key, count)))
    return made(jax.random.PRNGKey(4))


def test_holders_are_counted_from_the_player_on_turn() -> None:
    tables = some_tables(20)
    holder, owner = np.asarray(belief.holders(tables)), np.asarray(tables.deals.owner)
    turn = np.asarray(tables.turn)[:, None]
    assert ((turn + 1 + holder) % 4 == owner).all()
    others = np.asarray(simulator.other_hands(tables)).reshape(-1, 3, 52)
    assert (others == (holder[:, None] == np.arange(3)[:, None])).all()


def test_balanced_beliefs_give_everybody_thirteen_cards() -> None:
    unseen = belief.holders(some_tables(30)) < 3
    scores = jnp.array([0.6, 0.0, -0.3]) + jax.random.normal(jax.random.PRNGKey(0), (30, 52, 3))
    chances = np.exp(np.asarray(jax.jit(belief.balanced)(scores, unseen)))
    assert np.allclose(chances.sum(axis=2), 1, atol=1e-5)
    counts = (chances * np.asarray(unseen)[..., None]).sum(axis=1)
    assert np.abs(counts - 13).max() < 0.2
    at_table = proposal.balanced(np.asarray(scores[0]), np.asarray(unseen[0]))
    assert np.allclose(at_table, chances[0], atol=1e-5)


def test_losses_of_a_flat_and_of_a_sure_belief() -> None:
    holder = belief.holders(some_tables(10))
    flat = jnp.full((10, 52, 3), -jnp.log(3.0))
    assert np.allclose(belief.per_card_loss(flat, holder), np.log(3), atol=1e-5)
    unseen = (holder < 3)[..., None]
    told = belief.shown(jnp.ones((1, len(belief.FIGURES))), jnp.ones(1, jnp.int32))
    loss = np.asarray(belief.sigmoid_loss(unseen / 3, holder))
    assert np.allclose(loss, told["uniform_sigmoid_loss"], atol=1e-4)
    sure = jnp.where(holder[..., None] == jnp.arange(3), 20.0, -20.0)
    learning_loss = jax.jit(belief.learning_loss, static_argnums=2)
    for form in belief.FORMS:
        assert np.asarray(learning_loss(sure, holder, form)).max() < 0.05


@pytest.mark.parametrize(
    ("form", "version"),
    [
        ("players", "auction-1+systems-1"),
        pytest.param("cards", "auction-1", marks=pytest.mark.slow),
    ],
)
def test_the_recipe_learns_what_an_opening_shows(tmp_path: Path, form: str, version: str) -> None:
    telling_policy(tmp_path / "policy.npz", version)
    guest = tmp_path / "policy.npz" if form == "cards" else None
    # 156 separate questions take longer to learn than one of three players a card.
    settings = tiny(tmp_path, form=form, guest=guest, steps=64 if form == "cards" else 32)
    found = belief.run(settings)
    params, card = network.load(settings.out, "belief")
    assert card.features == version
    assert params[0][0].shape[0] == features.feature_version(version).width
    assert card.made_by["measured"] == found
    assert found["positions"] == sum(row["positions"] for row in found["by_length"])
    # LHO dealt and opened 1S: he, and nobody else, has the ace of spades.
    public = features.public_bits([6, 0, 0], 1, 0, 0)
    suffix = features.system_bits(1, 1, features.feature_version(version))
    rows = features.observe((1 << 13) - 1, public, suffix)
    scores = belief.scores_of(params, jnp.asarray(rows), card.activation)
    said = np.exp(np.asarray(belief.beliefs(scores, jnp.arange(52)[None] % 4 != 0, form)))
    assert said[0, 51, 0] > 0.6
    assert found["loss"] < found["uniform_loss"]


def test_a_form_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(data.DataError, match="players or cards"):
        belief.BeliefRun(tiny(tmp_path, form="guess"))


def test_guests_play_one_side_or_both(tmp_path: Path) -> None:
    settings = tiny(tmp_path, both=0.5, untold=0.0)
    form = Form(2, "relu")
    watch = belief.Watch(settings, form, form, guest_tables=40)
    watched = belief.seat_anew(jax.random.PRNGKey(1), 64, watch)
    guest = np.asarray(watched.guest)
    assert (guest[:20] == belief.BOTH).all()
    assert np.isin(guest[20:40], (0, 1)).all()
    assert (guest[40:] == NOBODY).all()
    systems, hosts = np.asarray(watched.tables.deals.systems), np.arange(64) >= 40
    assert (systems[hosts] == systems[40, 0]).all()  # the policy always plays the same
    assert len({tuple(row) for row in systems[:20].tolist()}) > 1
    turn = np.asarray(watched.tables.turn) % 2
    expected = (guest == belief.BOTH) | (guest == turn)
    assert (np.asarray(belief.is_guest(watched)) == expected).all()


@pytest.mark.slow  # JAX compiles for longer than it learns
def test_it_goes_on_from_a_network_with_a_second_guest(tmp_path: Path) -> None:
    version = "auction-1+systems-1"
    telling_policy(tmp_path / "policy.npz", version)
    first = tiny(tmp_path, guest=tmp_path / "policy.npz", also=tmp_path / "policy.npz", foreign=0.5)
    began = belief.run(first)["loss"]
    more = replace(first, start=first.out, out=tmp_path / "more.npz", seed=1)
    assert belief.run(more)["loss"] < began + 0.01


def test_every_second_guest_table_is_the_other_guests(tmp_path: Path) -> None:
    """One guest always passes, the other always bids one spade at the start."""
    version = "auction-1+systems-1"
    width, form = features.feature_version(version).width, Form(5, "relu")

    def always(call: int) -> network.Params:
        bias = np.zeros(features.CALLS, dtype=np.float32)
        bias[call] = 9
        return ((jnp.zeros((width, 2)), jnp.zeros(2)), (jnp.zeros((2, 38)), jnp.asarray(bias)))

    watch = belief.Watch(tiny(tmp_path), form, form, 8)
    watched = belief.Watched(some_tables(12), jnp.full(12, belief.BOTH))
    players = belief.WatchedPlayers(always(10), always(0), also=always(6))
    seen = simulator.observe(watched.tables, 5)
    calls = belief.next_calls(players, watched, seen, jax.random.PRNGKey(0), watch)
    assert np.asarray(calls).tolist() == [0, 6] * 4 + [10] * 4
