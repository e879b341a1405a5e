"""What engines decide and say on a few fixed boards, with their clocks stopped.
Used by the test beside it and by `make golden`; `python -m benchmarks.decisions` compares many more
boards, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.decisions import decisions
from overtrick.game import Card, Decision

ENGINES: Final = {
    "rules": ("rules(system=two-over-one)", 2),
    "points": ("points", 2),
    "policy": ("policy", 2),
    "bmcs": ("bmcs(batches=2)", 2),
    "partner": ("partner(batches=2)", 2),
    "partner-disclosing": ("partner(system=sayc, batches=1, disclose=20)", 1),
    "pidm": ("pidm(worlds=12)", 1),
    "pragma": ("pragma(rounds=16 32)", 1),
    "bandit": ("bandit", 2),
    "relay": ("relay(worlds=20)", 1),
    "pimc": ("pimc(worlds=6)", 1),
    "alphamu": ("alphamu(worlds=8)", 1),
    "planner": ("planner(worlds=6, plans=1)", 1),
    "highest": ("highest", 1),
}
"""File name → the engine and its number of boards."""


def files() -> dict[str, str]:
    """File name → text, for the folder tests/golden/decisions."""
    return {
        f"{name}.txt": "\n".join(_lines(spec, boards)) + "\n"
        for name, (spec, boards) in ENGINES.items()
    }


def _lines(spec: str, boards: int) -> Iterator[str]:
    for number in range(1, boards + 1):
        yield f"{spec}, board {number}"
        for decision in decisions(spec, number):
            yield _line(decision)


def _line(decision: Decision) -> str:
    """Values to a hundredth: the last digits of a network differ between processors. Of calls the
    kinds of reasons: their words and rules are those of the system, which are data."""
    candidates = ", ".join(
        c.action.ascii if c.value is None else f"{c.action.ascii} {c.value:.2f}"
        for c in decision.candidates
    )
    said = ", ".join(r.id for r in decision.reasons)
    why = decision.why if isinstance(decision.action, Card) else said
    parts = (decision.action.ascii, str(decision.worlds), candidates, why)
    return " | ".join(parts).rstrip(" |")
