"""Evenings that were uploaded: kept in one SQLite file, worked on in the background, job by job.
What is done is written at once, so that a closed tab or a killed server loses one job at most."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import time
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec

from overtrick.database import Kind, in_words, open_to_write
from overtrick.game import BridgeError
from overtrick.web import evening
from overtrick.web.evening import Done, Evening, Failed, Job, Result
from overtrick.web.limits import mark
from overtrick.web.reviewed import Progress
from overtrick.web.store import LogError
from overtrick.web.thinking import packed
from overtrick.web.workers import Busy, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
_AT_ONCE: Final = 2  # jobs of one evening
_BACKGROUND: Final = 3  # behind everything that somebody waits for
_SECONDS: Final = 600.0  # a machine may be busy with other things
_LATER: Final = 5.0  # seconds until a server that is busy is asked again
_KEPT: Final = 300  # evenings; then the oldest of whoever has most goes
_IN_MEMORY: Final = 8

_KIND: Final = Kind(
    "file of evenings",
    frozenset({"evenings", "results"}),
    """
    CREATE TABLE IF NOT EXISTS evenings (
        name TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS results (
        evening TEXT NOT NULL, job TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (evening, job))
        WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS senders (
        evening TEXT PRIMARY KEY, client TEXT NOT NULL) WITHOUT ROWID;
    """,
    1,
    LogError,
    "name another with --log",
)

# Evenings whose sender is not known count as those of one client.
_OLDEST_OF_WHO_HAS_MOST: Final = """
    WITH sent AS (SELECT name, at, coalesce(client, '') AS client
                  FROM evenings LEFT JOIN senders ON evening = name)
    SELECT name FROM sent WHERE client =
        (SELECT client FROM sent GROUP BY client ORDER BY count(*) DESC, min(at) LIMIT 1)
    ORDER BY at LIMIT 1
"""


def _progress(found: Evening, done: Done) -> Progress:
    work = evening.jobs(found, done)
    return Progress(done=sum(j.key in done for j in work), jobs=len(work))


def _packed(small: bool, found: Evening, done: Done) -> tuple[bool, bytes]:
    return packed(evening.report, (found, done), small)


_PACKED: Final = {small: partial(_packed, small) for small in (False, True)}


class NoEvening(BridgeError):
    """There is no such evening."""


def beside(log: Path | str) -> Path | str:
    """The file of evenings that belongs to a log of tables."""
    if str(log) == ":memory:":
        return log
    path = Path(log)
    return path.with_name(f"{path.stem}.evenings.sqlite")


class Evenings:
    """All evenings of a server. `resume` goes on with those that were not finished."""

    def __init__(self, path: Path | str, workers: Workers) -> None:
        self._db = open_to_write(path, _KIND, private=True, alone=True, wait=2.0)
        self._workers = workers
        self._known: OrderedDict[str, tuple[Evening, bytes, dict[str, Result]]] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._owners: dict[str, str] = {}  # of evenings that are being worked on
        self._made: OrderedDict[tuple[str, str], tuple[int, Any]] = OrderedDict()
        self._making: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def add(self, found: Evening, client: str = "") -> str:
        """Keep an evening and begin to work on it for this client; its name is hard to guess."""
        name = secrets.token_urlsafe(9)
        self._owners[name] = client
        body = msgspec.json.encode(found)
        self._write("INSERT INTO evenings VALUES (?, ?, ?)", (name, time(), body))
        self._write("INSERT INTO senders VALUES (?, ?)", (name, mark(client)))
        self._make_room()
        self._begin(name)
        return name

    async def report(self, name: str, small: bool = False) -> tuple[bool, bytes]:
        """The report as JSON, and whether it is compressed."""
        found: tuple[bool, bytes] = await self._worked_out(f"report {small}", name, _PACKED[small])
        return found

    async def progress(self, name: str) -> Progress:
        """How far the work has come."""
        found: Progress = await self._worked_out("progress", name, _progress)
        return found

    async def _worked_out(self, what: str, name: str, make: Callable[[Evening, Done], Any]) -> Any:
        """What follows from an evening as far as it is done; made once for every job that ends and
        beside the loop, since a long evening takes a while."""
        found, _, done = self._find(name)
        lock = self._making.setdefault(name, asyncio.Lock())
        async with lock:
            key, now = (what, name), len(done)
            if key not in self._made or self._made[key][0] != now:
                self._made[key] = (now, await asyncio.to_thread(make, found, dict(done)))
            self._made.move_to_end(key)
            while len(self._made) > 3 * _IN_MEMORY:
                self._made.popitem(last=False)
            return self._made[key][1]

    def resume(self) -> None:
        """Go on with everything that is not finished, the newest first."""
        for (name,) in self._db.execute("SELECT name FROM evenings ORDER BY at DESC").fetchall():
            try:
                found, _, done = self._find(name)
            except (NoEvening, LogError) as error:
                LOGGER.error("evening %s: %s", name, error)
                continue
            if any(j.key not in done for j in evening.jobs(found, done)):
                self._begin(name)

    async def stop(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._db.close()

    def _begin(self, name: str) -> None:
        task = asyncio.create_task(self._work(name))
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._ended(name))

    def _ended(self, name: str) -> None:
        self._tasks.pop(name, None)
        self._owners.pop(name, None)

    async def _work(self, name: str) -> None:
        """All jobs; more become known when the deals are solved."""
        places = asyncio.Semaphore(_AT_ONCE)  # so that evenings take turns
        while True:
            found, body, done = self._find(name)
            left = [j for j in evening.jobs(found, done) if j.key not in done]
            if not left:
                return
            await asyncio.gather(*(self._do(name, body, job, done, places) for job in left))

    async def _do(
        self, name: str, body: bytes, job: Job, done: dict[str, Result], places: asyncio.Semaphore
    ) -> None:
        """One job, for whoever sent the evening: the processes are shared between those."""
        client = self._owners.get(name) or f"evening {name}"
        async with places:
            while True:
                try:
                    result: Any = await self._workers.ask(
                        evening.work, body, job, seconds=_SECONDS, priority=_BACKGROUND,
                        client=client,
                    )  # fmt: skip
                except Busy:
                    await asyncio.sleep(_LATER)
                    continue
                except (TimeoutError, WorkerError, BridgeError) as error:
                    LOGGER.warning("evening %s, %s: %s", name, job.key, error)
                    result = Failed(str(error)[:200])
                break
            row = msgspec.json.encode(result)
            with contextlib.suppress(LogError):  # it is done again when the server starts again
                self._write("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (name, job.key, row))
            done[job.key] = evening.kept(job.key, row)

    def _find(self, name: str) -> tuple[Evening, bytes, dict[str, Result]]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._read(name)
            idle = [n for n in self._known if n not in self._tasks and n != name]
            for old in idle[: max(0, len(self._known) - _IN_MEMORY)]:
                del self._known[old]
        return known

    def _read(self, name: str) -> tuple[Evening, bytes, dict[str, Result]]:
        try:
            row = self._db.execute("SELECT body FROM evenings WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise NoEvening("there is no such evening here; it may have been too long ago")
            results = self._db.execute("SELECT job, body FROM results WHERE evening = ?", (name,))
            done = {job: evening.kept(job, body) for job, body in results}
            return msgspec.json.decode(row[0], type=Evening), bytes(row[0]), done
        except (sqlite3.Error, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise LogError(f"what was kept of this evening is damaged ({error})") from None

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        try:
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            words = in_words(error)
            LOGGER.error("evenings cannot be written: %s", words)
            raise LogError(f"nothing can be kept at the moment ({words}); try again soon") from None

    def _make_room(self) -> None:
        """While there are too many, the oldest of whoever has most goes: nobody pushes out the
        evenings of others by sending many."""
        while self._db.execute("SELECT count(*) FROM evenings").fetchone()[0] > _KEPT:
            ((oldest,),) = self._db.execute(_OLDEST_OF_WHO_HAS_MOST).fetchall()
            for table, column in (
                ("evenings", "name"),
                ("results", "evening"),
                ("senders", "evening"),
            ):
                self._write(f"DELETE FROM {table} WHERE {column} = ?", (oldest,))
            self._known.pop(oldest, None)
            if oldest in self._tasks:
                self._tasks[oldest].cancel()
