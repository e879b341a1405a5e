"""Values of `dealer` script expressions on very many deals at once.
Every quantity of a hand is a sum of looked-up suit tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation.holdings import holding_bits, table
from overtrick.game import Strain
from overtrick.game.scoring import IMP_STEPS, points
from overtrick.notation.dealerscript import nodes
from overtrick.notation.dealerscript.nodes import Expr, Script
from overtrick.worlds.problem import DealingError

Hands = NDArray[np.uint64]
Ints = NDArray[np.int64]
Value = Ints | int
_SUIT: Final = np.uint64(0x1FFF)


class DealColumns:
    """Deals as columns: `hands` is uint64[n, 4]; suit holdings are cut out once."""

    __slots__ = ("_columns", "hands")

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._columns: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self.hands)

    def holding(self, seat: int, suit: int) -> NDArray[np.intp]:
        """13-bit holdings of a seat in a suit."""
        key = (seat, suit)
        if key not in self._columns:
            cards = self.hands[:, seat] >> np.uint64(13 * suit) & _SUIT
            self._columns[key] = cards.astype(np.intp)
        held: NDArray[np.intp] = self._columns[key]
        return held

    def total(self, values: Ints, key: Any, seat: int, suit: int | None) -> Ints:
        """A suit table's value for one suit, or its sum over the four."""
        if (key, seat, suit) not in self._columns:
            if suit is None:
                parts = [self.total(values, key, seat, s) for s in range(4)]
                self._columns[key, seat, suit] = parts[0] + parts[1] + parts[2] + parts[3]
            else:
                self._columns[key, seat, suit] = values[self.holding(seat, suit)]
        found: Ints = self._columns[key, seat, suit]
        return found


class Evaluator:
    """Evaluates one script's expressions; definitions are worked out once per batch."""

    def __init__(self, script: Script, rng: Generator | None = None) -> None:
        self.script = script
        self.rng = rng if rng is not None else np.random.default_rng(0)

    def accept(self, hands: Hands, conditions: tuple[Expr, ...] | None = None) -> NDArray[np.bool_]:
        """Which deals satisfy the condition (or all of some of its parts)."""
        wanted = (self.script.condition,) if conditions is None else conditions
        batch = Batch(self, DealColumns(hands))
        keep = np.ones(len(hands), bool)
        for part in wanted:
            keep &= batch.column(part) != 0
        return keep

    def values(self, expr: Expr, hands: Hands) -> Ints:
        """The value of an expression for each deal."""
        return np.array(Batch(self, DealColumns(hands)).column(expr))


