"""Auctions read through systems: which rules match, what each call showed, what a hand bids.
A `Reading` serves two systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from overtrick.game.calls import level_of, strain_of
from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.systems.context import NOTHING, CallMeant, Context, Shown, join
from overtrick.systems.offers import NO_OFFER, AuctionOffer, OfferedCall, offer_of
from overtrick.systems.patterns import choices
from overtrick.systems.shows import HandValues, holds
from overtrick.systems.system import Block, Rule, System

_MOST_CONTEXTS: Final = 12_000
_SHORT: Final = 3
_MOST_OPTIONS: Final = 1024  # of one constraint set
_MOST_OFFERS: Final = 8000
_OUTSIDE: Final = "outside the system"
_NO_BINDINGS: Final[Mapping[str, int]] = {}
_Match = tuple[int, Rule, Mapping[str, int]]


class Reading:
    """Two systems and the auctions read so far. Contexts are kept by auction.

    >>> from overtrick import Call
    >>> from overtrick.systems import load
    >>> reading = Reading(load("sayc"))
    >>> context = reading.context((int(Call("1NT")), int(Call("P"))))
    >>> sorted({Call(offered.call).ascii for offered in reading.options(context)})[:5]
    ['2C', '2D', '2H', '2NT', '2S']
    """

    def __init__(self, ours: System, theirs: System | None = None) -> None:
        self.systems = (ours, theirs or ours)
        self._contexts: dict[tuple[int, int, tuple[int, ...]], Context] = {}

    def context(self, calls: tuple[int, ...], vul: int = 0, first: int = 0) -> Context:
        """The context after these calls. `vul`: bit 0 the dealer's side, bit 1 the other;
        `first` is 0 when the dealer's side plays `ours`, 1 when it plays `theirs`."""
        key = (vul, first, calls)
        found = self._contexts.get(key)
        if found is None:
            if calls:
                found = self.after(self.context(calls[:-1], vul, first), calls[-1])
            else:
                a, b = self.systems if first == 0 else self.systems[::-1]
                found = Context(vul, (a.playing, b.playing))
            if len(self._contexts) > _MOST_CONTEXTS:
                self._forget()
            self._contexts[key] = found
            found.first = first
        return found

    def _forget(self) -> None:
        """Drop the older half of the contexts, except the short ones that all begin with."""
        kept = list(self._contexts.items())
        half = len(kept) // 2
        self._contexts = {
            k: v for i, (k, v) in enumerate(kept) if i >= half or len(v.calls) <= _SHORT
        }
        if len(self._contexts) > _MOST_CONTEXTS - 1000:
            self._contexts.clear()

    def first(self, ctx: Context) -> int:
        """Which system the dealer's side plays in this context: 0 ours, 1 theirs."""
        return ctx.first

    def system_in_turn(self, ctx: Context) -> System:
        return self.systems[(ctx.me & 1) ^ self.first(ctx)]

    def offer(self, ctx: Context) -> AuctionOffer:
        """All constraint sets that apply, with what follows from them."""
        if ctx.offer is None:
            ctx.offer = _offer(self.system_in_turn(ctx), ctx)
        return ctx.offer

    def options(self, ctx: Context) -> list[OfferedCall]:
        """All constraint sets that apply, best first: priority, then more specific, then order."""
        return self.offer(ctx).options

    def displaced(self, ctx: Context) -> list[OfferedCall]:
        """Generic sets whose call has a more special meaning: the last resort of `choose`."""
        if ctx.displaced is None:
            ctx.displaced = _offer(self.system_in_turn(ctx), ctx, displaced=True)
        return ctx.displaced.options

    def choose(self, ctx: Context, values: HandValues) -> OfferedCall | None:
        """The first option this hand satisfies; if none does, the first generic one that a more
        special meaning of its call had displaced."""
        for option in self.options(ctx):
            if holds(option.items, values):
                return option
        for option in self.displaced(ctx):
            if holds(option.items, values):
                return option
        return None

    def of_call(self, ctx: Context, call: int) -> list[OfferedCall]:
        """The options that explain a call, best first."""
        return self.offer(ctx).of_call(call)

    def shown_by(self, ctx: Context, call: int) -> Shown:
        """The ranges a call shows by itself, without what the player showed before."""
        found = self.of_call(ctx, call)
        return join([o.shown for o in found]) if found else natural_guess(ctx, call)[0]

    def default_calls(self, ctx: Context) -> list[int]:
        """Every legal call that no negative rule forbids."""
        forbidden = _forbidden(self.system_in_turn(ctx), ctx)
        return [c for c in range(38) if c not in forbidden and _legal(ctx, c)]

    def after(self, ctx: Context, call: int) -> Context:
        """The context after one more call, read through the system of the side that makes it."""
        offer = self.offer(ctx)
        if offer.of_call(call):
            new = ctx.after(call, *offer.tells(call))
        else:
            shown, suits = natural_guess(ctx, call)
            told = CallMeant(call, Forcing.NONE, (), "", _OUTSIDE)
            new = ctx.after(call, told, shown, suits, -1)
        return new


def last_resort(ctx: Context, values: HandValues) -> int:
    """A legal call when no rule speaks: pass, or if that is forbidden the cheapest sane bid."""
    if not ctx.must_bid:
        return 0
    hand = values.hand
    lengths = [hand.look("length", s) for s in range(4)]
    best = max(range(4), key=lambda s: (bool(ctx.our_suits >> s & 1), lengths[s]))
    level = ctx.level or 1
    call = 3 + 5 * (level - 1) + best
    while call <= ctx.last_bid:
        call += 5
    return call if call <= 37 else 0


