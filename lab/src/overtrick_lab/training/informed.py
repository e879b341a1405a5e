"""Recipe: an opponent who knows us, made from SL and our own auctions; how much margin is left?
The page docs/training.md says how the ways of learning differ.

`response` is the opponent that would expose confusion: it keeps SL's system, held there by a
KL term, and learns from auctions against the policy which of its calls pay, so it knows what the
policy's calls are worth. `control` has the same lessons against SL: as practised, but ignorant of
us. Imitation is weaker or beside the point: `shown` predicts our calls and still bids as SL does,
`clone` simply becomes the policy.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import LONGEST, AuctionTables, Deals
from overtrick.nets import features
from overtrick.nets.features import SAYC, UNKNOWN_SYSTEM
from overtrick.notation.whole import write_whole
from overtrick_lab.training import ablations, data, match, network, report, selfplay
from overtrick_lab.training import supervised as imitation
from overtrick_lab.training.match import greedy, network_form
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.settings import SelfplaySettings, SupervisedSettings
from overtrick_lab.training.trials_settings import InformedSettings

LOGGER = logging.getLogger(__name__)
RESPONSES = ("response", "control")
IMITATIONS = ("shown", "mixed", "clone")
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opponent:
    """A fine-tuned network and how it was made."""

    way: str
    label: str
    params: Params
    lessons: int


def lesson_settings(settings: InformedSettings, way: str) -> SelfplaySettings:
    """Self-play against a fixed opponent: the policy, or SL for the control."""
    made = SelfplaySettings(
        supervised=settings.supervised,
        deals=settings.deals,
        more_deals=settings.more_deals,
        opponent=settings.policy if way == "response" else settings.supervised,
        held_out=settings.held_out,
        iterations=settings.iterations,
        minutes=settings.minutes,
        tables=settings.tables,
        minibatch=2 * settings.tables,
        learning_rate=settings.learning_rate,
        guests=1,
        guest_tables=settings.tables,
        guard=0.0,
        average=0.96,
        league=1,
        seed=settings.seed,
    )
    if not settings.tiny:
        return made
    return replace(ablations.smaller(made), tables=64, guest_tables=64)


def responses(settings: InformedSettings, way: str, began: float) -> Iterator[Opponent]:
    """One network per anchor; the compiled iteration serves them all."""
    lessons = lesson_settings(settings, way)
    run = selfplay.SelfplayRun(lessons, selfplay.prepare(lessons), began)
    for number, word in enumerate(settings.anchors.split(",")):
        if number and run.time_used() >= 1:
            return
        start = jax.tree.map(jnp.copy, run.start.supervised)
        kept = run.learner.critic, run.learner.seated
        run.learner = run.learner_from(start, *kept)
        run.settings = replace(run.settings, anchor=float(word))
        run.iterations = 0
        while run.progress() < 1 and run.time_used() < 1:
            run.iterate()
            if run.iterations % 10 == 0:
                run.learner.throttle.block_until_ready()
        average = jax.tree.map(jnp.copy, run.learner.average)
        yield Opponent(way, f"{way}, anchor {float(word):g}", average, run.iterations)


@partial(jax.jit, static_argnames=("form",))
def _watch(ours: Params, theirs: Params, deals: Deals, side: Array, form: tuple[int, str]) -> Array:
    """Calls [n, LONGEST] of auctions in which `ours` play `side`, padded with -1."""

    def call(tables: AuctionTables, _: None) -> tuple[AuctionTables, Array]:
        first, second = greedy(ours, tables, *form), greedy(theirs, tables, *form)
        made = jnp.where(tables.turn % 2 == side, first, second)
        shown = jnp.where(tables.done, -1, made).astype(jnp.int8)
        return simulator.step(tables, made), shown

    _, calls = jax.lax.scan(call, simulator.start(deals), None, length=LONGEST)
    return calls.T


def auctions_of(
    policy: Params, sl: Params, form: tuple[int, str], way: str, settings: InformedSettings
) -> data.Auctions:
    """Auctions of random deals: the policy against SL, or against itself for a clone."""
    rng = np.random.default_rng(settings.seed + 11)
    watched = min(settings.watched, 64) if settings.tiny else settings.watched
    parts, batch = [], min(watched, 50_000)
    for _ in range(0, watched, batch):
        side = rng.integers(0, 2, batch).astype(np.int8)
        owner = data.random_owners(batch, rng)
        dealer, vul = rng.integers(0, 4, batch), rng.integers(0, 4, batch)
        systems = np.full((batch, 2), SAYC, np.int8)
        deals = Deals(
            jnp.asarray(owner), jnp.zeros((batch, 5, 4), jnp.int8), jnp.asarray(dealer),
            jnp.asarray(vul), jnp.asarray(systems),
        )  # fmt: skip
        other = policy if way == "clone" else sl
        calls = np.asarray(_watch(policy, other, deals, jnp.asarray(side), form))
        if way == "shown":
            systems[np.arange(batch), side] = UNKNOWN_SYSTEM
        length = (calls >= 0).sum(axis=1).astype(np.int16)
        calls = calls[:, : int(length.max())]
        parts.append(
            data.Auctions(
                owner, dealer.astype(np.int8), vul.astype(np.int8), length, calls, systems
            )
        )
    return data.join_auctions(parts)


def imitations(settings: InformedSettings, way: str, began: float) -> Iterator[Opponent]:
    """SL after more and more steps of supervised fine-tuning."""
    policy, _ = network.load(settings.policy, "policy")
    sl, card = network.load(settings.supervised, "policy")
    watched = auctions_of(policy, sl, network_form(card), way, settings)
    lessons = SupervisedSettings(
        resume=settings.supervised, steps=settings.steps, learning_rate=settings.learning_rate,
        untold=0.0, batch=128 if settings.tiny else 8192, seed=settings.seed,
        systems=bool(network_form(card)[0]), activation=card.activation,
    )  # fmt: skip
    for progress, params, _ in imitation.training(lessons, imitation.positions(watched)):
        steps = round(progress * settings.steps)
        if way == "shown" and lessons.systems:
            # At the table it is to know that these opponents are not just another SAYC pair.
            params = report.misled(params, SAYC, UNKNOWN_SYSTEM)
        yield Opponent(way, f"{way}, {steps} steps", params, steps)
        if time.monotonic() - began > 60 * settings.minutes:
            return


class Examiner:
    """Plays the policy against each opponent on the held-out boards."""

    def __init__(self, settings: InformedSettings) -> None:
        self.policy = network.load(settings.policy, "policy")
        self.sl = network.load(settings.supervised, "policy")
        solved = data.read_solved(settings.deals)
        self.held_out = 60 if settings.tiny else settings.held_out
        test = solved[len(solved) - self.held_out :]
        seeds = range(100, 100 + settings.rounds)
        self.boards = [match.boards(test, 2 * self.held_out, seed) for seed in seeds]
        self.own: imitation.Positions | None = None
        if settings.auctions is not None:
            whole, last = data.read_auctions(settings.auctions), 50 if settings.tiny else 20_000
            self.own = imitation.positions(whole[max(0, len(whole) - last) :])
        self.plain = self.margin(self.sl)

    def margin(self, opponent: tuple[Params, NetworkCard]) -> match.NetworkMargin:
        return report.played(self.policy, opponent, self.boards, self.held_out)

    def examine(self, opponent: Opponent) -> Found:
        """The margin over it, the share of the plain margin, and whether it is still SL."""
        pair = opponent.params, self.sl[1]
        result = self.margin(pair)
        share = result.mean / self.plain.mean if self.plain.mean else float("nan")
        found: Found = {
            "way": opponent.way,
            "opponent": opponent.label,
            "lessons": opponent.lessons,
            "policy_over_it": report.shown(result),
            "share_of_plain_margin": round(share, 4),
            "it_over_sl": report.shown(
                report.played(pair, self.sl, self.boards[:1], self.held_out)
            ),
            "calls_as_sl": round(self.likeness(opponent.params), 4),
        }
        if self.own is not None:
            found["teacher_accuracy"] = round(imitation.accuracy(pair[0], self.own, pair[1])[0], 4)
        LOGGER.info("informed: %s", json.dumps(found))
        return found

    def likeness(self, params: Params) -> float:
        """Share of its calls against the policy that SL would make too."""
        form = network_form(self.sl[1])
        rows = min(self.boards[0].owner.shape[0], 4096)
        deals = jax.tree.map(lambda array: array[:rows], self.boards[0])
        same, made = _likeness(params, self.policy[0], self.sl[0], deals, form)
        return float(same) / float(made)


@partial(jax.jit, static_argnames=("form",))
def _likeness(
    params: Params, policy: Params, sl: Params, deals: Deals, form: tuple[int, str]
) -> tuple[Array, Array]:
    """How many of its calls as East-West against the policy are SL's, of how many."""

    def call(
        carry: tuple[AuctionTables, Array, Array], _: None
    ) -> tuple[tuple[AuctionTables, Array, Array], None]:
        tables, same, made = carry
        theirs, plain = greedy(params, tables, *form), greedy(sl, tables, *form)
        turn = (tables.turn % 2 == 1) & ~tables.done
        chosen = jnp.where(tables.turn % 2 == 1, theirs, greedy(policy, tables, *form))
        counts = same + (turn & (theirs == plain)).sum(), made + turn.sum()
        return (simulator.step(tables, chosen), *counts), None

    start = simulator.start(deals), jnp.int32(0), jnp.int32(0)
    (_, same, made), _ = jax.lax.scan(call, start, None, length=LONGEST)
    return same, made


