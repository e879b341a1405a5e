"""Training states: bulk auctions of random deals, those with a choice kept, the dear ones first.
Thousands of deals share the work of one auction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import Position
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.game.calls import Call
from overtrick.papers.amit2006.problems import Hands
from overtrick.systems.many import Pool, as_mask, as_set
from overtrick.systems.refined import AuctionKey

Rows = NDArray[np.intp]
Choices = tuple[NDArray[np.bool_], NDArray[np.int64]]
"""For hands with a choice their calls [n, 38], and everybody's first choice."""
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class InformativeState:
    """A hand in an auction to which the selection strategy leaves two calls or more."""

    position: Position
    hand: int
    calls: tuple[int, ...]
    cost: float
    """What its search costs: its own branching times that of the choices still to come."""
    first: int = -1
    """What the player would call without learning or search."""

    @property
    def key(self) -> AuctionKey:
        return AuctionKey.of(self.position.calls)


def is_over(calls: Sequence[int]) -> bool:
    return len(calls) >= 4 and not any(calls[-3:])


@dataclass(slots=True)
class Bidding:
    """What became of many deals: final auctions, and the informative states met on the way."""

    auctions: list[tuple[int, ...]]
    states: list[InformativeState] = field(default_factory=list)
    decisions: int = 0


def bid_deals(
    players: Sequence[PlayerModel],
    many: Hands,
    *,
    nets: Sequence[PlayerModel] | None = None,
    start: tuple[int, ...] = (),
    wander: float = 0.0,
    rng: Generator | None = None,
) -> Bidding:
    """Bid deals [n, seat] to the end; seat i is played by `players[i]`'s first choice.

    `nets[i]` says which states have a choice (default: the player itself); give the player before
    learning to find states of nets that are to be refined again. With `wander`, a hand with a
    choice takes one of its calls at random that often, so that states behind other choices are met
    as well. Costs of states are known once their auction is over.
    """
    rng = rng or np.random.default_rng(0)
    out = Bidding([()] * len(many))
    met: list[tuple[Position, Rows, Choices]] = []
    stack = [(Position(start, 0, 0), np.arange(len(many)))]
    while stack:
        position, rows = stack.pop()
        if is_over(position.calls) or len(position.calls) >= _LONGEST:
            for row in rows:
                out.auctions[row] = position.calls
            continue
        seat = position.turn
        pair = (players[seat], (nets or players)[seat])
        calls, open_ = _choices(pair, position, many[rows, seat], (wander, rng))
        out.decisions += len(rows)
        if open_ is not None:
            met.append((position, rows, open_))
        for call in np.unique(calls).tolist():
            stack.append((position.then(call), rows[calls == call]))
    out.states = _states(met, many)
    return out


def _choices(
    pair: tuple[PlayerModel, PlayerModel],
    position: Position,
    hands: Hands,
    wander: tuple[float, Generator],
) -> tuple[NDArray[np.int64], Choices | None]:
    player, net = pair
    if player.silent:
        return np.zeros(len(hands), np.int64), None
    pool = Pool(hands)
    selection = net.selection(position, pool)
    first = selection.first
    if player is not net and player.refined(position):
        first = player.selection(position, pool).first
    calls, open_ = first.copy(), selection.size > 1
    if not open_.any():
        return calls, None
    share, rng = wander
    if share:
        dice = rng.random(selection.allowed.shape) * selection.allowed
        strays = open_ & (rng.random(len(calls)) < share)
        calls[strays] = dice.argmax(axis=1)[strays]
    return calls, (selection.allowed & open_[:, None], selection.first)


def _states(met: list[tuple[Position, Rows, Choices]], many: Hands) -> list[InformativeState]:
    """From the end of the auctions to their beginning: later branching multiplies."""
    later = np.ones(len(many))
    out: list[InformativeState] = []
    for position, rows, (allowed, first) in sorted(met, key=lambda m: -len(m[0].calls)):
        seat = position.turn
        sizes = allowed.sum(axis=1)
        for i in np.flatnonzero(sizes):
            row = rows[i]
            later[row] *= sizes[i]
            calls = tuple(np.flatnonzero(allowed[i]).tolist())
            hand, cost = int(many[row, seat]), float(later[row])
            out.append(InformativeState(position, hand, calls, cost, int(first[i])))
    return out[::-1]


def beginnings(only: str) -> list[tuple[int, ...]]:
    """The auctions in which our side has begun with one of these sequences (`1H 2H,1S 2S`) and the
    opponents passed; North deals, so either partner may be the one who opens."""
    out: list[tuple[int, ...]] = []
    for text in only.split(","):
        ours = [int(Call.parse(word)) for word in text.split()]
        calls = tuple(c for call in ours for c in (call, 0))
        out += [calls, (0, 0, *calls)]
    return out


def begun(players: Sequence[PlayerModel], many: Hands, start: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which deals begin this way when all follow first choices."""
    pools = [Pool(many[:, seat]) for seat in range(4)]
    here = pools[0].everyone
    for i, call in enumerate(start):
        position = Position(start[:i], 0, 0)
        if here:
            found = first_choices(players[position.turn], position, pools[position.turn], here)
            here = found.get(call, 0)
    return as_mask(here, len(many))


def first_choices(player: PlayerModel, position: Position, pool: Pool, here: int) -> dict[int, int]:
    """What the hands `here` call; a refined net looks at these hands only."""
    if not player.refined(position):
        return player.chosen(position, pool, here)
    rows = np.flatnonzero(as_mask(here, len(pool)))
    calls = player.selection(position, pool.hands.bits[rows]).first
    out = {}
    for call in np.unique(calls).tolist():
        mask = np.zeros(len(pool), bool)
        mask[rows[calls == call]] = True
        out[call] = as_set(mask)
    return out


@dataclass(frozen=True, slots=True)
class NetTask:
    """A net worth refining: its auction, the states met there and what their search costs."""

    key: AuctionKey
    states: tuple[InformativeState, ...]

    @property
    def cost(self) -> float:
        return sum(s.cost for s in self.states)


def rank_nets(
    states: Sequence[InformativeState], least: int, without: Sequence[AuctionKey] = ()
) -> list[NetTask]:
    """Nets by the search they cause (frequency times cost), dearest first; those with fewer
    states than `least` are left for later, and so are the ones named."""
    groups: dict[AuctionKey, list[InformativeState]] = defaultdict(list)
    known = set(without)
    for state in states:
        if state.key not in known:
            groups[state.key].append(state)
    tasks = [NetTask(k, tuple(v)) for k, v in groups.items() if len(v) >= least]
    return sorted(tasks, key=lambda t: -t.cost)


def spread(task: NetTask, count: int, rng: Generator) -> list[InformativeState]:
    """At most `count` states of a net to tag: each class of conflicting calls by its frequency,
    none with fewer than it can learn from while another has plenty."""
    classes: dict[tuple[int, ...], list[InformativeState]] = defaultdict(list)
    for state in task.states:
        classes[state.calls].append(state)
    weights = {c: np.sqrt(len(v) * sum(s.cost for s in v)) for c, v in classes.items()}
    total = sum(weights.values())
    out: list[InformativeState] = []
    for calls, found in sorted(classes.items(), key=lambda item: -weights[item[0]]):
        share = min(len(found), max(1, round(count * weights[calls] / total)))
        chosen = rng.choice(len(found), share, replace=False)
        out += [found[int(i)] for i in chosen]
    return out[:count]
