"""A cache of double-dummy tables in one small SQLite file, safe to share and to kill."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from overtrick.database import Kind, OurFile, open_to_write, together
from overtrick.doubledummy.tables import Table
from overtrick.game import BridgeError, Deal

DEFAULT_LIMIT: Final = 200_000  # tables; about 15 MB
FOLDER_VARIABLE: Final = "OVERTRICK_CACHE"


class CacheError(BridgeError):
    """A cache file that cannot be opened or is something else."""


_KIND: Final = Kind(
    "table cache",
    frozenset({"tables"}),
    "CREATE TABLE IF NOT EXISTS tables"
    " (number INTEGER PRIMARY KEY, deal BLOB NOT NULL UNIQUE, tricks BLOB NOT NULL)",
    1,
    CacheError,
    "delete it or name another",
    lasting=False,
)


def cache_folder() -> Path:
    """Where caches live: OVERTRICK_CACHE, else the user's cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return Path(base) / "overtrick" if base else Path.home() / ".cache" / "overtrick"


class TableCache(OurFile):
    """Tables by deal, in a file. Writes are single transactions in WAL mode; the oldest go first.

    >>> from overtrick.doubledummy.tables import table
    >>> deal = Deal.parse("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96")
    >>> cache = TableCache(":memory:")
    >>> cache.get([deal]), table(deal, cache)["NT", "N"], cache.get([deal])[0]["NT", "N"]
    ([None], 10, 10)
    """

    def __init__(self, path: str | Path | None = None, limit: int = DEFAULT_LIMIT) -> None:
        if limit < 1:
            raise CacheError(f"a cache holds at least one table, not {limit}")
        self.path = Path(path) if path is not None else cache_folder() / "tables.sqlite"
        self.limit = limit
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _KIND.failed(self.path, error) from None
        self._db = open_to_write(self.path, _KIND)

    def get(self, deals: Sequence[Deal]) -> list[Table | None]:
        """The tables that are known, None for the others."""
        query = "SELECT tricks FROM tables WHERE deal = ?"
        try:
            rows = [self._db.execute(query, (_key(deal),)).fetchone() for deal in deals]
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None
        return [Table.from_bytes(row[0]) if row and len(row[0]) == 20 else None for row in rows]

    def put(self, deals: Sequence[Deal], found: Sequence[Table]) -> None:
        """Keep tables, all or none; the oldest are dropped above the limit."""
        rows = [(_key(d), bytes(t)) for d, t in zip(deals, found, strict=True)]
        try:
            with together(self._db) as db:
                db.executemany("INSERT OR IGNORE INTO tables (deal, tricks) VALUES (?, ?)", rows)
                db.execute(
                    "DELETE FROM tables WHERE number <="
                    " (SELECT number FROM tables ORDER BY number DESC LIMIT 1 OFFSET ?)",
                    (self.limit,),
                )
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def __len__(self) -> int:
        try:
            (count,) = self._db.execute("SELECT count(*) FROM tables").fetchone()
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None
        return int(count)


def _key(deal: Deal) -> bytes:
    """28 bytes: the four hands, seven bytes each."""
    return b"".join(hand.bits.to_bytes(7, "little") for hand in deal.hands)
