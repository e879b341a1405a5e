"""Engines in processes of their own: the web loop asks, waits without blocking, and has a clock.
A process that is late or dies is replaced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pickle import PicklingError
from time import perf_counter
from typing import Any, Final

from overtrick.arena.run import deaf_children
from overtrick.game import BridgeError

LOGGER = logging.getLogger(__name__)
_START_SECONDS: Final = 90.0
URGENT: Final = 0  # calls and cards that a table waits for: before hints and meanings


class WorkerError(RuntimeError):
    """An engine failed inside its process; the text says how."""


@dataclass(frozen=True, slots=True)
class Until:
    """An argument that stands for the seconds left until then, when the job begins."""

    ends: float

    def left(self) -> float:
        return max(0.0, self.ends - perf_counter())


@dataclass(order=True, slots=True)
class _Job:
    """Smaller priorities go first; equal ones in the order they came."""

    priority: int
    number: int
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    seconds: float = field(compare=False)
    answer: asyncio.Future[Any] = field(compare=False)


class Workers:
    """A few processes behind one queue. `await ask(function, …)` runs it in one of them.

    `first` is what a new process does before its first job, such as loading engines.
    """

    def __init__(
        self, processes: int, most_waiting: int = 500, first: Callable[[], Any] = bool
    ) -> None:
        self._processes = processes
        self._first = first
        self._most_waiting = most_waiting
        self._queue: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue()
        self._numbers = count()
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
        return self._queue.qsize()

    async def ask(
        self, function: Callable[..., Any], *arguments: Any, seconds: float, priority: int = 1
    ) -> Any:
        """The function's result; TimeoutError when it took longer than `seconds` to work it out.

        When too many wait, only what is urgent still joins the queue: nobody's robot loses its turn
        because others ask for a lot. The clock starts when a process takes the job. What the
        function raises comes back as the same BridgeError or as a WorkerError.
        """
        if priority > URGENT and self._queue.qsize() >= self._most_waiting:
            raise WorkerError("the engines are too busy; try again in a moment")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job = _Job(priority, next(self._numbers), function, arguments, seconds, answer)
        self._queue.put_nowait(job)
        return await answer

    async def _serve(self) -> None:
        """One process, begun with the first job and kept as long as it behaves, then the next."""
        process: _Process | None = None
        try:
            while True:
                job = await self._queue.get()
                if job.answer.done():  # nobody waits for it any more
                    continue
                try:
                    if process is None or not process.alive:
                        process = await self._begun()
                    await self._work(process, job)
                except (OSError, PicklingError, TypeError, AttributeError) as error:
                    # No process to be had, or a job that cannot be sent to one: whoever asked
                    # hears of it, and the next job is served.
                    LOGGER.warning("%s could not be asked: %s", job.function.__name__, error)
                    _settle(job, error=WorkerError("the engines cannot be asked now"))
        finally:
            if process is not None:
                process.end()

    async def _begun(self) -> _Process:
        """A new process that has loaded what it needs: that is not on any job's clock."""
        process = _Process()
        first = _Job(0, 0, self._first, (), _START_SECONDS, asyncio.Future())
        await self._work(process, first)
        first.answer.exception()
        return process

    async def _work(self, process: _Process, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        arguments = tuple(a.left() if isinstance(a, Until) else a for a in job.arguments)
        reply = loop.run_in_executor(self._threads, process.call, job.function, arguments)
        reply.add_done_callback(_noticed)
        try:
            kind, value = await asyncio.wait_for(asyncio.shield(reply), job.seconds)
        except TimeoutError:
            LOGGER.warning("%s took more than %g s", job.function.__name__, job.seconds)
            process.end()  # unblocks the thread, too
            await asyncio.wait([reply])
            _settle(job, error=TimeoutError(f"more than {job.seconds:g} s"))
            return
        except (EOFError, OSError):
            process.end()
            _settle(job, error=WorkerError("the engine's process ended"))
            return
        if kind == "value":
            _settle(job, value=value)
        elif kind == "bridge":
            _settle(job, error=BridgeError(value))
        else:
            _settle(job, error=WorkerError(value))


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

    def __init__(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_answer_calls, args=(theirs,), daemon=True)
        with deaf_children():
            self._process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
        self._pipe.send((function, arguments))
        answer: tuple[str, Any] = self._pipe.recv()
        return answer

    def end(self) -> None:
        if self._process.is_alive():
            self._process.kill()
        self._process.join(1)


def _answer_calls(pipe: Connection) -> None:
    """The process's whole life: read a call, answer it."""
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
        pipe.send(answer)
