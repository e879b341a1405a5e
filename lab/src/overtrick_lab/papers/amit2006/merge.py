"""Tagged states put into a decision net: intersection nodes, trees on else links (section 4.2.3).
Nothing here makes a new conflict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from overtrick.systems.nets import Box, Interval, Node, State
from overtrick_lab.papers.amit2006.inducer import Leaf, Split, Tree, boxes


@dataclass(slots=True)
class Stored:
    """Examples waiting at a node of the net."""

    node: Node
    states: list[State] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)


def most_specific(node: Node, state: State) -> list[Node]:
    """The nodes whose actions are a state's, each once."""
    found: dict[int, Node] = {}
    _descend(node, state, found)
    return list(found.values())


def _descend(node: Node, state: State, found: dict[int, Node]) -> bool:
    if not node.box.holds(state):
        return False
    for links in (node.children, node.others):
        answers = [_descend(child, state, found) for child in links]  # every child is asked
        if any(answers):
            return True
    if node.actions:
        found[id(node)] = node
    return bool(node.actions)


def intersection(many: Iterable[Box]) -> Box:
    """The states that belong to all of the boxes."""
    ranges: dict[str, Interval] = {}
    for box in many:
        for name, low, high in box.ranges:
            old = ranges.get(name, (low, high))
            ranges[name] = (max(low, old[0]), min(high, old[1]))
    return Box.of(ranges)


def node_for(net: Node, state: State) -> Node:
    """The one most specific node of a state; where there are several, a new node below all of
    them stands for their intersection and has the actions of each."""
    many = most_specific(net, state)
    if not many:
        return net
    if len(many) == 1:
        return many[0]
    actions: set[int] = set().union(*(n.actions for n in many))
    new = Node(intersection(n.box for n in many), actions, priority=many[0].priority)
    for node in many:
        node.children.append(new)
    return new


def insert_examples(net: Node, examples: Iterable[tuple[State, int]]) -> list[Stored]:
    """First phase: every example to its node, with intersection nodes where it has several."""
    stored: dict[int, Stored] = {}
    for state, tag in examples:
        node = node_for(net, state)
        here = stored.setdefault(id(node), Stored(node))
        here.states.append(state)
        here.tags.append(tag)
    return list(stored.values())


def attach(node: Node, tree: Tree) -> None:
    """Second phase: what was induced from a node's examples becomes part of the net.

    A single leaf replaces the node's actions. A tree hangs on an else link, so that children the
    node already has keep their priority and no new conflict arises.
    """
    if isinstance(tree, Leaf):
        node.actions = set(tree.actions)
        return
    node.others.append(_as_net(tree, node))


def _as_net(tree: Tree, parent: Node) -> Node:
    if isinstance(tree, Leaf):
        return Node(parent.box, set(tree.actions), priority=parent.priority)
    top = Node(parent.box, set(), priority=parent.priority)
    for branch in _halves(tree, parent.box):
        part, box = branch
        if isinstance(part, Leaf):
            top.children.append(Node(box, set(part.actions), priority=parent.priority))
        else:
            top.children.append(_as_net(part, Node(box, set(), priority=parent.priority)))
    return top


def _halves(tree: Split, within: Box) -> list[tuple[Tree, Box]]:
    lower, upper = boxes(Split(tree.feature, tree.threshold, Leaf((), 0), Leaf((), 0)), within)
    return [(tree.below, lower[0]), (tree.above, upper[0])]
