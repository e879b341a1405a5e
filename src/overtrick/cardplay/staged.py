"""Layouts for the opening lead, dealt hand by hand and weighed by the auction at every stage.
Once dummy is seen two hands are hidden, and knowledge.py deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.sampling import choose
from overtrick.cardplay.situation import Situation
from overtrick.engines.clock import Clock, worked
from overtrick.game import PASS
from overtrick.worlds.believing import by_belief
from overtrick.worlds.splitting import choose as choose_each
from overtrick.worlds.tellers import Draw, most_telling, teller_first
from overtrick.worlds.weighted import Floats, Worlds, systematic
from overtrick.worlds.witness import Witness

_ROUNDS: Final = 4
_AHEAD: Final = 3  # times what a round takes must be left on the clock for another one


@dataclass(frozen=True, slots=True)
class Width:
    """How many hands of the most telling seat are dealt in a round, and how many layouts go on to
    the next stage."""

    first: int = 8000
    then: int = 3000


WIDE: Final = Width()
NARROW: Final = Width(3000, 1200)
"""Where the answers about hands take long."""


def staged_layouts(
    at: Situation,
    witnesses: Sequence[Witness],
    enough: float,
    rng: Generator,
    beliefs: Floats | None = None,
    width: Width = WIDE,
    clock: Clock | None = None,
) -> Worlds:
    """Layouts whose weighted law is that of all deals, given what witnesses say.

    A hand is dealt to the seat that told most and weighed; good ones go on, each as often as it
    weighs, and get a hand of the next seat. Rounds are added until the layouts are worth `enough`,
    or the clock cuts in.
    With `beliefs` hands are drawn from them, which finds those that fit rare auctions; it changes
    nothing about the law.
    """
    order = _most_telling_first(at)
    draw = _evenly(at, order, rng)
    if beliefs is not None:
        draw = by_belief(at.view.seat, beliefs, order, rng)
    began = worked()
    found = _round(at, order, witnesses, draw, rng, width)
    took = worked() - began
    for _ in range(_ROUNDS - 1):
        if found.effective >= enough or (clock is not None and clock.late(_AHEAD * took)):
            break
        found = Worlds.joined([found, _round(at, order, witnesses, draw, rng, width)])
    return found


def _most_telling_first(at: Situation) -> list[int]:
    calls = at.view.auction.calls
    bids = {
        seat: sum(c != PASS for i, c in enumerate(calls) if at.view.auction.seat_of(i) == seat)
        for seat in at.hidden
    }
    return most_telling(bids)


def _evenly(at: Situation, order: list[int], rng: Generator) -> Draw:
    """Any thirteen of the free cards."""

    def draw(seat: int, free: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], float]:
        if seat == order[0]:
            return choose(rng, at.pool, 13, len(free)), 0.0
        return choose_each(rng, free, 13), 0.0

    return draw


def _round(
    at: Situation,
    order: list[int],
    witnesses: Sequence[Witness],
    draw: Draw,
    rng: Generator,
    width: Width,
) -> Worlds:
    """One pass through the hidden seats; the mean weight of each stage stays with the layouts."""

    def judge(seat: int, now: Worlds) -> Worlds:
        alone = np.zeros_like(now.deals)  # what was said of the hands before is in the weights
        alone[:, seat] = now.deals[:, seat]
        for witness in witnesses:
            now = now.weighed(witness.log_likelihood(at.view, Worlds(alone, now.logs)))
        if seat == order[2]:
            return now
        top = float(now.logs.max())
        weights = np.exp(now.logs - top)
        picked = systematic(weights, width.then, rng)
        even = np.full(width.then, top + float(np.log(weights.mean())))
        return Worlds(now.deals[picked], even)

    known = np.tile(np.array(at.known, np.uint64), (width.first, 1))
    return teller_first(Worlds.even(known), order, draw, judge)
