"""Engines in processes of their own: the web loop asks, waits without blocking, and has a clock.
A process that is late or dies is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, TypeVar

from overtrick.game import BridgeError
from overtrick.processes import deaf_children, spawned

LOGGER = logging.getLogger(__name__)
T = TypeVar("T")
_START_SECONDS: Final = 90.0
_LOOK: Final = 0.25  # seconds between two looks at whether a running job should be stopped
_MOST_CLIENTS: Final = 5000
_MOST_MEMORY: Final = 4 << 30  # bytes of one process
_AGAIN: Final = 20.0  # seconds between two processes ended for the same client
URGENT: Final = 0  # calls and cards that a table waits for: before hints and meanings


# For whom a task works; the tasks it starts work for the same client.
CLIENT: ContextVar[str] = ContextVar("client", default="")


class WorkerError(RuntimeError):
    """An engine failed inside its process; the text says how."""


class Busy(WorkerError):
    """This client has asked for enough already, or everybody has."""


@dataclass(frozen=True, slots=True)
class Until:
    """An argument that stands for the seconds left until then, when the job begins."""

    ends: float

    def left(self) -> float:
        return max(0.0, self.ends - perf_counter())


@dataclass(frozen=True, slots=True)
class Shares:
    """How the processes are shared between clients.

    `waiting` jobs may wait in all and `waiting_each` of one client; one client's jobs run in
    `running_each` processes at most. `spare` processes are kept for what is urgent. A job gives
    way after `slice` seconds to one that has waited for `impatient` seconds and whose client has
    had less. What nobody waits for any more is ended after `abandoned` seconds, if its process is
    needed.
    """

    waiting: int = 500
    waiting_each: int = 500
    running_each: int = 64
    spare: int = 0
    slice: float = 1e9
    impatient: float = 2.0
    abandoned: float = 1e9
    idle: float | None = None  # seconds after which a process without work ends, all but one
    nice: int = 0  # how far the processes step back for those that somebody waits for more


@dataclass(slots=True, eq=False)
class _Job:
    """Smaller priorities go first; then whose client has had less; then the one that came first."""

    priority: int
    client: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    answer: asyncio.Future[Any]
    asked: float = field(default_factory=perf_counter)


class _Used:
    """The seconds of thought each client has had lately; half is forgotten every minute."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[float, float]] = {}

    def of(self, client: str) -> float:
        seconds, at = self._of.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((perf_counter() - at) / 60.0))

    def add(self, client: str, seconds: float) -> None:
        self._of[client] = (self.of(client) + seconds, perf_counter())
        if len(self._of) > _MOST_CLIENTS:
            self._of = {c: v for c, v in self._of.items() if self.of(c) > 0.1}


