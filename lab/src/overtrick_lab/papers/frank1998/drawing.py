"""Game trees as SVG: MAX squares, MIN circles, chance diamonds, payoffs by world under the leaves.
A strategy or node values can be marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from xml.sax.saxutils import escape

from overtrick_lab.papers.frank1998.flat import FlatTree, outcome, value
from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    MaxMin,
    Node,
    Strategy,
    depth,
    walk,
)

_LEVEL, _SLOT, _ROW, _SIZE, _MARGIN = 78, 46, 21, 15, 34
_LETTER = 7.0  # width of a letter in the small type
_INK, _SOFT, _MARK, _PAPER, _GOOD = "#1f2933", "#9aa5b1", "#b3261e", "#ffffff", "#dcefe0"


@dataclass(slots=True)
class _Canvas:
    """Shapes by layer while one picture is drawn: sets behind edges, edges behind nodes."""

    back: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, **style: str) -> None:
        extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in style.items())
        self.nodes.append(f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{escape(words)}</text>')


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each node stands, by its path from the root, and the widest extent."""

    place: dict[tuple[int, ...], tuple[float, float]]
    width: float
    levels: int


def draw(
    tree: FlatTree | StrategicGame,
    strategy: Strategy | None = None,
    values: Mapping[str, str] | None = None,
) -> str:
    """The tree as an SVG document.

    `strategy` draws the branches MAX takes in bold and shades the payoffs play can come to;
    `values` writes a text beside nodes, by name.
    """
    layout = _lay_out(tree.root)
    canvas = _Canvas()
    worlds = tree.worlds if isinstance(tree, FlatTree) else ()
    top = _MARGIN + (28 if tree.title else 0)
    left = _MARGIN + (_LETTER * max(map(len, worlds)) if worlds else 0)
    place = {path: (left + x, top + y) for path, (x, y) in layout.place.items()}
    _branches(canvas, tree, place, strategy, values or {})
    width = left + layout.width + _MARGIN
    floor = top + layout.levels * _LEVEL
    if isinstance(tree, StrategicGame):
        _sets(canvas, tree.root, place)
    else:
        for w, name in enumerate(worlds):
            canvas.text(left - 6, floor + 13 + w * _ROW, name, text_anchor="end", fill=_SOFT)
        if strategy is not None:
            _results(canvas, tree, strategy, (width + 8, floor))
            width += 60
    height = floor + max(1, len(worlds)) * _ROW + _MARGIN / 2
    if tree.title:
        width = max(width, 2 * _MARGIN + 8.6 * len(tree.title))
        canvas.text(_MARGIN, 30, tree.title, font_weight="bold", font_size="14")
    body = "\n".join([*canvas.back, *canvas.edges, *canvas.nodes])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="13" fill="{_INK}">\n<rect width="100%" height="100%" fill="{_PAPER}"/>\n'
        f"{body}\n</svg>\n"
    )


def _results(
    canvas: _Canvas, tree: FlatTree, strategy: Strategy, corner: tuple[float, float]
) -> None:
    """A column with what the strategy yields in each world against best defence, and its mean."""
    x, y = corner
    vector = outcome(tree, strategy)
    canvas.text(x, y - 30, "result", text_anchor="middle", font_size="12", fill=_MARK)
    canvas.text(
        x, y - 13, str(value(tree, vector)), text_anchor="middle", fill=_MARK, font_weight="bold"
    )
    for w, payoff in enumerate(vector):
        canvas.text(
            x,
            y + 13 + w * _ROW,
            str(payoff),
            text_anchor="middle",
            fill=_MARK,
            font_weight="bold" if payoff else "normal",
        )


def _lay_out(root: Node) -> _Layout:
    """Leaves side by side and all at the bottom, each node above the middle of its children."""
    place: dict[tuple[int, ...], tuple[float, float]] = {}
    slots = 0
    levels = depth(root)
    labels = [len(m) for n in walk(root) if isinstance(n, ChoiceNode) for m in n.moves]
    slot = max(_SLOT, (_LETTER * max(labels, default=0) + 14) / 0.7)

    def visit(node: Node, path: tuple[int, ...]) -> float:
        nonlocal slots
        if isinstance(node, EndNode):
            x = (slots + 0.5) * slot
            slots += 1
            place[path] = (x, levels * _LEVEL)
            return x
        across = [visit(child, (*path, i)) for i, child in enumerate(node.children)]
        x = (across[0] + across[-1]) / 2
        place[path] = (x, len(path) * _LEVEL)
        return x

    visit(root, ())
    return _Layout(place, slots * slot, levels)


