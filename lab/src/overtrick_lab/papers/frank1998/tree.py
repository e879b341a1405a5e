"""Nodes of a two-player zero-sum game tree: leaves, chance moves and the players' choices.
All modules here build on these; `game` and `flat` add the two forms of a whole game."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from overtrick.game.errors import BridgeError

Payoff: TypeAlias = int | Fraction
Vector: TypeAlias = tuple[Payoff | None, ...]
"""One payoff per world; None in a world in which play cannot come here."""
Strategy: TypeAlias = Mapping[str, int]
"""MAX's plan: information set -> branch, from 0; sets that cannot be reached may be absent."""

_RESERVED = frozenset(" \t\n[]()<>=:@")  # the signs of the notation


class GameTreeError(BridgeError):
    """A tree that is no game: repeated names, branches that do not match, missing payoffs."""


class MaxMin(Enum):
    """Who chooses: MAX (declarer and dummy, player 1) or MIN (the defenders, player 2)."""

    MAX = "MAX"
    MIN = "MIN"


@dataclass(frozen=True, slots=True)
class EndNode:
    """The end of a play: MAX's payoff, one per world (a single one in the extensive form)."""

    payoffs: Vector


@dataclass(frozen=True, slots=True)
class Chance:
    """A move by nature, with the odds of each branch (summing to one)."""

    odds: tuple[Fraction, ...]
    children: tuple[Node, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if len(self.odds) != len(self.children):
            raise GameTreeError(
                f"chance node {self.name!r}: {len(self.odds)} odds for "
                f"{len(self.children)} branches"
            )
        if any(p < 0 for p in self.odds) or sum(self.odds) != 1:
            raise GameTreeError(f"chance node {self.name!r}: odds must be >= 0 and sum to 1")


@dataclass(frozen=True, slots=True)
class ChoiceNode:
    """A player's move. `info` is his information set (its own name if he knows where he is)."""

    player: MaxMin
    children: tuple[Node, ...]
    name: str = ""
    info: str = ""
    moves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.children:
            raise GameTreeError(f"node {self.name!r} has no branches")
        if self.moves and len(self.moves) != len(self.children):
            raise GameTreeError(
                f"node {self.name!r}: {len(self.moves)} move names for "
                f"{len(self.children)} branches"
            )
        if any(set(word) & _RESERVED for word in (self.name, self.info, *self.moves)):
            raise GameTreeError(
                f"node {self.name!r}: names hold no blanks, brackets or any of = : @"
            )
        if len(set(self.moves)) != len(self.moves):
            raise GameTreeError(f"node {self.name!r}: a move name is repeated")

    def move(self, branch: int) -> str:
        """The name of a branch; branches without one are counted from 1, left to right."""
        return self.moves[branch] if self.moves else str(branch + 1)


Node: TypeAlias = EndNode | Chance | ChoiceNode


def walk(node: Node) -> Iterator[Node]:
    """All nodes of the tree, in pre-order (the numbering the paper uses)."""
    yield node
    if not isinstance(node, EndNode):
        for child in node.children:
            yield from walk(child)


def choices(node: Node, player: MaxMin | None = None) -> list[ChoiceNode]:
    """The personal moves in pre-order, of one player if named."""
    return [
        n
        for n in walk(node)
        if isinstance(n, ChoiceNode) and (player is None or n.player is player)
    ]


def depth(node: Node) -> int:
    """The number of moves on the longest play."""
    if isinstance(node, EndNode):
        return 0
    return 1 + max(depth(child) for child in node.children)


def fill_names(root: Node) -> Node:
    """Give every unnamed choice a name of its own and every choice an information set."""
    taken = [c.name for c in choices(root) if c.name]
    if len(set(taken)) != len(taken):
        twice = next(name for name in taken if taken.count(name) > 1)
        raise GameTreeError(f"two nodes are called {twice!r}")
    fresh = (name for name in _letters() if name not in set(taken))

    def visit(node: Node) -> Node:
        if isinstance(node, EndNode):
            return node
        if isinstance(node, Chance):
            return replace(node, children=tuple(map(visit, node.children)))
        name = node.name or next(fresh)
        children = tuple(map(visit, node.children))
        return replace(node, name=name, info=node.info or name, children=children)

    return visit(root)


def _letters() -> Iterator[str]:
    """a, b, ..., z, aa, ab, ..."""
    for size in itertools.count(1):
        for letters in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=size):
            yield "".join(letters)


def written(strategy: Strategy, sets: tuple[str, ...] | list[str]) -> str:
    """A strategy as the paper prints it: (1, 2, _), branches from 1, _ where none is needed."""
    return "(" + ", ".join(str(strategy[s] + 1) if s in strategy else "_" for s in sets) + ")"
