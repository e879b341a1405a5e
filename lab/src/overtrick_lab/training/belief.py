"""Recipe: where the unseen cards are, learned by watching a policy bid random deals (section V).
`bmcs` draws its worlds from the result.

At every call of every table the player on turn says who holds each card that is hidden. Two forms:

    players   one of LHO, partner, RHO for each card, balanced so that everybody holds 13
    cards     the paper's 156 separate sigmoids, one per card and player
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables
from overtrick.nets import features
from overtrick.nets.features import SAYC
from overtrick_lab.training import data, match, network, state
from overtrick_lab.training.learner import (
    Learner,
    LearningPace,
    LoopPlace,
    apply,
    new_learner,
    over_time,
)
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.predicting_settings import BeliefSettings
from overtrick_lab.training.rollout import NOBODY, Form
from overtrick_lab.training.settings import DistilSettings, PostMortemSettings, plain

LOGGER = logging.getLogger(__name__)
FORMS: Final = ("players", "cards")
OUTPUTS: Final = 52 * 3
BALANCE: Final = 3
"""Rounds of balancing; after three nobody's expected cards are far from 13."""
LONGEST: Final = 40
"""Calls of an auction that are measured."""
LEAST: Final = 1e-6
BOTH: Final = 3
"""The guest plays both sides."""
Measured = dict[str, Any]


class Watched(NamedTuple):
    """Tables in play, and the side that the guest plays there (or NOBODY, or BOTH)."""

    tables: AuctionTables
    guest: Array


class WatchedPlayers(NamedTuple):
    """The policy that is watched, and its guest."""

    policy: Params
    guest: Params
    within: Params | None = None  # the calls that a written system allows the policy
    also: Params | None = None  # another guest, at every second one of the guest's tables


class Seating(Protocol):
    """What settings say about who sits at the tables."""

    @property
    def explore(self) -> float: ...
    @property
    def both(self) -> float: ...
    @property
    def untold(self) -> float: ...


class Watch(NamedTuple):
    """What is fixed about watching: settings, how policy and guest are run, guests' tables."""

    settings: Seating
    form: Form
    guest_form: Form
    guest_tables: int
    played: tuple[int, ...] = (SAYC,)  # systems of the policy
    visiting: tuple[int, ...] = ()  # of the guest; all that it knows if none are named


def seat_anew(key: Array, count: int, watch: Watch) -> Watched:
    """A fresh deal at every table; at the first ones a guest plays, in any system."""
    settings, known = watch.settings, watch.guest_form.systems
    deal_key, side_key, systems_key, both_key = jax.random.split(key, 4)
    place = jnp.arange(count)
    visited, both = place < watch.guest_tables, place < int(settings.both * watch.guest_tables)
    guest = jnp.where(visited, jax.random.randint(side_key, (count,), 0, 2), NOBODY)
    deals = simulator.random_deals(deal_key, count)
    deals = simulator.with_systems(
        systems_key, deals, guest, visited, settings.untold, known, watch.played, watch.visiting
    )
    drawn = jax.random.randint(both_key, (count, 2), 0, max(known, 1)).astype(jnp.int8)
    deals = deals._replace(systems=jnp.where(both[:, None], drawn, deals.systems))
    return Watched(simulator.start(deals), jnp.where(both, BOTH, guest))


def is_guest(watched: Watched) -> Array:
    """[n]: is it a guest's turn?"""
    guest: Array = (watched.tables.turn % 2 == watched.guest) | (watched.guest == BOTH)
    return guest


def open_calls(players: WatchedPlayers, tables: AuctionTables, observation: Array) -> Array:
    """[n, 38]: what the policy chooses from: legal calls, or those its written system allows."""
    legal = simulator.legal(tables)
    if players.within is None:
        return legal
    return network.permitted(players.within, observation, legal)


