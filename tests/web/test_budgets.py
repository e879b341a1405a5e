"""What one connection may make the loop do, counted and not timed: frames, heads, bodies, turns."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine
from typing import Any

import h11
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from overtrick.web.budgets import Budgets, Portions
from overtrick.web.connections import Door, Doors, guarded
from overtrick.web.framing import MOST_HEAD, BadHead, Frames, body_length, forwarded_for, head_of
from overtrick.web.limits import Rates

UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)
PING = Frame(Opcode.PING, b"").serialize(mask=True)
NEVER = Rates(per_second=1e-9, burst=1e9)
EASY = Portions(lasting=NEVER, at_once=NEVER)  # time is no matter here


class Wire(asyncio.Transport):
    """A connection without a network: what is written, whether it is open, whether it is read."""

    def __init__(self, address: str = "192.0.2.66") -> None:
        super().__init__({"peername": (address, 5000), "sockname": ("192.0.2.1", 80)})
        self.written, self.closed, self.reading = bytearray(), False, True
        self.protocol: Any = None

    def write(self, data: Any) -> None:
        self.written += data

    def write_eof(self) -> None:
        pass

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.protocol.connection_lost(None)

    abort = close

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def get_write_buffer_size(self) -> int:
        return 0

    def send(self, data: bytes) -> None:
        """What a selector loop does with bytes that have come; none while nobody reads."""
        while data and self.reading and not self.closed:
            place = self.protocol.get_buffer(-1)
            piece, data = data[: len(place)], data[len(place) :]
            place[: len(piece)] = piece
            self.protocol.buffer_updated(len(piece))


class Server:
    """Protocols as a server makes them, in front of an application that counts."""

    def __init__(self, portions: Portions = EASY, **doors: Any) -> None:
        self.asked: list[str] = []
        self.heard = 0
        self.budgets = Budgets(portions)
        self.made = guarded(Doors(**doors), self.budgets)
        self.config = uvicorn.Config(
            self.answer, interface="asgi3", log_config=None, ws_max_size=4096
        )
        self.config.load()

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] == "websocket.receive":
                self.heard += 1
            return
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200,
                    "headers": [(b"content-length", b"2")]})  # fmt: skip
        await send({"type": "http.response.body", "body": b"ok"})

    def wire(self, address: str = "192.0.2.66") -> Wire:
        wire = Wire(address)
        wire.protocol = self.made(self.config, ServerState(), {})
        wire.protocol.connection_made(wire)
        return wire

    async def socket(self, address: str = "192.0.2.66") -> Wire:
        wire = self.wire(address)
        wire.send(UPGRADE)
        await settled()
        assert b" 101 " in wire.written
        return wire


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


# ---------------------------------------------------------------- frames


@given(
    st.lists(
        st.tuples(st.sampled_from((Opcode.TEXT, Opcode.CONT)), st.integers(0, 70_000)), max_size=20
    ),
    st.data(),
)
def test_frames_are_counted_in_any_pieces(frames: list[tuple[Any, int]], data: Any) -> None:
    stream = b"".join(Frame(code, b"x" * size).serialize(mask=True) for code, size in frames)
    counted, found, at = Frames(), 0, 0
    while at < len(stream):
        size = data.draw(st.integers(1, 8000))
        found += counted.count(stream[at : at + size])
        at += size
    assert found == len(frames)


@pytest.mark.parametrize(
    "frame",
    [PING, Frame(Opcode.PONG, b"x" * 125).serialize(mask=True),
     Frame(Opcode.TEXT, b'{"type":"sudo"}').serialize(mask=True)],
    ids=("ping", "pong", "text"),
)  # fmt: skip
def test_a_socket_that_sends_more_frames_than_a_browser_is_closed(frame: bytes) -> None:
    async def test() -> None:
        server = Server()
        wire, other = await server.socket(), await server.socket("192.0.2.1")
        parsed: list[int] = []
        real = wire.protocol.data_received
        wire.protocol.data_received = lambda data: (parsed.append(len(data)), real(data))
        for _ in range(5000):
            wire.send(frame)
            await asyncio.sleep(0)
        assert wire.closed
        most = server.budgets.portions.frames_each.burst
        assert sum(parsed) <= (most + 1) * len(frame)
        assert server.budgets.is_barred("192.0.2.66")
        assert not other.closed
        other.send(PING)
        assert not other.closed

    run(test)


def test_no_frame_of_a_flood_is_parsed() -> None:
    """Thousands at once: the parser is not asked at all."""

    async def test() -> None:
        server = Server()
        wire = await server.socket()
        wire.protocol.data_received = lambda _: pytest.fail("parsed")
        wire.send(PING * 2000)
        assert wire.closed

    run(test)


def test_fragments_without_end_are_frames() -> None:
    async def test() -> None:
        server = Server()
        wire = await server.socket()
        wire.send(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
        wire.send(Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 1000)
        assert wire.closed
        assert server.heard == 0

    run(test)


def test_all_windows_of_a_client_share_its_frames() -> None:
    async def test() -> None:
        server = Server()
        wires = [await server.socket() for _ in range(12)]
        for wire in wires:
            wire.send(PING * 150)  # none of them too many for one window
        assert all(wire.closed for wire in wires)
        assert server.budgets.is_barred("192.0.2.66")

    run(test)


# ---------------------------------------------------------------- requests


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding : CHUNKED\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        (
            b"POST / HTTP/1.1\r\nHost: a\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n",
            400,
        ),
        (b"GET /a HTTP/1.1\nHost: a\n\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a:\r\n" * 200 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * MOST_HEAD + b"\r\n\r\n", 431),
    ],
)
def test_what_no_browser_sends_is_refused_before_it_is_parsed(head: bytes, status: int) -> None:
    async def test() -> None:
        server = Server()
        wire = server.wire()
        wire.protocol.data_received = lambda _: pytest.fail("parsed")
        wire.send(head + b"1\r\nx\r\n" * 1000)
        await settled()
        assert wire.written.startswith(f"HTTP/1.1 {status} ".encode())
        assert server.asked == []
        for _ in range(100):
            wire.send(b"1\r\nx\r\n" * 1000)  # he goes on, and nobody listens
        assert wire.closed

    run(test)


def test_the_parser_gets_one_whole_head_whatever_the_pieces() -> None:
    async def test() -> None:
        server = Server()
        wire = server.wire()
        parsed: list[bytes] = []
        real = wire.protocol.data_received
        wire.protocol.data_received = lambda data: (parsed.append(data), real(data))
        request = b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
        for piece in (request[:20], request[20:], b"a", b"bc"):
            wire.send(piece)
            while not wire.reading:  # what comes in small pieces is read now and then
                await asyncio.sleep(0.001)
        await settled()
        assert parsed == [request, b"a", b"bc"]
        assert server.asked == ["/a"]
        assert wire.written.endswith(b"ok")

    run(test)


def test_nobody_looks_at_what_comes_after_an_answer() -> None:
    async def test() -> None:
        server = Server()
        wire = server.wire()

        async def at_once(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 413, "headers": []})
            await send({"type": "http.response.body", "body": b"too long"})

        wire.protocol.app = at_once
        wire.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n")
        await settled()
        assert wire.written.startswith(b"HTTP/1.1 413 ")
        wire.protocol.data_received = lambda _: pytest.fail("parsed")
        while not wire.reading:
            await asyncio.sleep(0.001)
        wire.send(b"x" * 900_000)
        assert not wire.closed
        wire.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 20_000)
        assert wire.closed

    run(test)


def test_small_pieces_are_read_seldom() -> None:
    async def test() -> None:
        server = Server()
        body, head = server.wire(), server.wire()
        body.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\nx")
        head.send(b"GET / HT")
        socket = await server.socket()
        socket.send(Frame(Opcode.TEXT, b"x" * 100).serialize(mask=True)[:50])
        assert [wire.reading for wire in (body, head, socket)] == [False] * 3
        whole = await server.socket()
        whole.send(PING)
        assert whole.reading
        for wire in (body, head, socket):
            while not wire.reading:
                await asyncio.sleep(0.001)
        body.send(b"x" * 2000)
        assert body.reading

    run(test)


def test_requests_in_a_row_are_answered_one_by_one() -> None:
    async def test() -> None:
        server = Server()
        wire = server.wire()
        wire.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % i for i in range(20)))
        assert len(server.asked) <= 1
        for _ in range(20):
            await settled()
        assert server.asked == [f"/{i}" for i in range(20)]
        wire.close()

    run(test)


def test_an_endless_row_of_requests_is_cut() -> None:
    async def test() -> None:
        server = Server()
        wire = server.wire()
        wire.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 20_000)
        assert wire.closed
        assert len(server.asked) <= 1

    run(test)


@given(
    st.binary(max_size=400), st.sampled_from([b"", b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n"])
)
def test_any_bytes_are_a_head_or_not(noise: bytes, end: bytes) -> None:
    with contextlib.suppress(BadHead):
        head = head_of(noise + end)
        assert (noise + end).startswith(head)
        assert 0 <= body_length(head, 1000) <= 1000


_LINE_ENDS = st.sampled_from(
    [b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r", b"\n\n", b"\r\n ", b"\r\n\t"]
)
_HEAD_LINES = st.sampled_from(
    [
        b"Content-Length: 5", b"content-length :5", b"Content-Length: 5, 5", b"5", b"", b"A: b",
        b"Content-Length:\x0b5", b"Transfer-Encoding: chunked", b"transfer-encoding:chunked",
        b"Connection: close", b"GET /b HTTP/1.1",
    ]
)  # fmt: skip


@given(st.lists(st.tuples(_HEAD_LINES, _LINE_ENDS), max_size=6))
def test_the_parser_sees_the_same_end_of_a_request(lines: list[tuple[bytes, bytes]]) -> None:
    """Nothing comes behind our back: what is passed on is one request, and as long as we think."""
    sent = b"POST /a HTTP/1.1\r\nHost: a\r\n" + b"".join(map(b"".join, lines)) + b"\r\n\r\n"
    try:
        head = head_of(sent)
        length = body_length(head, 1000)
    except BadHead:
        return
    parser = h11.Connection(h11.SERVER)
    parser.receive_data(head + b"x" * length)
    with contextlib.suppress(h11.RemoteProtocolError):
        assert isinstance(parser.next_event(), h11.Request)
        if length:
            assert parser.next_event().data == b"x" * length
        assert isinstance(parser.next_event(), h11.EndOfMessage)
        assert parser.trailing_data == (b"", False)


def test_the_last_address_that_is_no_proxy_is_the_client() -> None:
    head = b"GET / HTTP/1.1\r\nX-Forwarded-For: 9.9.9.9, 192.0.2.7\r\nx-forwarded-for: ::1\r\n\r\n"
    assert forwarded_for(head, frozenset({"::1"})) == "192.0.2.7"
    assert forwarded_for(b"GET / HTTP/1.1\r\n\r\n", frozenset()) == ""


# ---------------------------------------------------------------- turns


def test_who_has_used_his_share_waits_and_others_do_not() -> None:
    async def test() -> None:
        server = Server(Portions(at_once=Rates(per_second=1e-9, burst=0.01)))
        for _ in range(3):
            wire = server.wire()
            wire.send(b"GET /greedy HTTP/1.1\r\nHost: a\r\n\r\n")
            await settled()
            server.budgets.spend("192.0.2.66", 1.0)
        other = server.wire("192.0.2.1")
        other.send(b"GET /modest HTTP/1.1\r\nHost: a\r\n\r\n")
        await settled()
        assert server.asked == ["/greedy", "/modest"]
        assert not wire.reading  # the rest waits with whoever sent it
        wire.close()

    run(test)


def test_who_waited_for_a_refusal_is_refused_once() -> None:
    async def test() -> None:
        portions = Portions(lasting=NEVER, at_once=Rates(per_second=1000, burst=0.0001))
        server = Server(portions)
        wire = server.wire()
        wire.send(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(50):
            wire.send(b"1\r\nx\r\n" * 100)
            await asyncio.sleep(0.001)
        assert wire.written.count(b"HTTP/1.1 411 ") == 1

    run(test)


def test_who_waited_is_served() -> None:
    async def test() -> None:
        server = Server(Portions(lasting=NEVER, at_once=Rates(per_second=1000, burst=0.01)))
        server.budgets.spend("192.0.2.66", 10.0)
        wire = server.wire()
        wire.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n")
        wire.send(b"x" * 20_000)
        assert server.asked == []
        while not server.asked:
            await asyncio.sleep(0.001)
        while not wire.reading:
            await asyncio.sleep(0.001)
        wire.send(b"x" * 20_000)
        await settled()
        assert wire.written.endswith(b"ok")
        wire.close()

    run(test)


def test_behind_a_proxy_everybody_has_a_budget_of_his_own() -> None:
    async def test() -> None:
        server = Server(proxies=frozenset({"192.0.2.99"}))
        forwarded = b"X-Forwarded-For: 192.0.2.%d\r\n"
        wires = []
        for client in (66, 1):
            wire = server.wire("192.0.2.99")
            wire.send(UPGRADE.replace(b"Host:", forwarded % client + b"Host:"))
            await settled()
            wires.append(wire)
        wires[0].send(PING * 2000)
        assert [wire.closed for wire in wires] == [True, False]
        again = [server.wire("192.0.2.99") for _ in range(2)]
        for wire, client in zip(again, (66, 1), strict=True):
            wire.send(b"GET / HTTP/1.1\r\n" + forwarded % client + b"Host: a\r\n\r\n")
        await settled()
        assert again[0].written.startswith(b"HTTP/1.1 429 ")
        assert again[1].written.startswith(b"HTTP/1.1 200 ")

    run(test)


def test_steps_of_work_are_counted_and_nothing_else_changes() -> None:
    async def work(fail: bool) -> str:
        await asyncio.sleep(0)
        try:
            await asyncio.sleep(0 if not fail else 60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise
        return "done"

    async def test() -> None:
        budgets = Budgets()
        budgets.spend = lambda client, seconds: steps.append(client)  # type: ignore[method-assign]
        assert await budgets.timed("a", work(False)) == "done"
        assert steps == ["a"] * 3
        task = asyncio.create_task(budgets.timed("b", work(True)))
        await settled()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seen == ["cancelled"]

    steps: list[str] = []
    seen: list[str] = []
    run(test)


def test_whoever_blocks_the_loop_again_and_again_is_turned_out() -> None:
    async def test() -> None:
        server = Server()
        mine, other = await server.socket(), await server.socket("192.0.2.1")
        server.budgets.spend("192.0.2.66", 0.3)
        server.budgets.spend("192.0.2.1", 0.01)
        for _ in range(2):  # that may be something loaded for the first time
            server.budgets.blame(0.35)
            assert not mine.closed
        server.budgets.blame(0.35)
        assert (mine.closed, other.closed) == (True, False)
        server.budgets.blame(5.0)  # something else kept everybody waiting
        assert not other.closed

    run(test)


def test_a_bar_is_longer_each_time_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("overtrick.web.budgets.monotonic", lambda: now)
    budgets, lengths = Budgets(), []
    for _ in range(8):
        budgets.bar("a", "why")
        began = now
        while budgets.is_barred("a"):
            now += 5.0
        lengths.append(now - began)
    assert lengths == [10, 20, 40, 80, 160, 300, 300, 300]
    now += 3600
    budgets.bar("a", "why")
    now += 10
    assert not budgets.is_barred("a")


def test_the_door_opens_for_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crowd at the door does not keep those who are in from their turns."""
    import socket

    made = guarded(Doors(arrivals=Rates(per_second=0, burst=20)), Budgets())
    door = Door.at(socket.create_server(("127.0.0.1", 0), backlog=64), made)
    door.setblocking(False)
    outside = [socket.create_connection(door.getsockname()) for _ in range(40)]
    inside, turns = [], 0
    while turns < 10:
        try:
            inside.append(door.accept()[0])
        except BlockingIOError:
            turns += 1
    assert len(inside) == 20
    assert sum(_cut(line) for line in outside) == 20
    for line in (*inside, *outside, door):
        line.close()


def _cut(line: Any) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_random_rubbish_ends_a_connection_and_nothing_else() -> None:
    async def test() -> None:
        rng, server = random.Random(1), Server()
        for i in range(60):
            wire = await server.socket(f"198.51.100.{i}") if i % 2 else server.wire()
            for _ in range(4):
                wire.send(rng.randbytes(rng.randrange(1, 3000)))
                await asyncio.sleep(0)
            wire.close()
        assert not server.budgets.lines
        last = server.wire()
        last.send(b"GET /fine HTTP/1.1\r\nHost: a\r\n\r\n")
        await settled()
        assert server.asked[-1] == "/fine"

    run(test)
