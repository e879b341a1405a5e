"""Silly calls: what no system may ever do, written once and checked at every call of an auction.

They hold for every system and against any opponents, so lint, the audit and the tests all ask here.
Hands are sets with one bit each, as in `many`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from overtrick.game.calls import level_of, strain_of
from overtrick.game.meaning import SpeechAct
from overtrick.systems.context import GAME_CALLS, Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import NO_BETTER
from overtrick.systems.offers import OfferedCall
from overtrick.systems.reading import Reading
from overtrick.systems.shows import Items, feature_number
from overtrick.systems.system import System

Chosen = Sequence[tuple[OfferedCall | None, int]]
"""What hands chose in one auction: each option with the set of them, None where no rule fits."""

_SPECIAL: Final = 10  # the layer of rules written for an auction; generic ones lie below
_WEAK: Final = 5  # high-card points with which nobody passes a takeout double for penalties …
_SHORT: Final = 3  # … holding no more trumps than this
_LOW: Final = 3  # above this level a weak hand may have to let the double stand


class Silly(StrEnum):
    """The kinds of silly calls."""

    FORCING_PASSED = "passes of forcing calls"
    ASK_PASSED = "passes of asking bids"
    BELOW_GAME = "stops below game after a game force"
    TAKEOUT_LEFT = "takeout doubles left in by a weak hand without trumps"
    GENERIC = "no better bid, where a book has one"
    OUTSIDE = "calls whose maker does not hold what they show"


def silly_calls(
    reading: Reading, ctx: Context, pool: Pool, chosen: Chosen
) -> Iterator[tuple[Silly, OfferedCall | None, int]]:
    """The silly ones among these calls: what is wrong, the option, and the hands that did it."""
    shown = {id(option) for option in reading.options(ctx)}
    asked = _is_asked(reading, ctx)
    for option, hands in chosen:
        if option is None:
            yield Silly.GENERIC, None, hands
            continue
        rule = option.rule
        if id(option) not in shown:
            yield Silly.OUTSIDE, option, hands
        if rule.layer < _SPECIAL and rule.words == NO_BETTER:
            yield Silly.GENERIC, option, hands
        if option.call:
            continue
        if ctx.forced:
            yield Silly.FORCING_PASSED, option, hands
        if asked and rule.act is not SpeechAct.ANSWERING:
            yield Silly.ASK_PASSED, option, hands
        weak = hands & _weak(ctx, pool)
        if weak:
            yield Silly.TAKEOUT_LEFT, option, weak


def stops_below_game(ctx: Context) -> bool:
    """Has an auction ended below the game that a side was forced to, and undoubled?"""
    if not ctx.last_bid or ctx.last_bid in GAME_CALLS or ctx.doubled:
        return False
    return bool(ctx.game_force[ctx.last_bidder & 1])


def _is_asked(reading: Reading, ctx: Context) -> bool:
    """Did partner ask, with nobody in between?"""
    if ctx.last_bidder != ctx.partner or ctx.passes != 1 or ctx.doubled:
        return False
    rule = ctx.told[ctx.partner].rule
    return rule in _asking(reading.system_in_turn(ctx))


@lru_cache(maxsize=32)
def _asking(system: System) -> frozenset[str]:
    return frozenset(r.id for r in system.rules() if r.act is SpeechAct.ASKING)


def _weak(ctx: Context, pool: Pool) -> int:
    """Hands that may not pass partner's takeout double; none where partner did not double so."""
    hands = too_weak_to_pass(ctx)
    return 0 if hands is None else pool.satisfying(hands)


def too_weak_to_pass(ctx: Context) -> Items | None:
    """Which hands may not pass partner's takeout double; None where partner did not double so."""
    told = ctx.told[ctx.partner]
    if told.call != 1 or "takeout" not in told.tags or ctx.passes != 1 or ctx.ours:
        return None
    suit = strain_of(ctx.last_bid)
    if suit > 3 or level_of(ctx.last_bid) > _LOW:
        return None
    return _weak_and_short(suit)


@lru_cache(maxsize=4)
def _weak_and_short(suit: int) -> Items:
    return (
        (feature_number("HCP", ()), 0, _WEAK),
        (feature_number("SUITLEN", (suit,)), 0, _SHORT),
    )