class Batch:
    """One batch of deals under evaluation."""

    def __init__(self, evaluator: Evaluator, columns: DealColumns) -> None:
        self.evaluator = evaluator
        self.columns = columns
        self.known: dict[int, Value] = {}

    def column(self, expr: Expr) -> Ints:
        """The value of an expression for each deal; what outgrows 64 bits is refused."""
        try:
            return np.broadcast_to(np.asarray(self.value(expr), dtype=np.int64), len(self.columns))
        except OverflowError:
            raise DealingError("a number in the script is too large") from None

    def value(self, expr: Expr) -> Value:
        """Definitions that are needed come first, so that long chains of them do not nest."""
        for index in needed(self.evaluator.script, expr):
            if index not in self.known:
                self.known[index] = self._value(self.evaluator.script.definitions[index][1])
        return self._value(expr)

    def _value(self, expr: Expr) -> Value:
        match expr:
            case nodes.Number(value):
                return value
            case nodes.Name(_, index):
                return self.known[index]
            case nodes.And(parts):
                return self._and(parts)
            case nodes.Or(parts):
                return self._or(parts)
            case nodes.Unary(op, part):
                inside = self._value(part)
                return -inside if op == "-" else _int(np.equal(inside, 0))
            case nodes.Chain(first, rest):
                out = self._value(first)
                for op, operand in rest:
                    out = _operate(op, out, self._value(operand))
                return out
            case nodes.Conditional(condition, yes, no):
                test = self._value(condition)
                a, b = self._value(yes), self._value(no)
                if isinstance(test, int):
                    return a if test else b
                return np.where(test != 0, a, b)
        return self._of_deal(expr)

    def _and(self, parts: tuple[Expr, ...]) -> Value:
        out: Value = 1
        for part in parts:
            out = _int(np.logical_and(out, self._value(part)))
            if not np.any(out):
                return 0
        return out

    def _or(self, parts: tuple[Expr, ...]) -> Value:
        out: Value = 0
        for part in parts:
            out = _int(np.logical_or(out, self._value(part)))
        return out

    def _of_deal(self, expr: Expr) -> Value:
        columns, script = self.columns, self.evaluator.script
        match expr:
            case nodes.Length(seat, suit):
                return columns.total(lengths(), "length", seat, suit)
            case nodes.PointCount(seat, suit):
                return columns.total(counted(script.points), script.points, seat, suit)
            case nodes.Count(number, seat, suit):
                values = script.counts[number]
                return columns.total(counted(values), values, seat, suit)
            case nodes.Controls(seat, suit):
                return columns.total(counted((2, 1)), (2, 1), seat, suit)
            case nodes.Losers(seat, suit):
                return columns.total(losers(), "losers", seat, suit)
            case nodes.Quality(seat, suit):
                return columns.total(quality(), "quality", seat, suit)
            case nodes.Cccc(seat):
                worth = columns.total(cccc_suits(), "cccc", seat, None)
                short = columns.total(short_points(), "short", seat, None)
                return worth + np.where(short == 0, -50, short - 100)
            case nodes.HasCard(seat, card):
                bits = columns.hands[:, seat] >> np.uint64(card) & np.uint64(1)
                return bits.astype(np.int64)
            case nodes.Shape(seat, patterns):
                return _shape(columns, seat, patterns)
        return self._reckon(expr)

    def _reckon(self, expr: Expr) -> Value:
        match expr:
            case nodes.Tricks(seat, strain):
                return _double_dummy(self.columns, seat, strain)
            case nodes.Score(vulnerable, level, strain, tricks):
                worth = np.array([points(level, strain, 0, vulnerable, t) for t in range(14)])
                return np.asarray(worth[np.clip(self._value(tricks), 0, 13)], dtype=np.int64)
            case nodes.Imps(difference):
                value = np.asarray(self._value(difference), dtype=np.int64)
                steps = np.searchsorted(IMP_STEPS, np.abs(value), side="right")
                return np.asarray(np.sign(value) * steps, dtype=np.int64)
            case nodes.Random(below):
                limit = np.maximum(self._value(below), 1)
                drawn = self.evaluator.rng.integers(0, limit, size=len(self.columns))
                return np.asarray(drawn, dtype=np.int64)
        raise DealingError(f"{type(expr).__name__} cannot be evaluated")


def _int(flags: Any) -> Value:
    return int(flags) if np.ndim(flags) == 0 else np.asarray(flags, dtype=np.int64)


def _operate(op: str, a: Value, b: Value) -> Value:
    """C's integer arithmetic: division cuts towards zero."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%":
            if np.any(np.equal(b, 0)):
                raise DealingError("the script divides by zero")
            quotient = np.abs(a) // np.abs(b) * np.sign(a) * np.sign(b)
            whole: Value = int(quotient) if np.ndim(quotient) == 0 else np.asarray(quotient)
            return whole if op == "/" else a - whole * b
        case "==":
            return _int(np.equal(a, b))
        case "!=":
            return _int(np.not_equal(a, b))
        case "<":
            return _int(np.less(a, b))
        case "<=":
            return _int(np.less_equal(a, b))
        case ">":
            return _int(np.greater(a, b))
    return _int(np.greater_equal(a, b))


def needed(script: Script, *wanted: Expr) -> list[int]:
    """Numbers of the definitions these expressions need, each after those it needs itself."""
    found: set[int] = set()
    stack: list[Expr] = list(wanted)
    while stack:
        expr = stack.pop()
        if isinstance(expr, nodes.Name) and expr.index not in found:
            found.add(expr.index)
            stack.append(script.definitions[expr.index][1])
        stack.extend(parts_of(expr))
    return sorted(found)


def parts_of(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside one."""
    match expr:
        case nodes.And(parts) | nodes.Or(parts):
            yield from parts
        case nodes.Unary(_, part):
            yield part
        case nodes.Chain(first, rest):
            yield first
            for _, operand in rest:
                yield operand
        case nodes.Conditional(condition, yes, no):
            yield from (condition, yes, no)
        case nodes.Score(_, _, _, inside) | nodes.Imps(inside) | nodes.Random(inside):
            yield inside


