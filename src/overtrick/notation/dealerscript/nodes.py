"""The syntax tree of a `dealer` script: expressions, actions and the script as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from overtrick.game import Seat, Strain, Suit, Vulnerability

# The ten alternate counts by number; their names are pt0 … pt9 as well.
COUNTS: Final = (
    "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13",
)  # fmt: skip
DEFAULT_POINTS: Final = (4, 3, 2, 1)
DEFAULT_COUNTS: Final = (
    (0, 0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 1), (0, 1), (1,), (1, 1), (1, 1, 1), (1, 1, 1, 1),
    (1, 1, 1, 1, 1), (6, 4, 2, 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable: definition number `index` of the script."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `!x`."""

    op: str
    part: Expr


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators of one rank from left to right: `a - b + c`, `a < b`, `a * b % c`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? yes : no`."""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Length:
    """How many cards of a suit a seat holds."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class PointCount:
    """`hcp`: points by the script's own point count."""

    seat: Seat
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """`pt0` … `pt9`, `tens` … `c13`: one of the ten alternate counts."""

    number: int
    seat: Seat
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Controls:
    seat: Seat
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Losers:
    seat: Seat
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Quality:
    """Suit quality times 100 (Kaplan and Rubens)."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class Cccc:
    """Kaplan and Rubens's hand evaluation times 100."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HasCard:
    seat: Seat
    card: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry of a shape list: four lengths S, H, D, C (None for x), in any order or not."""

    lengths: tuple[int | None, int | None, int | None, int | None]
    any_order: bool = False
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """`shape(seat, …)`: patterns are added or taken away from left to right."""

    seat: Seat
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Tricks:
    """Double-dummy tricks of a declarer."""

    seat: Seat
    strain: Strain


@dataclass(frozen=True, slots=True)
class Score:
    """What declarer scores in an undoubled contract for a number of tricks."""

    vulnerable: bool
    level: int
    strain: Strain
    tricks: Expr


@dataclass(frozen=True, slots=True)
class Imps:
    difference: Expr


@dataclass(frozen=True, slots=True)
class Random:
    """`rnd(n)`: a random number from 0 to n - 1."""

    below: Expr


Expr = (
    Number | Name | Unary | Chain | And | Or | Conditional | Length | PointCount | Count | Controls
    | Losers | Quality | Cccc | HasCard | Shape | Tricks | Score | Imps | Random
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Print:
    """printall, printew, printpbn, printcompact, printoneline, print(seats) and printes.

    `items` are the strings and expressions of printes, or the one of printcompact/printoneline.
    """

    kind: str
    seats: tuple[Seat, ...] = ()
    items: tuple[str | Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Average:
    label: str
    expr: Expr


@dataclass(frozen=True, slots=True)
class Axis:
    """An expression and the inclusive range of a histogram over it."""

    expr: Expr
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Frequency:
    """A histogram in one or two dimensions."""

    label: str
    axes: tuple[Axis, ...]


Action = Print | Average | Frequency


@dataclass(frozen=True, slots=True)
class FixedLength:
    """`predeal spades(north)==1`."""

    seat: Seat
    suit: Suit
    length: int


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `predeal[seat]` is a 52-bit set of cards; definitions are in order."""

    condition: Expr = Number(1)
    actions: tuple[Action, ...] = (Print("printall"),)
    definitions: tuple[tuple[str, Expr], ...] = ()
    generate: int | None = None
    produce: int | None = None
    dealer: Seat | None = None
    vul: Vulnerability | None = None
    predeal: tuple[int, int, int, int] = (0, 0, 0, 0)
    lengths: tuple[FixedLength, ...] = ()
    points: tuple[int, ...] = DEFAULT_POINTS  # for the ace, the king and so on down
    counts: tuple[tuple[int, ...], ...] = field(default=DEFAULT_COUNTS)
