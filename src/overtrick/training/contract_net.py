"""Recipe: the paper's two contract nets (seed 004, section 3.4), 100-16-16-14, from solved deals.
Used by `overtrick train contract`; numpy only, minutes on one core, a few kilobytes in the end.

Plain back-propagation of fourteen chances through two layers of sixteen sigmoid units. Every deal
is shown from any declarer, with any trumps, and with the other suits in any order.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.nets.contract import PaperNets
from overtrick.nets.contract_features import FEATURES, INPUTS, inputs_of, suit_columns
from overtrick.nets.inference import softmax
from overtrick.notation.whole import write_whole
from overtrick.training.contract_settings import ContractSettings
from overtrick.training.data import (
    DataError,
    hands_of,
    read_solved,
    save_atomically,
    solved_files,
)
from overtrick.training.settings import plain
from overtrick.training.trick_figures import calibration, log_loss, median

LOGGER = logging.getLogger(__name__)
Floats = NDArray[np.float32]
Layers = list[tuple[Floats, ...]]
KINDS = ("notrump", "suit")


class Deals:
    """Solved deals as columns, and batches of contracts from them."""

    def __init__(self, owner: NDArray[np.int8], tricks: NDArray[np.int8]) -> None:
        self.hands = hands_of(owner)
        self.columns = suit_columns(self.hands)
        self.tricks = tricks

    def batch(self, kind: str, size: int, rng: Generator) -> tuple[Floats, NDArray[np.int64]]:
        """Inputs [size, 100] and tricks of random contracts, suits shuffled."""
        rows = rng.integers(len(self.columns), size=size)
        declarer = rng.integers(4, size=size)
        suits = rng.permuted(np.broadcast_to(np.arange(4), (size, 4)), axis=1)
        seats = (declarer[:, None] + np.arange(4)) % 4
        seen = self.columns[rows[:, None, None], seats[:, :, None], suits[:, None, :]]
        strain = np.full(size, 4) if kind == "notrump" else suits[:, 0]
        inputs = inputs_of(seen, notrump=kind == "notrump")
        return inputs, self.tricks[rows, strain, declarer].astype(np.int64)


def new_layers(rng: Generator, hidden: int = 16) -> Layers:
    """Small random weights."""
    sizes = [(INPUTS, hidden), (hidden, hidden), (hidden, 14)]
    return [
        (
            rng.normal(0, 1.5 / np.sqrt(a), (a, b)).astype(np.float32),
            np.zeros(b, np.float32),
        )
        for a, b in sizes
    ]


def slopes(layers: Layers, inputs: Floats, tricks: NDArray[np.int64]) -> tuple[float, list[Floats]]:
    """Cross-entropy and its gradient by back-propagation, in the order of the weights."""
    outputs = [inputs]
    for weight, bias in layers[:-1]:
        outputs.append(1 / (1 + np.exp(-(outputs[-1] @ weight + bias))))
    weight, bias = layers[-1]
    chances = softmax(outputs[-1] @ weight + bias)
    rows = np.arange(len(tricks))
    cost = float(-np.log(np.maximum(chances[rows, tricks], 1e-9)).mean())
    error = chances
    error[rows, tricks] -= 1
    error /= len(tricks)
    found: list[Floats] = []
    for place in range(len(layers) - 1, -1, -1):
        found[:0] = [outputs[place].T @ error, error.sum(axis=0)]
        if place:
            back = error @ layers[place][0].T
            error = back * outputs[place] * (1 - outputs[place])
    return cost, found


class Adam:
    """The usual adaptive steps."""

    def __init__(self, layers: Layers) -> None:
        self.first = [np.zeros_like(p) for layer in layers for p in layer]
        self.second = [np.zeros_like(p) for layer in layers for p in layer]
        self.count = 0

    def step(self, layers: Layers, found: list[Floats], rate: float) -> None:
        self.count += 1
        flat = [p for layer in layers for p in layer]
        for p, g, m, v in zip(flat, found, self.first, self.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            fair = m / (1 - 0.9**self.count), v / (1 - 0.999**self.count)
            p -= (rate * fair[0] / (np.sqrt(fair[1]) + 1e-8)).astype(np.float32)


def learn(
    deals: Deals, kind: str, settings: ContractSettings, rng: Generator
) -> Iterator[tuple[int, float, Layers]]:
    """Steps so far, mean cost, and the weights, now and then."""
    layers = new_layers(rng)
    adam = Adam(layers)
    costs: list[float] = []
    for step in range(settings.steps):
        inputs, tricks = deals.batch(kind, settings.batch, rng)
        cost, found = slopes(layers, inputs, tricks)
        rate = settings.learning_rate * (0.5 + 0.5 * np.cos(np.pi * step / settings.steps))
        adam.step(layers, found, max(rate, 1e-4))
        costs.append(cost)
        if step % 500 == 499 or step == settings.steps - 1:
            yield step + 1, float(np.mean(costs)), layers
            costs.clear()


def measure(nets: PaperNets, deals: Deals) -> dict[str, Any]:
    """Errors, log-loss and calibration over all twenty contracts of held-out deals."""
    return measured(nets.table(deals.hands), deals.tricks)


def measured(table: NDArray[np.float64], tricks: NDArray[np.int8]) -> dict[str, Any]:
    """The same for any table [n, strain, declarer, 14]."""
    off = np.abs(median(table) - tricks)
    return {
        "deals": len(tricks),
        "mean_absolute_error": round(float(off.mean()), 4),
        "notrump_error": round(float(off[:, 4].mean()), 4),
        "suit_error": round(float(off[:, :4].mean()), 4),
        "log_loss": round(log_loss(table, tricks), 4),
        "calibration": calibration(table, tricks),
    }


def save(path: Path, weights: dict[str, Layers]) -> None:
    """Both nets in one small file."""
    arrays: dict[str, Any] = {"features": np.int64(FEATURES)}
    for kind, layers in weights.items():
        for i, (weight, bias) in enumerate(layers):
            arrays[f"{kind}_w{i}"], arrays[f"{kind}_b{i}"] = weight, bias
    save_atomically(path, **arrays)


def run(settings: ContractSettings) -> dict[str, Any]:
    """Train both nets, measure them on deals they never saw, write weights and card."""
    solved = read_solved(*solved_files(settings.deals))
    if len(solved) <= settings.held_out:
        raise DataError(f"{settings.deals} has {len(solved)} deals, {settings.held_out} held out")
    cut = len(solved) - settings.held_out
    train = Deals(solved.owner[:cut], solved.tricks[:cut])
    test = Deals(solved.owner[cut:], solved.tricks[cut:])
    rng = np.random.default_rng(settings.seed)
    weights: dict[str, Layers] = {}
    began = time.process_time()
    for kind in KINDS:
        for step, cost, layers in learn(train, kind, settings, rng):
            LOGGER.info("%s: step %d, cost %.4f", kind, step, cost)
            weights[kind] = layers
    found = measure(PaperNets(weights), test)
    found["training_deals"] = cut
    found["cpu_seconds"] = round(time.process_time() - began, 1)
    save(settings.out, weights)
    card = {
        "name": "contract_paper", "kind": "contract", "features": f"contract-{FEATURES}",
        "form": "two nets, 100-16-16-14, sigmoid units, softmax outputs",
        "made_by": {"recipe": "contract", "settings": plain(settings)}, "measured": found,
    }  # fmt: skip
    write_whole(settings.out.with_suffix(".json"), json.dumps(card, indent=1) + "\n")
    return found
