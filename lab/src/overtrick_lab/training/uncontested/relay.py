"""Our own learner: one policy network in self-play with a silent opposition.
`bidding.bandit` plays the result.

Both partners are one network π(call | own hand, calls so far) of any auction length. It learns by
policy gradient over whole auctions. The critic sees what no player may: both hands and the deal's
true cost vector, so its baseline leaves only the noise of the calls themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick_lab.training.uncontested import board, mlp
from overtrick_lab.training.uncontested.board import HAND_SIZE, SEEN_SIZE, PairBatch
from overtrick_lab.training.uncontested.costs import CONTRACTS

SCALE = 4.0  # IMPs to one unit of reward


@dataclass(frozen=True, slots=True)
class RelaySetup:
    """Everything that shapes a training run."""

    turns: int = 7
    width: int = 512
    depth: int = 3
    batch: int = 4096
    high: float = 1e-3
    low: float = 2e-5
    entropy_high: float = 0.4
    entropy_low: float = 0.003
    trace: float = 0.9


class RelayState(NamedTuple):
    """Networks, optimiser, and a running average of the policy (what is evaluated and kept)."""

    policy: mlp.Params
    critic: mlp.Params
    optimiser: mlp.Optimiser
    average: mlp.Params
    key: Array


def start(key: Array, setup: RelaySetup) -> RelayState:
    """Fresh networks."""
    one, two, rest = jax.random.split(key, 3)
    hidden = [setup.width] * setup.depth
    policy = mlp.init(one, [SEEN_SIZE, *hidden, CONTRACTS], final=0.01)
    critic = mlp.init(two, [2 * HAND_SIZE + 2 * CONTRACTS + 1, *hidden, 1], final=0.1)
    return RelayState(policy, critic, mlp.adam((policy, critic)), policy, rest)


class _Turn(NamedTuple):
    log_prob: Array  # of the call made
    entropy: Array
    baseline: Array
    live: Array


def _auction(
    nets: tuple[mlp.Params, mlp.Params], batch: PairBatch, key: Array, turns: int
) -> tuple[list[_Turn], Array]:
    """Bid every pair by sampling from the policy; the turns and the costs of the contracts."""
    policy, critic = nets
    size = len(batch.costs)
    calls = jnp.zeros((size, CONTRACTS), bool)
    last = jnp.full(size, -1)
    live = jnp.ones(size, bool)
    table = jnp.concatenate([batch.hands[:, 0], batch.hands[:, 1], batch.costs / SCALE], axis=1)
    record = []
    for turn in range(turns):
        view = board.seen(batch.hands[:, turn % 2], calls, turn)
        logits = mlp.apply(policy, view, dtype=jnp.bfloat16)
        logits = jnp.where(board.legal(last, turn), logits, -1e9)
        log_probs = jax.nn.log_softmax(logits)
        key, part = jax.random.split(key)
        call = jax.random.categorical(part, jax.lax.stop_gradient(logits))
        role = jnp.full((size, 1), turn % 2, jnp.float32)
        facts = jnp.concatenate([table, calls.astype(jnp.float32), role], axis=1)
        value = mlp.apply(critic, facts, dtype=jnp.bfloat16)[:, 0]
        chosen = jnp.take_along_axis(log_probs, call[:, None], axis=1)[:, 0]
        entropy = -(jnp.exp(log_probs) * log_probs).sum(axis=1)
        record.append(_Turn(chosen, entropy, value, live))
        passes = (call == 0) & (turn > 0)
        moves = live & ~passes
        calls = calls | (jax.nn.one_hot(call, CONTRACTS, dtype=bool) & moves[:, None])
        last = jnp.where(moves, call, last)
        live = moves & (call < CONTRACTS - 1)
    cost = jnp.take_along_axis(batch.costs, last[:, None], axis=1)[:, 0]
    return record, cost


def _loss(
    nets: tuple[mlp.Params, mlp.Params],
    batch: PairBatch,
    key: Array,
    setup: RelaySetup,
    entropy: Array,
) -> tuple[Array, Array]:
    record, cost = _auction(nets, batch, key, setup.turns)
    outcome = -cost / SCALE
    values = [jnp.where(turn.live, turn.baseline, outcome) for turn in record] + [outcome]
    loss = jnp.zeros(())
    target = outcome
    for place in range(setup.turns - 1, -1, -1):
        turn = record[place]
        target = setup.trace * target + (1.0 - setup.trace) * jax.lax.stop_gradient(
            values[place + 1]
        )
        advantage = jax.lax.stop_gradient(target - turn.baseline)
        actor = -turn.log_prob * advantage - entropy * turn.entropy
        fit = 0.5 * (turn.baseline - jax.lax.stop_gradient(target)) ** 2
        loss += jnp.where(turn.live, actor + fit, 0.0).mean()
    return loss, cost.mean()


def train_step(
    state: RelayState, batch: PairBatch, progress: Array, setup: RelaySetup
) -> tuple[RelayState, Array]:
    """One gradient step on a batch of pairs; the mean cost of the sampled contracts."""
    key, part = jax.random.split(state.key)
    done = jnp.clip(progress / 0.9, 0.0, 1.0)
    entropy = setup.entropy_high * (setup.entropy_low / setup.entropy_high) ** done
    nets = (state.policy, state.critic)
    grads, cost = jax.grad(_loss, has_aux=True)(nets, batch, part, setup, entropy)
    rate = mlp.cosine(progress, setup.high, setup.low)
    (policy, critic), optimiser = mlp.update(grads, state.optimiser, nets, rate)
    average = mlp.blend(state.average, policy, optimiser.steps)
    return RelayState(policy, critic, optimiser, average, key), cost


def greedy(policy: mlp.Params, batch: PairBatch, turns: int) -> tuple[Array, Array]:
    """Contracts and calls `[n, turns]` (-1 when over) of the policy's most likely auctions."""
    size = len(batch.costs)
    calls = jnp.zeros((size, CONTRACTS), bool)
    last, live = jnp.full(size, -1), jnp.ones(size, bool)
    made = []
    for turn in range(turns):
        logits = mlp.apply(policy, board.seen(batch.hands[:, turn % 2], calls, turn))
        call = jnp.where(board.legal(last, turn), logits, -1e9).argmax(axis=1)
        made.append(jnp.where(live, call, -1))
        moves = live & ~((call == 0) & (turn > 0))
        calls = calls | (jax.nn.one_hot(call, CONTRACTS, dtype=bool) & moves[:, None])
        last = jnp.where(moves, call, last)
        live = moves & (call < CONTRACTS - 1)
    return last, jnp.stack(made, axis=1)
