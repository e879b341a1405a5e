"""The paper's learner: advantage actor-critic that replays its calls, surprising ones more often.

Section IV and Table I of Qiu et al. 2024. Calls wait until their auction is over and then enter the
replay buffer with its result. A call is drawn with probability |result - value| to the power
`priority_exponent`; importance weights undo the bias of that, and the ratio of the new to the old
probability undoes the age of the call.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from overtrick.nets import features
from overtrick_lab.training.network import Params
from overtrick_lab.training.ppo import (
    AnchorNetworks,
    Iteration,
    Knobs,
    Metrics,
    descend,
    opening_cost,
    optimizer,
    outlook,
)
from overtrick_lab.training.rollout import (
    IMP_SCALE,
    Calls,
    DealPool,
    Form,
    SeatedTables,
    TablePlayers,
    rollout,
    values,
)
from overtrick_lab.training.settings import SelfplaySettings

PAPER_SCALE = IMP_SCALE / 24
"""The paper divides IMPs by 24, which gives its entropy weight a meaning."""
NEVER_ZERO = 1e-3
"""Added to each priority, so that a call the critic foresaw can still be drawn."""


class Replay(NamedTuple):
    """Calls with their results (as `reward`), flat; a priority of 0 is an empty place."""

    calls: Calls
    priority: Array


class A2cState(NamedTuple):
    """Everything that changes from one iteration to the next; the first seven as in ppo."""

    policy: Params
    critic: Params
    average: Params
    policy_state: optax.OptState
    critic_state: optax.OptState
    throttle: Array
    seated: SeatedTables
    waiting: Calls
    replay: Replay
    made: Array


def new_learner(
    policy: Params, critic: Params, seated: SeatedTables, setup: tuple[SelfplaySettings, Form]
) -> A2cState:
    """Start from these networks with a fresh optimiser and an empty buffer."""
    settings, form = setup
    copy = jax.tree.map(jnp.copy, policy)
    states = optimizer(settings).init(policy), optimizer(settings).init(critic)
    waiting = _nothing(settings, form)
    size = settings.calls * settings.tables * settings.replay
    empty = jax.tree.map(lambda rows: jnp.zeros((size, *rows.shape[2:]), rows.dtype), waiting)
    replay = Replay(empty, jnp.zeros(size))
    return A2cState(
        policy, critic, copy, *states, jnp.float32(1.0), seated, waiting, replay, jnp.int32(0)
    )


def _nothing(settings: SelfplaySettings, form: Form) -> Calls:
    """What waits before the first iteration: nobody's calls."""
    shape = settings.calls, settings.tables
    width = features.PLAIN_WIDTH + 2 * form.systems
    worth = 141 if settings.critic == "contracts" else 0
    return Calls(
        observation=jnp.zeros((*shape, width), bool),
        hidden=jnp.zeros((*shape, 156), bool),
        worth=jnp.zeros((*shape, worth), jnp.bfloat16),
        legal=jnp.zeros((*shape, features.CALLS), bool),
        allowed=jnp.zeros((*shape, features.CALLS), bool),
        call=jnp.zeros(shape, jnp.int32),
        log_prob=jnp.zeros(shape),
        anchor=jnp.zeros((*shape, features.CALLS), jnp.bfloat16),
        value=jnp.zeros(shape),
        reward=jnp.zeros(shape),
        done=jnp.ones(shape, bool),
        ours=jnp.zeros(shape, bool),
    )


def results(happened: Calls) -> tuple[Array, Array]:
    """What each call's auction brought its player, [calls, tables], and whether it is over."""

    def backwards(
        carry: tuple[Array, Array], step: tuple[Array, Array]
    ) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        reward, done = step
        # The next player is an opponent, hence the minus.
        result, over = jnp.where(done, reward, -carry[0]), done | carry[1]
        return (result, over), (result, over)

    start = jnp.zeros(happened.reward.shape[1]), jnp.zeros(happened.reward.shape[1], bool)
    _, found = jax.lax.scan(backwards, start, (happened.reward, happened.done), reverse=True)
    return found


def remember(learner: A2cState, happened: Calls, settings: SelfplaySettings) -> A2cState:
    """The calls that waited enter the buffer in place of the oldest; the new ones wait."""
    both = jax.tree.map(lambda old, new: jnp.concatenate([old, new]), learner.waiting, happened)
    result, over = (rows[: settings.calls] for rows in results(both))
    surprise = jnp.abs(result - learner.waiting.value) + NEVER_ZERO
    priority = jnp.where(over & learner.waiting.ours, surprise, 0.0).reshape(-1)
    entering = learner.waiting._replace(reward=result)
    size = priority.shape[0]
    flat: Calls = jax.tree.map(lambda rows: rows.reshape((size, *rows.shape[2:])), entering)
    place = (learner.made % settings.replay) * size
    stored = jax.tree.map(
        lambda old, new: jax.lax.dynamic_update_slice_in_dim(old, new, place, 0),
        learner.replay,
        Replay(flat, priority),
    )
    return learner._replace(replay=stored, waiting=happened, made=learner.made + 1)


