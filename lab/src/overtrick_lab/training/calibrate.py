"""Recipe: the tricks network's probabilities, made as sure as they should be.
Numpy and onnxruntime only.

The pupil learns from its teachers on deals without number, the teachers from few; so the pupil is
a little too sure of itself on new deals. One power p → pˢ for all probabilities mends that, and
it is only a factor on the last layer. It is the one with the smallest gap in the worst decile of
P(at least so many tricks), among those that cost almost nothing in log loss.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.nets.inference import network, softmax
from overtrick_lab.training import trick_figures
from overtrick_lab.training.data import DataError, ObservedDeals, read_solved, save_atomically
from overtrick_lab.training.export import Trained, read, to_onnx
from overtrick_lab.training.predicting_settings import CalibrateSettings

POWERS: Final = tuple(round(0.8 + 0.01 * step, 2) for step in range(41))
DEAREST: Final = 0.001
"""Log loss that a smaller gap may cost."""
Logits = NDArray[np.float32]


def deciles(logits: Logits, tricks: NDArray[np.int8]) -> list[dict[str, float]]:
    """By decile of P(tricks ≥ 1..13): what was said, what happened, percentage points between."""
    return [
        {"said": round(s, 4), "happened": round(h, 4), "gap": round(100 * (h - s), 2)}
        for s, h, _ in trick_figures.by_decile(softmax(logits), tricks).tolist()
    ]


def log_loss(logits: Logits, tricks: NDArray[np.int8]) -> float:
    """-log P(what happened), on average."""
    return trick_figures.log_loss(softmax(logits), tricks)


def worst(found: list[dict[str, float]]) -> float:
    """The largest gap, in percentage points."""
    return max(abs(row["gap"]) for row in found)


def best_power(logits: Logits, tricks: NDArray[np.int8]) -> float:
    """The power whose worst decile is best, at almost no loss."""
    losses = {power: log_loss(power * logits, tricks) for power in POWERS}
    bar = min(losses.values()) + DEAREST
    cheap = [power for power, loss in losses.items() if loss <= bar]
    return min(cheap, key=lambda power: worst(deciles(power * logits, tricks)))


def logits_of(trained: Trained, deals: ObservedDeals, precision: str) -> Logits:
    """What the exported network says, [n, strain, declarer, 14]."""
    hands = (deals.owner[:, None, :] == np.arange(4)[:, None]).reshape(-1, 208)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tricks.onnx"
        to_onnx(trained, "tricks", path, precision)
        found: Logits = network(str(path), "tricks").run(hands.astype(np.uint8))
    return found.reshape(-1, 5, 4, 14)


def measured(logits: Logits, tricks: NDArray[np.int8]) -> dict[str, Any]:
    """For the card."""
    found = deciles(logits, tricks)
    median = trick_figures.median(softmax(logits))
    return {
        "deals": len(tricks),
        "worst_decile": worst(found),
        "log_loss": round(log_loss(logits, tricks), 4),
        "median_error": round(float(np.abs(median - tricks).mean()), 4),
        "deciles": found,
    }


def run(settings: CalibrateSettings) -> dict[str, Any]:
    """Fit, scale the last layer, write the network with what was found in its card."""
    trained = read(settings.network)
    if trained.kind != "tricks":
        raise DataError(f"{settings.network} is a {trained.kind} network, not a tricks network")
    fitted = read_solved(settings.deals)[slice(-settings.fit, None)]
    logits = logits_of(trained, fitted, settings.precision)
    power = best_power(logits, fitted.tricks)
    found: dict[str, Any] = {
        "power": power,
        "fitted_on": len(fitted),
        "before": worst(deciles(logits, fitted.tricks)),
        "after": worst(deciles(power * logits, fitted.tricks)),
    }
    if settings.test is not None:
        test = read_solved(settings.test)[slice(-10_000, None)]
        said = logits_of(trained, test, settings.precision)
        found["test_before"] = worst(deciles(said, test.tricks))
        found["test"] = measured(power * said, test.tricks)
    _write(settings.network, trained, found)
    return found


def _write(path: Path, trained: Trained, found: dict[str, Any]) -> None:
    made_by = {**trained.card.get("made_by", {}), "calibrated": found}
    card = {**trained.card, "made_by": made_by}
    arrays: dict[str, NDArray[Any]] = {"card": np.array(json.dumps(card))}
    last = len(trained.layers) - 1
    for place, (weight, bias) in enumerate(trained.layers):
        scale = found["power"] if place == last else 1.0
        arrays[f"w{place}"] = (scale * weight).astype(np.float16)
        arrays[f"b{place}"] = (scale * bias).astype(np.float16)
    save_atomically(path, **arrays)
