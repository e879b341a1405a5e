"""All features of one hand as a mapping, or of many hands as one matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation.features import registry
from overtrick.evaluation.hands import HandArray, one_hand
from overtrick.evaluation.registry import FeatureError, feature
from overtrick.game import Hand


class Features(Mapping[str, float]):
    """The features of one hand, each computed when it is asked for.

    >>> numbers = features(Hand.parse("AKJ52.QJ82.8.Q64"))
    >>> numbers["HCP"], numbers["SUITLEN(S)"], numbers["losers(♠,all)"], numbers["FIRSTBID(S)"]
    (13, 5, 6, 1)
    """

    __slots__ = ("_hand",)

    def __init__(self, hand: Hand) -> None:
        self._hand = one_hand(hand.bits)

    def __getitem__(self, name: str) -> float:
        number: float = feature(name)(self._hand)
        return number

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and feature(name) is not None
        except FeatureError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(registry())

    def __len__(self) -> int:
        return len(registry())


def features(hand: Hand) -> Features:
    """The features of a hand by name.

    >>> from overtrick import Hand
    >>> found = features(Hand("AK3.QJ2.T98.7654"))
    >>> found["HCP"], found["SUITLEN(S)"]
    (10, 3)
    """
    return Features(hand)


def feature_matrix(
    hands: HandArray | NDArray[np.uint64], names: Sequence[str] | None = None
) -> NDArray[np.float32]:
    """[n, features]: these features (default: all of the registry, in its order) of many hands.

    >>> from overtrick import Hand
    >>> bits = [Hand("AK3.QJ2.T98.7654").bits, Hand("QJT95.82.K73.962").bits]
    >>> feature_matrix(np.array(bits, np.uint64), ["HCP", "SUITLEN(S)"]).tolist()
    [[10.0, 3.0], [6.0, 5.0]]
    """
    many = hands if isinstance(hands, HandArray) else HandArray(hands)
    wanted = list(registry()) if names is None else list(names)
    columns = np.empty((len(wanted), len(many)), np.float32)
    for i, name in enumerate(wanted):
        columns[i] = feature(name)(many)
    return columns.T
