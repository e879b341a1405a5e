"""Recipe: a policy improves by bidding against itself, its past selves and SL in other systems.
See docs/training.md for runs and curves.

Every so often the policy plays SL on held-out deals and its openings are looked at; a weight on
openings that break the declared system rises while conformity is short of the goal and falls when
there is room, so strength is never bought with an undisclosed system.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.nets import features
from overtrick.notation.whole import write_whole
from overtrick_lab.training import a2c, data, match, network, ppo, state
from overtrick_lab.training.disclosure import ONE_LEVEL
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.opening_guard import OpeningGuard, conformity_goals
from overtrick_lab.training.rewards import Reward
from overtrick_lab.training.rollout import (
    CRITIC_EXTRA,
    DealPool,
    Form,
    SeatedTables,
    Stock,
    fresh_pool,
    seat_anew,
)
from overtrick_lab.training.settings import SelfplaySettings, plain

LOGGER = logging.getLogger(__name__)

LEARNERS: dict[str, Any] = {"ppo": ppo, "a2c": a2c}
"""What improves the policy: modules with new_learner and make_iteration."""


class League:
    """SL and past selves, stacked on the accelerator; group 0 of the guests is always SL."""

    def __init__(self, supervised: Params, size: int, like: Params | None = None) -> None:
        forms = network.form(supervised), network.form(supervised if like is None else like)
        self._form = max(form[0] for form in forms), max(form[1] for form in forms)
        first = network.grow(supervised, *self._form)  # all are of the learner's size
        self._stack = jax.tree.map(lambda p: jnp.repeat(p[None], size + 1, axis=0), first)
        self._put = jax.jit(
            lambda stack, params, at: jax.tree.map(lambda s, p: s.at[at].set(p), stack, params),
            donate_argnums=0,
        )
        self._take = jax.jit(lambda stack, rows: jax.tree.map(lambda s: s[rows], stack))
        self._size = size
        self.born: list[int] = []

    @property
    def count(self) -> int:
        """How many past selves there are."""
        return len(self.born)

    def add(self, params: Params, born: int = 0) -> None:
        """Keep a past self of that iteration; when full, every second one makes room."""
        if self.count == self._size:
            kept = [0, *range(2, self._size + 1, 2)]
            rows = np.resize(kept, self._size + 1)
            self._stack = self._take(self._stack, jnp.asarray(rows))
            self.born = [self.born[number - 1] for number in kept[1:]]
        self.born.append(born)
        self._stack = self._put(self._stack, network.grow(params, *self._form), self.count)

    def past(self, number: int) -> Params:
        """Past self 1..count, 0 for SL."""
        chosen: Params = jax.tree.map(lambda s: s[number], self._stack)
        return chosen

    def guests(self, groups: int, rng: np.random.Generator) -> Params:
        """SL and then past selves drawn at random, newer ones a little more often."""
        rows = [0]
        for _ in range(groups - 1):
            rows.append(1 + int(self.count * rng.beta(1.5, 1.0)) if self.count else 0)
        taken: Params = self._take(self._stack, jnp.asarray(np.minimum(rows, self.count)))
        return taken


@dataclass(frozen=True, slots=True)
class Start:
    """Everything a run begins with."""

    supervised: Params
    card: NetworkCard
    policy: Params
    critic: Params
    past: tuple[Params, ...]
    opponent: Params | None
    within: Params | None
    yardstick: tuple[Params, NetworkCard]
    train: data.ObservedDeals
    test: data.ObservedDeals
    tricks_network: Params | None


def prepare(settings: SelfplaySettings) -> Start:
    """Read networks and deals; resume where a folder of an earlier run is given."""
    if settings.calls * settings.tables % min(settings.minibatch, settings.calls * settings.tables):
        raise data.DataError("tables × calls must be a multiple of the minibatch")
    if settings.guests * settings.guest_tables > settings.tables:
        raise data.DataError("there are more guest tables than tables")
    if settings.algorithm not in LEARNERS:
        raise data.DataError(f"self-play learns by ppo or a2c, not {settings.algorithm}")
    if settings.critic not in CRITIC_EXTRA:
        raise data.DataError(f"the critic sees own, hands or contracts, not {settings.critic}")
    named = {*settings.systems.split(","), settings.measured_in}
    if not named <= set(features.SYSTEMS):
        raise data.DataError(f"systems are of {', '.join(features.SYSTEMS)}, not {sorted(named)}")
    if settings.optimizer not in ("adam", "adan"):
        raise data.DataError(f"the optimizer is adam or adan, not {settings.optimizer}")
    if settings.reference not in ("sl", "self"):
        raise data.DataError(f"the other table is bid by sl or self, not {settings.reference}")
    Reward.of(settings)
    supervised, card = network.load(settings.supervised, "policy")
    inputs = features.feature_version(card.features).width + CRITIC_EXTRA[settings.critic]
    policy = jax.tree.map(jnp.copy, supervised)
    past: tuple[Params, ...] = ()
    critic = network.init(jax.random.PRNGKey(settings.seed + 7), inputs, 1, settings.width)
    if settings.resume is not None:
        policy, _ = network.load(settings.resume / "policy.npz", "policy")
        old, _ = network.load(settings.resume / "critic.npz", "critic")
        critic = old if old[0][0].shape[0] == inputs else critic
        files = sorted(settings.resume.glob("past_*.npz"))
        past = tuple(network.load(path, "policy")[0] for path in files)
    solved = data.read_solved(settings.deals)
    cut = len(solved) - settings.held_out
    if cut < 1:
        raise data.DataError(f"{len(solved)} solved deals, {settings.held_out} of them held out")
    train, test = solved[:cut], solved[cut:]
    if settings.more_deals is not None:
        more = data.read_solved(*data.solved_files(settings.more_deals))
        train = data.join_solved([train, more])
    opponent = None
    if settings.opponent is not None:
        opponent = network.load(settings.opponent, "policy")[0]
    within = network.load(settings.within, "allowed")[0] if settings.within is not None else None
    yardstick = supervised, card
    if settings.yardstick is not None:
        yardstick = network.load(settings.yardstick, "policy")
    tricks = None
    if settings.tricks is not None:
        tricks = network.load(settings.tricks, "tricks")[0]
    return Start(
        supervised, card, policy, critic, past, opponent, within, yardstick, train, test, tricks
    )


class SelfplayRun:
    """One training run: the loop's state, its schedules, its evaluations and its files."""

    def __init__(self, settings: SelfplaySettings, start: Start, began: float) -> None:
        if start.opponent is not None:
            settings = replace(settings, guests=1, guest_tables=settings.tables)
        self.settings, self.start, self.began = settings, start, began
        self.form = Form(*match.network_form(start.card))
        self.league = League(start.supervised, settings.league, start.policy)
        for number, params in enumerate(start.past):
            self.league.add(params, number - len(start.past))  # before the first iteration
        self.guard = OpeningGuard(
            settings.guard, conformity_goals(settings.conformity, settings.guard_lead)
        )
        self.rng = np.random.default_rng(settings.seed)
        self.key = jax.random.PRNGKey(settings.seed + 1)
        train = jnp.asarray(start.train.owner), jnp.asarray(start.train.tricks)
        self.stock = Stock(*train, start.tricks_network)
        plain_boards = match.boards(start.test, settings.evaluate_deals, seed=1)
        declared = jnp.full_like(plain_boards.systems, features.SYSTEMS.index(settings.measured_in))
        self.boards = plain_boards._replace(systems=declared)
        self._pool = jax.jit(
            lambda key, other, stock: fresh_pool(key, other, stock, (settings, self.form))
        )
        self._iteration = LEARNERS[settings.algorithm].make_iteration(settings, self.form)
        self.pool = self.fresh(start.policy)
        seated = jax.jit(lambda key, pool: seat_anew(key, pool, (settings, self.form)))
        seats = seated(self.next_key(), self.pool)
        self.learner = self.learner_from(start.policy, start.critic, seats)
        self.iterations, self.brake = 0, 1.0
        self.curve: list[dict[str, Any]] = []

    @property
    def state(self) -> Path:
        """Where it is kept how far the run is, until it is over."""
        return self.settings.out / "state.npz"

    def past_state(self, born: int) -> Path:
        """A past self in full precision; written once, since it never changes."""
        return self.settings.out / f"state_past_{born}.npz"

    def keep(self) -> None:
        """Everything that the next iteration depends on.

        Deals and guests are drawn anew every `refresh` iterations, and this is called only then.
        """
        past = {born: self.league.past(row + 1) for row, born in enumerate(self.league.born)}
        for born, params in past.items():
            if not self.past_state(born).exists():
                state.save(self.past_state(born), params, {}, self.settings)
        told = {
            "iterations": self.iterations, "brake": self.brake, "born": self.league.born,
            "guard": self.guard.weights.tolist(), "rng": self.rng.bit_generator.state,
            "time_used": self.time_used(), "curve": self.curve,
        }  # fmt: skip
        state.save(self.state, (self.learner, self.key), told, self.settings)
        self.forget_past(set(past))

    def forget_past(self, but: set[int]) -> None:
        """Remove the kept past selves that nobody needs any more."""
        needed = {self.past_state(born) for born in but}
        for path in self.settings.out.glob("state_past_*.npz"):
            if path not in needed:
                path.unlink()

    def go_on(self) -> None:
        """From where a run with the same settings was killed, if there is one."""
        kept = state.load(self.state, (self.learner, self.key), self.settings)
        if kept is None:
            self.forget_past(set())
            return
        (self.learner, self.key), told = kept
        self.iterations, self.brake, self.curve = told["iterations"], told["brake"], told["curve"]
        self.guard.weights = np.array(told["guard"], dtype=np.float32)
        self.rng.bit_generator.state = told["rng"]
        self.began -= 60 * self.settings.minutes * told["time_used"]
        self.league = League(self.start.supervised, self.settings.league, self.start.policy)
        for born in told["born"]:
            past = state.load(self.past_state(born), self.league.past(0), self.settings)
            if past is None:
                raise data.DataError(f"{self.past_state(born)} is gone; without {self.state} the"
                                     " run begins anew")  # fmt: skip
            self.league.add(past[0], born)
        LOGGER.info("selfplay: going on from iteration %d", self.iterations)

    def over(self) -> None:
        """Nothing is left to go on from."""
        self.state.unlink(missing_ok=True)
        self.forget_past(set())

    def learner_from(self, policy: Params, critic: Params, seated: SeatedTables) -> Any:
        """A fresh learner with these networks at these tables."""
        setup = self.settings, self.form
        return LEARNERS[self.settings.algorithm].new_learner(policy, critic, seated, setup)

    def next_key(self) -> Array:
        keys: Array = jax.random.split(self.key)
        self.key = keys[0]
        return keys[1]

    def fresh(self, learner: Params) -> DealPool:
        """Deals with the score of the other table: SL's, or the learner's own."""
        other = learner if self.settings.reference == "self" else self.start.supervised
        pool: DealPool = self._pool(self.next_key(), other, self.stock)
        return pool

    def progress(self) -> float:
        """0..1 through the schedules, by iterations if they are set, else by time."""
        if self.settings.iterations:
            return self.iterations / self.settings.iterations
        return self.time_used()

    def time_used(self) -> float:
        """The share of the time that has gone; at 1 the run ends in any case."""
        return (time.monotonic() - self.began) / (60 * self.settings.minutes)

    def knobs(self) -> ppo.Knobs:
        """Rates and weights for the next iteration."""
        settings, done = self.settings, min(self.progress(), 1.0)
        fall = 1 - (1 - settings.final_rate) * done
        learning = 0.0 if self.iterations < settings.critic_only else fall
        warm = min(1.0, (self.iterations - settings.critic_only + 1) / 50)
        return ppo.Knobs(
            policy_rate=jnp.float32(
                settings.learning_rate * self.brake * learning * max(warm, 0.0)
            ),
            critic_rate=jnp.float32(settings.critic_rate * fall),
            entropy=jnp.float32(settings.entropy * (1 - (1 - settings.final_entropy) * done)),
            anchor=jnp.float32(settings.anchor),
            guard=jnp.asarray(self.guard.weights),
            escape=jnp.float32(settings.escape if self.start.within is not None else 0.0),
        )

    def iterate(self) -> ppo.Metrics:
        """One iteration, with fresh deals and guests from time to time."""
        if self.iterations % self.settings.refresh == 0:
            self.pool = self.fresh(self.learner.policy)
            self.guests = self.invite()
        metrics: ppo.Metrics
        self.learner, metrics = self._iteration(
            self.learner, self.guests, ppo.AnchorNetworks(self.start.supervised, self.start.within),
            self.pool, self.knobs(), self.next_key(),
        )  # fmt: skip
        self.iterations += 1
        return metrics

    def invite(self) -> Params:
        """Who plays at the guest tables next: the fixed opponent, or SL and past selves."""
        if self.start.opponent is None:
            return self.league.guests(max(self.settings.guests, 1), self.rng)
        stacked: Params = jax.tree.map(lambda p: p[None], self.start.opponent)
        return stacked

    def evaluate(self, metrics: ppo.Metrics) -> dict[str, Any]:
        """Matches against the yardstick, what the policy opens, the guard's answer to that."""
        card, sl = self.start.card, self.start.yardstick
        deals, reward = len(self.start.test), Reward.of(self.settings)
        average = match.duel((self.learner.average, card), sl, self.boards, deals, reward)
        newest = match.duel((self.learner.policy, card), sl, self.boards, deals, reward)
        seen = match.opening_report((self.learner.policy, card), self.boards)
        self.guard.steer(seen)
        best = max((point["newest_over_sl"] for point in self.curve), default=newest.mean)
        if newest.mean < best - self.settings.slip:
            self.brake *= 0.7
        point = {
            "seconds": round(time.monotonic() - self.began, 1),
            "iteration": self.iterations,
            "calls": self.iterations * self.settings.tables * self.settings.calls,
            "over_sl": round(average.mean, 4),
            "error": round(average.error, 4),
            "newest_over_sl": round(newest.mean, 4),
            "throttle": round(float(self.learner.throttle), 3),
            "brake": round(self.brake, 3),
            **{name: round(float(value), 4) for name, value in metrics._asdict().items()},
            "opening_rate": {band: round(rate, 3) for band, rate in seen.rate.items()},
            "light_rate": round(seen.light_rate, 4),
            "conforms": {bid: round(seen.conforms[bid], 3) for bid in ONE_LEVEL},
            "guard": [round(float(weight), 4) for weight in self.guard.weights],
        }
        self.curve.append(point)
        return point

    def made_by(self) -> dict[str, Any]:
        """For the card of the networks: recipe, settings, and the last point of the curve."""
        told, last = plain(self.settings), [dict(point) for point in self.curve[-1:]]
        if self.settings.iterations:  # the same network whatever time it took
            last = [{k: v for k, v in point.items() if k != "seconds"} for point in last]
        return {"recipe": "selfplay", "settings": told, "last": last}

    def save(self) -> None:
        """Average policy, critic, two past selves and the curve: enough to resume and to plot."""
        out, card = self.settings.out, self.start.card
        policy = NetworkCard("policy", card.features, card.activation, self.made_by())
        critic = NetworkCard("critic", self.settings.critic, "relu", self.made_by())
        network.save(out / "policy.npz", self.learner.average, policy)
        network.save(out / "critic.npz", self.learner.critic, critic)
        for number, share in enumerate((0.35, 0.7), start=1):
            if self.league.count:
                params = self.league.past(max(1, round(share * self.league.count)))
                network.save(out / f"past_{number}.npz", params, policy)
        lines = "".join(json.dumps(point) + "\n" for point in self.curve)
        write_whole(out / "curve.jsonl", lines)


