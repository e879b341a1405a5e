"""Duplicate matches: every board in two rooms, in deterministic chunks, resumable, stoppable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import SystemRandom
from typing import NamedTuple

from overtrick.arena.deck import SECRET, SecretDeck, board_in
from overtrick.arena.job import Match
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate
from overtrick.arena.store import Store
from overtrick.arena.tally import Tally
from overtrick.engines.confine import close_to_others
from overtrick.engines.seal import hidden, hide, how
from overtrick.game import Board, Call, imps
from overtrick.game.errors import expect
from overtrick.table import Limits, Occupant, Robot, TableState, play_table, robot
from overtrick.table.seats import Untold, four, is_foreign, is_sealed

Rooms = tuple[Sequence[Occupant], Sequence[Occupant]]  # the open and the closed one


class Chunk(NamedTuple):
    """A piece of work: some boards of a match.

    `texts` are those boards where a secret deck deals them; `hidden` are files that no engine of
    others is to see.
    """

    job: Match
    numbers: tuple[int, ...]
    texts: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def boards(self) -> list[Board]:
        """What is to be played."""
        if self.texts:
            return [board_in(text) for text in self.texts]
        return [self.job.board(n) for n in self.numbers]


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """How far a match is.

    >>> from overtrick.arena import Match, play_match
    >>> seen: list[MatchProgress] = []
    >>> _ = play_match(Match("points", "pass", boards=4), progress=seen.append)
    >>> seen[-1].done, seen[-1].boards
    (4, 4)
    """

    done: int
    boards: int
    estimate: Estimate


def play_match(
    job: Match,
    store: Store | None = None,
    backend: Backend = Backend(),
    *,
    until: float | None = None,
    progress: Callable[[MatchProgress], None] | None = None,
    promised: Callable[[str], None] | None = None,
    deck: SecretDeck | None = None,
) -> Estimate:
    """Play what is missing of a match and return IMPs per board for A.

    `until` stops when the standard error is that small: judged on the longest run of boards
    1, 2, …, chunk by chunk, so that the answer does not depend on which worker was faster.
    Without a store the boards are forgotten when it ends. Where the deals are secret, `promised`
    hears what is promised of them before the first board is played; they are drawn here, or come
    from a `deck` that several matches share.

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
    if missing and not tally.stopped():
        work = prepared([store], chunks(job, missing), deck, promised)
        for _, results in run_jobs(play_chunk, work, backend):
            store.add(results)
            for result in results:
                tally.add(result.number, result.imps)
            if progress is not None:
                progress(MatchProgress(len(tally), job.boards, tally.so_far()))
            if tally.stopped():
                break
        _rooms.cache_clear()  # who remembers these boards does not play the next match
    return tally.final(job.boards)


def prepared(
    stores: Sequence[Store],
    pieces: Sequence[Chunk],
    deck: SecretDeck | None = None,
    promised: Callable[[str], None] | None = None,
) -> list[Chunk]:
    """The same work with all that keeps the cards from engines of others: the boards of a secret
    deck, and what is to be hidden. Matches in several stores are played on the same boards."""
    jobs = {piece.job for piece in pieces}
    foreign = [spec for job in jobs for spec in (job.a, job.b) if is_foreign(spec)]
    secret = any(job.deals == SECRET for job in jobs)
    if not foreign and not secret:
        return [*pieces]
    close_to_others()
    hide(file for store in stores for file in store.files)
    hide(job.deals for job in jobs if job.deals not in ("random", SECRET))
    if secret:
        known = {n: text for store in stores for n, text in store.opened().items()}
        numbers = sorted({n for piece in pieces for n in piece.numbers})
        deck = SecretDeck.drawn(numbers, known) if deck is None else deck
    else:
        deck = SecretDeck({})
    for store in stores:
        store.begin(sealing(foreign), deck)
    if promised is not None and secret:
        promised(deck.promise)
    texts = deck.texts
    return [
        piece._replace(texts=tuple(texts[n] for n in piece.numbers if texts), hidden=hidden())
        for piece in pieces
    ]


def sealing(foreign: Iterable[str]) -> str:
    """How engines of others are shut in here: one of `engines.seal.WORDS`, "inside" when one of
    them is trusted to run unsealed, nothing when there are none."""
    specs = list(foreign)
    if not specs:
        return ""
    return how() if all(is_sealed(spec) for spec in specs) else "inside"


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
    job, boards = chunk.job, chunk.boards()
    hide(chunk.hidden)
    rooms = _rooms(job)
    turns = [(i, room) for i in range(len(boards)) for room in (0, 1)]
    if is_foreign(job.a) or is_foreign(job.b):
        SystemRandom().shuffle(turns)  # nobody knows when the other room plays, or has played
    played = {(i, room): play_room(job, boards[i], rooms[room]) for i, room in turns}
    return [
        board_result(job, board, (played[i, 0], played[i, 1])) for i, board in enumerate(boards)
    ]


@lru_cache(maxsize=1)
def _rooms(job: Match) -> Rooms:
    return rooms_of(job, _robot)


def rooms_of(job: Match, ours: Callable[[str], Robot] = robot) -> tuple[list[Robot], list[Robot]]:
    """Who sits where: A is North-South in the open room, East-West in the closed one.

    Code of others gets a process for each seat of each room, which hears of nothing else.
    """

    def seat(spec: str) -> Robot:
        made = ours(spec)
        return made if job.disclosed else Untold(made.bidder, made.player)

    return four(job.a, job.b, seat), four(job.b, job.a, seat)


@lru_cache(maxsize=16)
def _robot(spec: str) -> Robot:
    """Engines are made once per worker: networks and rule files load slowly."""
    return robot(spec)


def board_result(job: Match, board: Board, tables: tuple[TableState, TableState]) -> BoardResult:
    """What the two tables of a board came to."""
    if job.method == "dd":
        tricks = _double_dummy(board, tables, job.known_tricks(board.number))
    else:
        tricks = [state.tricks for state in tables]
    open_room, closed_room = (_room(s, t) for s, t in zip(tables, tricks, strict=True))
    return BoardResult(
        number=board.number,
        dealer=int(board.dealer),
        vul=int(board.vul),
        deal=board.deal.pbn(),
        open=open_room,
        closed=closed_room,
        imps=imps(open_room.score - closed_room.score),
    )


def both_tables(job: Match, board: Board, rooms: Rooms) -> tuple[TableState, TableState]:
    """The open and the closed room with every decision; engines are deterministic, so a stored
    match can be looked into by playing a board of it again."""
    return play_room(job, board, rooms[0]), play_room(job, board, rooms[1])


def play_room(job: Match, board: Board, seats: Sequence[Occupant]) -> TableState:
    """One board in one room."""
    limits = Limits(job.call_seconds, job.card_seconds)
    return play_table(
        board, seats, auction_only=job.method == "dd", limits=limits, seed=job.player_seed
    )


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
