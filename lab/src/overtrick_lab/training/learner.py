"""Weights in training: Adam with an average of the weights, and a loop that fills a given time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from overtrick_lab.training.network import Params

LOGGER = logging.getLogger(__name__)


class Learner(NamedTuple):
    """Weights (or a stack of them), their optimiser and their average."""

    params: Params
    state: optax.OptState
    average: Params


def optimizer() -> optax.GradientTransformation:
    """Adam without its rate, which each step brings along."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(b2=0.99))


def new_learner(params: Params) -> Learner:
    """Nothing learned yet."""
    return Learner(params, optimizer().init(params), jax.tree.map(jnp.copy, params))


def apply(
    learner: Learner, slope: Params, rate: Array, *, average: float, decay: float = 0.0
) -> Learner:
    """One step of Adam with decay of the weights, and the average after it."""
    change, state = optimizer().update(slope, learner.state, learner.params)
    params = jax.tree.map(
        lambda p, c: p - rate * (c + decay * p * (p.ndim > 1)), learner.params, change
    )
    mean = jax.tree.map(lambda a, p: average * a + (1 - average) * p, learner.average, params)
    return Learner(params, state, mean)


@dataclass(frozen=True, slots=True)
class LearningPace:
    """How long to go on, and at what rate."""

    minutes: float
    """From the start of the program; what compiling takes is part of it."""
    learning_rate: float
    """At the start; it falls to 0 along a cosine."""
    chunk: int
    """Gradient steps per call to the accelerator."""
    seed: int
    """Everything random comes from this."""
    calls: int = 0
    """This many calls to the accelerator instead of a time (0: by time)."""
    rest: float = 0.0
    """Pause after each call, as a share of its time: leaves the accelerator to somebody else."""
    reports: int = 15
    """How often progress is told."""
    save_seconds: float = 60.0
    """How often the place is kept."""


class LoopPlace(NamedTuple):
    """How far a loop is: what it needs beside its learner to go on."""

    key: Array
    calls: int = 0
    progress: float = 0.0
    said: float = 0.0  # the progress at which the next report is due

    @property
    def told(self) -> dict[str, Any]:
        """As plain figures."""
        return {**self._asdict(), "key": np.asarray(self.key).tolist()}

    @classmethod
    def of(cls, told: dict[str, Any]) -> LoopPlace:
        """The place again."""
        here = {name: told[name] for name in cls._fields}
        return cls(**{**here, "key": jnp.asarray(told["key"], jnp.uint32)})


def over_time(
    step: Callable[[Array, Array], Array],
    pace: LearningPace,
    what: str,
    began: float,
    place: LoopPlace | None = None,
    keep: Callable[[LoopPlace], None] | None = None,
) -> Iterator[float]:
    """Call `step(key, rate)`, which returns a loss, to the end; yields progress now and then.

    `keep` is told now and then how far it is; a later loop goes on from such a place.
    """
    if place is None:
        place = LoopPlace(jax.random.PRNGKey(pace.seed))
        step(place.key, jnp.float32(0.0)).block_until_ready()  # compile: no part of the schedule
    else:
        LOGGER.info("%s: going on from step %d", what, place.calls * pace.chunk)
    key, calls, progress, said = place
    first, started = progress, time.monotonic()
    left, saved = began + 60 * pace.minutes * (1 - first) - started, started
    while progress < 1:
        key, step_key = jax.random.split(key)
        rate = pace.learning_rate * 0.5 * (1 + np.cos(np.pi * progress))
        before = time.monotonic()
        cost = float(step(step_key, jnp.float32(rate * min(1.0, (calls + 1) / 8))))
        calls += 1
        now = time.monotonic()
        by_time = first + (1 - first) * (now - started) / max(left, 1e-3)
        progress = min(1.0, calls / pace.calls if pace.calls else by_time)
        if progress >= said or progress == 1:
            said = progress + 1 / pace.reports
            done = calls * pace.chunk
            LOGGER.info("%s %3.0f %%: step %d, loss %.4f", what, 100 * progress, done, cost)
            yield progress
        elif pace.rest:
            time.sleep(pace.rest * (now - before))
        if keep is not None and now - saved >= pace.save_seconds and progress < 1:
            keep(LoopPlace(key, calls, progress, said))
            saved = time.monotonic()
