"""Recipe: penetrative Q and the relay learner for several seeds, side by side.

Budgets are seconds; step sizes fall with the share of the budget used, so any machine ends on
time. Results and models are written every minute.
"""

from __future__ import annotations

import io
import json
import logging
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.notation.whole import whole_file, write_whole
from overtrick_lab.training.settings import UncontestedSettings
from overtrick_lab.training.uncontested import board, deals, mlp, penetrative, relay, spectator
from overtrick_lab.training.uncontested.board import PairBatch
from overtrick_lab.uncontested.models import NetModel, save

LOGGER = logging.getLogger(__name__)
CHECKPOINT_SECONDS = 60.0


@dataclass(slots=True)
class UncontestedRun:
    """What every stage needs: data on the accelerator, seeds, where results go."""

    out: Path
    seeds: int
    source: board.Shoe
    tests: dict[str, PairBatch]
    began: float = field(default_factory=time.monotonic)
    results: dict[str, Any] = field(default_factory=dict)

    def note(self, learner: str, row: dict[str, Any]) -> None:
        """Add a row of measurements and write them all down."""
        row["seconds"] = round(time.monotonic() - self.began, 1)
        self.results.setdefault(learner, []).append(row)
        LOGGER.info("%s %s", learner, json.dumps(row))
        write_whole(self.out / "results.json", json.dumps(self.results, indent=1))


Chunk = Callable[[Any, Array, Array], tuple[Any, Array]]


def drive(
    chunk: Chunk, state: Any, budget: tuple[float, int | None], report: Callable[..., None]
) -> Any:
    """Repeat `chunk(state, number, progress)` until the budget is spent, reporting each minute.

    The first call compiles; that time is part of the budget but not of the progress.
    """
    seconds, chunks = budget
    began = told = ready = time.monotonic()
    number, progress = 0, 0.0
    curve: list[Array] = []
    while progress < 1.0:
        state, cost = chunk(state, jnp.asarray(number), jnp.asarray(progress, jnp.float32))
        cost.block_until_ready()
        curve.append(cost)
        number += 1
        now = time.monotonic()
        if number == 1:
            ready = now
        left = max(seconds - (ready - began), 1.0)
        progress = number / chunks if chunks else (now - ready) / left
        if now - told > CHECKPOINT_SECONDS:
            told = now
            report(state, number, np.asarray(jnp.stack(curve).mean(0)))
            curve = []
    report(state, number, np.asarray(jnp.stack(curve or [cost]).mean(0)))
    return state


def _measure(
    contracts: Callable[[Any, PairBatch], Array], nets: Any, run: UncontestedRun
) -> dict[str, Any]:
    """Mean greedy cost of every seed on every test set, and its standard error over deals."""
    row: dict[str, Any] = {}
    for name, batch in run.tests.items():
        chosen = contracts(nets, batch)  # [seed, n]
        cost = np.asarray(jax.vmap(lambda c, b=batch: jnp.take_along_axis(
            b.costs, c[:, None], axis=1)[:, 0])(chosen))  # fmt: skip
        row[name] = [round(float(value), 4) for value in cost.mean(axis=1)]
        row[f"{name}_se"] = round(float(cost[0].std() / np.sqrt(cost.shape[1])), 4)
    return row


def train_penetrative(
    run: UncontestedRun, setup: penetrative.PenetrativeSetup, budget: tuple[float, int | None]
) -> None:
    """Yeh's learner for all seeds at once."""

    @jax.jit
    def chunk(source: board.Shoe, states: Any, number: Array, progress: Array) -> tuple[Any, Array]:
        def one(
            state: penetrative.PenetrativeState, key: Array
        ) -> tuple[penetrative.PenetrativeState, Array]:
            batch = board.solved_batch(key, source, setup.batch)
            return penetrative.train_step(state, batch, progress, setup)

        return _chunk(one, states, number, run.seeds)

    contracts = jax.jit(jax.vmap(penetrative.greedy, in_axes=(0, None)))

    def report(states: Any, number: int, cost: np.ndarray) -> None:
        row = _measure(contracts, states.average, run)
        run.note("penetrative", {"chunks": number, "train": cost.round(4).tolist(), **row})
        with (
            whole_file(run.out / "penetrative.zip") as file,
            zipfile.ZipFile(file, "w") as bundle,
        ):
            for seed in range(run.seeds):
                nets = jax.tree.map(lambda part, at=seed: part[at], states.average)
                layers = tuple(mlp.to_numpy(net) for net in nets)
                bundle.writestr(
                    f"penetrative_{seed}.npz",
                    _bytes(NetModel(layers, penetrative.SLOPE, setup.turns)),
                )

    keys = jax.random.split(jax.random.key(100), run.seeds)
    states = jax.vmap(lambda key: penetrative.start(key, setup))(keys)
    drive(partial(chunk, run.source), states, budget, report)


