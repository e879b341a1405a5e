"""Small residual networks and Adam with a falling step, in JAX.
Used by the penetrative, spectator and relay learners; playing needs only numpy (`nets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

Params = list[tuple[Array, Array]]
Tree = Any


class Adam(NamedTuple):
    """First and second moments and the number of steps taken."""

    mean: Tree
    square: Tree
    steps: Array


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


def adam(params: Tree) -> Adam:
    """A fresh optimiser state."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Adam(zeros, zeros, jnp.zeros((), jnp.int32))


def update(
    grads: Tree, state: Adam, params: Tree, rate: Array | float, decay: float = 0.0
) -> tuple[Tree, Adam]:
    """One Adam step (0.9, 0.999), the gradient clipped to norm 1, weights pulled to zero."""
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (norm + 1e-9)), grads)
    steps = state.steps + 1
    rate = rate * jnp.minimum(1.0, steps / 200.0)  # a short warm-up
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.mean, grads)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, state.square, grads)
    fix1, fix2 = 1.0 - 0.9**steps, 1.0 - 0.999**steps

    def move(p: Array, m: Array, s: Array) -> Array:
        return p - rate * ((m / fix1) / (jnp.sqrt(s / fix2) + 1e-8) + decay * p)

    return jax.tree.map(move, params, mean, square), Adam(mean, square, steps)


def cosine(progress: Array, high: float, low: float) -> Array:
    """A step size that falls from `high` to `low` as `progress` goes from 0 to 1."""
    return low + (high - low) * 0.5 * (1.0 + jnp.cos(jnp.pi * jnp.clip(progress, 0.0, 1.0)))


def blend(average: Tree, params: Tree, steps: Array) -> Tree:
    """Running average of weights over about the last thousand steps."""
    keep = jnp.minimum(0.999, 1.0 - 1.0 / (steps + 1.0))
    return jax.tree.map(lambda a, p: keep * a + (1.0 - keep) * p, average, params)


def to_numpy(params: Params) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Layers as numpy arrays, for `nets.uncontested.NetModel`."""
    return tuple((np.asarray(w, np.float32), np.asarray(b, np.float32)) for w, b in params)
