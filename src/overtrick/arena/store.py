"""A match on disk: one SQLite file in WAL mode, a board written once and whole.
After kill −9 a run continues with the boards that are missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from overtrick import __version__
from overtrick.arena.deck import SecretDeck
from overtrick.arena.job import Match
from overtrick.arena.results import BoardResult
from overtrick.database import Kind, OurFile, open_to_read, open_to_write, write_rows
from overtrick.game import BridgeError
from overtrick.game.errors import printable
from overtrick.table.seats import is_foreign


class StoreError(BridgeError):
    """The file is not the store of this match."""


_KIND: Final = Kind(
    "match file",
    frozenset({"match", "boards"}),
    """
    CREATE TABLE IF NOT EXISTS match (id INTEGER PRIMARY KEY CHECK (id = 1),
        identity TEXT NOT NULL, job TEXT NOT NULL, version TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS boards (number INTEGER PRIMARY KEY, result BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS sittings (id INTEGER PRIMARY KEY, sealing TEXT NOT NULL,
        promise TEXT NOT NULL, promises TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS opened (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
    """,
    1,
    StoreError,
)
_DECODER: Final = msgspec.json.Decoder(BoardResult)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One run of the program that played boards of a match with engines of others or secret deals:
    how the engines were shut in, and what was promised before the first board, in all and by
    board."""

    sealing: str
    promise: str = ""
    promises: dict[int, str] = field(default_factory=dict)


class Store(OurFile):
    """The boards of one match. `":memory:"` keeps them for this process only.

    With a `job` the file is written to; without one it is only read, and may lie anywhere.
    `version` is the Overtrick that played it; `described` tells whether the engines were named by
    whoever opened the file, and not by the file alone.
    """

    def __init__(self, path: Path | str, job: Match | None = None) -> None:
        self.path, self.described = str(path), job is not None
        self._deck = SecretDeck({})
        if job is None and not Path(path).exists():
            raise StoreError(f"there is no match in {path}")
        if job is None:
            self._db = open_to_read(path, _KIND)
        else:  # what engines of others play is nothing for their eyes, whoever they run as
            private = is_foreign(job.a) or is_foreign(job.b)
            self._db = open_to_write(path, _KIND, private=private)
        try:
            self.job, self.version = self._begun(job) if job is not None else self._found()
        except sqlite3.Error as error:
            self._db.close()
            raise _KIND.failed(path, error) from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._db.close()
            raise _KIND.wrong(path, error) from None
        except BaseException:
            self._db.close()
            raise

    def _begun(self, job: Match) -> tuple[Match, str]:
        """The match this file is for from now on, or was already."""
        db = self._db
        row = db.execute("SELECT identity, job, version FROM match").fetchone()
        text = msgspec.json.encode(job).decode()
        if row is None:
            identity = msgspec.json.encode(job.identity()).decode()
            db.execute("INSERT INTO match VALUES (1, ?, ?, ?)", (identity, text, __version__))
            return job, __version__
        if msgspec.json.decode(row[0]) != job.identity():
            held = msgspec.json.decode(row[1], type=Match)
            what = f"{held.a} against {held.b}, seed {held.seed}, {held.method}, {held.deals} deals"
            raise StoreError(
                f"{self.path} holds another match ({printable(what)}): name another file"
            )
        if row[2] != __version__ and self.done():
            raise StoreError(
                f"{self.path} was begun by Overtrick {printable(row[2])}, this is {__version__}: "
                "boards of both would be one match; name another file"
            )
        # Perhaps longer than before, or cut otherwise.
        db.execute("UPDATE match SET job = ?, version = ?", (text, __version__))
        return job, __version__

    def _found(self) -> tuple[Match, str]:
        row = self._db.execute("SELECT job, version FROM match").fetchone()
        if row is None:
            raise StoreError(f"{self.path} holds no match")
        return msgspec.json.decode(row[0], type=Match), str(row[1])

    @property
    def files(self) -> tuple[str, ...]:
        """The file, and those that SQLite keeps beside it; none in memory."""
        if self.path == ":memory:":
            return ()
        return tuple(f"{self.path}{end}" for end in ("", "-wal", "-shm", "-journal"))

    def begin(self, sealing: str, deck: SecretDeck) -> None:
        """Somebody sits down to play: how engines of others are shut in, and what is promised of
        the boards. Their seals stay in memory until they are played."""
        self._deck = deck
        promises = msgspec.json.encode(deck.promises).decode()
        query = "INSERT INTO sittings (sealing, promise, promises) VALUES (?, ?, ?)"
        row = (sealing, deck.promise if deck.texts else "", promises)
        try:
            write_rows(self._db, query, [row])
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def sittings(self) -> list[Sitting]:
        """How it was played, run by run; none for matches of our own engines alone."""
        query = "SELECT sealing, promise, promises FROM sittings ORDER BY id"
        try:
            rows = list(self._db.execute(query)) if self._has("sittings") else []
            decode = msgspec.json.Decoder(dict[int, str], strict=False).decode
            return [Sitting(str(how), str(whole), decode(each)) for how, whole, each in rows]
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise _KIND.wrong(self.path, error) from None

    def opened(self) -> dict[int, str]:
        """The seals of the boards that have been played, opened."""
        try:
            known = self._has("opened")
            rows = self._db.execute("SELECT number, text FROM opened") if known else ()
            return {number: text for number, text in rows if isinstance(text, str)}
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def _has(self, table: str) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
        return bool(self._db.execute(query, (table,)).fetchone()[0])

    def add(self, results: Iterable[BoardResult]) -> None:
        """Write boards in one transaction; a board already there is left as it is. The seals of
        secret boards are opened with them."""
        found = list(results)
        texts = [(r.number, self._deck.texts[r.number]) for r in found if self._deck.texts]
        rows = [(r.number, msgspec.json.encode(r)) for r in found]
        try:
            if texts:
                write_rows(self._db, "INSERT OR IGNORE INTO opened VALUES (?, ?)", texts)
            write_rows(self._db, "INSERT OR IGNORE INTO boards VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def done(self) -> set[int]:
        try:
            return {row[0] for row in self._db.execute("SELECT number FROM boards")}
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def results(self, last: int | None = None) -> Iterator[BoardResult]:
        """Boards in order, up to number `last`; read one at a time, each checked."""
        limit = last if last is not None else 2**62
        query = "SELECT number, result FROM boards WHERE number <= ? ORDER BY number"
        try:
            for number, blob in self._db.execute(query, (limit,)):
                yield self._checked(number, blob)
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def _checked(self, number: int, blob: object) -> BoardResult:
        """A board as it was stored, and one that can have been played."""
        try:
            result = _DECODER.decode(blob if isinstance(blob, bytes | str) else b"")
            if result.number != number:
                raise BridgeError(f"it says it is board {result.number}")
            result.check()
        except (msgspec.MsgspecError, UnicodeDecodeError, BridgeError) as error:
            why = printable(str(error))
            raise StoreError(f"{self.path}: board {number} is damaged: {why}") from None
        return result
