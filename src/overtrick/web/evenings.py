"""Evenings that were uploaded: kept in one SQLite file, worked on in the background, job by job.
What is done is written at once, so that a closed tab or a killed server loses one job at most."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from collections import OrderedDict
from pathlib import Path
from time import time
from typing import Any, Final

import msgspec

from overtrick.database import Kind, in_words, open_to_write
from overtrick.game import BridgeError
from overtrick.web import evening
from overtrick.web.evening import Evening, Job
from overtrick.web.store import LogError
from overtrick.web.workers import Busy, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
Row = dict[str, Any]
_AT_ONCE: Final = 2  # jobs
_BACKGROUND: Final = 3  # behind everything that somebody waits for
_SECONDS: Final = 600.0  # a machine may be busy with other things
_LATER: Final = 5.0  # seconds until a server that is busy is asked again
_KEPT: Final = 300  # evenings; the oldest go first
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
    """,
    1,
    LogError,
    "name another with --log",
)


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
        self._known: OrderedDict[str, tuple[Evening, bytes, dict[str, Row]]] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)

    def add(self, found: Evening) -> str:
        """Keep an evening and begin to work on it; its name is hard to guess."""
        name = secrets.token_urlsafe(9)
        body = msgspec.json.encode(found)
        self._write("INSERT INTO evenings VALUES (?, ?, ?)", (name, time(), body))
        self._forget_oldest()
        self._begin(name)
        return name

    def report(self, name: str) -> Row:
        found, _, done = self._find(name)
        return evening.report(found, done)

    def progress(self, name: str) -> Row:
        found, _, done = self._find(name)
        work = evening.jobs(found, done)
        return {"done": sum(j.key in done for j in work), "jobs": len(work)}

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
        task.add_done_callback(lambda _: self._tasks.pop(name, None))

    async def _work(self, name: str) -> None:
        """All jobs; more become known when the deals are solved."""
        while True:
            found, body, done = self._find(name)
            left = [j for j in evening.jobs(found, done) if j.key not in done]
            if not left:
                return
            await asyncio.gather(*(self._do(name, body, job, done) for job in left))

    async def _do(self, name: str, body: bytes, job: Job, done: dict[str, Row]) -> None:
        async with self._places:
            while True:
                try:
                    result: Row = await self._workers.ask(
                        evening.work, body, job, seconds=_SECONDS, priority=_BACKGROUND, client=""
                    )
                except Busy:
                    await asyncio.sleep(_LATER)
                    continue
                except (TimeoutError, WorkerError, BridgeError) as error:
                    LOGGER.warning("evening %s, %s: %s", name, job.key, error)
                    result = {"error": str(error)[:200]}
                break
            row = msgspec.json.encode(result)
            with contextlib.suppress(LogError):  # it is done again when the server starts again
                self._write("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (name, job.key, row))
            done[job.key] = msgspec.json.decode(row)

    def _find(self, name: str) -> tuple[Evening, bytes, dict[str, Row]]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._read(name)
            idle = [n for n in self._known if n not in self._tasks and n != name]
            for old in idle[: max(0, len(self._known) - _IN_MEMORY)]:
                del self._known[old]
        return known

    def _read(self, name: str) -> tuple[Evening, bytes, dict[str, Row]]:
        try:
            row = self._db.execute("SELECT body FROM evenings WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise NoEvening("there is no such evening here; it may have been too long ago")
            results = self._db.execute("SELECT job, body FROM results WHERE evening = ?", (name,))
            done = {job: msgspec.json.decode(body) for job, body in results}
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

    def _forget_oldest(self) -> None:
        newest = "SELECT name FROM evenings ORDER BY at DESC LIMIT ?"
        self._write(f"DELETE FROM evenings WHERE name NOT IN ({newest})", (_KEPT,))
        self._write("DELETE FROM results WHERE evening NOT IN (SELECT name FROM evenings)", ())
