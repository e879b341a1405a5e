"""A network that sees both hands and estimates every contract's mean cost over all layouts.
It prices unlimited random deals without a double-dummy solver.

A solved deal is one draw of the opponents' cards; what a bidding system should learn is the mean.
The four suits pass through one shared layer stack, so all suits teach each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick_lab.training.uncontested import board, mlp
from overtrick_lab.training.uncontested.board import PairBatch
from overtrick_lab.training.uncontested.costs import CONTRACTS

SCALE = 4.0
TRICKS = 14


@dataclass(frozen=True, slots=True)
class SpectatorSetup:
    """Everything that shapes a training run."""

    suit_width: int = 256
    width: int = 1024
    depth: int = 3
    batch: int = 4096
    high: float = 1e-3
    low: float = 1e-6
    decay: float = 1e-2
    tricks_weight: float = 0.3


class Nets(NamedTuple):
    """The stack shared by the suits and the trunk above it."""

    suit: mlp.Params
    trunk: mlp.Params


class SpectatorState(NamedTuple):
    """Networks, optimiser and running average."""

    nets: Nets
    optimiser: mlp.Optimiser
    average: Nets


def start(key: Array, setup: SpectatorSetup) -> SpectatorState:
    """Fresh networks."""
    one, two = jax.random.split(key)
    suit = mlp.init(one, [26, setup.suit_width, setup.suit_width])
    sizes = [4 * setup.suit_width + 10, *[setup.width] * setup.depth, CONTRACTS + 5 * TRICKS]
    nets = Nets(suit, mlp.init(two, sizes, final=0.1))
    return SpectatorState(nets, mlp.adam(nets), nets)


def _outputs(nets: Nets, cards: Array) -> tuple[Array, Array]:
    """Estimated cost/SCALE `[n, 36]` and logits of tricks `[n, 5, 14]` for cards `[n, 2, 52]`."""
    size = len(cards)
    suits = cards.reshape(size, 2, 4, 13).transpose(0, 2, 1, 3).reshape(size, 4, 26)
    parts = jax.nn.relu(mlp.apply(nets.suit, suits, dtype=jnp.bfloat16))
    totals = board.describe(cards)[:, :, 52:].reshape(size, 10)
    x = jnp.concatenate([parts.reshape(size, -1), totals], axis=1)
    out = mlp.apply(nets.trunk, x, dtype=jnp.bfloat16)
    return out[:, :CONTRACTS], out[:, CONTRACTS:].reshape(size, 5, TRICKS)


def estimate(nets: Nets, cards: Array) -> Array:
    """Mean cost of the 36 contracts for both hands; the same whoever is called opener."""
    one, _ = _outputs(nets, cards)
    two, _ = _outputs(nets, cards[:, ::-1])
    return jnp.clip(0.5 * SCALE * (one + two), 0.0, 24.0)


def train_step(
    state: SpectatorState, cards: Array, tricks: Array, progress: Array, setup: SpectatorSetup
) -> tuple[SpectatorState, Array]:
    """One gradient step; the mean squared error of the costs in IMPs²."""
    target = board.costs_of(tricks) / SCALE

    def loss(nets: Nets) -> tuple[Array, Array]:
        costs, logits = _outputs(nets, cards)
        error = ((costs - target) ** 2).mean()
        log_probs = jax.nn.log_softmax(logits)
        index = tricks.astype(jnp.int32)[:, :, None]
        surprise = -jnp.take_along_axis(log_probs, index, axis=2).mean()
        return error + setup.tricks_weight * surprise, error

    grads, error = jax.grad(loss, has_aux=True)(state.nets)
    rate = mlp.cosine(progress, setup.high, setup.low)
    nets, optimiser = mlp.update(grads, state.optimiser, state.nets, rate, setup.decay)
    average = mlp.blend(state.average, nets, optimiser.steps)
    return SpectatorState(nets, optimiser, average), error * SCALE**2


def priced_batch(key: Array, nets: Nets, size: int) -> PairBatch:
    """Random pairs priced by the network."""
    cards = board.random_cards(key, size)
    return PairBatch(board.describe(cards), estimate(nets, cards))
