"""What is known before a deal is dealt: cards, voids and constraints, with forced cards placed.
Contradictions are found here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
from overtrick.evaluation.holdings import HOLDINGS
from overtrick.evaluation.registry import ALL
from overtrick.game import BridgeError, PartialDeal, Seat, Side
from overtrick.game.cards import ALL_CARDS, SUIT_BITS, SUIT_SYMBOLS
from overtrick.worlds.constraints import (
    ALWAYS,
    AllOf,
    AnyOf,
    Between,
    Constraint,
    HoldsCards,
    Not,
    Shapes,
)
from overtrick.worlds.regions import region
from overtrick.worlds.together import Together

Bools = NDArray[np.bool_]


class DealingError(BridgeError):
    """Deals that cannot be had.

    >>> issubclass(ImpossibleDeal, DealingError), issubclass(TooRare, DealingError)
    (True, True)
    """


class ImpossibleDeal(DealingError):
    """Proven: no deal satisfies what was asked.

    >>> from overtrick.worlds import Dealer
    >>> Dealer({"N": "hcp 30+", "S": "hcp 30+"}).sample(1)
    Traceback (most recent call last):
        ...
    overtrick.worlds.problem.ImpossibleDeal: the four hands need 60 hcp together, the deck has 40
    """


class TooRare(DealingError):
    """No proof, but the budget of tries is spent; `chance` bounds the acceptance from above.

    >>> TooRare("none in 1000 tries", 1000, 0.004).tried
    1000
    """

    def __init__(self, message: str, tried: int, chance: float) -> None:
        super().__init__(message)
        self.tried = tried
        self.chance = chance


@dataclass(frozen=True, slots=True)
class DealingProblem:
    """Known cards, the pool of others, how many each seat still gets, and what it may hold."""

    known: tuple[int, int, int, int]
    pool: int
    needs: tuple[int, int, int, int]
    voids: tuple[int, int, int, int]  # 52-bit sets of cards a seat does not get
    constraints: tuple[Constraint, Constraint, Constraint, Constraint]
    together: Together | None = None  # of North-South; what is said of East-West is mirrored

    @property
    def unknown(self) -> list[int]:
        """The seats that still get cards."""
        return [s for s in range(4) if self.needs[s]]


def pose(
    constraints: Mapping[Seat, Constraint] | None = None,
    known: PartialDeal | None = None,
    voids: Mapping[Seat, Collection[int]] | None = None,
    together: Mapping[Side, Together] | None = None,
) -> DealingProblem:
    """The problem with every forced card placed, or `ImpossibleDeal` saying why there is none."""
    have = [h.bits for h in known.hands] if known is not None else [0] * 4
    barred = [0] * 4
    for seat, suits in (voids or {}).items():
        for suit in suits:
            barred[seat] |= SUIT_BITS << 13 * suit
    rules = tuple((constraints or {}).get(s, ALWAYS) for s in Seat)
    have = _place_forced(have, barred)
    for seat in Seat:
        _check_alone(seat, rules[seat], have[seat])
    _check_together(rules)
    sides = together or {}
    pair = sides.get(Side.NS, Together()).both(sides.get(Side.EW, Together()).mirrored())
    pool = ALL_CARDS & ~(have[0] | have[1] | have[2] | have[3])
    return DealingProblem(
        known=tuple(have),  # type: ignore[arg-type]
        pool=pool,
        needs=tuple(13 - h.bit_count() for h in have),  # type: ignore[arg-type]
        voids=tuple(barred),  # type: ignore[arg-type]
        constraints=rules,  # type: ignore[arg-type]
        together=pair if pair != Together() else None,
    )


def _place_forced(have: list[int], barred: list[int]) -> list[int]:
    """Give suits that only one seat can still hold to that seat, until nothing is forced."""
    have = list(have)
    while True:
        pool = ALL_CARDS & ~(have[0] | have[1] | have[2] | have[3])
        placed = False
        for suit in range(4):
            cards = pool & SUIT_BITS << 13 * suit
            able = [s for s in range(4) if have[s].bit_count() < 13 and not barred[s] & cards]
            if not cards or len(able) > 1:
                continue
            if not able:
                raise ImpossibleDeal(f"nobody can hold the missing {SUIT_SYMBOLS[suit]}")
            have[able[0]] |= cards
            placed = True
        for seat in Seat:
            if have[seat].bit_count() > 13:
                raise ImpossibleDeal(f"the voids leave {seat} with more than 13 cards")
        if not placed:
            return have


def _check_alone(seat: Seat, rule: Constraint, have: int) -> None:
    if rule.is_impossible:
        raise ImpossibleDeal(f"{seat}: no hand satisfies the constraint")
    if have.bit_count() == 13 and not rule.holds(have):
        raise ImpossibleDeal(f"{seat}: the known hand does not have {rule.words()}")


def _check_together(rules: tuple[Constraint, ...]) -> None:
    """Least and greatest sums over the four hands against the forty points and thirteen cards."""
    bounds = [r.bounds() for r in rules]
    low, high = sum(b.hcp[0] for b in bounds), sum(b.hcp[1] for b in bounds)
    if low > 40:
        raise ImpossibleDeal(f"the four hands need {low} hcp together, the deck has 40")
    if high < 40:
        raise ImpossibleDeal(f"the four hands have at most {high} hcp together, the deck has 40")
    for suit in range(4):
        low = sum(b.lengths[suit][0] for b in bounds)
        high = sum(b.lengths[suit][1] for b in bounds)
        if low > 13:
            raise ImpossibleDeal(f"the four hands need {low} cards in {SUIT_SYMBOLS[suit]}")
        if high < 13:
            raise ImpossibleDeal(
                f"the four hands hold at most {high} cards in {SUIT_SYMBOLS[suit]}"
            )


def suit_filters(rule: Constraint) -> tuple[list[Bools | None], bool]:
    """Which holdings of each suit a constraint allows, from its parts about a single suit.

    Also says whether suit filters and the (shape, hcp) region together are the constraint.
    """
    filters: list[Bools | None] = [None] * 4
    exact = True
    for part in rule.parts if isinstance(rule, AllOf) else (rule,):
        suits = suits_of(part)
        if len(suits) == 1:
            (suit,) = suits
            holdings = np.arange(HOLDINGS, dtype=np.uint64) << np.uint64(13 * suit)
            mask = part.mask(HandArray(holdings))
            old = filters[suit]
            filters[suit] = mask if old is None else old & mask
        else:
            outer, inner = region(part)
            exact = exact and not (outer & ~inner).any()
    return filters, exact


_SUIT_CLASSES = frozenset(
    ("HCP", "CONTROLS", "HC", "HONOR", "ACE", "KING", "QUEEN", "JACK", "TEN", "BIDDBLE", "INTER")
) | {"STOP-NT", "QLTY", "LTC", "TP", "QUICK", "SUITLEN"}


def suits_of(part: Constraint) -> set[int]:
    """The suits a constraint looks at; all four when unsure."""
    everything = {0, 1, 2, 3}
    match part:
        case Between(name):
            f = feature(name)
            if f.of.name in _SUIT_CLASSES and f.suits and ALL not in f.suits:
                return set(f.suits)
            return everything
        case HoldsCards(cards):
            return {s for s in range(4) if cards >> 13 * s & SUIT_BITS}
        case AllOf(parts) | AnyOf(parts):
            return set().union(*(suits_of(p) for p in parts))
        case Not(inside):
            return suits_of(inside)
        case Shapes():
            return everything
    return everything
