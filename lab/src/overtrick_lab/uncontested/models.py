"""Learned bidding strategies for uncontested auctions: values of calls, greedy auctions, files.

Calls are contract indices 0..35 (Pass, 1C … 7NT); opener's Pass does not end the auction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from overtrick.archives import arrays
from overtrick_lab.uncontested.features import (
    CONTRACTS,
    condensed,
    lengths,
    points,
    polynomial,
)
from overtrick_lab.uncontested.nodes import TERMINAL, Nodes, build
from overtrick_lab.uncontested.packing import packed, unpacked

Bits = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_ORDERS = {6: 1, 21: 2, 56: 3}  # polynomial order by number of features
FORMAT: Final = 2
"""Of the files of `save`: 1 had half precision, single in trees, 8 bits in large matrices."""
_TREE: Final = 1024.0
_ENDS: Final = 128.0
_INSIDE: Final = 5120.0
"""How fine the steps of weights are (`packing`). Regressions on squares and products cancel a lot
and need the finest. In networks the first and the last layer are small and matter most. A square
of hidden units gets this over its width: for a given size of the file the error is least when the
step grows with the root of the number of weights."""


class Model(Protocol):
    """Any learned strategy."""

    @property
    def turns(self) -> int:
        """The longest auction it knows, in calls of its own side."""
        ...

    def values(self, hands: Bits, calls: Sequence[int]) -> Floats:
        """Worth of the 36 calls for hands `[n, 52]` after `calls`; minus infinity if illegal."""
        ...


def auction_over(calls: Sequence[int]) -> bool:
    """Has a later Pass or 7NT ended this auction of one side?"""
    return bool(calls) and (calls[-1] == CONTRACTS - 1 or (len(calls) > 1 and calls[-1] == 0))


def last_bid(calls: Sequence[int]) -> int:
    """The highest bid so far: 0 after an opening Pass, -1 before the first call."""
    return max(calls, default=-1)


def bid_out(
    model: Model, opener: Bits, responder: Bits, start: Sequence[int] = ()
) -> tuple[Ints, Ints]:
    """Greedy auctions of any model that go on from the calls `start`.

    Contracts `[n]` and all calls `[n, turns]` (-1 = over).
    """
    size, first = len(opener), tuple(start)
    contract = np.full(size, max(last_bid(first), 0), dtype=np.int64)
    made = np.full((size, max(model.turns, len(first))), -1, dtype=np.int64)
    made[:, : len(first)] = first
    groups: dict[tuple[int, ...], Ints] = {} if auction_over(first) else {first: np.arange(size)}
    for turn in range(len(first), model.turns):
        after: dict[tuple[int, ...], Ints] = {}
        for calls, rows in groups.items():
            hands = (responder if turn % 2 else opener)[rows]
            chosen = model.values(hands, calls).argmax(axis=1)
            made[rows, turn] = chosen
            for call in np.unique(chosen):
                line = (*calls, int(call))
                here = rows[chosen == call]
                contract[here] = last_bid(line)
                if not auction_over(line):
                    after[line] = here
        groups = after
    return contract, made


@dataclass(frozen=True, slots=True)
class TreeModel:
    """Ho & Lin's strategy: bidding nodes with ridge weights `[node, call, dim]`."""

    nodes: Nodes
    weights: npt.NDArray[np.float32]

    @property
    def turns(self) -> int:
        """The paper's ℓ."""
        return self.nodes.length

    def values(self, hands: Bits, calls: Sequence[int]) -> Floats:
        """Expected reward (24 - cost); after the model's last call only Pass remains."""
        order = _ORDERS[self.weights.shape[2]]
        scores = np.full((len(hands), CONTRACTS), -np.inf)
        node = self.nodes.find(tuple(calls))
        if node == TERMINAL:
            scores[:, 0] = 0.0
            return scores
        legal = self.nodes.legal[node]
        x = polynomial(condensed(hands), order)
        scores[:, legal] = x @ self.weights[node][legal].T
        return scores

    def bid_out(self, opener: Floats, responder: Floats) -> tuple[Ints, Ints]:
        """Greedy auctions on expanded features: contracts and calls `[n, length]` (-1 = over)."""
        size = len(opener)
        contract = np.zeros(size, dtype=np.int64)
        calls = np.full((size, self.nodes.length), -1, dtype=np.int64)
        node = np.zeros(size, dtype=np.int64)
        live = np.arange(size)
        for turn in range(self.nodes.length):
            x = (responder if turn % 2 else opener)[live]
            call = np.empty(len(live), dtype=np.int64)
            for at in np.unique(node):  # one matrix product per node beats gathering weights
                here = np.flatnonzero(node == at)
                scores = x[here] @ self.weights[at].T
                call[here] = np.where(self.nodes.legal[at], scores, -np.inf).argmax(axis=1)
            calls[live, turn] = call
            after = self.nodes.child[node, call]
            contract[live] = self.nodes.contract[node, call]
            goes_on = after != TERMINAL
            live, node = live[goes_on], after[goes_on]
        return contract, calls


