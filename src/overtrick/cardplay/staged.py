"""Layouts for the opening lead, dealt hand by hand and weighed by the auction at every stage.
Once dummy is seen two hands are hidden, and knowledge.py deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.reading import Floats
from overtrick.cardplay.sampling import Hands, choose
from overtrick.cardplay.situation import Situation
from overtrick.game import PASS, Seat
from overtrick.worlds.splitting import choose as choose_each

Likelihood = Callable[[Seat, NDArray[np.uint64]], Floats]  # log P(calls | hand), by seat
_FIRST: Final = 8000  # hands of the most telling seat in one round
_WIDTH: Final = 3000  # layouts that go on to the next stage
_ROUNDS: Final = 4


def staged_layouts(
    at: Situation, likely: Likelihood, enough: float, rng: Generator
) -> tuple[Hands, Floats]:
    """Layouts and log-weights whose weighted law is that of all deals given the auction.

    A hand is dealt to the seat that told most and weighed; good ones go on, each as often as it
    weighs, and get a hand of the next seat. Rounds are added until the layouts are worth `enough`.
    """
    order = _most_telling_first(at)
    hands, logs = _round(at, order, likely, rng)
    for _ in range(_ROUNDS - 1):
        if effective(logs) >= enough:
            break
        more, weights = _round(at, order, likely, rng)
        hands, logs = np.concatenate([hands, more]), np.concatenate([logs, weights])
    return hands, logs


def effective(logs: Floats) -> float:
    """How many equal weights these are worth."""
    weights = np.exp(logs - logs.max())
    return float(weights.sum() ** 2 / (weights**2).sum())


def _most_telling_first(at: Situation) -> list[int]:
    calls = at.view.auction.calls
    told = {
        seat: sum(c != PASS for i, c in enumerate(calls) if at.view.auction.seat_of(i) == seat)
        for seat in at.hidden
    }
    return sorted(at.hidden, key=lambda s: -told[s])


def _round(
    at: Situation, order: list[int], likely: Likelihood, rng: Generator
) -> tuple[Hands, Floats]:
    """One pass through the hidden seats; the mean weight of each stage stays with the layouts."""
    one, two, three = order
    first = choose(rng, at.pool, 13, _FIRST)
    picked, mean = _go_on(likely(Seat(one), first), rng)
    first = first[picked]
    rest = np.uint64(at.pool) & ~first
    second = choose_each(rng, rest, 13)
    picked, more = _go_on(likely(Seat(two), second), rng)
    first, second = first[picked], second[picked]
    out = np.empty((len(first), 4), np.uint64)
    out[:] = np.array(at.known, np.uint64)
    out[:, one], out[:, two] = first, second
    out[:, three] = np.uint64(at.pool) & ~(first | second)
    return out, likely(Seat(three), out[:, three]) + mean + more


def _go_on(logs: Floats, rng: Generator) -> tuple[NDArray[np.intp], float]:
    """Which rows go on, each as often as it weighs, and the log of the mean weight."""
    top = float(logs.max())
    weights = np.exp(logs - top)
    marks = (np.arange(_WIDTH) + rng.random()) * weights.sum() / _WIDTH
    picked = np.minimum(np.searchsorted(np.cumsum(weights), marks), len(logs) - 1)
    return picked, top + float(np.log(weights.mean()))
