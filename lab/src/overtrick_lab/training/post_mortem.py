"""Recipe: a policy learns from what other calls would have brought, as players do after a board.

At a position every call worth a thought is made at a table of its own, on the same cards, and the
policy bids each auction to its end. What a call brings beside the one the policy prefers, in IMPs,
is an honest if noisy answer to the question which is better: the hidden hands are what they are as
often as the auction makes them likely. The network learns the mean of many such answers:

    score(call) = keep · score before + step · IMPs of the call       each around the row's mean

From round to round the policy that bids the auctions is replaced by what has been learned. A policy
that is sure of its calls hardly ever tries another, so self-play teaches it little; here others are
tried at every position, and what is learned of a rare call weighs as much as of a common one.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.environments import simulator
from overtrick.nets import features
from overtrick.nets.quiet import nothing_to_say
from overtrick_lab.training import data, match, network, state, trick_network
from overtrick_lab.training.belief import (
    AtTables,
    Watch,
    Watched,
    WatchedPlayers,
    is_guest,
    next_calls,
    open_calls,
    seat_anew,
)
from overtrick_lab.training.disclosure import ONE_LEVEL, Openings
from overtrick_lab.training.growth import heated
from overtrick_lab.training.learner import Learner, LearningPace, apply, new_learner, over_time
from overtrick_lab.training.network import Params
from overtrick_lab.training.opening_guard import OpeningGuard, conformity_goals
from overtrick_lab.training.rewards import Reward
from overtrick_lab.training.rollout import Form, opening_faults
from overtrick_lab.training.settings import PostMortemSettings, numbered, plain

LOGGER = logging.getLogger(__name__)
Measured = dict[str, Any]
SURE: Final = 0.02
"""How often a position without doubt is looked at, beside one that is all doubt."""
STAGES: Final = ((6, 0.6), (4, 0.3), (6, 0.08), (16, 0.0))
"""Auctions end at different times: after so many calls, only this share of the tables goes on."""


class BetterPolicy(NamedTuple):
    """What changes: the network that learns, the policy that bids, how many steps it has been."""

    learner: Learner
    policy: Params
    steps: Array
    guard: Array  # [6]: IMPs that each fault of rollout.opening_faults costs


class GivenNetworks(NamedTuple):
    """The networks that do not change."""

    guest: Params
    tricks: Params
    within: Params | None = None  # the calls that a written system allows


class ComparedCalls(NamedTuple):
    """Positions, the calls to compare there, what each brought."""

    observation: Array
    legal: Array
    choice: Array  # [n, 38]: the calls that may be made: all legal ones, or what a system allows
    before: Array  # [n, 38]: scores of the policy that bids
    calls: Array  # [n, alternatives], the policy's own call first
    counts: Array  # [n, alternatives]: a legal call whose auction came to its end
    imps: Array  # [n, alternatives]: for the side that calls, beside the policy's own call


class RecipeSetting(NamedTuple):
    """What is fixed: how tables are seated, and the recipe's settings."""

    watch: Watch
    settings: PostMortemSettings


def bid_out(call: Callable[[Watched], Array], watched: Watched) -> Watched:
    """All auctions to their end, the long ones among themselves; a very long one is cut off."""

    def from_stage(number: int, now: Watched) -> Watched:
        def one(now: Watched, _: None) -> tuple[Watched, None]:
            return now._replace(tables=simulator.step(now.tables, call(now))), None

        length, share = STAGES[number]
        now = jax.lax.scan(one, now, length=length)[0]
        going_on = int(share * now.guest.shape[0])
        if not going_on:
            return now
        rows = jnp.argsort(now.tables.done, stable=True)[:going_on]
        rest = from_stage(number + 1, jax.tree.map(lambda array: array[rows], now))
        ended: Watched = jax.tree.map(lambda array, new: array.at[rows].set(new), now, rest)
        return ended

    return from_stage(0, watched)


def worth_a_thought(scores: Array, count: int, key: Array) -> Array:
    """[n, count]: the best call, and others drawn as often as the policy thinks of them."""
    noisy = scores + jax.random.gumbel(key, scores.shape)
    noisy = noisy.at[jnp.arange(scores.shape[0]), scores.argmax(axis=1)].set(jnp.inf)
    return jax.lax.top_k(noisy, count)[1]


