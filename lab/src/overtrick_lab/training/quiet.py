"""Recipe: a policy that passes where a hand has nothing to say, and otherwise calls as before.

Two habits are not worth keeping, because they win only against players who do not learn:

- Guests at the tables of a training run declare many systems and stand still, so a flag of theirs
  teaches a policy how to confuse them and hardly what they play. With `met` the policy takes every
  side for players of that one system, whose players learned when it learned.
- A call tells partner and opponents something, so a hand with nothing to tell (`nets.quiet`)
  passes: everywhere a pass shall be ahead by `lead`.

The policy bids random deals with itself and with a guest. At these positions, each with the hand
that was there and many with a weak one, the pupil learns the probabilities that the policy had, or
to pass. Nothing has to be simulated while it learns, so a processor will do.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from overtrick.bidding.disclosure import random_hands
from overtrick.game import Auction, Seat
from overtrick.nets import features, inference
from overtrick.nets.features import Bits
from overtrick.nets.quiet import nothing_to_say, points_and_lengths
from overtrick_lab.training import data, network
from overtrick_lab.training.auctions import AuctionCopies
from overtrick_lab.training.exported_match import MatchSide, conditions
from overtrick_lab.training.learner import Learner, LearningPace, apply, new_learner, over_time
from overtrick_lab.training.network import Params
from overtrick_lab.training.settings import QuietSettings, numbered, plain

LOGGER = logging.getLogger(__name__)
Measured = dict[str, Any]
WEAK: Final = (9, 5)
"""Points and cards of a suit that a weak hand has at most: many have nothing to say, many just
enough."""
SOFT: Final = 3.0
"""Doubts are compared so many times larger: a policy sure of its calls has hardly any."""
_POOL: Final = 200_000
_LONGEST: Final = 70
_APART: Final = 8192  # positions of either kind to measure on


class Rows(NamedTuple):
    """Positions, what the policy thought there, and where the pupil shall pass."""

    seen: Array  # [n, inputs]
    scores: Array  # [n, 38]: the policy's, illegal calls far below
    idle: Array  # [n]

    def some(self, rows: NDArray[np.int64]) -> Rows:
        return Rows(self.seen[rows], self.scores[rows], self.idle[rows])


def positions(
    sides: tuple[MatchSide, MatchSide], deals: int, explore: float, rng: np.random.Generator
) -> Bits:
    """What the first side saw at all its turns, when both bid so many random deals. Some calls are
    drawn instead of being the best, so that rare auctions are met."""
    cards = rng.random((deals, 52)).argsort(axis=1).astype(np.uint64).reshape(deals, 4, 13)
    hands = np.bitwise_or.reduce(np.uint64(1) << cards, axis=2)
    found = []
    for dealer, vul, places in conditions(deals):
        held = hands[places]
        auctions = AuctionCopies(Auction(Seat(dealer)), vul, len(held))
        for _ in range(_LONGEST):
            live = np.flatnonzero(~auctions.done)
            if not len(live):
                break
            turn = auctions.turn
            mine, other = sides[turn & 1], sides[1 - (turn & 1)]
            told = features.system_bits(mine.system, other.system, mine.net.version)
            parts = [auctions.public(live), features.hand_bits(held[live, turn])]
            if told is not None:
                parts.append(np.broadcast_to(told, (len(live), len(told))))
            rows = np.concatenate(parts, axis=1)
            if not turn & 1:
                found.append(rows)
            scores = np.where(auctions.legal(live), mine.net.run(rows), -np.inf)
            free = rng.random(len(live)) < explore
            drawn = (scores / 3 + rng.gumbel(size=scores.shape)).argmax(axis=1)
            calls = np.zeros(len(held), np.int64)
            calls[live] = np.where(free, drawn, scores.argmax(axis=1))
            auctions.call(calls)
    return np.concatenate(found)


def weak_hands(rng: np.random.Generator) -> Bits:
    """Weak hands as an observation has them, as many of each number of points."""
    bits = features.hand_bits(random_hands(rng, _POOL))
    blank = np.zeros((len(bits), features.HAND_START), np.uint8)
    points, lengths = points_and_lengths(np.concatenate([blank, bits], axis=1))
    weak = (points <= WEAK[0]) & (lengths.max(axis=1) <= WEAK[1])
    share = 1.0 / np.bincount(points[weak], minlength=WEAK[0] + 1)[points[weak]]
    chosen = rng.choice(np.flatnonzero(weak), _POOL // 4, p=share / share.sum())
    found: Bits = bits[chosen]
    return found


def with_weak_hands(seen: Bits, count: int, rng: np.random.Generator) -> Bits:
    """Positions in which somebody may have nothing to say, each with a weak hand: those after
    partner's opening as often as those in which partner has been silent."""
    empty = seen.copy()
    empty[:, features.HAND_START : features.PLAIN_WIDTH] = 0
    open_to = np.flatnonzero(
        nothing_to_say(empty)
    )  # nothing at all in the hand: the auction decides
    partner = features.HISTORY_START + 2 + 4 * np.arange(3 * features.BIDS)
    opened = seen[open_to][:, partner].any(axis=1)
    share = np.where(opened, 0.5 / max(opened.sum(), 1), 0.5 / max((~opened).sum(), 1))
    rows: Bits = seen[rng.choice(open_to, count, p=share / share.sum())]
    pool = weak_hands(rng)
    rows[:, features.HAND_START : features.PLAIN_WIDTH] = pool[rng.integers(0, len(pool), count)]
    return rows


