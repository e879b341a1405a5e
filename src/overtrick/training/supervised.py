"""Recipe: learn the calls of given auctions, one network for all declared systems.
Used by `overtrick train supervised`, the campaign, and to fine-tune; see docs/training.md.

The whole set lies on the accelerator as deals and calls; each batch's observations are made there,
one scatter per batch, from the bit that every call switches on (nets.features.history_slots).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from overtrick.nets import features
from overtrick.training import data, network
from overtrick.training.network import Card, Params
from overtrick.training.settings import SupervisedSettings, plain

LOGGER = logging.getLogger(__name__)
CHUNK = 500
"""Gradient steps per call to the accelerator."""


class Positions(NamedTuple):
    """Every decision of a set of auctions, as (deal, turn) into arrays of deals."""

    owner: Array
    dealer: Array
    vul: Array
    systems: Array
    slots: Array
    calls: Array
    deal: Array
    turn: Array

    @property
    def total(self) -> int:
        return int(self.deal.shape[0])


def positions(auctions: data.Auctions) -> Positions:
    """All decisions of the auctions, on the accelerator."""
    slots = features.history_slots(auctions.calls, auctions.dealer.astype(np.int64))
    deal, turn = np.nonzero(auctions.calls >= 0)
    return Positions(
        owner=jnp.asarray(auctions.owner),
        dealer=jnp.asarray(auctions.dealer),
        vul=jnp.asarray(auctions.vul),
        systems=jnp.asarray(auctions.systems),
        slots=jnp.asarray(slots),
        calls=jnp.asarray(auctions.calls),
        deal=jnp.asarray(deal, jnp.int32),
        turn=jnp.asarray(turn, jnp.int8),
    )


def look_up(these: Positions, index: Array, systems: bool) -> tuple[Array, Array]:
    """Observations [n, 480 or 490] and the calls that were made."""
    deal, turn = these.deal[index], these.turn[index].astype(jnp.int32)
    seat = (these.dealer[deal] + turn) % 4
    slots = these.slots[deal].astype(jnp.int32)
    happened = (slots >= 0) & (jnp.arange(slots.shape[1]) < turn[:, None])
    seen = jnp.where(happened, (slots & ~3) | ((slots - seat[:, None]) & 3), features.HAND_START)
    bits = jnp.zeros((len(index), features.HAND_START + 1), bool)
    bits = bits.at[jnp.arange(len(index))[:, None], seen].set(True)
    sides = jnp.stack([seat % 2, 1 - seat % 2], axis=1)
    vul = jnp.stack([these.vul[deal] & 1, these.vul[deal] >> 1], axis=1)
    vulnerable = jnp.take_along_axis(vul, sides, axis=1)
    vul_bits = (vulnerable[:, :, None] == jnp.arange(2)).reshape(-1, 4)
    hand = these.owner[deal] == seat[:, None]
    parts = [vul_bits, bits[:, 4 : features.HAND_START], hand]
    if systems:
        told = jnp.take_along_axis(these.systems[deal], sides, axis=1)
        flags = told[:, :, None] == jnp.arange(len(features.SYSTEMS))
        parts.append(flags.reshape(-1, features.SYSTEMS_WIDTH))
    return jnp.concatenate(parts, axis=1), these.calls[deal, turn].astype(jnp.int32)


def legal_calls(observation: Array) -> Array:
    """nets.features.legal_calls on the accelerator."""
    rows = jnp.arange(observation.shape[0])
    bits = observation[:, features.HISTORY_START : features.HAND_START]
    history = bits.reshape(-1, features.BIDS, 3, 4) > 0
    made = history[:, :, 0].any(axis=2)
    last = jnp.where(made.any(axis=1), features.BIDS - 1 - made[:, ::-1].argmax(axis=1), -1)
    on_last = history[rows, last]
    theirs = on_last[:, 0].argmax(axis=1) % 2 == 1
    doubled, redoubled = on_last[:, 1].any(axis=1), on_last[:, 2].any(axis=1)
    double = (last >= 0) & theirs & ~doubled
    redouble = (last >= 0) & ~theirs & doubled & ~redoubled
    first = jnp.stack([jnp.ones_like(double), double, redouble], axis=1)
    return jnp.concatenate([first, jnp.arange(features.BIDS) > last[:, None]], axis=1)


def accuracy(
    params: Params, these: Positions, card: Card, batch: int = 65_536
) -> tuple[float, float]:
    """Share of calls that the network would make, and its mean cross-entropy."""
    systems = features.feature_version(card.features).systems

    @jax.jit
    def measure(params: Params, these: Positions, index: Array) -> tuple[Array, Array]:
        counts = index < these.deal.shape[0]
        observation, call = look_up(these, jnp.minimum(index, these.deal.shape[0] - 1), systems)
        scores = network.logits(params, observation, legal_calls(observation), card.activation)
        loss = optax.softmax_cross_entropy_with_integer_labels(scores, call)
        return ((scores.argmax(axis=1) == call) & counts).sum(), (loss * counts).sum()

    right, loss, batch = 0.0, 0.0, min(batch, these.total)
    for begin in range(0, these.total, batch):
        hits, cost = measure(params, these, begin + jnp.arange(batch))
        right, loss = right + float(hits), loss + float(cost)
    return right / these.total, loss / these.total


def _train_chunk(
    settings: SupervisedSettings, optimizer: optax.GradientTransformation
) -> Callable[[Params, optax.OptState, Positions, Array], tuple[Params, optax.OptState, Array]]:
    # The positions are an argument, never a closure: a captured array would be compiled in.
    def loss(params: Params, these: Positions, key: Array) -> Array:
        index_key, told_key = jax.random.split(key)
        index = jax.random.randint(index_key, (settings.batch,), 0, these.deal.shape[0])
        observation, call = look_up(these, index, settings.systems)
        if settings.systems:
            told = jax.random.bernoulli(told_key, 1 - settings.untold, (settings.batch, 1))
            suffix = jnp.arange(observation.shape[1]) >= features.PLAIN_WIDTH
            observation = observation & (told | ~suffix)
        scores = network.logits(params, observation, legal_calls(observation), settings.activation)
        cost: Array = optax.softmax_cross_entropy_with_integer_labels(scores, call).mean()
        return cost

    @jax.jit
    def chunk(
        params: Params, state: optax.OptState, these: Positions, keys: Array
    ) -> tuple[Params, optax.OptState, Array]:
        def one_step(
            carry: tuple[Params, optax.OptState], key: Array
        ) -> tuple[tuple[Params, optax.OptState], Array]:
            params, state = carry
            cost, slope = jax.value_and_grad(loss)(params, these, key)
            change, state = optimizer.update(slope, state, params)
            return (optax.apply_updates(params, change), state), cost

        (params, state), costs = jax.lax.scan(one_step, (params, state), keys)
        return params, state, costs.mean()

    return chunk


def split(auctions: data.Auctions, held_out: int) -> tuple[data.Auctions, data.Auctions]:
    """Training deals and the last `held_out` ones."""
    if len(auctions) <= held_out:
        raise data.DataError(f"{len(auctions)} auctions leave none to train on after {held_out}")
    return auctions[: len(auctions) - held_out], auctions[len(auctions) - held_out :]


def read_sets(settings: SupervisedSettings) -> tuple[data.Auctions, dict[str, data.Auctions]]:
    """The training auctions of all files together, and the held-out ones by file name."""
    train, test = [], {}
    if settings.teacher and not settings.auctions.exists():
        from overtrick.training.teachers import taught

        lessons = taught(settings.teacher, settings.lessons, settings.seed, settings.workers)
        data.write_auctions(settings.auctions, lessons)
    for path in filter(None, (settings.auctions, settings.more_auctions)):
        kept, test[path.stem] = split(data.read_auctions(path), settings.held_out)
        train.append(kept)
    return data.join_auctions(train), test


def run(settings: SupervisedSettings) -> dict[str, float]:
    """Train, save, and return the test accuracy of each file."""
    if settings.steps < 1 or settings.held_out < 1:
        raise data.DataError("at least one step is learned, and at least one auction held out")
    train, test = read_sets(settings)
    results: dict[str, float] = {}
    for _progress, params, card in training(settings, train):
        network.save(settings.out, params, card)
    for name, auctions in test.items():
        results[name], loss = accuracy(params, positions(auctions), card)
        LOGGER.info("test %s: accuracy %.4f, loss %.4f", name, results[name], loss)
    made_by = {**card.made_by, "test_accuracy": results}
    network.save(settings.out, params, Card(card.kind, card.features, card.activation, made_by))
    return results


def training(
    settings: SupervisedSettings, train: data.Auctions
) -> Iterator[tuple[float, Params, Card]]:
    """Train on the auctions; yields progress 0..1, the parameters so far and their card."""
    version = "auction-1+systems-1" if settings.systems else "auction-1"
    inputs = features.feature_version(version).width
    key = jax.random.PRNGKey(settings.seed)
    if settings.resume is not None:
        params, _old = network.load(settings.resume, "policy")
        params = network.widen(params, inputs)
    else:
        params = network.init(key, inputs, features.CALLS, settings.width)
    these = positions(train)
    schedule = optax.cosine_decay_schedule(settings.learning_rate, settings.steps, 0.01)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))
    state, chunk = optimizer.init(params), _train_chunk(settings, optimizer)
    made_by = {"recipe": "supervised", "settings": plain(settings)}
    card = Card("policy", version, settings.activation, made_by)
    began, done, report = time.monotonic(), 0, 0
    while done < settings.steps:
        key, chunk_key = jax.random.split(key)
        steps = min(CHUNK, settings.steps - done)
        params, state, cost = chunk(params, state, these, jax.random.split(chunk_key, steps))
        done += steps
        if done >= report or done == settings.steps:
            seconds = time.monotonic() - began
            LOGGER.info("supervised: step %d, loss %.4f, %.0f s", done, float(cost), seconds)
            report = done + settings.steps // 8
            yield done / settings.steps, params, card
