"""A pupil that comes to call as its teachers do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")

from overtrick.environments import simulator  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick_lab.training import average, distil, export, network  # noqa: E402
from overtrick_lab.training.belief import Watch  # noqa: E402
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.network import NetworkCard  # noqa: E402
from overtrick_lab.training.rollout import Form  # noqa: E402
from overtrick_lab.training.settings import AverageSettings, DistilSettings  # noqa: E402
from overtrick_lab.training.trials_settings import ExportSettings  # noqa: E402
from tests.training.test_going_on import killed, same  # noqa: E402

VERSION = "auction-1+systems-1"


def policy(path: Path, seed: int, width: int, layers: int, loud: float) -> Path:
    inputs = features.feature_version(VERSION).width
    made = network.init(jax.random.PRNGKey(seed), inputs, features.CALLS, width, layers)
    weight, bias = made[-1]
    network.save(path, (*made[:-1], (loud * weight, bias)), NetworkCard("policy", VERSION))
    return path


@pytest.fixture
def settings(folder: Path, tmp_path: Path) -> DistilSettings:
    teacher = policy(tmp_path / "teacher.npz", 1, 24, 2, 60.0)
    pupil = policy(tmp_path / "small.npz", 2, 16, 1, 1.0)
    return DistilSettings(
        teachers=(teacher,), pupil=pupil, out=tmp_path / "pupil.npz", guest=folder / "sl.npz",
        deals=folder / "solved.npz", held_out=60, boards=60, tables=64, calls=8, steps=24,
        evaluate=50, average=0.9, learning_rate=1e-2, save_seconds=0,
    )  # fmt: skip


def test_the_pupil_learns(settings: DistilSettings) -> None:
    found = [measured for _, measured in distil.training(settings)]
    before, after = found[0], found[-1]
    assert after["kl"] < 0.7 * before["kl"]
    assert after["same_call"] > before["same_call"]
    assert np.isfinite(after["over_start"])
    params, card = network.load(settings.out, "policy")
    assert network.form(params) == (16, 1)
    assert card.made_by["recipe"] == "distil"
    assert card.made_by["measured"] == after


@pytest.mark.slow
def test_the_pupil_goes_on_after_a_kill(
    settings: DistilSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distil.run(settings)
    cut = replace(settings, out=tmp_path / "cut.npz")
    killed(monkeypatch, lambda: distil.run(cut), 3)
    distil.run(cut)
    assert same(settings.out, cut.out)


def test_several_teachers_are_heard_alike(settings: DistilSettings, tmp_path: Path) -> None:
    other = policy(tmp_path / "other.npz", 5, 8, 1, 60.0)
    loaded = [network.load(path, "policy")[0] for path in (*settings.teachers, other)]
    form = Form(features.feature_version(VERSION).systems, "relu")
    watch = Watch(settings, form, form, 0)
    tables = simulator.start(simulator.random_deals(jax.random.PRNGKey(0), 20))

    def taught(*teachers: network.Params) -> np.ndarray:
        school = distil.School(teachers, loaded[0])
        room = distil.Classroom(watch, (form,) * len(teachers), 0.5)
        return np.exp(np.asarray(distil.lesson(school, tables, room).taught))

    apart = [taught(each) for each in loaded]
    assert np.allclose(taught(*loaded), (apart[0] + apart[1]) / 2, atol=1e-6)
    assert np.allclose(apart[0].sum(axis=1), 1, atol=1e-5)


def test_without_a_teacher_nothing_is_learned(settings: DistilSettings) -> None:
    with pytest.raises(DataError, match="teacher"):
        distil.run(replace(settings, teachers=()))


def test_the_mean_of_networks_is_the_mean_of_their_weights(tmp_path: Path) -> None:
    one, two = (policy(tmp_path / f"{seed}.npz", seed, 16, 2, 1.0) for seed in (1, 2))
    wish = AverageSettings(networks=(one, two), out=tmp_path / "mean.npz")
    assert average.run(wish) == {"networks": 2, "width": 16, "layers": 2}
    mean, first, second = (network.load(path, "policy")[0] for path in (wish.out, one, two))
    assert np.allclose(mean[1][0], (first[1][0] + second[1][0]) / 2, atol=1e-3)
    card = export.run(ExportSettings(network=wish.out, out=tmp_path, precision="fp32"))
    assert card["made_by"]["settings"]["networks"] == "1.npz, 2.npz"
    assert len(card["made_by"]["from"]) == 2
    assert set(card["made_by"]["from"]) == set(card["made_by"]["ancestors"])
    other = policy(tmp_path / "other.npz", 3, 8, 2, 1.0)
    for wrong, said in (((one,), "two networks"), ((one, other), "another form")):
        with pytest.raises(DataError, match=said):
            average.run(replace(wish, networks=wrong))


def test_a_new_small_pupil_learns_of_strangers(settings: DistilSettings) -> None:
    reader = replace(settings, pupil=None, width=16, layers=1, strangers=1.0)
    found = [measured for _, measured in distil.training(reader)]
    assert found[-1]["strangers_kl"] < 0.7 * found[0]["strangers_kl"]
    assert found[-1]["kl"] < 0.7 * found[0]["kl"]
    params, card = network.load(reader.out, "policy")
    assert network.form(params) == (16, 1)
    assert card.features == VERSION
