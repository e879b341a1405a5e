"""Processes that work for this one. They end with it, whatever has ended it: each holds the end of
a pipe whose other end only we hold, and hears when it closes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any, Final

_PIPE: Final = "OVERTRICK_STARTER"  # names the pipe that ends with whoever started this program


def spawned_pool(workers: int, first: Callable[[], object] = bool) -> ProcessPoolExecutor:
    """A pool of fresh processes, each of which does `first` before its first job.

    Spawned, not forked: the double-dummy library holds threads that do not survive a fork.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(first,))


def spawned(work: Callable[..., object], *arguments: Any) -> SpawnProcess:
    """A fresh process that will do this work; `start` starts it."""
    context = multiprocessing.get_context("spawn")
    return context.Process(target=_work, args=(work, arguments), daemon=True)


def run_program(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` for one of our own verbs (`end_with_starter`)."""
    if os.name == "nt":
        return subprocess.run(command, check=False, **options)
    theirs, ours = os.pipe()
    try:
        environment = {**os.environ, _PIPE: str(theirs)}
        return subprocess.run(
            command, check=False, pass_fds=(theirs,), env=environment, **options
        )  # fmt: skip
    finally:
        os.close(theirs)
        os.close(ours)


def end_with_starter() -> None:
    """For a program that `run_program` may have started."""
    pipe = os.environ.pop(_PIPE, "")
    if pipe.isdecimal():
        Thread(target=_end_after, args=(int(pipe),), daemon=True).start()


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes started in the block do not hear Ctrl-C: that is the business of the one who
    started them, and each would print how it was hit."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # else its start would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(first: Callable[[], object]) -> None:
    _end_with_parent()
    first()


def _work(work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    _end_with_parent()
    work(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(pipe: int) -> None:
    """Nothing is put away: nobody is left who could want it."""
    connection.wait([pipe])
    os._exit(1)
