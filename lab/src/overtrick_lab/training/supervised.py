"""Recipe: learn the calls of given auctions, one network for all declared systems.
See docs/training.md for commands and runs.

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
from numpy.typing import NDArray

from overtrick.nets import features
from overtrick_lab.training import data, network, state
from overtrick_lab.training import lessons as lesson_files
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.settings import SupervisedSettings, plain

LOGGER = logging.getLogger(__name__)
CHUNK = 500
"""Gradient steps per call to the accelerator, at most …"""
TIMED_CHUNK = 50
"""… and so many where the time decides."""
Chunk = Callable[
    [Params, optax.OptState, "Positions", Array, Array], tuple[Params, optax.OptState, Array]
]


class Positions(NamedTuple):
    """Every decision of a set of auctions, as (deal, turn) into arrays of deals."""

    owner: Array
    dealer: Array
    vul: Array
    systems: Array
    slots: Array
    calls: Array
    allowed: Array | None  # of lessons: what the system allows, in two words of 32 bits
    deal: Array
    turn: Array

    @property
    def total(self) -> int:
        return int(self.deal.shape[0])


class Wanted(NamedTuple):
    """What a position should teach: a call, and with lessons all calls that are allowed."""

    call: Array
    allowed: Array | None


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
        allowed=None,
        deal=jnp.asarray(deal, jnp.int32),
        turn=jnp.asarray(turn, jnp.int8),
    )


def look_up(these: Positions, index: Array, systems: int) -> tuple[Array, Wanted]:
    """Observations with so many systems a side, and what they should teach."""
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
        flags = told[:, :, None] == jnp.arange(systems)
        parts.append(flags.reshape(-1, 2 * systems))
    call = these.calls[deal, turn].astype(jnp.int32)
    allowed = None
    if these.allowed is not None:
        each = jnp.arange(features.CALLS)
        words = these.allowed[deal, turn][:, each // 32]
        allowed = (words >> (each % 32).astype(jnp.uint32)) & 1 > 0
    return jnp.concatenate(parts, axis=1), Wanted(call, allowed)


def cost_of(scores: Array, legal: Array, wanted: Wanted, kind: str, choice: float) -> Array:
    """Cross-entropy of each position: of its call, or of the set of calls the system allows.

    `choice` is a share of the call's probability to be spread over all that is allowed, so that
    a pupil who goes on by itself knows what else it might try.
    """
    if wanted.allowed is None:
        cost: Array = optax.softmax_cross_entropy_with_integer_labels(scores, wanted.call)
        return cost
    if kind == "policy":
        even = wanted.allowed / wanted.allowed.sum(axis=1, keepdims=True)
        goal = (1 - choice) * jax.nn.one_hot(wanted.call, features.CALLS) + choice * even
        cost = optax.softmax_cross_entropy(scores, goal)
        return cost
    each = optax.sigmoid_binary_cross_entropy(jnp.where(legal, scores, 0.0), wanted.allowed)
    return jnp.where(legal, each, 0.0).sum(axis=1)


def right(scores: Array, legal: Array, wanted: Wanted, kind: str) -> Array:
    """Where the network has the call, or the whole set, right."""
    if kind == "policy" or wanted.allowed is None:
        return scores.argmax(axis=1) == wanted.call
    return (((scores >= 0) & legal) == wanted.allowed).all(axis=1)


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
    params: Params, these: Positions, card: NetworkCard, batch: int = 65_536
) -> tuple[float, float]:
    """Share of calls that the network would make, and its mean cross-entropy."""
    systems = features.feature_version(card.features).systems

    @jax.jit
    def measure(params: Params, these: Positions, index: Array) -> tuple[Array, Array]:
        counts = index < these.deal.shape[0]
        observation, wanted = look_up(these, jnp.minimum(index, these.deal.shape[0] - 1), systems)
        legal = legal_calls(observation)
        scores = network.logits(params, observation, legal, card.activation)
        hits = right(scores, legal, wanted, card.kind)
        loss = cost_of(scores, legal, wanted, card.kind, 0.0)
        return (hits & counts).sum(), (loss * counts).sum()

    hits, loss, batch = 0.0, 0.0, min(batch, these.total)
    for begin in range(0, these.total, batch):
        more, cost = measure(params, these, begin + jnp.arange(batch))
        hits, loss = hits + float(more), loss + float(cost)
    return hits / these.total, loss / these.total


def optimizer() -> optax.GradientTransformation:
    """Adam without its rate, which each step brings along."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam())


