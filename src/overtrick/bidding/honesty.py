"""Does a bidder hold what its calls are said to show? Measured at the table, call by call.

Opponents are told the `Meaning` of a call: ranges of high-card points and of suit lengths. The
bidder knows its hand. Whatever lies outside those ranges, however rarely, somebody was told
otherwise; what happens often belongs into the meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.base import Bidder
from overtrick.bidding.disclosure import random_hands
from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Board, Decision, Hand, Meaning, Systems, view_of
from overtrick.game.meaning import ANY_HCP, ANY_LENGTHS

_POOL: Final = 4000  # random hands by which it is said how much a meaning tells
_EXAMPLES: Final = 3


class CallKind(StrEnum):
    """What a call is in its auction, whatever a system makes of it."""

    PASS = "pass"
    OPENING = "opening"
    RESPONSE = "response"
    REBID = "rebid"
    OVERCALL = "overcall"
    ADVANCE = "advance"
    DOUBLE = "double"


def kind_of(auction: Auction, call: int) -> CallKind:
    """The kind of the next call: the first bid of all, the first of a player, or a later one."""
    if call < 3:
        return CallKind.DOUBLE if call else CallKind.PASS
    seat, opener = auction.turn, None
    spoken: set[int] = set()
    for turn, made in enumerate(auction.calls):
        if made:
            spoken.add(int(auction.seat_of(turn)))
            opener = int(auction.seat_of(turn)) if opener is None else opener
    if opener is None:
        return CallKind.OPENING
    if int(seat) in spoken:
        return CallKind.REBID
    if (int(seat) + 2) % 4 not in spoken:
        return CallKind.OVERCALL
    return CallKind.RESPONSE if opener % 2 == seat % 2 else CallKind.ADVANCE


@dataclass(frozen=True, slots=True)
class Gap:
    """How far a hand lies outside what was told."""

    points: int = 0  # more than told, or (negative) fewer
    cards: tuple[int, int, int, int] = (0, 0, 0, 0)  # the same for each suit, clubs first

    def __bool__(self) -> bool:
        return bool(self.points or any(self.cards))

    @property
    def words(self) -> str:
        parts = [f"{self.points:+d} hcp"] if self.points else []
        suits = zip("♣♦♥♠", self.cards, strict=True)
        return ", ".join(parts + [f"{suit}{off:+d}" for suit, off in suits if off])


def gap(hand: Hand, told: Meaning) -> Gap:
    """What the hand has beyond the ranges, or lacks for them."""
    off = [_beyond(*each) for each in zip(hand.lengths, told.lengths, strict=True)]
    return Gap(_beyond(hand.hcp, told.hcp), (off[0], off[1], off[2], off[3]))


def _beyond(value: int, span: tuple[int, int]) -> int:
    low, high = span
    return min(value - low, 0) or max(value - high, 0)


@dataclass(frozen=True, slots=True)
class StatedCall:
    """One call at the table: who held what, what was told, how far it is off."""

    number: int
    auction: str
    hand: str
    call: str
    kind: CallKind
    told: str
    rule: str
    gap: Gap
    departs: str  # what the bidder itself says the hand lacks for the call
    admits: float  # of random hands, the share that what was told leaves possible

    def __str__(self) -> str:
        told = f"board {self.number}: {self.auction or 'opening'}: {self.hand} {self.call}"
        off = f"; outside: {self.gap.words}" if self.gap else ""
        return f"{told} “{self.told}”{off}" + (f"; {self.departs}" if self.departs else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "board": self.number, "auction": self.auction, "hand": self.hand, "call": self.call,
            "kind": str(self.kind), "told": self.told, "rule": self.rule,
            "outside": self.gap.words, "departs": self.departs,
        }  # fmt: skip


@dataclass(slots=True)
class Kept:
    """Calls of one sort: how many, how many outside, how far, a few of them."""

    calls: int = 0
    outside: int = 0
    departing: int = 0
    points: int = 0  # the largest distance seen
    cards: int = 0
    admits: float = 0.0  # summed
    examples: list[StatedCall] = field(default_factory=list)

    def add(self, one: StatedCall) -> None:
        self.calls += 1
        self.departing += bool(one.departs)
        self.admits += one.admits
        if one.gap:
            self.outside += 1
            self.points = max(self.points, abs(one.gap.points))
            self.cards = max(self.cards, *(abs(off) for off in one.gap.cards))
        if (one.gap or one.departs) and len(self.examples) < _EXAMPLES:
            self.examples.append(one)

    @property
    def words(self) -> str:
        count = max(self.calls, 1)
        return (
            f"{self.outside} of {self.calls:,} outside what was told ({self.outside / count:.1%}; "
            f"up to {self.points} hcp, {self.cards} cards), "
            f"{self.departing} departing ({self.departing / count:.1%})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        count = max(self.calls, 1)
        return {
            "calls": self.calls, "outside": self.outside, "departing": self.departing,
            "outside_share": self.outside / count, "departing_share": self.departing / count,
            "admits": self.admits / count, "furthest_points": self.points,
            "furthest_cards": self.cards, "examples": [one.to_dict() for one in self.examples],
        }  # fmt: skip


@dataclass(slots=True)
class Honesty:
    """What was found: all bids and doubles together, passes beside them, by kind and by call."""

    engine: str
    against: str
    boards: int = 0
    bids: Kept = field(default_factory=Kept)
    passes: Kept = field(default_factory=Kept)
    kinds: dict[CallKind, Kept] = field(default_factory=dict)
    by_call: dict[tuple[str, str], Kept] = field(default_factory=dict)

    def add(self, one: StatedCall) -> None:
        (self.passes if one.kind is CallKind.PASS else self.bids).add(one)
        self.kinds.setdefault(one.kind, Kept()).add(one)
        self.by_call.setdefault((one.call, one.rule or one.told), Kept()).add(one)

    @property
    def worst(self) -> list[tuple[tuple[str, str], Kept]]:
        """The calls that were most often outside what was told, or departed from it."""
        found = [(key, one) for key, one in self.by_call.items() if one.examples]
        return sorted(found, key=lambda each: (-each[1].outside, -each[1].departing, each[0]))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "engine": self.engine, "against": self.against, "boards": self.boards,
            "bids": self.bids.to_dict(), "passes": self.passes.to_dict(),
            "kinds": {str(kind): one.to_dict() for kind, one in sorted(self.kinds.items())},
            "calls": [
                {"call": call, "meaning": rule, **one.to_dict()} for (call, rule), one in self.worst
            ],
        }  # fmt: skip


def listen(
    engine: Bidder,
    opponents: Bidder | None,
    boards: int,
    seed: int = 0,
    step: Callable[[int], None] = lambda done: None,
) -> Honesty:
    """Boards bid by the engine, North-South against opponents or (None) in all four seats."""
    found = Honesty(engine.name, "itself" if opponents is None else opponents.name)
    for number in range(1, boards + 1):
        board = Board.random(number, seed=1_000_003 * seed + number)
        for one in said_at(board, engine, opponents):
            found.add(one)
        found.boards = number
        step(number)
    return found


def said_at(board: Board, engine: Bidder, opponents: Bidder | None) -> Iterator[StatedCall]:
    """What the engine told with each of its calls on one board, beside what it held."""
    auction = Auction(board.dealer)
    sides = (engine, engine if opponents is None else opponents)
    while not auction.is_over:
        side = int(auction.turn) & 1
        ours, theirs = sides[side], sides[1 - side]
        view = view_of(board, auction, systems=Systems(ours.system, theirs.system))
        decision = ours.bid(view)
        if opponents is None or side == 0:
            yield said(board.number, view.hand, auction, decision)
        auction = auction.then(decision.call)


def said(number: int, hand: Hand, auction: Auction, decision: Decision) -> StatedCall:
    """A call beside the hand that made it, and what it told."""
    told, call = decision.meaning, int(decision.call)
    ranges = told.ranges()
    return StatedCall(
        number, auction.ascii, str(hand), decision.call.ascii, kind_of(auction, call),
        f"{told.words} [{ranges}]" if ranges else told.words, told.rule, gap(hand, told),
        departure(decision), admitted(told),
    )  # fmt: skip


def departure(decision: Decision) -> str:
    """What the bidder itself says the hand lacks for its call; empty where it keeps to it."""
    own = (c.details for c in decision.candidates if c.action == decision.action)
    details: Mapping[str, Any] = next(own, {})
    return str(details.get("departs", ""))


@cache
def _pool() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    hands = HandArray(random_hands(np.random.default_rng(11), _POOL))
    lengths = np.stack([hands.look("length", suit) for suit in range(4)], axis=1)
    return feature("HCP")(hands).astype(np.int64), lengths.astype(np.int64)


def admitted(told: Meaning) -> float:
    """The share of random hands that what was told leaves possible: the smaller, the more it
    tells."""
    if told.hcp == ANY_HCP and told.lengths == ANY_LENGTHS:
        return 1.0
    points, lengths = _pool()
    low, high = np.array(told.lengths).T
    inside = (points >= told.hcp[0]) & (points <= told.hcp[1])
    inside &= ((lengths >= low) & (lengths <= high)).all(axis=1)
    return float(inside.mean())
