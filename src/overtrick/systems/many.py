"""Many hands through the rules at once: the call of each, who makes a given call.

A `Pool` is a fixed list of N hands and remembers what it has worked out about them, so keep it
while the hands stay the same:

    pool = Pool(hands)                                 # HandArray, uint64[N] or hands
    pool.calls(reading, ctx)                           # int8[N]: the call the rules make
    pool.makes(reading, ctx, call)                     # bool[N]: would they make this call?
    pool.follows(reading, calls, vul, seat=2)          # bool[N]: … all calls of this seat?

`ctx` is `reading.context(calls, vul, first)` (vulnerability with bit 0 for the dealer's side); the
answers are those of `reading.choose` and, where no rule fits, `last_resort`. Sets of hands are
integers with one bit per hand: testing one more constraint set is one `&`, at any N.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.game import Hand
from overtrick.systems.context import Context
from overtrick.systems.reading import OfferedCall, Reading, last_resort
from overtrick.systems.shows import BIG, HandValues, Items, feature_of
from overtrick.worlds.sets import as_mask, as_set, members

_MOST_KEPT: Final = 20_000  # constraint sets remembered by a pool


class Pool:
    """N hands and the sets of them that satisfy what was asked so far."""

    __slots__ = ("_atoms", "_values", "everyone", "hands", "kept")

    def __init__(self, hands: HandArray | NDArray[np.uint64] | Iterable[Hand | int]) -> None:
        if isinstance(hands, np.ndarray):
            hands = HandArray(hands)
        self.hands = hands if isinstance(hands, HandArray) else HandArray.of(hands)
        self.everyone = (1 << len(self.hands)) - 1
        self._atoms: dict[tuple[int, float, float], int] = {}
        # By identity: bound items are shared between auctions; the items are kept beside the
        # answer so that the identity stays theirs.
        self.kept: dict[int, tuple[Items, int]] = {}
        self._values: dict[int, HandValues] = {}

    def __len__(self) -> int:
        return len(self.hands)

    def satisfying(self, items: Items) -> int:
        """The set of hands that satisfy bound items."""
        found = self.kept.get(id(items))
        if found is not None:
            return found[1]
        out = self.everyone
        for item in items:
            kind = item[0]
            if kind == "or":
                part = 0
                for alternative in item[1]:
                    part |= self.satisfying(alternative)
            elif kind == "not":
                part = self.everyone & ~self.satisfying(item[1])
            else:
                known = self._atoms.get(item)
                part = self._atom(item) if known is None else known
            out &= part
            if not out:
                break
        if len(self.kept) > _MOST_KEPT:
            self.kept.clear()
        self.kept[id(items)] = items, out
        return out

    def _atom(self, item: tuple[int, float, float]) -> int:
        """The set of hands whose feature lies in a range."""
        number, low, high = item
        column = feature_of(number)(self.hands)
        if high >= BIG:
            mask = column >= low
        elif low <= -BIG:
            mask = column <= high
        else:
            mask = (column >= low) & (column <= high)
        out = self._atoms[item] = as_set(mask)
        return out

    def chosen(
        self, reading: Reading, ctx: Context, among: int | None = None
    ) -> Iterator[tuple[OfferedCall | None, int]]:
        """Each option that some hands choose, with the set of them; None where no rule fits."""
        left = self.everyone if among is None else among
        for displaced in (False, True):
            if not left:
                return
            for option in reading.displaced(ctx) if displaced else reading.options(ctx):
                hit = left & self.satisfying(option.items)
                if hit:
                    yield option, hit
                    left ^= hit
                    if not left:
                        return
        if left:
            yield None, left

    def by_call(self, reading: Reading, ctx: Context, among: int | None = None) -> dict[int, int]:
        """Which hands make which call: {call: set of hands}."""
        out: dict[int, int] = {}
        for option, hit in self.chosen(reading, ctx, among):
            if option is not None:
                out[option.call] = out.get(option.call, 0) | hit
                continue
            for i in members(hit):
                call = last_resort(ctx, self.values(i))
                out[call] = out.get(call, 0) | 1 << i
        return out

    def values(self, i: int) -> HandValues:
        """The features of one hand, for the rules that look at a single hand."""
        found = self._values.get(i)
        if found is None:
            found = self._values[i] = HandValues(int(self.hands.bits[i]))
        return found

    def calls(self, reading: Reading, ctx: Context) -> NDArray[np.int8]:
        """int8[N]: the call the rules make with each hand."""
        out = np.zeros(len(self), np.int8)
        for call, hit in self.by_call(reading, ctx).items():
            if call:
                out[as_mask(hit, len(self))] = call
        return out

    def makers(self, reading: Reading, ctx: Context, call: int, among: int | None = None) -> int:
        """The set of hands with which the rules make this call."""
        options = reading.options(ctx)
        last = max((i for i, o in enumerate(options) if o.call == call), default=-1)
        left = self.everyone if among is None else among
        out = 0
        for option in options[: last + 1]:
            hit = left & self.satisfying(option.items)
            if hit:
                left ^= hit
                if option.call == call:
                    out |= hit
                if not left:
                    return out
        for option in options[last + 1 :]:
            left &= ~self.satisfying(option.items)
            if not left:
                return out
        return out | self.by_call(reading, ctx, left).get(call, 0)

    def makes(self, reading: Reading, ctx: Context, call: int) -> NDArray[np.bool_]:
        """bool[N]: do the rules make this call with each hand?"""
        return as_mask(self.makers(reading, ctx, call), len(self))

    def followers(
        self, reading: Reading, calls: Sequence[int], vul: int, seat: int, first: int = 0
    ) -> int:
        """The set of hands with which the player `seat` places after the dealer makes all of
        their calls in this auction."""
        left = self.everyone
        auction = tuple(int(c) for c in calls)
        for i in range(seat, len(auction), 4):
            ctx = reading.context(auction[:i], vul, first)
            left = self.makers(reading, ctx, auction[i], left)
            if not left:
                break
        return left

    def follows(
        self, reading: Reading, calls: Sequence[int], vul: int, seat: int, first: int = 0
    ) -> NDArray[np.bool_]:
        """bool[N]: the same as a mask."""
        return as_mask(self.followers(reading, calls, vul, seat, first), len(self))