def next_calls(
    players: WatchedPlayers, watched: Watched, observation: Array, key: Array, watch: Watch
) -> Array:
    """The policy's best call, or one drawn from it; the guest's best call where it is theirs."""
    tables, front = watched.tables, watch.guest_tables
    choice = open_calls(players, tables, observation)
    scores = network.logits(players.policy, observation, choice, watch.form.activation)
    draw_key, coin_key = jax.random.split(key)
    coin = jax.random.bernoulli(coin_key, watch.settings.explore, scores.shape[:1])
    call = jnp.where(coin, jax.random.categorical(draw_key, scores), scores.argmax(axis=1))
    if front:
        visited = jax.tree.map(lambda rows: rows[:front], tables)
        theirs = match.greedy(players.guest, visited, *watch.guest_form)
        if players.also is not None:
            odd = jax.tree.map(lambda rows: rows[1::2], visited)
            theirs = theirs.at[1::2].set(match.greedy(players.also, odd, *watch.guest_form))
        call = call.at[:front].set(jnp.where(is_guest(watched)[:front], theirs, call[:front]))
    return call


def holders(tables: AuctionTables) -> Array:
    """[n, 52]: who holds each card, from the player on turn: 0 LHO, 1 partner, 2 RHO, 3 they."""
    seats = tables.deals.owner.astype(jnp.int32) - tables.turn[:, None]
    holder: Array = (seats - 1) % 4
    return holder


def scores_of(params: Params, observation: Array, activation: str) -> Array:
    """[n, 52 cards, 3 players]."""
    return network.forward(params, observation, activation).reshape(-1, 52, 3)


def balanced(scores: Array, unseen: Array) -> Array:
    """Log-probabilities [n, 52, 3] whose sums over the unseen cards are about 13 per player."""
    for _ in range(BALANCE):
        counts = (jax.nn.softmax(scores) * unseen[..., None]).sum(axis=1)
        scores = scores - jnp.log(jnp.maximum(counts, LEAST) / 13)[:, None]
    return jax.nn.log_softmax(scores)


def beliefs(scores: Array, unseen: Array, form: str) -> Array:
    """Log P(player) of each card, [n, 52, 3], as a search uses it."""
    if form == "players":
        return balanced(scores, unseen)
    return jax.nn.log_softmax(jax.nn.log_sigmoid(scores))


def per_card_loss(log_beliefs: Array, holder: Array) -> Array:
    """[n]: -log P(who holds it), the mean of the 39 unseen cards; a flat belief has log 3."""
    unseen = holder < 3
    at = jnp.minimum(holder, 2)[..., None]
    true = jnp.take_along_axis(log_beliefs, at, axis=2)[..., 0]
    return -(true * unseen).sum(axis=1) / 39


def sigmoid_loss(chances: Array, holder: Array) -> Array:
    """[n]: the paper's loss, the mean cross-entropy of 156 yes-or-no questions."""
    true = holder[..., None] == jnp.arange(3)
    right = jnp.clip(jnp.where(true, chances, 1 - chances), LEAST, 1.0)
    return -jnp.log(right).mean(axis=(1, 2))


def learning_loss(scores: Array, holder: Array, form: str) -> Array:
    """[n]: what the form is trained with."""
    if form == "players":
        return per_card_loss(balanced(scores, holder < 3), holder)
    signs = jnp.where(holder[..., None] == jnp.arange(3), 1.0, -1.0)
    return -jax.nn.log_sigmoid(signs * scores).mean(axis=(1, 2))


def make_chunk(
    watch: Watch, settings: BeliefSettings
) -> Callable[
    [Learner, WatchedPlayers, Watched, Array, Array], tuple[Learner, Watched, Array]
]:  # fmt: skip
    """`settings.calls` times: everybody on turn learns from the position, then calls."""

    def loss(params: Params, observation: Array, holder: Array, weight: Array) -> Array:
        scores = scores_of(params, observation, settings.activation)
        costs = learning_loss(scores, holder, settings.form)
        return (costs * weight).sum() / weight.sum()

    @jax.jit
    def chunk(
        learner: Learner, players: WatchedPlayers, watched: Watched, key: Array, rate: Array
    ) -> tuple[Learner, Watched, Array]:
        def step(
            carry: tuple[Learner, Watched], key: Array
        ) -> tuple[tuple[Learner, Watched], Array]:
            learner, watched = carry
            call_key, seat_key = jax.random.split(key)
            tables = watched.tables
            observation = simulator.observe(tables, watch.form.systems)
            asked = jnp.ones(settings.tables) if settings.both else 1.0 - is_guest(watched)
            cost, slope = jax.value_and_grad(loss)(
                learner.params, observation, holders(tables), asked
            )
            learner = apply(learner, slope, rate, average=settings.average)
            call = next_calls(players, watched, observation, call_key, watch)
            after = watched._replace(tables=simulator.step(tables, call))
            fresh = seat_anew(seat_key, settings.tables, watch)
            return (learner, simulator.choose(after.tables.done, fresh, after)), cost

        keys = jax.random.split(key, settings.calls)
        (learner, watched), costs = jax.lax.scan(step, (learner, watched), keys)
        return learner, watched, costs.mean()

    return chunk


