"""Workers that stay: many small jobs of one run on a local pool, on Ray, or here.

What a worker has read and worked out stays warm between jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from importlib.util import find_spec
from types import TracebackType
from typing import Any, TypeVar

from overtrick.arena.run import Backend, run_jobs
from overtrick.processes import spawned_pool

Job = TypeVar("Job")
Result = TypeVar("Result")
Tell = Callable[[int, int], None]


def _nobody(done: int, total: int) -> None:
    """Nobody is listening."""


class Workforce:
    """`with Workforce(Backend.parse("4")) as workers: workers.map(work, jobs)`.

    `tell(done, total)` hears of every finished job, so that long cells show progress inside.
    """

    def __init__(self, backend: Backend = Backend(), tell: Tell = _nobody) -> None:
        self.backend = backend
        self.tell = tell
        self._pool: ProcessPoolExecutor | None = None
        self._ray: Any = None

    def __enter__(self) -> Workforce:
        if self.backend.kind == "pool":
            self._pool = spawned_pool(self.backend.workers)
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

    def each(
        self, work: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> Iterator[tuple[int, Result]]:
        """Number and result of every job as it finishes; `work` is a function of a module."""
        if self._pool is None:
            found = run_jobs(work, jobs, self.backend)
        else:
            asked = {self._pool.submit(work, job): i for i, job in enumerate(jobs)}
            found = ((asked[future], future.result()) for future in as_completed(asked))
        for done, (number, result) in enumerate(found, 1):
            self.tell(done, len(jobs))
            yield number, result

    def map(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
        """Results in the order of the jobs."""
        found = dict(self.each(work, jobs))
        return [found[i] for i in range(len(jobs))]
