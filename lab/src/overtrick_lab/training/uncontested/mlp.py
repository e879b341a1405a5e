"""Small residual networks and Adam with a falling step, in JAX (playing needs only numpy)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

Params = list[tuple[Array, Array]]
Tree = Any


class Optimiser(NamedTuple):
    """Adam's state and the number of steps taken."""

    state: optax.OptState
    steps: Array


_ADAM = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam())
"""Without its rate, which each step brings along."""


def init(key: Array, sizes: Sequence[int], final: float = 1.0) -> Params:
    """He-initialised layers; `final` scales the last one (0.01 starts a policy nearly uniform)."""
    layers = []
    for place, (wide, narrow) in enumerate(pairwise(sizes)):
        key, part = jax.random.split(key)
        gain = final if place == len(sizes) - 2 else 1.0
        weight = jax.random.normal(part, (wide, narrow)) * gain * np.sqrt(2.0 / wide)
        layers.append((weight, jnp.zeros(narrow)))
    return layers


def apply(params: Params, x: Array, slope: float = 0.0, dtype: Any = jnp.float32) -> Array:
    """Forward pass: (leaky) ReLU layers, residual where widths agree, linear end."""
    x = x.astype(dtype)
    for weight, bias in params[:-1]:
        y = x @ weight.astype(dtype) + bias.astype(dtype)
        y = jnp.where(y > 0, y, slope * y)
        x = x + y if x.shape[-1] == y.shape[-1] else y
    weight, bias = params[-1]
    return (x @ weight.astype(dtype)).astype(jnp.float32) + bias


def adam(params: Tree) -> Optimiser:
    """A fresh optimiser state."""
    return Optimiser(_ADAM.init(params), jnp.zeros((), jnp.int32))


def update(
    grads: Tree, optimiser: Optimiser, params: Tree, rate: Array | float, decay: float = 0.0
) -> tuple[Tree, Optimiser]:
    """One Adam step (0.9, 0.999), the gradient clipped to norm 1, weights pulled to zero."""
    steps = optimiser.steps + 1
    rate = rate * jnp.minimum(1.0, steps / 200.0)  # a short warm-up
    change, state = _ADAM.update(grads, optimiser.state, params)
    moved = jax.tree.map(lambda p, c: p - rate * (c + decay * p), params, change)
    return moved, Optimiser(state, steps)


def cosine(progress: Array, high: float, low: float) -> Array:
    """A step size that falls from `high` to `low` as `progress` goes from 0 to 1."""
    return low + (high - low) * 0.5 * (1.0 + jnp.cos(jnp.pi * jnp.clip(progress, 0.0, 1.0)))


def blend(average: Tree, params: Tree, steps: Array) -> Tree:
    """Running average of weights over about the last thousand steps."""
    keep = jnp.minimum(0.999, 1.0 - 1.0 / (steps + 1.0))
    return jax.tree.map(lambda a, p: keep * a + (1.0 - keep) * p, average, params)


def to_numpy(params: Params) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Layers as numpy arrays, for `uncontested.NetModel`."""
    return tuple((np.asarray(w, np.float32), np.asarray(b, np.float32)) for w, b in params)
