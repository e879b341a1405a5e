"""Matches to look at: the arena's stored ones, and small ones played on the spot, board by board.
Used by the match viewer; a folder of match files is named when the server starts."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from overtrick import notation
from overtrick.arena.job import Match
from overtrick.arena.match import Chunk, play_chunk
from overtrick.arena.profile import profiles
from overtrick.arena.report import profile_rows, summary_rows
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.stats import estimate
from overtrick.arena.store import Store, StoreError
from overtrick.game import BridgeError, Contract
from overtrick.game.scoring import result_text
from overtrick.web import messages

Row = dict[str, Any]
_MOST: Final = 5000
_SUFFIXES: Final = (".sqlite", ".db")


class NoMatch(BridgeError):
    """There is no such match in the server's folder."""


def listed(folder: str) -> list[Row]:
    """The match files of a folder, newest first; files of other kinds are passed over."""
    if not folder:
        return []
    root = Path(folder)
    files = [p for p in root.iterdir() if p.suffix in _SUFFIXES] if root.is_dir() else []
    out = []
    for path in sorted(files, key=lambda p: -p.stat().st_mtime)[:200]:
        if not _is_match(path):
            continue
        try:
            store = Store(path)
        except StoreError:
            continue
        job = store.job
        out.append({"name": path.name, "a": job.a, "b": job.b, "boards": len(store.done()),
                    "method": job.method})  # fmt: skip
        store.close()
    return out


def _is_match(path: Path) -> bool:
    """Is this a match file? Looked at without writing: the folder may hold other people's."""
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return False
    try:
        wanted = "SELECT count(*) FROM sqlite_master WHERE name IN ('match', 'boards')"
        (found,) = db.execute(wanted).fetchone()
    except sqlite3.Error:
        return False
    finally:
        db.close()
    return bool(found == 2)


def report(folder: str, name: str) -> Row:
    """A stored match: figures, what each engine did, every board."""
    path = Path(folder) / name
    if not folder or path.parent != Path(folder) or not _is_match(path):
        raise NoMatch("there is no such match")
    store = Store(path)
    try:
        results = list(store.results(_MOST))
        return summed(store.job, results)
    finally:
        store.close()


def summed(job: Match, results: list[BoardResult]) -> Row:
    """Figures and boards of a match as far as it is played."""
    found = estimate([r.imps for r in results])
    pair = profiles(iter(results), job.a, job.b)
    return {
        "a": job.a,
        "b": job.b,
        "method": job.method,
        "mean": found.mean,
        "error": found.error,
        "figures": [list(row) for row in summary_rows(job, found)],
        "profile": [list(row) for row in profile_rows(pair)],
        "boards": [board(job, r) for r in results],
    }


def board(job: Match, result: BoardResult) -> Row:
    """One board: both tables in short, and each as LIN for the review."""
    open_room, closed_room = result.records(job.a, job.b)
    return {
        "number": result.number,
        "imps": result.imps,
        "open": {**_room(result.open), "lin": notation.dumps(open_room, "lin").strip()},
        "closed": {**_room(result.closed), "lin": notation.dumps(closed_room, "lin").strip()},
    }


def _room(room: RoomResult) -> Row:
    if not room.contract:
        return {"contract": "", "declarer": "", "made": "", "score_ns": 0}
    contract = Contract.parse(room.contract)
    made = "" if room.tricks is None else result_text(contract, room.tricks)
    return {
        "contract": contract.ascii,
        "declarer": contract.declarer.letter,
        "made": made,
        "score_ns": room.score,
    }


def piece(wish: messages.MatchPiece) -> list[Row]:
    """Some boards of a match between two bidders, scored double dummy."""
    last = wish.start + wish.count - 1
    job = Match(wish.a, wish.b, last, seed=wish.seed)
    results = play_chunk(Chunk(job, tuple(range(wish.start, last + 1))))
    return [board(job, r) for r in results]
