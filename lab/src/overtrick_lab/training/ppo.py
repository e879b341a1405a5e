"""The default learner: proximal policy optimisation with a critic that sees all the cards.
One call of the compiled iteration makes and learns from a quarter-million calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import optax
from jax import Array

from overtrick_lab.training import network
from overtrick_lab.training.network import Params
from overtrick_lab.training.rollout import (
    IMP_SCALE,
    Calls,
    DealPool,
    Form,
    SeatedTables,
    TablePlayers,
    advantages,
    fault_probability,
    opening_faults,
    rollout,
    values,
)
from overtrick_lab.training.settings import SelfplaySettings

L = TypeVar("L")
SURE = 0.03
"""How often a call that was certain is learned from, beside one that was very unlikely."""


class PpoState(NamedTuple):
    """Everything that changes from one iteration to the next."""

    policy: Params
    critic: Params
    average: Params
    policy_state: optax.OptState
    critic_state: optax.OptState
    throttle: Array
    seated: SeatedTables


class Knobs(NamedTuple):
    """What the schedules and guards turn while training runs."""

    policy_rate: Array
    critic_rate: Array
    entropy: Array
    anchor: Array
    guard: Array  # [6], one per fault of rollout.opening_faults
    escape: Array


class Metrics(NamedTuple):
    """How an iteration went."""

    entropy: Array
    kl: Array
    anchor_kl: Array
    clipped: Array
    explained: Array
    reward: Array
    auctions: Array


class AnchorNetworks(NamedTuple):
    """The networks that do not change: the anchor, and the calls a written system allows."""

    anchor: Params
    within: Params | None


class CallBatch(NamedTuple):
    """Calls to learn from, flat."""

    happened: Calls
    advantage: Array
    target: Array
    weight: Array  # for how many calls this one stands, on average one


Iteration = Callable[[L, Params, AnchorNetworks, DealPool, Knobs, Array], tuple[L, Metrics]]


class Outlook(NamedTuple):
    """What the policy thinks of positions, and how far it has moved since it called there."""

    drift: Array  # log of its probability for the call made, over what that was then
    probs: Array
    entropy: Array
    distance: Array  # KL to the anchor
    escape: Array  # how much of what it would call is outside the system


def optimizer(settings: SelfplaySettings) -> optax.GradientTransformation:
    """Adam, or the paper's Adan; the rate comes with each step."""
    kinds = {"adam": optax.scale_by_adam, "adan": optax.scale_by_adan}
    return optax.chain(optax.clip_by_global_norm(0.5), kinds[settings.optimizer]())


def new_learner(
    policy: Params, critic: Params, seated: SeatedTables, setup: tuple[SelfplaySettings, Form]
) -> PpoState:
    """Start from these networks with a fresh optimiser."""
    copy = jax.tree.map(jnp.copy, policy)
    states = optimizer(setup[0]).init(policy), optimizer(setup[0]).init(critic)
    return PpoState(policy, critic, copy, *states, jnp.float32(1.0), seated)


def descend(
    now: tuple[Params, optax.OptState], slope: Params, rate: Array, settings: SelfplaySettings
) -> tuple[Params, optax.OptState]:
    """One step down the slope."""
    params, state = now
    change, state = optimizer(settings).update(slope, state, params)
    return jax.tree.map(lambda old, step: old - rate * step, params, change), state


def outlook(policy: Params, happened: Calls, form: Form) -> Outlook:
    """The policy as it is now, at positions where it has called before."""
    free = network.logits(policy, happened.observation, happened.legal, form.activation)
    scores = jnp.where(happened.allowed, free, network.ILLEGAL)
    escape = jax.nn.logsumexp(free, axis=1) - jax.nn.logsumexp(scores, axis=1)
    log_probs = jax.nn.log_softmax(scores)
    chosen = jnp.take_along_axis(log_probs, happened.call[:, None], axis=1)[:, 0]
    probs = jnp.where(happened.allowed, jnp.exp(log_probs), 0.0)
    entropy = -(probs * jnp.where(happened.allowed, log_probs, 0.0)).sum(axis=1)
    distance = (probs * (log_probs - happened.anchor.astype(jnp.float32))).sum(axis=1)
    return Outlook(chosen - happened.log_prob, probs, entropy, distance, escape)


def opening_cost(probs: Array, observation: Array, knobs: Knobs) -> Array:
    """What the guard asks for openings that break the system."""
    return fault_probability(probs, opening_faults(observation)) @ knobs.guard


def policy_loss(
    policy: Params, batch: CallBatch, knobs: Knobs, clip: float, form: Form
) -> tuple[Array, tuple[Array, Array, Array, Array]]:
    """Clipped surrogate, entropy, anchor and opening guard, over the learner's own calls."""
    happened, advantage = batch.happened, batch.advantage
    seen = outlook(policy, happened, form)
    ratio = jnp.exp(seen.drift)
    limited = jnp.clip(ratio, 1 - clip, 1 + clip)
    faults = opening_cost(seen.probs, happened.observation, knobs)
    ours = happened.ours.astype(jnp.float32)
    share = ours * batch.weight
    share /= share.sum()
    gain = jnp.minimum(ratio * advantage, limited * advantage)
    cost = -gain - knobs.entropy * seen.entropy + knobs.anchor * seen.distance + faults
    cost += knobs.escape * seen.escape
    kl = (ratio - 1 - seen.drift) * share
    clipped = (jnp.abs(ratio - 1) > clip) * share
    shown = (seen.entropy @ share, kl.sum(), seen.distance @ share, clipped.sum())
    return cost @ share, shown


