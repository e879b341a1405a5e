"""The uncontested bidding game in JAX: batches of deals, cost vectors, what a bidder sees."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick_lab.training.uncontested.costs import CONTRACTS, IMP_EDGES, score_table
from overtrick_lab.training.uncontested.deals import Pairs, TabledDeals, suit_orders

HAND_SIZE = 57  # 52 cards, points, four lengths
SEEN_SIZE = HAND_SIZE + CONTRACTS + 1  # the calls made and whose turn it is


class Shoe(NamedTuple):
    """Solved deals on the accelerator: hands `[n, 4, 52]` and tricks `[n, 5, 4]`."""

    hands: Array
    tricks: Array


class PairBatch(NamedTuple):
    """Pairs to bid: hands `[n, 2, HAND_SIZE]`, opener first, and the costs `[n, 36]`."""

    hands: Array
    costs: Array


def shoe(solved: TabledDeals) -> Shoe:
    """Put solved deals on the accelerator."""
    return Shoe(jnp.asarray(solved.hands), jnp.asarray(solved.tricks))


def describe(cards: Array) -> Array:
    """Network input of hands `[..., 52]`: the cards, points and lengths."""
    suits = cards.reshape(*cards.shape[:-1], 4, 13)
    lengths = suits.sum(-1)
    honours = jnp.asarray(np.arange(13) - 8.0).clip(0.0)
    points = (suits * honours).sum((-1, -2))
    parts = (cards, (points[..., None] - 10.0) / 5.0, (lengths - 3.25) / 1.5)
    return jnp.concatenate([p.astype(jnp.float32) for p in parts], axis=-1)


def fixed(pairs: Pairs) -> PairBatch:
    """A batch of given pairs, for evaluation."""
    hands = jnp.stack([jnp.asarray(pairs.opener), jnp.asarray(pairs.responder)], axis=1)
    return PairBatch(describe(hands), jnp.asarray(pairs.costs, jnp.float32))


def costs_of(tricks: Array) -> Array:
    """Cost vectors `[n, 36]` from tricks by strain `[n, 5]` (`costs.cost_vectors` in JAX)."""
    contracts = np.arange(CONTRACTS)
    scores = jnp.asarray(score_table())[contracts, tricks[:, (contracts - 1) % 5]]
    short = scores.max(axis=1, keepdims=True) - scores
    edges = jnp.asarray(IMP_EDGES)
    return jnp.searchsorted(edges, short, side="right", method="compare_all").astype(jnp.float32)


def draw(key: Array, source: Shoe, size: int) -> tuple[Array, Array]:
    """Random partnerships with random suits: cards `[n, 2, 52]` and best tricks `[n, 5]`."""
    keys = jax.random.split(key, 3)
    index = jax.random.randint(keys[0], (size,), 0, len(source.hands))
    seat = jax.random.randint(keys[1], (size,), 0, 4)
    orders = jnp.asarray(suit_orders())
    order = orders[jax.random.randint(keys[2], (size,), 0, 24)]
    both = jnp.stack([seat, (seat + 2) % 4], axis=1)
    cards = source.hands[index[:, None], both].reshape(size, 2, 4, 13)
    cards = jnp.take_along_axis(cards, order[:, None, :, None], axis=2).reshape(size, 2, 52)
    tricks = source.tricks[index]
    tricks = jnp.take_along_axis(tricks, both[:, None, :], axis=2).max(axis=2)
    strains = jnp.concatenate([order, jnp.full((size, 1), 4, order.dtype)], axis=1)
    return cards, jnp.take_along_axis(tricks, strains, axis=1)


def solved_batch(key: Array, source: Shoe, size: int) -> PairBatch:
    """Training pairs with their exact double-dummy costs."""
    cards, tricks = draw(key, source, size)
    return PairBatch(describe(cards), costs_of(tricks))


def random_cards(key: Array, size: int) -> Array:
    """Two hands of uniformly random deals `[n, 2, 52]`."""
    order = jnp.argsort(jax.random.uniform(key, (size, 52)), axis=1)
    rank = jnp.argsort(order, axis=1)
    return jnp.stack([rank < 13, (rank >= 13) & (rank < 26)], axis=1).astype(jnp.uint8)


def seen(hand: Array, calls: Array, turn: int | Array) -> Array:
    """What the bidder of a turn sees: the own hand, the calls made `[n, 36]`, the role."""
    role = jnp.full((len(hand), 1), turn % 2, jnp.float32)
    return jnp.concatenate([hand, calls.astype(jnp.float32), role], axis=1)


def legal(last: Array, turn: int) -> Array:
    """Calls allowed `[n, 36]` after the last bid (-1 at the start): Pass or anything higher."""
    calls = jnp.arange(CONTRACTS)
    allowed = calls[None, :] > last[:, None]
    return allowed.at[:, 0].set(True) if turn else jnp.ones_like(allowed)
