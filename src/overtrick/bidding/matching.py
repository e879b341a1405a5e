"""The rules of one auction position compiled to arrays, so that many hands are matched at once.
Used by bidding.models; a matcher gives the same answer as walking the sorted options by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray
from overtrick.systems.reading import Option
from overtrick.systems.shows import Item, Items, feature_of

Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]
Atom = tuple[int, float, float]
_MOST_WAYS: Final = 48  # ways to satisfy a constraint set; beyond, it is tested item by item
_ALWAYS: Final[Atom] = (-1, 0.0, 0.0)  # column -1 is a column of zeros
_STEP: Final = 0.25  # less than the step of any feature that rules use
_CHUNK: Final = 1024  # hands matched against everything at once


class HandTable:
    """Feature columns of many hands by feature number, each computed once."""

    __slots__ = ("_known", "_values", "hands")

    def __init__(self, hands: HandArray | NDArray[np.uint64]) -> None:
        self.hands = hands if isinstance(hands, HandArray) else HandArray(hands)
        self._values = np.zeros((64, len(self.hands)), np.float32)
        self._known = np.zeros(64, bool)
        self._known[-1] = True  # column -1 stays zero

    def __len__(self) -> int:
        return len(self.hands)

    def need(self, numbers: NDArray[np.intp]) -> None:
        """Make sure that these columns are there."""
        top = int(numbers.max(initial=0)) + 2
        if top > len(self._known):
            self._grow(2 * top)
        for number in numbers[~self._known[numbers]].tolist():
            self._values[number] = feature_of(number)(self.hands)
            self._known[number] = True

    def _grow(self, size: int) -> None:
        values = np.zeros((size, len(self.hands)), np.float32)
        known = np.zeros(size, bool)
        old = len(self._known) - 1
        values[:old], known[:old] = self._values[:old], self._known[:old]
        known[-1] = True
        self._values, self._known = values, known

    def column(self, number: int) -> NDArray[np.float32]:
        self.need(np.array([number]))
        found: NDArray[np.float32] = self._values[number]
        return found

    def block(self, numbers: NDArray[np.intp], rows: Rows | None) -> NDArray[np.float32]:
        """[numbers, rows]"""
        self.need(numbers)
        found: NDArray[np.float32] = (
            self._values[numbers] if rows is None else self._values[numbers[:, None], rows]
        )
        return found


class Matcher:
    """The options of a position, best first, as intervals over feature columns."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.options = list(options)
        self.calls = np.array([o.call for o in self.options], np.int64)
        self.priorities = np.array([o.priority for o in self.options], np.int64)
        self._parts: dict[int, _Part] = {}
        self._whole: _Part | None = None
        self.anything = next((i for i, o in enumerate(self.options) if not o.items), None)

    def fits(self, table: HandTable, rows: Rows | None = None) -> Mask:
        """[options, rows]: which hands satisfy which constraint set."""
        if self._whole is None:
            self._whole = _Part([o.items for o in self.options])
        return self._whole.fits(table, rows)

    def first(self, table: HandTable, rows: Rows | None = None) -> NDArray[np.int64]:
        """The number of the first option each hand satisfies, -1 for none."""
        fits = self.fits(table, rows)
        if not len(fits):
            return np.full(len(table) if rows is None else len(rows), -1)
        found = fits.argmax(axis=0)
        return np.where(fits[found, np.arange(fits.shape[1])], found, -1)

    def made(self, call: int, near: int, hands: HandArray) -> Mask:
        """Which hands might make this call: one of its sets fits, and no set of another call
        fits whose priority is more than `near` higher; hands that nothing fits may do anything."""
        table, out = HandTable(hands), np.zeros(len(hands), bool)
        best = self._priority_of(call, table)
        rows = np.flatnonzero(best > _NONE)
        for start in range(0, len(rows), _CHUNK):
            part = rows[start : start + _CHUNK]
            out[part] = ~self._overruled(call, near, table, part, best[part])
        if self.anything is None:
            rest = np.flatnonzero(best <= _NONE)
            for start in range(0, len(rest), _CHUNK):
                part = rest[start : start + _CHUNK]
                out[part] = ~self.fits(table, part).any(axis=0)
        return out

    def _priority_of(self, call: int, table: HandTable) -> NDArray[np.int64]:
        best = np.full(len(table), _NONE)
        for i in np.flatnonzero(self.calls == call).tolist():  # best first
            open_ = np.flatnonzero(best == _NONE)
            if len(open_):
                fit = self._part(i, i + 1).fits(table, open_)[0]
                best[open_[fit]] = self.priorities[i]
        return best

    def _overruled(
        self, call: int, near: int, table: HandTable, rows: Rows, best: NDArray[np.int64]
    ) -> Mask:
        above = int(np.searchsorted(-self.priorities, -(int(best.min()) + near)))
        if not above:
            return np.zeros(len(rows), bool)
        fits = self._part(0, above).fits(table, rows)
        higher = self.priorities[:above, None] > best + near
        others = (self.calls[:above] != call)[:, None]
        found: Mask = (fits & higher & others).any(axis=0)
        return found

    def _part(self, start: int, stop: int) -> _Part:
        key = start * 10_000 + stop
        if key not in self._parts:
            self._parts[key] = _Part([o.items for o in self.options[start:stop]])
        return self._parts[key]


