"""Bidding systems as a language: rule files that bid, explain, infer and can be checked."""

from overtrick.systems.errors import RuleError, UnknownSystem
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.systems.switches import Convention
from overtrick.systems.system import (
    System,
    agreed,
    declared,
    library_names,
    load,
    load_with,
    system_of_text,
)

__all__ = [
    "Convention", "OfferedCall", "Reading", "RuleError", "System", "UnknownSystem", "agreed",
    "declared", "library_names", "load", "load_with", "system_of_text",
]  # fmt: skip
