"""Training states: bulk auctions of random deals, those with a choice kept, the dear ones first.
Thousands of deals share the work of one auction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionPosition, SeatHands, Walk
from overtrick.bidding.kernel.callers import Floats, Node, Split
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.game.calls import Call
from overtrick.systems.many import Pool
from overtrick.systems.refined import AuctionKey
from overtrick.worlds.sets import as_mask, as_set
from overtrick_lab.papers.amit2006.problems import Hands

Rows = NDArray[np.intp]
Choices = tuple[NDArray[np.bool_], NDArray[np.int64]]
"""For hands with a choice their calls [n, 38], and everybody's first choice."""
Met = tuple[AuctionPosition, Rows, Choices]
"""An auction, the deals that came to it, and what was open there."""


@dataclass(frozen=True, slots=True)
class InformativeState:
    """A hand in an auction to which the selection strategy leaves two calls or more."""

    position: AuctionPosition
    hand: int
    calls: tuple[int, ...]
    cost: float
    """What its search costs: its own branching times that of the choices still to come."""
    first: int = -1
    """What the player would call without learning or search."""

    @property
    def key(self) -> AuctionKey:
        return AuctionKey.of(self.position.calls)


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
    held, met = SeatHands(many), list[Met]()
    before = nets or players
    callers = [Collecting(p, n, wander, rng, met) for p, n in zip(players, before, strict=True)]
    out = Bidding([()] * len(many))
    for ending in Walk(held, callers).endings([(AuctionPosition(start, 0, 0), held.every)]):
        for row in held.rows(ending.worlds):
            out.auctions[row] = ending.at.calls
    out.decisions = sum(len(calls) - len(start) for calls in out.auctions)
    out.states = _states(met, many)
    return out


@dataclass(slots=True, eq=False)
class Collecting:
    """A player who follows its first choices and sometimes wanders; the choices that `net` leaves
    open are written down in `met`."""

    player: PlayerModel
    net: PlayerModel
    wander: float
    rng: Generator
    met: list[Met]

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        return self.player.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return [self._node(at, held.rows(worlds), held) for at, worlds in nodes]

    def _node(self, at: AuctionPosition, rows: Rows, held: SeatHands) -> Split:
        calls, open_ = self._choices(at, held.deals[rows, at.turn])
        if open_ is not None:
            self.met.append((at, rows, open_))
        return {call: held.set_of(rows[calls == call]) for call in np.unique(calls).tolist()}

    def _choices(
        self, at: AuctionPosition, hands: Hands
    ) -> tuple[NDArray[np.int64], Choices | None]:
        player, net = self.player, self.net
        if player.silent:
            return np.zeros(len(hands), np.int64), None
        pool = Pool(hands)
        selection = net.selection(at, pool)
        first = selection.first
        if player is not net and player.refined(at):
            first = player.selection(at, pool).first
        calls, open_ = first.copy(), selection.size > 1
        if not open_.any():
            return calls, None
        if self.wander:
            dice = self.rng.random(selection.allowed.shape) * selection.allowed
            strays = open_ & (self.rng.random(len(calls)) < self.wander)
            calls[strays] = dice.argmax(axis=1)[strays]
        return calls, (selection.allowed & open_[:, None], selection.first)


def _states(met: list[Met], many: Hands) -> list[InformativeState]:
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
        position = AuctionPosition(start[:i], 0, 0)
        if here:
            found = first_choices(players[position.turn], position, pools[position.turn], here)
            here = found.get(call, 0)
    return as_mask(here, len(many))


def first_choices(
    player: PlayerModel, position: AuctionPosition, pool: Pool, here: int
) -> dict[int, int]:
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