def figures(log_beliefs: Array, chances: Array, tables: AuctionTables) -> Array:
    """[n, 6]: both losses, then how far off expected points, lengths and cards of a hand are.

    The last one is how far off the expected points of a flat belief are.
    """
    holder = holders(tables)
    unseen = (holder < 3)[..., None]
    true = holder[..., None] == jnp.arange(3)
    said = jnp.exp(log_beliefs) * unseen
    value = jnp.asarray(np.maximum(np.arange(52) // 4 - 8, 0), jnp.float32)[:, None]

    def points_off(guess: Array) -> Array:
        return jnp.abs(((guess - true) * value).sum(axis=1)).mean(axis=1)

    lengths = (said - true).reshape(-1, 13, 4, 3).sum(axis=1)
    return jnp.stack(
        [
            per_card_loss(log_beliefs, holder),
            sigmoid_loss(chances, holder),
            points_off(said),
            jnp.abs(lengths).mean(axis=(1, 2)),
            jnp.abs(said.sum(axis=1) - 13).mean(axis=1),
            points_off(unseen / 3),
        ],
        axis=1,
    )


FIGURES: Final = (
    "loss", "sigmoid_loss", "points_error", "length_error", "count_error", "uniform_points_error",
)  # fmt: skip


def make_measure(
    watch: Watch, settings: BeliefSettings
) -> Callable[[Params, WatchedPlayers, Array], tuple[Array, Array]]:
    """Sums of the figures and the number of positions, by calls made so far."""

    @jax.jit
    def measure(params: Params, players: WatchedPlayers, key: Array) -> tuple[Array, Array]:
        def step(watched: Watched, key: Array) -> tuple[Watched, tuple[Array, Array]]:
            tables = watched.tables
            observation = simulator.observe(tables, watch.form.systems)
            scores = scores_of(params, observation, settings.activation)
            unseen = holders(tables) < 3
            log_beliefs = beliefs(scores, unseen, settings.form)
            separate = settings.form == "cards"
            own = jax.nn.sigmoid(scores) if separate else jnp.exp(log_beliefs) * unseen[..., None]
            found = figures(log_beliefs, own, tables)
            live = ~tables.done
            call = next_calls(players, watched, observation, key, watch)
            after = watched._replace(tables=simulator.step(tables, call))
            return after, (jnp.where(live[:, None], found, 0).sum(axis=0), live.sum())

        seat_key, call_key = jax.random.split(key)
        watched = seat_anew(seat_key, settings.evaluate, watch)
        return jax.lax.scan(step, watched, jax.random.split(call_key, LONGEST))[1]

    return measure


def shown(sums: Array, counts: Array) -> Measured:
    """The figures over all positions and by length of the auction, beside a flat belief's."""
    total, positions = np.asarray(sums, np.float64), np.asarray(counts)

    def rounded(row: Any, count: int) -> dict[str, float]:
        return {name: round(float(x) / count, 4) for name, x in zip(FIGURES, row, strict=True)}

    flat = -(np.log(1 / 3) + 2 * np.log(2 / 3)) * 39 / 156
    return {
        "positions": int(positions.sum()),
        **rounded(total.sum(axis=0), int(positions.sum())),
        "uniform_loss": round(float(np.log(3)), 4),
        "uniform_sigmoid_loss": round(float(flat), 4),
        "by_length": [
            {"calls": calls, "positions": int(count), **rounded(total[calls], int(count))}
            for calls, count in enumerate(positions)
            if count
        ],
    }


class AtTables:
    """A run that learns at tables in play; the same command goes on after a kill."""

    settings: BeliefSettings | DistilSettings | PostMortemSettings
    learner: Any
    watched: Watched

    def keep(self, place: LoopPlace) -> None:
        """Where it is, for the same command after a kill."""
        here = self.learner, self.watched
        state.save(state.beside(self.settings.out), here, place.told, self.settings)

    def place(self) -> LoopPlace | None:
        """Where a run that was killed had been, if there is one; its learner is taken over."""
        here = self.learner, self.watched
        kept = state.load(state.beside(self.settings.out), here, self.settings)
        if kept is None:
            return None
        (self.learner, self.watched), told = kept
        return LoopPlace.of(told)


class BeliefRun(AtTables):
    """One training run: networks, tables, measurement and file."""

    settings: BeliefSettings

    def __init__(self, settings: BeliefSettings) -> None:
        if settings.form not in FORMS:
            raise data.DataError(f"form must be players or cards, not {settings.form}")
        self.settings = settings
        policy, card = network.load(settings.policy, "policy")
        form = guest_form = Form(*match.network_form(card))
        guest, guest_tables = policy, 0
        if settings.guest is not None:
            guest, guest_card = network.load(settings.guest, "policy")
            guest_form = Form(*match.network_form(guest_card))
            guest_tables = int(settings.foreign * settings.tables)
        also = network.load(settings.also, "policy")[0] if settings.also else None
        self.players = WatchedPlayers(policy, guest, also=also)
        watch = Watch(settings, form, guest_form, guest_tables)
        self._chunk = make_chunk(watch, settings)
        self._measure = make_measure(watch._replace(guest_tables=0), settings)
        self._among_guests = None
        if settings.both and guest_tables:
            alone = replace(settings, both=1.0)
            everywhere = watch._replace(settings=alone, guest_tables=settings.evaluate)
            self._among_guests = make_measure(everywhere, alone)
        keys = jax.random.split(jax.random.PRNGKey(settings.seed), 3)
        inputs = features.feature_version(card.features).width
        if settings.start is not None:
            first, known = network.load(settings.start, "belief")
            if known.features != card.features or known.activation != settings.activation:
                raise data.DataError(f"{settings.start} sees other features than the policy")
        else:
            first = network.init(keys[0], inputs, OUTPUTS, settings.width)
        self.learner = new_learner(first)
        self.watched = jax.jit(lambda key: seat_anew(key, settings.tables, watch))(keys[1])
        self._measure_key = keys[2]
        made_by = {"recipe": "belief", "settings": plain(settings)}
        self.card = NetworkCard("belief", card.features, settings.activation, made_by)

    def step(self, key: Array, rate: Array) -> Array:
        """One call to the accelerator."""
        self.learner, self.watched, cost = self._chunk(
            self.learner, self.players, self.watched, key, rate
        )
        return cost

    def measure(self) -> Measured:
        """On fresh auctions of the policy, always the same ones; and on the guest's own."""
        asked = self.learner.average, self.players, self._measure_key
        found = shown(*self._measure(*asked))
        if self._among_guests is not None:
            found["guests"] = shown(*self._among_guests(*asked))
        return found

    def save(self, measured: Measured) -> None:
        made_by = {**self.card.made_by, "measured": measured}
        card = NetworkCard(self.card.kind, self.card.features, self.card.activation, made_by)
        network.save(self.settings.out, self.learner.average, card)


def training(settings: BeliefSettings) -> Iterator[tuple[float, Measured]]:
    """The whole recipe, measurement included; yields progress and what has been measured."""
    began = time.monotonic()
    run = BeliefRun(settings)
    run.measure()  # compiled now, so that the last one is quick
    pace = LearningPace(
        settings.minutes, settings.learning_rate, settings.calls, settings.seed + 1,
        settings.steps, reports=8, save_seconds=settings.save_seconds,
    )  # fmt: skip
    for progress in over_time(run.step, pace, "belief", began, run.place(), run.keep):
        measured = run.measure()
        run.save(measured)
        yield progress, measured
    state.beside(settings.out).unlink(missing_ok=True)


def run(settings: BeliefSettings) -> Measured:
    """Train to the end; returns the measurements."""
    measured: Measured = {}
    for progress, found in training(settings):
        measured = found
        brief = {name: value for name, value in found.items() if isinstance(value, float)}
        LOGGER.info("belief %3.0f %%: %s", 100 * progress, json.dumps(brief))
    return measured
