"""One command that trains penetrative Q and the relay learner for several seeds, side by side.
Run it on an accelerator: `python -m overtrick.training.bandit.gpu --data DIR --out DIR`.

DIR must hold `double_dummy.npz` and `uncontested_costs.npz` (the latter only measures). Budgets are
seconds; step sizes fall with the share of the budget used, so any machine ends on time. Results
and models are written every minute: `results.json`, `penetrative.zip`, `relay_<seed>.npz`.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.nets.uncontested.models import NetModel, save
from overtrick.notation.whole import whole_file, write_whole
from overtrick.training.bandit import board, deals, mlp, penetrative, relay, spectator
from overtrick.training.bandit.board import Batch

LOGGER = logging.getLogger(__name__)
CHECKPOINT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for each learner (compilation included), or a fixed number of chunks in tests."""

    penetrative: float = 140.0
    spectator: float = 50.0
    relay: float = 250.0
    chunks: int | None = None


@dataclass(slots=True)
class Run:
    """What every stage needs: data on the accelerator, seeds, where results go."""

    out: Path
    seeds: int
    source: board.Shoe
    tests: dict[str, Batch]
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


def _measure(contracts: Callable[[Any, Batch], Array], nets: Any, run: Run) -> dict[str, Any]:
    """Mean greedy cost of every seed on every test set, and its standard error over deals."""
    row: dict[str, Any] = {}
    for name, batch in run.tests.items():
        chosen = contracts(nets, batch)  # [seed, n]
        cost = np.asarray(jax.vmap(lambda c, b=batch: jnp.take_along_axis(
            b.costs, c[:, None], axis=1)[:, 0])(chosen))  # fmt: skip
        row[name] = [round(float(value), 4) for value in cost.mean(axis=1)]
        row[f"{name}_se"] = round(float(cost[0].std() / np.sqrt(cost.shape[1])), 4)
    return row


def train_penetrative(run: Run, plan: penetrative.Plan, budget: tuple[float, int | None]) -> None:
    """Yeh's learner for all seeds at once."""

    @jax.jit
    def chunk(source: board.Shoe, states: Any, number: Array, progress: Array) -> tuple[Any, Array]:
        def one(state: penetrative.State, key: Array) -> tuple[penetrative.State, Array]:
            batch = board.solved_batch(key, source, plan.batch)
            return penetrative.train_step(state, batch, progress, plan)

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
                    _bytes(NetModel(layers, penetrative.SLOPE, plan.turns)),
                )

    keys = jax.random.split(jax.random.key(100), run.seeds)
    states = jax.vmap(lambda key: penetrative.start(key, plan))(keys)
    drive(partial(chunk, run.source), states, budget, report)


def train_spectator(
    run: Run, plan: spectator.Plan, budget: tuple[float, int | None]
) -> spectator.Nets:
    """The network that prices random deals; one for all seeds."""

    @jax.jit
    def chunk(
        source: board.Shoe, state: spectator.State, number: Array, progress: Array
    ) -> tuple[Any, Array]:
        def one(carry: spectator.State, key: Array) -> tuple[spectator.State, Array]:
            cards, tricks = board.draw(key, source, plan.batch)
            return spectator.train_step(carry, cards, tricks, progress, plan)

        keys = jax.random.split(jax.random.fold_in(jax.random.key(200), number), STEPS)
        state, errors = jax.lax.scan(one, state, keys)
        return state, errors.mean()

    def report(state: spectator.State, number: int, error: np.ndarray) -> None:
        row: dict[str, Any] = {"chunks": number, "train_mse": round(float(error), 4)}
        for name, batch in run.tests.items():
            cards = batch.hands[:, :, :52]
            guess = jax.jit(spectator.estimate)(state.average, cards)
            best = jnp.take_along_axis(batch.costs, guess.argmin(axis=1)[:, None], axis=1)
            row[f"{name}_mse"] = round(float(((guess - batch.costs) ** 2).mean()), 4)
            row[f"{name}_optimistic"] = round(float(best.mean()), 4)
        run.note("spectator", row)

    state = spectator.start(jax.random.key(200), plan)
    finished: spectator.State = drive(partial(chunk, run.source), state, budget, report)
    return finished.average


