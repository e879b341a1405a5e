"""What one client may use of the loop that serves everybody: its processor time, its attention.
Whoever has used a share waits; whoever does what no browser does is turned out for a while."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic, thread_time
from typing import Any, Final, Protocol, TypeVar

from overtrick.game.errors import printable
from overtrick.web.limits import Bucket, Rates

LOGGER = logging.getLogger(__name__)
T = TypeVar("T")
_MOST_CLIENTS: Final = 10_000
_LOOK: Final = 0.05  # seconds between two looks at whether the loop is late
_FORGIVEN: Final = 600.0  # seconds after which the next time is a first time


_LASTING: Final = Rates(per_second=0.2, burst=5.0)
_AT_ONCE: Final = Rates(per_second=0.33, burst=0.05)
_FRAMES: Final = Rates(per_second=200.0, burst=1000.0)
_HELD: Final = Rates(per_second=1 / 60, burst=2.0)  # times a client may hold the loop
_FRAMES_EACH: Final = Rates(per_second=20.0, burst=200.0)


@dataclass(frozen=True, slots=True)
class Portions:
    """How much of the loop is for one client.

    `lasting` and `at_once` are seconds of processor time: a client that has used them up is served
    again when they have grown again, so that it has a third of the loop for a while and then a
    fifth, whatever it sends. `frames` of sockets are counted for all of a client's windows,
    `frames_each` for one. A loop that was late for `block` seconds again and again turns out
    whoever used them.
    Who is turned out stays out for `barred` seconds, twice as long each time, `longest` at most.
    """

    lasting: Rates = _LASTING
    at_once: Rates = _AT_ONCE
    frames: Rates = _FRAMES
    frames_each: Rates = _FRAMES_EACH
    block: float = 0.15
    barred: float = 10.0
    longest: float = 300.0


class CuttableLine(Protocol):
    """A connection that can be cut."""

    def turn_out(self) -> None: ...


@dataclass(slots=True)
class _Barred:
    until: float
    times: int


class Budgets:
    """What every client has used lately, and which connections are whose."""

    def __init__(self, portions: Portions = Portions()) -> None:
        self.portions = portions
        self.lines: dict[str, set[CuttableLine]] = {}
        self._used: OrderedDict[str, tuple[Bucket, Bucket, Bucket]] = OrderedDict()
        self._barred: OrderedDict[str, _Barred] = OrderedDict()
        self._held: OrderedDict[str, Bucket] = OrderedDict()
        self._lately: defaultdict[str, float] = defaultdict(
            float
        )  # seconds since the loop was looked at

    def _of(self, client: str) -> tuple[Bucket, Bucket, Bucket]:
        found = self._used.get(client)
        if found is None:
            p = self.portions
            found = self._used[client] = (Bucket(p.lasting), Bucket(p.at_once), Bucket(p.frames))
            if len(self._used) > _MOST_CLIENTS:
                self._used.popitem(last=False)
        self._used.move_to_end(client)
        return found

    # ------------------------------------------------------------ time

    def spend(self, client: str, seconds: float) -> None:
        """The loop has worked so long for this client."""
        lasting, at_once, _ = self._of(client)
        lasting.owe(seconds)
        at_once.owe(seconds)
        self._lately[client] += seconds

    def wait_of(self, client: str) -> float:
        """Seconds until it is this client's turn; 0 when it is."""
        lasting, at_once, _ = self._of(client)
        return max(lasting.wait(), at_once.wait())

    @contextmanager
    def working_for(self, client: str, overhead: float = 0.0) -> Iterator[None]:
        """The time that passes inside, and what led there, is this client's."""
        began = thread_time()
        try:
            yield
        finally:
            self.spend(client, thread_time() - began + overhead)

    def timed(self, client: str, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        """The same work; every step of it is this client's time."""
        return _awaited(_Steps(work, partial(self.spend, client)))

    # ------------------------------------------------------------ events and bars

    def hears(self, client: str, frames: int) -> bool:
        """So many frames have come, before anything is made of them: is that bearable?"""
        return self._of(client)[2].take(frames)

    def enter(self, client: str, line: CuttableLine) -> None:
        self.lines.setdefault(client, set()).add(line)

    def leave(self, client: str, line: CuttableLine) -> None:
        mine = self.lines.get(client, set())
        mine.discard(line)
        if not mine:
            self.lines.pop(client, None)

    def is_barred(self, client: str) -> bool:
        found = self._barred.get(client)
        return found is not None and monotonic() < found.until

    def bar(self, client: str, why: str) -> None:
        """Cut all lines of this client, and let it in again after a while."""
        if not self.is_barred(client):
            now, before = monotonic(), self._barred.pop(client, None)
            again = before is not None and now - before.until < _FORGIVEN
            times = before.times + 1 if before is not None and again else 0
            seconds = min(self.portions.barred * 2.0**times, self.portions.longest)
            self._barred[client] = _Barred(now + seconds, times)
            if len(self._barred) > _MOST_CLIENTS:
                self._barred.popitem(last=False)
            LOGGER.warning("out for %.0f s: %s, %s", seconds, printable(client), printable(why))
        for line in list(self.lines.get(client, ())):
            line.turn_out()

    # ------------------------------------------------------------ the loop

    async def watch(self) -> None:
        """Look for ever whether the loop is late; whoever used most of that time is turned out.

        Other programs can keep this one waiting: only processor time of the loop itself counts.
        """
        while True:
            self._lately.clear()
            began, worked = monotonic(), thread_time()
            await asyncio.sleep(_LOOK)
            late = min(monotonic() - began - _LOOK, thread_time() - worked)
            if late > self.portions.block:
                self.blame(late)

    def blame(self, late: float) -> None:
        client, seconds = max(self._lately.items(), key=lambda kv: kv[1], default=("", 0.0))
        LOGGER.warning("the loop was late for %.2f s, %.2f of them for one client", late, seconds)
        if not client or seconds <= late / 2:
            return
        # Once may be our own doing, such as something that is loaded when it is asked for first.
        held = self._held.setdefault(client, Bucket(_HELD))
        if not held.take():
            self.bar(client, f"it kept everybody waiting for {seconds:.2f} s, and not for once")
        while len(self._held) > _MOST_CLIENTS:
            self._held.popitem(last=False)


async def _awaited(steps: _Steps[T]) -> T:
    return await steps


class _Steps(Generator[Any, Any, T]):
    """A coroutine whose steps are timed."""

    def __init__(self, work: Coroutine[Any, Any, T], spend: Callable[[float], None]) -> None:
        self._work, self._spend = work, spend

    def __await__(self) -> Generator[Any, Any, T]:
        return self

    def send(self, value: Any) -> Any:
        began = thread_time()
        try:
            return self._work.send(value)
        finally:
            self._spend(thread_time() - began)

    def throw(self, *error: Any) -> Any:
        began = thread_time()
        try:
            return self._work.throw(*error)
        finally:
            self._spend(thread_time() - began)

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._work.close()
