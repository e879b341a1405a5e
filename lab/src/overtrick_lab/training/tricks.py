"""Recipe: the number of tricks for every strain and declarer, learned from solved deals.
`bmcs` and `pragma` read the result at their leaves.

Solved deals are few and an accelerator is fast, so several large teachers with dropout learn from
them; the network that ships then learns the teachers' mean opinion on any number of random deals
that nobody has solved. Suit orders cost nothing (trick_network), seats are turned at random.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from numpy.typing import NDArray

from overtrick.environments import simulator
from overtrick_lab.training import data, network, state, trick_figures, trick_network
from overtrick_lab.training.learner import (
    Learner,
    LearningPace,
    LoopPlace,
    apply,
    new_learner,
    over_time,
)
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.predicting_settings import TricksSettings
from overtrick_lab.training.settings import plain

LOGGER = logging.getLogger(__name__)
FEATURES = {"four": "hands-1", "two": "two-hands-1"}
TEACHER_ACTIVATION, ACTIVATION = "gelu", "relu"
Measured = dict[str, Any]


def seen_hands(owner: Array, hands: str) -> Array:
    """The network's input: all four hands, or North's and South's with the others dark."""
    bits = trick_network.hands_of(owner)
    if hands == "four":
        return bits
    known = (jnp.arange(208) // 52) % 2 == 0
    return bits & known


def solved_batch(key: Array, solved: tuple[Array, Array], count: int) -> tuple[Array, Array]:
    """Solved deals with their seats turned at random."""
    chosen_key, turned_key = jax.random.split(key)
    chosen = jax.random.randint(chosen_key, (count,), 0, solved[0].shape[0])
    turned = jax.random.randint(turned_key, (count,), 0, 4)
    same = jnp.broadcast_to(jnp.arange(4), (count, 4))
    return simulator.permuted(solved[0][chosen], solved[1][chosen], same, turned)


def make_teacher_chunk(
    settings: TricksSettings,
) -> Callable[[Learner, tuple[Array, Array], Array, Array], tuple[Learner, Array]]:
    """`settings.chunk` steps of all teachers side by side, each with its own deals and dropout."""

    def loss(params: Params, solved: tuple[Array, Array], key: Array) -> Array:
        deal_key, drop_key = jax.random.split(key)
        owner, tricks = solved_batch(deal_key, solved, settings.batch)
        scores = trick_network.forward(
            params, seen_hands(owner, settings.hands), TEACHER_ACTIVATION,
            (drop_key, settings.dropout),
        )  # fmt: skip
        labels = tricks.astype(jnp.int32)
        cost: Array = optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()
        return cost

    def one(learner: Learner, solved: tuple[Array, Array], key: Array, rate: Array) -> Any:
        cost, slope = jax.value_and_grad(loss)(learner.params, solved, key)
        return apply(learner, slope, rate, average=settings.average, decay=settings.decay), cost

    @jax.jit
    def chunk(
        learners: Learner, solved: tuple[Array, Array], key: Array, rate: Array
    ) -> tuple[Learner, Array]:
        def step(learners: Learner, key: Array) -> tuple[Learner, Array]:
            keys = jax.random.split(key, settings.teachers)
            every = jax.vmap(one, in_axes=(0, None, 0, None))
            after: tuple[Learner, Array] = every(learners, solved, keys, rate)
            return after

        learners, costs = jax.lax.scan(step, learners, jax.random.split(key, settings.chunk))
        return learners, costs.mean()

    return chunk


def opinion(teachers: Params, owner: Array, hands: str) -> Array:
    """The teachers' mean distribution [n, strain, declarer, 14], each looking from another side.

    Teacher t sees the deal turned by t places, so the mean also evens out what is left of the
    difference between seats (with two hands seen, turned by half a round only).
    """
    found: Any = 0.0
    teachers_here = teachers[0][0].shape[0]
    for number in range(teachers_here):
        turned = number % 4 if hands == "four" else 2 * (number % 2)
        params = jax.tree.map(lambda stack, n=number: stack[n], teachers)
        seen = seen_hands((owner + turned) % 4, hands)
        scores = trick_network.forward(params, seen, TEACHER_ACTIVATION)
        found = found + jnp.roll(jax.nn.softmax(scores), -turned, axis=2)
    mean: Array = found / teachers_here
    return mean


def make_pupil_chunk(
    settings: TricksSettings,
) -> Callable[[Learner, Params | tuple[Array, Array], Array, Array], tuple[Learner, Array]]:
    """`settings.chunk` steps of the network that ships: from teachers, or from solved deals."""

    def loss(params: Params, source: Any, key: Array) -> Array:
        if settings.teachers:
            owner = simulator.random_owners(key, settings.batch)
            target = opinion(source, owner, settings.hands)
        else:
            owner, tricks = solved_batch(key, source, settings.batch)
            target = jax.nn.one_hot(tricks, 14)
        scores = trick_network.forward(params, seen_hands(owner, settings.hands), ACTIVATION)
        cost: Array = optax.softmax_cross_entropy(scores, jax.lax.stop_gradient(target)).mean()
        return cost

    @jax.jit
    def chunk(learner: Learner, source: Any, key: Array, rate: Array) -> tuple[Learner, Array]:
        def step(learner: Learner, key: Array) -> tuple[Learner, Array]:
            cost, slope = jax.value_and_grad(loss)(learner.params, source, key)
            return apply(learner, slope, rate, average=settings.average, decay=settings.decay), cost

        learner, costs = jax.lax.scan(step, learner, jax.random.split(key, settings.chunk))
        return learner, costs.mean()

    return chunk


Predict = Callable[[Array], Array]


def predictions(predict: Predict, deals: data.ObservedDeals) -> NDArray[np.float32]:
    """Probabilities [n, strain, declarer, 14], in batches of equal size."""
    size = min(2000, len(deals))
    parts = []
    for begin in range(0, len(deals), size):
        rows = np.minimum(np.arange(begin, begin + size), len(deals) - 1)
        parts.append(np.asarray(predict(jnp.asarray(deals.owner[rows])), dtype=np.float32))
    return np.concatenate(parts)[: len(deals)]


def measure(chances: NDArray[np.float32], tricks: NDArray[np.int8]) -> Measured:
    """Errors, log-loss and calibration of distributions [n, strain, declarer, 14]."""
    mean = (chances * np.arange(14)).sum(axis=-1)
    off = np.abs(trick_figures.median(chances) - tricks)
    return {
        "deals": len(tricks),
        "median_error": round(float(off.mean()), 4),
        "mean_error": round(float(np.abs(mean - tricks).mean()), 4),
        "notrump_error": round(float(off[:, 4].mean()), 4),
        "suit_error": round(float(off[:, :4].mean()), 4),
        "exact": round(float((off == 0).mean()), 4),
        "within_one": round(float((off <= 1).mean()), 4),
        "log_loss": round(trick_figures.log_loss(chances, tricks), 4),
        "calibration": trick_figures.calibration(chances, tricks),
    }


def sharpness(chances: NDArray[np.float32], deals: data.ObservedDeals) -> float:
    """The power of the probabilities that fits these deals best: a mean of teachers is too shy."""
    logs = np.log(np.maximum(chances, 1e-9))
    true = np.take_along_axis(logs, deals.tricks[..., None].astype(np.int64), axis=-1)[..., 0]

    def loss(power: float) -> float:
        total = np.log(np.exp(power * logs).sum(axis=-1))
        return float((total - power * true).mean())

    return min((round(0.8 + 0.02 * step, 2) for step in range(31)), key=loss)


class TricksRun:
    """Teachers, then the pupil; `measured` collects what was found."""

    def __init__(self, settings: TricksSettings) -> None:
        if settings.hands not in FEATURES:
            raise data.DataError(f"hands must be four or two, not {settings.hands}")
        self.settings = settings
        self.train, self.valid, self.test = read_deals(settings)
        self.solved = jnp.asarray(self.train.owner), jnp.asarray(self.train.tricks)
        self.measured: Measured = {"training_deals": len(self.train)}
        made_by = {"recipe": "tricks", "settings": plain(settings)}
        self.card = NetworkCard("tricks", FEATURES[settings.hands], ACTIVATION, made_by)

    def pace(self, share: float) -> LearningPace:
        """The schedule of either part, which has that share of the time."""
        settings = self.settings
        return LearningPace(
            share * settings.minutes, settings.learning_rate, settings.chunk, settings.seed + 1,
            settings.steps, rest=settings.rest, save_seconds=settings.save_seconds,
        )  # fmt: skip

    def keep(self, part: str, tree: Any, place: LoopPlace, least: float = 0.0) -> None:
        """Where it is, for the same command after a kill."""
        told = {"part": part, "least": least, "measured": self.measured, **place.told}
        state.save(state.beside(self.settings.out), tree, told, self.settings)

    def kept(self, part: str, like: Any) -> tuple[Any, dict[str, Any]] | None:
        """The tree of that part as a run that was killed had it, and what was told beside it."""
        place = state.beside(self.settings.out)
        told = state.read_told(place, self.settings)
        return state.load(place, like, self.settings) if told and told["part"] == part else None

    def fresh_teachers(self) -> Learner:
        """The teachers before they have learned anything, stacked."""
        settings = self.settings
        keys = jax.random.split(jax.random.PRNGKey(settings.seed), settings.teachers)
        sizes = (settings.teacher_suits, settings.teacher_strains, settings.blocks)
        made: Learner = jax.vmap(lambda k: new_learner(trick_network.init(k, *sizes)))(keys)
        return made

    def teachers(self, began: float) -> Params:
        """Stacked averages of the teachers at the moment they knew the validation deals best."""
        settings = self.settings
        learners = self.fresh_teachers()
        chunk = make_teacher_chunk(settings)
        predict = jax.jit(lambda stack, owner: opinion(stack, owner, settings.hands))
        best, least, place = learners.average, float("inf"), None
        kept = self.kept("teachers", (learners, best))
        if kept is not None:
            (learners, best), told = kept
            place, least = LoopPlace.of(told), told["least"]

        def step(key: Array, rate: Array) -> Array:
            nonlocal learners
            learners, cost = chunk(learners, self.solved, key, rate)
            return cost

        def keep(place: LoopPlace) -> None:
            self.keep("teachers", (learners, best), place, least)

        pace = self.pace(settings.teacher_share)
        for _progress in over_time(step, pace, "teachers", began, place, keep):
            average = learners.average
            chances = predictions(lambda owner: predict(average, owner), self.valid)  # noqa: B023
            loss = measure(chances, self.valid.tricks)["log_loss"]
            LOGGER.info("teachers: validation loss %.4f", loss)
            if loss < least:
                best, least = average, loss
        chances = predictions(lambda owner: predict(best, owner), self.test)
        self.measured["teachers"] = measure(chances, self.test.tricks)
        LOGGER.info("teachers on test: %s", json.dumps(self.measured["teachers"]))
        return best

    def pupil(self, began: float) -> Iterator[tuple[float, Params]]:
        """The network that ships, better and better; its teachers come first."""
        settings = self.settings
        sizes = (settings.suits, settings.strains, settings.blocks)
        learner = new_learner(trick_network.init(jax.random.PRNGKey(settings.seed + 9), *sizes))
        chunk, place, share = make_pupil_chunk(settings), None, 1.0
        taught: Any = self.fresh_teachers().average if settings.teachers else ()
        kept = self.kept("pupil", (learner, taught))
        if kept is not None:
            (learner, taught), told = kept
            place, self.measured = LoopPlace.of(told), told["measured"]
        elif settings.teachers:
            taught = self.teachers(began)
            began = time.monotonic()
        source: Any = self.solved
        if settings.teachers:
            source, share = taught, 1 - settings.teacher_share

        def step(key: Array, rate: Array) -> Array:
            nonlocal learner
            learner, cost = chunk(learner, source, key, rate)
            return cost

        def keep(place: LoopPlace) -> None:
            self.keep("pupil", (learner, taught), place)

        for progress in over_time(step, self.pace(share), "tricks", began, place, keep):
            yield 1 - share * (1 - progress), learner.average

    def finish(self, params: Params) -> None:
        """Sharpen, measure on the test deals, write the network and its figures."""
        hands = self.settings.hands

        @jax.jit
        def predict(params: Params, owner: Array) -> Array:
            return jax.nn.softmax(trick_network.forward(params, seen_hands(owner, hands)))

        sharp = sharpness(predictions(lambda owner: predict(params, owner), self.valid), self.valid)
        weight, bias = params[-1]
        params = (*params[:-1], (sharp * weight, sharp * bias))
        self.measured["sharpness"] = sharp
        chances = predictions(lambda owner: predict(params, owner), self.test)
        self.measured["test"] = measure(chances, self.test.tricks)
        self.save(params)

    def save(self, params: Params) -> None:
        made_by = {**self.card.made_by, "measured": self.measured}
        card = NetworkCard(self.card.kind, self.card.features, self.card.activation, made_by)
        network.save(self.settings.out, params, card)


def read_deals(
    settings: TricksSettings,
) -> tuple[data.ObservedDeals, data.ObservedDeals, data.ObservedDeals]:
    """Training, validation and test deals."""
    solved = data.read_solved(settings.deals)
    cut = len(solved) - settings.held_out
    if cut <= settings.validation:
        raise data.DataError(f"{len(solved)} solved deals leave none to train on")
    train, valid = solved[: cut - settings.validation], solved[cut - settings.validation : cut]
    if settings.more_deals is not None:
        more = data.read_solved(*data.solved_files(settings.more_deals))
        train = data.join_solved([train, more])
    return train, valid, solved[cut:]


def training(settings: TricksSettings) -> Iterator[tuple[float, Measured]]:
    """The whole recipe; yields progress and what has been measured."""
    began = time.monotonic()
    run = TricksRun(settings)
    LOGGER.info("tricks: %d deals to learn from", len(run.train))
    for progress, params in run.pupil(began):
        run.save(params)
        if progress == 1:
            run.finish(params)
        yield progress, run.measured
    state.beside(settings.out).unlink(missing_ok=True)


def run(settings: TricksSettings) -> Measured:
    """Train to the end; returns the measurements."""
    measured: Measured = {}
    for _progress, found in training(settings):
        measured = found
    LOGGER.info("tricks: %s", json.dumps(measured.get("test")))
    return measured
