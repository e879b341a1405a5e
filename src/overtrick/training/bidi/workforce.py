"""Workers that stay: many small jobs of one run on a local pool, on Ray, or here.
Used by co-training and its tests; what a worker has read and worked out stays warm between jobs."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from types import TracebackType
from typing import Any, TypeVar

from overtrick.arena.run import Backend, run_jobs

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workforce:
    """`with Workforce(Backend.parse("4")) as workers: workers.map(work, tasks)`."""

    def __init__(self, backend: Backend = Backend()) -> None:
        self.backend = backend
        self._pool: ProcessPoolExecutor | None = None
        self._ray: Any = None

    def __enter__(self) -> Workforce:
        if self.backend.kind == "pool":
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.backend.workers, mp_context=context)
        elif self.backend.kind == "ray" and find_spec("ray") is not None:
            ray: Any = import_module("ray")
            if not ray.is_initialized():  # once for all rounds, not for each
                address = self.backend.address or None
                ray.init(address=address, log_to_driver=False, include_dashboard=False)
                self._ray = ray
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None

    @property
    def hands(self) -> int:
        """How many jobs run at once."""
        return self.backend.workers if self.backend.kind == "pool" else 1

    def map(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
        """Results in the order of the tasks; `work` is a function of a module."""
        if self._pool is not None:
            return list(self._pool.map(work, tasks))
        found = dict(run_jobs(work, tasks, self.backend))
        return [found[i] for i in range(len(tasks))]
