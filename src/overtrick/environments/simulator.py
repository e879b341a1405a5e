"""Thousands of auctions at once on the accelerator: deals, legality, calls, observation, score.
The rules are those of game/.

All arrays carry one row per table. Seats, calls, strains and vulnerability are numbered as in the
house encoding; cards are in observation order (4*rank + suit).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from overtrick.game.scoring import IMP_STEPS
from overtrick.nets.contract import score_table
from overtrick.nets.features import BIDS, FIRST_BID, SAYC, UNKNOWN_SYSTEM

T = TypeVar("T")

LONGEST = 64
"""No greedy auction of a trained policy comes near this; one that does is scored as it stands."""

_SUIT_ORDERS = np.array(list(itertools.permutations(range(4))), dtype=np.int32)


@cache
def _scores() -> NDArray[np.float32]:
    """Declarer's points as [level, strain, doubled, vulnerable, tricks]."""
    return score_table().reshape(7, 5, 3, 2, 14).astype(np.float32)


class Deals(NamedTuple):
    """What is on the tables before the first call."""

    owner: Array
    tricks: Array
    dealer: Array
    vul: Array
    systems: Array  # [n, 2], N-S then E-W


class AuctionTables(NamedTuple):
    """Where every auction stands; `history[b, kind]`: who bid, doubled, redoubled bid b, or -1."""

    deals: Deals
    turn: Array
    last: Array
    bidder: Array
    doubled: Array
    passes: Array
    first: Array  # [n, side, strain]: who named the strain first for that side, or -1
    opening_pass: Array
    history: Array
    done: Array


def sample_deals(key: Array, owner: Array, tricks: Array, count: int) -> Deals:
    """Deals drawn from solved ones: suits permuted, seats turned, dealer and vulnerability new.

    Both changes are exact symmetries of double-dummy play, so the table of tricks turns with them.
    """
    keys = jax.random.split(key, 5)
    chosen = jax.random.randint(keys[0], (count,), 0, owner.shape[0])
    order = jnp.asarray(_SUIT_ORDERS)[jax.random.randint(keys[1], (count,), 0, 24)]
    turned = jax.random.randint(keys[2], (count,), 0, 4)
    return Deals(
        *permuted(owner[chosen], tricks[chosen], order, turned),
        dealer=jax.random.randint(keys[3], (count,), 0, 4),
        vul=jax.random.randint(keys[4], (count,), 0, 4),
        systems=jnp.full((count, 2), SAYC, dtype=jnp.int8),
    )


def random_owners(key: Array, count: int) -> Array:
    """[n, 52]: uniformly random deals, made on the accelerator."""
    order = jax.random.uniform(key, (count, 52)).argsort(axis=1).argsort(axis=1)
    return (order % 4).astype(jnp.int8)


def random_deals(key: Array, count: int) -> Deals:
    """Deals that nobody has solved: their tricks are all 0."""
    owner, dealer, vul = jax.random.split(key, 3)
    return Deals(
        owner=random_owners(owner, count),
        tricks=jnp.zeros((count, 5, 4), jnp.int8),
        dealer=jax.random.randint(dealer, (count,), 0, 4),
        vul=jax.random.randint(vul, (count,), 0, 4),
        systems=jnp.full((count, 2), SAYC, jnp.int8),
    )


def permuted(owner: Array, tricks: Array, order: Array, turned: Array) -> tuple[Array, Array]:
    """New suit s is old suit order[s]; whatever a seat held, the seat `turned` places on holds."""
    count = owner.shape[0]
    by_rank = jnp.take_along_axis(owner.reshape(count, 13, 4), order[:, None, :], axis=2)
    strains = jnp.concatenate([order, jnp.full((count, 1), 4, order.dtype)], axis=1)
    tricks = jnp.take_along_axis(tricks, strains[:, :, None], axis=1)
    seats = (jnp.arange(4) - turned[:, None]) % 4
    tricks = jnp.take_along_axis(tricks, seats[:, None, :], axis=2)
    new_owner = (by_rank.reshape(count, 52) + turned[:, None]) % 4
    return new_owner.astype(jnp.int8), tricks.astype(jnp.int8)


