"""Bidding nodes as a tree or in layers: which calls a node allows and where they lead.

A node's label is the last bid (0 after an opening Pass, -1 at the root). Calls are contract
indices 0..35. Opener may pass and the auction goes on; any later Pass ends it in the label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from overtrick_lab.uncontested.features import CONTRACTS

Shape = Literal["tree", "layered"]
TERMINAL = -1
_MOST_NODES = 100_000  # the largest of the paper has a thousand


@dataclass(frozen=True, slots=True)
class Nodes:
    """All non-terminal bidding nodes, numbered layer by layer; node 0 is the root."""

    shape: Shape
    length: int
    width: int
    label: npt.NDArray[np.int64]  # [node]
    layer: npt.NDArray[np.int64]  # [node], 0 at the root
    legal: npt.NDArray[np.bool_]  # [node, call]
    child: npt.NDArray[np.int64]  # [node, call], TERMINAL where the call ends the auction
    contract: npt.NDArray[np.int64]  # [node, call], the contract when the call ends the auction

    def __len__(self) -> int:
        return len(self.label)

    def find(self, calls: tuple[int, ...]) -> int:
        """The node reached by `calls` from the root, TERMINAL where the model stops bidding."""
        node = 0
        for call in calls:
            if not self.legal[node, call] or self.child[node, call] == TERMINAL:
                return TERMINAL
            node = int(self.child[node, call])
        return node


def build(shape: Shape, length: int, width: int = 5) -> Nodes:
    """The paper's structure: `length` bidding layers, `width` lowest bids of a node go on.

    In the layered shape nodes of one layer with the same label are one node (Fig. 1b).
    """
    if length < 1 or width < 1:
        raise ValueError(f"length {length} and width {width} must be positive")
    if width > CONTRACTS or length > CONTRACTS:
        raise ValueError(f"no auction is {length} calls long and {width} wide")
    labels, layers = [-1], [0]
    links: dict[tuple[int, int], int] = {}
    merged: dict[tuple[int, int], int] = {}
    frontier = [0]
    for layer in range(1, length):
        grown = []
        for node in frontier:
            first = labels[node] + 1
            for call in range(first, min(first + width, CONTRACTS)):
                key = (layer, call)
                if shape == "layered" and key in merged:
                    links[node, call] = merged[key]
                    continue
                merged[key] = links[node, call] = len(labels)
                grown.append(len(labels))
                labels.append(call)
                layers.append(layer)
                if len(labels) > _MOST_NODES:
                    raise ValueError(f"length {length} and width {width} make too many nodes")
        frontier = grown
    return _tables(shape, (length, width), np.array(labels), np.array(layers), links)


def _tables(
    shape: Shape,
    size: tuple[int, int],
    label: npt.NDArray[np.int64],
    layer: npt.NDArray[np.int64],
    links: dict[tuple[int, int], int],
) -> Nodes:
    calls = np.arange(CONTRACTS)
    legal = calls[None, :] > label[:, None]
    legal[:, 0] = True
    child = np.full((len(label), CONTRACTS), TERMINAL, dtype=np.int64)
    for (node, call), target in links.items():
        child[node, call] = target
    contract = np.where(calls[None, :] == 0, np.maximum(label, 0)[:, None], calls[None, :])
    return Nodes(shape, size[0], size[1], label, layer, legal, child, contract)
