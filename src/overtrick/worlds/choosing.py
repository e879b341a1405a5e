"""The better sampler for a question: exact dealing, or annealing where exact deals are too rare.
For anyone who wants deals without caring how they are made: `from overtrick.worlds import …`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from numpy.random import Generator

from overtrick.game import PartialDeal, Seat
from overtrick.worlds.annealing import DEFAULT, Annealer, Cooling
from overtrick.worlds.constraints import Constraint
from overtrick.worlds.dealer import Dealer, DealSample
from overtrick.worlds.problem import TooRare

# Exact deals are independent and uniform, so only rare ones are annealed. The choice is made by
# counting, not by the clock: the same seed gives the same deals on any machine.
_PATIENCE: Final = 40_000  # proposals without a deal before the other way is tried
_PROBE: Final = 160
_RARE: Final = 1e-3  # of the proposals: below this a chain of swaps finds a deal sooner


class Chosen(NamedTuple):
    """Deals, and how they were made: `exact` or `annealed`."""

    dealt: DealSample
    how: str


def sample_deals(
    n: int,
    rng: Generator,
    constraints: Mapping[Seat, Constraint],
    *,
    known: PartialDeal | None = None,
    voids: Mapping[Seat, Collection[int]] | None = None,
    schedule: Cooling = DEFAULT,
    patience: int = _PATIENCE,
) -> Chosen:
    """n deals by the sampler that suits the constraints; `TooRare` if neither finds any.

    A few exact deals are drawn first. If they come easily, so do the others; if not (none in
    `patience` proposals, or hardly any), the deals are annealed where that is possible.

    >>> import numpy
    >>> from overtrick.worlds import parse
    >>> found = sample_deals(2, numpy.random.default_rng(1), {Seat.NORTH: parse("hcp 15..17")})
    >>> len(found)
    2
    """
    exact = Dealer(constraints, known=known, voids=voids, budget=patience)
    annealer = Annealer(constraints, known=known, voids=voids, schedule=schedule)
    try:
        dealt = exact.sample(min(n, _PROBE), rng)
    except TooRare:
        return Chosen(annealer.sample(n, rng), "annealed")
    if len(dealt) == n:
        return Chosen(dealt, "exact")
    if dealt.acceptance < _RARE:
        try:
            return Chosen(annealer.sample(n, rng), "annealed")
        except TooRare:
            pass  # the exact dealer did find some
    return Chosen(exact.sample(n, rng), "exact")
