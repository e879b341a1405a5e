"""Indirect conclusions from a call: what a player would have bid otherwise, and so does not have.
Section 1 of Gambäck, Rayner & Pell 1993.

A call says what its rules show. It also says what the calls it passed over would have shown: "no
rebiddable spades, or they would have bid 2♠". Each conclusion is graded by how many of the hands
that say what was said have the thing, and how many of those that really make the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np

from overtrick.evaluation import HandArray
from overtrick.game import Hand, Seat
from overtrick.game.calls import CALLS, Call
from overtrick.game.meaning import Forcing, Meaning, SpeechAct
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import call_meaning, option_constraint, positive
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.worlds import Dealer, DealingError
from overtrick.worlds.constraints import (
    AllOf,
    Between,
    Constraint,
    all_of,
    between,
    negated,
)
from overtrick.worlds.satisfaction import shortfall
from overtrick.worlds.sets import as_set

_HANDS: Final = 3000
_RARE: Final = 0.02  # a thing fewer of the hands have is not worth denying


class Certainty(StrEnum):
    """How sure a conclusion is."""

    CERTAIN = "certainly"
    LIKELY = "probably"
    POSSIBLE = "perhaps"


_LONGEST_WORDS: Final = 60
_WHOLE_SUIT: Final = 8  # cards; a range that ends here or later has no end that matters
# How much of a thing may be left after the call, of what there was before.
_GRADES: Final = (
    (0.02, Certainty.CERTAIN),
    (0.3, Certainty.LIKELY),
    (0.7, Certainty.POSSIBLE),
)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A thing the hand does not have, because another call would have shown it."""

    denied: Constraint
    instead: Call
    certainty: Certainty
    before: float  # share of hands with it among those that say what the call says
    after: float  # share among those that make the call

    @property
    def words(self) -> str:
        """As a player would say it at the table."""
        without = negated(self.denied).words()
        verb = {"certainly": "would", "probably": "would probably", "perhaps": "might"}
        done = {1: "doubled", 2: "redoubled"}.get(int(self.instead), f"bid {self.instead}")
        return f"{without}, or they {verb[self.certainty]} have {done}"

    def __str__(self) -> str:
        return self.words

    def to_dict(self) -> dict[str, Any]:
        return {
            "words": self.words, "denied": self.denied.words(), "instead": self.instead.ascii,
            "certainty": str(self.certainty), "before": round(self.before, 4),
            "after": round(self.after, 4),
        }  # fmt: skip


def conclusions(
    reading: Reading, ctx: Context, call: int, *, most: int = 4, seed: int = 0
) -> list[Conclusion]:
    """What a call denies in this auction, surest and most telling first."""
    said = _said_so_far(reading, ctx)
    shown = [positive(reading, before, made) for before, made in said]
    hands = _hands(all_of([*shown, positive(reading, ctx, call)]), seed)
    if hands is None:
        return []
    pool = Pool(hands)
    made = pool.everyone
    for before, earlier in [*said, (ctx, call)]:
        made = pool.makers(reading, before, earlier, made)
    if made.bit_count() < len(pool) // 50:
        return []
    found: dict[Constraint, list[Conclusion]] = {}
    for option in reading.options(ctx):
        if option.call == call or option.call == 0 or option.rule.artificial:
            continue
        for new in _weigh(pool, made, option):
            found.setdefault(new.denied, []).append(new)
    told = [_attributed(same, pool, made, (reading, ctx)) for same in found.values()]
    # What takes longer to say than anyone would listen is no help at the table.
    sayable = [c for c in told if len(c.denied.words()) <= _LONGEST_WORDS]
    return _without_repeats(sorted(sayable, key=_rank))[:most]


