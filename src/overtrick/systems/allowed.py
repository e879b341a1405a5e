"""The calls a written system leaves to a hand: where the rules end and judgement begins.

Rules give each call a meaning and, by priorities, prescribe one call. A hand often satisfies the
meaning of several; all of these are within the agreement, whichever a rule prefers. A natural call
may also be stretched: its meaning is missed in one thing, by two points or by one card. Players do
that, and say so on their card; an answer to a question is never stretched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Final

from overtrick.game.meaning import SpeechAct
from overtrick.systems.classes import as_table, classes_of, everything, of_call, packed, ranges
from overtrick.systems.context import Context, Shown
from overtrick.systems.properties import too_weak_to_pass
from overtrick.systems.reading import Option, Reading
from overtrick.systems.shows import (
    HandValues,
    Item,
    Items,
    feature_number,
    feature_of,
    holds,
)

GENERIC_LAYER: Final = 5
"""Rules up to this layer are about no particular auction."""
MAKESHIFT: Final = 10
"""Generic bids below this priority are forced and say nothing new: nobody chooses them."""
POINTS: Final = 2
"""A stretched call may be this many points off, or one card …"""
OPENING_POINTS: Final = 1
"""… but an opening only this many points, and no card: everybody builds on it."""
_FIXED: Final = (SpeechAct.ANSWERING, SpeechAct.ASKING)
_COUNTED: Final = frozenset({"HCP", "POINTS", "LP"})


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a call may be stretched: points either way, suits (bits) a card short or too long."""

    points: int
    short: int = 0
    long: int = 0


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
    the opponents are told; a makeshift bid counts only where there is nothing else. After a call
    that was stretched no rule may fit: then a generic meaning that a special one displaced will do,
    or the call that is missed by least. Nobody leaves partner's takeout double in on a weak hand
    without trumps while another call will do.
    """
    ways = _within(reading, ctx, values, stretch)
    weak = too_weak_to_pass(ctx)
    if weak is None or not holds(weak, values) or all(way.call for way in ways):
        return ways
    return [way for way in ways if way.call] or _spoken(reading, ctx, values) or ways


def _within(reading: Reading, ctx: Context, values: HandValues, stretch: bool) -> list[Allowed]:
    exact: dict[int, Allowed] = {}
    near: dict[int, Allowed] = {}
    options = reading.options(ctx)
    for option in options:
        if option.call not in exact and holds(option.items, values):
            exact[option.call] = Allowed(option)
    if not exact:
        return _rescued(reading, ctx, values, stretch)
    first, *others = exact.values()
    found = [first, *(way for way in others if _is_choice(reading, ctx, way.option, values))]
    if not stretch:
        return found
    for option in options:
        if option.call in exact or option.call in near or not _may_stretch(option):
            continue
        lacks = lacking(option.items, values, tolerance(ctx, option))
        if lacks is not None:
            near[option.call] = Allowed(option, lacks)
    return found + list(near.values())


def _rescued(reading: Reading, ctx: Context, values: HandValues, stretch: bool) -> list[Allowed]:
    near = (_nearest(reading, ctx, values, times) for times in (1, 2, 3)) if stretch else iter(())
    best = next(near, None)
    if best is None:
        fitting = (o for o in reading.displaced(ctx) if holds(o.items, values))
        best = next((Allowed(option) for option in fitting), None)
    if best is None:
        best = next((way for way in near if way is not None), None)
    return [best] if best is not None else []


def _spoken(reading: Reading, ctx: Context, values: HandValues) -> list[Allowed]:
    """The bid that is missed by least: a suit, however weak, where a pass would be worse."""
    near = (_nearest(reading, ctx, values, times, least=1) for times in (1, 2, 3))
    best = next((way for way in near if way is not None), None)
    return [best] if best is not None else []


def _nearest(
    reading: Reading, ctx: Context, values: HandValues, times: int, least: int = 0
) -> Allowed | None:
    """The best call that is missed in one thing, by so many times what may be stretched."""
    for option in reading.options(ctx):
        if option.call < least:
            continue
        slack = tolerance(ctx, option)
        wide = replace(slack, points=times * slack.points)
        lacks = None if option.rule.act in _FIXED else lacking(option.items, values, wide)
        if lacks is not None:
            return Allowed(option, lacks)
    return None


def _is_choice(reading: Reading, ctx: Context, option: Option, values: HandValues) -> bool:
    if option.call == 0:
        return fits(ranges(of_call(reading, ctx, 0)), values, POINTS)
    return not _is_makeshift(option)


def _is_makeshift(option: Option) -> bool:
    return option.rule.layer <= GENERIC_LAYER and option.priority < MAKESHIFT


def _may_stretch(option: Option) -> bool:
    rule = option.rule
    if option.call == 0 or rule.artificial or rule.act in _FIXED:
        return False
    return not _is_makeshift(option)


def tolerance(ctx: Context, option: Option) -> Tolerance:
    """What a natural call may lack: a card of the suit it bids, for a double one of an unbid suit;
    or it may hold a card too many in a suit of theirs."""
    call, strain = option.call, (option.call - 3) % 5
    if ctx.opener < 0:
        return Tolerance(OPENING_POINTS)
    if call < 3:
        return Tolerance(POINTS, 15 & ~(ctx.our_suits | ctx.their_suits), ctx.their_suits)
    return Tolerance(POINTS, 1 << strain & 15, ctx.their_suits)


def lacking(items: Items, values: HandValues, slack: Tolerance) -> str | None:
    """What the hand lacks, in words, if it misses one item only and by no more than this."""
    lacks = ""
    for item in items:
        if holds((item,), values):
            continue
        if item[0] == "not":
            return None
        missed = _least(item[1], values, slack) if item[0] == "or" else _missed(item, values, slack)
        if missed is None or lacks:
            return None
        lacks = missed
    return lacks


def _least(parts: tuple[Items, ...], values: HandValues, slack: Tolerance) -> str | None:
    ways = (lacking(part, values, slack) for part in parts)
    return next((way for way in ways if way is not None), None)


def _missed(item: Item, values: HandValues, slack: Tolerance) -> str | None:
    feature, value = feature_of(item[0]), values[item[0]]
    less = value < item[1]
    amount = ceil(item[1] - value if less else value - item[2])
    if feature.of.name in _COUNTED and amount <= slack.points:
        return f"{_number(amount)} point{'s'[: amount > 1]} {'short' if less else 'too strong'}"
    suits = slack.short if less else slack.long
    if feature.of.name == "SUITLEN" and amount == 1 and suits >> feature.suits[0] & 1:
        return f"one card {'short' if less else 'too many'}"
    return None


def _number(amount: int) -> str:
    return {1: "one", 2: "two"}.get(amount, str(amount))


def stated(reading: Reading, ctx: Context, call: int) -> Shown:
    """The ranges that a player who judges has shown with this call and those before. A call says
    what its sets say, whatever a rule would have preferred; where calls contradict each other, the
    later ones are believed."""
    classes = everything()
    for turn in range(len(ctx.calls) % 4, len(ctx.calls), 4):
        earlier = reading.context(ctx.calls[:turn], ctx.vul, reading.first(ctx))
        now = said(reading, earlier, ctx.calls[turn])
        classes = classes & now or now
    now = said(reading, ctx, call)
    return ranges(classes & now or now)


def said(reading: Reading, ctx: Context, call: int) -> int:
    """The classes (systems.classes) from which the call comes, by judgement as well as by rule."""
    if call == 0:
        return _give_or_take(of_call(reading, ctx, 0))
    classes = 0
    for option in reading.of_call(ctx, call):
        classes |= classes_of(option.items)[0]
    return classes or everything()


@lru_cache(maxsize=4096)
def _give_or_take(classes: int) -> int:
    """The same shapes, with a few points more or less."""
    table = as_table(classes) > 0
    wide = table.copy()
    for points in range(1, POINTS + 1):
        wide[:, points:] |= table[:, :-points]
        wide[:, :-points] |= table[:, points:]
    return packed(wide) & everything()


def fits(shown: Shown, values: HandValues, slack: int = 0) -> bool:
    """Is the hand inside these ranges of points (give or take `slack`) and lengths?"""
    points = values[feature_number("HCP", ())]
    if not shown.hcp[0] - slack <= points <= shown.hcp[1] + slack:
        return False
    lengths = [values.hand.look("length", suit) for suit in range(4)]
    return all(shown.low[s] <= lengths[s] <= shown.high[s] for s in range(4))
