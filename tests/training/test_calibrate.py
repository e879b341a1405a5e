"""Calibration finds the power that makes too bold probabilities honest, and only that changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick_lab.training import calibrate, data
from overtrick_lab.training.export import read
from overtrick_lab.training.predicting_settings import CalibrateSettings
from tests.small_networks import trained


def honest(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits, and tricks drawn from the probabilities they give."""
    rng = np.random.default_rng(seed)
    middle = rng.uniform(2, 11, (count, 5, 4, 1))
    logits = (-((np.arange(14) - middle) ** 2) / 1.5).astype(np.float32)
    chances = calibrate.softmax(logits)
    draws = rng.random((count, 5, 4, 1))
    return logits, (chances.cumsum(axis=-1) < draws).sum(axis=-1).astype(np.int8).clip(0, 13)


def test_the_power_of_bold_probabilities_is_found() -> None:
    logits, tricks = honest(3000, 1)
    assert calibrate.worst(calibrate.deciles(logits, tricks)) < 1.5
    bold = logits / np.float32(0.9)
    assert calibrate.worst(calibrate.deciles(bold, tricks)) > 1.5
    assert calibrate.best_power(bold, tricks) == pytest.approx(0.9, abs=0.03)


def test_calibrating_scales_the_last_layer(tmp_path: Path) -> None:
    path = trained(tmp_path / "tricks.npz", "tricks")
    before = read(path)
    rng = np.random.default_rng(2)
    deals = data.ObservedDeals(data.random_owners(80, rng), rng.integers(5, 9, (80, 5, 4), np.int8))
    data.write_solved(tmp_path / "deals.npz", deals)
    settings = CalibrateSettings(
        path, tmp_path / "deals.npz", fit=60, test=tmp_path / "deals.npz", precision="fp32"
    )
    found = calibrate.run(settings)
    after = read(path)
    assert after.card["made_by"]["calibrated"]["power"] == found["power"]
    assert found["fitted_on"] == 60
    for (old, _), (new, _) in zip(before.layers[:-1], after.layers[:-1], strict=True):
        assert (old == new).all()
    assert after.layers[-1][0] == pytest.approx(found["power"] * before.layers[-1][0], rel=2e-3)


def test_only_tricks_networks_are_calibrated(tmp_path: Path) -> None:
    path = trained(tmp_path / "policy.npz", "policy")
    with pytest.raises(data.DataError, match="is a policy network"):
        calibrate.run(CalibrateSettings(path))
