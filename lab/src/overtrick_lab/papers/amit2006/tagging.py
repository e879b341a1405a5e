"""Tags for training states: what each call is worth over many worlds, all states of a net at once.
PIDM with a large budget, its simulated auctions batched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.kernel.leaves import Contracts
from overtrick.bidding.kernel.walk import Own
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import call_tests
from overtrick.evaluation import HandArray
from overtrick.game.cards import ALL_CARDS
from overtrick.systems.many import Pool
from overtrick.worlds.consistent import CallTest, SamplingBudget, inconsistencies, rbmbmc
from overtrick.worlds.sets import as_mask
from overtrick.worlds.splitting import deal_out
from overtrick_lab.papers.amit2006.ahead import Ahead
from overtrick_lab.papers.amit2006.problems import Hands
from overtrick_lab.papers.amit2006.states import InformativeState

Heard = Literal["net", "choice"]
_BATCH: Final = 30_000  # deals tested together
_TRIED: Final = 4000  # deals on which first choices are tried as an explanation …
_RARE: Final = 1e-3  # … and if they explain no more than this, the nets must do


@dataclass(frozen=True, slots=True)
class Tagged:
    """A state with the value of each of its calls (IMPs against the first) and the error of the
    difference between the two best."""

    state: InformativeState
    values: tuple[float, ...]
    error: float
    instances: int

    @property
    def best(self) -> int:
        return self.state.calls[int(np.argmax(self.values))]


@dataclass(frozen=True, slots=True)
class TagBudget:
    """Large compared with the table: worlds per state and instances to find them."""

    worlds: int = 40
    instances: int = 20_000
    turns: int = 1
    """Own later turns at which the calls are compared again, …"""
    own: Own = "set"
    """… on average over what cannot be told apart then, or world by world."""
    heard: Heard = "net"
    """Partner has a hand whose net holds these calls (RBMBMC), or whose first choices they are."""


def seats(player: PlayerModel, seat: int) -> list[PlayerModel]:
    """North, East, South, West as the player in `seat` imagines them."""
    found = [player, player.other(1), player.other(2), player.other(3)]
    return [found[(i - seat) & 3] for i in range(4)]


def tag_states(
    player: PlayerModel, states: Sequence[InformativeState], budget: TagBudget, seed: int
) -> list[Tagged]:
    """Every state tagged; states of one auction share their simulated auctions."""
    rng = np.random.default_rng(seed)
    groups: dict[AuctionPosition, list[int]] = defaultdict(list)
    for i, state in enumerate(states):
        groups[state.position].append(i)
    out: dict[int, Tagged] = {}
    for position, members in groups.items():
        found = _tag_position(player, position, [states[i] for i in members], budget, rng)
        out.update(zip(members, found, strict=True))
    return [out[i] for i in range(len(states))]


def _tag_position(
    player: PlayerModel,
    position: AuctionPosition,
    states: Sequence[InformativeState],
    budget: TagBudget,
    rng: Generator,
) -> list[Tagged]:
    worlds, spent = sample_together(player, position, [s.hand for s in states], budget, rng)
    owner = np.repeat(np.arange(len(states)), [len(w) for w in worlds])
    every = np.concatenate(worlds)
    leaves = player.utility.leaves(every, position.vul, position.turn & 1)
    ahead = Ahead(seats(player, position.turn), position.turn, every, owner, leaves, budget.own)
    ends = {}
    for call in sorted({c for s in states for c in s.calls}):
        mine = np.array([call in s.calls for s in states])
        ends[call] = ahead.after(position.then(call), mine[owner], budget.turns)
    out = []
    for i, state in enumerate(states):
        rows = np.flatnonzero(owner == i)
        ways = np.stack([ends[c][rows] for c in state.calls], axis=1)
        out.append(_tagged(state, leaves.values(Contracts.of(ways), rows), spent[i]))
    return out


def sample_together(
    player: PlayerModel,
    position: AuctionPosition,
    hands: Sequence[int],
    budget: TagBudget,
    rng: Generator,
) -> tuple[list[Hands], list[int]]:
    """RBMBMC for many hands in one position: the worlds of each [k, seat], and instances spent.

    Deals for all hands are tested in one go. A hand for which nothing consistent was found within
    the budget gets the most consistent deals of a search of its own.
    """
    tests = call_tests(player, position, position.turn)
    if budget.heard == "choice":
        exact = _exact(player, position)
        some = _complete(position.turn, rng.choice(np.array(hands, np.uint64), _TRIED), rng)
        if (inconsistencies(some, exact, 1) == 0).sum() > _RARE * _TRIED:
            tests = exact
    found: list[list[Hands]] = [[] for _ in hands]
    have, spent = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    accepted = 1.0
    while True:
        open_ = np.flatnonzero((have < budget.worlds) & (spent < budget.instances))
        if not len(open_):
            break
        each = int(np.clip(1.5 * budget.worlds / accepted, 8, _BATCH / len(open_) + 1))
        rows = np.repeat(open_, each)
        deals = _complete(position.turn, np.array(hands, np.uint64)[rows], rng)
        good = inconsistencies(deals, tests, 1) == 0
        spent[open_] += each
        accepted = max(good.mean(), 0.5 * accepted, 1e-4)
        for i in open_.tolist():
            found[i].append(deals[good & (rows == i)])
            have[i] += len(found[i][-1])
    out = [np.concatenate(f)[: budget.worlds] for f in found]
    for i in np.flatnonzero(have == 0).tolist():
        limit = SamplingBudget(instances=budget.instances)
        sample = rbmbmc(position.turn, hands[int(i)], tests, limit, budget.worlds, rng=rng)
        out[i] = sample.hands[sample.inconsistent == sample.inconsistent.min()]
        spent[i] += sample.generated
    return out, spent.tolist()


def _exact(player: PlayerModel, position: AuctionPosition) -> list[CallTest]:
    """The others' calls as what they would call, not only consider: the simulation service."""

    def test(turn: int, model: PlayerModel) -> CallTest:
        before, call = position.before(turn), position.calls[turn]

        def made(hands: HandArray) -> NDArray[np.bool_]:
            pool = Pool(hands.bits)
            return as_mask(model.chosen(before, pool).get(call, 0), len(pool))

        return CallTest(before.turn, made, 1.0 if call else 0.25)

    others = ((t, (position.dealer + t - position.turn) & 3) for t in range(len(position.calls)))
    models = [(turn, player.other(step)) for turn, step in others if step]
    return [test(turn, model) for turn, model in models if not model.silent]


def _complete(seat: int, mine: Hands, rng: Generator) -> Hands:
    """A random deal around each of these hands, [n, seat]."""
    deals = np.zeros((len(mine), 4), np.uint64)
    deals[:, seat] = mine
    others = [(seat + step) & 3 for step in (2, 1, 3)]
    cards = deal_out(rng, np.uint64(ALL_CARDS) & ~mine, [13] * 3)
    for other, held in zip(others, cards, strict=True):
        deals[:, other] = held
    return deals


def _tagged(state: InformativeState, values: NDArray[np.float64], used: int) -> Tagged:
    mean = values.mean(axis=0)
    one, two = np.argsort(mean)[-1], np.argsort(mean)[-2]
    gap = values[:, one] - values[:, two]
    error = float(gap.std() / np.sqrt(len(gap)))
    return Tagged(state, tuple(float(v) for v in mean), error, used)
