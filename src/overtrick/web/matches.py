"""Matches and tournaments to look at: the arena's stored ones, and small matches played at once.
A folder of them is named when the server starts."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Final

from overtrick import notation
from overtrick.arena.archive import described, is_tournament, match_files, stored
from overtrick.arena.job import Match
from overtrick.arena.match import Chunk, play_chunk
from overtrick.arena.profile import profiles
from overtrick.arena.report import profile_rows, summary_rows
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.standings import percentages, standings
from overtrick.arena.stats import estimate
from overtrick.arena.store import Store, StoreError
from overtrick.arena.tournament import Encounter
from overtrick.game import BridgeError, Contract, Record
from overtrick.game.scoring import result_text
from overtrick.web import messages
from overtrick.web.answers import (
    ByeRow,
    EncounterRow,
    EnginePair,
    MatchBoard,
    MatchListed,
    MatchReport,
    MatchRoom,
    TournamentListed,
    TournamentReport,
    TournamentRow,
)

LOGGER = logging.getLogger(__name__)
_MOST: Final = 5000
_LISTED: Final = 200
_NAME: Final = re.compile(r"(?!\.)[^/\\\0]{1,120}(/(?!\.)[^/\\\0]{1,120})?")
_SUFFIXES: Final = (".sqlite", ".db")


class NoMatch(BridgeError):
    """There is no such match in the server's folder."""


def listed(folder: str) -> list[MatchListed]:
    """The match files of a folder, newest first; files of other kinds are passed over.

    The matches of a tournament are found through its report, not here.
    """
    root = Path(folder)
    if not folder or not root.is_dir() or is_tournament(root):
        return []
    files = [p for p in root.iterdir() if p.suffix in _SUFFIXES]
    out: list[MatchListed] = []
    for path in sorted(files, key=lambda p: -p.stat().st_mtime)[:_LISTED]:
        try:
            with Store(path) as store:
                job = store.job
                boards = len(store.done())
        except StoreError:
            continue
        row = MatchListed(name=path.name, a=job.a, b=job.b, boards=boards, method=job.method)
        out.append(row)
    return out


def report(folder: str, name: str) -> MatchReport:
    """A stored match: figures, what each engine did, every board.

    `name` is a file of the folder, or TOURNAMENT/FILE.
    """
    path = _place(folder, name)
    if path is None or not path.is_file():
        raise NoMatch("there is no such match")
    try:
        with Store(path) as store:
            return summed(store.job, list(store.results(_MOST)))
    except StoreError as error:  # the host is told which file, the visitor is not
        LOGGER.warning("%s", error)
        raise NoMatch("this match cannot be read; its file is damaged") from None


def _place(folder: str, name: str) -> Path | None:
    """Where a match of this server is; only names that the lists could have told are looked for."""
    if not folder or not _NAME.fullmatch(name):
        return None
    inside, _, file = name.rpartition("/")
    root = _tournaments(folder).get(inside) if inside else Path(folder)
    if root is None or Path(file).suffix not in _SUFFIXES:
        return None
    return root / file


def _tournaments(folder: str) -> dict[str, Path]:
    """The tournaments of a folder by name: its subfolders, or the folder itself."""
    root = Path(folder)
    if not folder or not root.is_dir():
        return {}
    found = [root, *sorted(p for p in root.iterdir() if p.is_dir())]
    named = {p.resolve().name: p for p in found if is_tournament(p)}
    return {name: p for name, p in named.items() if _NAME.fullmatch(name) and "/" not in name}


def tournaments(folder: str) -> list[TournamentListed]:
    """The tournaments of a folder; ones that cannot be read are passed over."""
    out = []
    for name, place in list(_tournaments(folder).items())[:_LISTED]:
        try:
            t = described(place)
        except BridgeError:
            continue
        row = TournamentListed(
            name=name, kind=t.kind, engines=list(t.engines), boards=t.boards,
            matches=len(match_files(place)), method=t.method,
        )  # fmt: skip
        out.append(row)
    return out


