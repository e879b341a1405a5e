"""DDS behind arrays in the house's order: the one file that knows the library's order of things.
Hands go in as 52-bit numbers, tricks come out by strain and seat.

DDS counts suits S, H, D, C, NT from 0, ranks as bits 2..14, and all its structs are runs of
32-bit integers, so numpy arrays stand in for them.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.doubledummy.library import LibraryInfo, SolverError, check, load

HandBits = NDArray[np.uint64]  # (n, 4): what N, E, S, W hold
TrickCounts = NDArray[np.int8]
Ints = NDArray[np.int32]

MAX_BOARDS: Final = 200  # positions in one SolveAllBoards call
MAX_TABLES: Final = 40  # deals in one CalcAllTables call with all five strains
STRAIN_ORDER: Final = np.array([3, 2, 1, 0, 4])  # its own inverse: house strain ↔ DDS strain
_SUITS: Final = 4
_LIGHT: Final = 8  # cards in a hand …
_FEW: Final = 4  # … and positions, for which a batch costs more than it saves
_DEAL_INTS: Final = 24  # trump, first, suit[3], rank[3], cards[4][4]
_FUTURE_INTS: Final = 54  # nodes, cards, suit[13], rank[13], equals[13], score[13]
_MOST_KNOWN: Final = 100_000  # positions, some ten megabytes
_PAR_BYTES: Final = MAX_TABLES * 2 * (16 + 128)
_SHIFTS: Final = np.array([39, 26, 13, 0], dtype=np.uint64)  # spades, hearts, diamonds, clubs
_SUIT_BITS: Final = np.uint64((1 << 13) - 1)
# DDS writes vulnerability as none, both, N-S, E-W.
VULNERABILITY_ORDER: Final = (0, 2, 3, 1)
_LOCK: Final = threading.Lock()  # one call at a time: the library keeps state of its own


def to_holdings(hands: HandBits) -> Ints:
    """House hands (n, 4) to DDS holdings (n, 4 seats, 4 suits).

    >>> to_holdings(np.array([[1 << 51, 1, 0, 0]], dtype=np.uint64))[0, :2].tolist()
    [[16384, 0, 0, 0], [0, 0, 0, 4]]
    """
    split = (np.asarray(hands, dtype=np.uint64)[:, :, None] >> _SHIFTS) & _SUIT_BITS
    return (split << np.uint64(2)).astype(np.int32)


def to_card(card: int) -> tuple[int, int]:
    """A house card as DDS suit and rank: ♠A is (0, 14), ♣2 is (3, 2)."""
    return 3 - card // 13, card % 13 + 2


def from_card(suit: int, rank: int) -> int:
    """A house card from DDS suit and rank."""
    return (3 - suit) * 13 + rank - 2


class _Board(ctypes.Structure):
    """DDS `deal`: 24 integers, passed by value to SolveBoard."""

    _fields_ = (("values", ctypes.c_int * _DEAL_INTS),)


class Solver:
    """The library as loaded in this process. Calls of several threads wait for each other."""

    def __init__(self, threads: int | None = None) -> None:
        self._solved: set[bytes] = set()  # positions since the library began with empty tables
        with _LOCK:
            self._library, self.info = load(threads)

    def set_threads(self, threads: int) -> LibraryInfo:
        """Restart with another number of threads (a worker process uses one)."""
        with _LOCK:
            self._library.SetMaxThreads(threads)
            self._solved.clear()
        self.info = LibraryInfo(self.info.path, self.info.version, threads)
        return self.info

    def forget(self, boards: Ints) -> None:
        """Begin with empty tables if one of these boards has been solved before: a thread that
        meets its last position again finds it there, and counts hardly a node."""
        known = self._solved
        if not len(boards) or _is_light(boards[0]):  # an ending takes less than beginning anew
            return
        if len(known) > _MOST_KNOWN or not known.isdisjoint(_positions(boards)):
            self.set_threads(self.info.threads)

    def tables(self, hands: HandBits, strains: tuple[int, ...] = (0, 1, 2, 3, 4)) -> TrickCounts:
        """Tricks (n, strain, declarer) of up to 40 deals; strains not asked for are -1."""
        count, wanted = len(hands), sorted(set(strains))
        if count * len(wanted) > MAX_TABLES * 5:
            raise SolverError(f"at most {MAX_TABLES * 5 // len(wanted)} deals a call, not {count}")
        deals = np.zeros(1 + MAX_TABLES * 5 * 16, dtype=np.int32)
        deals[0] = count
        holdings = to_holdings(hands)
        deals[1 : 1 + count * 16] = holdings.reshape(-1)
        self._know(holdings)
        skip = np.ones(5, dtype=np.int32)
        skip[STRAIN_ORDER[wanted]] = 0
        results = np.zeros(1 + MAX_TABLES * 5 * 20, dtype=np.int32)
        par = np.zeros(_PAR_BYTES, dtype=np.uint8)
        self._call("CalcAllTables", deals, -1, skip, results, par)
        found = results[1 : 1 + count * 20].reshape(count, 5, 4)[:, STRAIN_ORDER, :]
        # The library counts declarer's tricks as 13 less the defenders', also in end positions.
        played = 13 - np.bitwise_count(np.asarray(hands, dtype=np.uint64)[:, 0]).astype(np.int32)
        out = np.full((count, 5, 4), -1, dtype=np.int8)
        out[:, wanted] = (found - played[:, None, None])[:, wanted]
        return out

    def solve(self, boards: Ints, target: Ints, solutions: int) -> Ints:
        """Solve up to 200 encoded boards: raw `futureTricks` rows (n, 54), for `scores` below."""
        count = len(boards)
        if count > MAX_BOARDS:
            raise SolverError(f"at most {MAX_BOARDS} positions a call, not {count}")
        self._know(boards)
        if count == 1 or (count <= _FEW and _is_light(boards[0])):
            return self._one_by_one(boards, target, solutions)
        packed = np.zeros(1 + MAX_BOARDS * (_DEAL_INTS + 3), dtype=np.int32)
        packed[0] = count
        packed[1 : 1 + count * _DEAL_INTS] = boards.reshape(-1)
        rest = packed[1 + MAX_BOARDS * _DEAL_INTS :].reshape(3, MAX_BOARDS)
        rest[0, :count] = target
        rest[1] = solutions
        rest[2] = 1  # score forced cards too
        solved = np.zeros(1 + MAX_BOARDS * _FUTURE_INTS, dtype=np.int32)
        self._call("SolveAllBoardsBin", packed, solved)
        return solved[1 : 1 + count * _FUTURE_INTS].reshape(count, _FUTURE_INTS)

    def _one_by_one(self, boards: Ints, target: Ints, solutions: int) -> Ints:
        """Without the library's batches, whose set-up costs more than an ending."""
        rows = np.zeros((len(boards), _FUTURE_INTS), dtype=np.int32)
        whole = np.ascontiguousarray(boards, dtype=np.int32)
        for board, goal, row in zip(whole, target.tolist(), rows, strict=True):
            given = _Board.from_buffer_copy(board.tobytes())
            self._call("SolveBoard", given, goal, solutions, 1, row, 0)
        return rows

    def trace(self, board: Ints, cards: tuple[int, ...]) -> list[int]:
        """Declarer's tricks before the first and after each of `cards`, played from `board`."""
        play = np.zeros(1 + 104, dtype=np.int32)
        play[0] = len(cards)
        for i, card in enumerate(cards):
            play[1 + i], play[53 + i] = to_card(card)
        boards = np.zeros(1 + MAX_BOARDS * (_DEAL_INTS + 3), dtype=np.int32)
        boards[0] = 1
        boards[1 : 1 + _DEAL_INTS] = board
        self._know(board[None])
        plays = np.zeros(1 + MAX_BOARDS * 105, dtype=np.int32)
        plays[0] = 1
        plays[1:106] = play
        out = np.zeros(1 + MAX_BOARDS * 54, dtype=np.int32)
        self._call("AnalyseAllPlaysBin", boards, plays, out, 1)
        solved = out[1:55]
        return [int(t) for t in solved[1 : 1 + solved[0]]]

    def dealer_par(self, table: TrickCounts, dealer: int, vul: int) -> tuple[int, list[str]]:
        """The library's own par for N-S and its contracts as text; ours is in par.py."""
        results = np.ascontiguousarray(table[STRAIN_ORDER], dtype=np.int32)
        out = np.zeros(2 * 4 + 100, dtype=np.uint8)
        self._call("DealerPar", results, out, int(dealer), VULNERABILITY_ORDER[vul])
        number, score = (int(x) for x in out[:8].view(np.int32))
        texts = [
            bytes(out[8 + 10 * i : 18 + 10 * i]).split(b"\0")[0].decode() for i in range(number)
        ]
        return score, texts

    def _know(self, boards: Ints) -> None:
        if len(self._solved) <= _MOST_KNOWN:  # more of them, and all might be known
            self._solved.update(_positions(boards))

    def _call(self, name: str, *arguments: Any) -> None:
        passed = [
            a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else a for a in arguments
        ]
        with _LOCK:
            code = getattr(self._library, name)(*passed)
        check(self._library, code)