def draw(
    key: Array, priority: Array, count: int, exponents: tuple[float, float]
) -> tuple[Array, Array]:
    """`count` places by priority, and weights (at most 1) that undo the preference."""
    by_priority, undoing = exponents
    share = jnp.where(priority > 0, priority**by_priority, 0.0)
    edges = jnp.cumsum(share)
    total = jnp.maximum(edges[-1], 1e-9)
    points = jax.random.uniform(key, (count,)) * total
    places = jnp.minimum(jnp.searchsorted(edges, points, side="right"), share.shape[0] - 1)
    chance = share[places] / total
    filled = (priority > 0).sum()
    weight = jnp.where(chance > 0, (filled * jnp.maximum(chance, 1e-12)) ** -undoing, 0.0)
    return places, weight / jnp.maximum(weight.max(), 1e-9)


def policy_loss(
    policy: Params, rows: Calls, weighed: tuple[Array, Array], knobs: Knobs, form: Form
) -> tuple[Array, tuple[Array, ...]]:
    """Importance-weighted policy gradient, entropy; anchor and guard if their weights are set."""
    advantage, weight = weighed
    seen = outlook(policy, rows, form)
    ratio = jnp.exp(jnp.clip(seen.drift, -20.0, 5.0))
    cost = -ratio * advantage * PAPER_SCALE - knobs.entropy * seen.entropy
    cost += (
        knobs.escape * seen.escape
        + knobs.anchor * seen.distance
        + opening_cost(seen.probs, rows.observation, knobs)
    )
    kl = ratio - 1 - seen.drift
    moved = (jnp.abs(ratio - 1) > 0.2).astype(jnp.float32)
    shown = tuple((part * weight).mean() for part in (seen.entropy, kl, seen.distance, moved))
    return (cost * weight).mean(), shown


def learn(
    learner: A2cState, knobs: Knobs, key: Array, setup: tuple[SelfplaySettings, Form]
) -> tuple[A2cState, tuple[Array, ...]]:
    """As many steps as ppo takes for as many calls, each on a fresh draw from the buffer."""
    settings, form = setup
    batch = min(settings.minibatch, settings.calls * settings.tables)
    steps = settings.epochs * settings.calls * settings.tables // batch
    exponents = settings.priority_exponent, settings.importance_exponent

    def one_step(learner: A2cState, key: Array) -> tuple[A2cState, tuple[Array, ...]]:
        places, weight = draw(key, learner.replay.priority, batch, exponents)
        rows: Calls = jax.tree.map(lambda array: array[places], learner.replay.calls)

        def critic_loss(critic: Params) -> tuple[Array, Array]:
            value = values(critic, settings.critic, rows.observation, rows.hidden, rows.worth)
            return ((rows.reward - value) ** 2 * weight).mean(), value

        (_, value), slope = jax.value_and_grad(critic_loss, has_aux=True)(learner.critic)
        critic, critic_state = descend(
            (learner.critic, learner.critic_state), slope, knobs.critic_rate, settings
        )
        advantage = rows.reward - value
        (_, shown), slope = jax.value_and_grad(policy_loss, has_aux=True)(
            learner.policy, rows, (advantage, weight), knobs, form
        )
        policy, policy_state = descend(
            (learner.policy, learner.policy_state), slope, knobs.policy_rate, settings
        )
        known = learner.replay.priority[places] > 0
        surprise = jnp.where(known, jnp.abs(advantage) + NEVER_ZERO, 0.0)
        priority = learner.replay.priority.at[places].set(surprise)
        changed = learner._replace(
            policy=policy, critic=critic, policy_state=policy_state, critic_state=critic_state,
            replay=learner.replay._replace(priority=priority),
        )  # fmt: skip
        return changed, shown

    return jax.lax.scan(one_step, learner, jax.random.split(key, steps))


def make_iteration(settings: SelfplaySettings, form: Form) -> Iteration[A2cState]:
    """The compiled iteration, called as ppo's."""
    setup = (settings, form)

    @partial(jax.jit, donate_argnums=0)
    def iteration(
        learner: A2cState,
        guests: Params,
        fixed: AnchorNetworks,
        pool: DealPool,
        knobs: Knobs,
        key: Array,
    ) -> tuple[A2cState, Metrics]:
        play_key, learn_key = jax.random.split(key)
        players = TablePlayers(learner.policy, learner.critic, guests, *fixed)
        seated, happened, _last = rollout(players, learner.seated, pool, play_key, setup)
        if settings.critic != "contracts":
            happened = happened._replace(worth=happened.worth[..., :0])
        learner = remember(learner._replace(seated=seated), happened, settings)
        learner, shown = learn(learner, knobs, learn_key, setup)
        keep = settings.average
        average = jax.tree.map(
            lambda old, new: keep * old + (1 - keep) * new, learner.average, learner.policy
        )
        stored, known = learner.replay.calls, learner.replay.priority > 0
        left = jnp.where(known, stored.reward - stored.value, 0.0)
        finished = happened.done.sum()
        entropy, kl, anchor_kl, clipped = (part[-1] for part in shown)
        metrics = Metrics(
            entropy=entropy,
            kl=kl,
            anchor_kl=anchor_kl,
            clipped=clipped,
            explained=1 - left.var() / jnp.maximum(jnp.where(known, stored.reward, 0).var(), 1e-6),
            reward=jnp.abs(happened.reward).sum() / finished * IMP_SCALE,
            auctions=finished,
        )
        return learner._replace(average=average), metrics

    return iteration