_NONE: Final = -(10**9)


class _Part:
    """Some constraint sets as ways (conjunctions of intervals), or item by item when too many."""

    def __init__(self, sets: Sequence[Items]) -> None:
        self._count = len(sets)
        atoms: list[Atom] = []
        way_starts: list[int] = []
        owner: list[int] = []
        self._slow: list[tuple[int, Items]] = []
        for number, items in enumerate(sets):
            ways = _ways(items)
            if ways is None:
                self._slow.append((number, items))
                continue
            for way in ways:
                way_starts.append(len(atoms))
                owner.append(number)
                atoms += way or [_ALWAYS]
        names = sorted({a[0] for a in atoms})
        place = {name: i for i, name in enumerate(names)}
        self._numbers = np.array(names, np.intp)
        self._column = np.array([place[a[0]] for a in atoms], np.intp)
        self._low = np.array([a[1] for a in atoms], np.float32)[:, None]
        self._high = np.array([a[2] for a in atoms], np.float32)[:, None]
        self._ways = np.array(way_starts, np.intp)
        owners = np.array(owner, np.intp)
        self._owners, self._sets = np.unique(owners, return_index=True)
        self._single = len(self._owners) == len(owners)

    def fits(self, table: HandTable, rows: Rows | None) -> Mask:
        count = len(table) if rows is None else len(rows)
        out = np.zeros((self._count, count), bool)
        if len(self._ways):
            values = table.block(self._numbers, rows)[self._column]
            good = (values >= self._low) & (values <= self._high)
            found = np.logical_and.reduceat(good, self._ways, axis=0)
            if not self._single:
                found = np.logical_or.reduceat(found, self._sets, axis=0)
            out[self._owners] = found
        for number, items in self._slow:
            out[number] = _mask(items, table, rows)
        return out


def _ways(items: Items) -> list[list[Atom]] | None:
    """Bound items in disjunctive normal form; None when there are too many ways."""
    out: list[list[Atom]] = [[]]
    for item in items:
        parts = _item_ways(item)
        if parts is None or len(out) * len(parts) > _MOST_WAYS:
            return None
        out = [a + b for a in out for b in parts]
    return out


def _item_ways(item: Item) -> list[list[Atom]] | None:
    if item[0] == "or":
        found: list[list[Atom]] = []
        for part in item[1]:
            ways = _ways(part)
            if ways is None:
                return None
            found += ways
        return found
    if item[0] == "not":
        inner = _ways(item[1])
        if inner is None:
            return None
        out: list[list[Atom]] = [[]]
        for way in inner:  # none of the ways holds: in each of them some atom fails
            fails = [a for atom in way for a in _fails(atom)]
            out = [[*one, a] for one in out for a in fails]
            if len(out) > _MOST_WAYS:
                return None
        return out
    return [[(item[0], item[1], item[2])]]


def _fails(atom: Atom) -> list[Atom]:
    number, low, high = atom
    return [(number, -1e9, low - _STEP), (number, high + _STEP, 1e9)]


def _mask(items: Items, table: HandTable, rows: Rows | None) -> Mask:
    """The plain way: item by item."""
    out = np.ones(len(table) if rows is None else len(rows), bool)
    for item in items:
        if item[0] == "or":
            some = np.zeros_like(out)
            for part in item[1]:
                some |= _mask(part, table, rows)
            out &= some
        elif item[0] == "not":
            out &= ~_mask(item[1], table, rows)
        else:
            column = table.column(item[0])
            values = column if rows is None else column[rows]
            out &= (values >= item[1]) & (values <= item[2])
    return out
