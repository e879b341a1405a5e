"""The calls a written system leaves to a hand: where the rules end and judgement begins.

Rules give each call a meaning and, by priorities, prescribe one call. A hand often satisfies the
meaning of several; all of these are within the agreement, whichever a rule prefers. A natural call
may also be stretched: its meaning is missed in one thing, by two points or by one card. Players do
that, and say so on their card; an answer to a question is never stretched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overtrick.game.meaning import SpeechAct
from overtrick.systems.classes import shown_after
from overtrick.systems.context import Context, Shown
from overtrick.systems.reading import Option, Reading
from overtrick.systems.shows import HandValues, Items, feature_number, feature_of, holds

GENERIC_LAYER: Final = 5
"""Rules up to this layer are about no particular auction."""
MAKESHIFT: Final = 10
"""Generic bids below this priority say "no better bid": nobody chooses them by judgement."""
POINTS: Final = 2
"""A stretched call may be this many points off …"""
CARDS: Final = 1
"""… or this many cards."""
OPENING_POINTS: Final = 1
"""Openings at the one level and in notrump are stretched by this many points and no card."""
_FIXED: Final = (SpeechAct.ANSWERING, SpeechAct.ASKING)
_COUNTED: Final = frozenset({"HCP", "POINTS", "LP"})


@dataclass(frozen=True, slots=True)
class Allowed:
    """A call within the agreement, and what the hand lacks for its meaning, if anything."""

    option: Option
    lacks: str = ""

    @property
    def call(self) -> int:
        return self.option.call


def allowed(
    reading: Reading, ctx: Context, values: HandValues, *, stretch: bool = False
) -> list[Allowed]:
    """One way a call: the rules' own choice, then calls whose meaning the hand satisfies, then,
    with `stretch`, those it nearly does. Empty where no rule fits the hand.

    A pass denies what other calls would have shown, so the hand must also be near the ranges that
    the opponents are told; a makeshift bid counts only where there is nothing else.
    """
    exact: dict[int, Allowed] = {}
    near: dict[int, Allowed] = {}
    options = reading.options(ctx)
    for option in options:
        if option.call not in exact and holds(option.items, values):
            exact[option.call] = Allowed(option)
    if not exact:
        return []
    first, *others = exact.values()
    found = [first, *(way for way in others if _is_choice(reading, ctx, way.option, values))]
    if not stretch:
        return found
    for option in options:
        if option.call in exact or option.call in near or not _may_stretch(option):
            continue
        lacks = lacking(option.items, values, *_tolerance(ctx, option))
        if lacks is not None:
            near[option.call] = Allowed(option, lacks)
    return found + list(near.values())


def _is_choice(reading: Reading, ctx: Context, option: Option, values: HandValues) -> bool:
    if option.call == 0:
        return fits(shown_after(reading, ctx, 0), values, POINTS)
    return not _is_makeshift(option)


def _is_makeshift(option: Option) -> bool:
    return option.rule.layer <= GENERIC_LAYER and option.priority < MAKESHIFT


def _may_stretch(option: Option) -> bool:
    rule = option.rule
    if option.call == 0 or rule.artificial or rule.act in _FIXED:
        return False
    return not _is_makeshift(option)


def _tolerance(ctx: Context, option: Option) -> tuple[int, int]:
    """How many points, and how many cards, a call may be off."""
    opening = ctx.opener < 0 and (option.call < 8 or (option.call - 3) % 5 == 4)
    return (OPENING_POINTS, 0) if opening else (POINTS, CARDS)


def lacking(items: Items, values: HandValues, points: int, cards: int) -> str | None:
    """What the hand lacks, in words, if it misses one item only and by no more than this."""
    lacks = ""
    for item in items:
        kind = item[0]
        if kind == "not":
            if holds(item[1], values):
                return None
            continue
        if kind == "or":
            missed = None if holds((item,), values) else _least(item[1], values, points, cards)
            if missed is None and not holds((item,), values):
                return None
        else:
            value = values[kind]
            if item[1] <= value <= item[2]:
                continue
            missed = _missed(feature_of(kind).of.name, value, (item[1], item[2]), points, cards)
            if missed is None:
                return None
        if missed and lacks:
            return None
        lacks = missed or lacks
    return lacks


def _least(parts: tuple[Items, ...], values: HandValues, points: int, cards: int) -> str | None:
    ways = (lacking(part, values, points, cards) for part in parts)
    return next((way for way in ways if way is not None), None)


def _missed(
    name: str, value: float, span: tuple[float, float], points: int, cards: int
) -> str | None:
    less = value < span[0]
    amount = int(span[0] - value if less else value - span[1])
    if name in _COUNTED and amount <= points:
        return f"{_number(amount)} point{'s'[: amount > 1]} {'short' if less else 'too strong'}"
    if name == "SUITLEN" and amount <= cards:
        return f"{_number(amount)} card {'short' if less else 'too many'}"
    return None


def _number(amount: int) -> str:
    return {1: "one", 2: "two"}.get(amount, str(amount))


def fits(shown: Shown, values: HandValues, slack: int = 0) -> bool:
    """Is the hand inside these ranges of points (give or take `slack`) and lengths?"""
    points = values[feature_number("HCP", ())]
    if not shown.hcp[0] - slack <= points <= shown.hcp[1] + slack:
        return False
    lengths = [values.hand.look("length", suit) for suit in range(4)]
    return all(shown.low[s] <= lengths[s] <= shown.high[s] for s in range(4))