def doubtful(
    scores: Array, choice: Array, ours: Array, heat: float, count: int, key: Array
) -> Array:
    """[count]: rows of tables, those most often at which the policy might see another call, or
    likes one that it may not choose."""
    likely = jnp.where(choice, jax.nn.softmax(scores / heat), 0.0).max(axis=1)
    upto = jnp.cumsum(jnp.where(ours, 1.0 - likely + SURE, 1e-9))
    places = (jax.random.uniform(key) + jnp.arange(count)) / count * upto[-1]
    return jnp.minimum(jnp.searchsorted(upto, places), upto.shape[0] - 1)


def around(values: Array, counts: Array) -> Array:
    """Each row less its mean over what counts."""
    number = jnp.maximum(counts.sum(axis=1, keepdims=True), 1)
    return values - jnp.where(counts, values, 0.0).sum(axis=1, keepdims=True) / number


def opening_cost(observation: Array, calls: Array, guard: Array) -> Array:
    """[n, alternatives]: what a call costs as an opening that breaks SAYC, or on 0-7 points."""
    cost = opening_faults(observation) * guard
    bid = calls - features.FIRST_BID
    one_level = jnp.take_along_axis(cost, jnp.clip(bid, 0, len(ONE_LEVEL) - 1), axis=1)
    broken = jnp.where((bid >= 0) & (bid < len(ONE_LEVEL)), one_level, 0.0)
    return broken + jnp.where(bid >= 0, cost[:, -1:], 0.0)


def bluff_cost(observation: Array, calls: Array, price: float) -> Array:
    """[n, alternatives]: what a call costs that tells of a hand which has nothing to tell."""
    idle = nothing_to_say(observation)[:, None]
    return jnp.where(idle & (calls != features.PASS), price, 0.0)


def ask(
    players: WatchedPlayers,
    tricks: Params,
    watched: Watched,
    guard: Array,
    key: Array,
    room: RecipeSetting,
) -> ComparedCalls:
    """What the alternatives bring at these tables; all of them have a guest's side, or none."""
    settings, form = room.settings, room.watch.form
    trick_key, call_key = jax.random.split(key)
    tables = watched.tables
    observation = simulator.observe(tables, form.systems)
    legal = simulator.legal(tables)
    before = network.logits(players.policy, observation, legal, form.activation)
    choice = open_calls(players, tables, observation)
    inside = jnp.where(choice, before, network.ILLEGAL)
    calls = worth_a_thought(inside, settings.alternatives, call_key)

    def next_call(now: Watched) -> Array:
        seen = simulator.observe(now.tables, form.systems)
        mine = open_calls(players, now.tables, seen)
        best = network.logits(players.policy, seen, mine, form.activation).argmax(axis=1)
        if not room.watch.guest_tables:
            return best
        theirs = match.greedy(players.guest, now.tables, *room.watch.guest_form)
        return jnp.where(is_guest(now), theirs, best)

    each = settings.alternatives
    many: Watched = jax.tree.map(lambda rows: jnp.repeat(rows, each, axis=0), watched)
    first = simulator.step(many.tables, calls.reshape(-1))
    end = bid_out(next_call, many._replace(tables=first)).tables
    sign = jnp.where(tables.turn % 2 == 0, 1.0, -1.0)[:, None]

    reward = Reward.of(settings)

    def won(key: Array) -> Array:
        coin = reward.coins(jax.random.fold_in(key, 1), tables.turn.shape[0])
        luck = jnp.repeat(coin, each, axis=0)
        drawn = jnp.repeat(trick_network.draw(tricks, tables.deals.owner, key), each, axis=0)
        played = end._replace(deals=end.deals._replace(tricks=drawn))
        score = reward.score(played, luck).reshape(calls.shape)
        return reward.won(sign * (score - score[:, :1]))

    imps = jax.vmap(won)(jax.random.split(trick_key, settings.draws)).mean(axis=0)
    done = end.done.reshape(calls.shape)
    counts = jnp.take_along_axis(choice, calls, axis=1) & done & done[:, :1]
    imps -= opening_cost(observation, calls, guard)
    imps -= bluff_cost(observation, calls, settings.bluff)
    return ComparedCalls(observation, legal, choice, before, calls, counts, imps)


