"""Engine processes: answers, clocks, failures, order; written as plain coroutines."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from overtrick.game import BridgeError
from overtrick.web import workers as web_workers
from overtrick.web.workers import URGENT, WorkerError, Workers


def _raise_bridge() -> None:
    raise BridgeError("no such suit")


def _vanish() -> None:
    os._exit(3)


def _run(work: Callable[[Workers], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        workers = Workers(1)
        workers.start()
        try:
            return await work(workers)
        finally:
            await workers.stop()

    return asyncio.run(main())


def test_one_process_answers_waits_fails_and_comes_back() -> None:
    async def work(workers: Workers) -> None:
        assert await workers.ask(abs, -3, seconds=30) == 3
        with pytest.raises(BridgeError, match="no such suit"):
            await workers.ask(_raise_bridge, seconds=5)
        with pytest.raises(WorkerError, match="ZeroDivisionError"):
            await workers.ask(divmod, 1, 0, seconds=5)
        with pytest.raises(TimeoutError):
            await workers.ask(time.sleep, 60, seconds=0.1)
        with pytest.raises(WorkerError, match="ended"):
            await workers.ask(_vanish, seconds=30)
        assert await workers.ask(abs, -4, seconds=30) == 4

    _run(work)


def test_the_loop_goes_on_and_the_urgent_goes_first() -> None:
    async def work(workers: Workers) -> list[int]:
        order: list[int] = []

        async def note(number: int, priority: int) -> None:
            await workers.ask(abs, number, seconds=30, priority=priority)
            order.append(number)

        slow = asyncio.create_task(workers.ask(time.sleep, 0.2, seconds=30))
        await asyncio.sleep(0.05)
        await asyncio.gather(note(1, 2), note(2, 1), note(3, 0))
        await slow
        return order

    assert _run(work) == [3, 2, 1]


def test_too_many_jobs_are_refused() -> None:
    async def work(workers: Workers) -> None:
        workers._most_waiting = 0
        with pytest.raises(WorkerError, match="busy"):
            await workers.ask(abs, -1, seconds=1)

    _run(work)


def test_a_job_that_cannot_be_sent_or_served_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither takes the queue with it: the next job is answered."""
    made, real = [], web_workers._Process

    def process() -> Any:
        made.append(1)
        if len(made) == 1:
            raise OSError("no more processes")
        return real()

    monkeypatch.setattr(web_workers, "_Process", process)

    async def work(workers: Workers) -> None:
        with pytest.raises(WorkerError, match="cannot be asked"):
            await workers.ask(abs, -1, seconds=30)
        with pytest.raises(WorkerError, match="cannot be asked"):
            await workers.ask(abs, lambda: None, seconds=30)
        assert await asyncio.wait_for(workers.ask(abs, -5, seconds=30), 60) == 5

    _run(work)


def test_what_is_urgent_always_joins_the_queue() -> None:
    async def work(workers: Workers) -> None:
        workers._most_waiting = 0
        assert await workers.ask(abs, -6, seconds=30, priority=URGENT) == 6

    _run(work)
