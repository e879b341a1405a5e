"""A short notation for game trees: [ ] is a MAX square, ( ) a MIN circle, < > a chance diamond.
Used for the paper's trees and by anyone typing one in; load/loads read it, dump/dumps write it.

    a( b[11100 00011] c[00111 11000] )        a flat tree: MIN moves, MAX guesses, five worlds
    d[ finesse=11010 drop=0,2,-,1/2,1 ]       names for branches; any numbers; - where impossible
    < 1/3: x@s[1 0]  2/3: y@s[0 1] >          an extensive form: odds, two nodes in one set s

Optional lines before the tree: `title:`, `worlds:` (names), `odds:` (weights), `form: extensive`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from overtrick_lab.papers.frank1998.flat import FlatTree
from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    GameTreeError,
    MaxMin,
    Node,
    Payoff,
    Vector,
)

_TOKEN = re.compile(r"\s*([\])>]|[^\s\[\]()<>=:]*[\[(<]|[^\s\[\]()<>=:]+[=:]?)")
_HEADER = re.compile(r"(title|worlds|odds|form):\s*(.*)")
_CLOSING = {"[": "]", "(": ")", "<": ">"}
_DEEPEST = 100  # moves on one path; the searches recurse as deep


class TreeTextError(GameTreeError):
    """Text that is not a tree, with the place where reading stopped."""


def loads(text: str) -> FlatTree | StrategicGame:
    """Read one tree; it is extensive if it has a chance node or says `form: extensive`."""
    header: dict[str, str] = {}
    lines = text.strip().splitlines()
    while lines and (found := _HEADER.fullmatch(lines[0].strip())):
        header[found[1]] = found[2]
        lines.pop(0)
    body = "\n".join(lines)
    flat = "<" not in body and header.get("form") != "extensive"
    reader = _TreeReader(_tokens(body), flat)
    root = reader.node()
    if reader.peek():
        raise TreeTextError(f"text after the end of the tree: {reader.peek()!r}")
    title = header.get("title", "")
    if not flat:
        return StrategicGame(root, title)
    return FlatTree(root, _weights(header), tuple(header.get("worlds", "").split()), title)


def _weights(header: dict[str, str]) -> tuple[int, ...]:
    try:
        return tuple(int(w) for w in header.get("odds", "").split())
    except ValueError:
        raise TreeTextError(f"odds are whole numbers, not {header['odds']!r}") from None


def flat_tree(text: str) -> FlatTree:
    """Read a tree that must be flat."""
    tree = loads(text)
    if not isinstance(tree, FlatTree):
        raise TreeTextError("an extensive form where a flat tree is wanted")
    return tree


def dumps(tree: FlatTree | StrategicGame) -> str:
    """Write a tree; `loads` reads it back to an equal value."""
    lines = [f"title: {tree.title}"] if tree.title else []
    if isinstance(tree, FlatTree):
        if tree.worlds != tuple(f"w{i + 1}" for i in range(len(tree.worlds))):
            lines.append("worlds: " + " ".join(tree.worlds))
        if set(tree.weights) != {1}:
            lines.append("odds: " + " ".join(map(str, tree.weights)))
    elif not isinstance(tree.root, Chance):
        lines.append("form: extensive")
    return "\n".join([*lines, _write(tree.root, isinstance(tree, FlatTree))])


def load(path: str | Path) -> FlatTree | StrategicGame:
    """Read one tree from a file."""
    return loads(Path(path).read_text(encoding="utf-8"))


def dump(tree: FlatTree | StrategicGame, path: str | Path) -> None:
    """Write one tree to a file."""
    Path(path).write_text(dumps(tree) + "\n", encoding="utf-8")


def _tokens(text: str) -> list[str]:
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise TreeTextError(f"cannot read {text[place : place + 20]!r}")
        tokens.append(found[1])
        place = found.end()
    return tokens


@dataclass(slots=True)
class _TreeReader:
    """Recursive descent over the tokens; lives only while one tree is read."""

    tokens: list[str]
    flat: bool
    place: int = 0
    depth: int = 0

    def peek(self) -> str:
        """The next token, '' at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        if self.place == len(self.tokens):
            raise TreeTextError("the text ends inside the tree")
        self.place += 1
        return self.tokens[self.place - 1]

    def node(self) -> Node:
        token = self.take()
        if token[-1] not in _CLOSING:
            return EndNode(_payoffs(token, self.flat))
        labels: list[str] = []
        children: list[Node] = []
        self.depth += 1
        if self.depth > _DEEPEST:
            raise TreeTextError(f"a tree of more than {_DEEPEST} moves")
        while self.peek() not in ("", _CLOSING[token[-1]]):
            labels.append(self.take()[:-1] if self.peek()[-1] in "=:" else "")
            children.append(self.node())
        self.take()
        self.depth -= 1
        name, _, info = token[:-1].partition("@")
        if token[-1] == "<":
            return _chance(labels, children, name)
        if any(labels) and not all(labels):
            raise TreeTextError(f"node {name!r}: name all its branches or none")
        player = MaxMin.MAX if token[-1] == "[" else MaxMin.MIN
        return ChoiceNode(player, tuple(children), name, info, tuple(labels) if any(labels) else ())


def _chance(labels: list[str], children: list[Node], name: str) -> Chance:
    if not children:
        raise TreeTextError(f"chance node {name!r} has no branches")
    if not any(labels):
        return Chance((Fraction(1, len(children)),) * len(children), tuple(children), name)
    try:
        odds = tuple(Fraction(label) for label in labels)
    except (ValueError, ZeroDivisionError) as error:
        raise TreeTextError(f"chance node {name!r}: {error}") from None
    return Chance(odds, tuple(children), name)


def _payoffs(token: str, flat: bool) -> Vector:
    parts = [token] if not flat else token.strip(",").split(",") if "," in token else list(token)
    return tuple(None if part == "-" else _number(part) for part in parts)


def _number(text: str) -> Payoff:
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise TreeTextError(f"not a payoff: {text!r}") from None
    return int(number) if number.denominator == 1 else number


def _write(node: Node, flat: bool) -> str:
    if isinstance(node, EndNode):
        parts = ["-" if p is None else str(p) for p in node.payoffs]
        short = not flat or all(len(p) == 1 for p in parts)
        return "".join(parts) if short else ",".join(parts) + ("," if len(parts) == 1 else "")
    below = [_write(child, flat) for child in node.children]
    if isinstance(node, Chance):
        inside = " ".join(f"{p}: {text}" for p, text in zip(node.odds, below, strict=True))
        return f"{node.name}<{inside}>"
    if node.moves:
        below = [f"{move}={text}" for move, text in zip(node.moves, below, strict=True)]
    info = "" if node.info in ("", node.name) else f"@{node.info}"
    opening, closing = "[]" if node.player is MaxMin.MAX else "()"
    return f"{node.name}{info}{opening}{' '.join(below)}{closing}"
