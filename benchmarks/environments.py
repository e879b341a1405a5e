"""Steps a second of the environments for learning agents, on whatever JAX finds here.
Run: python -m benchmarks environments; python benchmarks/environments.py 65536 for so many tables.

A step of the vectorised one is all that a learner needs of it: what the player sees, what is legal,
a random legal call, the reward, and a new board where the auction is over."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec

from benchmarks.rows import Row, markdown

TABLES = 4096
STEPS = 40


def run() -> list[Row]:
    rows = _in_turns() if find_spec("pettingzoo") else []
    return [*rows, vectorised(TABLES)]


def vectorised(tables: int) -> Row:
    """Steps of all tables together, after one run that compiles."""
    import jax
    import jax.numpy as jnp
    from jax import Array

    from overtrick.environments import dataset
    from overtrick.environments import vectorised as env

    deals = env.source(dataset("practice"))

    def one(state: env.AuctionsState, key: Array) -> tuple[env.AuctionsState, tuple[Array, Array]]:
        called, dealt = jax.random.split(key)
        seen, may = env.observe(state), env.legal(state)
        call = jax.random.categorical(called, jnp.where(may, 0.0, -1e9))
        state = env.step(state, call)
        won = env.rewards(state)
        return env.renew(state, env.reset(dealt, deals, tables)), (seen.sum(), won.sum())

    @jax.jit
    def many(state: env.AuctionsState, key: Array) -> tuple[env.AuctionsState, tuple[Array, Array]]:
        return jax.lax.scan(one, state, jax.random.split(key, STEPS))

    state, _ = jax.block_until_ready(many(env.reset(jax.random.key(0), deals, tables),
                                          jax.random.key(1)))  # fmt: skip
    began = time.perf_counter()
    jax.block_until_ready(many(state, jax.random.key(2)))
    rate = tables * STEPS / (time.perf_counter() - began)
    device = jax.devices()[0].device_kind
    return Row(f"bidding, {tables:,} tables at once, {device}, steps a second", f"{rate:,.0f}")


def _in_turns() -> list[Row]:
    import numpy as np

    from overtrick.environments.tables import BridgeTable

    rows = []
    for task in ("bidding", "play", "whole"):
        table = BridgeTable(task)
        rng = np.random.default_rng(1)
        steps, began = 0, time.process_time()
        for board in range(40):
            table.reset(options={"board": board})
            while not table.episode.is_over:
                mask = table.observe(table.agent_selection)["action_mask"]
                table.step(int(rng.choice(np.flatnonzero(mask))))
                steps += 1
        rate = steps / (time.process_time() - began)
        rows.append(Row(f"{task}, one table in turns, steps a CPU second", f"{rate:,.0f}"))
    return rows


if __name__ == "__main__":
    print(markdown([vectorised(int(n)) for n in sys.argv[1:]] or run()))