def rows_of(seen: Bits, teacher: inference.Network) -> Rows:
    """Positions with what the policy thinks of them."""
    legal = features.legal_calls(seen)
    scores = np.where(legal, teacher.run(seen), np.float32(network.ILLEGAL))
    return Rows(jnp.asarray(seen), jnp.asarray(scores), jnp.asarray(nothing_to_say(seen)))


def loss(params: Params, rows: Rows, lead: float, activation: str) -> Array:
    """How far from the policy; where there is nothing to say, how much a pass lacks of its lead."""
    legal = rows.scores > network.ILLEGAL / 2
    scores = network.logits(params, rows.seen, legal, activation)
    was, now = (jax.nn.log_softmax(each / SOFT) for each in (rows.scores, scores))
    gap = jnp.where(legal, jnp.exp(was) * (was - now), 0.0).sum(axis=1)
    short = jnp.where(legal, jax.nn.relu(scores - scores[:, :1] + lead) / lead, 0.0)
    return jnp.where(rows.idle, (short[:, 1:] ** 2).sum(axis=1), gap).mean()


def deaf(params: Params, systems: int, met: int) -> Params:
    """The same policy, which takes both sides for players of one system whatever they declare."""
    if met >= systems:
        raise data.DataError(f"a network of {systems} systems has not met {features.SYSTEMS[met]}")
    weight, bias = params[0]
    told = jnp.array([features.PLAIN_WIDTH + side * systems + met for side in range(2)])
    first = weight.at[features.PLAIN_WIDTH :].set(0.0), bias + weight[told].sum(axis=0)
    return (first, *params[1:])


def measure(params: Params, rows: Rows, activation: str) -> Measured:
    """Calls where there is nothing to say, and calls changed elsewhere."""
    legal = rows.scores > network.ILLEGAL / 2
    call = network.logits(params, rows.seen, legal, activation).argmax(axis=1)
    before, idle = rows.scores.argmax(axis=1), rows.idle
    return {
        "positions": int(idle.shape[0]),
        "nothing_to_say": int(idle.sum()),
        "spoke": round(float((idle & (call != 0)).sum() / jnp.maximum(idle.sum(), 1)), 5),
        "spoke_before": round(float((idle & (before != 0)).sum() / jnp.maximum(idle.sum(), 1)), 5),
        "changed": round(float((~idle & (call != before)).mean()), 5),
    }


def run(settings: QuietSettings) -> Measured:
    """Bid, learn, measure on positions kept apart, save."""
    began = time.monotonic()
    rng = np.random.default_rng(settings.seed)
    met = numbered(settings.met)[0]
    start, card = network.load(settings.policy, "policy")
    systems = features.feature_version(card.features).systems
    teacher = inference.network(str(settings.policy), "policy")
    policy, guests = MatchSide(teacher, met), numbered(settings.guests)
    seen = [positions((policy, policy), settings.deals, settings.explore, rng)]
    for number in guests:
        sides = policy, MatchSide(inference.network(settings.guest, "policy"), number)
        found = positions(sides, settings.deals // len(guests), settings.explore, rng)
        # The policy hears no flag but that of its own kind.
        found[:, features.PLAIN_WIDTH :] = seen[0][0, features.PLAIN_WIDTH :]
        seen.append(found)
    every = rng.permutation(np.concatenate(seen))
    weak = with_weak_hands(every, len(every), rng)
    apart = min(len(every) // 10, _APART)
    test = [rows_of(part[:apart], teacher) for part in (every, weak)]
    taught = [rows_of(part[apart:], teacher) for part in (every, weak)]
    LOGGER.info("quiet: %d positions, %d weak hands", len(every), len(weak))

    def both(params: Params, ordinary: Rows, poor: Rows) -> Array:
        costs = [loss(params, rows, settings.lead, card.activation) for rows in (ordinary, poor)]
        return costs[0] + settings.weight * costs[1]

    @jax.jit
    def learn(learner: Learner, rows: tuple[Rows, Rows], rate: Array) -> tuple[Learner, Array]:
        cost, slope = jax.value_and_grad(both)(learner.params, *rows)
        return apply(learner, slope, rate, average=settings.average), cost

    learner = new_learner(start)

    def step(key: Array, rate: Array) -> Array:
        nonlocal learner
        rng = np.random.default_rng(np.asarray(key))
        drawn = (rng.integers(0, len(kind.idle), settings.batch) for kind in taught)
        rows = tuple(kind.some(chosen) for kind, chosen in zip(taught, drawn, strict=True))
        found: tuple[Learner, Array] = learn(learner, (rows[0], rows[1]), rate)
        learner = found[0]
        return found[1]

    pace = LearningPace(
        settings.minutes, settings.learning_rate, 1, settings.seed + 1, settings.steps,
        reports=10,
    )  # fmt: skip
    for _ in over_time(step, pace, "quiet", began):
        LOGGER.info("quiet: %s", measure(learner.average, test[1], card.activation))
    pupil = deaf(learner.average, systems, met)
    measured = {
        name: measure(pupil, rows, card.activation)
        for name, rows in zip(("as_dealt", "weak_hands"), test, strict=True)
    }
    made_by = {
        "recipe": "quiet", "settings": plain(settings), "measured": measured, "from": card.made_by,
    }  # fmt: skip
    network.save(settings.out, pupil, replace(card, made_by=made_by))
    return measured