def _shape(columns: DealColumns, seat: int, patterns: tuple[nodes.Pattern, ...]) -> Ints:
    """Looked up by the lengths of spades, hearts and diamonds."""
    s, h, d = (columns.total(lengths(), "length", seat, suit) for suit in (3, 2, 1))
    found: Ints = shape_table(patterns)[(s * 14 + h) * 14 + d]
    return found


@cache
def shape_table(patterns: tuple[nodes.Pattern, ...]) -> Ints:
    """[14·14·14] lengths S, H, D → 1 where the patterns, from left to right, include the shape."""
    found = np.zeros((14, 14, 14), np.int64)
    s, h, d = np.ogrid[0:14, 0:14, 0:14]
    c = 13 - s - h - d
    for pattern in patterns:
        orders = set(permutations(pattern.lengths)) if pattern.any_order else {pattern.lengths}
        for order in orders:
            fits = c >= 0
            for have, want in zip((s, h, d, c), order, strict=True):
                if want is not None:
                    fits = fits & (have == want)
            found[fits] = 0 if pattern.excluded else 1
    return found.ravel()


def _double_dummy(columns: DealColumns, seat: int, strain: Strain) -> Ints:
    from overtrick.doubledummy import tricks
    from overtrick.game import Deal, Hand

    out = [
        tricks(Deal((Hand(n), Hand(e), Hand(s), Hand(w))), strain, seat)
        for n, e, s, w in columns.hands.tolist()
    ]
    return np.array(out, dtype=np.int64)


# Suit tables, by the 13-bit holding (bit 12 is the ace).


@cache
def _bits() -> Ints:
    """[8192, 13]: ace first."""
    return np.asarray(holding_bits()[:, ::-1], dtype=np.int64)


@cache
def lengths() -> Ints:
    """Number of cards."""
    return np.asarray(table("length"), dtype=np.int64)


@cache
def counted(values: tuple[int, ...]) -> Ints:
    """Points for the ace, the king and so on down."""
    return np.asarray(_bits()[:, : len(values)] @ np.array(values, dtype=np.int64), np.int64)


@cache
def losers() -> Ints:
    """Of the first three cards of a suit, those that are not ace, king, queen in their place."""
    return np.asarray(table("losers"), dtype=np.int64)


@cache
def quality() -> Ints:
    """Kaplan and Rubens's suit quality (The Bridge World, October 1982) times 100."""
    a, k, q, j, t, nine, eight = (_bits()[:, i] for i in range(7))
    size = lengths()
    factor = size * 10
    out = factor * (4 * a + 3 * k + 2 * q + j)
    higher = a + k + q + j
    length_tricks = np.select(  # for the missing queen and jack of a long suit
        [size == 7, size == 8, size > 8],
        [1 - q * j, np.where(q == 0, 2, 1 - j), 2 * (1 - q) + (1 - j)],
        0,
    )
    ten = np.where((higher > 1) | (j == 1), factor, factor // 2) * t
    spot = np.where((higher == 2) | (t == 1) | (eight == 1), factor // 2, 0) * nine
    out = out + np.where(size > 6, length_tricks * factor, ten + spot)
    return np.asarray(out, dtype=np.int64)


@cache
def short_points() -> Ints:
    """1 for a doubleton, 2 for a singleton, 3 for a void, times 100."""
    return np.asarray(table("short_points"), dtype=np.int64) * 100


@cache
def cccc_suits() -> Ints:
    """A suit's part of the hand evaluation: honours by rank and company, and the quality."""
    a, k, q, j, t, nine = (_bits()[:, i] for i in range(6))
    size = lengths()
    out = 300 * a + k * np.where(size == 1, 50, 200)
    above = a + k
    queen = 100 - 75 * (size == 1) - 25 * (size == 2) - 25 * (above == 0)
    out = out + q * np.maximum(queen, 0)
    above = above + q
    out = out + j * np.select([above == 2, above == 1], [50, 25], 0)
    above = above + j
    out = out + t * np.where((above == 2) | ((above == 1) & (nine == 1)), 25, 0)
    return np.asarray(out + quality(), dtype=np.int64)