def _train_chunk(settings: SupervisedSettings) -> Chunk:
    # The positions are an argument, never a closure: a captured array would be compiled in.
    def loss(params: Params, these: Positions, key: Array) -> Array:
        index_key, told_key = jax.random.split(key)
        index = jax.random.randint(index_key, (settings.batch,), 0, these.deal.shape[0])
        observation, wanted = look_up(these, index, version_of(settings).systems)
        if settings.systems:
            told = jax.random.bernoulli(told_key, 1 - settings.untold, (settings.batch, 1))
            suffix = jnp.arange(observation.shape[1]) >= features.PLAIN_WIDTH
            observation = observation & (told | ~suffix)
        legal = legal_calls(observation)
        scores = network.logits(params, observation, legal, settings.activation)
        kind = kind_of(settings)
        return cost_of(scores, legal, wanted, kind, settings.choice).mean()

    @jax.jit
    def chunk(
        params: Params, state: optax.OptState, these: Positions, keys: Array, rates: Array
    ) -> tuple[Params, optax.OptState, Array]:
        def one_step(
            carry: tuple[Params, optax.OptState], step: tuple[Array, Array]
        ) -> tuple[tuple[Params, optax.OptState], Array]:
            (params, state), (key, rate) = carry, step
            cost, slope = jax.value_and_grad(loss)(params, these, key)
            change, state = optimizer().update(slope, state, params)
            return (jax.tree.map(lambda p, c: p - rate * c, params, change), state), cost

        (params, state), costs = jax.lax.scan(one_step, (params, state), (keys, rates))
        return params, state, costs.mean()

    return chunk


def split(auctions: data.Auctions, held_out: int) -> tuple[data.Auctions, data.Auctions]:
    """Training deals and the last `held_out` ones."""
    if len(auctions) <= held_out:
        raise data.DataError(f"{len(auctions)} auctions leave none to train on after {held_out}")
    return auctions[: len(auctions) - held_out], auctions[len(auctions) - held_out :]


def version_of(settings: SupervisedSettings) -> features.FeatureVersion:
    """The features it sees: with all systems that networks know, or with none."""
    return features.feature_version("auction-1+systems-2" if settings.systems else "auction-1")


def kind_of(settings: SupervisedSettings) -> str:
    """What kind of network this makes."""
    return "allowed" if settings.target == "allowed" else "policy"


def read_lessons(settings: SupervisedSettings) -> tuple[Positions, dict[str, Positions]]:
    """The same from one file of lessons: what the rules prescribe, or all they allow."""
    lessons = lesson_files.read(settings.auctions)
    cut = len(lessons) - settings.held_out
    if cut < 1:
        raise data.DataError(f"{len(lessons)} lessons leave none to learn after the held-out ones")

    def taught(part: lesson_files.Lessons) -> Positions:
        words = np.stack([part.allowed & np.uint64(0xFFFFFFFF), part.allowed >> np.uint64(32)], 2)
        allowed = jnp.asarray(words.astype(np.uint32))
        prescribed = jnp.asarray(part.prescribed)
        return positions(part.auctions)._replace(calls=prescribed, allowed=allowed)

    return taught(lessons[:cut]), {settings.auctions.stem: taught(lessons[cut:])}


def read_sets(settings: SupervisedSettings) -> tuple[Positions, dict[str, Positions]]:
    """The training positions of all files together, and the held-out ones by file name."""
    if settings.target in ("prescribed", "allowed"):
        return read_lessons(settings)
    if settings.target != "made":
        raise data.DataError(f"a network learns calls made, prescribed, allowed: {settings.target}")
    train, test = [], {}
    if settings.teacher and not settings.auctions.exists():
        from overtrick_lab.training.teachers import taught

        lessons = taught(settings.teacher, settings.lessons, settings.seed, settings.workers)
        data.write_auctions(settings.auctions, lessons)
    for path in filter(None, (settings.auctions, settings.more_auctions)):
        kept, last = split(data.read_auctions(path), settings.held_out)
        test[path.stem] = positions(last)
        train.append(kept)
    return positions(data.join_auctions(train)), test


