"""Constraint sets bound to an auction: suits and shared values filled in, ready to test hands.
`meanings` turns the same items into the constraint algebra."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from overtrick.evaluation.hands import OneHand
from overtrick.evaluation.registry import ALL, Feature, feature
from overtrick.game.calls import strain_of
from overtrick.systems.context import Context, Shown, join
from overtrick.systems.statements import (
    BIG,
    FIXED_SUITS,
    Atom,
    Either,
    Negation,
    Template,
    parse_shows,
)

# A bound item: (feature number, low, high), or ("or", (items, …)) or ("not", items).
Item = tuple[Any, ...]
Items = tuple[Item, ...]
_FEATURES: Final[list[Feature]] = []
_NEEDS: Final = {"each": 10, "extra": 4}


@cache
def feature_number(name: str, suits: tuple[int, ...]) -> int:
    """A small number for a feature, so that values of a hand are kept by it."""
    shown = [("CDHS"[s] if s < 4 else "ALL") for s in suits]
    _FEATURES.append(feature(f"{name}({','.join(shown)})" if shown else name))
    return len(_FEATURES) - 1


def feature_of(number: int) -> Feature:
    return _FEATURES[number]


class HandValues(dict[int, float]):
    """Feature values of one hand by feature number, computed when first asked for."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self.hand = OneHand(bits)

    def __missing__(self, number: int) -> float:
        found = _FEATURES[number]
        value: float = found.of.compute(self.hand, *found.suits)
        self[number] = value
        return value


def holds(items: Items, values: HandValues) -> bool:
    """Does the hand satisfy every item?"""
    for item in items:
        kind = item[0]
        if kind == "or":
            if not any(holds(part, values) for part in item[1]):
                return False
        elif kind == "not":
            if holds(item[1], values):
                return False
        elif not item[1] <= values[kind] <= item[2]:
            return False
    return True


class Filled:
    """A constraint set with its suits and shared values filled in, and what follows from it."""

    __slots__ = ("_shown", "constraint", "items", "negation")

    def __init__(self, items: Items) -> None:
        self.items = items
        self._shown: Shown | None = None
        self.constraint: Any = None  # worlds.Constraint, once `meanings` has made it
        self.negation: Any = None

    @property
    def shown(self) -> Shown:
        """The ranges it allows."""
        if self._shown is None:
            self._shown = bounds(self.items)
        return self._shown


def bind(template: Template, bindings: Mapping[str, int], ctx: Context | None) -> Items:
    """Fill in the suits and, for shared values, what partner has shown."""
    out: list[Item] = []
    for item in template.items:
        if isinstance(item, Atom):
            if item.mode == "each":
                out.extend(_bind_each(item, ctx))
            else:
                out.append(_bind_atom(item, bindings, ctx))
        elif isinstance(item, Either):
            out.append(("or", tuple(bind(p, bindings, ctx) for p in item.parts)))
        elif isinstance(item, Negation):
            out.append(("not", bind(item.part, bindings, ctx)))
    return tuple(out)


def needs(template: Template) -> int:
    """Which parts of the context a template with shared values reads (see `Context.shared`)."""
    out = 0
    for item in template.items:
        if isinstance(item, Either):
            for part in item.parts:
                out |= needs(part)
        elif isinstance(item, Negation):
            out |= needs(item.part)
        elif isinstance(item, Atom) and item.mode:
            out |= _NEEDS.get(item.mode, 2 if item.name == "SUITLEN" else 1)
    return out


def _suit_number(name: str, bindings: Mapping[str, int]) -> int:
    if name == "ALL":
        return ALL
    fixed = FIXED_SUITS.get(name)
    return bindings[name] if fixed is None else fixed


def _bind_atom(atom: Atom, bindings: Mapping[str, int], ctx: Context | None) -> Item:
    suits = tuple(_suit_number(s, bindings) for s in atom.suits)
    low, high = atom.low, atom.high
    if atom.mode and ctx is not None:
        shift = _shared(atom, suits, ctx)
        low, high = low - shift, high - shift if high < BIG else BIG
    return (feature_number(atom.name, suits), low, high)


@cache
def _control_ways(suit: int) -> tuple[Items, ...]:
    """First or second round control: ace, king, singleton or void."""
    return tuple(
        ((feature_number(name, (suit,)), low, high),)
        for name, low, high in (("ACE", 1, 1), ("KING", 1, 1), ("SUITLEN", 0, 1))
    )


