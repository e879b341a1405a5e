"""Duplicate matches: every board in two rooms, in deterministic chunks, resumable, stoppable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from overtrick.arena.job import Match
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate
from overtrick.arena.store import Store
from overtrick.arena.tally import Tally
from overtrick.game import Board, Call, imps
from overtrick.game.errors import expect
from overtrick.table import Limits, Occupant, Robot, TableState, play_table, robot
from overtrick.table.loop import seats_ns_ew


class Chunk(NamedTuple):
    """A piece of work: some boards of a match."""

    job: Match
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a match is."""

    done: int
    boards: int
    estimate: Estimate


def play_match(
    job: Match,
    store: Store | None = None,
    backend: Backend = Backend(),
    *,
    until: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Estimate:
    """Play what is missing of a match and return IMPs per board for A.

    `until` stops when the standard error is that small: judged on the longest run of boards
    1, 2, …, chunk by chunk, so that the answer does not depend on which worker was faster.
    Without a store the boards are forgotten when it ends.

    >>> print(play_match(Match("points", "pass", boards=8)))
    +3.375 ± 1.281 IMPs/board (8 boards)
    """
    expect(job, Match, "a match", "a Match, as Match('rules', 'points', boards=32)")
    job.check()
    store = Store(":memory:", job) if store is None else store
    tally = Tally(job.chunk, until)
    for result in store.results(job.boards):
        tally.add(result.number, result.imps)
    missing = [n for n in range(1, job.boards + 1) if n not in tally]
    if not tally.stopped():
        for _, results in run_jobs(play_chunk, chunks(job, missing), backend):
            store.add(results)
            for result in results:
                tally.add(result.number, result.imps)
            if progress is not None:
                progress(Progress(len(tally), job.boards, tally.so_far()))
            if tally.stopped():
                break
    return tally.final(job.boards)


def stopping_board(store: Store, until: float | None) -> int:
    """The last board that counts under `until` (the match's length when it never stopped)."""
    tally = Tally(store.job.chunk, until)
    for result in store.results(store.job.boards):
        tally.add(result.number, result.imps)
    return tally.last or store.job.boards


def chunks(job: Match, numbers: Sequence[int]) -> list[Chunk]:
    """The jobs that play these boards, cut at the same places whatever is missing."""
    pieces: dict[int, list[int]] = {}
    for n in numbers:
        pieces.setdefault((n - 1) // job.chunk, []).append(n)
    return [Chunk(job, tuple(p)) for p in pieces.values()]


def play_chunk(chunk: Chunk) -> list[BoardResult]:
    """Play the boards of a chunk in both rooms; runs in a worker."""
    a, b = _robot(chunk.job.a), _robot(chunk.job.b)
    return [play_duplicate(chunk.job, n, a, b) for n in chunk.numbers]


@lru_cache(maxsize=16)
def _robot(spec: str) -> Robot:
    """Engines are made once per worker: networks and rule files load slowly."""
    return robot(spec)


def play_duplicate(job: Match, number: int, a: Occupant, b: Occupant) -> BoardResult:
    """One board, A North-South in the open room and East-West in the closed one."""
    board = job.board(number)
    tables = both_tables(job, board, a, b)
    if job.method == "dd":
        tricks = _double_dummy(board, tables, job.known_tricks(number))
    else:
        tricks = [state.tricks for state in tables]
    open_room, closed_room = (_room(s, t) for s, t in zip(tables, tricks, strict=True))
    return BoardResult(
        number=number,
        dealer=int(board.dealer),
        vul=int(board.vul),
        deal=board.deal.pbn(),
        open=open_room,
        closed=closed_room,
        imps=imps(open_room.score - closed_room.score),
    )


def both_tables(
    job: Match, board: Board, a: Occupant, b: Occupant
) -> tuple[TableState, TableState]:
    """The open and the closed room with every decision; engines are deterministic, so a stored
    match can be looked into by playing a board of it again."""
    limits = Limits(job.call_seconds, job.card_seconds)
    bidding_only = job.method == "dd"
    open_room, closed_room = (
        play_table(
            board,
            seats_ns_ew(ns, ew),
            auction_only=bidding_only,
            limits=limits,
            seed=job.player_seed,
        )
        for ns, ew in ((a, b), (b, a))
    )
    return open_room, closed_room


def _double_dummy(
    board: Board,
    tables: Sequence[TableState],
    known: tuple[tuple[int, ...], ...] | None,
) -> list[int | None]:
    """Tricks of each table's contract; the same strain and declarer is solved once."""
    from overtrick import doubledummy

    solved: dict[tuple[int, int], int] = {}
    out: list[int | None] = []
    for state in tables:
        if state.contract is None:
            out.append(None)
            continue
        strain, declarer = state.contract.strain, state.contract.declarer
        if known is not None:
            solved[strain, declarer] = known[strain][declarer]
        elif (strain, declarer) not in solved:
            solved[strain, declarer] = doubledummy.tricks(board.deal, strain, declarer)
        out.append(solved[strain, declarer])
    return out


def _room(state: TableState, tricks: int | None) -> RoomResult:
    contract = state.contract
    score = state.score(tricks)
    assert score is not None, "a finished board has a score"
    return RoomResult(
        calls=[int(c) for c in state.auction],
        contract=f"{contract.ascii} {contract.declarer.letter}" if contract else "",
        tricks=tricks if contract else None,
        score=score,
        cards=[int(c) for c in state.play.cards] if state.play else [],
        alerts={
            str(i): e.decision.meaning.words
            for i, e in enumerate(state.log)
            if isinstance(e.decision.action, Call) and e.decision.meaning.alert
        },
        rulings=[str(r) for r in state.rulings],
        milliseconds=[round(e.milliseconds, 3) for e in state.log],
    )
