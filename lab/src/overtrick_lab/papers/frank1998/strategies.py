"""MAX's pure strategies: listing them and counting them (section 4.5 of Frank & Basin 1998)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from overtrick_lab.papers.frank1998.flat import FlatTree
from overtrick_lab.papers.frank1998.game import StrategicGame, information_sets
from overtrick_lab.papers.frank1998.tree import ChoiceNode, EndNode, MaxMin, Node, Strategy


def count_strategies(node: Node) -> int:
    """g(t): a sum at MAX's moves, a product at everybody else's, one at a leaf.

    This counts the strategies that differ, when each MAX node is an information set of its own.
    """
    if isinstance(node, EndNode):
        return 1
    below = [count_strategies(child) for child in node.children]
    return sum(below) if isinstance(node, ChoiceNode) and node.player is MaxMin.MAX else prod(below)


def count_alternating(branching: int, max_levels: int, max_first: bool = True) -> int:
    """The closed form for complete b-ary trees with n MAX levels in turn with MIN levels.

    b^((b^n - 1)/(b - 1)) with MAX at the root; that to the power b when MIN moves first.
    """
    if branching < 1 or max_levels < 1:
        raise ValueError("a tree needs at least one branch and one MAX level")
    nodes = sum(branching**level for level in range(max_levels))
    return int(branching ** (nodes if max_first else branching * nodes))


def count_by_recurrence(branching: int, max_levels: int) -> int:
    """g_1 = b, g_n = b * g_(n-1)^b: the paper's recurrence, MAX at the root."""
    count = branching
    for _ in range(max_levels - 1):
        count = branching * count**branching
    return count


def strategies(tree: FlatTree) -> Iterator[dict[str, int]]:
    """Every strategy that differs in play, in the paper's order: choices only where needed."""
    return _below(tree.root)


def _below(node: Node) -> Iterator[dict[str, int]]:
    if isinstance(node, EndNode):
        yield {}
    elif isinstance(node, ChoiceNode) and node.player is MaxMin.MAX:
        for branch, child in enumerate(node.children):
            for rest in _below(child):
                yield {node.name: branch, **rest}
    else:
        parts = [list(_below(child)) for child in node.children]
        for combination in product(*reversed(parts)):  # the first branch varies fastest
            joined: dict[str, int] = {}
            for part in reversed(combination):
                joined |= part
            yield joined


def tuples(game: StrategicGame, player: MaxMin = MaxMin.MAX) -> Iterator[dict[str, int]]:
    """Every q-tuple: one branch for each of the player's information sets, needed or not."""
    sets = information_sets(game, player)
    for branches in product(*(range(len(nodes[0].children)) for nodes in sets.values())):
        yield dict(zip(sets, branches, strict=True))


def reduced(tree: FlatTree, strategy: Strategy) -> dict[str, int]:
    """The strategy without the choices it never comes to."""
    kept: dict[str, int] = {}

    def visit(node: Node) -> None:
        if isinstance(node, EndNode):
            return
        if isinstance(node, ChoiceNode) and node.player is MaxMin.MAX:
            kept[node.name] = strategy[node.name]
            visit(node.children[strategy[node.name]])
        else:
            for child in node.children:
                visit(child)

    visit(tree.root)
    return kept
