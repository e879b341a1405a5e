"""The extensive form: a tree with chance, information sets and payoffs, and its best-defence form.
`flat` lays the worlds of such a game over one another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    GameTreeError,
    MaxMin,
    Node,
    choices,
    fill_names,
    walk,
)


@dataclass(frozen=True, slots=True)
class StrategicGame:
    """A finite two-player zero-sum game; payoffs are MAX's, MIN receives their negative."""

    root: Node
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", fill_names(self.root))
        for node in walk(self.root):
            if isinstance(node, EndNode) and (len(node.payoffs) != 1 or node.payoffs[0] is None):
                raise GameTreeError("a leaf of the extensive form has exactly one payoff")
        owners: dict[str, MaxMin] = {}
        for player in MaxMin:
            for name, nodes in information_sets(self, player).items():
                if owners.setdefault(name, player) is not player:
                    raise GameTreeError(f"information set {name!r} belongs to both players")
                if len({(len(n.children), n.moves) for n in nodes}) > 1:
                    raise GameTreeError(
                        f"information set {name!r}: its nodes offer different moves"
                    )


def information_sets(game: StrategicGame, player: MaxMin) -> dict[str, list[ChoiceNode]]:
    """The player's information sets in pre-order, each with its nodes."""
    sets: dict[str, list[ChoiceNode]] = {}
    for node in choices(game.root, player):
        sets.setdefault(node.info, []).append(node)
    return sets


def best_defence(game: StrategicGame) -> StrategicGame:
    """The game under A-I: MIN always knows where he is, so each of his sets is a single node.

    A-II (MIN chooses after MAX) and A-III (MAX plays a pure strategy) are not a change of the tree
    but of who chooses what first: `esm` and `normal.minorant` solve the game in that order.
    """

    def visit(node: Node) -> Node:
        if isinstance(node, EndNode):
            return node
        children = tuple(map(visit, node.children))
        if isinstance(node, ChoiceNode) and node.player is MaxMin.MIN:
            return replace(node, children=children, info=node.name)
        return replace(node, children=children)

    return StrategicGame(visit(game.root), game.title)


def min_is_informed(game: StrategicGame) -> bool:
    """Does the game already have MIN's half of the best-defence form (A-I)?"""
    return all(len(nodes) == 1 for nodes in information_sets(game, MaxMin.MIN).values())


def perfect_information(game: StrategicGame) -> bool:
    """Do both players always know the whole play so far?"""
    return all(
        len(nodes) == 1 for player in MaxMin for nodes in information_sets(game, player).values()
    )


def perfect_recall(game: StrategicGame, player: MaxMin) -> bool:
    """Does the player never forget what he knew or did? (Same own past at every node of a set.)"""
    past: dict[str, tuple[tuple[str, int], ...]] = {}

    def visit(node: Node, own: tuple[tuple[str, int], ...]) -> bool:
        if isinstance(node, EndNode):
            return True
        if isinstance(node, Chance) or node.player is not player:
            return all(visit(child, own) for child in node.children)
        if past.setdefault(node.info, own) != own:
            return False
        return all(
            visit(child, (*own, (node.info, branch))) for branch, child in enumerate(node.children)
        )

    return visit(game.root, ())