def with_equal_features(settings: InformedSettings) -> InformedSettings:
    """Both networks sit at the same tables: an SL that knows fewer systems gets their flags."""
    card = network.load(settings.policy, "policy")[1]
    sl, old = network.load(settings.supervised, "policy")
    if card.features == old.features:
        return settings
    versions = features.feature_version(old.features), features.feature_version(card.features)
    wide = settings.out / "supervised.npz"
    network.save(wide, network.widen(sl, *versions), replace(old, features=card.features))
    return replace(settings, supervised=wide)


def run(settings: InformedSettings) -> dict[str, Any]:
    """All ways in turn; what is known so far is written after each network."""
    began = time.monotonic()
    ways = settings.ways.split(",")
    unknown = [way for way in ways if way not in (*RESPONSES, *IMITATIONS)]
    if unknown:
        known = ", ".join((*RESPONSES, *IMITATIONS))
        raise data.DataError(f"no way to learn called {unknown[0]}; there are {known}")
    settings = with_equal_features(settings)
    examiner = Examiner(settings)
    found: list[Found] = []
    shown = {"plain_margin": report.shown(examiner.plain), "opponents": found}
    for way in ways:
        make: Callable[[InformedSettings, str, float], Iterator[Opponent]]
        make = responses if way in RESPONSES else imitations
        for opponent in make(settings, way, began):
            found.append(examiner.examine(opponent))
            name = f"{way}_{opponent.label.split()[-1]}" if way in RESPONSES else way
            card = replace(examiner.sl[1], made_by={"recipe": "informed", **found[-1]})
            network.save(settings.out / f"{name}.npz", opponent.params, card)
            write_whole(settings.out / "informed.json", json.dumps(shown, indent=1))
    return {entry["opponent"]: entry["policy_over_it"] for entry in found}
