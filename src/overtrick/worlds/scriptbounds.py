"""What a script's condition says about each seat alone, as constraints for the exact dealer.
The parts that are not about one seat are tested on whole deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from overtrick.game import Seat
from overtrick.game.cards import SUIT_LETTERS
from overtrick.notation.dealerscript import nodes
from overtrick.notation.dealerscript.nodes import Expr, Script
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    ALWAYS,
    NEVER,
    Constraint,
    all_of,
    any_of,
    between,
    has,
    length,
    negated,
    shape_set,
)
from overtrick.worlds.scriptvalues import Evaluator, needed, parts_of

Exact = tuple[Seat, Constraint]
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OF_PARTS: Final = (nodes.Number, nodes.Unary, nodes.Chain, nodes.And, nodes.Or, nodes.Conditional)
_Quantity = tuple[Seat, Callable[[int | None, int | None], Constraint]]


@dataclass(frozen=True, slots=True)
class Divided:
    """A condition as constraints on seats and what remains to be tested on whole deals."""

    seats: dict[Seat, Constraint]
    rest: tuple[Expr, ...]


def divide(script: Script) -> Divided:
    """Constraints that every fitting deal satisfies; they and `rest` are the whole condition."""
    reader = _Translator(script)
    for index in needed(script, script.condition):
        reader.define(index)
    found: dict[Seat, list[Constraint]] = {seat: [] for seat in Seat}
    rest: list[Expr] = []
    for part in reader.conjuncts(script.condition):
        exact = reader.exact(part)
        if exact is not None:
            found[exact[0]].append(exact[1])
        elif isinstance(part, nodes.Number):
            if not part.value:
                found[Seat.NORTH].append(NEVER)
        else:
            rest.append(part)
            for seat in Seat:
                found[seat].append(reader.implied(part, seat, True))
    for fixed in script.lengths:
        found[fixed.seat].append(length(fixed.suit, fixed.length, fixed.length))
    seats = {seat: all_of(parts) for seat, parts in found.items()}
    return Divided({s: c for s, c in seats.items() if c != ALWAYS}, tuple(rest))


@dataclass(slots=True)
class _Translator:
    """Translates expressions; each definition once, in order, so that nothing nests deeply."""

    script: Script
    named: dict[int, Exact | None] = field(default_factory=dict)
    named_implied: dict[tuple[int, Seat, bool], Constraint] = field(default_factory=dict)

    def define(self, index: int) -> None:
        value = self.script.definitions[index][1]
        self.named[index] = self.exact(value)
        for seat in Seat:
            for positive in (True, False):
                self.named_implied[index, seat, positive] = self.implied(value, seat, positive)

    def conjuncts(self, condition: Expr) -> list[Expr]:
        """The parts of a conjunction, names of conjunctions opened up."""
        out: list[Expr] = []
        stack = [condition]
        while stack:
            expr = stack.pop()
            if isinstance(expr, nodes.And):
                stack.extend(reversed(expr.parts))
            elif isinstance(expr, nodes.Name) and self.named.get(expr.index) is None:
                inside = self.script.definitions[expr.index][1]
                if isinstance(inside, nodes.And | nodes.Name):
                    stack.append(inside)
                else:
                    out.append(expr)
            else:
                out.append(expr)
        return out

    def exact(self, expr: Expr) -> Exact | None:
        """A truth about one seat as a constraint that means exactly the same, if there is one."""
        shape = self._of_shape(expr)
        if shape is not None:
            return shape
        match expr:
            case nodes.Name(_, index):
                return self.named.get(index)
            case nodes.And(parts) | nodes.Or(parts):
                found = [self.exact(p) for p in parts]
                known = [f for f in found if f is not None]
                if len(known) < len(found) or len({seat for seat, _ in known}) != 1:
                    return None
                join = all_of if isinstance(expr, nodes.And) else any_of
                return known[0][0], join(c for _, c in known)
            case nodes.Unary("!", part):
                inside = self.exact(part)
                return None if inside is None else (inside[0], negated(inside[1]))
            case nodes.Chain(first, ((op, second),)):
                return self._compared(first, op, second)
        quantity = self._quantity(expr)
        if quantity is not None:
            seat, ranged = quantity
            return seat, negated(ranged(0, 0))
        return None

    def implied(self, expr: Expr, seat: Seat, positive: bool) -> Constraint:
        """What must hold for a seat's hand when the expression is true (or false)."""
        match expr:
            case nodes.Name(_, index) if self.named.get(index) is None:
                return self.named_implied.get((index, seat, positive), ALWAYS)
            case nodes.Unary("!", part):
                return self.implied(part, seat, not positive)
            case nodes.And(parts) | nodes.Or(parts):
                every = isinstance(expr, nodes.And) == positive
                found = [self.implied(p, seat, positive) for p in parts]
                return all_of(found) if every else any_of(found)
            case nodes.Conditional(condition, yes, no):
                return any_of(
                    all_of((self.implied(condition, seat, truth), self.implied(e, seat, positive)))
                    for truth, e in ((True, yes), (False, no))
                )
        exact = self.exact(expr)
        if exact is None or exact[0] != seat:
            return ALWAYS
        return exact[1] if positive else negated(exact[1])

    def _of_shape(self, expr: Expr) -> Exact | None:
        """Any truth about the suit lengths of one seat is a set of shapes."""
        seats: set[Seat] = set()
        stack: list[Expr] = [expr]
        while stack:
            part = stack.pop()
            if isinstance(part, nodes.Length | nodes.Shape):
                seats.add(part.seat)
            elif not isinstance(part, _OF_PARTS):
                return None
            stack.extend(parts_of(part))
        if len(seats) != 1:
            return None
        seat = seats.pop()
        hands = np.zeros((sh.COUNT, 4), np.uint64)
        hands[:, seat] = _shape_hands()
        truths = Evaluator(self.script).values(expr, hands) != 0
        return seat, shape_set(sum(1 << int(i) for i in np.flatnonzero(truths)))

    def _compared(self, first: Expr, op: str, second: Expr) -> Exact | None:
        if op not in _FLIPPED:
            return None
        value, quantity = self._constant(second), self._quantity(first)
        if value is None or quantity is None:
            op = _FLIPPED[op]
            value, quantity = self._constant(first), self._quantity(second)
        if value is None or quantity is None:
            return None
        seat, ranged = quantity
        match op:
            case "==":
                return seat, ranged(value, value)
            case "!=":
                return seat, negated(ranged(value, value))
            case "<":
                return seat, ranged(None, value - 1)
            case "<=":
                return seat, ranged(None, value)
            case ">":
                return seat, ranged(value + 1, None)
        return seat, ranged(value, None)

    def _constant(self, expr: Expr) -> int | None:
        for _ in range(100):
            if not isinstance(expr, nodes.Name):
                break
            expr = self.script.definitions[expr.index][1]
        return expr.value if isinstance(expr, nodes.Number) else None

    def _quantity(self, expr: Expr) -> _Quantity | None:
        """A number about one hand that the constraint algebra knows, as ranges of it."""
        match expr:
            case nodes.PointCount(seat, suit):
                if self.script.points == nodes.DEFAULT_POINTS:
                    return seat, _feature("HCP", suit)
                return _of_values(seat, self.script.points, suit)
            case nodes.Count(number, seat, suit):
                return _of_values(seat, self.script.counts[number], suit)
            case nodes.Controls(seat, suit):
                return seat, _feature("CONTROLS", suit)
            case nodes.Losers(seat, suit):
                return seat, _feature("LTC", suit)
            case nodes.HasCard(seat, card):
                return seat, _cards([card])
            case nodes.Length(seat, suit):
                return seat, lambda low, high: length(suit, low, high)
        return None


def _feature(name: str, suit: int | None) -> Callable[[int | None, int | None], Constraint]:
    full = name if suit is None else f"{name}({SUIT_LETTERS[suit]})"
    return lambda low, high: between(full, low, high)


def _of_values(seat: Seat, values: tuple[int, ...], suit: int | None) -> _Quantity | None:
    """A count that gives each card nothing or one counts cards of a set."""
    if not set(values) <= {0, 1}:
        return None
    ranks = [12 - i for i, v in enumerate(values) if v]
    suits = range(4) if suit is None else (suit,)
    return seat, _cards([s * 13 + r for s in suits for r in ranks])


def _cards(cards: list[int]) -> Callable[[int | None, int | None], Constraint]:
    def ranged(low: int | None, high: int | None) -> Constraint:
        return has(cards, 0 if low is None else low, len(cards) if high is None else high)

    return ranged


def _shape_hands() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """One hand of each of the 560 shapes."""
    counts = sh.lengths_array().astype(np.uint64)
    hands = np.zeros(sh.COUNT, np.uint64)
    for suit in range(4):
        low_cards = (np.uint64(1) << counts[:, suit]) - np.uint64(1)
        hands |= low_cards << np.uint64(13 * suit)
    return hands
