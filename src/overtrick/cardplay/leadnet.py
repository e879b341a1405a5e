"""The network about opening leads: how the leads of a hand differ in tricks, deal by deal.
Used by lead.py as a first opinion, and to make few solved worlds tell more. The recipe is
training/leads.py; the weights are shipped as leadnet.npz in half precision."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.leadfacts import Bits, Problems, candidates, facts_of, inputs
from overtrick.cardplay.situation import Situation

Floats = NDArray[np.float64]
Layers = tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]


@lru_cache(maxsize=1)
def shipped() -> Layers:
    """The weights that come with the package."""
    with files("overtrick.cardplay").joinpath("leadnet.npz").open("rb") as file:
        return layers_of(np.load(file))


def layers_of(arrays: Any) -> Layers:
    """Weights and biases of a file, in order."""
    count = sum(name.startswith("w") for name in arrays)
    return tuple(
        (arrays[f"w{i}"].astype(np.float32), arrays[f"b{i}"].astype(np.float32))
        for i in range(count)
    )


def leads_in(
    at: Situation, layouts: Bits, layers: Layers | None = None
) -> tuple[list[int], Floats]:
    """The leads that are no equals, and what the network gives each in each layout.

    Only differences mean anything: every row has the mean 0.
    """
    layers = shipped() if layers is None else layers
    count = len(layouts)
    hands = np.full(count, at.known[at.turn], np.uint64)
    contract = at.contract
    same = np.ones(count, np.int64)
    some = Problems(
        hands,
        facts_of(layouts, int(at.turn)),
        same * int(contract.strain),
        same * contract.level,
        same * int(contract.doubled),
    )
    problem, card = candidates(hands)
    x = inputs(some, problem, card)
    for weight, bias in layers[:-1]:
        x = np.maximum(x @ weight + bias, 0)
    said = (x @ layers[-1][0] + layers[-1][1]).reshape(count, -1).astype(float)
    return card[: said.shape[1]].tolist(), said - said.mean(axis=1, keepdims=True)
