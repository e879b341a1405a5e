"""Flattened trees: one tree for all worlds, with a payoff per world at each leaf.
`flatten` and `extensive` convert from and to `game.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    GameTreeError,
    MaxMin,
    Node,
    Payoff,
    Strategy,
    Vector,
    choices,
    fill_names,
    walk,
)


class NotFlatError(GameTreeError):
    """A game whose worlds cannot be laid over one another."""


@dataclass(frozen=True, slots=True)
class FlatTree:
    """A best-defence game that begins with a hidden deal: MIN sees the world, MAX does not.

    Each MAX node is one information set over all worlds. A None payoff means that play cannot come
    to that leaf in that world; MIN then lacks the branch there (a card he was not dealt). MAX knows
    his own moves, so all branches of a MAX node exist in the same worlds.
    """

    root: Node
    weights: tuple[int, ...] = ()
    worlds: tuple[str, ...] = ()
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        root = fill_names(self.root)
        count = len(next(n for n in walk(root) if isinstance(n, EndNode)).payoffs)
        object.__setattr__(self, "root", root)
        object.__setattr__(self, "weights", self.weights or (1,) * count)
        object.__setattr__(self, "worlds", self.worlds or tuple(f"w{i + 1}" for i in range(count)))
        if len(self.weights) != count or len(self.worlds) != count:
            raise GameTreeError(
                f"the leaves have {count} payoffs, there are {len(self.weights)} "
                f"weights and {len(self.worlds)} worlds"
            )
        if min(self.weights) <= 0:
            raise GameTreeError("a world without weight: leave it out")
        for node in walk(root):
            if isinstance(node, Chance):
                raise GameTreeError("a flat tree has no chance nodes; its worlds are the deal")
            if isinstance(node, EndNode) and len(node.payoffs) != count:
                raise GameTreeError("leaves with different numbers of worlds")
            if isinstance(node, ChoiceNode) and node.info != node.name:
                raise GameTreeError(f"node {node.name!r}: MAX sees every move in a flat tree")
        if not all(_reach(root)):
            raise GameTreeError("a world in which no play is possible")

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    def probability(self, world: int) -> Fraction:
        """The chance that this world was dealt."""
        return Fraction(self.weights[world], self.total)


def _reach(node: Node) -> tuple[bool, ...]:
    """In which worlds can play be here? Checks on the way that MAX knows his moves."""
    if isinstance(node, EndNode):
        return tuple(p is not None for p in node.payoffs)
    reaches = [_reach(child) for child in node.children]
    if isinstance(node, ChoiceNode) and node.player is MaxMin.MAX and len(set(reaches)) > 1:
        raise GameTreeError(f"node {node.name!r}: MAX's branches exist in different worlds")
    return tuple(map(any, zip(*reaches, strict=True)))


def lowest(vectors: Sequence[Vector]) -> Vector:
    """MIN's choice in every world for itself, among the branches he has there."""
    return tuple(
        min((p for p in column if p is not None), default=None)
        for column in zip(*vectors, strict=True)
    )


def highest(vectors: Sequence[Vector]) -> Vector:
    """MAX's choice in every world for itself: what he could do if he saw the deal."""
    return tuple(
        max((p for p in column if p is not None), default=None)
        for column in zip(*vectors, strict=True)
    )


def weigh(weights: Sequence[int], vector: Vector) -> Payoff:
    """Sum of weight times payoff over the worlds that can occur."""
    return sum((w * p for w, p in zip(weights, vector, strict=True) if p), start=0)


def outcome(tree: FlatTree, strategy: Strategy) -> Vector:
    """What the strategy yields in each world against the best defence in that world."""

    def visit(node: Node) -> Vector:
        if isinstance(node, EndNode):
            return node.payoffs
        assert isinstance(node, ChoiceNode)
        if node.player is MaxMin.MAX:
            return visit(node.children[strategy[node.name]])
        return lowest([visit(child) for child in node.children])

    return visit(tree.root)


def value(tree: FlatTree, vector: Vector) -> Fraction:
    """The expected payoff of an outcome vector."""
    return Fraction(weigh(tree.weights, vector)) / tree.total


