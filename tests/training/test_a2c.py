"""The paper's learner: results reach their calls, priorities steer the draw, a run goes through."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402
from jax import Array  # noqa: E402

from overtrick_lab.training import (  # noqa: E402
    a2c,
    ablations,
    data,
    match,
    network,
    rollout,
    selfplay,
)
from overtrick_lab.training.trials_settings import AblationSettings  # noqa: E402
from tests.training.toys import tiny  # noqa: E402


def test_results_go_back_to_every_call_of_the_auction() -> None:
    """Two auctions at one table, the third unfinished: signs change with the side."""
    zeros = jnp.zeros((6, 1))
    reward = jnp.array([0.0, 0.0, 3.0, 0.0, -2.0, 0.0])[:, None]
    done = jnp.array([False, False, True, False, True, False])[:, None]
    calls = rollout.Calls(*[zeros] * 8, value=zeros, reward=reward, done=done, ours=zeros)
    result, over = a2c.results(calls)
    assert result[:5, 0].tolist() == [3.0, -3.0, 3.0, 2.0, -2.0]
    assert over[:, 0].tolist() == [True] * 5 + [False]


def test_draw_prefers_surprises_and_the_weights_undo_it() -> None:
    priority = jnp.array([0.0, 1.0, 3.0, 0.0, 4.0])
    key = jax.random.PRNGKey(0)
    places, weight = a2c.draw(key, priority, 40_000, (1.0, 1.0))
    share = np.bincount(np.asarray(places), minlength=5) / 40_000
    assert share == pytest.approx([0, 1 / 8, 3 / 8, 0, 4 / 8], abs=0.01)
    # Fully undone: every filled place has the same expected weight.
    total = np.bincount(np.asarray(places), np.asarray(weight), minlength=5)
    assert total[[2, 4]] / total[1] == pytest.approx([1, 1], abs=0.05)
    even, ones = a2c.draw(key, priority, 30_000, (0.0, 0.6))
    share = np.bincount(np.asarray(even), minlength=5) / 30_000
    assert share == pytest.approx([0, 1 / 3, 1 / 3, 0, 1 / 3], abs=0.01)
    assert np.asarray(ones) == pytest.approx(1.0)
    _, none = a2c.draw(key, jnp.zeros(5), 8, (0.8, 0.6))
    assert not np.asarray(none).any()


@pytest.mark.slow
def test_a2c_trains_and_its_buffer_fills(folder: Path) -> None:
    settings = replace(
        tiny(folder), algorithm="a2c", critic="hands", out=folder / "a2c", replay=2, guests=1,
        evaluate_seconds=1e9, save_seconds=1e9, snapshot_seconds=1e9, optimizer="adan",
    )  # fmt: skip
    run = selfplay.SelfplayRun(settings, selfplay.prepare(settings), began=0.0)
    size = settings.calls * settings.tables
    before, _ = network.load(folder / "sl.npz", "policy")
    filled = []
    for _ in range(4):
        run.iterate()
        filled.append(int((run.learner.replay.priority > 0).sum()))
    # The first calls wait for an iteration; guests' calls and unfinished auctions stay out.
    assert filled[0] == 0
    assert 0 < filled[1] < filled[2] <= 2 * size
    kept = run.learner.replay
    known = np.asarray(kept.priority) > 0
    assert np.asarray(kept.calls.ours)[known].all()
    assert (np.abs(np.asarray(kept.calls.reward)) <= 3).all()
    after = run.learner.policy
    assert all(np.isfinite(np.asarray(w)).all() for w, _ in after)
    assert any((a[0] != b[0]).any() for a, b in zip(before, after, strict=True))


def test_ablations_name_what_they_leave_out(folder: Path) -> None:
    plain = AblationSettings(supervised=folder / "sl.npz", deals=folder / "solved.npz")
    for name in ablations.VARIANTS:
        made = ablations.recipe(replace(plain, variant=name))
        assert made.iterations == plain.iterations
    assert ablations.recipe(replace(plain, variant="a2c-no-priority")).priority_exponent == 0
    with pytest.raises(data.DataError, match="no variant half"):
        ablations.recipe(replace(plain, variant="half"))


@pytest.mark.slow
def test_an_ablation_writes_every_deal(folder: Path, tmp_path: Path) -> None:
    settings = AblationSettings(
        variant="a2c", supervised=folder / "sl.npz", deals=folder / "solved.npz", out=tmp_path,
        iterations=3, rounds=1, tiny=True,
    )  # fmt: skip
    found = ablations.run(settings)
    assert found["iterations"] == 3
    with np.load(tmp_path / "a2c.npz") as stored:
        assert stored["imps"].shape == (60,)
        assert stored["imps"].mean() == pytest.approx(found["over_sl"]["imps"], abs=0.01)
    by_time = replace(settings, iterations=0, minutes=0.05, every=2, out=tmp_path / "timed")
    assert ablations.run(by_time)["iterations"] >= 2
    on_the_way = json.loads((by_time.out / "a2c-2.json").read_text("utf-8"))
    assert on_the_way["iterations"] == on_the_way["curve"][-1]["iteration"] == 2
    assert (by_time.out / "a2c-2.npz").exists()


def test_unknown_choices_are_one_clear_line(folder: Path) -> None:
    for change, message in (
        ({"algorithm": "dqn"}, "ppo or a2c"),
        ({"critic": "all"}, "own, hands or contracts"),
        ({"optimizer": "sgd"}, "adam or adan"),
    ):
        with pytest.raises(data.DataError, match=message):
            selfplay.prepare(replace(tiny(folder), **change))


def test_table_i_is_a_variant() -> None:
    made = ablations.recipe(AblationSettings(variant="table-i"))
    assert made.replay * made.tables * made.calls == 81_920  # 80 K calls …
    assert made.tables * made.calls == 20_480  # … of which the first iteration brings a quarter
    assert made.tables * made.calls // made.minibatch * made.epochs == 10  # updates before a sync
    assert (made.minibatch, made.optimizer, made.learning_rate) == (2048, "adan", 1.3e-5)
    assert (made.priority_exponent, made.importance_exponent, made.entropy) == (0.8, 0.6, 0.01)
    assert (made.reference, made.final_entropy, made.final_rate) == ("self", 1.0, 1.0)
    left_out = {
        "table-i-no-priority": replace(made, priority_exponent=0.0),
        "table-i-no-hidden": replace(made, critic="own"),
    }
    for name, wanted in left_out.items():
        variant = ablations.recipe(AblationSettings(variant=name))
        assert variant == replace(wanted, out=variant.out)


@pytest.mark.slow
def test_the_other_table_is_bid_by_sl_or_by_the_learner_as_it_calls(folder: Path) -> None:
    """SL's scores depend on the deals alone, the learner's on what it happens to call."""
    settings = replace(tiny(folder), pool=64)
    start = selfplay.prepare(settings)
    form = rollout.Form(*match.network_form(start.card))
    stock = rollout.Stock(jnp.asarray(start.train.owner), jnp.asarray(start.train.tricks))
    key = jax.random.PRNGKey(5)

    def scores(reference: str) -> tuple[Array, Array]:
        setup = replace(settings, reference=reference), form
        pool = rollout.fresh_pool(key, start.supervised, stock, setup)
        return pool.deals.owner, pool.reference

    by_sl, by_itself = scores("sl"), scores("self")
    assert (by_sl[0] == by_itself[0]).all()  # the same deals
    assert (by_sl[1] != by_itself[1]).any()
    assert (scores("self")[1] == by_itself[1]).all()
    with pytest.raises(data.DataError, match="sl or self"):
        selfplay.prepare(replace(settings, reference="rules"))