def _positions(boards: Ints) -> list[bytes]:
    """Who holds what, of encoded boards or of holdings."""
    return [row.tobytes() for row in np.asarray(boards, np.int32).reshape(len(boards), -1)[:, -16:]]


def _is_light(board: Ints) -> bool:
    """Are so few cards left that solving takes less than sharing the work would?"""
    return int(np.bitwise_count(board[8:]).sum()) <= 4 * _LIGHT


def encode(hands: HandBits, strain: int, leader: int, trick: tuple[int, ...]) -> Ints:
    """Boards (n, 24) for remaining hands that share strain, leader and the trick in progress."""
    boards = np.zeros((len(hands), _DEAL_INTS), dtype=np.int32)
    boards[:, 0] = STRAIN_ORDER[strain]
    boards[:, 1] = leader
    for i, card in enumerate(trick):
        boards[:, 2 + i], boards[:, 5 + i] = to_card(card)
    boards[:, 8:] = to_holdings(hands).reshape(-1, 16)
    return boards


def scores(solved: Ints) -> TrickCounts:
    """Scores by house card (n, 52) from raw rows; -1 for cards that were not returned.

    A row lists one card of each group of touching cards; the others of the group share its score.
    """
    count = len(solved)
    out = np.full((count, _SUITS, 13), -1, dtype=np.int8)
    suit, rank, equals, score = (solved[:, 2 + 13 * k : 15 + 13 * k] for k in range(4))
    valid = np.arange(13)[None, :] < solved[:, 1:2]
    group = np.where(valid, equals | np.left_shift(1, rank), 0)
    rows = np.broadcast_to(np.arange(count)[:, None], suit.shape)
    for house_rank in range(13):
        hit = (group >> (house_rank + 2)) & 1 == 1
        out[rows[hit], 3 - suit[hit], house_rank] = score[hit]
    return out.reshape(count, 52)


def best_scores(solved: Ints) -> Ints:
    """The score of the best card of each raw row; -1 where a target cannot be reached."""
    return solved[:, 2 + 3 * 13]


@cache
def solver() -> Solver:
    """The solver of this process, started on first use.

    >>> solver() is solver(), solver().info.version[0] in "23"
    (True, True)
    """
    return Solver()
