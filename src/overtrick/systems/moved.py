"""One notrump structure for every range: the rules after a notrump bid, moved by some points.

`move 1NT -3` in a system's description reads the rules after our one notrump, which are written
for 15–17, as those for 12–14: whoever bid one notrump has three points fewer wherever points are
asked or named, and partner needs three more. What is written relative to partner (`likely`,
`combined`, `possible`) moves by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from overtrick.systems.errors import RuleError
from overtrick.systems.syntax import BlockText, RuleText

_STRENGTH: Final = re.compile(
    r"(?<!likely )(?<!combined )(?<!possible )(?<!extra )(?<!\w)"
    r"(hcp|points(?: (?:oM|om|[MmXYZWTCDHS]))?) (\d*)(\.\.|\+)?(\d*)(?![\w/])"
)
_NUMBER: Final = re.compile(r"\d+")
_SUIT: Final = re.compile(r"1(?:oM|om|[CDHSMmXYZWT])\Z")
_PART: Final = re.compile(r"\([^)]*\)|\S+")


@dataclass(frozen=True, slots=True)
class RangeShift:
    """Calls of ours that end with a notrump bid, and the points by which its range differs."""

    calls: tuple[str, ...]
    points: int

    def of(self, pattern: str) -> int:
        """By how much the player in turn after this auction is moved; 0 where it does not apply."""
        parts = [part for part in _PART.findall(pattern) if part not in ("P", "(P)")]
        known = parts[: len(self.calls)]
        if len(known) < len(self.calls) or not all(map(_same, self.calls, known)):
            return 0
        ours = sum(not part.startswith("(") for part in _PART.findall(pattern))
        return self.points if (ours - len(self.calls)) % 2 else -self.points


def _same(wanted: str, found: str) -> bool:
    return wanted == found or bool(wanted in ("1X", "1Y") and _SUIT.match(found))


def parse_move(text: str) -> RangeShift:
    """Read `1NT -3` or `1X 1Y 1NT +3`."""
    *calls, points = text.split()
    if not calls or not re.match(r"[+-]\d\Z", points):
        raise RuleError(f"a move reads `move 1NT -3`, not {text!r}")
    return RangeShift(tuple(calls), int(points))


def moved(block: BlockText, moves: tuple[RangeShift, ...]) -> Iterator[BlockText]:
    """The block as it stands, or with its points moved; both if its auctions differ in that."""
    by: dict[int, list[str]] = {}
    for pattern in block.patterns or ("",):
        by.setdefault(sum(m.of(pattern) for m in moves), []).append(pattern)
    if list(by) == [0]:
        yield block
        return
    for points, patterns in by.items():
        rules = tuple(_moved(r, points) for r in block.rules) if points else block.rules
        yield replace(block, patterns=tuple(patterns), rules=rules)


def _moved(rule: RuleText, points: int) -> RuleText:
    sets = tuple(
        replace(
            s, text=_STRENGTH.sub(lambda m: _range(m, points), s.text), words=_said(s.words, points)
        )
        for s in rule.sets
    )
    return replace(rule, sets=sets, words=_said(rule.words, points))


def _range(match: re.Match[str], points: int) -> str:
    what, low, dots, high = match[1], match[2], match[3] or "", match[4]
    low, high = (str(max(0, int(n) + points)) if n else "" for n in (low, high))
    return f"{what} {low}{dots}{high}"


def _said(words: str, points: int) -> str:
    return _NUMBER.sub(lambda m: str(max(0, int(m[0]) + points)), words)


__all__ = ["RangeShift", "moved", "parse_move"]
