"""Self-play tables: fresh deals with their reference score, guests, and the calls made at them.
Everything here runs inside the compiled iteration of a learner.

The reward of an auction is the IMPs (or matchpoints: `rewards`) between this table's double-dummy
score and the score of a second table on the same deal. By default the SL policy sits there in all
four seats and calls what it likes best: almost no cost, little variance. With `reference=self` it
is the learner, calling as it does when it learns: the duplicate of Qiu et al. Sides alternate, so a
value changes its sign from call to call.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables, Deals
from overtrick.nets import features
from overtrick.nets.quiet import points_and_lengths
from overtrick_lab.training import network, trick_network
from overtrick_lab.training.disclosure import ONE_LEVEL, conforms_to_sayc
from overtrick_lab.training.match import greedy
from overtrick_lab.training.network import Params
from overtrick_lab.training.rewards import Reward
from overtrick_lab.training.settings import SelfplaySettings

IMP_SCALE = 8.0
"""Rewards are IMPs divided by this."""
NOBODY = 2
"""The side of the guest at a table without one."""
CRITIC_EXTRA = {"own": 0, "hands": 156, "contracts": 156 + 141}


class Form(NamedTuple):
    """What all policies at the tables share: how many systems they see, and their activation."""

    systems: int
    activation: str


class Stock(NamedTuple):
    """Where deals come from: solved ones, or random ones and a network for their tricks."""

    owner: Array
    tricks: Array
    tricks_network: Params | None = None


class DealPool(NamedTuple):
    """Fresh deals, the N-S score of the reference table, and declarers' luck (`Reward.coins`)."""

    deals: Deals
    reference: Array
    coin: Array


class SeatedTables(NamedTuple):
    """Tables in play, their reference, which side a guest plays, and declarers' luck."""

    tables: AuctionTables
    reference: Array
    guest: Array
    coin: Array


class Calls(NamedTuple):
    """What happened, [calls, tables, …]."""

    observation: Array
    hidden: Array  # the other hands
    worth: Array  # IMPs of every contract, for the player to call
    legal: Array
    allowed: Array  # the legal calls that the learner's system leaves it; all, without a system
    call: Array
    log_prob: Array
    anchor: Array  # SL's log-probabilities
    value: Array
    reward: Array
    done: Array
    ours: Array  # the learner's own calls


def fresh_deals(key: Array, stock: Stock, size: int) -> Deals:
    """Solved deals with suits and seats changed, or random ones with tricks as the network thinks.

    Solved deals are few enough to be learned by heart; random ones never end.
    """
    if stock.tricks_network is None:
        return simulator.sample_deals(key, stock.owner, stock.tricks, size)
    deal_key, tricks_key = jax.random.split(key)
    deals = simulator.random_deals(deal_key, size)
    tricks = trick_network.draw(stock.tricks_network, deals.owner, tricks_key)
    return deals._replace(tricks=tricks)


def fresh_pool(
    key: Array, reference: Params, stock: Stock, setup: tuple[SelfplaySettings, Form]
) -> DealPool:
    """Deals with the score that the reference policy reaches on them."""
    settings, form = setup
    deals = fresh_deals(key, stock, settings.pool)
    reward = Reward.of(settings)
    coin = reward.coins(jax.random.fold_in(key, 1), settings.pool)
    call_key = jax.random.fold_in(key, 2)

    def call(tables: AuctionTables, made: Array) -> Array:
        if settings.reference == "sl":
            return greedy(reference, tables, form.systems, form.activation)
        observation = simulator.observe(tables, form.systems)
        legal = simulator.legal(tables)
        scores = network.logits(reference, observation, legal, form.activation)
        return jax.random.categorical(jax.random.fold_in(call_key, made), scores)

    end = simulator.play_out(call, simulator.start(deals))
    return DealPool(deals, reward.score(end, coin), coin)