def _bind_each(atom: Atom, ctx: Context | None) -> list[Item]:
    """One item for each suit of theirs, or each suit nobody has bid."""
    if ctx is None:
        return []
    theirs = ctx.their_suits
    mask = theirs if atom.suits[0] == "theirs" else 15 & ~(theirs | ctx.our_suits)
    if atom.name == "CONTROL":  # `side`: every suit partner has not shown
        partner = ctx.shown[ctx.partner].high
        mask = 15 & ~ctx.our_suits & ~sum(1 << s for s in range(4) if partner[s] <= 1)
        return [("or", _control_ways(s)) for s in range(4) if mask >> s & 1]
    if atom.name == "STOP-NT" and strain_of(ctx.told[ctx.partner].call) == 4:
        return []  # partner bid notrump and has looked after the stoppers
    return [
        (feature_number(atom.name, (s,)), atom.low, atom.high) for s in range(4) if mask >> s & 1
    ]


def _shared(atom: Atom, suits: tuple[int, ...], ctx: Context) -> int:
    """What partner adds to our own value: at least, at most, or likely; `extra` is what the hand
    has beyond the least it has shown itself."""
    if atom.mode == "extra":
        mine = ctx.shown[ctx.me]
        if atom.name == "SUITLEN":
            return -mine.low[suits[0]]
        return -(mine.hcp[0] if atom.name == "HCP" else ctx.points_of(ctx.me)[0])
    shown = ctx.shown[ctx.partner]
    if atom.name == "SUITLEN":
        low, high = shown.low[suits[0]], shown.high[suits[0]]
        return {"combined": low, "possible": high, "likely": low + (high - low >= 3)}[atom.mode]
    what = "hcp" if atom.name == "HCP" else "points"
    if atom.mode == "likely":
        return ctx.expected(ctx.partner, what)
    span = shown.hcp if what == "hcp" else ctx.points_of(ctx.partner)
    return span[0] if atom.mode == "combined" else min(span[1], 30)


def bounds(items: Items) -> Shown:
    """The ranges of high cards, points and lengths that the items allow."""
    hcp, points = [0, 37], [0, 40]
    low, high = [0, 0, 0, 0], [13, 13, 13, 13]
    rest: list[Shown] = []
    for item in items:
        kind = item[0]
        if kind == "or":
            rest.append(join([bounds(part) for part in item[1]]))
            continue
        if kind == "not":
            continue
        _bound_atom(_FEATURES[kind], item[1], item[2], (hcp, points, low, high))
    for item in items:  # differences once the lengths are known
        if item[0] not in ("or", "not") and _FEATURES[item[0]].of.name == "DIF":
            a, b = _FEATURES[item[0]].suits
            low[a] = max(low[a], low[b] + int(item[1]))
            if high[a] < 12:  # a suit that may be anything bounds nothing
                high[b] = min(high[b], high[a] - int(item[1]))
    out = Shown((hcp[0], hcp[1]), (points[0], points[1]), tuple(low), tuple(high))  # type: ignore[arg-type]
    for other in rest:
        out = out.meet(other)
    return out


def _bound_atom(
    found: Feature, lo: int, hi: int, into: tuple[list[int], list[int], list[int], list[int]]
) -> None:
    hcp, points, low, high = into
    name = found.of.name
    if name == "HCP" and (not found.suits or found.suits == (ALL,)):
        hcp[0], hcp[1] = max(hcp[0], lo), min(hcp[1], hi)
    elif name == "SUITLEN" and len(found.suits) == 1:
        s = found.suits[0]
        low[s], high[s] = max(low[s], lo), min(high[s], hi)
    elif name in ("POINTS", "LP"):
        points[0], points[1] = max(points[0], lo), min(points[1], hi)
        hcp[0], hcp[1] = max(hcp[0], lo - 5), min(hcp[1], hi)
    elif name == "BAL" and hi <= 1:
        for s in range(4):
            low[s], high[s] = max(low[s], 2 - hi), min(high[s], 5 + hi)
    elif name == "LONGEST" and lo == 1:
        low[found.suits[0]] = max(low[found.suits[0]], 4)


__all__ = [
    "BIG",
    "Atom",
    "Either",
    "Filled",
    "HandValues",
    "Item",
    "Items",
    "Negation",
    "Template",
    "bind",
    "bounds",
    "feature_number",
    "feature_of",
    "holds",
    "needs",
    "parse_shows",
]  # fmt: skip
