"""The door of the server: connections that say nothing, say it too slowly or do not listen.
What a client may ask once it has spoken is in `limits`."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from overtrick.web.limits import Bucket, Rates, client_name

_MOST_CLIENTS: Final = 10_000
_ARRIVALS: Final = Rates(per_second=50.0, burst=400.0)
_LOOK: Final = 15.0  # seconds between two looks at whether an answer is being read


@dataclass(frozen=True, slots=True)
class Doors:
    """How many connections there may be, and how long the head of a request may take.

    `each` is for one client, and so is how often it may connect: `arrivals`; `proxies` are
    addresses that speak for many and have no such limits. `unread` are bytes of answers that one
    client may leave unread.
    """

    each: int = 200
    arrivals: Rates = _ARRIVALS
    total: int = 900
    head_seconds: float = 10.0
    unread: int = 24 << 20
    proxies: frozenset[str] = frozenset()


class _Hall:
    """Everybody inside, and those who have not said what they want, the longest waiting first."""

    def __init__(self, doors: Doors) -> None:
        self.doors = doors
        self.inside: Counter[str] = Counter()
        self.speechless: OrderedDict[Any, None] = OrderedDict()
        self.open: dict[str, set[Any]] = {}
        self._arrivals: OrderedDict[str, Bucket] = OrderedDict()

    def enter(self, who: str, connection: Any) -> bool:
        """May this connection come in? When all places are taken, a speechless one makes room."""
        if who not in self.doors.proxies:
            bucket = self._arrivals.setdefault(who, Bucket(self.doors.arrivals))
            self._arrivals.move_to_end(who)
            if len(self._arrivals) > _MOST_CLIENTS:
                self._arrivals.popitem(last=False)
            if not bucket.take() or self.inside[who] >= self.doors.each:
                return False
        if self.inside.total() >= self.doors.total:
            if not self.speechless:
                return False
            oldest, _ = self.speechless.popitem(last=False)
            oldest.turn_out()
        self.inside[who] += 1
        self.open.setdefault(who, set()).add(connection)
        return True

    def leave(self, who: str, connection: Any) -> None:
        self.speechless.pop(connection, None)
        self.inside[who] -= 1
        self.open[who].discard(connection)
        if self.inside[who] <= 0:
            del self.inside[who], self.open[who]

    def unread(self, who: str) -> int:
        """Bytes of answers that wait for this client to read them."""
        return sum(c.transport.get_write_buffer_size() for c in self.open.get(who, ()))


class _Guarded(H11Protocol):
    """One connection: turned out when it is one too many, too slow or deaf."""

    hall: ClassVar[_Hall]
    who = ""
    counted = False
    timer: asyncio.TimerHandle | None = None
    left = 0  # bytes unread at the last look

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        with contextlib.suppress(OSError, AttributeError):
            # A head and its body are two packets: the second must not wait for an answer.
            line = transport.get_extra_info("socket")
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.who = client_name(self.client[0] if self.client else "")
        self.counted = self.hall.enter(self.who, self)
        if self.counted:
            self._await_head()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        busy = self.cycle is not None and not self.cycle.response_complete
        if busy or self.conn.their_state is not h11.IDLE:
            self._spoken()
        elif self.timer is None and self.counted:
            self._await_head()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._gone()  # sockets are counted by the application
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.counted and self.hall.unread(self.who) > self.hall.doors.unread:
            self.turn_out()
        elif self.transport.get_write_buffer_size():
            self.left = self.transport.get_write_buffer_size()
            self.loop.call_later(_LOOK, self._still_unread)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone()
        super().connection_lost(exc)

    def turn_out(self) -> None:
        self._gone()
        if not self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.transport.abort()

    def _await_head(self) -> None:
        self.hall.speechless[self] = None
        self.timer = self.loop.call_later(self.hall.doors.head_seconds, self.turn_out)

    def _spoken(self) -> None:
        self.hall.speechless.pop(self, None)
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def _gone(self) -> None:
        self._spoken()
        if self.counted:
            self.counted = False
            self.hall.leave(self.who, self)

    def _still_unread(self) -> None:
        now = self.transport.get_write_buffer_size()
        if now and now >= self.left:
            self.turn_out()
        elif now:
            self.left = now
            self.loop.call_later(_LOOK, self._still_unread)


def guarded(doors: Doors) -> type[H11Protocol]:
    """The protocol of a server with these doors; all its connections share one hall."""
    return type("Guarded", (_Guarded,), {"hall": _Hall(doors)})
