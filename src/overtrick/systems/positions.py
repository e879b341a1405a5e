"""Positions with the calls that a standard makes, and how many of them a system makes.

The positions are data (`positions.txt`): a hand, the auction so far, the calls that are right, the
standard that says so. They hold for the shipped cards as they are: a switch may change what is
right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from overtrick.game import CALLS, Auction, Call, Hand, Vulnerability
from overtrick.game.errors import BridgeError, ParseError
from overtrick.systems.explain import context_after
from overtrick.systems.reading import Reading, last_resort
from overtrick.systems.shows import HandValues
from overtrick.systems.system import System

FILE: Final = Path(__file__).with_name("positions.txt")
GOAL: Final = 0.98  # right answers of all …
GOAL_OF_A_KIND: Final = 0.92  # … and of each kind, below which a test fails
SYSTEMS: Final = {
    "sayc": ("sayc",), "2/1": ("two-over-one",), "both": ("sayc", "two-over-one"),
    **{name: (name,) for name in ("acol", "polish", "precision", "sef")},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BookPosition:
    """One position of one system: any of the calls is right."""

    system: str
    kind: str
    source: str
    auction: Auction
    hand: Hand
    right: tuple[Call, ...]
    line: int


@dataclass(frozen=True, slots=True)
class BookAnswer:
    """A position with the call that was made."""

    asked: BookPosition
    call: Call

    @property
    def is_right(self) -> bool:
        return self.call in self.asked.right

    @property
    def words(self) -> str:
        """What went wrong, on one line."""
        right = " or ".join(str(call) for call in self.asked.right)
        heard = str(self.asked.auction) or "opening"
        return f"{self.asked.hand} after {heard}: {self.call}, not {right} ({self.asked.source})"


@dataclass(frozen=True, slots=True)
class Marks:
    """The answers of one kind of position."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        return self.right / self.asked if self.asked else 1.0


def parsed(text: str) -> Iterator[BookPosition]:
    """The positions of a text, once for each system that they ask."""
    kind, source, heard = "", "", Auction.parse("")
    systems: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        mark, _, rest = line.partition("  #")[0].partition(" ")
        if not line or mark == "#":
            continue
        try:
            if mark == "==":
                kind = rest
            elif mark == "--":
                head, _, calls = rest.partition("|")
                whose, source = head.split()
                systems = SYSTEMS[whose]
                heard = Auction.parse(calls.strip())
            else:
                right = tuple(Call(call) for call in rest.split(","))
                for system in systems:
                    yield BookPosition(system, kind, source, heard, Hand(mark), right, number)
        except (BridgeError, ValueError, KeyError) as error:
            raise ParseError(f"{FILE.name}:{number}: {error}") from None


@lru_cache(maxsize=1)
def positions() -> tuple[BookPosition, ...]:
    """All that ship."""
    return tuple(parsed(FILE.read_text(encoding="utf-8")))


def answers(system: System) -> list[BookAnswer]:
    """What a system calls in its positions; nothing for a system or a card that has none."""
    reading = Reading(system)
    found: list[BookAnswer] = []
    if any(convention.is_changed for convention in system.conventions):
        return found
    for asked in positions():
        if asked.system == system.name:
            context = context_after(reading, asked.auction, Vulnerability.NONE)
            values = HandValues(asked.hand.bits)
            option = reading.choose(context, values)
            call = last_resort(context, values) if option is None else option.call
            found.append(BookAnswer(asked, CALLS[call]))
    return found


def by_kind(found: list[BookAnswer]) -> Mapping[str, Marks]:
    """Right answers and questions of each kind, in the order of the file."""
    kinds = dict.fromkeys(one.asked.kind for one in found)
    return {
        kind: Marks(
            sum(one.is_right for one in found if one.asked.kind == kind),
            sum(one.asked.kind == kind for one in found),
        )
        for kind in kinds
    }


__all__ = ["BookAnswer", "BookPosition", "Marks", "answers", "by_kind", "parsed", "positions"]