def train_spectator(
    run: UncontestedRun, setup: spectator.SpectatorSetup, budget: tuple[float, int | None]
) -> spectator.Nets:
    """The network that prices random deals; one for all seeds."""

    @jax.jit
    def chunk(
        source: board.Shoe, state: spectator.SpectatorState, number: Array, progress: Array
    ) -> tuple[Any, Array]:
        def one(
            carry: spectator.SpectatorState, key: Array
        ) -> tuple[spectator.SpectatorState, Array]:
            cards, tricks = board.draw(key, source, setup.batch)
            return spectator.train_step(carry, cards, tricks, progress, setup)

        keys = jax.random.split(jax.random.fold_in(jax.random.key(200), number), STEPS)
        state, errors = jax.lax.scan(one, state, keys)
        return state, errors.mean()

    def report(state: spectator.SpectatorState, number: int, error: np.ndarray) -> None:
        row: dict[str, Any] = {"chunks": number, "train_mse": round(float(error), 4)}
        for name, batch in run.tests.items():
            cards = batch.hands[:, :, :52]
            guess = jax.jit(spectator.estimate)(state.average, cards)
            best = jnp.take_along_axis(batch.costs, guess.argmin(axis=1)[:, None], axis=1)
            row[f"{name}_mse"] = round(float(((guess - batch.costs) ** 2).mean()), 4)
            row[f"{name}_optimistic"] = round(float(best.mean()), 4)
        run.note("spectator", row)

    state = spectator.start(jax.random.key(200), setup)
    finished: spectator.SpectatorState = drive(partial(chunk, run.source), state, budget, report)
    return finished.average


def train_relay(
    run: UncontestedRun,
    setup: relay.RelaySetup,
    prices: tuple[spectator.Nets, float],
    budget: tuple[float, int | None],
) -> None:
    """Our learner for all seeds at once; `prices` = the spectator and its share of the deals."""
    nets, share = prices
    priced = int(share * setup.batch)

    @jax.jit
    def chunk(
        given: tuple[board.Shoe, spectator.Nets], states: Any, number: Array, progress: Array
    ) -> tuple[Any, Array]:
        source, pricer = given

        def one(state: relay.RelayState, key: Array) -> tuple[relay.RelayState, Array]:
            left, right = jax.random.split(key)
            batch = board.solved_batch(left, source, setup.batch - priced)
            if priced:
                extra = spectator.priced_batch(right, pricer, priced)
                batch = jax.tree.map(lambda a, b: jnp.concatenate([a, b]), batch, extra)
            return relay.train_step(state, batch, progress, setup)

        return _chunk(one, states, number, run.seeds)

    @jax.jit
    def contracts(policies: Any, batch: PairBatch) -> Array:
        return jax.vmap(lambda policy: relay.greedy(policy, batch, setup.turns)[0])(policies)

    def report(states: Any, number: int, cost: np.ndarray) -> None:
        row = _measure(contracts, states.average, run)
        run.note("relay", {"chunks": number, "train": cost.round(4).tolist(), **row})
        for seed in range(run.seeds):
            policy = jax.tree.map(lambda part, at=seed: part[at], states.average)
            model = NetModel((mlp.to_numpy(policy),), 0.0, setup.turns)
            write_whole(run.out / f"relay_{seed}.npz", _bytes(model))

    keys = jax.random.split(jax.random.key(300), run.seeds)
    states = jax.vmap(lambda key: relay.start(key, setup))(keys)
    drive(partial(chunk, (run.source, nets)), states, budget, report)


STEPS = 50  # gradient steps in one call to the accelerator


def _chunk(one: Callable[..., Any], states: Any, number: Array, seeds: int) -> tuple[Any, Array]:
    """`STEPS` training steps of every seed."""

    def step(carry: Any, key: Array) -> tuple[Any, Array]:
        moved, cost = jax.vmap(one)(carry, jax.random.split(key, seeds))
        return moved, cost

    keys = jax.random.split(jax.random.fold_in(jax.random.key(17), number), STEPS)
    states, costs = jax.lax.scan(step, states, keys)
    return states, costs.mean(axis=0)


def _bytes(model: NetModel) -> bytes:
    buffer = io.BytesIO()
    save(buffer, model)
    return buffer.getvalue()


def prepare(settings: UncontestedSettings) -> UncontestedRun:
    """Read the data, split it and put it on the accelerator."""
    train, validation, test = deals.split(deals.read_solved(settings.deals))
    tests = {
        "validation": board.fixed(deals.pairs(validation)),
        "test": board.fixed(deals.pairs(test)),
    }
    if settings.published is not None:
        tests["published"] = board.fixed(deals.read_published(settings.published))
    settings.out.mkdir(parents=True, exist_ok=True)
    return UncontestedRun(settings.out, settings.seeds, board.shoe(train), tests)


def run(settings: UncontestedSettings) -> dict[str, Any]:
    """Train what has a time; the last measurements of each learner."""
    at = prepare(settings)
    one, two, three = penetrative.PenetrativeSetup(), spectator.SpectatorSetup(), relay.RelaySetup()
    if settings.tiny:
        one = penetrative.PenetrativeSetup(turns=3, width=32, depth=2, batch=32)
        two = spectator.SpectatorSetup(suit_width=16, width=32, depth=1, batch=32)
        three = relay.RelaySetup(turns=4, width=32, depth=2, batch=64)
    at.results["setups"] = [asdict(setup) for setup in (one, two, three)]
    at.results["priced_share"] = settings.priced
    at.results["device"] = str(jax.devices()[0])
    chunks = settings.chunks or None
    if settings.penetrative_seconds > 0:
        train_penetrative(at, one, (settings.penetrative_seconds, chunks))
    if settings.relay_seconds > 0:
        nets = train_spectator(at, two, (settings.spectator_seconds, chunks))
        train_relay(at, three, (nets, settings.priced), (settings.relay_seconds, chunks))
    learners = ("penetrative", "spectator", "relay")
    return {name: at.results[name][-1] for name in learners if name in at.results}
