"""Deals consistent with what is known: constraints on hands, exact dealing, samplers.
Used by systems, engines, analysis and `overtrick deal`."""

from overtrick.worlds.constraints import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    Between,
    Bounds,
    Constraint,
    Holding,
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
from overtrick.worlds.language import parse, variables

__all__ = [
    "ALWAYS", "NEVER", "SUIT_VARIABLES", "AllOf", "AnyOf", "Between", "Bounds", "Constraint",
    "ConstraintError", "Holding", "Not", "Shapes", "all_of", "any_of", "between", "has", "hcp",
    "length", "negated", "parse", "shape", "variables",
]  # fmt: skip
