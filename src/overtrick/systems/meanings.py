"""Rules run backwards: what calls show as constraints, in words, per hand after a whole auction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from overtrick.game import Auction, Vulnerability
from overtrick.game.calls import CALLS, Call, strain_of
from overtrick.game.meaning import ANY_LENGTHS, Forcing, Lengths, Meaning, SpeechAct
from overtrick.systems.classes import (
    after_call,
    parts_of,
    share,
    shown_after,
    spans,
    told_ranges,
)
from overtrick.systems.context import NOTHING, Context, Shown
from overtrick.systems.descriptions import Description, RulePart, described
from overtrick.systems.procedures import Duty, Seen, disclosure
from overtrick.systems.reading import AuctionOffer, OfferedCall, Reading, natural_guess
from overtrick.systems.shows import Items, feature_of
from overtrick.worlds.constraints import (
    ALWAYS,
    AllOf,
    AnyOf,
    Constraint,
    all_of,
    any_of,
    between,
    length,
    negated,
)

# Beyond this many better alternatives, what they exclude is hardly worth its time.
_MOST_DENIED: Final = 16
NO_BETTER: Final = "forced to bid"
"""The words of rules for hands that nothing fits."""


@lru_cache(maxsize=65536)
def constraint_of(items: Items) -> Constraint:
    """Bound items as a value of the constraint algebra."""
    parts: list[Constraint] = []
    for item in items:
        if item[0] == "or":
            parts.append(any_of(constraint_of(p) for p in item[1]))
        elif item[0] == "not":
            parts.append(negated(constraint_of(item[1])))
        else:
            parts.append(between(feature_of(item[0]).name, item[1], item[2]))
    return all_of(parts)


def option_constraint(option: OfferedCall) -> Constraint:
    """What one constraint set says, kept with the option."""
    filled = option.filled
    found = filled.constraint
    if found is None:
        found = filled.constraint = constraint_of(filled.items)
    return found  # type: ignore[no-any-return]


def option_negated(option: OfferedCall) -> Constraint:
    """The hands a constraint set does not hold for."""
    filled = option.filled
    found = filled.negation
    if found is None:
        found = filled.negation = negated(option_constraint(option))
    return found  # type: ignore[no-any-return]


def _both(parts: list[Constraint]) -> Constraint:
    """All of the parts, without the look for repetitions that `all_of` takes time for."""
    kept = [p for p in parts if p is not ALWAYS]
    return AllOf(tuple(kept)) if len(kept) > 1 else kept[0] if kept else ALWAYS


def positive(reading: Reading, ctx: Context, call: int) -> Constraint:
    """The union of the constraint sets that recommend a call."""
    offer = reading.offer(ctx)
    kept = offer.positive.get(call)
    if kept is None:
        found = offer.of_call(call)
        if not found:
            return _guess(ctx, call)
        kept = offer.positive[call] = any_of(option_constraint(o) for o in found)
    return kept


def shows(reading: Reading, ctx: Context, call: int) -> Constraint:
    """What a call shows, with what it denies: each set minus the hands that a set of strictly
    higher priority would have bid otherwise."""
    offer = reading.offer(ctx)
    kept = offer.shows.get(call)
    if kept is None:
        if not offer.of_call(call):
            return _guess(ctx, call)
        kept = offer.shows[call] = _shows(offer, call)
    return kept


def _shows(offer: AuctionOffer, call: int) -> Constraint:
    parts = []
    for option in offer.of_call(call):
        denied: list[Constraint] = []
        for other in offer.options:
            if other.shows.priority <= option.shows.priority or len(denied) == _MOST_DENIED:
                break
            if other.call != call and not other.is_longest:
                denied.append(option_negated(other))
        parts.append(_both([option_constraint(option), *denied]))
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def _guess(ctx: Context, call: int) -> Constraint:
    shown, _ = natural_guess(ctx, call)
    return all_of(length(s, shown.low[s]) for s in range(4) if shown.low[s])


def call_meaning(
    reading: Reading, ctx: Context, call: int, option: OfferedCall | None = None
) -> Meaning:
    """A call in words and ranges: all that its maker has shown with it and with the calls before.
    `option` is the rule that fired when the hand is known."""
    parts = parts_of(reading, ctx, call)
    found = [option] if option is not None else [part for part, _ in parts]
    if not found:
        shown = shown_after(reading, ctx, call).meet(natural_guess(ctx, call)[0])
        words = "outside the system" + (", natural perhaps" if call >= 3 else "")
        return Meaning(words, shown.hcp, _lengths(shown), shows=_guess(ctx, call))
    best = found[0]
    shown = told_ranges(after_call(reading, ctx, call))
    said = description(reading, ctx, call) if option is None else described([_way(option)], -1)
    forcing = ctx.force_of(best.rule.forcing, best.rule.artificial)
    owed = disclosure(Seen(ctx, call, best, shown.hcp, _lengths(shown)))
    return Meaning(
        words=said.words,
        hcp=shown.hcp,
        lengths=_lengths(shown),
        forcing=forcing,
        alert=owed.duty is Duty.ALERT,
        act=_act(best, ctx),
        convention=best.rule.convention if call or best.rule.alert else "",
        rule=best.rule.id,
        shows=positive(reading, ctx, call),
        announce=owed.words,
        delayed=owed.duty is Duty.DELAYED,
    )


def description(reading: Reading, ctx: Context, call: int) -> Description:
    """The rules behind a call of the system as one statement."""
    parts = parts_of(reading, ctx, call)
    telling = [(o, c) for o, c in parts if o.words != NO_BETTER] or parts
    agreed = reading.offer(ctx).tells(call)[3]
    trumps = agreed if agreed >= 0 else ctx.agreed[ctx.side]
    suit = strain_of(call) if call >= 3 else -1
    return described([_way(o, c) for o, c in telling], suit if suit < 4 else -1, trumps)


def _way(option: OfferedCall, classes: int = 0) -> RulePart:
    if not classes:  # the only one: nothing is compared
        return RulePart(option.words, 1.0, option.shown.hcp, None, ANY_LENGTHS)
    hcp, *lengths = spans(classes)
    points = option.shown.points
    bounded = points if points != NOTHING.points else None
    clubs, diamonds, hearts, spades = lengths
    four = (clubs, diamonds, hearts, spades)
    return RulePart(option.words, share(classes), hcp, bounded, four, option.is_second)


def _lengths(shown: Shown) -> Lengths:
    a, b, c, d = zip(shown.low, shown.high, strict=True)
    return a, b, c, d


def _act(option: OfferedCall, ctx: Context) -> SpeechAct:
    """The speech act of a call: named by the rule, or read from what it does."""
    rule = option.rule
    if rule.act is not SpeechAct.ASSERTING:
        return rule.act
    if rule.forcing in (Forcing.GAME, Forcing.SLAM):
        return SpeechAct.PROMISING
    return rule.act


@dataclass(frozen=True, slots=True)
class CallRead:
    """One call of an auction, explained."""

    seat: int
    call: Call
    meaning: Meaning


def read_auction(
    reading: Reading, auction: Auction, vul: Vulnerability, ours: int
) -> list[CallRead]:
    """Every call of an auction with its meaning; `ours` is the side (0 NS, 1 EW) of our system."""
    out = []
    for i, (ctx, call) in enumerate(contexts(reading, auction, vul, ours)):
        seat = (auction.dealer + i) & 3
        out.append(CallRead(seat, CALLS[call], call_meaning(reading, ctx, call)))
    return out


def contexts(
    reading: Reading, auction: Auction, vul: Vulnerability, ours: int
) -> list[tuple[Context, int]]:
    """The context before each call, with the call."""
    turned, first = turned_vul(vul, auction.dealer), int(auction.dealer & 1 != ours)
    calls = tuple(int(c) for c in auction.calls)
    return [(reading.context(calls[:i], turned, first), c) for i, c in enumerate(calls)]


def turned_vul(vul: int, dealer: int) -> int:
    """Vulnerability with bit 0 for the dealer's side."""
    return int(vul) if dealer & 1 == 0 else (int(vul) >> 1 & 1) | (int(vul) & 1) << 1


def knowledge(
    reading: Reading, auction: Auction, vul: Vulnerability, ours: int = 0, *, deny: bool = True
) -> tuple[Constraint, Constraint, Constraint, Constraint]:
    """Constraints on the four hands (N, E, S, W) after an auction; with `deny`, also what better
    calls that were not made exclude."""
    parts: list[list[Constraint]] = [[], [], [], []]
    for i, (ctx, call) in enumerate(contexts(reading, auction, vul, ours)):
        seat = (auction.dealer + i) & 3
        found = shows(reading, ctx, call) if deny else positive(reading, ctx, call)
        if found is not ALWAYS:
            parts[seat].append(found)
    a, b, c, d = (_both(p) for p in parts)
    return a, b, c, d
