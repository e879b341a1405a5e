"""The calls a written system leaves to a hand: where the rules end and judgement begins.

Rules give each call a meaning and, by priorities, prescribe one call. A hand often satisfies the
meaning of several; all of these are within the agreement, whichever a rule prefers. How far a call
may depart from its meaning is a matter of character, and of the kind of call: partner counts on the
length of a suit and on the strength of a notrump bid, and lives with a raise that is a point light.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from overtrick.game.calls import level_of
from overtrick.game.cards import Suit
from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.game.reasons import Departs, Lack
from overtrick.game.wording import words
from overtrick.systems.card import Character
from overtrick.systems.classes import as_table, classes_of, everything, of_call, packed, ranges
from overtrick.systems.context import Context, Shown
from overtrick.systems.many import Pool
from overtrick.systems.properties import too_weak_to_pass
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.systems.shows import (
    HandValues,
    Item,
    Items,
    feature_number,
    feature_of,
    holds,
)
from overtrick.worlds.sets import as_set

GENERIC_LAYER: Final = 5
"""Rules up to this layer are about no particular auction."""
MAKESHIFT: Final = 10
"""Generic bids below this are forced, with nothing new: nobody chooses them by judgement."""
POINTS: Final = 2
"""Who is free departs by so many points, or by one card …"""
ONE_POINT: Final = 1
"""… and by this many in an opening, and no card: everybody builds on it."""
_FIXED: Final = (SpeechAct.ANSWERING, SpeechAct.ASKING)
_KEY_ASK: Final = "keycard-ask"  # who asks decides: nobody builds on how much he has
_HIGH_CARDS: Final = "HCP"
_COUNTED: Final = frozenset({_HIGH_CARDS, "POINTS", "LP"})
_IN_POINTS: Final = {
    (True, True): Lack.FEWER_POINTS, (False, True): Lack.MORE_POINTS,
    (True, False): Lack.FEWER_WITH_SHAPE, (False, False): Lack.MORE_WITH_SHAPE,
}  # fmt: skip
"""By whether the hand has less, and whether high cards alone are counted."""
_NOTRUMP: Final = 4
_FIVE: Final = 5
_SINGLE: Final = 2
_GAME: Final = 4  # the highest level of a limit bid
_BINDING: Final = (Forcing.ONE_ROUND, Forcing.GAME, Forcing.SLAM)
_A_CARD: Final = 3.0  # points that a card too few or too many is as bad as …
_A_FEATURE: Final = 2.0  # … and a stopper, a control, a good suit or whatever else is promised
_FAR: Final = 10.0  # points beyond which no meaning is near


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a call may depart: points either way, suits (bits) a card short or too long."""

    points: int
    short: int = 0
    long: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """A call within the agreement, and in what the hand departs from its meaning, if at all."""

    option: OfferedCall
    departs: Departs | None = None

    @property
    def call(self) -> int:
        return self.option.call

    @property
    def words(self) -> str:
        """How the hand departs; empty where it does not."""
        return words(self.departs) if self.departs else ""


def allowed(
    reading: Reading, ctx: Context, values: HandValues, character: Character | None = None
) -> list[Allowed]:
    """One way a call: the rules' own choice, then calls whose meaning the hand satisfies, then
    those from which a player of this character departs (None: keeps to the letter). Empty where no
    rule fits the hand.

    A pass denies what other calls would have shown: nobody passes partner's bid with the support of
    the rules' own raise to two, and the hand must be near the ranges that the opponents are told. A
    makeshift bid counts only where there is nothing else. After a call
    that departed no rule may fit: then a generic meaning that a special one displaced will do, or
    the nearest meaning. Nobody leaves partner's takeout double in on a weak hand without trumps
    while another call will do.
    """
    ways = _within(reading, ctx, values, character)
    weak = too_weak_to_pass(ctx)
    if weak is None or not holds(weak, values) or all(way.call for way in ways):
        return ways
    spoken = nearest(reading, ctx, values, least=1)
    return [way for way in ways if way.call] or ([spoken] if spoken else ways)


def allowed_sets(reading: Reading, ctx: Context, pool: Pool) -> dict[int, int]:
    """Which hands of a pool may make which call by the letter: {call: set of hands}. A first bid
    that hides a longer suit is not taken away here."""
    out: dict[int, int] = {}
    unspoken, answering, raising = pool.everyone, 0, 0
    for option in reading.options(ctx):
        having = pool.satisfying(option.items)
        first = having & unspoken
        unspoken ^= first
        raising |= first if _raises(ctx, option.call) else 0
        if option.rule.act is SpeechAct.ANSWERING:
            answering |= first
        elif option.call == 0 or _is_makeshift(option):
            having = first
        else:
            having = first | having & ~answering
        if having:
            out[option.call] = out.get(option.call, 0) | having
    if out.get(0, 0) != pool.everyone:
        out[0] = out.get(0, 0) | _may_pass(reading, ctx, pool) & ~(answering | raising)
    return out


