"""The log of every web table in one SQLite file (WAL): what is written survives kill -9.
A table is read back by replaying its events."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from pathlib import Path
from time import time
from typing import Final

import msgspec

from overtrick.database import Kind, in_words, is_damaged, open_to_write
from overtrick.game import BridgeError
from overtrick.web.company import CompanyEvent
from overtrick.web.events import ENCODER, ContestEvent, TableEvent
from overtrick.web.opinions import Opinion
from overtrick.web.pairs import Happening

Event = TableEvent | ContestEvent | Opinion | Happening | CompanyEvent
_EVENTS: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

LOGGER = logging.getLogger(__name__)
_DAY: Final = 86_400
_BUSY_DAYS: Final = 30  # days of play after which an old table may go


class LogError(BridgeError):
    """The log cannot be used, or not now; nothing that was written before is lost."""


_KIND: Final = Kind(
    "log of web tables",
    frozenset({"events"}),
    """
    CREATE TABLE IF NOT EXISTS events (
        "table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY ("table", number)) WITHOUT ROWID;
    """,
    1,
    LogError,
    "name another with --log",
)


class Log:
    """Events by table, in order. `":memory:"` keeps them for this process only.

    One server holds the file at a time. `trouble` says what keeps it from writing, and is empty
    again when that is over: then whatever could not be written is tried once more by its table.
    `turns` counts how often it has begun or ended.
    """

    def __init__(self, path: Path | str) -> None:
        self.path, self.trouble, self.turns = str(path), "", 0
        self._db = open_to_write(path, _KIND, private=True, alone=True, wait=2.0)
        if damage := is_damaged(self._db):
            self._db.close()
            raise LogError(
                f"{path} is damaged ({damage.splitlines()[-1]}); move it away and start again, "
                f"or try to save it: sqlite3 {path} .recover"
            )

    def add(self, table: str, number: int, event: Event) -> None:
        """Write event `number` of a table; the same number twice is an error."""
        row = (table, number, time(), ENCODER.encode(event))
        try:
            self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise LogError(f"event {number} of table {table} is there already: {error}") from None
        except sqlite3.Error as error:
            words = in_words(error)
            if words != self.trouble:
                LOGGER.error("%s cannot be written: %s", self.path, words)
                self.trouble, self.turns = words, self.turns + 1
            raise LogError(
                f"nothing can be kept at the moment ({words}); the table waits, try again soon"
            ) from None
        self._works()

    def try_again(self) -> None:
        """See whether trouble is over, by writing what is there already."""
        if not self.trouble:
            return
        try:
            self._db.execute(f"PRAGMA user_version={_KIND.version}")
        except sqlite3.Error:
            return
        self._works()

    def _works(self) -> None:
        if self.trouble:
            LOGGER.warning("%s can be written again", self.path)
            self.trouble, self.turns = "", self.turns + 1

    def events(self, table: str, after: int = 0, most: int = -1) -> list[Event]:
        """The events of a table after a number, at `most` so many unless it is negative; none when
        there is no such table."""
        query = 'SELECT body FROM events WHERE "table" = ? AND number > ? ORDER BY number LIMIT ?'
        rows = (table, after, most)
        try:
            return [_EVENTS.decode(body) for (body,) in self._db.execute(query, rows)]
        except (sqlite3.Error, msgspec.MsgspecError, UnicodeDecodeError) as error:
            LOGGER.error("table %s cannot be read from %s: %s", table, self.path, error)
            raise LogError("what was kept of this table is damaged; please open another") from None

    def newest(self, prefix: str, most: int) -> list[str]:
        """The streams whose names begin so, those written last first."""
        query = (
            'SELECT "table" FROM events WHERE "table" >= ? AND "table" < ?'
            ' GROUP BY "table" ORDER BY max(at) DESC LIMIT ?'
        )
        rows = (prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1), most)
        return [name for (name,) in self._db.execute(query, rows)]

    def dated(self, table: str) -> list[tuple[float, Event]]:
        """The events of a stream with their times; what cannot be read is passed over."""
        query = 'SELECT at, body FROM events WHERE "table" = ? ORDER BY number'
        found = []
        for at, body in self._db.execute(query, (table,)):
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
                found.append((at, _EVENTS.decode(body)))
        return found

    def count(self) -> int:
        """How many tables the log knows."""
        (count,) = self._db.execute('SELECT count(DISTINCT "table") FROM events').fetchone()
        return int(count)

    def forget(self, older_than: float) -> int:
        """Drop tables on which nothing happened for so many seconds.

        A clock may be wrong for a while: a table goes only when others were played on many days
        after it.
        """
        days = "SELECT DISTINCT CAST(at / ? AS INTEGER) FROM events ORDER BY 1 DESC LIMIT ?"
        busy = [day for (day,) in self._db.execute(days, (_DAY, _BUSY_DAYS))]
        if len(busy) < _BUSY_DAYS:
            return 0
        try:
            found = self._db.execute(
                'DELETE FROM events WHERE "table" IN'
                ' (SELECT "table" FROM events GROUP BY "table" HAVING max(at) < ?)',
                (min(time() - older_than, busy[-1] * _DAY),),
            )
        except sqlite3.Error as error:  # a full disk can be the reason; it is no reason to stop
            LOGGER.error("%s: old tables stay: %s", self.path, in_words(error))
            return 0
        return found.rowcount

    def close(self) -> None:
        self._db.close()