def seat_anew(key: Array, pool: DealPool, setup: tuple[SelfplaySettings, Form]) -> SeatedTables:
    """A fresh deal at every table; the first tables have guests.

    Group 0 of the guests is SL's, who plays any of the systems there; everybody is told, except
    at a few tables. A fixed opponent plays SAYC like ourselves.
    """
    settings, form = setup
    pick, side_key, systems_key = jax.random.split(key, 3)
    chosen = jax.random.randint(pick, (settings.tables,), 0, pool.reference.shape[0])
    deals = jax.tree.map(lambda rows: rows[chosen], pool.deals)
    place = jnp.arange(settings.tables)
    side = jax.random.randint(side_key, (settings.tables,), 0, 2)
    guest = jnp.where(place < settings.guests * settings.guest_tables, side, NOBODY)
    away = 0 if settings.opponent is not None else min(settings.guests, 1) * settings.guest_tables
    # Inside written systems only these are known to the networks, to guests as well.
    foreign = (place < away) & (settings.within is None)
    deals = simulator.with_systems(
        systems_key, deals, guest, foreign, 0.1, form.systems, settings.played
    )
    return SeatedTables(simulator.start(deals), pool.reference[chosen], guest, pool.coin[chosen])


def contract_worth(seated: SeatedTables, reward: Reward) -> Array:
    """[n, 141]: IMPs/8 of each contract for the player to call, ours first, then a pass-out."""
    tables = seated.tables
    worth = simulator.contract_values(tables.deals, seated.reference, reward.won)
    north_south = tables.turn % 2 == 0
    mine = jnp.where(north_south[:, None, None, None], worth, -worth[:, ::-1])
    passed_out = reward.won(-seated.reference) * jnp.where(north_south, 1.0, -1.0)
    both = jnp.concatenate([mine.reshape(mine.shape[0], -1), passed_out[:, None]], axis=1)
    return (both / IMP_SCALE).astype(jnp.bfloat16)


def critic_input(kind: str, observation: Array, hidden: Array, worth: Array) -> Array:
    """What the critic sees: own cards, all cards, or all cards and what contracts bring."""
    parts = [observation.astype(jnp.bfloat16)]
    if kind in ("hands", "contracts"):
        parts.append(hidden.astype(jnp.bfloat16))
    if kind == "contracts":
        parts.append(worth)
    return jnp.concatenate(parts, axis=1)


def values(critic: Params, kind: str, observation: Array, hidden: Array, worth: Array) -> Array:
    """Expected reward of the player to call."""
    return network.forward(critic, critic_input(kind, observation, hidden, worth))[:, 0]


def guest_calls(guests: Params, observation: Array, legal: Array, groups: int, form: Form) -> Array:
    """Greedy calls at the guest tables: group g is played by the g-th of the stacked policies."""

    def one_group(params: Params, bits: Array, allowed: Array) -> Array:
        return network.logits(params, bits, allowed, form.activation).argmax(axis=1)

    grouped = (observation.reshape(groups, -1, observation.shape[1]), legal.reshape(groups, -1, 38))
    return jax.vmap(one_group)(guests, *grouped).reshape(-1)


def _with_guests(
    call: Array,
    ours: Array,
    guests: Params,
    seen: tuple[Array, Array],
    setup: tuple[SelfplaySettings, Form],
) -> Array:
    """The calls, with the guests' own at the tables in front where it is their turn."""
    settings, form = setup
    front = slice(0, settings.guests * settings.guest_tables)
    if not front.stop:
        return call
    observation, legal = (rows[front] for rows in seen)
    theirs = guest_calls(guests, observation, legal, settings.guests, form)
    return call.at[front].set(jnp.where(ours[front], call[front], theirs))


class TablePlayers(NamedTuple):
    """The networks at the tables; `guests` is a stack of policies."""

    policy: Params
    critic: Params
    guests: Params
    anchor: Params
    within: Params | None = None