def start(deals: Deals) -> AuctionTables:
    """Nobody has called yet."""
    count = deals.owner.shape[0]
    zero = jnp.zeros((count,), jnp.int32)
    return AuctionTables(
        deals=deals,
        turn=deals.dealer.astype(jnp.int32),
        last=zero - 1,
        bidder=zero,
        doubled=zero,
        passes=zero,
        first=jnp.full((count, 2, 5), -1, jnp.int8),
        opening_pass=jnp.zeros((count, 4), bool),
        history=jnp.full((count, BIDS, 3), -1, jnp.int8),
        done=jnp.zeros((count,), bool),
    )


def legal(tables: AuctionTables) -> Array:
    """[n, 38]: which calls the rules allow now."""
    ours = tables.bidder % 2 == tables.turn % 2
    any_bid = tables.last >= 0
    double = any_bid & ~ours & (tables.doubled == 0)
    redouble = any_bid & ours & (tables.doubled == 1)
    bids = jnp.arange(BIDS) > tables.last[:, None]
    passing = jnp.ones_like(double)
    return jnp.concatenate([jnp.stack([passing, double, redouble], axis=1), bids], axis=1)


def step(tables: AuctionTables, call: Array) -> AuctionTables:
    """Every table after one more call (which must be legal); finished tables stay as they are."""
    rows = jnp.arange(call.shape[0])
    is_bid = call >= FIRST_BID
    bid = jnp.where(is_bid, call - FIRST_BID, tables.last)
    place = jnp.clip(bid, 0, BIDS - 1)
    kind = jnp.where(is_bid, 0, call % FIRST_BID)
    seat = tables.turn.astype(jnp.int8)
    written = jnp.where(call == 0, tables.history[rows, place, kind], seat)
    side, strain = tables.turn % 2, place % 5
    named = tables.first[rows, side, strain]
    passes = jnp.where(call == 0, tables.passes + 1, 0)
    moved = AuctionTables(
        deals=tables.deals,
        turn=(tables.turn + 1) % 4,
        last=bid,
        bidder=jnp.where(is_bid, tables.turn, tables.bidder),
        doubled=jnp.where(is_bid, 0, jnp.where(call == 0, tables.doubled, call)),
        passes=passes,
        first=tables.first.at[rows, side, strain].set(jnp.where(is_bid & (named < 0), seat, named)),
        opening_pass=tables.opening_pass.at[rows, tables.turn].max((call == 0) & (bid < 0)),
        history=tables.history.at[rows, place, kind].set(written),
        done=passes >= jnp.where(bid >= 0, 3, 4),
    )
    return choose(tables.done, tables, moved)


def choose(mask: Array, yes: T, no: T) -> T:
    """Row by row: `yes` where the mask is set, else `no`, through any tree of arrays."""

    def pick(one: Array, other: Array) -> Array:
        return jnp.where(mask.reshape((-1,) + (1,) * (one.ndim - 1)), one, other)

    picked: T = jax.tree.map(pick, yes, no)
    return picked


def observe(tables: AuctionTables, systems: int) -> Array:
    """The player's observation exactly as nets.features has it, with so many systems a side."""
    seat = tables.turn
    vul = jnp.stack([tables.deals.vul & 1, tables.deals.vul >> 1], axis=1)
    sides = jnp.stack([seat % 2, 1 - seat % 2], axis=1)
    vulnerable = jnp.take_along_axis(vul, sides, axis=1)
    vul_bits = (vulnerable[:, :, None] == jnp.arange(2)).reshape(-1, 4)
    around = (seat[:, None] + jnp.arange(4)) % 4
    passed = jnp.take_along_axis(tables.opening_pass, around, axis=1)
    relative = (tables.history.astype(jnp.int32) - seat[:, None, None]) % 4
    who = (relative[..., None] == jnp.arange(4)) & (tables.history >= 0)[..., None]
    hand = tables.deals.owner == seat[:, None]
    parts = [vul_bits, passed, who.reshape(-1, 12 * BIDS), hand]
    if systems:
        told = jnp.take_along_axis(tables.deals.systems, sides, axis=1)
        parts.append((told[:, :, None] == jnp.arange(systems)).reshape(-1, 2 * systems))
    return jnp.concatenate(parts, axis=1)


def other_hands(tables: AuctionTables) -> Array:
    """[n, 156]: the cards of LHO, partner and RHO of the player to call."""
    seats = (tables.turn[:, None] + jnp.arange(1, 4)) % 4
    return (tables.deals.owner[:, None, :] == seats[:, :, None]).reshape(-1, 156)