class Beat:
    """Something that is due again and again: by iterations where they count, else by time."""

    def __init__(self, seconds: float, every: int = 0) -> None:
        self._seconds, self._every, self._last = seconds, every, time.monotonic()

    def due(self, iterations: int) -> bool:
        """Is it time?"""
        if self._every:
            return iterations % self._every == 0
        return time.monotonic() - self._last >= self._seconds

    def done(self) -> None:
        """It has been done; the time begins again."""
        self._last = time.monotonic()


def training(run: SelfplayRun) -> Iterator[tuple[float, dict[str, Any]]]:
    """The loop; yields progress and the newest point of the curve after each evaluation."""
    settings, metrics = run.settings, None
    snapshots = Beat(settings.snapshot_seconds, settings.every)
    matches, saves = Beat(settings.evaluate_seconds, settings.every), Beat(settings.save_seconds)
    pause = 1 if 0 < settings.iterations < 100 or settings.every else settings.pause
    while metrics is None or (run.progress() < 1 and run.time_used() < 1):
        metrics = run.iterate()
        if run.iterations % pause:
            continue
        run.learner.throttle.block_until_ready()
        if snapshots.due(run.iterations):
            run.league.add(run.learner.policy, run.iterations)
            snapshots.done()
        if matches.due(run.iterations) or run.iterations == 10:
            yield min(run.progress(), 1.0), run.evaluate(metrics)
            matches.done()
        if run.iterations % settings.refresh == 0 and saves.due(run.iterations):
            run.save()
            run.keep()
            saves.done()
    if not run.curve or run.curve[-1]["iteration"] < run.iterations:
        yield 1.0, run.evaluate(metrics)
    run.save()
    run.over()


def run(settings: SelfplaySettings) -> list[dict[str, Any]]:
    """Train to the end; returns the curve. Reading and compiling count towards the time."""
    began = time.monotonic()
    started = SelfplayRun(settings, prepare(settings), began)
    started.go_on()
    for progress, point in training(started):
        LOGGER.info("selfplay %3.0f %%: %s", 100 * progress, json.dumps(point))
    return started.curve
