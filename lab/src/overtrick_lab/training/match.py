"""Matches between networks: every deal at two tables, double-dummy scored, in IMPs (or as another
reward has it).
All tables run side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables, Deals
from overtrick.nets import features
from overtrick.nets.features import SAYC
from overtrick_lab.training import network
from overtrick_lab.training.data import ObservedDeals
from overtrick_lab.training.disclosure import Openings, openings
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.rewards import Reward

Policy = tuple[Params, NetworkCard]


@dataclass(frozen=True, slots=True)
class NetworkMargin:
    """IMPs per deal of the first network over the second."""

    mean: float
    error: float
    deals: int
    """Different deals, each perhaps played with several suit orders."""
    boards: int

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f} ({self.boards} boards of {self.deals} deals)"


def greedy(params: Params, tables: AuctionTables, systems: int, activation: str) -> Array:
    """The call the network likes best at every table."""
    observation = simulator.observe(tables, systems)
    return network.logits(params, observation, simulator.legal(tables), activation).argmax(axis=1)


@partial(jax.jit, static_argnames=("ours_card", "theirs_card", "reward"))
def _won(
    ours: Params, theirs: Params, deals: Deals, *, ours_card: tuple[int, str],
    theirs_card: tuple[int, str], reward: Reward,
) -> Array:  # fmt: skip
    """What `ours` wins on each deal; `deals.systems` is (ours, theirs), not (N-S, E-W)."""
    both = jax.tree.map(lambda rows: jnp.concatenate([rows, rows]), deals)
    count = deals.owner.shape[0]
    systems = jnp.concatenate([deals.systems, deals.systems[:, ::-1]])
    our_side = jnp.concatenate([jnp.zeros(count, jnp.int32), jnp.ones(count, jnp.int32)])

    def call(tables: AuctionTables, _made: Array) -> Array:
        first, second = greedy(ours, tables, *ours_card), greedy(theirs, tables, *theirs_card)
        return jnp.where(tables.turn % 2 == our_side, first, second)

    end = simulator.play_out(call, simulator.start(both._replace(systems=systems)))
    coin = reward.coins(jax.random.PRNGKey(0), count)
    north_south = reward.score(end, jnp.concatenate([coin, coin]))
    return reward.won(north_south[:count] - north_south[count:])


@partial(jax.jit, static_argnames=("card",))
def self_auctions(params: Params, deals: Deals, *, card: tuple[int, str]) -> AuctionTables:
    """The network in all four seats, greedy, to the end of every auction."""
    return simulator.play_out(lambda t, _: greedy(params, t, *card), simulator.start(deals))


def network_form(card: NetworkCard) -> tuple[int, str]:
    """What a jitted function must know of a policy: systems it sees, and its activation."""
    return features.feature_version(card.features).systems, card.activation


def boards(deals: ObservedDeals, count: int, seed: int) -> Deals:
    """At least `count` boards: all deals once, then again with other suit orders, in rounds.

    Each round is the whole set in order, so results can be averaged per deal for the error.
    """
    rounds = max(1, -(-count // len(deals)))
    rng = np.random.default_rng(seed)
    total = rounds * len(deals)
    order = rng.permuted(np.tile(np.arange(4), (total, 1)), axis=1)
    turned = rng.integers(0, 4, total)
    owner, tricks = np.tile(deals.owner, (rounds, 1)), np.tile(deals.tricks, (rounds, 1, 1))
    owner_now, tricks_now = simulator.permuted(
        jnp.asarray(owner), jnp.asarray(tricks), jnp.asarray(order), jnp.asarray(turned)
    )
    return Deals(
        owner_now,
        tricks_now,
        dealer=jnp.asarray(rng.integers(0, 4, total), jnp.int32),
        vul=jnp.asarray(rng.integers(0, 4, total), jnp.int32),
        systems=jnp.full((total, 2), SAYC, jnp.int8),
    )


def won(
    ours: Policy, theirs: Policy, these: Deals, reward: Reward = Reward()
) -> NDArray[np.float32]:
    """IMPs (or another reward) of the first network on each of these boards."""
    forms = {"ours_card": network_form(ours[1]), "theirs_card": network_form(theirs[1])}
    return np.asarray(_won(ours[0], theirs[0], these, **forms, reward=reward))


def duel(
    ours: Policy, theirs: Policy, these: Deals, deals: int, reward: Reward = Reward()
) -> NetworkMargin:
    """A match on these boards, which hold `deals` different deals in rounds."""
    return summary(won(ours, theirs, these, reward), deals)


def summary(imps: NDArray[np.float32], deals: int) -> NetworkMargin:
    """Mean and standard error, with the boards of one deal counted as one observation."""
    per_deal = imps.reshape(-1, deals).mean(axis=0)
    error = float(per_deal.std(ddof=1) / np.sqrt(deals)) if deals > 1 else float("inf")
    return NetworkMargin(float(per_deal.mean()), error, deals, imps.size)


def opening_report(policy: Policy, these: Deals) -> Openings:
    """What the network opens when it sits in all four seats."""
    end = self_auctions(policy[0], these, card=network_form(policy[1]))
    bids = np.asarray(end.history)[:, :, 0]
    made = bids >= 0
    any_bid, first = made.any(axis=1), made.argmax(axis=1)
    opener = np.where(any_bid, bids[np.arange(len(bids)), first], -1)
    bid = np.where(any_bid, first, -1)
    return openings(np.asarray(these.owner), np.asarray(these.dealer), opener, bid)
