"""From tagged states to a refined net: a tree of preferences, written as rules.
Used by co-training; the result is text that players can read, and PIDM loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix
from overtrick.systems.phrases import phrases
from overtrick.systems.refined import AuctionKey, RefinedNet, Ruling, ruling_of
from overtrick.training.bidi.inducer import (
    Criterion,
    Examples,
    Limits,
    Tree,
    boxes,
    feature_names,
    induce,
)
from overtrick.training.bidi.tagging import Tagged


@dataclass(frozen=True, slots=True)
class RefineLimits:
    """How much evidence a leaf needs."""

    least: int = 5
    share: float = 0.05
    """A leaf holds at least this share of the examples, and `least` of them."""
    depth: int = 4
    worth: float = 0.01
    """IMPs an example (of the whole net) that a split must bring."""
    criterion: Criterion = "information"


def examples_of(tagged: Sequence[Tagged]) -> Examples:
    """Tagged states as a table; calls that a state does not allow have no value."""
    calls = tuple(sorted({c for t in tagged for c in t.state.calls}))
    column = {c: i for i, c in enumerate(calls)}
    values = np.full((len(tagged), len(calls)), np.nan)
    for row, one in enumerate(tagged):
        values[row, [column[c] for c in one.state.calls]] = one.values
    names = feature_names()
    matrix = feature_matrix(HandArray.of([t.state.hand for t in tagged]), names)
    return Examples(names, matrix, calls, values)


def grow(examples: Examples, limits: RefineLimits = RefineLimits()) -> Tree:
    least = max(limits.least, round(limits.share * len(examples)))
    return induce(
        examples, Limits(least, limits.depth, worth=limits.worth, criterion=limits.criterion)
    )


def refine_net(
    key: AuctionKey, tagged: Sequence[Tagged], limits: RefineLimits = RefineLimits()
) -> RefinedNet:
    """The net of one auction, refined by its examples."""
    rulings: list[Ruling] = []
    for box, leaf in boxes(grow(examples_of(tagged), limits)):
        many = "1 example" if leaf.examples == 1 else f"{leaf.examples} examples"
        words = f"{many}, {leaf.value:+.1f} IMPs"
        rulings.append(ruling_of(leaf.order, phrases(box.ranges), words))
    return RefinedNet(key, tuple(rulings))