def ended(reading: Reading, ctx: Context, call: int, *, seed: int = 0) -> list[Conclusion]:
    """Why the lengths that a call shows end where they do, suit by suit: with more another call
    would have been made. Judged by the hands that the player's earlier calls and the call's points
    leave, so nothing is said of a player's first call."""
    said = _said_so_far(reading, ctx)
    meaning = call_meaning(reading, ctx, call)
    earlier = [positive(reading, before, made) for before, made in said]
    hands = _hands(all_of([*earlier, between("HCP", *meaning.hcp)]), seed) if said else None
    if hands is None:
        return []
    pool = Pool(hands)
    made = pool.everyone
    for before, one in [*said, (ctx, call)]:
        made = pool.makers(reading, before, one, made)
    if made.bit_count() < len(pool) // 50:
        return []
    found: dict[Constraint, list[Conclusion]] = {}
    for option in reading.options(ctx):
        if option.call in (call, 0) or option.rule.artificial:
            continue
        for part in _parts(option_constraint(option)):
            less = _graded(pool, made, part, CALLS[option.call]) if _is_length(part) else None
            if less is not None and less.certainty is Certainty.CERTAIN:
                found.setdefault(less.denied, []).append(less)
    told = [_attributed(same, pool, made, (reading, ctx)) for same in found.values()]
    nearest: dict[str, Conclusion] = {}
    for new in sorted(told, key=lambda c: (-c.before, str(c.denied))):
        nearest.setdefault(new.denied.name if isinstance(new.denied, Between) else "", new)
    return list(nearest.values())


def _is_length(part: Constraint) -> bool:
    """So many cards or more of one suit?"""
    if not isinstance(part, Between) or part.feature.of.name != "SUITLEN":
        return False
    return part.low > 0 and part.high >= _WHOLE_SUIT


def _attributed(
    same: list[Conclusion], pool: Pool, made: int, where: tuple[Reading, Context]
) -> Conclusion:
    """Of several calls that would have shown a thing, the one that hands having it make most."""
    if len({c.instead for c in same}) == 1:
        return same[0]
    calls = pool.by_call(*where, as_set(same[0].denied.mask(pool.hands)) & ~made)
    return max(same, key=lambda c: calls.get(int(c.instead), 0).bit_count())


def _said_so_far(reading: Reading, ctx: Context) -> list[tuple[Context, int]]:
    """The earlier calls of the player in turn, each with its context."""
    return [
        (reading.context(ctx.calls[:i], ctx.vul, ctx.first), ctx.calls[i])
        for i in range(ctx.me, len(ctx.calls), 4)
    ]


def _hands(constraint: Constraint, seed: int) -> HandArray | None:
    """Hands that say what was said, priorities aside."""
    try:
        dealer = Dealer({Seat.NORTH: constraint}, budget=200_000)
        return HandArray(dealer.sample(_HANDS, np.random.default_rng(seed)).hands[:, 0])
    except DealingError:
        return None


def _weigh(pool: Pool, made: int, option: OfferedCall) -> Iterator[Conclusion]:
    """The part of an alternative that is news about this hand, and how surely it is denied.

    When several things together are denied, each length alone is denied a little.
    """
    parts = []
    for part in _parts(option_constraint(option)):
        if part.mask(pool.hands).mean() < 0.97:  # what nearly all of these have is no news
            parts.append(_opened(part, pool.hands))
    if not 0 < len(parts) <= 3:
        return
    instead = CALLS[option.call]
    whole = _graded(pool, made, all_of(parts), instead)
    if whole is not None:
        yield whole
    if len(parts) > 1:
        for part in parts:
            if isinstance(part, Between) and part.feature.of.name == "SUITLEN":
                alone = _graded(pool, made, part, instead)
                if alone is not None:
                    yield alone


def _graded(pool: Pool, made: int, denied: Constraint, instead: Call) -> Conclusion | None:
    """The conclusion that a thing is missing, if the call makes it rarer."""
    having = as_set(denied.mask(pool.hands))
    before = having.bit_count() / len(pool)
    if before < _RARE:
        return None
    after = (having & made).bit_count() / made.bit_count()
    for limit, certainty in _GRADES:
        if after <= limit * before:
            return Conclusion(denied, instead, certainty, before, after)
    return None