def hesitant(batch: CallBatch, key: Array, settings: SelfplaySettings) -> CallBatch:
    """A share of the calls, whole minibatches, that teaches on average what all would.

    A call that the policy was sure of moves it next to nothing, and most calls are such: they are
    drawn rarely, and stand for many when they are.
    """
    size = batch.advantage.shape[0]
    step = min(settings.minibatch, size)
    count = max(1, round(settings.learned * size / step)) * step
    doubt = 1.0 - jnp.exp(batch.happened.log_prob)
    chance = jnp.where(batch.happened.ours, doubt, 0.0) + SURE
    upto = jnp.cumsum(chance)
    places = (jax.random.uniform(key) + jnp.arange(count)) / count * upto[-1]
    rows = jnp.minimum(jnp.searchsorted(upto, places), size - 1)
    drawn: CallBatch = jax.tree.map(lambda array: array[rows], batch)
    return drawn._replace(weight=chance.mean() / chance[rows])


def learn(
    learner: PpoState,
    batch: CallBatch,
    knobs: Knobs,
    key: Array,
    setup: tuple[SelfplaySettings, Form],
) -> tuple[PpoState, tuple[Array, ...]]:
    """Some passes over the batch in shuffled minibatches."""
    settings, form = setup
    size = batch.advantage.shape[0]

    def minibatch(learner: PpoState, rows: Array) -> tuple[PpoState, tuple[Array, ...]]:
        part: CallBatch = jax.tree.map(lambda array: array[rows], batch)
        (_, shown), slope = jax.value_and_grad(policy_loss, has_aux=True)(
            learner.policy, part, knobs, settings.clip, form
        )
        rate = knobs.policy_rate * learner.throttle
        policy, policy_state = descend(
            (learner.policy, learner.policy_state), slope, rate, settings
        )

        def critic_loss(critic: Params) -> Array:
            seen = part.happened
            value = values(critic, settings.critic, seen.observation, seen.hidden, seen.worth)
            return (part.weight * (value - part.target) ** 2).mean()

        slope = jax.grad(critic_loss)(learner.critic)
        critic, critic_state = descend(
            (learner.critic, learner.critic_state), slope, knobs.critic_rate, settings
        )
        changed = learner._replace(
            policy=policy, critic=critic, policy_state=policy_state, critic_state=critic_state
        )
        return changed, shown

    def epoch(learner: PpoState, key: Array) -> tuple[PpoState, tuple[Array, ...]]:
        rows = jax.random.permutation(key, size).reshape(-1, min(settings.minibatch, size))
        return jax.lax.scan(minibatch, learner, rows)

    return jax.lax.scan(epoch, learner, jax.random.split(key, settings.epochs))


def make_iteration(settings: SelfplaySettings, form: Form) -> Iteration[PpoState]:
    """The compiled iteration: (learner, guests, fixed, pool, knobs, key) -> (learner, metrics)."""
    setup = (settings, form)

    @partial(jax.jit, donate_argnums=0)
    def iteration(
        learner: PpoState,
        guests: Params,
        fixed: AnchorNetworks,
        pool: DealPool,
        knobs: Knobs,
        key: Array,
    ) -> tuple[PpoState, Metrics]:
        play_key, learn_key = jax.random.split(key)
        players = TablePlayers(learner.policy, learner.critic, guests, *fixed)
        seated, happened, last = rollout(players, learner.seated, pool, play_key, setup)
        advantage = advantages(happened, last, settings.trace)
        target = advantage + happened.value
        ours = happened.ours.astype(jnp.float32)
        mean = (advantage * ours).sum() / ours.sum()
        spread = jnp.sqrt((((advantage - mean) ** 2) * ours).sum() / ours.sum())
        scaled = (advantage - mean) / (spread + 1e-6)
        batch = CallBatch(happened, scaled, target, jnp.ones_like(target))
        batch = jax.tree.map(lambda rows: rows.reshape((-1, *rows.shape[2:])), batch)
        if settings.learned < 1:
            learn_key, pick_key = jax.random.split(learn_key)
            batch = hesitant(batch, pick_key, settings)
        learner, shown = learn(learner._replace(seated=seated), batch, knobs, learn_key, setup)
        entropy, kl, anchor_kl, clipped = shown
        moved = kl[-1].mean()
        throttle = jnp.where(
            moved > 1.5 * settings.target_kl,
            learner.throttle * 0.85,
            jnp.minimum(1.0, learner.throttle * 1.03),
        )
        keep = settings.average
        average = jax.tree.map(
            lambda old, new: keep * old + (1 - keep) * new, learner.average, learner.policy
        )
        finished = happened.done.sum()
        metrics = Metrics(
            entropy=entropy[-1].mean(),
            kl=moved,
            anchor_kl=anchor_kl[-1].mean(),
            clipped=clipped[-1].mean(),
            explained=1 - advantage.var() / target.var(),
            reward=jnp.abs(happened.reward).sum() / finished * IMP_SCALE,
            auctions=finished,
        )
        return learner._replace(average=average, throttle=throttle), metrics

    return iteration
