"""The extensive form: a tree with chance, information sets and payoffs, and its best-defence form.
`flat` lays the worlds of such a game over one another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from overtrick_lab.papers.frank1998.tree import (
    Chance,
    Choice,
    Leaf,
    Node,
    Player,
    TreeError,
    choices,
    fill_names,
    walk,
)


@dataclass(frozen=True, slots=True)
class Game:
    """A finite two-player zero-sum game; payoffs are MAX's, MIN receives their negative."""

    root: Node
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", fill_names(self.root))
        for node in walk(self.root):
            if isinstance(node, Leaf) and (len(node.payoffs) != 1 or node.payoffs[0] is None):
                raise TreeError("a leaf of the extensive form has exactly one payoff")
        owners: dict[str, Player] = {}
        for player in Player:
            for name, nodes in information_sets(self, player).items():
                if owners.setdefault(name, player) is not player:
                    raise TreeError(f"information set {name!r} belongs to both players")
                if len({(len(n.children), n.moves) for n in nodes}) > 1:
                    raise TreeError(f"information set {name!r}: its nodes offer different moves")


def information_sets(game: Game, player: Player) -> dict[str, list[Choice]]:
    """The player's information sets in pre-order, each with its nodes."""
    sets: dict[str, list[Choice]] = {}
    for node in choices(game.root, player):
        sets.setdefault(node.info, []).append(node)
    return sets


def best_defence(game: Game) -> Game:
    """The game under A-I: MIN always knows where he is, so each of his sets is a single node.

    A-II (MIN chooses after MAX) and A-III (MAX plays a pure strategy) are not a change of the tree
    but of who chooses what first: `esm` and `normal.minorant` solve the game in that order.
    """

    def visit(node: Node) -> Node:
        if isinstance(node, Leaf):
            return node
        children = tuple(map(visit, node.children))
        if isinstance(node, Choice) and node.player is Player.MIN:
            return replace(node, children=children, info=node.name)
        return replace(node, children=children)

    return Game(visit(game.root), game.title)


def min_is_informed(game: Game) -> bool:
    """Does the game already have MIN's half of the best-defence form (A-I)?"""
    return all(len(nodes) == 1 for nodes in information_sets(game, Player.MIN).values())


def perfect_information(game: Game) -> bool:
    """Do both players always know the whole play so far?"""
    return all(
        len(nodes) == 1 for player in Player for nodes in information_sets(game, player).values()
    )


def perfect_recall(game: Game, player: Player) -> bool:
    """Does the player never forget what he knew or did? (Same own past at every node of a set.)"""
    past: dict[str, tuple[tuple[str, int], ...]] = {}

    def visit(node: Node, own: tuple[tuple[str, int], ...]) -> bool:
        if isinstance(node, Leaf):
            return True
        if isinstance(node, Chance) or node.player is not player:
            return all(visit(child, own) for child in node.children)
        if past.setdefault(node.info, own) != own:
            return False
        return all(
            visit(child, (*own, (node.info, branch))) for branch, child in enumerate(node.children)
        )

    return visit(game.root, ())
