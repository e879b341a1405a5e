"""Our SQLite files: looked at before they are written, private where they should be."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from overtrick.game.errors import BridgeError, printable, refusal


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file: what it is called, the tables it must have, its schema and version.

    `error` is what is raised, always with one line for a person; `advice` ends that line. What is
    written to a `lasting` file stays there when the power is gone; others stay sound, and may lose
    what came last, which can be made again.
    """

    what: str
    tables: frozenset[str]
    schema: str
    version: int
    error: type[BridgeError]
    advice: str = ""
    lasting: bool = True

    def wrong(self, path: Path | str, why: object) -> BridgeError:
        """This file cannot be used as one of ours."""
        return self.error(f"{path} is no {self.what}: {printable(str(why))}{self._then}")

    def failed(self, path: Path | str, why: sqlite3.Error | OSError) -> BridgeError:
        """The file is one of ours, or could be, but the system refuses: full, locked, damaged."""
        return self.error(f"{path}: {in_words(why)}{self._then}")

    @property
    def _then(self) -> str:
        return f"; {self.advice}" if self.advice else ""


class OurFile:
    """What holds a file of ours open, to be used as `with …`."""

    _db: sqlite3.Connection

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_to_write(
    path: Path | str, kind: Kind, *, private: bool = False, alone: bool = False, wait: float = 30.0
) -> sqlite3.Connection:
    """A file of this kind, made where there is none. `":memory:"` keeps it for this process.

    `private` files, and the folder made for them, can be read by their owner only; `alone` holds
    the file until it is closed, so that nobody else can write (or lock) it meanwhile; `wait` is
    how long others are waited for.
    """
    db: sqlite3.Connection | None = None
    try:
        if private and str(path) != ":memory:":
            _make_private(Path(path))
        db = sqlite3.connect(str(path), isolation_level=None, timeout=wait)
        _look(db, path, kind)
        if alone:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute(f"PRAGMA synchronous={'FULL' if kind.lasting else 'NORMAL'}")
        db.execute(f"PRAGMA fullfsync={int(kind.lasting)}")  # macOS: down to the disk itself
        with together(db):
            for statement in filter(str.strip, kind.schema.split(";")):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={kind.version}")
    except (sqlite3.Error, OSError) as error:
        if db is not None:
            db.close()
        raise _told(error, path, kind) from None
    except BaseException:
        if db is not None:
            db.close()
        raise
    return db


def open_to_read(path: Path | str, kind: Kind) -> sqlite3.Connection:
    """An existing file of this kind; nothing is written, and a read-only folder is no obstacle."""
    address = Path(path).resolve().as_uri()
    # A file left by a writer that closed it properly needs no other files beside it; where the
    # folder cannot be written, SQLite only reads it when told that nobody changes it meanwhile.
    for mode in ("mode=ro", "immutable=1"):
        db: sqlite3.Connection | None = None
        try:
            db = sqlite3.connect(f"{address}?{mode}", uri=True, isolation_level=None, timeout=5)
            _look(db, path, kind)
            return db
        except BridgeError:
            if db is not None:
                db.close()
            raise
        except sqlite3.Error as error:
            if db is not None:
                db.close()
            last = error
            if "unable to open" not in str(error) and "readonly" not in str(error):
                break
    raise _told(last, path, kind) from None


@contextmanager
def together(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """One transaction: after a crash or an error all of it is there, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        # SQLite itself has ended the transaction when the disk was full or failed, and what is
        # told is why it did, not that there was nothing left to take back.
        if db.in_transaction:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
        raise


def write_rows(db: sqlite3.Connection, query: str, rows: Iterable[tuple[object, ...]]) -> None:
    """All rows in one transaction: after a crash they are there together or not at all."""
    with together(db):
        db.executemany(query, rows)


def is_damaged(db: sqlite3.Connection) -> str:
    """What SQLite finds wrong with a file, in its own words; empty when it is sound."""
    try:
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if found == "ok" else str(found)


def in_words(error: Exception) -> str:
    """What a failure of the disk or of SQLite means to the person who keeps the file."""
    text = str(error)
    if isinstance(error, OSError):
        return refusal(error).lower()
    for mark, words in (
        ("disk is full", "the disk is full"),
        ("locked", "another program is using it"),
        ("readonly", "it cannot be written (read only)"),
        ("unable to open", "it cannot be opened: look at the folder, its permissions and its room"),
        ("malformed", "the file is damaged"),
        ("disk I/O", "the disk reports an error"),
    ):
        if mark in text:
            return words
    return text


def _look(db: sqlite3.Connection, path: Path | str, kind: Kind) -> None:
    """Look before writing: the file may be somebody else's database."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if names and not names >= kind.tables:
        shown = ", ".join(sorted(names)[:5])
        raise kind.wrong(path, f"another database, which holds {shown}")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > kind.version:
        raise kind.error(f"{path} was written by a newer Overtrick (version {version}){kind._then}")


def names_are_kept(folder: Path) -> None:
    """What was made, moved or removed in a folder stays so when the power is gone.

    Systems that cannot be asked for it (Windows, some of the network) are not.
    """
    try:
        place = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(place)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(place)


def _make_private(path: Path) -> None:
    """The folder and the file itself, before SQLite makes it for everybody to read."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        names_are_kept(path.parent.parent)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    if os.name != "nt" and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _told(error: sqlite3.Error | OSError, path: Path | str, kind: Kind) -> BridgeError:
    """A file that is no database is somebody else's; all other failures have their own words."""
    if isinstance(error, sqlite3.Error) and "not a database" in str(error):
        return kind.wrong(path, error)
    return kind.failed(path, error)
