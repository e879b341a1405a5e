"""Double-dummy tables: the tricks of every declarer in every strain, for one deal or for many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from overtrick.doubledummy.dds import MAX_TABLES, HandBits, TrickCounts, best_scores, encode, solver
from overtrick.game import BridgeError, Deal, PartialDeal, Seat, Strain
from overtrick.game.board import deal_of
from overtrick.game.errors import WrongType, expect
from overtrick.game.seats import SeatLetter

if TYPE_CHECKING:
    from overtrick.doubledummy.cache import TableCache

Rows = tuple[tuple[int, int, int, int], ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Table:
    """`tricks[strain][declarer]`, strains C, D, H, S, NT and seats N, E, S, W.

    >>> table = Table.of(np.arange(20).reshape(5, 4) % 14)
    >>> table[Strain.NT, Seat.WEST], table["NT", "W"], table.tricks[0]
    (5, 5, (0, 1, 2, 3))
    """

    tricks: Rows

    def __post_init__(self) -> None:
        rows = self.tricks
        expect(rows, (tuple, list), "a table", "five rows of four numbers of tricks")
        if len(rows) != 5 or any(len(r) != 4 or not all(0 <= t <= 13 for t in r) for r in rows):
            raise BridgeError("a table has five strains by four declarers, 0 to 13 tricks each")

    @classmethod
    def of(cls, array: Any) -> Table:
        """From any 5 by 4 array."""
        return cls.from_bytes(bytes(int(t) for row in array for t in row))

    @classmethod
    def from_bytes(cls, data: bytes) -> Table:
        """From twenty bytes, as `bytes(table)` makes them."""
        return cls(tuple(tuple(data[4 * i : 4 * i + 4]) for i in range(len(data) // 4)))  # type: ignore[misc]

    def __bytes__(self) -> bytes:
        return bytes(t for row in self.tricks for t in row)

    def __getitem__(self, key: tuple[int | str, int | str]) -> int:
        """Tricks by strain and declarer: `table["NT", "N"]`."""
        strain, declarer = key
        if isinstance(strain, str):
            strain = Strain.parse(strain)
        if isinstance(declarer, str):
            declarer = Seat.parse(declarer)
        return self.tricks[strain][declarer]

    @property
    def array(self) -> NDArray[np.int8]:
        """As numpy (5, 4), read-only."""
        return np.frombuffer(bytes(self), dtype=np.int8).reshape(5, 4)

    def to_dict(self) -> dict[str, dict[SeatLetter, int]]:
        """By strain and declarer letter, for JSON."""
        return {
            strain.letter: {seat.letter: self.tricks[strain][seat] for seat in Seat}
            for strain in reversed(Strain)
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Mapping[str, int]]) -> Table:
        """What `to_dict` made.

        >>> table = Table.of(np.arange(20).reshape(5, 4) % 14)
        >>> Table.from_dict(table.to_dict()) == table
        True
        """
        try:
            return cls.of([[told[s.letter][seat.letter] for seat in Seat] for s in Strain])
        except (KeyError, TypeError, ValueError):
            raise WrongType("a table", "tricks by strain and declarer letter", told) from None

    def __str__(self) -> str:
        """As printed in hand records: a row for each declarer, notrump first."""
        order = list(reversed(Strain))
        lines = ["      " + " ".join(f"{s.symbol:>2}" for s in order)]
        lines += [
            f"{seat!s:<6}" + " ".join(f"{self.tricks[s][seat]:>2}" for s in order) for seat in Seat
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        order = list(reversed(Strain))
        cell = "padding:2px 9px;text-align:right"
        head = "".join(f"<th style='{cell}'>{s.symbol}</th>" for s in order)
        head = f"<th></th>{head}"
        rows = "".join(
            f"<tr><th style='{cell}'>{seat}</th>"
            + "".join(f"<td style='{cell}'>{self.tricks[s][seat]}</td>" for s in order)
            + "</tr>"
            for seat in Seat
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def bits_of(deals: Iterable[PartialDeal | str]) -> HandBits:
    """Hands of many deals, or of text that PBN writes, as one array (n, 4).

    >>> bits_of(["N:A..2. K..3. 3..A. 2..K."]).shape
    (1, 4)
    """
    read = [PartialDeal.parse(d) if isinstance(d, str) else d for d in _several(deals)]
    rows = [[h.bits for h in deal.hands] for deal in read]
    return np.array(rows, dtype=np.uint64).reshape(-1, 4)


def table(deal: Deal | str, cache: TableCache | None = None) -> Table:
    """The double-dummy table of one deal.

    >>> solved = table("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96")
    >>> solved["NT", "N"]
    10
    """
    deal = deal_of(deal)
    return tables([deal], cache)[0]


def tables(deals: Iterable[Deal | str], cache: TableCache | None = None) -> list[Table]:
    """The tables of many deals, faster than one by one; with a cache, only new ones are solved.

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> [solved["NT", "N"] for solved in tables([deal])]
    [10]
    """
    wanted = [deal_of(deal) for deal in _several(deals)]
    found: dict[int, Table] = {}
    if cache is not None:
        found = {i: t for i, t in enumerate(cache.get(wanted)) if t is not None}
    todo = [i for i in range(len(wanted)) if i not in found]
    for chunk in chunks(todo, MAX_TABLES):
        part = [wanted[i] for i in chunk]
        solved = [Table.of(rows) for rows in table_array(bits_of(part)).tolist()]
        found.update(zip(chunk, solved, strict=True))
        if cache is not None:
            cache.put(part, solved)
    return [found[i] for i in range(len(wanted))]


def table_array(hands: HandBits, strains: tuple[int, ...] = (0, 1, 2, 3, 4)) -> TrickCounts:
    """Tricks (n, strain, declarer) of many deals given as 52-bit hands (n, 4).

    Strains that are not asked for cost nothing and come back as -1.

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> found = table_array(bits_of([deal]), strains=(4,))
    >>> found.shape, found[0, 4].tolist(), found[0, 0].tolist()
    ((1, 5, 4), [10, 3, 10, 3], [-1, -1, -1, -1])
    """
    hands = checked(hands)
    out = np.empty((len(hands), 5, 4), dtype=np.int8)
    size = MAX_TABLES * 5 // max(1, len(set(strains)))
    for start in range(0, len(hands), size):
        out[start : start + size] = solver().tables(hands[start : start + size], strains)
    return out


def tricks(deal: Deal | str, strain: int | str, declarer: int | str) -> int:
    """Tricks of one declarer in one strain; about a fifth of the work of a table or less.

    >>> tricks("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96", "NT", "N")
    10
    """
    deal, strain, declarer = deal_of(deal), Strain(strain), Seat(declarer)
    board = encode(bits_of([deal]), strain, (declarer + 1) & 3, ())
    solved = solver().solve(board, np.array([-1], dtype=np.int32), 1)
    return len(deal[0]) - int(best_scores(solved)[0])


def checked(hands: HandBits) -> HandBits:
    """The same hands, once it is sure that every row is four equal, disjoint hands."""
    hands = np.asarray(hands, dtype=np.uint64)
    if hands.ndim != 2 or hands.shape[1] != 4:
        raise BridgeError(f"hands come as an array (n, 4), not {hands.shape}")
    counts = np.bitwise_count(hands)
    union = np.bitwise_count(np.bitwise_or.reduce(hands, axis=1))
    good = (counts == counts[:, :1]).all(axis=1) & (union == counts.sum(axis=1)) & (union > 0)
    if not good.all():
        raise BridgeError(f"row {int(np.argmin(good))} is no deal: four equal, disjoint hands")
    return hands


def _several(deals: Iterable[T]) -> Iterable[T]:
    """Deals, when they are several: one of them is no list of them."""
    if isinstance(deals, str | PartialDeal):
        raise WrongType("deals", "a list of deals", deals)
    return deals


def chunks(items: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Consecutive pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
