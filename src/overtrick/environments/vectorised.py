"""Bidding at thousands of tables at once, as pure functions for JAX: `reset`, `step`, `observe`,
`legal`, `rewards`, `renew`. All may be compiled and mapped; nothing is kept between calls.

An `AuctionsState` has one row per table. Seats, calls and vulnerability are numbered as everywhere
in the library; the cards of an observation stand in the order of `overtrick.nets.features`, as in
the other environments of this room. Needs the `jax` extra.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables, Deals
from overtrick.game import PASS
from overtrick.nets.contract import score_table
from overtrick.nets.features import CARD_AT
from overtrick.notation.solved import SolvedDeals

__all__ = [
    "AuctionsState",
    "Source",
    "legal",
    "observe",
    "par",
    "renew",
    "reset",
    "rewards",
    "source",
    "step",
]  # fmt: skip

_FAR: Final = 1e6


class Source(NamedTuple):
    """Solved deals on the accelerator, which boards are made from."""

    owner: Array  # [n, 52], in the order of observations
    tricks: Array  # [n, strain, declarer]


def source(deals: SolvedDeals) -> Source:
    """The deals as `reset` and `renew` take them.

    >>> from overtrick.environments.datasets import dataset
    >>> source(dataset("practice")).tricks.shape
    (1000, 5, 4)
    """
    owner = deals.owners[:, CARD_AT].astype(np.int8)
    return Source(jnp.asarray(owner), jnp.asarray(deals.tricks.astype(np.int8)))


class AuctionsState(NamedTuple):
    """Where every auction stands, and what par is there."""

    tables: AuctionTables
    par: Array  # [n], for North-South

    @property
    def turn(self) -> Array:
        """[n]: the seat to call."""
        return self.tables.turn

    @property
    def done(self) -> Array:
        """[n]: whether the auction is over."""
        return self.tables.done


def reset(key: Array, deals: Source, count: int) -> AuctionsState:
    """So many tables before the first call: suits exchanged, seats turned, dealer and vulnerability
    drawn anew, so that one solved deal makes 1,536 different boards."""
    dealt = simulator.sample_deals(key, deals.owner, deals.tricks, count)
    return AuctionsState(simulator.start(dealt), par(dealt))


def step(state: AuctionsState, calls: Array) -> AuctionsState:
    """Every table after one more call [n]; an illegal one counts as a pass, and tables whose
    auction is over stay as they are."""
    allowed = jnp.take_along_axis(legal(state), calls[:, None], axis=1)[:, 0]
    moved = simulator.step(state.tables, jnp.where(allowed, calls, int(PASS)))
    return state._replace(tables=moved)


def observe(state: AuctionsState) -> Array:
    """[n, 480]: what the player to call sees, and nothing else."""
    return simulator.observe(state.tables, 0)


def legal(state: AuctionsState) -> Array:
    """[n, 38]: which calls are legal now."""
    return simulator.legal(state.tables)


def rewards(state: AuctionsState) -> Array:
    """[n]: IMPs of North-South against par, double dummy; 0 while the auction goes on."""
    won = simulator.imps(simulator.score(state.tables) - state.par)
    return jnp.where(state.done, won, 0.0)


def renew(state: AuctionsState, fresh: AuctionsState) -> AuctionsState:
    """Boards of `fresh` at the tables whose auction is over."""
    return simulator.choose(state.done, fresh, state)


def par(deals: Deals) -> Array:
    """[n]: the par score for North-South, as `overtrick.dd.par` has it: bids from 7NT down, each
    worth what the bidder gets or what the next player prefers."""
    tricks = deals.tricks.astype(jnp.int32)
    vulnerable = jnp.stack([deals.vul & 1, deals.vul >> 1] * 2, axis=1)
    scores = jnp.asarray(score_table().reshape(7, 5, 3, 2, 14))
    side = jnp.array([1.0, -1.0, 1.0, -1.0])

    def lower(raising: Array, bid: Array) -> tuple[Array, None]:
        level, strain = bid // 5, bid % 5
        made = jnp.take_along_axis(tricks, jnp.broadcast_to(strain, (len(tricks), 1, 4)), axis=1)
        doubled = (made[:, 0] < level + 7).astype(jnp.int32)
        won = side * scores[level, strain, doubled, vulnerable, made[:, 0]]
        return jnp.stack([_offered(seat, won[:, seat], raising) for seat in range(4)], axis=1), None

    nothing = jnp.broadcast_to(-_FAR * side, (len(tricks), 4))
    raising, _ = jax.lax.scan(lower, nothing, jnp.arange(34, -1, -1))
    value = jnp.zeros(len(tricks))
    for passes in (3, 2, 1, 0):
        seat = (deals.dealer + passes) % 4
        value = _better(seat, value, jnp.take_along_axis(raising, seat[:, None], axis=1)[:, 0])
    return value


def _offered(seat: int, won: Array, raising: Array) -> Array:
    """What a bid is worth: its result where three passes follow, or what the first who bids on
    makes of it; and a higher bid of one's own, where that is better."""
    value = won
    for after in (3, 2, 1):
        other = (seat + after) % 4
        value = _better(other, value, raising[:, other])
    return _better(seat, value, raising[:, seat])


def _better(seat: Array | int, one: Array, other: Array) -> Array:
    """Which of two scores for North-South a seat prefers."""
    return jnp.where(jnp.asarray(seat) % 2 == 0, jnp.maximum(one, other), jnp.minimum(one, other))