def loss(params: Params, asked: ComparedCalls, room: RecipeSetting) -> Array:
    """How far the network is from the answers, and how far other calls rise above their place."""
    settings = room.settings
    scores = network.logits(params, asked.observation, asked.legal, room.watch.form.activation)
    chosen = jnp.take_along_axis(scores, asked.calls, axis=1)
    before = settings.keep * jnp.take_along_axis(asked.before, asked.calls, axis=1)
    wanted = before + settings.step * asked.imps
    gap = jnp.where(asked.counts, around(chosen, asked.counts) - around(wanted, asked.counts), 0.0)
    place = around(chosen, asked.counts) - chosen  # less the mean, for the other calls
    was = around(wanted, asked.counts) - wanted
    rise = jax.nn.relu(scores + place[:, :1] - settings.keep * asked.before - was[:, :1])
    compared = jax.nn.one_hot(asked.calls, scores.shape[1]).sum(axis=1) > 0
    others = jnp.where(asked.legal & ~compared, jnp.minimum(rise, 10.0) ** 2, 0.0)
    some = asked.counts.sum(axis=1) > 1
    answers = (gap**2).sum(axis=1) / settings.alternatives
    learned = (some * (answers + settings.others * others.sum(axis=1))).sum()
    escaped = outside(scores, asked, settings.lead).mean()
    return learned / jnp.maximum(some.sum(), 1) + settings.escape * escaped


def outside(scores: Array, asked: ComparedCalls, lead: float) -> Array:
    """[n]: how far calls that may not be chosen come up to `lead` below the best that may. Who
    imagines a partner asks the network without a mask, so it must keep inside by itself."""
    best = jnp.where(asked.choice, scores, network.ILLEGAL).max(axis=1, keepdims=True)
    above = jax.nn.relu(scores + lead - best)
    return jnp.where(asked.legal & ~asked.choice, above, 0.0).sum(axis=1)


def questions(
    thinker: BetterPolicy, fixed: GivenNetworks, watched: Watched, key: Array, room: RecipeSetting
) -> ComparedCalls:
    """Doubtful positions at the guest's tables and at the others, in proportion."""
    settings, watch = room.settings, room.watch
    players = WatchedPlayers(thinker.policy, fixed.guest, fixed.within)
    seen = simulator.observe(watched.tables, watch.form.systems)
    choice = open_calls(players, watched.tables, seen)
    legal = simulator.legal(watched.tables)
    scores = network.logits(players.policy, seen, legal, watch.form.activation)
    ours = ~is_guest(watched)
    asked = []
    for part, part_key, guests in (
        (slice(0, watch.guest_tables), jax.random.fold_in(key, 0), watch.guest_tables),
        (slice(watch.guest_tables, None), jax.random.fold_in(key, 1), 0),
    ):
        here = scores[part].shape[0]
        count = settings.positions * here // settings.tables
        if not count:
            continue
        pick_key, ask_key = jax.random.split(part_key)
        rows = doubtful(scores[part], choice[part], ours[part], settings.heat, count, pick_key)
        taken: Watched = jax.tree.map(lambda array, p=part, r=rows: array[p][r], watched)
        alone = room._replace(watch=watch._replace(guest_tables=guests))
        asked.append(ask(players, fixed.tricks, taken, thinker.guard, ask_key, alone))
    together: ComparedCalls = jax.tree.map(lambda *each: jnp.concatenate(each), *asked)
    return together


