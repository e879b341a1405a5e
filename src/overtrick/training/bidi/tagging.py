"""Tags for training states: what each call is worth over many worlds, all states of a net at once.
Used by co-training (seed 000, 4.2.2): PIDM with a large budget, its simulated auctions batched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.models import PlayerModel, Position
from overtrick.bidding.pidm.sampling import call_tests
from overtrick.bidding.utility import Contracts
from overtrick.systems.many import Pool, as_set
from overtrick.training.bidi.problems import Hands
from overtrick.training.bidi.states import InformativeState, contracts
from overtrick.worlds.consistent import Budget, rbmbmc


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


def seats(player: PlayerModel, seat: int) -> list[PlayerModel]:
    """North, East, South, West as the player in `seat` imagines them."""
    found = [player, player.other(1), player.other(2), player.other(3)]
    return [found[(i - seat) & 3] for i in range(4)]


def tag_states(
    player: PlayerModel, states: Sequence[InformativeState], budget: TagBudget, seed: int
) -> list[Tagged]:
    """Every state tagged; states of one auction share their simulated auctions."""
    rng = np.random.default_rng(seed)
    groups: dict[Position, list[int]] = defaultdict(list)
    for i, state in enumerate(states):
        groups[state.position].append(i)
    out: dict[int, Tagged] = {}
    for position, members in groups.items():
        found = _tag_position(player, position, [states[i] for i in members], budget, rng)
        out.update(zip(members, found, strict=True))
    return [out[i] for i in range(len(states))]


def _tag_position(
    player: PlayerModel,
    position: Position,
    states: Sequence[InformativeState],
    budget: TagBudget,
    rng: Generator,
) -> list[Tagged]:
    tests = call_tests(player, position, position.turn)
    worlds, spent = [], []
    for state in states:
        limit = Budget(instances=budget.instances)
        sample = rbmbmc(
            position.turn, state.hand, tests, limit, budget.worlds, rng=rng, proposal="staged"
        )
        worlds.append(sample.hands[sample.inconsistent == sample.inconsistent.min()])
        spent.append(sample.generated)
    sizes = np.array([len(w) for w in worlds])
    owner = np.repeat(np.arange(len(states)), sizes)
    every = np.concatenate(worlds)
    ends = _ends(player, position, (every, owner), states)
    out = []
    for i, state in enumerate(states):
        rows = np.flatnonzero(owner == i)
        leaves = player.utility.leaves(every[rows], position.vul, position.turn & 1)
        ways = np.stack([ends[c][rows] for c in state.calls], axis=1)
        values = leaves.values(np.arange(len(rows)), Contracts.of(ways))
        out.append(_tagged(state, values, spent[i]))
    return out


def _ends(
    player: PlayerModel,
    position: Position,
    deals: tuple[Hands, NDArray[np.intp]],
    states: Sequence[InformativeState],
) -> dict[int, NDArray[np.int64]]:
    """The contracts [worlds, 3] behind each call, all worlds in which it is allowed together."""
    every, owner = deals
    players = seats(player, position.turn)
    pools = [Pool(every[:, seat]) for seat in range(4)]
    out: dict[int, NDArray[np.int64]] = {}
    for call in sorted({c for s in states for c in s.calls}):
        mine = np.array([call in s.calls for s in states])
        found = np.zeros((len(every), 3), np.int64)
        contracts(players, pools, position.then(call), as_set(mine[owner]), found)
        out[call] = found
    return out


def _tagged(state: InformativeState, values: NDArray[np.float64], used: int) -> Tagged:
    mean = values.mean(axis=0)
    one, two = np.argsort(mean)[-1], np.argsort(mean)[-2]
    gap = values[:, one] - values[:, two]
    error = float(gap.std() / np.sqrt(len(gap)))
    return Tagged(state, tuple(float(v) for v in mean), error, used)
