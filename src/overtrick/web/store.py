"""The log of every web table in one SQLite file (WAL): what is written survives kill -9.
A table is read back by replaying its events."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import time

from overtrick.game import BridgeError
from overtrick.web.events import DECODER, ENCODER, Event

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY ("table", number)) WITHOUT ROWID;
"""
_VERSION = 1


class LogError(BridgeError):
    """The file is no log of web tables."""


class Log:
    """Events by table, in order. `":memory:"` keeps them for this process only."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        if self.path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=30)
        except sqlite3.Error as error:
            raise LogError(f"{path} is no log of web tables: {error}") from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise LogError(f"{path} is no log of web tables: {error}") from None
        except LogError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        db = self._db
        # Look before writing: the file may be somebody else's database.
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if tables and "events" not in tables:
            raise LogError(
                f"{self.path} is no log of web tables: it holds {', '.join(sorted(tables))}"
            )
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise LogError(f"{self.path} was written by a newer Overtrick")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version={_VERSION}")

    def add(self, table: str, number: int, event: Event) -> None:
        """Write event `number` of a table; the same number twice is an error."""
        row = (table, number, time(), ENCODER.encode(event))
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)

    def events(self, table: str) -> list[Event]:
        """All events of a table; none when there is no such table."""
        rows = self._db.execute(
            'SELECT body FROM events WHERE "table" = ? ORDER BY number', (table,)
        )
        return [DECODER.decode(body) for (body,) in rows]

    def count(self) -> int:
        """How many tables the log knows."""
        (count,) = self._db.execute('SELECT count(DISTINCT "table") FROM events').fetchone()
        return int(count)

    def forget(self, older_than: float) -> int:
        """Drop tables on which nothing happened for so many seconds."""
        found = self._db.execute(
            'DELETE FROM events WHERE "table" IN'
            ' (SELECT "table" FROM events GROUP BY "table" HAVING max(at) < ?)',
            (time() - older_than,),
        )
        return found.rowcount

    def close(self) -> None:
        self._db.close()