def train_relay(
    run: Run,
    plan: relay.Plan,
    prices: tuple[spectator.Nets, float],
    budget: tuple[float, int | None],
) -> None:
    """Our learner for all seeds at once; `prices` = the spectator and its share of the deals."""
    nets, share = prices
    priced = int(share * plan.batch)

    @jax.jit
    def chunk(
        given: tuple[board.Shoe, spectator.Nets], states: Any, number: Array, progress: Array
    ) -> tuple[Any, Array]:
        source, pricer = given

        def one(state: relay.State, key: Array) -> tuple[relay.State, Array]:
            left, right = jax.random.split(key)
            batch = board.solved_batch(left, source, plan.batch - priced)
            if priced:
                extra = spectator.priced_batch(right, pricer, priced)
                batch = jax.tree.map(lambda a, b: jnp.concatenate([a, b]), batch, extra)
            return relay.train_step(state, batch, progress, plan)

        return _chunk(one, states, number, run.seeds)

    @jax.jit
    def contracts(policies: Any, batch: Batch) -> Array:
        return jax.vmap(lambda policy: relay.greedy(policy, batch, plan.turns)[0])(policies)

    def report(states: Any, number: int, cost: np.ndarray) -> None:
        row = _measure(contracts, states.average, run)
        run.note("relay", {"chunks": number, "train": cost.round(4).tolist(), **row})
        for seed in range(run.seeds):
            policy = jax.tree.map(lambda part, at=seed: part[at], states.average)
            model = NetModel((mlp.to_numpy(policy),), 0.0, plan.turns)
            write_whole(run.out / f"relay_{seed}.npz", _bytes(model))

    keys = jax.random.split(jax.random.key(300), run.seeds)
    states = jax.vmap(lambda key: relay.start(key, plan))(keys)
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


def prepare(data: Path, out: Path, seeds: int) -> Run:
    """Read the data, split it and put it on the accelerator."""
    train, validation, test = deals.split(deals.read_solved(data / "double_dummy.npz"))
    tests = {
        "validation": board.fixed(deals.pairs(validation)),
        "test": board.fixed(deals.pairs(test)),
        "published": board.fixed(deals.read_published(data / "uncontested_costs.npz")),
    }
    out.mkdir(parents=True, exist_ok=True)
    return Run(out, seeds, board.shoe(train), tests)


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--priced", type=float, default=0.5, help="share of priced deals")
    parser.add_argument("--chunks", type=int, help="fixed number of chunks (a quick trial)")
    for name in ("penetrative", "spectator", "relay"):
        parser.add_argument(f"--{name}-plan", type=json.loads, default={}, help="JSON overrides")
    parser.add_argument("--tiny", action="store_true", help="tiny networks (a quick trial)")
    for name, value in asdict(Budget()).items():
        if name != "chunks":
            parser.add_argument(f"--{name}-seconds", type=float, default=value)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    run = prepare(args.data, args.out, args.seeds)
    one, two, three = penetrative.Plan(), spectator.Plan(), relay.Plan()
    if args.tiny:
        one = penetrative.Plan(turns=3, width=32, depth=2, batch=32)
        two = spectator.Plan(suit_width=16, width=32, depth=1, batch=32)
        three = relay.Plan(turns=4, width=32, depth=2, batch=64)
    one = replace(one, **args.penetrative_plan)
    two = replace(two, **args.spectator_plan)
    three = replace(three, **args.relay_plan)
    run.results["plans"] = [asdict(plan) for plan in (one, two, three)]
    run.results["priced_share"] = args.priced
    run.results["device"] = str(jax.devices()[0])
    if args.penetrative_seconds > 0:
        train_penetrative(run, one, (args.penetrative_seconds, args.chunks))
    if args.relay_seconds > 0:
        nets = train_spectator(run, two, (args.spectator_seconds, args.chunks))
        train_relay(run, three, (nets, args.priced), (args.relay_seconds, args.chunks))


if __name__ == "__main__":
    main()
