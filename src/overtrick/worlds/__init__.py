"""Deals consistent with what is known: constraints on hands, exact dealing, samplers.
Names are imported when they are first used: who weighs worlds needs no language of constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.lazily import lazily

__all__ = [
    "ALWAYS",
    "NEVER",
    "SUIT_VARIABLES",
    "AllOf",
    "Annealer",
    "AnyOf",
    "Between",
    "Bounds",
    "Constraint",
    "ConstraintError",
    "DealSample",
    "Dealer",
    "DealingError",
    "HoldsCards",
    "ImpossibleDeal",
    "Not",
    "Shapes",
    "Together",
    "TooRare",
    "all_of",
    "any_of",
    "between",
    "dealer_for",
    "deals",
    "has",
    "hcp",
    "length",
    "negated",
    "parse",
    "sample",
    "sample_deals",
    "shape",
    "variables",
]  # fmt: skip

if TYPE_CHECKING:
    from overtrick.worlds.annealing import Annealer
    from overtrick.worlds.choosing import sample_deals
    from overtrick.worlds.constraints import (
        ALWAYS,
        NEVER,
        AllOf,
        AnyOf,
        Between,
        Bounds,
        Constraint,
        HoldsCards,
        Not,
        Shapes,
        all_of,
        any_of,
        between,
        has,
        hcp,
        length,
        negated,
        shape,
    )
    from overtrick.worlds.cursor import SUIT_VARIABLES, ConstraintError
    from overtrick.worlds.dealer import Dealer, DealSample, deals
    from overtrick.worlds.language import parse, variables
    from overtrick.worlds.problem import DealingError, ImpossibleDeal, TooRare
    from overtrick.worlds.together import Together
    from overtrick.worlds.views import dealer_for, sample
else:
    __getattr__ = lazily(
        __name__,
        {
            "overtrick.worlds.annealing": ("Annealer",),
            "overtrick.worlds.choosing": ("sample_deals",),
            "overtrick.worlds.constraints": (
                "ALWAYS", "NEVER", "AllOf", "AnyOf", "Between", "Bounds", "Constraint",
                "HoldsCards", "Not", "Shapes", "all_of", "any_of", "between", "has", "hcp",
                "length", "negated", "shape",
            ),
            "overtrick.worlds.cursor": ("SUIT_VARIABLES", "ConstraintError"),
            "overtrick.worlds.dealer": ("Dealer", "DealSample", "deals"),
            "overtrick.worlds.language": ("parse", "variables"),
            "overtrick.worlds.problem": ("DealingError", "ImpossibleDeal", "TooRare"),
            "overtrick.worlds.together": ("Together",),
            "overtrick.worlds.views": ("dealer_for", "sample"),
        },
    )  # fmt: skip
