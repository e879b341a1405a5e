"""Boards bid and played by our own engines in all four seats, to learn what declarers really take.

A board follows from its number alone: the cards, who bids and every card played. The file has the
auctions in the packed format of `data`, so `read_auctions` reads it too, and beside them the
contract, the cards played, declarer's tricks, the double-dummy tricks before and after the opening
lead, and the tricks that declarer and defenders gave up later. The same command goes on with a
file after a kill, or with a larger count.
"""

from __future__ import annotations

import json
import logging
import os
import time
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy
from overtrick.archives import UNREADABLE, arrays
from overtrick.arena.run import Backend, run_jobs
from overtrick.bidding import Bidder, bidder
from overtrick.cardplay import Player, player
from overtrick.doubledummy.library import PATH_VARIABLE
from overtrick.game import Board, Play
from overtrick.nets.features import UNKNOWN_SYSTEM, system_number
from overtrick.table import Robot, TableState, play_table
from overtrick.table.loop import seats_ns_ew
from overtrick_lab.training.data import (
    Auctions,
    DataError,
    join_auctions,
    packed_auctions,
    read_auctions,
    save_atomically,
)
from overtrick_lab.training.predicting_settings import BoardSettings
from overtrick_lab.training.teachers import Bid, as_arrays

LOGGER = logging.getLogger(__name__)
_AT_ONCE: Final = 4  # boards of a job: two seconds of work
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_EXTRA: Final = ("number", "bidders", "contract", "cards", "tricks", "double_dummy", "given")
NOBODY: Final = 0  # the level of a board that was passed out


@dataclass(frozen=True, slots=True, eq=False)
class PlayedBoards:
    """Boards as rows; those passed out have level 0 and no cards."""

    auctions: Auctions
    number: NDArray[np.int64]
    bidders: NDArray[np.uint8]  # [n, side]: which of the names bid for North-South, East-West
    contract: NDArray[np.int8]  # [n, 4]: level, strain, doubled, declarer
    cards: NDArray[np.uint8]  # [n, 52]: in the order they were played
    tricks: NDArray[np.int8]  # declarer's
    double_dummy: NDArray[np.int8]  # [n, 2]: declarer's before and after the opening lead
    given: NDArray[np.int8]  # [n, 2]: tricks given up later by declarer, by the defenders

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, rows: Any) -> PlayedBoards:
        return PlayedBoards(*(getattr(self, field.name)[rows] for field in fields(self)))


class PlayedBoard(NamedTuple):
    """One board as a worker hands it over."""

    number: int
    bidders: tuple[int, int]
    systems: tuple[str, str]
    bid: Bid
    contract: tuple[int, int, int, int]
    cards: bytes
    tricks: int
    double_dummy: tuple[int, int]
    given: tuple[int, int]


class BoardsToPlay(NamedTuple):
    """Some boards, and who bids and plays them."""

    bidders: tuple[str, ...]
    player: str
    numbers: tuple[int, ...]


def names_of(settings: BoardSettings) -> tuple[str, ...]:
    """The bidders' names as given."""
    names = tuple(name.strip() for name in settings.bidders.split("|") if name.strip())
    if not names:
        raise DataError("nobody to bid; give at least one bidder, separated by |")
    return names


def who_bids(number: int, count: int) -> tuple[int, int]:
    """The bidders of North-South and East-West: each meets each, itself included, in turn."""
    turn = number // 16 % count**2  # the sixteen dealers and vulnerabilities first
    return turn // count, turn % count


def play_board(bidders: tuple[str, ...], plays: str, number: int) -> PlayedBoard | None:
    """One board, bid and played as at a table; None when the director had to rule."""
    board = Board.random(number % 16 + 1, seed=number)
    north, east = who_bids(number, len(bidders))
    sides = [Robot(_bidder(bidders[side]), _player(plays)) for side in (north, east)]
    state = play_table(board, seats_ns_ew(sides[0], sides[1]))
    if state.rulings:
        return None
    calls = tuple(int(call) for call in state.auction)
    return PlayedBoard(
        number,
        (north, east),
        state.systems,
        (bytes(board.deal.owners), int(board.dealer), int(board.vul), calls),
        *_played(board, state),
    )


def _played(
    board: Board, state: TableState
) -> tuple[tuple[int, int, int, int], bytes, int, tuple[int, int], tuple[int, int]]:
    """Contract, cards, tricks, double-dummy tricks, tricks given up."""
    contract, play = state.contract, state.play
    if contract is None or play is None:
        return (NOBODY, 0, 0, 0), bytes(52), 0, (0, 0), (0, 0)
    found = doubledummy.analyse(board.deal, play)
    lost = [cost for _, _, cost in found.costs()]
    mine = _by_declarer(play)
    by_declarer = sum(cost for cost, own in zip(lost, mine, strict=True) if own)
    return (
        (contract.level, int(contract.strain), int(contract.doubled), int(contract.declarer)),
        bytes(int(card) for card in play.cards),
        play.declarer_tricks,
        (found.tricks[0], found.tricks[1]),
        (by_declarer, sum(lost) - by_declarer - lost[0]),
    )


def _by_declarer(play: Play) -> list[bool]:
    """Of every card whether declarer's side played it."""
    return [
        trick.leader.plus(place).side == play.declarer.side
        for trick in play.tricks()
        for place in range(4)
    ]


@lru_cache(maxsize=16)
def _bidder(name: str) -> Bidder:
    return bidder(name)


@lru_cache(maxsize=2)
def _player(name: str) -> Player:
    return player(name)