def subtree(tree: FlatTree, name: str) -> FlatTree:
    """The tree below one node as a game of its own, worlds that cannot come there left out."""
    node = next((n for n in choices(tree.root) if n.name == name), None)
    if node is None:
        raise GameTreeError(f"no node is called {name!r}")
    keep = [w for w, there in enumerate(_reach(node)) if there]

    def visit(n: Node) -> Node:
        if isinstance(n, EndNode):
            return EndNode(tuple(n.payoffs[w] for w in keep))
        assert isinstance(n, ChoiceNode)
        return ChoiceNode(n.player, tuple(map(visit, n.children)), n.name, n.info, n.moves)

    return FlatTree(
        visit(node),
        tuple(tree.weights[w] for w in keep),
        tuple(tree.worlds[w] for w in keep),
        f"{tree.title}, below {name}",
    )


def extensive(tree: FlatTree) -> StrategicGame:
    """The extensive form: a chance move, then one subtree per world; MAX's nodes joined in sets."""

    def visit(node: Node, world: int) -> Node | None:
        if isinstance(node, EndNode):
            payoff = node.payoffs[world]
            return None if payoff is None else EndNode((payoff,))
        assert isinstance(node, ChoiceNode)
        below = [(node.move(i), visit(child, world)) for i, child in enumerate(node.children)]
        kept = [(move, child) for move, child in below if child is not None]
        if not kept:
            return None
        name = f"{node.name}.{tree.worlds[world]}"
        moves = tuple(move for move, _ in kept) if node.moves or len(kept) < len(below) else ()
        info = node.name if node.player is MaxMin.MAX else name
        return ChoiceNode(node.player, tuple(child for _, child in kept), name, info, moves)

    below = [visit(tree.root, w) for w in range(len(tree.worlds))]
    odds = tuple(tree.probability(w) for w in range(len(tree.worlds)))
    return StrategicGame(Chance(odds, tuple(n for n in below if n is not None)), tree.title)


def flatten(game: StrategicGame) -> FlatTree:
    """Lay the worlds of a game with one initial chance move over one another (Fig. 1 -> Fig. 7)."""
    root = game.root if isinstance(game.root, Chance) else Chance((Fraction(1),), (game.root,))
    count = len(root.children)
    seen: set[str] = set()

    def join(bundle: dict[int, Node]) -> Node:
        nodes = list(bundle.values())
        if all(isinstance(n, EndNode) for n in nodes):
            ends = {w: n.payoffs[0] for w, n in bundle.items() if isinstance(n, EndNode)}
            return EndNode(tuple(ends.get(w) for w in range(count)))
        same = [n for n in nodes if isinstance(n, ChoiceNode)]
        if len(same) < len(nodes) or len({n.player for n in same}) > 1:
            raise NotFlatError("the worlds do not have the same kinds of move in the same places")
        return _join_choices(bundle, same)

    def _join_choices(bundle: dict[int, Node], same: list[ChoiceNode]) -> Node:
        info, player = same[0].info, same[0].player
        if player is MaxMin.MAX:
            if any(n.info != info for n in same):
                raise NotFlatError("MAX can tell the worlds apart where they should look alike")
            if info in seen:
                raise NotFlatError(f"information set {info!r} lies in two places of the tree")
            seen.add(info)
        moves = list(dict.fromkeys(n.move(i) for n in same for i in range(len(n.children))))
        if all(move.isdigit() for move in moves):
            moves.sort(key=int)  # unnamed branches: keep left to right although a world lacks one
        below = []
        for move in moves:
            ways = {
                w: n.children[i]
                for w, n in zip(bundle, same, strict=True)
                for i in range(len(n.children))
                if n.move(i) == move
            }
            below.append(join(ways))
        stems = {n.name.rsplit(".", 1)[0] for n in same}  # a.w1, a.w2, ... become a
        name = info if player is MaxMin.MAX else stems.pop() if len(stems) == 1 else same[0].name
        plain = moves == [str(i + 1) for i in range(len(moves))]
        return ChoiceNode(player, tuple(below), name, moves=() if plain else tuple(moves))

    scale = lcm(*(p.denominator for p in root.odds))
    weights = tuple(int(p * scale) for p in root.odds)
    return FlatTree(join(dict(enumerate(root.children))), weights, title=game.title)
