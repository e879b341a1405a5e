"""Recipe: a small policy learns to call as larger ones do, from their probabilities.

At every position of auctions on random deals the pupil is told how likely each call is for its
teachers, which says far more than one result does. Calls at the table are made by both, so that the
pupil also learns what to do where its own calls lead; at some tables a guest plays one side. Who
reads auctions asks about hands that would never have bid like that: with `strangers` the pupil is
shown such hands, too.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables
from overtrick.nets import features
from overtrick_lab.training import data, match, network, state
from overtrick_lab.training.belief import LONGEST, AtTables, Watch, Watched, is_guest, seat_anew
from overtrick_lab.training.learner import Learner, LearningPace, apply, new_learner, over_time
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.rollout import Form
from overtrick_lab.training.settings import DistilSettings, numbered, plain

LOGGER = logging.getLogger(__name__)
Measured = dict[str, Any]


class School(NamedTuple):
    """The networks that do not change."""

    teachers: tuple[Params, ...]
    guest: Params


class TaughtPositions(NamedTuple):
    """A position: what the pupil sees, which calls are legal, what the teachers would call."""

    observation: Array
    legal: Array
    taught: Array  # log-probabilities


class Classroom(NamedTuple):
    """What is fixed: how tables are seated, how each teacher is run, the pupil's share of calls."""

    watch: Watch
    forms: tuple[Form, ...]
    mix: float


def lesson(school: School, tables: AuctionTables, room: Classroom) -> TaughtPositions:
    """What there is to learn at these tables."""
    legal = simulator.legal(tables)

    def chances(params: Params, form: Form) -> Array:
        observation = simulator.observe(tables, form.systems)
        return jax.nn.softmax(network.logits(params, observation, legal, form.activation))

    said = [chances(*each) for each in zip(school.teachers, room.forms, strict=True)]
    mean = jnp.stack(said).mean(axis=0)
    taught = jnp.where(legal, jnp.log(jnp.maximum(mean, 1e-30)), network.ILLEGAL)
    return TaughtPositions(simulator.observe(tables, room.watch.form.systems), legal, taught)


def with_strangers(school: School, tables: AuctionTables, room: Classroom) -> TaughtPositions:
    """The same auctions, each with the hands of the next table's deal."""
    deals = tables.deals._replace(owner=jnp.roll(tables.deals.owner, 1, axis=0))
    return lesson(school, tables._replace(deals=deals), room)


def distance(pupil: Params, shown: TaughtPositions, activation: str) -> tuple[Array, Array]:
    """[n]: KL(teachers || pupil), and the pupil's scores."""
    scores = network.logits(pupil, shown.observation, shown.legal, activation)
    gap = shown.taught - jax.nn.log_softmax(scores)
    return jnp.where(shown.legal, jnp.exp(shown.taught) * gap, 0.0).sum(axis=1), scores


def next_calls(
    scores: Array,
    shown: TaughtPositions,
    guest: Params,
    watched: Watched,
    key: Array,
    room: Classroom,
) -> Array:
    """The pupil's or the teachers' best call, or one drawn; the guest's where it is their turn."""
    front = room.watch.guest_tables
    whose_key, draw_key, coin_key = jax.random.split(key, 3)
    count = scores.shape[:1]
    pupils = jax.random.bernoulli(whose_key, room.mix, count)
    asked = jnp.where(pupils[:, None], scores, shown.taught)
    coin = jax.random.bernoulli(coin_key, room.watch.settings.explore, count)
    call = jnp.where(coin, jax.random.categorical(draw_key, asked), asked.argmax(axis=1))
    if front:
        visited = jax.tree.map(lambda rows: rows[:front], watched.tables)
        theirs = match.greedy(guest, visited, *room.watch.guest_form)
        call = call.at[:front].set(jnp.where(is_guest(watched)[:front], theirs, call[:front]))
    return call


def make_chunk(
    room: Classroom, settings: DistilSettings
) -> Callable[
    [Learner, School, Watched, Array, Array], tuple[Learner, Watched, Array]
]:  # fmt: skip
    """`settings.calls` times: the pupil learns from the position at every table, then a call."""

    def loss(
        params: Params, shown: TaughtPositions, strange: TaughtPositions | None, weight: Array
    ) -> tuple[Array, Array]:
        costs, scores = distance(params, shown, room.watch.form.activation)
        if strange is not None:
            others, _ = distance(params, strange, room.watch.form.activation)
            costs += settings.strangers * others
        return (costs * weight).sum() / weight.sum(), scores

    @jax.jit
    def chunk(
        learner: Learner, school: School, watched: Watched, key: Array, rate: Array
    ) -> tuple[Learner, Watched, Array]:
        def step(
            carry: tuple[Learner, Watched], key: Array
        ) -> tuple[tuple[Learner, Watched], Array]:
            learner, watched = carry
            call_key, seat_key = jax.random.split(key)
            shown = lesson(school, watched.tables, room)
            ours = 1.0 - is_guest(watched)
            strange = with_strangers(school, watched.tables, room) if settings.strangers else None
            (cost, scores), slope = jax.value_and_grad(loss, has_aux=True)(
                learner.params, shown, strange, ours
            )
            learner = apply(learner, slope, rate, average=settings.average)
            call = next_calls(scores, shown, school.guest, watched, call_key, room)
            after = watched._replace(tables=simulator.step(watched.tables, call))
            fresh = seat_anew(seat_key, settings.tables, room.watch)
            return (learner, simulator.choose(after.tables.done, fresh, after)), cost

        keys = jax.random.split(key, settings.calls)
        (learner, watched), costs = jax.lax.scan(step, (learner, watched), keys)
        return learner, watched, costs.mean()

    return chunk


