"""What calls show as sets of (shape, hcp) classes: tight ranges, with what was denied taken away.

A set is an integer with one bit for each of the 560 × 38 classes, so that one more statement about
a hand costs one `&`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import feature
from overtrick.evaluation.holdings import table
from overtrick.game.cards import ALL_CARDS
from overtrick.systems.context import Context, Shown
from overtrick.systems.reading import AuctionOffer, OfferedCall, Reading
from overtrick.systems.shows import Items, feature_of
from overtrick.worlds.constraints import between
from overtrick.worlds.counting import HandCounter, SuitTable, suit_table
from overtrick.worlds.regions import POINTS, feasible, region
from overtrick.worlds.shapes import COUNT, lengths_array

_BYTES: Final = (COUNT * POINTS + 7) // 8
_TAIL: Final = 0.0005  # of the hands, on either side, that ranges may leave out
_MANY: Final = 19  # an upper end of so many points or more …
_ENDLESS: Final = 30  # … is only that of the pack, where hands with so many are shown too
Sets = tuple[int, int]  # classes some hand of which satisfies the items, and all hands of which do


def packed(classes: NDArray[np.bool_]) -> int:
    """A table [shape, hcp] as a set."""
    return int.from_bytes(np.packbits(classes.ravel(), bitorder="little").tobytes(), "little")


@cache
def everything() -> int:
    """All classes that contain a hand."""
    return packed(feasible())


@cache
def _atom(number: int, low: float, high: float) -> Sets:
    found = region(between(feature_of(number).name, low, high))
    return packed(found.outer), packed(found.inner & feasible())


@cache
def _outer(name: str, low: float, high: float) -> int:
    found = feature(name)
    bottom, top = max(low, found.low), min(high, found.high)
    return packed(region(between(name, bottom, top)).outer)


def touches(ranges: Mapping[str, tuple[float, float]], classes: int) -> bool:
    """May some hand of these classes have every named feature in its range?"""
    for name, (low, high) in ranges.items():
        classes &= _outer(name, low, high)
        if not classes:
            return False
    return True


@lru_cache(maxsize=8192)
def classes_of(items: Items) -> Sets:
    """Outer and inner classes of bound items."""
    outer = inner = everything()
    for item in items:
        if item[0] == "or":
            ways = [classes_of(part) for part in item[1]]
            some = every = 0
            for a, b in ways:
                some |= a
                every |= b
        elif item[0] == "not":
            a, b = classes_of(item[1])
            some, every = everything() & ~b, everything() & ~a
        else:
            some, every = _atom(item[0], item[1], item[2])
        outer &= some
        inner &= every
    return outer, inner


def of_call(reading: Reading, ctx: Context, call: int) -> int:
    """The classes a call may come from: each set that explains it, minus the classes all of whose
    hands a set of strictly higher priority bids otherwise. All, for a call outside the system."""
    offer = reading.offer(ctx)
    kept = offer.classes.get(call)
    if kept is None:
        kept = 0
        for _, classes in _sets_of(offer, call):
            kept |= classes
        offer.classes[call] = kept = kept or everything()
    return kept


def _sets_of(offer: AuctionOffer, call: int) -> list[tuple[OfferedCall, int]]:
    """The sets of a call, each without the classes that better sets take."""
    kept = offer.sets.get(call)
    if kept is None:
        kept = offer.sets[call] = _remaining(offer.options, call)
    return kept


def _remaining(options: list[OfferedCall], call: int) -> list[tuple[OfferedCall, int]]:
    out = []
    last = max((i for i, o in enumerate(options) if o.call == call), default=-1)
    taken = waiting = 0
    priority = None
    for option in options[: last + 1]:
        if option.is_longest:
            continue
        if option.shows.priority != priority:
            taken |= waiting
            waiting, priority = 0, option.shows.priority
        outer, inner = classes_of(option.items)
        if option.call == call:
            out.append((option, outer & ~taken))
        else:
            waiting |= inner
    return out


def living(reading: Reading, ctx: Context, call: int) -> list[OfferedCall]:
    """The sets that may really stand behind a call: some class is left to them, after what better
    sets take and what the player has shown before."""
    return [option for option, _ in parts_of(reading, ctx, call)]


def parts_of(reading: Reading, ctx: Context, call: int) -> list[tuple[OfferedCall, int]]:
    """The living sets of a call, best first, each with the classes that are its own."""
    before = so_far(reading, ctx)
    found = _sets_of(reading.offer(ctx), call)
    return [(o, classes & before) for o, classes in found if classes & before] or found


def is_possible(reading: Reading, ctx: Context, call: int) -> bool:
    """Is there a class of hands left that makes this call, after what the player has shown?"""
    before = so_far(reading, ctx)
    return any(classes & before for _, classes in _sets_of(reading.offer(ctx), call))


def after_call(reading: Reading, ctx: Context, call: int) -> int:
    """What the player in turn will have shown with this call and all before it; where they
    contradict each other, the later calls are believed."""
    kept = ctx.classes_after.get(call)
    if kept is None:
        found = of_call(reading, ctx, call)
        kept = (found & so_far(reading, ctx)) or found
        ctx.classes_after[call] = kept
    return kept


def shown_after(reading: Reading, ctx: Context, call: int) -> Shown:
    """The ranges of the player in turn after this call."""
    kept = ctx.ranges_after.get(call)
    if kept is None:
        kept = ctx.ranges_after[call] = ranges(after_call(reading, ctx, call))
    return kept


def so_far(reading: Reading, ctx: Context, back: int = 4) -> int:
    """What the player whose last call is `back` calls ago has shown until now (4: in turn)."""
    if len(ctx.calls) < back:
        return everything()
    earlier = reading.context(ctx.calls[:-back], ctx.vul, reading.first(ctx))
    return after_call(reading, earlier, ctx.calls[-back])


@cache
def weights() -> NDArray[np.float32]:
    """How many of all hands lie in each class, as shares: [560, 38]."""
    suit = np.zeros((14, 11))
    np.add.at(suit, (table("length"), table("hcp")), 1)
    pair = np.zeros((14, 14, 21))
    for points in range(11):
        pair[:, :, points : points + 11] += suit[:, None, points, None] * suit[None, :, :]
    c, d, h, s = lengths_array().astype(np.intp).T
    out = np.zeros((COUNT, POINTS + 4))
    for points in range(21):
        out[:, points : points + 21] += pair[c, d, points, None] * pair[h, s]
    shares: NDArray[np.float32] = (out[:, :POINTS] / out.sum()).astype(np.float32)
    return shares


@cache
def _lengths() -> NDArray[np.float32]:
    """[4 × 38, 560]: 1 where a shape has so many cards of a suit."""
    out = np.zeros((4, POINTS, COUNT), np.float32)
    for suit in range(4):
        out[suit, lengths_array()[:, suit], np.arange(COUNT)] = 1
    return out.reshape(4 * POINTS, COUNT)


@lru_cache(maxsize=4096)
def ranges(classes: int) -> Shown:
    """The ranges of a set of classes as rules ask for them."""
    hcp, *lengths = spans(classes)
    return shown_of(hcp, lengths)


def share(classes: int) -> float:
    """How many of all hands these classes hold."""
    return float((as_table(classes) * weights()).sum())


def told_ranges(classes: int) -> Shown:
    """The ranges of a set of classes as people are told them: strength has an upper end only where
    the call has one, and not where it is that of the pack."""
    hcp, *lengths = spans(classes)
    endless = hcp[1] >= _MANY and as_table(classes)[:, _ENDLESS:].any()
    return told_of((hcp[0], POINTS - 1) if endless else hcp, lengths)


def told_of(hcp: tuple[int, int], lengths: Sequence[tuple[int, int]]) -> Shown:
    """Ranges as people are told them: what follows from the shape of the hand is said; that a suit
    which may be short is not very long either says nothing."""
    return shown_of(hcp, [(a, 13 if a == 0 and b >= 5 else b) for a, b in lengths], spare=1)


@lru_cache(maxsize=4096)
def spans(classes: int) -> tuple[tuple[int, int], ...]:
    """High-card points and the four lengths, without tails that hardly any hand is in."""
    mass = as_table(classes) * weights()
    parts = np.empty((5, POINTS), np.float32)
    parts[0] = mass.sum(axis=0)
    parts[1:] = (_lengths() @ mass.sum(axis=1)).reshape(4, POINTS)
    below = np.cumsum(parts, axis=1)
    total = below[:, -1:]
    low = (below > _TAIL * total).argmax(axis=1).tolist()
    high = (below >= (1 - _TAIL) * total).argmax(axis=1).tolist()
    return tuple((a, max(a, b)) for a, b in zip(low, high, strict=True))


def shown_of(hcp: tuple[int, int], lengths: Sequence[tuple[int, int]], spare: int = 0) -> Shown:
    """Ranges as people give them: no upper limit where it says nothing, as six cards of a suit that
    may be short, or what is left beside a long suit (up to `spare` cards more)."""
    low = tuple(a for a, _ in lengths)
    promised = sum(low)
    high = tuple(
        13 if b >= 8 or (a <= 2 and b >= min(6, 12 + spare - promised + a)) else b
        for a, b in lengths
    )
    return Shown(hcp=hcp, low=low, high=high)  # type: ignore[arg-type]


def as_table(classes: int) -> NDArray[np.bool_]:
    """The set as [shape, hcp]."""
    raw = np.frombuffer(classes.to_bytes(_BYTES, "little"), np.uint8)
    bits = np.unpackbits(raw, count=COUNT * POINTS, bitorder="little")
    return bits.view(np.bool_).reshape(COUNT, POINTS)


def draw(classes: int, count: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Random hands of these classes, each hand as likely as any other."""
    counter = HandCounter.of(_suits(), as_table(classes))
    if not counter.total:
        return np.zeros(0, np.uint64)
    return counter.hands(rng.integers(counter.total, size=count))


@cache
def _suits() -> tuple[SuitTable, SuitTable, SuitTable, SuitTable]:
    a, b, c, d = (suit_table(s, ALL_CARDS, 0) for s in range(4))
    return a, b, c, d