def _opened(part: Constraint, hands: HandArray) -> Constraint:
    """A range without an end that none of these hands goes beyond: "4 spades" is "4+ spades"
    when nobody has five."""
    if not isinstance(part, Between):
        return part
    column = part.feature(hands)
    low = None if column.min() >= part.low else part.low
    high = None if column.max() <= part.high else part.high
    return between(part.name, low, high)


def _parts(constraint: Constraint) -> Iterable[Constraint]:
    return constraint.parts if isinstance(constraint, AllOf) else (constraint,)


def _rank(c: Conclusion) -> tuple[int, int, float]:
    sure = list(Certainty).index(c.certainty)
    return sure, len(tuple(_parts(c.denied))), -(c.before - c.after)


def _without_repeats(found: Sequence[Conclusion]) -> list[Conclusion]:
    """One conclusion for each call not made; what a simpler one already denies is left out."""
    kept: list[Conclusion] = []
    for c in found:
        mine = set(_parts(c.denied))
        same = any(k.instead == c.instead and k.certainty == c.certainty for k in kept)
        if not same and not any(set(_parts(k.denied)) <= mine for k in kept):
            kept.append(c)
    return kept


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a call does, with what it says by it."""

    act: SpeechAct
    words: str


def speech_acts(
    reading: Reading,
    ctx: Context,
    call: int,
    found: Sequence[Conclusion] = (),
    hand: Hand | None = None,
) -> list[Act]:
    """Everything a call does (section 1.2): a single bid may be several acts at once. To those who
    see the `hand` it is also a lie, if the hand is not what the call shows."""
    meaning = call_meaning(reading, ctx, call)
    out = [Act(meaning.act, meaning.words)]
    if invites(meaning) and meaning.act is not SpeechAct.INVITING:
        out.append(Act(SpeechAct.INVITING, "partner is to judge whether to go on"))
    asked = ctx.told[ctx.partner]
    if asked.call >= 3 and meaning.act is not SpeechAct.ANSWERING and _asks(reading, ctx):
        out.append(Act(SpeechAct.ANSWERING, f"answers {CALLS[asked.call]}"))
    if meaning.forcing in (Forcing.ONE_ROUND, Forcing.GAME, Forcing.SLAM):
        out.append(Act(SpeechAct.ORDERING, f"partner must bid ({meaning.forcing})"))
    sure = [c for c in found if c.certainty is not Certainty.POSSIBLE]
    if sure and all(a.act is not SpeechAct.DENYING for a in out):
        out.append(Act(SpeechAct.DENYING, negated(sure[0].denied).words()))
    if hand is not None and (away := _untrue(reading, ctx, call, hand)):
        out.append(
            Act(SpeechAct.LYING, f"the hand is short of it by {away:g} (a card is two points)")
        )
    return out


def _untrue(reading: Reading, ctx: Context, call: int, hand: Hand) -> float:
    """How far a hand is from what a call shows, as candidates are measured: a card is two."""
    return float(shortfall(positive(reading, ctx, call), HandArray([hand.bits]))[0])


def invites(meaning: Meaning) -> bool:
    """Does a call leave the decision to partner? Its rule says so by its act or in its words."""
    if meaning.act is SpeechAct.INVITING:
        return True
    words = meaning.words.lower()
    said = "invit" in words or "limit raise" in words
    return said and "or better" not in words and meaning.forcing is Forcing.NONE


def _asks(reading: Reading, ctx: Context) -> bool:
    """Was partner's last call a question?"""
    turn = max((i for i in range(len(ctx.calls)) if i & 3 == ctx.partner), default=-1)
    if turn < 0:
        return False
    before = reading.context(ctx.calls[:turn], ctx.vul, ctx.first)
    return call_meaning(reading, before, ctx.calls[turn]).act is SpeechAct.ASKING
