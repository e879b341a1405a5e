"""Players choose cards softly: the chance of a card is a softmax over what may be played, linear in
features that players would name. One skeleton for defenders (defenders.py) and declarers."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from threading import Lock
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Named = Iterator[tuple[str, NDArray[Any]]]
IMPOSSIBLE: Final = -30.0  # the log of a card that could not be played
FOLLOWING: Final = ("second", "third", "fourth")  # choices among cards of the suit led
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class SoftChoice:
    """A model of players, fitted to boards that were played (`benchmarks.cardplay_fit`)."""

    file: str  # of its weights, beside this one
    lapse: float  # so often a player does something the model knows nothing about
    digits: type[np.floating[Any]]  # how exactly it counts

    @cached_property
    def weights(self) -> Mapping[str, Mapping[str, float]]:
        """By kind of choice and feature, as they come with the package."""
        text = files(__package__).joinpath(self.file).read_text(encoding="utf-8")
        loaded: dict[str, dict[str, float]] = json.loads(text)["weights"]
        return loaded

    def scores(
        self, kind: str, features: Iterable[tuple[str, NDArray[Any]]], legal: Bools
    ) -> NDArray[np.floating[Any]]:
        """The linear score of every card of every hand; minus infinity where it is not legal."""
        weights = self.weights[kind]
        score = np.zeros(legal.shape, self.digits)
        for name, values in features:
            weight = weights.get(name, 0.0)
            if weight:
                score += self.digits(weight) * values
        score[~legal] = -np.inf
        return score

    def with_lapses(self, chance: NDArray[Any], legal: Bools) -> NDArray[np.float64]:
        """log of a chance by the model, or of any legal card in a lapse."""
        found: NDArray[np.float64] = np.log(
            (1 - self.lapse) * chance + self.lapse / legal.sum(axis=1)
        )
        return found


@dataclass(frozen=True)
class Answers(Generic[K, V]):
    """Answers that are asked for again by the next decision: the last so many, each a value that is
    never changed. Only how long an answer takes depends on what was asked before."""

    most: int
    _kept: OrderedDict[K, V] = field(default_factory=OrderedDict, repr=False)
    _lock: Any = field(default_factory=Lock, repr=False)

    def changed(self, key: K, change: Callable[[V | None], V]) -> V:
        """The answer under a key after a change of what is known (None: nothing yet)."""
        with self._lock:
            known = self._kept.get(key)
        found = change(known)
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            if len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
