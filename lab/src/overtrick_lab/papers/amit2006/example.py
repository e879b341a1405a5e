"""Figure 7 of the paper computed again: examples go into a decision net, and become three rules."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix, features
from overtrick.game import CALLS, Hand
from overtrick.systems.nets import Box, Node, State, hands_actions
from overtrick_lab.papers.amit2006.inducer import (
    Examples,
    Leaf,
    Split,
    SplitLimits,
    Tree,
    boxes,
    induce,
)
from overtrick_lab.papers.amit2006.merge import attach, insert_examples

HEART: Final = 5
NOTRUMP: Final = 7
NAMES: Final = ("HCP(H)", "CONTROLS")
# The hands the figure shows with their tags, and some of the same kind.
TAGGED: Final = (
    ("AK2.87654.K32.AQ", NOTRUMP), ("AQ2.QJ854.K4.AT3", NOTRUMP), ("AK3.T9643.AQ.Q32", NOTRUMP),
    ("KQ2.QJ854.AK.Q43", NOTRUMP), ("Q2.KQJ43.KQ3.Q62", HEART), ("QJ.KQJ43.KQ3.Q62", HEART),
    ("Q32.KQJT4.KQ.QJ3", HEART), ("QJ4.KQJ32.QJ3.QJ", HEART), ("A32.AK432.K32.K2", NOTRUMP),
    ("A32.KQ432.A32.A2", NOTRUMP), ("K32.AQ432.A2.A32", NOTRUMP), ("A43.AQJ32.K2.K32", NOTRUMP),
)  # fmt: skip
PRINTED: Final[Tree] = Split(
    "HCP(H)", 5, Leaf((NOTRUMP,), 1), Split("CONTROLS", 3, Leaf((HEART,), 1), Leaf((NOTRUMP,), 1))
)
"""Figure 7(d): little in hearts, or three controls and more: 1NT; otherwise 1♥."""


def state_of(hand: Hand) -> State:
    """The features that the rules ask for, as exact values."""
    numbers = features(hand)
    return {n: (numbers[n], numbers[n]) for n in ("HCP", "BAL", "SUITLEN(H)", *NAMES)}


def net() -> Node:
    """Figure 7(a): 1NT and 1♥ overlap in balanced hands with five hearts and 15 to 17 points."""
    notrump = Node(Box.of({"BAL": (0, 0), "HCP": (15, 17)}), {NOTRUMP})
    heart = Node(Box.of({"HCP": (11, 23), "SUITLEN(H)": (5, 13)}), {HEART})
    return Node(Box(), set(range(38)), [notrump, heart])


def learned() -> tuple[Node, Tree]:
    """Figures 7(b) to (d): the intersection node, its tagged hands, the tree on its else link."""
    grown, hands = net(), [Hand.parse(text) for text, _ in TAGGED]
    tags = [(state_of(h), tag) for h, (_, tag) in zip(hands, TAGGED, strict=True)]
    (stored,) = insert_examples(grown, tags)
    matrix = feature_matrix(HandArray.of(hands), NAMES)
    tree = induce(Examples.of_tags(NAMES, matrix, stored.tags), SplitLimits(least=2, tie=0))
    attach(stored.node, tree)
    return grown, tree


def markdown() -> str:
    """The rules of the paper and ours, and how the tagged hands are bid by them."""
    grown, tree = learned()
    allowed = hands_actions(grown, HandArray.of([Hand.parse(text) for text, _ in TAGGED]))
    right = sum(
        set(np.flatnonzero(row)) == {tag} for row, (_, tag) in zip(allowed, TAGGED, strict=True)
    )
    rules = {"paper": PRINTED, "ours": tree}
    lines = [f"- {who}: {_rules(one)}" for who, one in rules.items()]
    return "\n".join([*lines, f"- tagged hands with their tag as the only call: {right} of 12"])


def _rules(tree: Tree) -> str:
    lines = []
    for box, leaf in boxes(tree, Box()):
        where = ", ".join(
            f"{name} ≤ {high:g}" if low == -math.inf else f"{name} ≥ {low:g}"
            for name, low, high in box.ranges
        )
        lines.append(f"{where}: {'/'.join(str(CALLS[c]) for c in sorted(leaf.actions))}")
    return "; ".join(lines)