class Workers:
    """A few processes behind one queue. `await ask(function, …)` runs it in one of them.

    `first` is what a new process does before its first job, such as loading engines.
    """

    def __init__(
        self, processes: int, shares: Shares = Shares(), first: Callable[[], Any] = bool
    ) -> None:
        self._processes = processes
        self._shares = shares
        self._first = first
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._alive = 0  # processes
        self._news = asyncio.Event()
        self._used = _Used()
        self._ended: dict[str, float] = {}  # when a client's abandoned work was last ended
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(processes, "engine")

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._serve()) for _ in range(self._processes)]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)

    @property
    def waiting(self) -> int:
        return sum(not job.answer.done() for job in self._waiting)

    async def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        priority: int = 1,
        client: str | None = None,
    ) -> Any:
        """The function's result; TimeoutError when it took longer than `seconds` to work it out.

        It is done for the client of the running task unless another is named.
        When too many wait, only what is urgent still joins the queue: nobody's robot loses its turn
        because others ask for a lot. The clock starts when a process takes the job. What the
        function raises comes back as the same BridgeError or as a WorkerError.
        """
        client = CLIENT.get() if client is None else client
        if priority > URGENT:
            self._check_room(client)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(priority, client, function, arguments, seconds, answer))
        self._news.set()
        return await answer

    def _check_room(self, client: str) -> None:
        self._waiting = [job for job in self._waiting if not job.answer.done()]
        if len(self._waiting) >= self._shares.waiting:
            raise Busy("the engines are too busy; try again in a moment")
        mine = sum(job.client == client for job in self._waiting)
        if client and mine >= self._shares.waiting_each:
            raise Busy("you have asked a lot already; wait for an answer first")

    def _next(self) -> _Job | None:
        """The job to do now, taken from the queue; None when nothing may be begun."""
        self._waiting = [job for job in self._waiting if not job.answer.done()]
        ready = [job for job in self._waiting if self._may_begin(job)]
        if not ready:
            return None
        chosen = min(ready, key=lambda job: (job.priority, self._used.of(job.client), job.asked))
        self._waiting.remove(chosen)
        return chosen

    def _may_begin(self, job: _Job) -> bool:
        mine = sum(other.client == job.client for other in self._running)
        if job.priority == URGENT:  # one process, if there are several, is for other clients
            return not job.client or mine < max(1, self._processes - 1)
        spare = self._shares.spare if self._processes > self._shares.spare else 0
        leisurely = sum(other.priority > URGENT for other in self._running)
        if leisurely >= self._processes - spare:
            return False
        return not job.client or mine < self._shares.running_each

    def _needed(self, job: _Job) -> bool:
        """Should work that nobody waits for make room? For others at once; for the same client only
        now and then, since a new process costs more than most questions."""
        if len(self._ended) > _MOST_CLIENTS:
            self._ended.clear()
        lately = perf_counter() - self._ended.get(job.client, 0.0) < _AGAIN
        for other in self._waiting:
            if other.answer.done():
                continue
            if other.client != job.client:
                mine = sum(running.client == other.client for running in self._running)
                if mine < self._shares.running_each:
                    return True
            elif not lately:
                return True
        return False

    def _must_give_way(self, job: _Job, ran: float) -> bool:
        """Has this job had its slice while somebody waits who has had less?"""
        if job.priority == URGENT or not job.client or ran < self._shares.slice:
            return False
        now, mine = perf_counter(), self._used.of(job.client) + ran
        return any(
            not other.answer.done()
            and other.client != job.client
            and now - other.asked > self._shares.impatient
            and self._used.of(other.client) < mine
            for other in self._waiting
        )

    async def _serve(self) -> None:
        """One process, begun with the first job and kept as long as it behaves, then the next."""
        process: _Process | None = None
        try:
            while True:
                job = self._next()
                if job is None:
                    self._news.clear()
                    if not await self._told() and process is not None and self._alive > 1:
                        idle, process, self._alive = process, None, self._alive - 1
                        await self._beside(idle.end)
                    continue
                self._running.append(job)
                began = perf_counter()
                try:
                    if process is None or not process.alive:
                        self._alive += process is None
                        process = await self._begun()
                    await self._work(process, job)
                except Exception as error:
                    # No process to be had, a job that cannot be sent to one, or an answer that
                    # cannot be read (the program on the disk was replaced): whoever asked hears
                    # of it, and the next job is served.
                    LOGGER.warning("%s could not be asked: %s", job.function.__name__, error)
                    _settle(job, error=WorkerError("the engines cannot be asked now"))
                finally:
                    self._running.remove(job)
                    self._used.add(job.client, perf_counter() - began)
                    self._news.set()
        finally:
            if process is not None:
                process.end()

    async def _beside(self, work: Callable[..., T], *arguments: Any) -> T:
        """What waits for the system is done beside the loop: a process takes milliseconds to begin,
        and to give its memory back."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    async def _told(self) -> bool:
        """Wait for news; False when there were none for a long time."""
        try:
            # `wait_for` of Python 3.11 forgets that it was cancelled when there are news as well.
            async with asyncio.timeout(self._shares.idle):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def _begun(self) -> _Process:
        """A new process that has loaded what it needs: that is not on any job's clock."""
        process = await self._beside(_Process, self._shares.nice)
        first = _Job(URGENT, "", self._first, (), _START_SECONDS, asyncio.Future())
        await self._work(process, first)
        first.answer.exception()
        return process

    async def _work(self, process: _Process, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        arguments = tuple(a.left() if isinstance(a, Until) else a for a in job.arguments)
        reply = loop.run_in_executor(self._threads, process.call, job.function, arguments)
        reply.add_done_callback(_noticed)
        stopped = await self._stopped(reply, job)
        if stopped is not None:
            process.kill()  # that ends the call
            await asyncio.wait([reply])
            await self._beside(process.end)
            _settle(job, error=stopped)
            return
        try:
            kind, value = reply.result()
        except (EOFError, OSError):
            await self._beside(process.end)
            _settle(job, error=WorkerError("the engine's process ended"))
            return
        if kind == "value":
            _settle(job, value=value)
        elif kind == "bridge":
            _settle(job, error=BridgeError(value))
        else:
            _settle(job, error=WorkerError(value))

    async def _stopped(self, reply: asyncio.Future[Any], job: _Job) -> Exception | None:
        """Wait for the reply. Why the process has to be stopped, if it comes too late."""
        began, gone = perf_counter(), 0.0
        while not reply.done():
            ran = perf_counter() - began
            if ran >= job.seconds:
                LOGGER.warning("%s took more than %g s", job.function.__name__, job.seconds)
                return TimeoutError(f"more than {job.seconds:g} s")
            if job.answer.done():
                gone = gone or perf_counter()
            if gone and perf_counter() - gone >= self._shares.abandoned and self._needed(job):
                self._ended[job.client] = perf_counter()
                return WorkerError("nobody waits for this any more")
            if self._must_give_way(job, ran):
                return Busy("others are waiting; ask again when it is quieter")
            await asyncio.wait(
                {reply} if gone else {reply, job.answer},
                timeout=min(_LOOK, job.seconds - ran),
                return_when=asyncio.FIRST_COMPLETED,
            )
        return None


def _noticed(reply: asyncio.Future[Any]) -> None:
    """A call cut short ends with a broken pipe, which is no news."""
    if not reply.cancelled():
        reply.exception()


def _settle(job: _Job, value: Any = None, error: Exception | None = None) -> None:
    if job.answer.done():
        return
    if error is not None:
        job.answer.set_exception(error)
    else:
        job.answer.set_result(value)


class _Process:
    """A spawned process that answers one call at a time over a pipe."""

    def __init__(self, nice: int = 0) -> None:
        self._pipe, theirs = Pipe()
        self._process = spawned(_answer_calls, theirs)
        with deaf_children():
            self._process.start()
        theirs.close()
        if nice and hasattr(os, "setpriority") and self._process.pid is not None:
            with contextlib.suppress(OSError):  # before it loads anything
                os.setpriority(os.PRIO_PROCESS, self._process.pid, nice)

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
        self._pipe.send((function, arguments))
        answer: tuple[str, Any] = self._pipe.recv()
        return answer

    def kill(self) -> None:
        if self._process.is_alive():
            self._process.kill()

    def end(self) -> None:
        """End it, and wait until it has gone."""
        self.kill()
        self._process.join(1)


def _bound_memory() -> None:
    """A question that needs more memory than any should ends with an error, and not with the system
    choosing whom to kill."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = _MOST_MEMORY if hard == resource.RLIM_INFINITY else min(hard, _MOST_MEMORY)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _answer_calls(pipe: Connection) -> None:
    """The process's whole life: read a call, answer it."""
    _bound_memory()
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        # An engine may throw anything; the table that asked must hear of it and go on.
        try:
            answer = ("value", function(*arguments))
        except BridgeError as error:
            answer = ("bridge", str(error))
        except Exception as error:
            LOGGER.exception("%s failed", function.__name__)
            answer = ("error", f"{type(error).__name__}: {error}")
        try:
            pipe.send(answer)
        except OSError:  # the server has gone
            return
