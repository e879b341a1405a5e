"""Weights in few bits: what rounding may change, what it may not, files of other versions."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick_lab.uncontested import shipped
from overtrick_lab.uncontested.models import FORMAT, NetModel, load, save
from overtrick_lab.uncontested.packing import packed, unpacked

SHAPES = ((1,), (3, 2), (7, 1), (40, 30), (2, 3, 4))


@given(
    st.sampled_from(SHAPES),
    st.floats(1.0, 5000.0),
    st.floats(1e-3, 1e3),
    st.integers(0, 2**32 - 1),
)
def test_no_weight_moves_by_more_than_half_a_step(
    shape: tuple[int, ...], fine: float, size: float, seed: int
) -> None:
    weights = (size * np.random.default_rng(seed).standard_t(3, shape)).astype(np.float32)
    entries = packed("w", weights, fine)
    again = unpacked(entries, "w")
    step = float(entries["w_step"])
    usual = float(np.sqrt(np.square(weights, dtype=np.float64).mean()))
    assert again.dtype == np.float32
    assert again.shape == shape
    assert np.abs(again - weights).max() <= 0.5001 * step + 1e-6 * np.abs(weights).max()
    assert 0.9 < step * fine / usual < 1.1  # a quarter of an octave is 19 %


def test_nothing_but_zeros() -> None:
    assert (unpacked(packed("w", np.zeros((5, 3), np.float32), 128), "w") == 0).all()


@pytest.mark.parametrize("name", shipped.NAMES)
def test_a_file_read_and_written_again_is_the_same(name: str, tmp_path: Path) -> None:
    save(tmp_path / "again.npz", shipped.model(name))
    again = (tmp_path / "again.npz").open("rb")
    with again, np.load(again) as ours, np.load(_shipped(name)) as theirs:
        assert set(ours.files) == set(theirs.files)
        assert all(np.array_equal(ours[entry], theirs[entry]) for entry in ours.files)


def _shipped(name: str) -> Path:
    return Path(shipped.__file__).parent / "models" / f"{name}.npz"


def _stored(**entries: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **entries)
    buffer.seek(0)
    return buffer


def test_files_of_format_1_are_read() -> None:
    rng = np.random.default_rng(3)
    whole = rng.integers(-127, 128, (94, 36)).astype(np.int8)
    scale = rng.uniform(0.01, 0.02, 36).astype(np.float32)
    entries = {"kind": "net", "slope": 0.2, "sizes": [1, 1, 5], "0_0_b": np.zeros(36, np.float16)}
    model = load(_stored(**entries, **{"0_0_w": whole, "0_0_w_scale": scale}))
    assert isinstance(model, NetModel)
    assert np.array_equal(model.nets[0][0][0], whole * scale)
    half = rng.normal(size=(94, 36)).astype(np.float16)
    model = load(_stored(**entries, **{"0_0_w": half}))
    assert isinstance(model, NetModel)
    assert np.array_equal(model.nets[0][0][0], half)
    tree = rng.normal(size=(6, 36, 21)).astype(np.float32)
    old = load(_stored(kind="tree", shape="tree", size=[2, 5], weights=tree))
    assert not isinstance(old, NetModel)
    assert np.array_equal(old.weights, tree)


def test_files_of_a_later_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "later.npz"
    path.write_bytes(_stored(format=FORMAT + 1, kind="net").getvalue())
    with pytest.raises(shipped.ModelError, match=f"format {FORMAT + 1}"):
        shipped.model(str(path))