def run(settings: SupervisedSettings) -> dict[str, float]:
    """Train, save, and return the test accuracy of each file."""
    if (settings.steps < 1 and not settings.minutes) or settings.held_out < 1:
        raise data.DataError("at least one step is learned, and at least one auction held out")
    return learn(settings, *read_sets(settings))


def learn(
    settings: SupervisedSettings, train: Positions, test: dict[str, Positions]
) -> dict[str, float]:
    """The same from positions that somebody has already."""
    results: dict[str, float] = {}
    for _progress, params, card in training(settings, train):
        network.save(settings.out, params, card)
    for name, these in test.items():
        results[name], loss = accuracy(params, these, card)
        LOGGER.info("test %s: accuracy %.4f, loss %.4f", name, results[name], loss)
    made_by = {**card.made_by, "test_accuracy": results}
    network.save(
        settings.out, params, NetworkCard(card.kind, card.features, card.activation, made_by)
    )
    state.beside(settings.out).unlink(missing_ok=True)
    return results


def training(
    settings: SupervisedSettings, these: Positions
) -> Iterator[tuple[float, Params, NetworkCard]]:
    """Train on the positions; yields progress 0..1, the parameters so far and their card.

    A run that was killed goes on from its state with the same random numbers.
    """
    version = version_of(settings)
    key = jax.random.PRNGKey(settings.seed)
    if settings.resume is not None:
        params, old = network.load(settings.resume, kind_of(settings))
        params = network.widen(params, features.feature_version(old.features), version)
    else:
        params = network.init(key, version.width, features.CALLS, settings.width)
    made_by = {"recipe": "supervised", "settings": plain(settings)}
    card = NetworkCard(kind_of(settings), version.name, settings.activation, made_by)
    opt_state, chunk = optimizer().init(params), _train_chunk(settings)
    done, progress = 0, 0.0
    kept = state.load(state.beside(settings.out), (params, opt_state, key), settings)
    if kept is not None:
        (params, opt_state, key), told = kept
        done, progress = told["done"], told["progress"]
        LOGGER.info("supervised: going on from step %d", done)
    size = _chunk_size(settings)
    saved, said = time.monotonic(), progress
    began = saved - 60 * settings.minutes * progress
    while progress < 1:
        key, chunk_key = jax.random.split(key)
        rates = _rates(settings, done + np.arange(size), progress)
        keys = jax.random.split(chunk_key, size)
        params, opt_state, cost = chunk(params, opt_state, these, keys, rates)
        done += size
        if settings.minutes:
            cost.block_until_ready()
        now = time.monotonic()
        by_time = (now - began) / (60 * settings.minutes) if settings.minutes else 0.0
        progress = min(1.0, by_time if settings.minutes else done / settings.steps)
        if now - saved >= settings.save_seconds and progress < 1:
            told = {"done": done, "progress": progress}
            state.save(state.beside(settings.out), (params, opt_state, key), told, settings)
            saved = time.monotonic()
        if progress >= said + 1 / 8 or progress == 1:
            told_steps = done if settings.minutes else min(done, settings.steps)
            LOGGER.info("supervised %3.0f %%: step %d, loss %.4f, %.0f s",
                        100 * progress, told_steps, float(cost), now - began)  # fmt: skip
            said = progress
            yield progress, params, card


def _chunk_size(settings: SupervisedSettings) -> int:
    """Gradient steps per call to the accelerator: an eighth of all, within bounds."""
    return TIMED_CHUNK if settings.minutes else min(CHUNK, -(-settings.steps // 8))


def _rates(settings: SupervisedSettings, steps: NDArray[np.int64], progress: float) -> Array:
    """The rate of each of these steps, down to a hundredth along a cosine; past the end it is 0."""
    done = np.full(len(steps), progress) if settings.minutes else steps / settings.steps
    fall = 0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * np.minimum(done, 1.0)))
    return jnp.asarray(np.where(done < 1, settings.learning_rate * fall, 0.0), jnp.float32)
