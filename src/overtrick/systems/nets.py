"""Decision nets, built on the fly from the rules that match an auction.

They filter actions and states for PIDM (Amit & Markovitch 2006, Appendix B), and can be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
from overtrick.game.calls import CALLS
from overtrick.game.errors import BridgeError
from overtrick.systems.classes import so_far, touches
from overtrick.systems.context import Context
from overtrick.systems.reading import Reading
from overtrick.systems.shows import Items, feature_of

Interval = tuple[float, float]
State = Mapping[str, Interval]
_INFINITY = float("inf")
_MOST_PARTS = 64


@dataclass(frozen=True)
class Box:
    """State constraints of a node: each named feature lies in its interval."""

    ranges: tuple[tuple[str, float, float], ...] = ()

    @classmethod
    def of(cls, ranges: Mapping[str, Interval]) -> Box:
        return cls(tuple(sorted((n, a, b) for n, (a, b) in ranges.items())))

    def holds(self, state: State) -> bool:
        """Is the (partial) state inside? A feature the state does not know may be anything."""
        for name, low, high in self.ranges:
            a, b = state.get(name, (-_INFINITY, _INFINITY))
            if a < low or b > high:
                return False
        return True

    def contains(self, other: Box) -> bool:
        """Does every state of the other belong to this one too?"""
        inner = {n: (a, b) for n, a, b in other.ranges}
        for name, low, high in self.ranges:
            a, b = inner.get(name, (-_INFINITY, _INFINITY))
            if a < low or b > high:
                return False
        return True

    def mask(self, hands: HandArray) -> NDArray[np.bool_]:
        out = np.ones(len(hands), bool)
        for name, low, high in self.ranges:
            column = feature(name)(hands)
            out &= (column >= low) & (column <= high)
        return out

    def words(self) -> str:
        return ", ".join(_range_words(n, a, b) for n, a, b in self.ranges) or "any hand"


def _range_words(name: str, low: float, high: float) -> str:
    if low == high:
        return f"{name} = {low:g}"
    if high >= 90 or high == _INFINITY:
        return f"{name} ≥ {low:g}"
    if low <= -90 or low == -_INFINITY:
        return f"{name} ≤ {high:g}"
    return f"{low:g} ≤ {name} ≤ {high:g}"


@dataclass(frozen=True, slots=True)
class Triplet:
    """⟨call, state constraints, priority⟩: what a matching rule becomes."""

    actions: frozenset[int]
    box: Box
    priority: int


@dataclass(slots=True, eq=False)
class Node:
    """A node of a decision net, with regular links (`children`) and else links (`others`)."""

    box: Box = Box()
    actions: set[int] = field(default_factory=set)
    children: list[Node] = field(default_factory=list)
    others: list[Node] = field(default_factory=list)
    priority: int = 0
    skeleton: bool = False
    """One of the chain by priority: holds no actions but, at its end, the defaults."""

    def walk(self) -> Iterator[Node]:
        """Every node once."""
        seen: set[int] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen.add(id(node))
                yield node
                stack.extend([*node.others, *reversed(node.children)])


def state_actions(node: Node, state: State) -> set[int]:
    """The actions of the most specific nodes a (partial) state belongs to (Figure 5)."""
    if not node.box.holds(state):
        return set()
    for links in (node.children, node.others):
        actions: set[int] = set()
        for child in links:
            actions |= state_actions(child, state)
        if actions:
            return actions
    return set(node.actions)


def hands_actions(node: Node, hands: HandArray) -> NDArray[np.bool_]:
    """The same for many hands at once: [hands, 38], True where the net allows the call."""
    out = np.zeros((len(hands), 38), bool)
    _visit(node, hands, np.ones(len(hands), bool), out, {})
    return out


def _visit(
    node: Node, hands: HandArray, open_: NDArray[np.bool_], out: NDArray[np.bool_],
    masks: dict[int, NDArray[np.bool_]],
) -> NDArray[np.bool_]:  # fmt: skip
    """Fill `out`; returns the hands for which this branch gave actions."""
    mine = masks.get(id(node))
    if mine is None:
        mine = masks[id(node)] = node.box.mask(hands)
    inside = open_ & mine
    if not inside.any():
        return inside
    done = np.zeros(len(hands), bool)
    for links in (node.children, node.others):
        left = inside & ~done
        if not left.any():
            break
        for child in links:
            done |= _visit(child, hands, left, out, masks)
    rest = inside & ~done
    if node.actions and rest.any():
        rows = np.flatnonzero(rest)
        out[np.ix_(rows, np.array(sorted(node.actions)))] = True
        done |= rest
    return done


def build_net(triplets: Iterable[Triplet], default: Iterable[int]) -> Node:
    """Figure 21: a skeleton by priority over else links, the triplets inserted, then defaults.

    Wider triplets go first. The figure inserts them as they come; then a node that was moved below
    one of two overlapping nodes is missed by the other, and the order of the rules would decide.
    """
    many = list(triplets)
    priorities = sorted({t.priority for t in many}, reverse=True) or [0]
    skeleton = [Node(priority=p, skeleton=True) for p in priorities]
    for node, following in pairwise(skeleton):
        node.others.append(following)
    for triplet in sorted(many, key=lambda t: sum(o.box.contains(t.box) for o in many)):
        new = Node(triplet.box, set(triplet.actions), priority=triplet.priority)
        if not insert(skeleton[0], new):
            raise BridgeError(f"no place in the net for priority {triplet.priority}")
    skeleton[-1].actions |= set(default)
    return skeleton[0]


def insert(net: Node, new: Node) -> bool:
    """Insert-Node of Figure 21; the numbers are the cases of Figure 20.

    A triplet for any hand hangs below its skeleton node like every other: joined with it, as the
    figure has it, its actions would come after those of all lower priorities.
    """
    if net.priority > new.priority:  # 1: further down the skeleton
        return any(insert(other, new) for other in net.others)
    if net.box == new.box and not net.skeleton:  # 2: the same states, join the actions
        net.actions |= new.actions
        return True
    if not net.box.contains(new.box):  # 6: no business here
        return False
    for child in net.children:  # 5: more specific than some children
        insert(child, new)
    if any(child.box.contains(new.box) for child in net.children):
        return True
    for child in [c for c in net.children if new.box.contains(c.box)]:  # 3 and 4
        net.children.remove(child)
        new.children.append(child)
    net.children.append(new)
    return True


def boxes(items: Items) -> list[dict[str, Interval]]:
    """Bound items as alternatives of intervals (disjunctive normal form)."""
    out: list[dict[str, Interval]] = [{}]
    for item in items:
        if item[0] == "or":
            parts = [b for part in item[1] for b in boxes(part)]
        elif item[0] == "not":
            parts = _negated(item[1])
        else:
            parts = [{feature_of(item[0]).name: (item[1], item[2])}]
        out = [m for a in out for b in parts if (m := _meet(a, b)) is not None][:_MOST_PARTS]
    return out


def _negated(items: Items) -> list[dict[str, Interval]]:
    """Not (a and b …): one alternative for each way to fail one of them."""
    out: list[dict[str, Interval]] = []
    for box in boxes(items):
        ways: list[dict[str, Interval]] = []
        for name, (low, high) in box.items():
            ways.append({name: (-_INFINITY, low - 1)})
            ways.append({name: (high + 1, _INFINITY)})
        out = ways if not out else [m for a in out for b in ways if (m := _meet(a, b)) is not None]
    return out[:_MOST_PARTS]


def _meet(a: dict[str, Interval], b: dict[str, Interval]) -> dict[str, Interval] | None:
    out = dict(a)
    for name, (low, high) in b.items():
        old = out.get(name, (-_INFINITY, _INFINITY))
        out[name] = (max(low, old[0]), min(high, old[1]))
        if out[name][0] > out[name][1]:
            return None
    return out


def net_of(reading: Reading, ctx: Context, *, possible: bool = False) -> Node:
    """The decision net of an auction: matching rules, and all that is not forbidden by default.
    With `possible`, only states that the player's earlier calls leave open."""
    before = so_far(reading, ctx) if possible else 0
    triplets = [
        Triplet(frozenset({o.call}), Box.of(ranges), o.priority)
        for o in reading.options(ctx)
        for ranges in boxes(o.items)
        if not possible or touches(ranges, before)
    ]
    return build_net(triplets, reading.default_calls(ctx))


