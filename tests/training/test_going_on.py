"""Runs that were killed go on as if nothing had happened: the same arrays at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")

from overtrick_lab.training import belief, selfplay, state, supervised, tricks  # noqa: E402
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.predicting_settings import BeliefSettings, TricksSettings  # noqa: E402
from overtrick_lab.training.settings import SupervisedSettings  # noqa: E402
from tests.training.toys import tiny  # noqa: E402


class Killed(BaseException):
    """Nothing is tidied up after it."""


def killed(monkeypatch: pytest.MonkeyPatch, run: Callable[[], Any], after: int) -> None:
    """Run until the state has been kept so many times."""
    real, kept = state.save, iter(range(1, 10_000))

    def save(path: Path, *rest: Any) -> None:
        real(path, *rest)
        if "past" not in path.name and next(kept) == after:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(state, "save", save)
        with pytest.raises(Killed):
            run()


def arrays(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files if name != "card"}


def same(first: Path, second: Path) -> bool:
    one, two = arrays(first), arrays(second)
    return list(one) == list(two) and all(np.array_equal(one[name], two[name]) for name in one)


def test_selfplay_goes_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replace(tiny(folder), out=tmp_path / "whole", iterations=8, every=3)
    curve = selfplay.run(whole)
    assert not list(whole.out.glob("state*"))
    cut = replace(whole, out=tmp_path / "cut")
    killed(monkeypatch, lambda: selfplay.run(cut), 2)  # at iteration 4, with a past self
    again = selfplay.run(cut)
    for name in ("policy.npz", "critic.npz", "past_1.npz", "past_2.npz"):
        assert same(whole.out / name, cut.out / name), name
    for point in (*curve, *again):
        del point["seconds"]
    assert again == curve
    assert sorted(path.name for path in cut.out.iterdir()) == sorted(
        path.name for path in whole.out.iterdir()
    )


def test_supervised_goes_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SupervisedSettings(
        auctions=folder / "auctions.npz", resume=folder / "untaught.npz", held_out=50,
        out=tmp_path / "whole.npz", steps=60, batch=128, learning_rate=3e-3, save_seconds=0,
    )  # fmt: skip
    supervised.run(whole)
    cut = replace(whole, out=tmp_path / "cut.npz")
    for after in (2, 3):
        killed(monkeypatch, lambda: supervised.run(cut), after)
    supervised.run(cut)
    assert same(whole.out, cut.out)
    assert {path.name for path in tmp_path.iterdir()} == {"whole.npz", "cut.npz"}


@pytest.mark.slow  # JAX compiles for longer than it learns
def test_belief_goes_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = BeliefSettings(
        policy=folder / "sl.npz", out=tmp_path / "whole.npz", steps=4, tables=8, calls=2, width=16,
        evaluate=8, save_seconds=0,
    )  # fmt: skip
    measured = belief.run(whole)
    cut = replace(whole, out=tmp_path / "cut.npz")
    killed(monkeypatch, lambda: belief.run(cut), 2)
    assert belief.run(cut) == measured
    assert same(whole.out, cut.out)


@pytest.mark.slow  # JAX compiles for longer than it learns
def test_tricks_go_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = TricksSettings(
        deals=folder / "solved.npz", out=tmp_path / "whole.npz", held_out=50, validation=50,
        teachers=2, teacher_suits=8, teacher_strains=8, suits=8, strains=8, batch=16, chunk=2,
        steps=4, save_seconds=0,
    )  # fmt: skip
    measured = tricks.run(whole)
    cut = replace(whole, out=tmp_path / "cut.npz")
    for after in (2, 3):  # the teachers keep their place three times, then the pupil
        killed(monkeypatch, lambda: tricks.run(cut), after)
    assert tricks.run(cut) == measured
    assert same(whole.out, cut.out)


def test_a_state_belongs_to_its_settings(tmp_path: Path) -> None:
    here, params = tmp_path / "state.npz", (jax.numpy.arange(3.0), jax.numpy.bfloat16(1.5))
    one = SupervisedSettings(seed=1)
    state.save(here, params, {"done": 7}, one)
    found = state.load(here, params, one)
    assert found is not None
    assert found[1] == {"done": 7}
    assert [leaf.dtype for leaf in found[0]] == [leaf.dtype for leaf in params]
    assert (found[0][0] == params[0]).all()
    assert state.load(here, params, SupervisedSettings(seed=2)) is None
    assert state.load(here, params[:1], one) is None
    assert state.load(tmp_path / "none.npz", params, one) is None
    here.write_bytes(b"junk")
    with pytest.raises(DataError, match="begins anew"):
        state.load(here, params, one)
