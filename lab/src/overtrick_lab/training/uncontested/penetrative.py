"""Yeh, Hsieh & Lin's Q-networks with penetrative targets: one small network per bid index.
`bidding.bandit` plays the result.

Network t estimates, for every call, the cost of the contract reached when that call is made and
the later networks bid greedily. All calls of a state are updated at once: the later bidding is
simply played out after each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick_lab.training.uncontested import board, mlp
from overtrick_lab.training.uncontested.board import SEEN_SIZE, PairBatch
from overtrick_lab.training.uncontested.costs import CONTRACTS

SLOPE = 0.2
SCALE = 4.0  # network outputs are -cost / SCALE
ILLEGAL = -1e9


@dataclass(frozen=True, slots=True)
class PenetrativeSetup:
    """Everything that shapes a training run."""

    turns: int = 5
    width: int = 128
    depth: int = 4
    batch: int = 512
    high: float = 1e-3
    low: float = 1e-5
    explore: float = 0.2  # share of exploring pairs at the start, falls linearly to zero


class PenetrativeState(NamedTuple):
    """One network per bid index, the optimiser, a running average, a random key."""

    nets: list[mlp.Params]
    optimiser: mlp.Optimiser
    average: list[mlp.Params]
    key: Array


class _PenetrativeSeat(NamedTuple):
    calls: Array  # [n, 36] made so far
    last: Array  # [n] highest bid, -1 at the start
    live: Array  # [n] still bidding


def start(key: Array, setup: PenetrativeSetup) -> PenetrativeState:
    """Fresh networks."""
    keys = jax.random.split(key, setup.turns + 1)
    sizes = [SEEN_SIZE, *[setup.width] * setup.depth, CONTRACTS]
    nets = [mlp.init(part, sizes, final=0.1) for part in keys[1:]]
    return PenetrativeState(nets, mlp.adam(nets), nets, keys[0])


def values(net: mlp.Params, hand: Array, calls: Array, turn: int) -> Array:
    """Estimated -cost/SCALE of each call `[n, 36]`, legality not yet considered."""
    return mlp.apply(net, board.seen(hand, calls, turn), slope=SLOPE)


def _make(seat: _PenetrativeSeat, call: Array, turn: int) -> _PenetrativeSeat:
    moves = seat.live & ~((call == 0) & (turn > 0))
    bit = jax.nn.one_hot(call, CONTRACTS, dtype=bool) & moves[:, None]
    last = jnp.where(moves, call, seat.last)
    return _PenetrativeSeat(seat.calls | bit, last, moves & (call < CONTRACTS - 1))


def _play_out(nets: list[mlp.Params], hands: Array, seat: _PenetrativeSeat, turn: int) -> Array:
    """Final contract when networks `turn`, `turn`+1 … bid greedily."""
    for later in range(turn, len(nets)):
        estimate = values(nets[later], hands[:, later % 2], seat.calls, later)
        estimate = jnp.where(board.legal(seat.last, later), estimate, ILLEGAL)
        seat = _make(seat, estimate.argmax(axis=1), later)
    return seat.last


def _targets(nets: list[mlp.Params], batch: PairBatch, seat: _PenetrativeSeat, turn: int) -> Array:
    """-cost/SCALE `[n, 36]` of every call at `turn`, the rest played out greedily."""
    size = len(batch.costs)
    call = jnp.tile(jnp.arange(CONTRACTS), size)
    spread = jax.tree.map(lambda part: jnp.repeat(part, CONTRACTS, axis=0), seat)
    hands = jnp.repeat(batch.hands, CONTRACTS, axis=0)
    spread = spread._replace(live=jnp.ones_like(spread.live))
    contract = _play_out(nets, hands, _make(spread, call, turn), turn + 1)
    cost = jnp.take_along_axis(batch.costs, contract.reshape(size, CONTRACTS), axis=1)
    return -cost / SCALE


def _walk(
    nets: list[mlp.Params], batch: PairBatch, key: Array, explore: Array
) -> list[_PenetrativeSeat]:
    """States to learn from: greedy auctions that some pairs leave for a random low bid."""
    size = len(batch.costs)
    seat = _PenetrativeSeat(
        jnp.zeros((size, CONTRACTS), bool), jnp.full(size, -1), jnp.ones(size, bool)
    )
    seats = []
    for turn, net in enumerate(nets):
        seats.append(seat)
        key, one, two = jax.random.split(key, 3)
        estimate = values(net, batch.hands[:, turn % 2], seat.calls, turn)
        estimate = jnp.where(board.legal(seat.last, turn), estimate, ILLEGAL)
        step = jax.random.geometric(one, 0.3, (size,))
        low = jnp.minimum(seat.last + step, CONTRACTS - 1)
        stray = jax.random.uniform(two, (size,)) < explore
        seat = _make(seat, jnp.where(stray, low, estimate.argmax(axis=1)), turn)
    return seats


def train_step(
    state: PenetrativeState, batch: PairBatch, progress: Array, setup: PenetrativeSetup
) -> tuple[PenetrativeState, Array]:
    """One gradient step for all networks; the mean cost of the greedy contracts."""
    key, part = jax.random.split(state.key)
    explore = setup.explore * (1.0 - jnp.clip(progress / 0.8, 0.0, 1.0))
    seats = _walk(state.nets, batch, part, explore)
    targets = [_targets(state.nets, batch, seat, turn) for turn, seat in enumerate(seats)]

    def loss(nets: list[mlp.Params]) -> Array:
        total = jnp.zeros(())
        for turn, (net, seat, target) in enumerate(zip(nets, seats, targets, strict=True)):
            estimate = values(net, batch.hands[:, turn % 2], seat.calls, turn)
            known = board.legal(seat.last, turn) & seat.live[:, None]
            error = jnp.where(known, (estimate - target) ** 2, 0.0)
            total += error.sum() / (known.sum() + 1.0)
        return total

    grads = jax.grad(loss)(state.nets)
    rate = mlp.cosine(progress, setup.high, setup.low)
    nets, optimiser = mlp.update(grads, state.optimiser, state.nets, rate)
    average = mlp.blend(state.average, nets, optimiser.steps)
    best = values(state.nets[0], batch.hands[:, 0], seats[0].calls, 0).argmax(axis=1)
    cost = -SCALE * jnp.take_along_axis(targets[0], best[:, None], axis=1).mean()
    return PenetrativeState(nets, optimiser, average, key), cost


def greedy(nets: list[mlp.Params], batch: PairBatch) -> Array:
    """Contracts of the greedy auctions."""
    size = len(batch.costs)
    seat = _PenetrativeSeat(
        jnp.zeros((size, CONTRACTS), bool), jnp.full(size, -1), jnp.ones(size, bool)
    )
    return _play_out(nets, batch.hands, seat, 0)
