"""Run many independent jobs: in this process, on a local pool, or on Ray; same results on all."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeVar

from overtrick.game import OptionError
from overtrick.processes import deaf_children, spawned_pool

LOGGER = logging.getLogger(__name__)
Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerDied(RuntimeError):
    """A job killed its worker again and again; the text names the job."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Where jobs run. `Backend.parse("2")`, `"here"`, `"ray"`, `"ray:auto"`, `"ray:host:port"`.

    >>> Backend.parse("2").workers, Backend.parse("ray:auto").kind
    (2, 'ray')
    """

    kind: Literal["here", "pool", "ray"] = "here"
    workers: int = 1
    address: str = ""
    retries: int = 3

    @classmethod
    def of(cls, workers: int | str, ray: str | None = None) -> Backend:
        """So many processes, or Ray: 'auto', an address, or 'local'.

        >>> Backend.of(2), Backend.of("1", "auto")
        (Backend(kind='pool', workers=2, address='', retries=3), Backend(kind='ray', workers=1, \
address='auto', retries=3))
        """
        return cls.parse(("ray" if ray == "local" else f"ray:{ray}") if ray else str(workers))

    @classmethod
    def parse(cls, text: str) -> Backend:
        if text == "here":
            return cls()
        kind, _, rest = text.partition(":")
        if kind == "ray":
            return cls("ray", address=rest)
        try:
            workers = int(text)
        except ValueError:
            raise OptionError(
                f"run on 'here', a number of workers or 'ray', not {text!r}"
            ) from None
        if workers < 1:
            raise OptionError(f"at least one worker is needed, not {workers}")
        return cls("pool", workers) if workers > 1 else cls()


def run_jobs(
    work: Callable[[Task], Result], tasks: Sequence[Task], backend: Backend = Backend()
) -> Iterator[tuple[int, Result]]:
    """Yield (index of the task, its result) as they finish, in any order.

    `work` is a module-level function of one picklable task. A task whose worker dies is given to
    another worker, `backend.retries` times; what `work` itself raises is raised here.

    >>> list(run_jobs(abs, [-1, 2]))
    [(0, 1), (1, 2)]
    """
    if backend.kind == "here":
        yield from ((i, work(task)) for i, task in enumerate(tasks))
    elif backend.kind == "pool":
        yield from _on_pool(work, tasks, backend)
    else:
        yield from _on_ray(work, tasks, backend)


def in_order(found: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """The results of `run_jobs` in the order of their tasks, each as soon as all before it are
    there.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early: dict[int, Result] = {}
    wanted = 0
    for index, result in found:
        early[index] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def _on_pool(
    work: Callable[[Task], Result], tasks: Sequence[Task], backend: Backend
) -> Iterator[tuple[int, Result]]:
    waiting = list(range(len(tasks)))[::-1]
    suspects: list[int] = []
    tries = [0] * len(tasks)
    while waiting or suspects:
        # After a death everything that was in flight is done again one by one, each in a process
        # of its own, so that only the job that kills its worker is blamed for it.
        one = suspects.pop() if suspects else None
        queue = waiting if one is None else [one]
        lost = yield from _one_pool(work, tasks, queue, 1 if one is not None else backend.workers)
        if not lost:
            continue
        LOGGER.warning("a worker died; %d jobs are done again", len(lost))
        if one is not None:
            tries[one] += 1
            if tries[one] > backend.retries:
                raise WorkerDied(f"job {one} lost its worker {tries[one]} times")
        suspects += sorted(lost, reverse=True)


def _one_pool(
    work: Callable[[Task], Result], tasks: Sequence[Task], waiting: list[int], workers: int
) -> Generator[tuple[int, Result], None, list[int]]:
    """Work off `waiting` from its end until it is empty or a worker dies; what was lost then."""
    pool = spawned_pool(workers)
    lost: list[int] = []
    running: dict[Future[Result], int] = {}
    known = set(multiprocessing.active_children())
    try:
        while (waiting and not lost) or running:
            # Few in flight: memory stays bounded however many tasks there are.
            while waiting and not lost and len(running) < 2 * workers:
                index = waiting.pop()
                try:
                    with deaf_children():
                        running[pool.submit(work, tasks[index])] = index
                except BrokenProcessPool:
                    lost.append(index)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                index = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    lost.append(index)
                    continue
                yield index, result
    except BaseException:  # nobody waits for what is half done: it is done again next time
        for child in set(multiprocessing.active_children()) - known:
            child.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return lost


def _on_ray(
    work: Callable[[Task], Result], tasks: Sequence[Task], backend: Backend
) -> Iterator[tuple[int, Result]]:
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise OptionError("Ray is not installed: pip install 'overtrick[ray]'") from None
    started = not ray.is_initialized()
    if started:
        os.environ.setdefault("RAY_DEDUP_LOGS", "1")
        ray.init(address=backend.address or None, log_to_driver=False, include_dashboard=False)
    try:
        remote: Any = ray.remote(max_retries=backend.retries)(work)
        slots = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting = list(range(len(tasks)))[::-1]
        running: dict[Any, int] = {}
        while waiting or running:
            while waiting and len(running) < slots:
                index = waiting.pop()
                running[remote.remote(tasks[index])] = index
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                index = running.pop(reference)
                try:
                    result = ray.get(reference)
                except ray.exceptions.WorkerCrashedError as error:
                    raise WorkerDied(f"job {index} lost its worker: {error}") from None
                yield index, result
    finally:
        if started:
            ray.shutdown()