def _branches(
    canvas: _Canvas,
    tree: FlatTree | StrategicGame,
    place: Mapping[tuple[int, ...], tuple[float, float]],
    strategy: Strategy | None,
    values: Mapping[str, str],
) -> None:
    def visit(node: Node, path: tuple[int, ...], live: bool) -> None:
        x, y = place[path]
        if isinstance(node, EndNode):
            _leaf(canvas, node, x, y, live and strategy is not None)
            return
        for i, child in enumerate(node.children):
            taken = live
            bold = False
            if isinstance(node, ChoiceNode) and node.player is MaxMin.MAX and strategy is not None:
                bold = live and strategy.get(node.info) == i
                taken = bold
            _edge(canvas, (x, y), place[(*path, i)], bold, live or strategy is None)
            label = (
                f"{node.odds[i]}"
                if isinstance(node, Chance)
                else node.moves[i]
                if node.moves
                else ""
            )
            if label:
                _label(canvas, (x, y), place[(*path, i)], label)
            visit(child, (*path, i), taken)
        _shape(canvas, node, x, y, values.get(node.name, ""))

    visit(tree.root, (), True)


def _edge(
    canvas: _Canvas, start: tuple[float, float], end: tuple[float, float], bold: bool, live: bool
) -> None:
    colour, width = (_MARK, 3.2) if bold else (_INK if live else _SOFT, 1.3)
    canvas.edges.append(
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" '
        f'y2="{end[1] - 4:.1f}" stroke="{colour}" stroke-width="{width}"/>'
    )


def _label(
    canvas: _Canvas, start: tuple[float, float], end: tuple[float, float], words: str
) -> None:
    """A branch's name or odds on a patch of paper well down the branch."""
    x, y = start[0] * 0.3 + end[0] * 0.7, start[1] * 0.3 + end[1] * 0.7
    half = _LETTER / 2 * len(words) + 2
    canvas.nodes.append(
        f'<rect x="{x - half:.1f}" y="{y - 9:.1f}" width="{2 * half:.1f}" '
        f'height="16" fill="{_PAPER}" fill-opacity="0.9"/>'
    )
    canvas.text(x, y + 4, words, text_anchor="middle", font_size="12", font_style="italic")


def _leaf(canvas: _Canvas, node: EndNode, x: float, y: float, live: bool) -> None:
    height = len(node.payoffs) * _ROW
    fill = _GOOD if live else _PAPER
    stroke = _INK if live else _SOFT
    canvas.nodes.append(
        f'<rect x="{x - 14:.1f}" y="{y - 4:.1f}" width="28" height="{height + 2}" '
        f'rx="4" fill="{fill}" stroke="{stroke}"/>'
    )
    for w, payoff in enumerate(node.payoffs):
        words = "–" if payoff is None else str(payoff)
        canvas.text(
            x,
            y + 13 + w * _ROW,
            words,
            text_anchor="middle",
            font_weight="bold" if payoff else "normal",
            fill=_INK if payoff or live else _SOFT,
        )


def _shape(canvas: _Canvas, node: ChoiceNode | Chance, x: float, y: float, note: str) -> None:
    style = f'fill="{_PAPER}" stroke="{_INK}" stroke-width="1.6"'
    s = _SIZE
    if isinstance(node, Chance):
        points = f"{x},{y - s} {x + s},{y} {x},{y + s} {x - s},{y}"
        canvas.nodes.append(f'<polygon points="{points}" {style}/>')
    elif node.player is MaxMin.MAX:
        canvas.nodes.append(
            f'<rect x="{x - s + 1:.1f}" y="{y - s + 1:.1f}" '
            f'width="{2 * s - 2}" height="{2 * s - 2}" {style}/>'
        )
    else:
        canvas.nodes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s}" {style}/>')
    name = node.name.rsplit(".", 1)[0]
    if len(name) > 3:
        canvas.text(x + s + 5, y - 3, name, font_size="12")
    else:
        canvas.text(x, y + 4.5, name, text_anchor="middle")
    if note:
        canvas.text(
            x + s + 5, y + (12 if len(name) > 3 else 4.5), note, fill=_MARK, font_weight="bold"
        )


def _sets(
    canvas: _Canvas, root: Node, place: Mapping[tuple[int, ...], tuple[float, float]]
) -> None:
    """A dotted line through the nodes of each information set of more than one node."""
    members: dict[str, list[tuple[float, float]]] = {}

    def visit(node: Node, path: tuple[int, ...]) -> None:
        if isinstance(node, EndNode):
            return
        if isinstance(node, ChoiceNode):
            members.setdefault(node.info, []).append(place[path])
        for i, child in enumerate(node.children):
            visit(child, (*path, i))

    visit(root, ())
    shared = {name: spots for name, spots in members.items() if len(spots) > 1}
    for rank, spots in enumerate(shared.values()):
        lift = (46 + 8 * rank) * (1 if rank % 2 else -1)  # arcs of neighbouring sets stay apart
        for (x1, y1), (x2, y2) in pairwise(spots):
            canvas.back.append(
                f'<path d="M {x1:.1f} {y1:.1f} Q {(x1 + x2) / 2:.1f} {(y1 + y2) / 2 + lift:.1f} '
                f'{x2:.1f} {y2:.1f}" fill="none" stroke="{_MARK if rank % 2 else "#1b5e9b"}" '
                f'stroke-width="1.4" stroke-dasharray="2 4"/>'
            )
