"""A game of hidden hands as flat arrays: one row for every pair of a play so far and a world.

What has been played is public; which world it is (how the hidden cards lie) nobody knows whole.
A *node* is a play so far, an *information set* is a node as one player sees it: the worlds in
which his own cards are the same. Forced cards make no row, so a row is a choice or an end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.game.errors import BridgeError

DECLARER, WEST, EAST = range(3)
DEFENDERS: Final = frozenset({WEST, EAST})

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rows = Mapping[int, int]  # the row of every world that is still possible


class TreeError(BridgeError):
    """A game too large to be written down."""


class InformationSet(NamedTuple):
    """An information set: who chooses, after which plays, holding what, between which cards.

    `worlds` are the worlds he cannot tell apart, `first` is the number of his first choice.
    """

    actor: int
    path: tuple[str, ...]
    worlds: tuple[int, ...]
    cards: tuple[str, ...]
    first: int

    @property
    def choices(self) -> slice:
        return slice(self.first, self.first + len(self.cards))


class Level(NamedTuple):
    """The rows that one public card leads to, sorted by the row they come from."""

    rows: slice
    choices: slice
    parent: Ints
    choice: Ints
    starts: Ints  # where the children of each parent begin
    parents: Ints  # the parents, once


@dataclass(frozen=True, slots=True)
class Tree:
    """The game: `chance` is each root's probability (zero for other rows), `payoff` declarer's."""

    sights: tuple[InformationSet, ...]
    levels: tuple[Level, ...]
    owner: Ints  # who makes each choice
    sight_of: Ints  # the information set of each choice
    firsts: Ints  # the first choice of each information set
    world: Ints  # of each row
    payoff: Floats  # of rows that are ends, else 0
    weight: Floats  # the probability of each row's world
    roots: int

    @property
    def size(self) -> int:
        return len(self.world)

    @property
    def choices(self) -> int:
        return len(self.owner)

    def uniform(self) -> Floats:
        """Every card as likely as any other."""
        return (1.0 / self.counts)[self.sight_of]

    @property
    def counts(self) -> Ints:
        """How many cards each information set chooses from."""
        return np.diff(np.append(self.firsts, self.choices))

    def total(self, choices: Floats) -> Floats:
        """Sums over the choices of each information set."""
        if not len(self.firsts):
            return np.zeros(0)
        return np.add.reduceat(choices, self.firsts)


@dataclass(slots=True)
class Builder:
    """Writes a tree down, node after node.

    Who builds walks the public game: `start` gives the rows of the worlds, `choose` the rows after
    every card, `end` says what a play is worth.
    """

    weights: Sequence[float]
    most: int  # rows
    _sights: list[tuple[int, tuple[str, ...], tuple[int, ...], tuple[str, ...], int]] = field(
        default_factory=list
    )
    _first: int = 0
    _world: list[int] = field(default_factory=list)
    _parent: list[int] = field(default_factory=list)
    _choice: list[int] = field(default_factory=list)
    _depth: list[int] = field(default_factory=list)
    _payoff: list[float] = field(default_factory=list)

    def start(self) -> dict[int, int]:
        return {w: self._row(w, -1, -1, 0) for w, p in enumerate(self.weights) if p > 0}

    def _row(self, world: int, parent: int, choice: int, depth: int) -> int:
        if len(self._world) >= self.most:
            raise TreeError(f"the game has more than {self.most:,} plays to look at")
        self._world.append(world)
        self._parent.append(parent)
        self._choice.append(choice)
        self._depth.append(depth)
        self._payoff.append(0.0)
        return len(self._world) - 1

    def choose(
        self,
        actor: int,
        path: tuple[str, ...],
        rows: Rows,
        held: Callable[[int], object],
        cards: Sequence[tuple[str, Callable[[int], bool]]],
    ) -> list[dict[int, int]]:
        """Rows after each card; `held` is what the actor knows of a world, each card says in which
        worlds it can be played."""
        after: list[dict[int, int]] = [{} for _ in cards]
        alike: dict[object, list[int]] = {}
        for world in rows:
            alike.setdefault(held(world), []).append(world)
        for worlds in alike.values():
            can = [i for i, (_, legal) in enumerate(cards) if legal(worlds[0])]
            if len(can) == 1:
                after[can[0]].update((w, rows[w]) for w in worlds)
                continue
            named = tuple(cards[i][0] for i in can)
            self._sights.append((actor, path, tuple(worlds), named, len(path) + 1))
            for k, i in enumerate(can):
                for w in worlds:
                    after[i][w] = self._row(w, rows[w], self._first + k, len(path) + 1)
            self._first += len(can)
        return after

    def end(self, rows: Rows, worth: Callable[[int], float]) -> None:
        for world, row in rows.items():
            self._payoff[row] = worth(world)

    def tree(self) -> Tree:
        """Rows and choices renumbered by level, so that a level is a slice of every array."""
        depth, parent, choice = (
            np.array(x, np.int64) for x in (self._depth, self._parent, self._choice)
        )
        order = np.lexsort((np.arange(len(depth)), parent, depth))
        row_of = np.empty(len(order), np.int64)
        row_of[order] = np.arange(len(order))
        numbered = sorted(range(len(self._sights)), key=lambda i: self._sights[i][4])
        sizes = [len(s[3]) for s in self._sights]
        old_first = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64)
        choice_of = np.full(self._first + 1, -1, np.int64)  # a root's, -1, stays what it is
        sights, owner, sight_of, firsts, at = [], [], [], [], 0
        for number, i in enumerate(numbered):
            actor, path, worlds, cards, _ = self._sights[i]
            sights.append(InformationSet(actor, path, worlds, cards, at))
            choice_of[old_first[i] : old_first[i] + sizes[i]] = np.arange(at, at + sizes[i])
            owner += [actor] * sizes[i]
            sight_of += [number] * sizes[i]
            firsts.append(at)
            at += sizes[i]
        parent = np.where(parent[order] >= 0, row_of[parent[order]], -1)
        # Sorted again by the new numbers: children of one parent lie together.
        choice = choice_of[choice[order]]
        depth = depth[order]
        world = np.array(self._world, np.int64)[order]
        levels = []
        for d in np.unique(depth[depth > 0]):
            where = np.flatnonzero(depth == d)
            rows = slice(int(where[0]), int(where[-1]) + 1)
            starts = np.flatnonzero(np.diff(parent[rows], prepend=-2))
            chosen = choice[rows]
            span = slice(int(chosen.min()), int(chosen.max()) + 1)
            levels.append(Level(rows, span, parent[rows], chosen, starts, parent[rows][starts]))
        weights = np.array(self.weights, np.float64)
        return Tree(
            tuple(sights), tuple(levels),
            np.array(owner, np.int64), np.array(sight_of, np.int64), np.array(firsts, np.int64),
            world, np.array(self._payoff, np.float64)[order],
            (weights / weights.sum())[world], int((depth == 0).sum()),
        )  # fmt: skip