def _may_pass(reading: Reading, ctx: Context, pool: Pool) -> int:
    """The hands of a pool that satisfy a pass and are near what it shows."""
    having = 0
    for option in reading.of_call(ctx, 0):
        having |= pool.satisfying(option.items)
    if not having:
        return 0
    shown = ranges(of_call(reading, ctx, 0))
    points = feature_of(feature_number("HCP", ()))(pool.hands)
    near = (points >= shown.hcp[0] - POINTS) & (points <= shown.hcp[1] + POINTS)
    for suit in range(4):
        lengths = pool.hands.look("length", suit)
        near &= (lengths >= shown.low[suit]) & (lengths <= shown.high[suit])
    return having & as_set(near)


def _within(
    reading: Reading, ctx: Context, values: HandValues, character: Character | None
) -> list[Allowed]:
    exact: dict[int, Allowed] = {}
    near: dict[int, Allowed] = {}
    options = reading.options(ctx)
    for option in options:
        if option.call not in exact and holds(option.items, values):
            exact[option.call] = Allowed(option)
    if not exact:
        return _rescued(reading, ctx, values, character)
    first, *others = exact.values()
    if first.option.rule.act is SpeechAct.ANSWERING:  # a question is answered, whatever else fits
        return [first, *(w for w in others if w.option.rule.act is SpeechAct.ANSWERING)]
    if _raises(ctx, first.call):
        others = [way for way in others if way.call]
    found = [first, *(way for way in others if _is_choice(reading, ctx, way.option, values))]
    found = [first, *(way for way in found[1:] if not _hides(ctx, way, found, values))]
    if character is None:
        return found
    for option in options:
        if option.call in exact or option.call in near:
            continue
        slack = tolerance(ctx, option, character)
        departs = departure(option.items, values, slack) if slack is not None else None
        if departs is not None:
            near[option.call] = Allowed(option, departs)
    return found + list(near.values())


def _rescued(
    reading: Reading, ctx: Context, values: HandValues, character: Character | None
) -> list[Allowed]:
    """Where no rule of the auction fits: a generic meaning does, or the nearest is taken."""
    fitting = (o for o in reading.displaced(ctx) if holds(o.items, values))
    best = next((Allowed(option) for option in fitting), None)
    if best is None and character is not None:
        best = nearest(reading, ctx, values)
    return [best] if best is not None else []


def nearest(reading: Reading, ctx: Context, values: HandValues, least: int = 0) -> Allowed | None:
    """The call whose meaning is nearest to the hand; of equals the one that the rules prefer."""
    best, apart = None, _FAR
    for option in reading.options(ctx):
        if option.call < least:
            continue
        far = distance(option.items, values)
        if far < apart:
            best, apart = option, far
    return Allowed(best, Departs(Lack.NEAREST)) if best is not None else None


def distance(items: Items, values: HandValues) -> float:
    """How far a hand is from a meaning, in points."""
    far = 0.0
    for item in items:
        if holds((item,), values):
            continue
        if item[0] == "or":
            far += min(distance(part, values) for part in item[1])
        elif item[0] == "not":
            far += _A_FEATURE
        else:
            feature, value = feature_of(item[0]), values[item[0]]
            off = item[1] - value if value < item[1] else value - item[2]
            each = {"SUITLEN": _A_CARD}.get(feature.of.name, _A_FEATURE)
            far += off if feature.of.name in _COUNTED else each * max(off, 1)
    return far


def _is_choice(reading: Reading, ctx: Context, option: OfferedCall, values: HandValues) -> bool:
    if option.call == 0:
        return fits(ranges(of_call(reading, ctx, 0)), values, POINTS)
    return not _is_makeshift(option)


def _hides(ctx: Context, way: Allowed, others: list[Allowed], values: HandValues) -> bool:
    """Would a first bid name a suit two cards shorter than another that the hand may name, or one
    suit where the system has a call for both?"""
    if ctx.bids[ctx.me] or not _names_a_suit(ctx, way):
        return False
    longest = max(_length(other, values) for other in others if _names_a_suit(ctx, other))
    return _length(way, values) + 2 <= longest or _shows_two(others[0])


def _shows_two(way: Allowed) -> bool:
    """Does the call promise five cards in each of two suits?"""
    return sum(low >= _FIVE for low in ranges(classes_of(way.option.items)[0]).low) > 1


