"""Engine processes: answers, clocks, failures, order; written as plain coroutines."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from threading import current_thread, main_thread
from typing import Any

import pytest

from overtrick.game import BridgeError
from overtrick.web import workers as web_workers
from overtrick.web.workers import URGENT, Busy, Shares, WorkerError, Workers


def _raise_bridge() -> None:
    raise BridgeError("no such suit")


def _vanish() -> None:
    os._exit(3)


class Unknown:
    """What a process of another version sends: nothing here can make it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return __import__, ("overtrick.of_another_version",)


def _run(
    work: Callable[[Workers], Awaitable[Any]], processes: int = 1, shares: Shares = Shares()
) -> Any:
    async def main() -> Any:
        workers = Workers(processes, shares)
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
        with pytest.raises(WorkerError, match="MemoryError"):
            await workers.ask(bytes, 64 << 30, seconds=30)
        with pytest.raises(WorkerError, match="ended"):
            await workers.ask(_vanish, seconds=30)
        with pytest.raises(WorkerError, match="cannot be asked"):
            await workers.ask(Unknown, seconds=30)
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
        workers._shares = Shares(waiting=0)
        with pytest.raises(WorkerError, match="busy"):
            await workers.ask(abs, -1, seconds=1)

    _run(work)


def test_a_job_that_cannot_be_sent_or_served_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither takes the queue with it: the next job is answered."""
    made, real = [], web_workers._Process

    def process(nice: int) -> Any:
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
        workers._shares = Shares(waiting=0)
        assert await workers.ask(abs, -6, seconds=30, priority=URGENT) == 6

    _run(work)


def test_one_client_does_not_hold_up_another() -> None:
    """Whoever has asked for much is served after those who have asked for little."""

    async def work(workers: Workers) -> list[str]:
        order: list[str] = []

        async def note(client: str) -> None:
            await workers.ask(time.sleep, 0.05, seconds=30, client=client)
            order.append(client)

        greedy = [asyncio.create_task(note("greedy")) for _ in range(8)]
        await asyncio.sleep(0.02)
        await note("modest")
        await asyncio.gather(*greedy)
        return order

    assert _run(work).index("modest") <= 1


def test_one_client_holds_no_more_processes_than_its_share() -> None:
    async def work(workers: Workers) -> None:
        await asyncio.gather(*(workers.ask(abs, 1, seconds=30) for _ in range(2)))  # both are up
        long = [
            asyncio.create_task(workers.ask(time.sleep, 120, seconds=150, client="greedy"))
            for _ in range(3)
        ]
        assert await asyncio.wait_for(workers.ask(abs, -1, seconds=60, client="modest"), 60) == 1
        for task in long:
            task.cancel()

    _run(work, 2, Shares(running_each=1, abandoned=0.1))


def test_a_process_is_kept_free_for_what_is_urgent() -> None:
    async def work(workers: Workers) -> None:
        await asyncio.gather(*(workers.ask(abs, 1, seconds=30) for _ in range(2)))
        long = [
            asyncio.create_task(workers.ask(time.sleep, 120, seconds=150, client=f"{i}"))
            for i in range(3)
        ]
        await asyncio.sleep(0.05)
        asked = workers.ask(abs, -1, seconds=60, priority=URGENT, client="table")
        assert await asyncio.wait_for(asked, 60) == 1
        for task in long:
            task.cancel()

    _run(work, 2, Shares(spare=1, abandoned=0.1))


def test_nobody_may_queue_without_end() -> None:
    async def work(workers: Workers) -> None:
        asked = [
            asyncio.create_task(workers.ask(time.sleep, 0.3, seconds=30, client="greedy"))
            for _ in range(6)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await workers.ask(abs, 1, seconds=30, client="greedy")
        assert await workers.ask(abs, 1, seconds=30, client="modest") == 1
        for task in asked:
            task.cancel()

    _run(work, 1, Shares(waiting_each=5, abandoned=0.1))


def test_work_nobody_waits_for_is_ended() -> None:
    async def work(workers: Workers) -> None:
        await workers.ask(abs, 1, seconds=30)
        asked = asyncio.create_task(workers.ask(time.sleep, 30, seconds=30, client="gone"))
        await asyncio.sleep(0.1)
        asked.cancel()
        assert await workers.ask(abs, -2, seconds=30, client="next") == 2

    _run(work, 1, Shares(abandoned=0.1))


@pytest.mark.parametrize("ending", ["late", "gone", "idle"])
def test_no_process_begins_or_ends_on_the_loop(
    ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others wait for no process to come up, or to give its memory back."""
    here: list[bool] = []

    class Process(web_workers._Process):
        def __init__(self, *given: Any) -> None:
            here.append(current_thread() is main_thread())
            super().__init__(*given)

        def end(self) -> None:
            here.append(current_thread() is main_thread())
            super().end()

    monkeypatch.setattr(web_workers, "_Process", Process)

    async def work(workers: Workers) -> None:
        if ending == "idle":
            await asyncio.gather(*(workers.ask(abs, 1, seconds=30) for _ in range(2)))
            while len(here) < 3:
                await asyncio.sleep(0.01)
        else:
            late = workers.ask(time.sleep, 60, seconds=0.05)
            with pytest.raises((TimeoutError, WorkerError)):
                await (late if ending == "late" else workers.ask(_vanish, seconds=30))
        assert len(here) >= 2
        assert not any(here)

    _run(work, 2, Shares(idle=0.05))


def test_long_work_gives_way_to_those_who_wait() -> None:
    async def work(workers: Workers) -> None:
        await workers.ask(abs, 1, seconds=30)
        long = asyncio.create_task(workers.ask(time.sleep, 30, seconds=60, client="long"))
        await asyncio.sleep(0.1)
        assert await workers.ask(abs, -2, seconds=30, client="short") == 2
        with pytest.raises(Busy, match="others"):
            await long

    _run(work, 1, Shares(slice=0.2, impatient=0.1))
