"""A single-suit holding: what North and South hold, and every way the rest can lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, prod

from overtrick.game.cards import RANKS
from overtrick.game.errors import BridgeError

_HIGHEST_SPOT = RANKS.index("9")
UNLIMITED = 15  # entries that never run out


class SuitError(BridgeError):
    """A holding, or a question about it, that cannot be.

    >>> Holding.parse("AQ", "A2")
    Traceback (most recent call last):
        ...
    overtrick.suitplay.holding.SuitError: the A is there twice in 'AQ' and 'A2'
    """


def _spots(named: Mapping[str, str], both: str) -> list[int]:
    """The spot cards that every `x` of a holding may be, lowest first."""
    if not named["North"] and not named["South"]:
        raise SuitError("neither North nor South holds a card of the suit")
    ranks = [RANKS.index(c) for cards in named.values() for c in cards if c != "X"]
    for rank in sorted(set(ranks)):
        if ranks.count(rank) > 1:
            raise SuitError(f"the {RANKS[rank]} is there twice in {both}")
    if sum(map(len, named.values())) > 13:
        raise SuitError(f"{both} are more than the 13 cards of a suit")
    spots = [r for r in range(_HIGHEST_SPOT + 1) if r not in ranks]
    if sum(cards.count("X") for cards in named.values()) > len(spots):
        raise SuitError(f"no spot card is left for every x in {both}")
    return spots


@dataclass(frozen=True, slots=True)
class Holding:
    """North's and South's cards of one suit as ranks (2 is 0, ace is 12), highest first.

    >>> h = Holding.parse("AKxx", "J98")
    >>> str(h), h.missing_groups
    ('AK32 opposite J98', ((10,), (8,), (5, 4, 3, 2)))
    """

    north: tuple[int, ...]
    south: tuple[int, ...]
    gone: tuple[int, ...] = ()  # cards that nobody holds any more

    @classmethod
    def parse(cls, north: str, south: str, missing: str | None = None) -> Holding:
        """Read two holdings; an `x` is the lowest spot card that neither hand names.

        `missing` names the cards East and West still have between them, when the suit has been
        played already; by default they have all the others.
        """
        named = {"North": _letters(north, "North"), "South": _letters(south, "South")}
        if missing is not None:
            named["missing"] = _letters(missing, "the defenders")
        spots = _spots(named, f"{north!r} and {south!r}")
        read = {}
        for whose in sorted(named, key=["South", "North", "missing"].index):
            cards = [RANKS.index(c) for c in named[whose] if c != "X"]
            cards += [spots.pop(0) for _ in range(named[whose].count("X"))]
            read[whose] = tuple(sorted(cards, reverse=True))
        held = {r for cards in read.values() for r in cards}
        gone = tuple(r for r in range(12, -1, -1) if r not in held) if missing is not None else ()
        return cls(read["North"], read["South"], gone)

    @property
    def missing(self) -> tuple[int, ...]:
        known = {*self.north, *self.south, *self.gone}
        return tuple(r for r in range(12, -1, -1) if r not in known)

    @property
    def missing_groups(self) -> tuple[tuple[int, ...], ...]:
        """Missing cards that no card of ours separates are equals: one group each, from the top."""
        ours = {*self.north, *self.south}
        groups: list[list[int]] = []
        for rank in self.missing:
            if groups and not any(r in ours for r in range(rank, groups[-1][-1])):
                groups[-1].append(rank)
            else:
                groups.append([rank])
        return tuple(map(tuple, groups))

    @property
    def most_tricks(self) -> int:
        return max(len(self.north), len(self.south))

    def __str__(self) -> str:
        return f"{ranks_text(self.north)} opposite {ranks_text(self.south)}"


@dataclass(frozen=True, slots=True)
class Layouts:
    """Every East–West layout, numbered by how many cards of each group East holds.

    Layout `i` gives East `(i // strides[g]) % (sizes[g] + 1)` cards of group `g`, so taking a card
    of the group away from East shifts all layouts by `strides[g]` at once. Weights are whole
    numbers (ways to deal it), so that comparisons of lines are exact.

    >>> layouts = Layouts.of(Holding.parse("AQT9", "432"))
    >>> len(layouts.weights), layouts.total
    (20, 10400600)
    """

    groups: tuple[tuple[int, ...], ...]
    strides: tuple[int, ...]
    weights: tuple[int, ...]
    total: int

    @classmethod
    def of(
        cls, holding: Holding, vacant: tuple[int, int] = (13, 13), apart: bool = False
    ) -> Layouts:
        """`vacant` is West's and East's number of places for the missing cards; `apart` makes
        every missing honour a group of its own: which of two equals is played then shows."""
        groups = holding.missing_groups
        if apart:
            groups = tuple(part for group in groups for part in _honours_apart(group))
        sizes = [len(g) for g in groups]
        missing = sum(sizes)
        west, east = vacant
        if min(west, east) < 0 or west + east < missing:
            raise SuitError(f"{missing} missing cards do not fit {west} and {east} vacant places")
        strides = [prod(size + 1 for size in sizes[:g]) for g in range(len(sizes))]
        weights = []
        for i in range(prod(size + 1 for size in sizes)):
            held = [i // strides[g] % (sizes[g] + 1) for g in range(len(sizes))]
            ways = prod(comb(size, h) for size, h in zip(sizes, held, strict=True))
            room = east - sum(held)
            weights.append(ways * comb(west + east - missing, room) if room >= 0 else 0)
        return cls(groups, tuple(strides), tuple(weights), comb(west + east, east))

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(g) for g in self.groups)

    def east_counts(self, layout: int) -> tuple[int, ...]:
        """How many cards of each group East holds."""
        pairs = zip(self.strides, self.sizes, strict=True)
        return tuple(layout // stride % (size + 1) for stride, size in pairs)

    def chance(self, layout: int) -> float:
        return self.weights[layout] / self.total

    def hands(self, layout: int) -> tuple[str, str]:
        """West's and East's cards as text: `K7`, `Q/J` for one of two equals, `x` for spots."""
        east = self.east_counts(layout)
        west = [size - e for size, e in zip(self.sizes, east, strict=True)]
        return self._text(west), self._text(east)

    def _text(self, counts: Sequence[int]) -> str:
        parts = []
        for g, (group, count) in enumerate(zip(self.groups, counts, strict=True)):
            last = g == len(self.groups) - 1
            parts.append(group_text(group, count, low=last))
        return "".join(parts) or "–"


def _honours_apart(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    spots = tuple(rank for rank in group if rank <= _HIGHEST_SPOT)
    return [*((rank,) for rank in group if rank > _HIGHEST_SPOT), *([spots] if spots else [])]


def group_text(group: Sequence[int], count: int, low: bool = False) -> str:
    """`count` cards out of a group of equals; the lowest spots are all x.

    >>> group_text((11, 10), 1), group_text((11, 10), 2), group_text((3, 2, 1), 2, low=True)
    ('(K/Q)', 'KQ', 'xx')
    """
    if not count:
        return ""
    if count == len(group) and not (low and len(group) > 1 and group[0] <= _HIGHEST_SPOT):
        return ranks_text(group)
    if low and group[0] <= _HIGHEST_SPOT:
        return "x" * count
    if count == 1 and len(group) == 2:
        return f"({RANKS[group[0]]}/{RANKS[group[1]]})"
    return f"({count} of {ranks_text(group)})"


def ranks_text(ranks: Sequence[int]) -> str:
    """`AQT9`; a dash for none."""
    return "".join(RANKS[r] for r in ranks) or "–"


def _letters(text: str, hand: str) -> str:
    letters = text.strip().upper().replace("10", "T")
    if letters in {"-", "–", "--"}:
        return ""
    for letter in letters:
        if letter not in RANKS and letter != "X":
            raise SuitError(
                f"{letter!r} in {hand}'s {text!r} is not a card: use AKQJT98765432 or x"
            )
    return letters
