"""Many worlds bid on together by the rules of a system: which world reaches which contract.
Used by pragma and pidm; sets of worlds are integers (systems.many), so a node of the tree costs
little more than reading its auction, however many worlds pass through it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.systems import Reading
from overtrick.systems.context import Context
from overtrick.systems.many import Pool, as_mask

Ints = NDArray[np.int64]
WorldSet = int
"""A set of worlds: bit i is world i."""
_LONGEST: Final = 60  # calls of an auction, far beyond any real one


class Worlds:
    """Deals [n, seat] and, seat by seat, what the rules say about them."""

    __slots__ = ("dealer", "every", "hands", "pools")

    def __init__(self, hands: NDArray[np.uint64], dealer: int) -> None:
        self.hands = hands
        self.dealer = int(dealer)
        self.every: WorldSet = (1 << len(hands)) - 1
        self.pools = [Pool(np.ascontiguousarray(hands[:, seat])) for seat in range(4)]

    def __len__(self) -> int:
        return len(self.hands)

    def seat(self, ctx: Context) -> int:
        """Whose turn it is, as a seat of the table (contexts count from the dealer)."""
        return (self.dealer + ctx.me) & 3

    def pool(self, ctx: Context) -> Pool:
        """The hands of the seat in turn."""
        return self.pools[(self.dealer + ctx.me) & 3]

    def rows(self, worlds: WorldSet) -> NDArray[np.intp]:
        """The numbers of the worlds in a set."""
        return np.flatnonzero(as_mask(worlds, len(self)))


def calls_of(reading: Reading, ctx: Context, worlds: Worlds, here: WorldSet) -> dict[int, WorldSet]:
    """What the rules call in each of the worlds `here`: disjoint sets of worlds by call."""
    return worlds.pool(ctx).by_call(reading, ctx, here)


def possible_calls(
    reading: Reading, ctx: Context, worlds: Worlds, here: WorldSet, most: int = 3
) -> dict[int, WorldSet]:
    """The system without its priorities: for each call, the worlds in which it is one of the
    first `most` calls the hand may choose. The sets overlap."""
    pool = worlds.pool(ctx)
    out: dict[int, WorldSet] = {}
    chosen = [here, *[0] * most]  # chosen[k]: worlds that have k calls so far
    for option in reading.options(ctx):
        found = pool.satisfying(option.items) & here & ~chosen[most] & ~out.get(option.call, 0)
        if not found:
            continue
        out[option.call] = out.get(option.call, 0) | found
        for k in range(most, 0, -1):
            moved = chosen[k - 1] & found
            chosen[k] |= moved
            chosen[k - 1] &= ~moved
        if chosen[most] == here:
            break
    if chosen[0]:
        for call, found in calls_of(reading, ctx, worlds, chosen[0]).items():
            out[call] = out.get(call, 0) | found
    return out


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished auction and the worlds that reach it; bid -1 is passed out."""

    calls: tuple[int, ...]
    bid: int
    declarer: int
    doubled: int
    worlds: WorldSet

    @property
    def contract(self) -> tuple[int, int, int]:
        return self.bid, self.declarer, self.doubled


def ending_of(ctx: Context, dealer: int, worlds: WorldSet) -> Ending:
    """The contract of a finished auction."""
    if not ctx.last_bid:
        return Ending(ctx.calls, -1, 0, 0, worlds)
    side, strain = ctx.last_bidder & 1, (ctx.last_bid - 3) % 5
    first = next(
        i for i, c in enumerate(ctx.calls) if i & 1 == side and c >= 3 and (c - 3) % 5 == strain
    )
    return Ending(ctx.calls, ctx.last_bid - 3, (dealer + first) & 3, ctx.doubled, worlds)


def first_of(ctx: Context) -> int:
    """Whose system the dealer's side plays (0 ours, 1 theirs), as the reading noted it."""
    return int(ctx.memo.get("first", 0))  # type: ignore[call-overload, no-any-return]


def next_context(reading: Reading, ctx: Context, call: int) -> Context:
    """The context after a call, kept by the reading."""
    return reading.context((*ctx.calls, call), ctx.vul, first_of(ctx))


def endings(
    reading: Reading, ctx: Context, worlds: Worlds, here: WorldSet | None = None
) -> Iterator[Ending]:
    """Every auction in which the worlds end when all four seats follow the rules from here."""
    stack = [(ctx, worlds.every if here is None else here)]
    while stack:
        now, those = stack.pop()
        if now.is_over or len(now.calls) >= _LONGEST:
            yield ending_of(now, worlds.dealer, those)
            continue
        for call, part in calls_of(reading, now, worlds, those).items():
            stack.append((next_context(reading, now, call), part))


def contracts_after(
    reading: Reading, ctx: Context, worlds: Worlds, candidates: Sequence[int]
) -> tuple[Ints, Ints, Ints]:
    """The contract each world reaches after each candidate call of the seat in turn.

    Bid (-1: passed out), declarer and doubling, each [worlds, candidates].
    """
    out = tuple(np.zeros((len(worlds), len(candidates)), np.int64) for _ in range(3))
    for way, call in enumerate(candidates):
        for ending in endings(reading, next_context(reading, ctx, call), worlds):
            rows = worlds.rows(ending.worlds)
            for array, value in zip(out, ending.contract, strict=True):
                array[rows, way] = value
    return out[0], out[1], out[2]


def oddities(reading: Reading, ctx: Context, worlds: Worlds, seats: Sequence[int]) -> Ints:
    """Per world, how many of the calls these seats have made the rules would not have made."""
    odd = np.zeros(len(worlds), np.int64)
    for i, call in enumerate(ctx.calls):
        seat = (worlds.dealer + i) & 3
        if seat in seats:
            before = reading.context(ctx.calls[:i], ctx.vul, first_of(ctx))
            made = worlds.pools[seat].makers(reading, before, call)
            odd[worlds.rows(worlds.every & ~made)] += 1
    return odd