def make_chunk(
    room: RecipeSetting,
) -> Callable[
    [BetterPolicy, GivenNetworks, Watched, Array, Array], tuple[BetterPolicy, Watched, Array]
]:
    """`settings.calls` times: questions at the tables, learning from the answers, then a call."""
    settings = room.settings

    def learn(
        learner: Learner, asked: ComparedCalls, rate: Array, key: Array
    ) -> tuple[Learner, Array]:
        size = asked.imps.shape[0]
        rows = jax.random.permutation(key, size)
        rows = rows[: size // settings.minibatch * settings.minibatch]

        def minibatch(learner: Learner, rows: Array) -> tuple[Learner, Array]:
            part: ComparedCalls = jax.tree.map(lambda array: array[rows], asked)
            cost, slope = jax.value_and_grad(loss)(learner.params, part, room)
            return apply(learner, slope, rate, average=settings.average), cost

        return jax.lax.scan(minibatch, learner, rows.reshape(-1, settings.minibatch))

    @jax.jit
    def chunk(
        thinker: BetterPolicy, fixed: GivenNetworks, watched: Watched, key: Array, rate: Array
    ) -> tuple[BetterPolicy, Watched, Array]:
        def step(
            carry: tuple[BetterPolicy, Watched], key: Array
        ) -> tuple[tuple[BetterPolicy, Watched], Array]:
            thinker, watched = carry
            ask_key, learn_key, call_key, seat_key = jax.random.split(key, 4)
            asked = questions(thinker, fixed, watched, ask_key, room)
            learner, costs = learn(thinker.learner, asked, rate, learn_key)
            steps = thinker.steps + 1
            anew = steps % settings.refresh == 0
            policy = jax.tree.map(
                lambda new, old: jnp.where(anew, new, old), learner.average, thinker.policy
            )
            observation = simulator.observe(watched.tables, room.watch.form.systems)
            players = WatchedPlayers(thinker.policy, fixed.guest, fixed.within)
            call = next_calls(players, watched, observation, call_key, room.watch)
            after = watched._replace(tables=simulator.step(watched.tables, call))
            fresh = seat_anew(seat_key, settings.tables, room.watch)
            seated = simulator.choose(after.tables.done, fresh, after)
            now = thinker._replace(learner=learner, policy=policy, steps=steps)
            return (now, seated), costs.mean()

        keys = jax.random.split(key, settings.calls)
        (thinker, watched), costs = jax.lax.scan(step, (thinker, watched), keys)
        return thinker, watched, costs.mean()

    return chunk


def share_inside(policy: Params, within: Params | None, watched: Watched, watch: Watch) -> Array:
    """At these tables: how often the policy's best legal call is one that it may choose."""
    seen = simulator.observe(watched.tables, watch.form.systems)
    choice = open_calls(WatchedPlayers(policy, policy, within), watched.tables, seen)
    legal = simulator.legal(watched.tables)
    best = network.logits(policy, seen, legal, watch.form.activation).argmax(axis=1)
    kept = jnp.take_along_axis(choice, best[:, None], axis=1)[:, 0]
    ours = ~is_guest(watched)
    return (kept & ours).sum() / ours.sum()


class PostMortemRun(AtTables):
    """One training run: networks, tables, measurement and file."""

    settings: PostMortemSettings
    learner: BetterPolicy

    def __init__(self, settings: PostMortemSettings) -> None:
        self.settings = settings
        start, self._card = network.load(settings.policy, "policy")
        if min(settings.sharpen, settings.soften) <= 0:
            raise data.DataError("sharpen and soften must be more than 0")
        policy = heated(start, settings.soften)
        form = guest_form = Form(*match.network_form(self._card))
        guest, guest_tables = policy, 0
        if settings.guest is not None:
            guest, guest_card = network.load(settings.guest, "policy")
            guest_form = Form(*match.network_form(guest_card))
            guest_tables = int(settings.foreign * settings.tables)
        within = network.load(settings.within, "allowed")[0] if settings.within else None
        self._fixed = GivenNetworks(guest, network.load(settings.tricks, "tricks")[0], within)
        if settings.alternatives < 2 or settings.draws < 1:
            raise data.DataError("a post-mortem compares two calls or more, with one draw or more")
        if settings.minibatch > settings.positions:
            raise data.DataError("a minibatch cannot be larger than the number of positions")
        Reward.of(settings)
        played, visiting = numbered(settings.systems), numbered(settings.visiting)
        watch = Watch(settings, form, guest_form, guest_tables, played, visiting)
        self._chunk = make_chunk(RecipeSetting(watch, settings))
        self._inside = jax.jit(partial(share_inside, watch=watch))
        self._first = policy
        solved = data.read_solved(settings.deals)
        if len(solved) < settings.held_out:
            raise data.DataError(f"{settings.deals} has fewer deals than {settings.held_out}")
        self._boards = match.boards(solved[-settings.held_out :], settings.boards, seed=1)
        goals = conformity_goals(settings.conformity, settings.guard_lead)
        self._guard = OpeningGuard(settings.guard, goals)
        learner = new_learner(jax.tree.map(jnp.copy, policy))
        self.learner = BetterPolicy(learner, policy, jnp.int32(0), jnp.asarray(self._guard.weights))
        seat_key = jax.random.PRNGKey(settings.seed)
        self.watched = jax.jit(lambda key: seat_anew(key, settings.tables, watch))(seat_key)

    def step(self, key: Array, rate: Array) -> Array:
        """One call to the accelerator."""
        self.learner, self.watched, cost = self._chunk(
            self.learner, self._fixed, self.watched, key, rate
        )
        return cost

    def measure(self) -> tuple[Measured, Openings]:
        """A match against what the policy was at the start, and what it opens now."""
        now = self.learner.learner.average, self._card
        first, held_out = (self._first, self._card), self.settings.held_out
        inside = self._inside(self.learner.learner.average, self._fixed.within, self.watched)
        at_table = Reward.of(self.settings)._replace(at_table=1.0)
        solved = match.duel(now, first, self._boards, held_out, Reward(at_table.kind))
        found = solved
        if at_table.table is not None:
            found = match.duel(now, first, self._boards, held_out, at_table)
        seen = match.opening_report(now, self._boards)
        return {
            "over_start": round(found.mean, 4), "error": round(found.error, 4),
            "double_dummy": round(solved.mean, 4),
            "steps": int(self.learner.steps), "inside": round(float(inside), 4),
            "light_rate": round(seen.light_rate, 4),
            "opening_rate": {band: round(rate, 3) for band, rate in seen.rate.items()},
            "conforms": {bid: round(float(seen.conforms[bid]), 3) for bid in ONE_LEVEL},
            "guard": [round(float(weight), 3) for weight in self.learner.guard],
        }, seen  # fmt: skip

    def steer(self, seen: Openings) -> None:
        """The guard's answer to what the network opens now."""
        self._guard.weights = np.asarray(self.learner.guard)
        self._guard.steer(seen)
        self.learner = self.learner._replace(guard=jnp.asarray(self._guard.weights))

    def save(self, measured: Measured) -> None:
        """The network as it is on average, with its card."""
        made_by = {
            "recipe": "post-mortem",
            "settings": plain(self.settings),
            "measured": measured,
            "from": self._card.made_by,
        }
        card = replace(self._card, made_by=made_by)
        sharp = heated(self.learner.learner.average, 1 / self.settings.sharpen)
        network.save(self.settings.out, sharp, card)


def training(settings: PostMortemSettings) -> Iterator[tuple[float, Measured]]:
    """The whole recipe, measurement included; yields progress and what has been measured."""
    began = time.monotonic()
    run = PostMortemRun(settings)
    run.measure()  # compiled now, so that the last one is quick
    pace = LearningPace(
        settings.minutes, settings.learning_rate, settings.calls, settings.seed + 1,
        settings.steps, save_seconds=settings.save_seconds,
    )  # fmt: skip
    for progress in over_time(run.step, pace, "post-mortem", began, run.place(), run.keep):
        measured, seen = run.measure()
        run.steer(seen)
        run.save(measured)
        yield progress, measured
    state.beside(settings.out).unlink(missing_ok=True)


def run(settings: PostMortemSettings) -> Measured:
    """Train to the end; returns the measurements."""
    measured: Measured = {}
    for progress, found in training(settings):
        measured = found
        LOGGER.info("post-mortem %3.0f %%: %s", 100 * progress, json.dumps(found))
    return measured