def tournament(folder: str, name: str) -> TournamentReport:
    """A stored tournament: the table, ratings with errors, who beat whom, every match."""
    place = _tournaments(folder).get(name)
    if place is None:
        raise NoMatch("there is no such tournament")
    played = stored(place)
    t = played.tournament
    number = {engine: i for i, engine in enumerate(t.engines)}
    shares = percentages(played) if t.kind == "pairs" else []
    return TournamentReport(
        name=name,
        kind=t.kind,
        engines=list(t.engines),
        boards=t.boards,
        rounds=t.rounds,
        method=t.method,
        deals=t.deals if t.deals == "random" else Path(t.deals).name,
        seed=t.seed,
        rows=[
            TournamentRow(
                place=r.place,
                engine=number[r.engine],
                points=r.points,
                points_error=_finite(100 * shares[number[r.engine]].error) if shares else None,
                matches=r.matches,
                won=r.won,
                drawn=r.drawn,
                rating=r.rating,
                error=_finite(r.error),
            )
            for r in standings(played)
        ],
        pairs=_pairs(played.encounters),
        matches=[
            _encounter(e, t.boards, f"{name}/{e.round + 1:03d}-{e.a + 1}-{e.b + 1}.sqlite")
            for e in played.encounters
        ],
        byes=[ByeRow(round=number, engine=engine) for number, engine in played.byes],
    )


def _encounter(e: Encounter, boards: int, file: str) -> EncounterRow:
    found = estimate([r.imps for r in e.results])
    return EncounterRow(
        file=file,
        round=e.round + 1,
        a=e.a,
        b=e.b,
        imps=e.imps,
        boards=len(e.results),
        over=len(e.results) >= min(boards, _MOST),
        mean=found.mean,
        error=_finite(found.error),
        points=e.victory_points,
    )


def _pairs(encounters: Sequence[Encounter]) -> list[EnginePair]:
    """Every two engines that met: IMPs a board for a over all their matches, with the error."""
    met: dict[tuple[int, int], list[int]] = {}
    for e in encounters:
        low, high = sorted((e.a, e.b))
        sign = 1 if e.a == low else -1
        met.setdefault((low, high), []).extend(sign * r.imps for r in e.results)
    out = []
    for (a, b), imps in sorted(met.items()):
        found = estimate(imps)
        row = EnginePair(
            a=a, b=b, imps=sum(imps), boards=len(imps), mean=found.mean, error=_finite(found.error)
        )
        out.append(row)
    return out


def _finite(x: float) -> float | None:
    """JSON has no infinity; one board has no error."""
    return x if isfinite(x) else None


def summed(job: Match, results: list[BoardResult]) -> MatchReport:
    """Figures and boards of a match as far as it is played."""
    found = estimate([r.imps for r in results])
    pair = profiles(iter(results), job.a, job.b)
    return MatchReport(
        a=job.a,
        b=job.b,
        method=job.method,
        mean=found.mean,
        error=_finite(found.error),
        figures=[list(row) for row in summary_rows(job, found)],
        profile=[list(row) for row in profile_rows(pair)],
        boards=[board(job, r) for r in results],
    )


def board(job: Match, result: BoardResult) -> MatchBoard:
    """One board: both tables in short, and each as LIN for the review."""
    open_room, closed_room = result.records(job.a, job.b)
    return MatchBoard(
        number=result.number,
        imps=result.imps,
        open=_room(result.open, open_room),
        closed=_room(result.closed, closed_room),
    )


def _room(room: RoomResult, record: Record) -> MatchRoom:
    lin = notation.dumps(record, "lin").strip()
    if not room.contract:
        return MatchRoom(contract="", declarer="", made="", score_ns=0, lin=lin)
    contract = Contract.parse(room.contract)
    made = "" if room.tricks is None else result_text(contract, room.tricks)
    return MatchRoom(
        contract=contract.ascii,
        declarer=contract.declarer.letter,
        made=made,
        score_ns=room.score,
        lin=lin,
    )


def piece(wish: messages.MatchPiece) -> list[MatchBoard]:
    """Some boards of a match between two bidders, scored double dummy."""
    last = wish.start + wish.count - 1
    job = Match(wish.a, wish.b, last, seed=wish.seed)
    results = play_chunk(Chunk(job, tuple(range(wish.start, last + 1))))
    return [board(job, r) for r in results]