def _names_a_suit(ctx: Context, way: Allowed) -> bool:
    strain = (way.call - 3) % 5
    new = strain != _NOTRUMP and not ctx.our_suits >> strain & 1
    return way.call >= 3 and new and not way.option.rule.artificial


def _length(way: Allowed, values: HandValues) -> int:
    return int(values.hand.look("length", (way.call - 3) % 5))


def _is_makeshift(option: OfferedCall) -> bool:
    return option.rule.layer <= GENERIC_LAYER and option.priority < MAKESHIFT


def tolerance(ctx: Context, option: OfferedCall, character: Character) -> Tolerance | None:
    """How far this call may depart from its meaning; None for one that is never bent.

    Who is free may lack a card of the suit that is bid, for a double one of an unbid suit, or hold
    a card too many in a suit of theirs.
    """
    rule, call, strain = option.rule, option.call, (option.call - 3) % 5
    if _KEY_ASK in rule.tags:
        return Tolerance(ONE_POINT)
    if call == 0 or rule.artificial or rule.act in _FIXED or _is_makeshift(option):
        return None
    if character is not Character.FREE:
        bent = _is_limit(ctx, option) or (character is Character.USUAL and _is_light(ctx, option))
        return Tolerance(ONE_POINT) if bent else None
    if ctx.opener < 0:
        return Tolerance(ONE_POINT)
    if call < 3:
        return Tolerance(POINTS, 15 & ~(ctx.our_suits | ctx.their_suits), ctx.their_suits)
    return Tolerance(POINTS, 1 << strain & 15, ctx.their_suits)


def _is_limit(ctx: Context, option: OfferedCall) -> bool:
    """Raises, tries and games of the hand opposite the one that told first: what it bids says how
    much it has, and partner goes on from there by a point more or less."""
    call, strain = option.call, (option.call - 3) % 5
    if call < 3 or not ctx.bids[ctx.partner] or option.rule.forcing in _BINDING:
        return False
    if ctx.opener == ctx.me or ctx.bids[ctx.me] > ctx.bids[ctx.partner]:
        return False
    if level_of(call) > _GAME:
        return False
    if strain == _NOTRUMP:
        return ctx.opener == ctx.partner and ctx.uncontested
    return bool(ctx.suits[ctx.partner] >> strain & 1)


def _is_light(ctx: Context, option: OfferedCall) -> bool:
    """Openings and first overcalls of a suit, and first doubles."""
    if ctx.bids[ctx.me] or ctx.bids[ctx.partner]:
        return False
    return option.call < 3 or (option.call - 3) % 5 != _NOTRUMP


def departure(items: Items, values: HandValues, slack: Tolerance) -> Departs | None:
    """How the hand departs from a meaning of which it misses one item by no more than this; None
    where it has it, or is further away."""
    found: Departs | None = None
    for item in items:
        if holds((item,), values):
            continue
        if item[0] == "not":
            return None
        missed = _least(item[1], values, slack) if item[0] == "or" else _missed(item, values, slack)
        if missed is None or found is not None:
            return None
        found = missed
    return found


def _least(parts: tuple[Items, ...], values: HandValues, slack: Tolerance) -> Departs | None:
    ways = (departure(part, values, slack) for part in parts)
    return next((way for way in ways if way is not None), None)


def _missed(item: Item, values: HandValues, slack: Tolerance) -> Departs | None:
    feature, value = feature_of(item[0]), values[item[0]]
    name, less = feature.of.name, value < item[1]
    agreed = item[1] if less else item[2]
    amount = ceil(agreed - value if less else value - agreed)
    held = round(agreed - amount if less else agreed + amount)
    if name in _COUNTED and amount <= slack.points:
        return Departs(_IN_POINTS[less, name == _HIGH_CARDS], held, round(agreed))
    suits = slack.short if less else slack.long
    if name == "SUITLEN" and amount == 1 and suits >> feature.suits[0] & 1:
        lack = Lack.SHORTER if less else Lack.LONGER
        return Departs(lack, held, round(agreed), Suit(feature.suits[0]))
    return None


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


def _raises(ctx: Context, call: int) -> bool:
    """Is this a raise to two, as the first word to partner's bid? A pass denies the support; to
    raise higher is a matter of judgement."""
    first = bool(ctx.bids[ctx.partner]) and not ctx.bids[ctx.me]
    raises = call >= 3 and bool(ctx.suits[ctx.partner] >> (call - 3) % 5 & 1)
    return first and raises and level_of(call) <= _SINGLE


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
