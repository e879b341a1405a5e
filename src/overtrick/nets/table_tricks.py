"""What declarers take at the table, beside double dummy: a small network about one contract in one
deal, learned from boards that our own players played (training/table_tricks.py).

It sees the contract, all four hands and the double-dummy tricks, and says how likely declarer is to
take 4 fewer … 4 more: leads and cards are chosen without sight of the other hands, so tricks come
and go. The functions that make its inputs run on numpy and on JAX arrays alike (`xp`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.nets.features import hand_bits
from overtrick.nets.inference import NetworkError, softmax

Floats = NDArray[np.float64]
Layers = tuple[tuple[Any, Any], ...]
INPUTS: Final = 1
"""The version of the inputs; files of another are refused."""
MOST: Final = 4  # tricks more or fewer, at most
SHIFTS: Final = np.arange(-MOST, MOST + 1)
_NEAR: Final = 5  # over- and undertricks that are told apart
_NOTRUMP: Final = 4
_HARDLY: Final = 1e-4  # double-dummy results less likely than this are left out
_NEVER: Final = -1e9


class Contracted(NamedTuple):
    """Contracts, one a row: bid 0..34, declarer, doubling 0..2."""

    bids: Any
    declarers: Any
    doubled: Any


def facts(held: Any, contracts: Contracted, xp: Any = np) -> Any:
    """What deals [n, seat, 52 bits in observation order] say of a contract in each, [n, FACTS]."""
    count = held.shape[0]
    rows = xp.arange(count)
    ranks = held.reshape(count, 4, 13, 4).astype(xp.float32)
    lengths = ranks.sum(axis=2)  # seat, suit
    honours = ranks[:, :, 9:13]  # seat, J Q K A, suit
    points = (honours.sum(axis=3) * xp.asarray([1, 2, 3, 4])).sum(axis=2)
    level, strain = contracts.bids // 5, contracts.bids % 5
    declarer = contracts.declarers
    left, dummy, right = ((declarer + turn) % 4 for turn in (1, 2, 3))
    trumps = (strain[:, None] == xp.arange(4)).astype(xp.float32)  # none in notrump
    own, table = lengths[rows, declarer], lengths[rows, dummy]
    ours = own + table
    tops = honours[rows, declarer] + honours[rows, dummy]  # J Q K A, suit
    jack, queen, king, ace = (tops[:, rank] for rank in range(4))
    in_hand, on_table = points[rows, declarer], points[rows, dummy]
    others = 1 - trumps
    numbers = [
        (in_hand + on_table - 22) / 6,
        (in_hand - on_table) / 8,
        xp.abs(points[rows, left] - points[rows, right]) / 8,
        (points[rows, left] - points[rows, right]) / 8,
        ((ours * trumps).sum(axis=1) - 8) / 2,
        xp.maximum((own * trumps).sum(axis=1), (table * trumps).sum(axis=1)) / 5,
        xp.maximum(
            (lengths[rows, left] * trumps).sum(axis=1), (lengths[rows, right] * trumps).sum(axis=1)
        )
        / 3,
        (ours * others).max(axis=1) / 8,
        xp.where(trumps > 0, 9, own).min(axis=1) / 2,
        xp.where(trumps > 0, 9, table).min(axis=1) / 2,
        xp.where(trumps > 0, 14, ours).min(axis=1) / 5,
        (ace * king * jack * (1 - queen) * (ours >= 7)).sum(axis=1),  # which way to finesse?
        (king * jack * (1 - ace) * (1 - queen)).sum(axis=1),  # king or jack?
        *((top * trumps).sum(axis=1) for top in (jack, queen, king, ace)),
        *((top * others).sum(axis=1) / 2 for top in (jack, queen, king, ace)),
    ]
    flags = [
        strain == _NOTRUMP,
        (strain == 2) | (strain == 3),
        contracts.doubled > 0,
        contracts.doubled > 1,
        *(level == number for number in range(7)),
    ]
    return xp.stack([column.astype(xp.float32) for column in (*numbers, *flags)], axis=1)


def beside(bids: Any, tricks: Any, xp: Any = np) -> Any:
    """Double-dummy tricks beside what the contract needs, [n, RESULTS]."""
    over = tricks - (bids // 5 + 7)
    near = xp.clip(over, -_NEAR, _NEAR)[:, None] == xp.arange(-_NEAR, _NEAR + 1)
    numbers = xp.stack([over / 3, (tricks - 9) / 3], axis=1)
    return xp.concatenate([near.astype(xp.float32), numbers.astype(xp.float32)], axis=1)


FACTS: Final = 32
RESULTS: Final = 2 * _NEAR + 3
WIDTH: Final = FACTS + RESULTS


def scores(layers: Layers, inputs: Any, tricks: Any, xp: Any = np) -> Any:
    """log P of every shift up to a constant, [n, 9]; there are no fewer than 0 tricks and no more
    than 13."""
    hidden = inputs
    for weight, bias in layers[:-1]:
        hidden = xp.maximum(hidden @ weight + bias, 0)
    said = hidden @ layers[-1][0] + layers[-1][1]
    taken = tricks[:, None] + xp.asarray(SHIFTS)
    return xp.where((taken >= 0) & (taken <= 13), said, _NEVER)


@dataclass(frozen=True, slots=True, eq=False)
class TableTricks:
    """The network; `at_table` is what estimates of tricks ask."""

    layers: Layers

    def shifts(self, known: NDArray[np.float32], bids: Any, tricks: Any) -> Floats:
        """P(4 fewer … 4 more) of contracts with these facts and double-dummy tricks, [n, 9]."""
        inputs = np.concatenate([known, beside(bids, tricks)], axis=1)
        return softmax(scores(self.layers, inputs, tricks)).astype(float)

    def at_table(self, chances: Floats, hands: NDArray[np.uint64], found: Contracted) -> Floats:
        """Chances of double-dummy tricks [n, 14] as chances at the table; one deal [n, seat] and
        one contract a row."""
        known = facts(seat_bits(hands), found)
        rows, tricks = np.nonzero(chances > _HARDLY)
        moves = self.shifts(known[rows], found.bids[rows], tricks)
        moves *= chances[rows, tricks][:, None]
        out = np.zeros_like(chances)
        for column, shift in enumerate(SHIFTS):
            taken = tricks + shift
            here = (taken >= 0) & (taken <= 13)
            out[rows[here], taken[here]] += moves[here, column]
        return np.asarray(out / np.maximum(out.sum(axis=1, keepdims=True), _HARDLY))


def seat_bits(hands: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Deals [n, seat] as [n, seat, 52] bits in observation order."""
    return np.stack([hand_bits(hands[:, seat]) for seat in range(4)], axis=1)


@lru_cache(maxsize=8)
def table_tricks(path: str = "") -> TableTricks:
    """The network that comes with the package, or one that the recipe wrote."""
    where = path or str(files("overtrick.nets") / "models" / "table_tricks.npz")
    try:
        stored = arrays(where)
        version = int(stored["inputs"])
        count = sum(name.startswith("w") for name in stored)
        if version == INPUTS:
            return TableTricks(
                tuple(
                    (stored[f"w{i}"].astype(np.float32), stored[f"b{i}"].astype(np.float32))
                    for i in range(count)
                )
            )
    except UNREADABLE as error:
        raise NetworkError(f"no network of table tricks in {where}: {error}") from None
    raise NetworkError(f"{where} is of another version of the inputs: {version}, not {INPUTS}")
