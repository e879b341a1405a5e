"""Who calls what: many hands of one seat in one auction to the probabilities of its 38 calls.

A `Caller` stands for a player whose hand is not known. Networks, the rules of a system, a bidder by
points and mixtures of them all are one, so every seat of a search can be modelled by what it plays:
    NetworkCaller   a policy network, told both sides' systems where it knows them
    RulesCaller     the rules of a `.bid` system
    Mixture         several callers with shares, and the doubt that it is any of them
    Passing         a player who always passes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import LIKELIHOOD_FLOOR, LIKELIHOOD_HOPELESS, LIKELIHOOD_PILOT
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.nets.features import (
    Bits,
    hand_bits,
    legal_calls,
    observe,
    public_bits,
    system_bits,
)
from overtrick.nets.inference import Network, softmax
from overtrick.worlds.sets import as_mask, as_set

# The language of rules is a third of a start: it is loaded when somebody plays by them.
if TYPE_CHECKING:
    from overtrick.systems import Reading
    from overtrick.systems.context import Context
    from overtrick.systems.many import Pool

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
WorldSet = int
"""A set of worlds: bit i is world i."""
Node = tuple[AuctionPosition, WorldSet]
"""An auction and the worlds that have come to it."""
Split = dict[int, WorldSet]
"""Which worlds go on with which call."""


class SeatHands:
    """The hands held in many deals [n, seat]; what rules say about a seat's hands is kept."""

    __slots__ = ("_alike", "_pools", "_rows", "deals", "every")

    def __init__(self, deals: Hands) -> None:
        self.deals = deals
        self.every: WorldSet = (1 << len(deals)) - 1
        self._pools: list[Pool | None] = [None] * 4
        self._rows: dict[WorldSet, NDArray[np.intp]] = {}
        self._alike: list[NDArray[np.intp] | None] = [None] * 4

    def __len__(self) -> int:
        return len(self.deals)

    def pool(self, seat: int) -> Pool:
        found = self._pools[seat]
        if found is None:
            from overtrick.systems.many import Pool

            found = self._pools[seat] = Pool(np.ascontiguousarray(self.deals[:, seat]))
        return found

    def alike(self, seat: int) -> NDArray[np.intp]:
        """For each world the number of the seat's hand: worlds with the same hand share it."""
        found = self._alike[seat]
        if found is None:
            _, inverse = np.unique(self.deals[:, seat], return_inverse=True)
            found = self._alike[seat] = inverse.ravel()
        return found

    def rows(self, worlds: WorldSet) -> NDArray[np.intp]:
        """The numbers of the worlds in a set."""
        found = self._rows.get(worlds)
        return np.flatnonzero(as_mask(worlds, len(self))) if found is None else found

    def set_of(self, rows: NDArray[np.intp]) -> WorldSet:
        """The set of these worlds, in rising order; asked for its rows, it knows them."""
        mask = np.zeros(len(self), bool)
        mask[rows] = True
        found = as_set(mask)
        self._rows[found] = rows
        return found


class Caller(Protocol):
    """A model of whoever is on turn."""

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        """P(call) for each hand of the seat on turn, [n, 38]; illegal calls have 0."""

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        """The call of every world in each node. All nodes are the same seat's turn."""


