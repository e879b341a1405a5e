"""The networks about opening leads: how the leads of a hand differ in tricks.
The recipe is training/leads.py; the weights are shipped in half precision: leadnet_deal.npz judges
one deal at a time, leadnet_info.npz what the auction says on average."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import arrays
from overtrick.cardplay.leadfacts import (
    Bits,
    Inputs,
    Problems,
    candidates,
    facts_of,
    inputs,
    mean_facts,
)
from overtrick.cardplay.situation import Situation

Floats = NDArray[np.float64]
Layers = tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]


@lru_cache(maxsize=2)
def shipped(sees: str) -> Layers:
    """The weights that come with the package: of the network that sees the deal, or info."""
    with files("overtrick.cardplay").joinpath(f"leadnet_{sees}.npz").open("rb") as file:
        return layers_of(arrays(file))


def layers_of(arrays: Any) -> Layers:
    """Weights and biases of a file, in order."""
    count = sum(name.startswith("w") for name in arrays)
    return tuple(
        (arrays[f"w{i}"].astype(np.float32), arrays[f"b{i}"].astype(np.float32))
        for i in range(count)
    )


def leads_in(at: Situation, layouts: Bits) -> tuple[NDArray[np.int64], Floats]:
    """The leads that are no equals, and what the network gives each in each layout.

    Only differences mean anything: every row has the mean 0.
    """
    return _said(at, facts_of(layouts, int(at.turn)), shipped("deal"))


def leads_on_average(at: Situation, layouts: Bits) -> Floats:
    """What the other network gives the same leads, which sees only how cards lie on average."""
    even = np.full(len(layouts), 1 / len(layouts))
    _, said = _said(at, mean_facts(layouts, even, int(at.turn)), shipped("info"))
    first: Floats = said[0]
    return first


def _said(at: Situation, facts: Inputs, layers: Layers) -> tuple[NDArray[np.int64], Floats]:
    count = len(facts)
    hands = np.full(count, at.known[at.turn], np.uint64)
    same = np.ones(count, np.int64)
    contract = at.contract
    some = Problems(
        hands,
        facts,
        same * int(contract.strain),
        same * contract.level,
        same * int(contract.doubled),
    )
    problem, card = candidates(hands)
    x = inputs(some, problem, card)
    for weight, bias in layers[:-1]:
        x = np.maximum(x @ weight + bias, 0)
    said = (x @ layers[-1][0] + layers[-1][1]).reshape(count, -1).astype(float)
    return card[: said.shape[1]], said - said.mean(axis=1, keepdims=True)
