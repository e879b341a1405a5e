"""The calls a written system leaves to a hand: where the rules end and judgement begins.

Rules give each call a meaning and, by priorities, prescribe one. A hand often satisfies the
meaning of several calls; all of these are within the agreement, whichever a rule prefers.
"""

from __future__ import annotations

from typing import Final

from overtrick.systems.classes import shown_after
from overtrick.systems.context import Context, Shown
from overtrick.systems.reading import Option, Reading
from overtrick.systems.shows import HandValues, feature_number, holds

GENERIC_LAYER: Final = 5
"""Rules up to this layer are about no particular auction."""
MAKESHIFT: Final = 10
"""Generic bids below this priority say "no better bid": nobody chooses them by judgement."""
PASS_SLACK: Final = 1
"""A pass may be this many points better than partner will think: it is named a stretch then."""


def allowed(reading: Reading, ctx: Context, values: HandValues) -> list[Option]:
    """One option a call, the rules' own choice first; empty where no rule fits the hand.

    A pass denies what other calls would have shown, so it must also fit the ranges that the
    opponents are told; a makeshift bid counts only where there is nothing else.
    """
    found: dict[int, Option] = {}
    for option in reading.options(ctx):
        if option.call not in found and holds(option.items, values):
            found[option.call] = option
    if len(found) < 2:
        return list(found.values())
    first, *others = found.values()
    return [
        first,
        *(o for o in others if not _is_makeshift(o) and _may_pass(reading, ctx, o, values)),
    ]


def _is_makeshift(option: Option) -> bool:
    generic = option.rule.layer <= GENERIC_LAYER and option.priority < MAKESHIFT
    return generic and option.call != 0


def _may_pass(reading: Reading, ctx: Context, option: Option, values: HandValues) -> bool:
    return option.call != 0 or fits(shown_after(reading, ctx, 0), values, PASS_SLACK)


def fits(shown: Shown, values: HandValues, slack: int = 0) -> bool:
    """Is the hand inside these ranges of points (give or take `slack`) and lengths?"""
    points = values[feature_number("HCP", ())]
    if not shown.hcp[0] - slack <= points <= shown.hcp[1] + slack:
        return False
    lengths = [values.hand.look("length", suit) for suit in range(4)]
    return all(shown.low[s] <= lengths[s] <= shown.high[s] for s in range(4))
