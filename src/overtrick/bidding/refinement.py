"""Learned agreements as rules of the bidding language, narrowing what a player considers.
Used by bidding.models through `nets=path`; learning writes these files, people may edit them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from overtrick.bidding.matching import HandTable, Matcher
from overtrick.bidding.models import Mask, Position
from overtrick.evaluation import HandArray
from overtrick.game import OptionError
from overtrick.systems import Reading
from overtrick.systems.system import System, system_of_text


class RuleRefinement:
    """A file of rules with whole auctions in front (`1H (P) 2H (P)`), calls and hands below.

    For a hand, the calls of the best priority that fits are what stays; rules of equal priority
    keep the question open. Auctions the file does not name, and hands no rule fits, are left as
    they were.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._reading = Reading(system)

    @classmethod
    def of_text(cls, text: str, name: str = "refined") -> RuleRefinement:
        return cls(system_of_text(text, name))

    def covers(self, position: Position) -> bool:
        return _key(position.calls) in self.system.index

    def narrow(self, position: Position, hands: HandArray, allowed: Mask) -> Mask:
        matcher = self._matcher(position)
        fits = matcher.fits(HandTable(hands))
        out = np.zeros_like(allowed)
        best = np.full(len(hands), -1)
        for i, (call, priority) in enumerate(
            zip(matcher.calls.tolist(), matcher.priorities.tolist(), strict=True)
        ):  # best first
            mine = fits[i] & allowed[:, call] & ((best < 0) | (best == priority))
            out[mine, call] = True
            best[mine] = priority
        return np.where(out.any(axis=1)[:, None], out, allowed)

    def _matcher(self, position: Position) -> Matcher:
        ctx = self._reading.context(position.calls)
        found = ctx.memo.get("matcher")
        if found is None:
            found = ctx.memo["matcher"] = Matcher(self._reading.options(ctx))
        return found  # type: ignore[return-value]

    def __len__(self) -> int:
        """How many auctions have a refined net."""
        return len(self.system.index)


def _key(calls: tuple[int, ...]) -> tuple[int, ...]:
    """The calls from the first that is not a pass, as systems index them."""
    for i, call in enumerate(calls):
        if call:
            return calls[i:]
    return ()


@lru_cache(maxsize=16)
def refinement_of(path: str) -> RuleRefinement | None:
    """The refined nets of a file; none for an empty name."""
    if not path:
        return None
    file = Path(path)
    if not file.is_file():
        raise OptionError(f"no file of refined nets at {path}")
    return RuleRefinement.of_text(file.read_text(encoding="utf-8"), file.stem)
