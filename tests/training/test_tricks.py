"""The tricks recipe: its network knows the symmetries of a deal, learns, and says how well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick_lab.training import (  # noqa: E402
    data,
    disclosure,
    network,
    trick_network,
    tricks,
)
from overtrick_lab.training.predicting_settings import TricksSettings  # noqa: E402


def made_up(count: int) -> data.ObservedDeals:
    """'Solved' deals whose tricks follow strength and fit."""
    owner = data.random_owners(count, np.random.default_rng(5))
    points, lengths = disclosure.high_card_points(owner), disclosure.suit_lengths(owner)
    pair = (points + np.roll(points, 2, axis=1))[:, None, :]
    fit = np.swapaxes(lengths + np.roll(lengths, 2, axis=1), 1, 2)
    fit = np.concatenate([fit, np.full((count, 1, 4), 7)], axis=1)
    tricks_ = np.clip(np.round((pair - 20) / 3 + fit - 1), 0, 13).astype(np.int8)
    return data.ObservedDeals(owner, tricks_)


def test_drawn_tricks_are_right_on_average() -> None:
    deals = made_up(4)
    params = trick_network.init(jax.random.PRNGKey(1), 16, 24, 1)
    params = (*params[:-1], (100 * params[-1][0], params[-1][1]))
    owner = jnp.asarray(deals.owner)
    draw = jax.jit(jax.vmap(lambda key: trick_network.draw(params, owner, key)))
    drawn = np.asarray(draw(jax.random.split(jax.random.PRNGKey(2), 4000)))
    chances = jax.nn.softmax(trick_network.forward(params, trick_network.hands_of(owner)))
    expected = np.asarray((chances * jnp.arange(14)).sum(axis=3))
    assert np.allclose(drawn.mean(axis=0), expected, atol=0.25)


def test_suit_orders_are_one_and_the_same() -> None:
    deals = made_up(6)
    params = trick_network.init(jax.random.PRNGKey(1), 16, 24, 1)
    params = (*params[:-1], (100 * params[-1][0], params[-1][1]))  # a head that says something
    order = jnp.asarray(np.random.default_rng(2).permuted(np.tile(np.arange(4), (6, 1)), axis=1))
    owner, _ = jax.jit(simulator.permuted)(
        jnp.asarray(deals.owner), jnp.asarray(deals.tricks), order, jnp.zeros(6, jnp.int32)
    )
    said = jax.jit(lambda owner: trick_network.forward(params, trick_network.hands_of(owner)))
    first, other = np.asarray(said(deals.owner)), np.asarray(said(owner))
    for row in range(6):
        strains = [*np.asarray(order)[row], 4]
        assert np.allclose(other[row], first[row, strains], atol=1e-3)


def test_opinions_do_not_depend_on_the_seats_when_all_sides_are_asked() -> None:
    deals = made_up(5)
    one = trick_network.init(jax.random.PRNGKey(3), 12, 16, 1)
    one = (*one[:-1], (100 * one[-1][0], one[-1][1]))
    four = jax.tree.map(lambda p: jnp.repeat(p[None], 4, axis=0), one)
    opinion = jax.jit(lambda owner: tricks.opinion(four, owner, "four"))
    before = np.asarray(opinion(jnp.asarray(deals.owner)))
    after = np.asarray(opinion(jnp.asarray((deals.owner + 1) % 4)))
    assert np.allclose(after, np.roll(before, 1, axis=2), atol=1e-4)


@pytest.mark.parametrize(
    ("hands", "teachers"),
    [
        ("four", 0),
        pytest.param("four", 2, marks=pytest.mark.slow),
        pytest.param("two", 0, marks=pytest.mark.slow),
    ],
)
def test_the_recipe_learns(tmp_path: Path, hands: str, teachers: int) -> None:
    data.write_solved(tmp_path / "solved.npz", made_up(600))
    settings = TricksSettings(
        deals=tmp_path / "solved.npz", out=tmp_path / "tricks.npz", held_out=100, validation=60,
        minutes=0.02, teachers=teachers, teacher_suits=24, teacher_strains=32,
        suits=24, strains=32, blocks=1, batch=64, chunk=4, average=0.9, learning_rate=3e-3,
        hands=hands,
    )  # fmt: skip
    found = tricks.run(settings)
    params, card = network.load(settings.out, "tricks")
    assert card.features == tricks.FEATURES[hands]
    assert card.made_by["measured"]["test"] == found["test"]
    assert found["test"]["deals"] == 100
    assert sum(row["n"] for row in found["test"]["calibration"]) == 100 * 20 * 13
    seen = tricks.seen_hands(jnp.asarray(made_up(4).owner), hands)
    assert trick_network.forward(params, seen).shape == (4, 5, 4, 14)
    assert int(seen.sum()) == 4 * (52 if hands == "four" else 26)


def test_figures_of_a_perfect_and_of_a_vague_forecast() -> None:
    deals = made_up(50)
    sure = np.eye(14, dtype=np.float32)[deals.tricks]
    assert tricks.measure(sure, deals.tricks)["median_error"] == 0
    assert tricks.measure(sure, deals.tricks)["calibration"][-1]["happened"] == 1
    flat = np.full_like(sure, 1 / 14)
    assert tricks.measure(flat, deals.tricks)["log_loss"] == pytest.approx(np.log(14), abs=1e-3)
    shy = 0.5 * sure + 0.5 * flat
    assert tricks.sharpness(shy, deals) > 1


def test_two_ways_to_ask_for_nothing(tmp_path: Path) -> None:
    data.write_solved(tmp_path / "solved.npz", made_up(50))
    with pytest.raises(data.DataError, match="none to train on"):
        tricks.run(TricksSettings(deals=tmp_path / "solved.npz"))
    with pytest.raises(data.DataError, match="four or two"):
        tricks.TricksRun(TricksSettings(deals=tmp_path / "solved.npz", hands="three"))
