"""Recipe: the two contract nets of PRAGMA (section 3.4 of its paper), 100-16-16-14.

Back-propagation of fourteen chances through two layers of sixteen sigmoid units; minutes on one
core, a few kilobytes in the end. Every deal is shown from any declarer, with any trumps, and with
the other suits in any order. As in the paper a net that does not converge is started again.
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
from overtrick_lab.training.data import (
    DataError,
    hands_of,
    read_solved,
    save_atomically,
    solved_files,
)
from overtrick_lab.training.predicting_settings import ContractSettings
from overtrick_lab.training.settings import plain
from overtrick_lab.training.trick_figures import measured

LOGGER = logging.getLogger(__name__)
Floats = NDArray[np.float32]
Layers = list[tuple[Floats, ...]]
KINDS = ("notrump", "suit")
_LEARNED = 0.9  # of the cost of always saying the same: above it, nothing has been learned
_PLAIN = 100.0  # a plain step along squared errors is so much shorter than one of Adam


class ContractDeals:
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


def outputs(layers: Layers, inputs: Array) -> Array:
    """The fourteen sums of a net."""
    for weight, bias in layers[:-1]:
        inputs = jax.nn.sigmoid(inputs @ weight + bias)
    weight, bias = layers[-1]
    return inputs @ weight + bias


def cost(layers: Layers, inputs: Array, tricks: Array) -> Array:
    """Cross-entropy of the fourteen chances."""
    said = outputs(layers, inputs)
    return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(said, tricks))


def printed_cost(layers: Layers, inputs: Array, tricks: Array) -> Array:
    """The paper's: squared errors of fourteen separate outputs, at least 0 … 13 tricks."""
    made = tricks[:, None] >= jnp.arange(14)
    return jnp.mean(jnp.sum((jax.nn.sigmoid(outputs(layers, inputs)) - made) ** 2, axis=1))


def constant_cost(tricks: NDArray[np.int64], recipe: str) -> float:
    """What a net costs that always says how often each number of tricks is made."""
    share = np.bincount(tricks, minlength=14) / len(tricks)
    if recipe == "paper":
        least = share[::-1].cumsum()[::-1]
        return float((least * (1 - least)).sum())
    return float(-(share[share > 0] * np.log(share[share > 0])).sum())


def learn(
    deals: ContractDeals, kind: str, settings: ContractSettings, rng: Generator
) -> Iterator[tuple[int, float, Layers]]:
    """Steps so far, mean cost, and the weights, now and then."""
    layers = new_layers(rng)
    printed = settings.recipe == "paper"
    rate = settings.learning_rate * (_PLAIN if printed else 1.0)
    rates = optax.cosine_decay_schedule(rate, settings.steps)
    descent = optax.sgd if printed else optax.adam
    steps = descent(lambda count: jnp.maximum(rates(count), rate / 100))
    price = printed_cost if printed else cost

    @jax.jit
    def step(layers: Layers, state: optax.OptState, inputs: Array, tricks: Array) -> Any:
        now, slopes = jax.value_and_grad(price)(layers, inputs, tricks)
        change, state = steps.update(slopes, state)
        return optax.apply_updates(layers, change), state, now

    state = steps.init(layers)
    costs: list[float] = []
    for done in range(1, settings.steps + 1):
        layers, state, now = step(layers, state, *deals.batch(kind, settings.batch, rng))
        costs.append(float(now))
        if done % 500 == 0 or done == settings.steps:
            yield done, float(np.mean(costs)), [(np.asarray(w), np.asarray(b)) for w, b in layers]
            costs.clear()


def converged(
    deals: ContractDeals, kind: str, settings: ContractSettings, rng: Generator
) -> tuple[Layers, int]:
    """Section 3.4: passes until the net has converged; if it has not, again from new weights."""
    _, tricks = deals.batch(kind, 10_000, rng)
    enough = _LEARNED * constant_cost(tricks, settings.recipe)
    for again in range(settings.restarts + 1):
        layers, now = new_layers(rng), enough
        for step, now, layers in learn(deals, kind, settings, rng):  # noqa: B007
            LOGGER.info("%s: step %d, cost %.4f", kind, step, now)
        if now < enough:
            return layers, again
        LOGGER.info("%s: not converged (%.4f, not below %.4f)", kind, now, enough)
    raise DataError(
        f"the {kind} net did not converge in {settings.restarts + 1} tries: more steps, or another "
        "learning rate"
    )


def measure(nets: PaperNets, deals: ContractDeals) -> dict[str, Any]:
    """Errors, log-loss and calibration over all twenty contracts of held-out deals."""
    return measured(nets.table(deals.hands), deals.tricks)


def save(path: Path, weights: dict[str, Layers], *, cumulative: bool = False) -> None:
    """Both nets in one small file, which says what its outputs are."""
    arrays: dict[str, Any] = {"features": np.int64(FEATURES), "cumulative": np.bool_(cumulative)}
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
    train = ContractDeals(solved.owner[:cut], solved.tricks[:cut])
    test = ContractDeals(solved.owner[cut:], solved.tricks[cut:])
    rng = np.random.default_rng(settings.seed)
    weights: dict[str, Layers] = {}
    restarts: dict[str, int] = {}
    began = time.process_time()
    for kind in KINDS:
        weights[kind], restarts[kind] = converged(train, kind, settings, rng)
    found = measure(PaperNets(weights, cumulative=settings.recipe == "paper"), test)
    found["restarts"] = restarts
    found["training_deals"] = cut
    found["cpu_seconds"] = round(time.process_time() - began, 1)
    save(settings.out, weights, cumulative=settings.recipe == "paper")
    card = {
        "name": "contract_paper", "kind": "contract", "features": f"contract-{FEATURES}",
        "form": f"two nets, 100-16-16-14, sigmoid units, outputs as in `{settings.recipe}`",
        "made_by": {"recipe": "contract", "settings": plain(settings)}, "measured": found,
    }  # fmt: skip
    write_whole(settings.out.with_suffix(".json"), json.dumps(card, indent=1) + "\n")
    return found