def play_some(job: BoardsToPlay) -> list[PlayedBoard]:
    """The boards of a job; runs in a worker, with one thread for the solver."""
    if doubledummy.solver().info.threads != 1:
        doubledummy.solver().set_threads(1)
    found = (play_board(job.bidders, job.player, number) for number in job.numbers)
    return [board for board in found if board is not None]


def as_boards(results: list[PlayedBoard]) -> PlayedBoards:
    """The same as arrays, in the order of their numbers."""
    rows = sorted(results)
    auctions = as_arrays((row.bid for row in rows), (UNKNOWN_SYSTEM, UNKNOWN_SYSTEM))
    auctions.systems[:] = [[_flag(name) for name in row.systems] for row in rows]
    return PlayedBoards(
        auctions,
        np.array([row.number for row in rows], np.int64),
        np.array([row.bidders for row in rows], np.uint8),
        np.array([row.contract for row in rows], np.int8),
        np.frombuffer(b"".join(row.cards for row in rows), np.uint8).reshape(-1, 52),
        np.array([row.tricks for row in rows], np.int8),
        np.array([row.double_dummy for row in rows], np.int8),
        np.array([row.given for row in rows], np.int8),
    )


def _flag(system: str) -> int:
    found = system_number(system)
    return UNKNOWN_SYSTEM if found is None else found


def joined(parts: list[PlayedBoards]) -> PlayedBoards:
    """Several sets as one, every number once, in their order."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _EXTRA}
    whole = PlayedBoards(join_auctions([part.auctions for part in parts]), **arrays)
    _, first = np.unique(whole.number, return_index=True)
    return whole[first]


def write(path: Path, boards: PlayedBoards, card: dict[str, Any]) -> None:
    """The file, whole or not at all; the card says who bid and who played."""
    extra = {name: getattr(boards, name) for name in _EXTRA}
    text = np.array(json.dumps(card))
    save_atomically(path, **packed_auctions(boards.auctions), **extra, card=text)


def read(*paths: Path) -> PlayedBoards:
    """All boards of some files, or of the files of folders; every number once."""
    files = [f for path in paths for f in (sorted(path.glob("*.npz")) if path.is_dir() else [path])]
    if not files:
        raise DataError(f"no played boards in {', '.join(map(str, paths))}")
    return joined([_read(path)[0] for path in files])


def _read(path: Path) -> tuple[PlayedBoards, dict[str, Any]]:
    auctions = read_auctions(path)
    try:
        stored = arrays(path, "card", *_EXTRA)
        extra = {name: stored[name] for name in _EXTRA}
        card: dict[str, Any] = json.loads(str(stored["card"]))
    except UNREADABLE as error:
        raise DataError(f"{path} has no played boards: {error}") from None
    return PlayedBoards(auctions, **extra), card


def _before(path: Path, card: dict[str, Any]) -> list[PlayedBoards]:
    """What an earlier run has played, if the same bidders and player did."""
    if not path.exists():
        return []
    boards, theirs = _read(path)
    if theirs != card:
        raise DataError(f"{path} has boards of others ({theirs}): choose another --out")
    LOGGER.info("%d boards have been played before", len(boards))
    return [boards]


def run(settings: BoardSettings) -> dict[str, float]:
    """Play until the count or the time is reached; what is known is written again and again."""
    names = names_of(settings)
    if settings.workers < 1 or settings.count < 1:
        raise DataError("at least one board and one worker are needed")
    if settings.library is not None:
        os.environ[PATH_VARIABLE] = str(settings.library)  # the workers inherit it
    for name in _ONE_THREAD:  # as many processes as cores; threads would only be in their way
        os.environ.setdefault(name, "1")
    doubledummy.solver()  # what is missing is an error now, in one line
    card = {
        "bidders": [_bidder(name).name for name in names],
        "player": _player(settings.player).name,
    }
    parts = _before(settings.out, card)
    known = set(parts[0].number.tolist()) if parts else set()
    wanted = range(settings.start, settings.start + settings.count)
    missing = [number for number in wanted if number not in known]
    jobs = [
        BoardsToPlay(names, settings.player, tuple(missing[i : i + _AT_ONCE]))
        for i in range(0, len(missing), _AT_ONCE)
    ]
    began = saved = time.monotonic()
    found: list[PlayedBoard] = []
    count = 0
    for _, some in run_jobs(play_some, jobs, Backend.of(settings.workers, settings.ray)):
        found += some
        count += len(some)
        now = time.monotonic()
        over = now - began > 60 * settings.minutes
        if found and (over or now - saved >= settings.save_seconds):
            parts = [joined([*parts, as_boards(found)])]
            write(settings.out, parts[0], card)
            pace = (now - began) * settings.workers / count
            LOGGER.info(
                "%d of %d boards, %.2f s of one worker each", len(parts[0]), settings.count, pace
            )
            found, saved = [], now
        if over:
            break
    if found:
        parts = [joined([*parts, as_boards(found)])]
        write(settings.out, parts[0], card)
    if not parts:
        raise DataError("no board was played: the time is too short, or an engine fails")
    return figures(parts[0])


def figures(boards: PlayedBoards) -> dict[str, float]:
    """How many, and where the tricks went."""
    real = boards[boards.contract[:, 0] > NOBODY]
    lead = real.double_dummy[:, 1] - real.double_dummy[:, 0]
    return {
        "boards": len(boards),
        "passed_out": len(boards) - len(real),
        "tricks_beyond_double_dummy": _mean(real.tricks - real.double_dummy[:, 0]),
        "given_by_lead": _mean(lead),
        "given_by_declarer": _mean(real.given[:, 0]),
        "given_by_defenders": _mean(real.given[:, 1]),
    }


def _mean(values: NDArray[np.int8]) -> float:
    return round(float(values.mean()), 4) if len(values) else 0.0