def net_text(node: Node, indent: str = "", label: str = "", seen: set[int] | None = None) -> str:
    """The net as an indented outline; else links are marked."""
    seen = set() if seen is None else seen
    calls = " ".join(CALLS[a].ascii for a in sorted(node.actions)[:12])
    more = " …" if len(node.actions) > 12 else ""
    head = f"{indent}{label}[{node.priority}] {node.box.words()}" + (
        f" → {calls}{more}" if calls else ""
    )
    if id(node) in seen:
        return head + " (above)"
    seen.add(id(node))
    lines = [head]
    lines += [net_text(c, indent + "  ", "", seen) for c in node.children]
    lines += [net_text(o, indent, "else ", seen) for o in node.others]
    return "\n".join(lines)


def net_data(node: Node) -> list[dict[str, object]]:
    """The net as plain data: nodes with their links by number, the root first."""
    nodes = list(node.walk())
    numbers = {id(n): i for i, n in enumerate(nodes)}
    return [
        {
            "priority": n.priority, "states": [list(r) for r in n.box.ranges],
            "calls": [CALLS[a].ascii for a in sorted(n.actions)],
            "children": [numbers[id(c)] for c in n.children],
            "else": [numbers[id(o)] for o in n.others],
        }
        for n in nodes
    ]  # fmt: skip


def net_svg(node: Node, width: int = 760) -> str:
    """The net as a small drawing: one row for each node, indented by depth, else links dashed."""
    rows: list[tuple[int, str, bool]] = []

    def visit(n: Node, depth: int, other: bool) -> None:
        if len(rows) > 400:
            return
        calls = " ".join(str(CALLS[a]) for a in sorted(n.actions)[:10])
        rows.append(
            (depth, f"{n.priority}: {n.box.words()}" + (f" → {calls}" if calls else ""), other)
        )
        for child in n.children:
            visit(child, depth + 1, False)
        for following in n.others:
            visit(following, depth, True)

    visit(node, 0, False)
    height = 26 * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">'
    ]
    for i, (depth, text, other) in enumerate(rows):
        x, y = 10 + 22 * depth, 8 + 26 * i
        dash = ' stroke-dasharray="4 3"' if other else ""
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width - x - 10}" height="20" rx="4" '
            f'fill="#f4f1e8" stroke="#444"{dash}/>'
            f'<text x="{x + 6}" y="{y + 14}">{safe}</text>'
        )
    return "".join([*parts, "</svg>"])