def rollout(
    players: TablePlayers,
    seated: SeatedTables,
    pool: DealPool,
    key: Array,
    setup: tuple[SelfplaySettings, Form],
) -> tuple[SeatedTables, Calls, Array]:
    """`settings.calls` calls at each table, fresh deals after auctions; and the last value."""
    settings, form = setup
    reward = Reward.of(settings)

    def one_call(seated: SeatedTables, key: Array) -> tuple[SeatedTables, Calls]:
        call_key, seat_key = jax.random.split(key)
        tables = seated.tables
        observation = simulator.observe(tables, form.systems)
        hidden, worth = simulator.other_hands(tables), contract_worth(seated, reward)
        legal = simulator.legal(tables)
        allowed = legal
        if players.within is not None:
            allowed = network.permitted(players.within, observation, legal)
        scores = network.logits(players.policy, observation, allowed, form.activation)
        call = jax.random.categorical(call_key, scores)
        ours = tables.turn % 2 != seated.guest
        call = _with_guests(call, ours, players.guests, (observation, legal), setup)
        log_probs = jax.nn.log_softmax(scores)
        anchor = network.logits(players.anchor, observation, legal, form.activation)
        after = simulator.step(tables, call)
        won = reward.won(reward.score(after, seated.coin) - seated.reference) / IMP_SCALE
        mine = jnp.where(tables.turn % 2 == 0, won, -won)
        happened = Calls(
            observation,
            hidden,
            worth,
            legal,
            allowed,
            call,
            jnp.take_along_axis(log_probs, call[:, None], axis=1)[:, 0],
            jnp.maximum(jax.nn.log_softmax(anchor), -30.0).astype(jnp.bfloat16),
            values(players.critic, settings.critic, observation, hidden, worth),
            jnp.where(after.done, mine, 0.0),
            after.done,
            ours,
        )
        new = seat_anew(seat_key, pool, setup)
        return simulator.choose(after.done, new, seated._replace(tables=after)), happened

    seated, happened = jax.lax.scan(one_call, seated, jax.random.split(key, settings.calls))
    tables = seated.tables
    last = values(
        players.critic,
        settings.critic,
        simulator.observe(tables, form.systems),
        simulator.other_hands(tables),
        contract_worth(seated, reward),
    )
    return seated, happened, last


def advantages(happened: Calls, last: Array, trace: float) -> Array:
    """Generalised advantage estimates; the next player is always an opponent, hence the minus."""

    def backwards(
        carry: tuple[Array, Array], step: tuple[Array, Array, Array]
    ) -> tuple[tuple[Array, Array], Array]:
        next_advantage, next_value = carry
        value, reward, done = step
        going = 1.0 - done
        surprise = reward - next_value * going - value
        advantage = surprise - trace * next_advantage * going
        return (advantage, value), advantage

    steps = (happened.value, happened.reward, happened.done.astype(jnp.float32))
    _, found = jax.lax.scan(backwards, (jnp.zeros_like(last), last), steps, reverse=True)
    return found


def opening_faults(observation: Array) -> Array:
    """[n, 6]: would opening 1C, 1D, 1H, 1S, 1NT break SAYC; would any opening be on 0-7 HCP?

    All zero where somebody has already bid. The rules are those that disclosure measures with.
    """
    opening = ~observation[:, features.HISTORY_START : features.HAND_START].any(axis=1)
    points, lengths = points_and_lengths(observation)
    broken = [~jnp.asarray(conforms_to_sayc(bid, points, lengths)) for bid in ONE_LEVEL]
    return jnp.stack([*broken, points <= 7], axis=1) & opening[:, None]


def fault_probability(probabilities: Array, faults: Array) -> Array:
    """[n, 6]: how likely the policy is to make each of these openings."""
    first = features.FIRST_BID
    any_bid = probabilities[:, first:].sum(axis=1, keepdims=True)
    made = jnp.concatenate([probabilities[:, first : first + 5], any_bid], axis=1)
    return made * faults