def contract(tables: AuctionTables) -> tuple[Array, Array, Array]:
    """Bid, strain and declarer as the auction stands; 1C by North when nobody has bid."""
    rows = jnp.arange(tables.last.shape[0])
    bid = jnp.clip(tables.last, 0, BIDS - 1)
    strain = bid % 5
    named = tables.first[rows, tables.bidder % 2, strain].astype(jnp.int32)
    return bid, strain, jnp.clip(named, 0, 3)


def score(tables: AuctionTables) -> Array:
    """North-South's double-dummy score in the contract as it stands (0 when nobody has bid)."""
    bid, strain, declarer = contract(tables)
    rows = jnp.arange(bid.shape[0])
    vulnerable = jnp.where(declarer % 2 == 0, tables.deals.vul & 1, tables.deals.vul >> 1)
    tricks = tables.deals.tricks[rows, strain, declarer].astype(jnp.int32)
    won = jnp.asarray(_scores())[bid // 5, strain, tables.doubled, vulnerable, tricks]
    return jnp.where(tables.last < 0, 0.0, jnp.where(declarer % 2 == 0, won, -won))


def imps(difference: Array) -> Array:
    """IMPs for a difference in points, with its sign."""
    steps = jnp.asarray(IMP_STEPS, jnp.float32)
    won = (jnp.abs(difference)[..., None] >= steps).sum(axis=-1).astype(jnp.float32)
    return jnp.sign(difference) * won


def contract_values(deals: Deals, reference: Array, won: Callable[[Array], Array]) -> Array:
    """[n, side, doubled, bid]: what N-S win against the reference if that side played that
    contract.

    The better declarer of the side plays it. Only a critic may see this: it says what the cards
    are worth, which no player knows, and leaves it to predict where the auction goes.
    """
    tricks = deals.tricks.astype(jnp.int32).reshape(-1, 5, 2, 2).max(axis=2)  # [n, strain, side]
    bid = jnp.arange(BIDS)
    taken = jnp.moveaxis(tricks[:, bid % 5, :], 2, 1)  # [n, side, bid]
    vul = jnp.stack([deals.vul & 1, deals.vul >> 1], axis=1)
    sign = jnp.array([1.0, -1.0])[None, :, None]
    boards = [
        sign * jnp.asarray(_scores())[bid // 5, bid % 5, doubled, vul[:, :, None], taken]
        for doubled in (0, 1)
    ]
    return won(jnp.stack(boards, axis=2) - reference[:, None, None, None])


def play_out(
    choose_call: Callable[[AuctionTables, Array], Array], tables: AuctionTables
) -> AuctionTables:
    """All auctions to their end; `choose_call` is told how many calls were made before."""

    def going(carry: tuple[AuctionTables, Array]) -> Array:
        now, count = carry
        return ~now.done.all() & (count < LONGEST)

    def move(carry: tuple[AuctionTables, Array]) -> tuple[AuctionTables, Array]:
        now, count = carry
        return step(now, choose_call(now, count)), count + 1

    return jax.lax.while_loop(going, move, (tables, jnp.int32(0)))[0]


def with_systems(
    key: Array,
    deals: Deals,
    side: Array,
    foreign: Array,
    untold: float,
    known: int,
    played: tuple[int, ...] = (SAYC,),
    visiting: tuple[int, ...] = (),
) -> Deals:
    """Draw each side's system from those `played`, and `side`'s from those `visiting` (all `known`
    ones if none are named) where it is `foreign`; a share of the other tables is told nothing."""
    system_key, told_key, own_key = jax.random.split(key, 3)
    count = deals.owner.shape[0]
    drawn = jax.random.randint(system_key, (count,), 0, max(known, 1)).astype(jnp.int8)
    if visiting:
        drawn = jax.random.choice(system_key, jnp.array(visiting, jnp.int8), (count,))
    own = jax.random.choice(own_key, jnp.array(played, jnp.int8), (count, 2))
    is_side = side[:, None] == jnp.arange(2)
    systems = jnp.where(is_side & foreign[:, None], drawn[:, None], own)
    dark = jax.random.bernoulli(told_key, untold, (count, 1))
    dark &= ~foreign[:, None]
    return deals._replace(systems=jnp.where(dark, jnp.int8(UNKNOWN_SYSTEM), systems))
