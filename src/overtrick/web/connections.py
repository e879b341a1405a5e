"""The door of the server: every byte is counted for its client before a parser sees it.
What a client may ask once it has spoken is in `limits`, what it may use in `budgets`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections import Counter, OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from overtrick.web.budgets import Budgets
from overtrick.web.framing import BadHead, Frames, body_length, forwarded_for, head_of
from overtrick.web.limits import Bucket, Rates, client_name

_MOST_CLIENTS: Final = 10_000
_ARRIVALS: Final = Rates(per_second=50.0, burst=400.0)
_LOOK: Final = 15.0  # seconds between two looks at whether an answer is being read
_READ: Final = 16 << 10  # bytes of one connection before it is the next one's turn
_ACCEPTED: Final = 4  # connections before it is the turn of those that are open,
_SENT_AWAY: Final = 32  # and so many that are not let in
_SMALL: Final = 1024  # bytes: whoever sends less at a time, and nothing whole, is read less often
_SELDOM: Final = 0.01  # seconds
_MOST_AHEAD: Final = 64 << 10  # bytes that wait while a request is being answered
_REST: Final = 5.0  # seconds for the rest of a body that has been answered
_MOST_AFTER: Final = 256 << 10  # bytes still read from whoever is refused, so that he reads why
_CONNECTING: Final = 300e-6  # seconds that a connection costs, whatever it says
_READING: Final = 50e-6  # seconds that a piece costs before anything is made of it,
_BYTE: Final = 50e-9  # and every byte of it: some megabytes a second are for one client

_named = lru_cache(maxsize=4096)(client_name)


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
    body_bytes: int = 4 << 20
    proxies: frozenset[str] = frozenset()


class _Hall:
    """Everybody inside, and those who have not said what they want, the longest waiting first."""

    def __init__(self, doors: Doors, budgets: Budgets) -> None:
        self.doors, self.budgets = doors, budgets
        self.inside: Counter[str] = Counter()
        self.speechless: OrderedDict[Any, None] = OrderedDict()
        self.open: dict[str, set[Any]] = {}
        self._arrivals: OrderedDict[str, Bucket] = OrderedDict()
        # All connections of a loop read into the same place, one after the other.
        self.place = bytearray(_READ)

    def knocks(self, who: str) -> bool:
        """May somebody come to the door again? Nothing has been made for him yet."""
        if who in self.doors.proxies:
            return True
        bucket = self._arrivals.setdefault(who, Bucket(self.doors.arrivals))
        self._arrivals.move_to_end(who)
        if len(self._arrivals) > _MOST_CLIENTS:
            self._arrivals.popitem(last=False)
        if not bucket.take() or self.budgets.is_barred(who):
            return False
        return self.inside[who] < self.doors.each

    def enter(self, who: str, connection: Any) -> bool:
        """May this connection come in? When all places are taken, a speechless one makes room."""
        if who not in self.doors.proxies and self.inside[who] >= self.doors.each:
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


class Door(socket.socket):
    """A listening socket that lets in whom the hall lets in: the others cost next to nothing."""

    hall: _Hall

    @classmethod
    def at(cls, listening: socket.socket, protocol: type[Any]) -> Door:
        """The door to the hall of a guarded protocol, in place of a listening socket."""
        made = cls(listening.family, listening.type, listening.proto, listening.detach())
        made.hall, made._came = protocol.hall, 0.0
        # What somebody has sent and nobody has read goes when he is turned out.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _MOST_AHEAD)
        return made

    def accept(self) -> tuple[socket.socket, Any]:
        """The next one who may come in; those who are in have their turn after a few."""
        while self._came < 1.0:
            try:
                line, address = super().accept()
            except OSError:
                self._came = 0.0
                raise
            if self.hall.knocks(_named(address[0])):
                self._came += 1 / _ACCEPTED
                return line, address
            self._came += 1 / _SENT_AWAY
            line.close()
        self._came = 0.0
        raise BlockingIOError

    _came: float


class _Counted(asyncio.BufferedProtocol):
    """A connection whose bytes come in small pieces, are counted for a client, and wait while that
    client has used more than its share of the loop."""

    hall: ClassVar[_Hall]
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client_name = ""  # whose budget is used
    _waiting: asyncio.TimerHandle | None = None

    def get_buffer(self, sizehint: int) -> bytearray:
        return self.hall.place

    def buffer_updated(self, nbytes: int) -> None:
        if not self.transport.is_closing():
            self.arrived(bytes(memoryview(self.hall.place)[:nbytes]))

    def eof_received(self) -> None:
        """Nobody here says half of it."""

    def arrived(self, data: bytes) -> None:
        raise NotImplementedError

    def go_on(self) -> None:
        raise NotImplementedError

    def belongs_to(self, client: str) -> None:
        """From now on this client's budget is used; a barred one is turned out."""
        if client != self.client_name:
            self.hall.budgets.leave(self.client_name, self)
            self.client_name = client
            self.hall.budgets.enter(client, self)

    def must_wait(self) -> bool:
        """Has the client used its share? Then nothing more is read until it has a new one."""
        if self._waiting is not None:
            return True
        seconds = self.hall.budgets.wait_of(self.client_name)
        if seconds:
            self.rest(seconds)
        return seconds > 0

    def rest(self, seconds: float) -> None:
        """Read nothing for a while; what comes meanwhile comes in one piece."""
        if self._waiting is None and not self.transport.is_closing():
            self.transport.pause_reading()
            self._waiting = self.loop.call_later(seconds, self._waited)

    def _waited(self) -> None:
        self._waiting = None
        if self.transport.is_closing():
            return
        self.go_on()
        if self._waiting is None and not self.transport.is_closing():
            self.transport.resume_reading()

    def turn_out(self) -> None:
        if not self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.transport.abort()

    def _done(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        self.hall.budgets.leave(self.client_name, self)


class GuardedSocket(_Counted, WebSocketsSansIOProtocol):
    """A table's socket: turned out when it sends more frames than any browser."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._frames = Frames()
        self._mine = Bucket(self.hall.budgets.portions.frames_each)
        self._came = bytearray()  # and waits for its turn

    def arrived(self, data: bytes) -> None:
        found, budgets = self._frames.count(data), self.hall.budgets
        budgets.spend(self.client_name, _READING + _BYTE * len(data))
        if not self._mine.take(found) or not budgets.hears(self.client_name, found):
            budgets.bar(self.client_name, "more frames than any browser sends")
            self.turn_out()
            return
        self._came += data
        self.go_on()
        if len(data) < _SMALL and self._frames.broken:
            self.rest(_SELDOM)

    def go_on(self) -> None:
        if self._came and not self.must_wait():
            data, self._came = bytes(self._came), bytearray()
            with self.hall.budgets.working_for(self.client_name):
                self.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._done()
        super().connection_lost(exc)


class _Guarded(_Counted, H11Protocol):
    """One connection: turned out when it is one too many, too slow or deaf. The parser gets one
    whole head at a time, then its body, and the next head when the answer has gone."""

    who = ""
    counted = False
    timer: asyncio.TimerHandle | None = None
    left = 0  # bytes unread at the last look
    _body = 0  # bytes of a body that are still to come
    _refused: int | None = None  # bytes that came after a refusal
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        with contextlib.suppress(OSError, AttributeError):
            # A head and its body are two packets: the second must not wait for an answer.
            line = transport.get_extra_info("socket")
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._came = bytearray()
        self.who = _named(self.client[0] if self.client else "")
        self.belongs_to(self.who)
        self.counted = self.hall.enter(self.who, self)
        if not self.counted:
            transport.abort()
            return
        if not self._is_proxy:
            self.hall.budgets.spend(self.who, _CONNECTING)
        self._await_head()

    @property
    def _is_proxy(self) -> bool:
        return self.who in self.hall.doors.proxies

    def arrived(self, data: bytes) -> None:
        self.hall.budgets.spend(self.client_name, _READING + _BYTE * len(data))
        if self._refused is not None:
            self._refused += len(data)
            if self._refused > _MOST_AFTER:
                self.turn_out()
            self.must_wait()
            return
        self._came += data
        if len(self._came) > _MOST_AHEAD:
            self.turn_out()
            return
        self.go_on()
        if self._came and not self._body and self.timer is None and not self._answering:
            self._unset_keepalive_if_required()
            self._await_head()
        if len(data) < _SMALL and (self._body or (self._came and not self._answering)):
            self.rest(_SELDOM)

    def go_on(self) -> None:
        """Pass on what may be passed on now."""
        while self._came and not (self._upgraded or self.transport.is_closing()):
            try:
                piece = self._next_piece()
            except BadHead as error:
                self._refuse(error)
                return
            if not piece:
                return
            del self._came[: len(piece)]
            with self.hall.budgets.working_for(self.client_name):
                self.data_received(piece)

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _next_piece(self) -> bytes:
        """The next bytes for the parser; none while they are not whole or not due."""
        if self._body:
            if self.must_wait():
                return b""
            piece = bytes(self._came[: self._body])
            self._body -= len(piece)
            return piece
        if self._answering:
            return b""
        while self._came.startswith(b"\r\n"):  # some send an empty line after a body
            del self._came[:2]
        head = head_of(self._came)
        if not head:
            return b""
        if self._is_proxy:
            self.belongs_to(_named(forwarded_for(head, self.hall.doors.proxies)))
            if self.hall.budgets.is_barred(self.client_name):
                raise BadHead(429, "too much at once; try again in a while")
        if self.must_wait():
            return b""
        self._body = body_length(head, self.hall.doors.body_bytes)
        self._spoken()
        return head

    def _refuse(self, error: BadHead) -> None:
        """Answer in a word and hang up; what comes meanwhile is not looked at."""
        self._spoken()
        self._refused = 0
        self._came.clear()
        body = json.dumps({"error": error.text}).encode()
        self.transport.write(
            f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
            "connection: close\r\n\r\n".encode()
            + body
        )
        self.transport.write_eof()
        self.loop.call_later(1.0, self.turn_out)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._gone()  # sockets are counted by the application
        self._upgraded = True
        super().handle_websocket_upgrade(event)
        opened = self.transport.get_protocol()
        if isinstance(opened, GuardedSocket):
            opened.belongs_to(self.client_name)
        self._done()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._body and not self.transport.is_closing():
            # It was answered before it was all there: nobody looks at the rest.
            self._refused, self._body = -self._body, 0
            self._came.clear()
            self.loop.call_later(_REST, self.turn_out)
        if self.counted and self.hall.unread(self.who) > self.hall.doors.unread:
            self.turn_out()
        elif self.transport.get_write_buffer_size():
            self.left = self.transport.get_write_buffer_size()
            self.loop.call_later(_LOOK, self._still_unread)
        if self._came:
            self.loop.call_soon(self.go_on)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone()
        self._done()
        super().connection_lost(exc)

    def turn_out(self) -> None:
        self._gone()
        super().turn_out()

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


def guarded(doors: Doors, budgets: Budgets | None = None) -> type[H11Protocol]:
    """The protocol of a server with these doors; all its connections share one hall."""
    hall = _Hall(doors, budgets or Budgets())
    sockets = type("Sockets", (GuardedSocket,), {"hall": hall})

    class Guarded(_Guarded):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.ws_protocol_class = sockets

    Guarded.hall = hall
    return Guarded
