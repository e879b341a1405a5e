"""Recipe: the two contract nets of PRAGMA (section 3.4 of its paper), 100-16-16-14.

Back-propagation of fourteen chances through two layers of sixteen sigmoid units; minutes on one
core, a few kilobytes in the end. Every deal is shown from any declarer, with any trumps, and with
the other suits in any order.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.nets.contract import PaperNets
from overtrick.nets.contract_features import FEATURES, INPUTS, inputs_of, suit_columns
from overtrick.notation.whole import write_whole
from overtrick.training.data import (
    DataError,
    hands_of,
    read_solved,
    save_atomically,
    solved_files,
)
from overtrick.training.settings import ContractSettings, plain
from overtrick.training.trick_figures import measured

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


def cost(layers: Layers, inputs: Array, tricks: Array) -> Array:
    """Cross-entropy of the fourteen chances."""
    for weight, bias in layers[:-1]:
        inputs = jax.nn.sigmoid(inputs @ weight + bias)
    weight, bias = layers[-1]
    return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(inputs @ weight + bias, tricks))


def learn(
    deals: Deals, kind: str, settings: ContractSettings, rng: Generator
) -> Iterator[tuple[int, float, Layers]]:
    """Steps so far, mean cost, and the weights, now and then."""
    layers = new_layers(rng)
    rates = optax.cosine_decay_schedule(settings.learning_rate, settings.steps)
    adam = optax.adam(lambda count: jnp.maximum(rates(count), 1e-4))

    @jax.jit
    def step(layers: Layers, state: optax.OptState, inputs: Array, tricks: Array) -> Any:
        now, slopes = jax.value_and_grad(cost)(layers, inputs, tricks)
        change, state = adam.update(slopes, state)
        return optax.apply_updates(layers, change), state, now

    state = adam.init(layers)
    costs: list[float] = []
    for done in range(1, settings.steps + 1):
        layers, state, now = step(layers, state, *deals.batch(kind, settings.batch, rng))
        costs.append(float(now))
        if done % 500 == 0 or done == settings.steps:
            yield done, float(np.mean(costs)), [(np.asarray(w), np.asarray(b)) for w, b in layers]
            costs.clear()


def measure(nets: PaperNets, deals: Deals) -> dict[str, Any]:
    """Errors, log-loss and calibration over all twenty contracts of held-out deals."""
    return measured(nets.table(deals.hands), deals.tricks)


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