def natural_guess(ctx: Context, call: int) -> tuple[Shown, int]:
    """What a call outside the system probably shows."""
    if call < 3:
        return NOTHING, 0
    strain, level = strain_of(call), level_of(call)
    if strain == 4 or ctx.our_suits >> strain & 1 or ctx.their_suits >> strain & 1:
        return NOTHING, 0
    low = [0, 0, 0, 0]
    low[strain] = 4 if level == 1 else 5
    return Shown(low=(low[0], low[1], low[2], low[3])), 1 << strain


def _offer(system: System, ctx: Context, *, displaced: bool = False) -> AuctionOffer:
    if ctx.is_over:
        return NO_OFFER
    found: list[_Match] = []
    for block, bound in system.index.get(ctx.key, ()):
        _collect(block, bound, ctx, found)
    quiet = ctx.quiet[ctx.me & 1]
    if quiet is not ctx.key:
        _as_if_undoubled(system.index.get(quiet, ()), ctx, found)
    for block in system.generic_for(ctx):
        _collect(block, _NO_BINDINGS, ctx, found)
    forbidden = _forbidden(system, ctx)
    top: dict[int, int] = {}
    for call, rule, _ in found:
        if rule.layer > top.get(call, -1):
            top[call] = rule.layer
    kept: list[OfferedCall] = []
    for call, rule, bindings in found:
        if (rule.layer == top[call]) == displaced:
            continue
        if call in forbidden and not _is_answer(call, rule, ctx):
            continue
        key = (call, *bindings.items())
        for shows in rule.sets:
            full = (key, ctx.shared(shows.needs)) if shows.needs else key
            option: OfferedCall | None = shows.options.get(full)
            if option is None:
                if len(shows.options) >= _MOST_OPTIONS:
                    shows.options.clear()
                option = shows.options[full] = OfferedCall(call, rule, shows, bindings, ctx)
            kept.append(option)
    # The options live as long as the offer that holds them, so their identities name it.
    name = tuple([id(o) for o in kept])
    offer: AuctionOffer | None = system.offers.get(name)
    if offer is None:
        if len(system.offers) >= _MOST_OFFERS:
            system.offers.clear()
        offer = system.offers[name] = offer_of(kept)
    return offer


def _as_if_undoubled(
    blocks: Iterable[tuple[Block, Mapping[str, int]]], ctx: Context, found: list[_Match]
) -> None:
    """What was agreed without their doubles of artificial bids holds, except for calls that have
    a meaning of their own over the double."""
    own = {call for call, _, _ in found}
    more: list[_Match] = []
    for block, bound in blocks:
        _collect(block, bound, ctx, more)
    found += [match for match in more if match[0] not in own]


def _is_answer(call: int, rule: Rule, ctx: Context) -> bool:
    """A pass over their double may be an answer; then it is not the pass of a forcing bid."""
    return call == 0 and rule.act is SpeechAct.ANSWERING and ctx.answer_due


def _collect(block: Block, bound: Mapping[str, int], ctx: Context, into: list[_Match]) -> None:
    """The rules of a block that match, with their calls and suits."""
    for condition in block.when:
        if not condition(ctx, bound):
            return
    for bindings in _each(block, 0, bound, ctx) if block.each else (bound,):
        for condition in block.late:
            if not condition(ctx, bindings):
                break
        else:
            _matches(block, bindings, ctx, into)


def _matches(block: Block, bindings: Mapping[str, int], ctx: Context, into: list[_Match]) -> None:
    last = ctx.last_bid
    for rule in block.rules:
        for free in _free(rule.free, tuple(bindings.items())) if rule.free else (bindings,):
            call = rule.term.call(free, last)
            if call is None or (call <= last if call >= 3 else not _legal(ctx, call)):
                continue
            for condition in rule.when:
                if not condition(ctx, free):
                    break
            else:
                into.append((call, rule, free))


def _each(
    block: Block, i: int, bound: Mapping[str, int], ctx: Context
) -> Iterator[Mapping[str, int]]:
    name, suits = block.each[i]
    last = i + 1 == len(block.each)
    for suit in suits(ctx, bound):
        if last:
            yield {**bound, name: suit}
        else:
            yield from _each(block, i + 1, {**bound, name: suit}, ctx)


@lru_cache(maxsize=16384)
def _free(
    variables: tuple[str, ...], bound: tuple[tuple[str, int], ...]
) -> tuple[Mapping[str, int], ...]:
    """Every way to bind the variables that neither the pattern nor a `for` has bound."""
    found: list[dict[str, int]] = [dict(bound)]
    for name in variables:
        found = [{**b, name: suit} for b in found for suit in choices(name, b)]
    return tuple(found)


def _legal(ctx: Context, call: int) -> bool:
    if call >= 3:
        return call > ctx.last_bid
    if call == 0:
        return True
    if not ctx.last_bid:
        return False
    return (ctx.doubled == 0 and not ctx.ours) if call == 1 else (ctx.doubled == 1 and ctx.ours)


def _forbidden(system: System, ctx: Context) -> set[int]:
    out: set[int] = set()
    for block, term in system.never:
        for bindings in _each(block, 0, _NO_BINDINGS, ctx) if block.each else (_NO_BINDINGS,):
            if all(c(ctx, bindings) for c in block.when) and all(
                c(ctx, bindings) for c in block.late
            ):
                call = term.call(bindings, ctx.last_bid)
                if call is not None:
                    out.add(call)
    return out


__all__ = ["AuctionOffer", "OfferedCall", "Reading", "last_resort", "natural_guess"]
