"""A match on disk: one SQLite file in WAL mode, a board written once and whole.
After kill −9 a run continues with the boards that are missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

import msgspec

from overtrick import __version__
from overtrick.arena.job import Match
from overtrick.arena.results import BoardResult
from overtrick.game import BridgeError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS match (id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL,
                                  job TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS boards (number INTEGER PRIMARY KEY, result BLOB NOT NULL);
"""
_SCHEMA_VERSION = 1
_DECODER = msgspec.json.Decoder(BoardResult)


class StoreError(BridgeError):
    """The file is not the store of this match."""


class Store:
    """The boards of one match. `":memory:"` keeps them for this process only."""

    def __init__(self, path: Path | str, job: Match | None = None) -> None:
        self.path = str(path)
        if job is None and self.path != ":memory:" and not Path(path).exists():
            raise StoreError(f"there is no match in {path}")
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=30)
        except sqlite3.Error as error:
            raise StoreError(f"{path} is no match file: {error}") from None
        try:
            self._prepare(job)
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            self._db.close()
            raise StoreError(f"{path} is no match file: {error}") from None
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, job: Match | None) -> None:
        db = self._db
        # Look before writing: the file may be somebody else's database.
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if tables and not tables >= {"match", "boards"}:
            raise StoreError(f"{self.path} is no match file: it holds {', '.join(sorted(tables))}")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > _SCHEMA_VERSION:
            raise StoreError(f"{self.path} was written by a newer Overtrick")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version={_SCHEMA_VERSION}")
        row = db.execute("SELECT identity, job FROM match").fetchone()
        if row is None:
            if job is None:
                raise StoreError(f"{self.path} holds no match")
            self.job = job
            identity = msgspec.json.encode(job.identity()).decode()
            db.execute(
                "INSERT INTO match VALUES (1, ?, ?, ?)",
                (identity, msgspec.json.encode(job).decode(), __version__),
            )
            return
        if job is not None and msgspec.json.decode(row[0]) != job.identity():
            held = msgspec.json.decode(row[1], type=Match)
            what = f"{held.a} against {held.b}, seed {held.seed}, {held.method}, {held.deals} deals"
            raise StoreError(f"{self.path} holds another match ({what}): name another file")
        self.job = job or msgspec.json.decode(row[1], type=Match)
        if job is not None:  # perhaps longer or cut otherwise than before
            db.execute("UPDATE match SET job = ?", (msgspec.json.encode(job).decode(),))

    def add(self, results: Iterable[BoardResult]) -> None:
        """Write boards in one transaction; a board already there is left as it is."""
        rows = [(r.number, msgspec.json.encode(r)) for r in results]
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT OR IGNORE INTO boards VALUES (?, ?)", rows)
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def done(self) -> set[int]:
        return {row[0] for row in self._db.execute("SELECT number FROM boards")}

    def results(self, last: int | None = None) -> Iterator[BoardResult]:
        """Boards in order, up to number `last`; read one at a time."""
        limit = last if last is not None else 2**62
        query = "SELECT result FROM boards WHERE number <= ? ORDER BY number"
        for (blob,) in self._db.execute(query, (limit,)):
            yield _DECODER.decode(blob)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
