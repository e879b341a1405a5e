"""The better sampler for a question: exact dealing, or annealing where exact deals come too slowly.
Used by pragma and by anyone who wants deals without caring how they are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import perf_counter
from typing import Final, NamedTuple

from numpy.random import Generator

from overtrick.game import PartialDeal, Seat
from overtrick.worlds.annealing import DEFAULT, Annealer, Schedule
from overtrick.worlds.constraints import Constraint
from overtrick.worlds.dealer import Dealer, Dealt
from overtrick.worlds.problem import TooRare

# Exact deals are independent and uniform, so annealing must be much faster to be preferred.
_PATIENCE: Final = 40_000  # proposals without a deal before the other way is tried
_PROBE: Final = 32


class Chosen(NamedTuple):
    """Deals, and how they were made: `exact` or `annealed`."""

    dealt: Dealt
    how: str


def sample_deals(
    n: int,
    rng: Generator,
    constraints: Mapping[Seat, Constraint],
    *,
    known: PartialDeal | None = None,
    voids: Mapping[Seat, Collection[int]] | None = None,
    schedule: Schedule = DEFAULT,
) -> Chosen:
    """n deals by the sampler that suits the constraints; `TooRare` if neither finds any.

    A few exact deals are drawn first. If they come easily, so do the others; if not, annealing is
    timed on the same number and the faster way goes on.
    """
    exact = Dealer(constraints, known=known, voids=voids, budget=_PATIENCE)
    annealer = Annealer(constraints, known=known, voids=voids, schedule=schedule)
    few = min(n, _PROBE)
    began = perf_counter()
    try:
        dealt = exact.sample(few, rng)
    except TooRare:
        return Chosen(annealer.sample(n, rng), "annealed")
    if n <= few or dealt.acceptance > 1e-3:
        return Chosen(exact.sample(n, rng), "exact")
    exact_seconds = perf_counter() - began
    began = perf_counter()
    try:
        annealer.sample(few, rng)
    except TooRare:
        return Chosen(exact.sample(n, rng), "exact")
    if perf_counter() - began < exact_seconds:
        return Chosen(annealer.sample(n, rng), "annealed")
    return Chosen(exact.sample(n, rng), "exact")