def make_measure(
    room: Classroom, settings: DistilSettings
) -> Callable[[Params, School, Array], Array]:
    """Sums over the pupil's own best auctions: KL, KL of strangers, same calls, positions."""

    @jax.jit
    def measure(pupil: Params, school: School, key: Array) -> Array:
        def step(tables: AuctionTables, _: None) -> tuple[AuctionTables, Array]:
            shown = lesson(school, tables, room)
            costs, scores = distance(pupil, shown, room.watch.form.activation)
            call = scores.argmax(axis=1)
            same = call == shown.taught.argmax(axis=1)
            strange = with_strangers(school, tables, room)
            others = distance(pupil, strange, room.watch.form.activation)[0]
            found = jnp.stack([costs, others, same, jnp.ones_like(costs)])
            return simulator.step(tables, call), (found * ~tables.done).sum(axis=1)

        watched = seat_anew(key, settings.evaluate, room.watch)
        return jax.lax.scan(step, watched.tables, length=LONGEST)[1].sum(axis=0)

    return measure


def _pupil(settings: DistilSettings, teacher: NetworkCard) -> tuple[Params, NetworkCard]:
    if settings.pupil is not None:
        return network.load(settings.pupil, "policy")
    seen = features.feature_version(teacher.features).width
    key = jax.random.PRNGKey(settings.seed)
    made = network.init(key, seen, features.CALLS, settings.width, settings.layers)
    return made, NetworkCard("policy", teacher.features, made_by={"recipe": "nothing"})


class DistilRun(AtTables):
    """One training run: networks, tables, measurement and file."""

    settings: DistilSettings

    def __init__(self, settings: DistilSettings) -> None:
        self.settings = settings
        loaded = [network.load(path, "policy") for path in settings.teachers]
        if not loaded:
            raise data.DataError("distil wants at least one teacher")
        pupil, self._card = _pupil(settings, loaded[0][1])
        form = guest_form = Form(*match.network_form(self._card))
        guest, guest_tables = pupil, 0
        if settings.guest is not None:
            guest, guest_card = network.load(settings.guest, "policy")
            guest_form = Form(*match.network_form(guest_card))
            guest_tables = int(settings.foreign * settings.tables)
        self._school = School(tuple(params for params, _ in loaded), guest)
        played, visiting = numbered(settings.systems), numbered(settings.visiting)
        watch = Watch(settings, form, guest_form, guest_tables, played, visiting)
        forms = tuple(Form(*match.network_form(card)) for _, card in loaded)
        room = Classroom(watch, forms, settings.mix)
        self._chunk = make_chunk(room, settings)
        alone = room._replace(watch=watch._replace(guest_tables=0))
        self._measure = make_measure(alone, settings)
        self._first = pupil
        self._boards: simulator.Deals | None = None
        if settings.deals is not None:
            solved = data.read_solved(settings.deals)
            if len(solved) < settings.held_out:
                raise data.DataError(f"{settings.deals} has fewer deals than {settings.held_out}")
            self._boards = match.boards(solved[-settings.held_out :], settings.boards, seed=1)
        keys = jax.random.split(jax.random.PRNGKey(settings.seed))
        self._measure_key = keys[0]
        self.learner = new_learner(jax.tree.map(jnp.copy, pupil))
        self.watched = jax.jit(lambda key: seat_anew(key, settings.tables, watch))(keys[1])

    def step(self, key: Array, rate: Array) -> Array:
        """One call to the accelerator."""
        self.learner, self.watched, cost = self._chunk(
            self.learner, self._school, self.watched, key, rate
        )
        return cost

    def measure(self) -> Measured:
        """How far from the teachers, always in auctions on the same deals; and a match."""
        pupil = self.learner.average
        kl, strange, same, positions = self._measure(pupil, self._school, self._measure_key)
        found: Measured = {
            "kl": round(float(kl / positions), 5),
            "strangers_kl": round(float(strange / positions), 5),
            "same_call": round(float(same / positions), 5),
            "positions": int(positions),
        }
        if self._boards is not None:
            first, deals = (self._first, self._card), self.settings.held_out
            result = match.duel((pupil, self._card), first, self._boards, deals)
            found |= {"over_start": round(result.mean, 4), "error": round(result.error, 4)}
        return found

    def save(self, measured: Measured) -> None:
        """The pupil as it is on average, with its card."""
        made_by = {
            "recipe": "distil",
            "settings": plain(self.settings),
            "measured": measured,
            "from": self._card.made_by,
        }
        network.save(self.settings.out, self.learner.average, replace(self._card, made_by=made_by))


def training(settings: DistilSettings) -> Iterator[tuple[float, Measured]]:
    """The whole recipe, measurement included; yields progress and what has been measured."""
    began = time.monotonic()
    run = DistilRun(settings)
    run.measure()  # compiled now, so that the last one is quick
    pace = LearningPace(
        settings.minutes, settings.learning_rate, settings.calls, settings.seed + 1,
        settings.steps, reports=8, save_seconds=settings.save_seconds,
    )  # fmt: skip
    for progress in over_time(run.step, pace, "distil", began, run.place(), run.keep):
        measured = run.measure()
        run.save(measured)
        yield progress, measured
    state.beside(settings.out).unlink(missing_ok=True)


def run(settings: DistilSettings) -> Measured:
    """Train to the end; returns the measurements."""
    measured: Measured = {}
    for progress, found in training(settings):
        measured = found
        LOGGER.info("distil %3.0f %%: %s", 100 * progress, json.dumps(found))
    return measured
