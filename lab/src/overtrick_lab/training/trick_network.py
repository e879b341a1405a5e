"""The tricks network: four hands in, a distribution of tricks for every strain and declarer out.
Its file is an npz as in network.py.

Suits are treated alike by construction, so the 24 suit orders of a deal are one and the same to it.
A strain is a trump suit beside the other suits, and no-trumps is a trump suit without cards:

    suit      52 bits (who holds which rank) → h, one hidden block           5 suits, one is empty
    pairs     Σ over side suits of act(h_trump U + h_side V)                 trump meets each suit
    strain    [h_trump, pairs] → hidden blocks → 4 declarers × 14            5 strains
"""

from __future__ import annotations

from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick_lab.training.network import ACTIVATIONS, Params
from overtrick_lab.training.onnx_graph import FIXED_LAYERS, SIDE

STRAINS: Final = 5
OUTPUTS: Final = 4 * 14


def init(key: Array, suit_width: int, strain_width: int, blocks: int) -> Params:
    """Random weights (He), a nearly silent head."""
    sizes = [
        (52, suit_width),
        (suit_width, suit_width),
        (suit_width, suit_width),
        (suit_width, suit_width),
        (2 * suit_width, strain_width),
        *[(strain_width, strain_width)] * blocks,
        (strain_width, OUTPUTS),
    ]
    params = []
    for place, (size, layer_key) in enumerate(
        zip(sizes, jax.random.split(key, len(sizes)), strict=True)
    ):
        scale = np.sqrt(2 / size[0]) if place < len(sizes) - 1 else 0.01
        params.append((scale * jax.random.normal(layer_key, size), jnp.zeros(size[1])))
    return tuple(params)


def hands_of(owner: Array) -> Array:
    """[n, 52] owners to the network's input, [n, 208] bits: N, E, S, W in observation order."""
    return (owner[:, None, :] == jnp.arange(4)[:, None]).reshape(-1, 208)


def draw(params: Params, owner: Array, key: Array) -> Array:
    """Tricks [n, strain, declarer] drawn from what the network expects, so right on average.

    The two declarers of a side share one draw a strain: they nearly always take the same tricks.
    """
    chances = jax.nn.softmax(forward(params, hands_of(owner)))
    below = jnp.cumsum(chances, axis=3)
    coin = jnp.tile(jax.random.uniform(key, (owner.shape[0], STRAINS, 2, 1)), (1, 1, 2, 1))
    return jnp.minimum((below < coin).sum(axis=3), 13).astype(jnp.int8)


def forward(
    params: Params,
    hands: Array,
    activation: str = "relu",
    dropout: tuple[Array, float] | None = None,
) -> Array:
    """[n, 208] to logits [n, strain, declarer, 14]; `dropout` (key, share) only while training."""
    act = ACTIVATIONS[activation]
    half = jnp.bfloat16 if jax.default_backend() != "cpu" else jnp.float32
    keys = iter(jax.random.split(dropout[0], len(params))) if dropout else None

    def dense(inputs: Array, place: int) -> Array:
        weight, bias = params[place]
        return inputs @ weight.astype(half) + bias.astype(half)

    def thinned(hidden: Array) -> Array:
        if keys is None or dropout is None:
            return hidden
        kept = jax.random.bernoulli(next(keys), 1 - dropout[1], hidden.shape)
        return jnp.where(kept, hidden / (1 - dropout[1]), 0).astype(half)

    count = hands.shape[0]
    suits = hands.reshape(count, 4, 13, 4).transpose(0, 3, 1, 2).reshape(count, 4, 52)
    suits = jnp.concatenate([suits, jnp.zeros_like(suits[:, :1])], axis=1).astype(half)
    suit = act(dense(suits, 0))
    suit = thinned(suit + act(dense(suit, 1)))
    trump, side = dense(suit, 2), dense(suit[:, :4], 3)
    meet = act(trump[:, :, None] + side[:, None]) * jnp.asarray(SIDE, half)[..., None]
    strain = act(dense(thinned(jnp.concatenate([suit, meet.sum(axis=2)], axis=2)), 4))
    for place in range(FIXED_LAYERS - 1, len(params) - 1):
        strain = strain + act(dense(thinned(strain), place))
    weight, bias = params[-1]
    scores = thinned(strain).astype(jnp.float32) @ weight.astype(jnp.float32) + bias
    return scores.reshape(count, STRAINS, 4, 14)