@dataclass(frozen=True, slots=True)
class NetModel:
    """One network for all turns (`nets` of length one) or one per bid index.

    Input: 52 cards, points, lengths, the calls made so far and the role (opener 0, responder 1).
    """

    nets: tuple[tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], ...], ...]
    slope: float
    limit: int

    @property
    def turns(self) -> int:
        """The longest auction seen in training."""
        return self.limit

    def values(self, hands: Bits, calls: Sequence[int]) -> Floats:
        """Network output; after the last turn only Pass remains."""
        turn = len(calls)
        scores = np.full((len(hands), CONTRACTS), -np.inf)
        if turn >= self.limit:
            scores[:, 0] = 0.0
            return scores
        out = self._forward(net_input(hands, calls), self.nets[min(turn, len(self.nets) - 1)])
        legal = np.arange(CONTRACTS) > last_bid(calls)
        legal[0] = True
        scores[:, legal] = out[:, legal]
        return scores

    def _forward(
        self,
        x: npt.NDArray[np.float32],
        layers: tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], ...],
    ) -> npt.NDArray[np.float32]:
        for weight, bias in layers[:-1]:
            y = x @ weight + bias
            y = np.where(y > 0, y, np.float32(self.slope) * y)
            x = x + y if x.shape == y.shape else y
        return x @ layers[-1][0] + layers[-1][1]


def net_input(hands: Bits, calls: Sequence[int]) -> npt.NDArray[np.float32]:
    """Rows for `NetModel`: the twin of `training.uncontested.board.seen`."""
    size = len(hands)
    history = np.zeros((size, CONTRACTS), dtype=np.float32)
    history[:, list(calls)] = 1.0
    role = np.full((size, 1), len(calls) % 2, dtype=np.float32)
    strength = (points(hands)[:, None] - 10.0) / 5.0
    shape = (lengths(hands) - 3.25) / 1.5
    return np.concatenate([hands, strength, shape, history, role], axis=1, dtype=np.float32)


def save(path: Path | IO[bytes], model: TreeModel | NetModel) -> None:
    """Write a model as npz: weights in steps that nobody notices, biases in half precision."""
    arrays: dict[str, Any] = {"format": np.array(FORMAT)}
    if isinstance(model, TreeModel):
        nodes = model.nodes
        arrays |= {
            "kind": np.array("tree"),
            "shape": np.array(nodes.shape),
            "size": np.array([nodes.length, nodes.width]),
            **packed("weights", model.weights[nodes.legal], _TREE),
        }
    else:
        arrays |= {
            "kind": np.array("net"),
            "slope": np.array(model.slope),
            "sizes": np.array([len(model.nets), len(model.nets[0]), model.limit]),
        }
        for net, layers in enumerate(model.nets):
            for layer, (weights, bias) in enumerate(layers):
                inside = 0 < layer < len(layers) - 1
                fine = _INSIDE / len(weights) if inside else _ENDS
                arrays |= packed(f"{net}_{layer}_w", weights, fine)
                arrays[f"{net}_{layer}_b"] = bias.astype(np.float16)
    np.savez_compressed(path, **arrays)


def load(path: Path | IO[bytes]) -> TreeModel | NetModel:
    """Read a model written by `save`, today's or that of format 1."""
    file = arrays(path)
    version = int(file["format"]) if "format" in file else 1
    if version > FORMAT:
        raise ValueError(f"it has format {version}, and this version reads up to {FORMAT}")
    if str(file["kind"]) == "tree":
        length, width = (int(number) for number in file["size"])
        nodes = build("tree" if str(file["shape"]) == "tree" else "layered", length, width)
        told = _weights(file, "weights")
        if version == 1:
            return TreeModel(nodes, told)
        all_calls = np.zeros((*nodes.legal.shape, told.shape[1]), dtype=np.float32)
        all_calls[nodes.legal] = told
        return TreeModel(nodes, all_calls)
    count, depth, limit = (int(number) for number in file["sizes"])
    nets = tuple(
        tuple(
            (
                _weights(file, f"{net}_{layer}_w"),
                file[f"{net}_{layer}_b"].astype(np.float32),
            )
            for layer in range(depth)
        )
        for net in range(count)
    )
    return NetModel(nets, float(file["slope"]), limit)


def _weights(file: Mapping[str, Any], name: str) -> npt.NDArray[np.float32]:
    if f"{name}_step" in file:
        return unpacked(file, name)
    told: npt.NDArray[np.float32] = file[name].astype(np.float32)  # format 1
    return told * file[f"{name}_scale"] if f"{name}_scale" in file else told