@dataclass(frozen=True, slots=True)
class NetworkCaller:
    """A policy network. `ours` and `theirs` are the systems (numbers of nets.features.SYSTEMS) of
    the seat's own side and the other; None where nothing known was declared. With `heat` its
    player is thought to be so many times less sure of a call than the network is."""

    net: Network
    ours: int | None = None
    theirs: int | None = None
    heat: float = 1.0

    @property
    def suffix(self) -> Bits | None:
        """The bits that name both systems, for a network that reads them."""
        return system_bits(self.ours, self.theirs, self.net.version)

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        public = public_bits(at.calls, at.dealer, at.vul, at.turn)
        legal = legal_calls(public[None])[0]  # the same for every hand
        out = np.zeros((len(hands), 38))
        scores = self.net.run(observe(hands, public, self.suffix))[:, legal]
        out[:, legal] = softmax(scores / self.heat)
        return out

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        """All nodes in one run of the network; the same hand in the same auction is asked once."""
        node, world, logits = self.scores(nodes, held)
        return split(node, logits.argmax(axis=1), world, len(nodes), held)

    def scores(
        self, nodes: Sequence[Node], held: SeatHands
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """The node and the world of each row, and what the network thinks of its calls [rows, 38];
        illegal ones have -inf."""
        turn = nodes[0][0].turn
        public = np.stack([public_bits(at.calls, at.dealer, at.vul, turn) for at, _ in nodes])
        rows = [held.rows(worlds) for _, worlds in nodes]
        node = np.repeat(np.arange(len(nodes)), [len(r) for r in rows])
        world = np.concatenate(rows)
        same = len(held) * node + held.alike(turn)[world]
        _, asked, answer = np.unique(same, return_index=True, return_inverse=True)
        parts = [public[node[asked]], hand_bits(held.deals[world[asked], turn])]
        if (suffix := self.suffix) is not None:
            parts.append(np.broadcast_to(suffix, (len(asked), len(suffix))))
        logits = self.net.run(np.concatenate(parts, axis=1))
        open_to = np.where(legal_calls(public)[node[asked]], logits, np.float32(-np.inf))
        return node, world, open_to[answer.ravel()]


def split(
    node: NDArray[np.intp],
    calls: NDArray[np.intp],
    world: NDArray[np.intp],
    nodes: int,
    held: SeatHands,
) -> list[Split]:
    """Calls by row as sets of worlds by node and call."""
    out: list[Split] = [{} for _ in range(nodes)]
    key = 38 * node + calls
    order = np.argsort(key, kind="stable")
    edges = [0, *(np.flatnonzero(np.diff(key[order])) + 1).tolist(), len(order)]
    for start, end in pairwise(edges):
        some = order[start:end]
        at, call = divmod(int(key[some[0]]), 38)
        out[at][call] = held.set_of(world[some])
    return out


@dataclass(frozen=True, slots=True, eq=False)
class RulesCaller:
    """The rules of a system: the first rule by priority that the hand satisfies.

    A reading has two systems; the seat on turn plays the one numbered `which`, its opponents the
    other. Callers of both sides share a reading, so that an auction is read once.
    """

    reading: Reading
    which: int = 0

    def context(self, at: AuctionPosition) -> Context:
        from overtrick.systems.meanings import turned_vul

        first = (len(at.calls) & 1) ^ self.which
        return self.reading.context(at.calls, turned_vul(at.vul, at.dealer), first)

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        from overtrick.systems.many import Pool

        return np.eye(38)[Pool(hands).calls(self.reading, self.context(at))]

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        pool = held.pool(nodes[0][0].turn)
        return [pool.by_call(self.reading, self.context(at), worlds) for at, worlds in nodes]


@dataclass(frozen=True, slots=True, eq=False)
class CallerMixture:
    """One of several players, each with a share; with `doubt` anything at all may be called."""

    parts: tuple[tuple[float, Caller], ...]
    doubt: float = 0.0

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        total = sum(share for share, _ in self.parts)
        mixed = sum(share / total * caller.chances(at, hands) for share, caller in self.parts)
        return np.asarray((1 - self.doubt) * mixed + self.doubt / 38)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        """The likeliest player's choice: an even mixture of certain calls is nobody's style."""
        return max(self.parts, key=lambda part: part[0])[1].choose(nodes, held)


@dataclass(frozen=True, slots=True)
class Passing:
    """Passes whatever happens, and says nothing by it."""

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        return np.eye(38)[np.zeros(len(hands), np.int64)]

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return [{0: worlds} for _, worlds in nodes]


def choose_likeliest(caller: Caller, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
    """`choose` for callers that only know chances: the likeliest call of each hand."""
    out: list[Split] = []
    for at, worlds in nodes:
        rows = held.rows(worlds)
        calls = caller.chances(at, held.deals[rows, at.turn]).argmax(axis=1)
        out += split(np.zeros(len(rows), np.intp), calls, rows, 1, held)
    return out


class Likelihood:
    """How likely an auction is in many deals: log P(calls of some seats | world).

    `callers` are those of North, East, South, West; `doubt` is how often a player does something
    else entirely. Which calls tell most is found out in the first deals and kept for the next.
    """

    __slots__ = ("_order", "at", "callers", "doubt")

    def __init__(self, callers: Sequence[Caller], at: AuctionPosition, doubt: float) -> None:
        self.callers, self.at, self.doubt = callers, at, doubt
        self._order: dict[tuple[int, ...], list[int]] = {}

    def __call__(self, deals: Hands, prior: Floats, seats: Sequence[int], least: int) -> Floats:
        """The logs, -inf for worlds dropped as hopeless. `prior` (log weights so far) only serves
        to see which these are; at least `least` worlds are kept to the end."""
        found = np.zeros(len(deals))
        alive = np.arange(len(deals))
        for turn in self._turns(deals, seats):
            found[alive] += self._logs(deals[alive], turn)
            if len(alive) <= least:
                continue
            score = (found + prior)[alive]
            enough = min(score.max() - LIKELIHOOD_HOPELESS, np.partition(score, -least)[-least])
            found[alive[score < enough]] = -np.inf
            alive = alive[score >= enough]
        return found

    def _logs(self, deals: Hands, turn: int) -> Floats:
        before, seat = self.at.before(turn), self.at.seat_of(turn)
        chance = self.callers[seat].chances(before, deals[:, seat])[:, self.at.calls[turn]]
        return np.asarray(
            np.log((1 - self.doubt) * chance + max(self.doubt / 38, LIKELIHOOD_FLOOR))
        )

    def _turns(self, deals: Hands, seats: Sequence[int]) -> list[int]:
        """Their calls, those first that most worlds do not explain."""
        key = tuple(seats)
        if key not in self._order:
            turns = [t for t in range(len(self.at.calls)) if self.at.seat_of(t) in seats]
            if len(turns) > 1:
                told = {
                    turn: float(self._logs(deals[:LIKELIHOOD_PILOT], turn).mean()) for turn in turns
                }
                turns.sort(key=lambda turn: told[turn])
            self._order[key] = turns
        return self._order[key]


def log_likelihood(
    callers: Sequence[Caller],
    at: AuctionPosition,
    deals: Hands,
    prior: Floats,
    *,
    seats: Sequence[int],
    doubt: float,
    least: int,
) -> Floats:
    """`Likelihood` for whoever asks once."""
    return Likelihood(callers, at, doubt)(deals, prior, seats, least)
