"""The socket of a table: join with a token, then act; every frame is made for one seat.
Too long, too many, unreadable or foreign messages are refused."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from overtrick.game import BridgeError
from overtrick.web import messages
from overtrick.web.api import KEPT_WORDS, client_of, kept_of, same_origin
from overtrick.web.budgets import Budgets
from overtrick.web.frames import Frame, State, Trouble
from overtrick.web.limits import Clients
from overtrick.web.live import Room
from overtrick.web.seated import Guest, Live, NotAllowed
from overtrick.web.workers import CLIENT, WorkerError

_MOST_QUEUED = 200
_JOIN_SECONDS = 10.0
_READ_SECONDS = 30.0
_MOST_ASKED = 30  # questions of one window that are not answered yet
_POLICY, _TOO_BIG = 1008, 1009
_MOST_STRIKES = 20
_COMING = 1.0  # of a client's allowance


async def table_socket(socket: WebSocket) -> None:
    """One browser at one table, from its first message to its last."""
    clients: Clients = socket.app.state.clients
    client = client_of(socket)
    welcome = same_origin(socket.headers) and clients.may_ask(client, _COMING)
    if not welcome or not clients.socket_opened(client):
        clients.note(client, "a socket from another site, or too many")
        await socket.close(_POLICY)
        return
    CLIENT.set(client)
    try:
        await socket.accept()
        await _Visit(socket, clients).run()
    except WebSocketDisconnect:
        pass
    finally:
        clients.socket_closed(client)


class _Visit:
    """The conversation on one socket."""

    def __init__(self, socket: WebSocket, clients: Clients) -> None:
        self._socket = socket
        self._clients, self._client = clients, client_of(socket)
        self._rates = clients.rates
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_QUEUED)
        self._unread = 0  # bytes of the frames in the queue
        self._room: Room = socket.app.state.room
        self._budgets: Budgets = socket.app.state.budgets
        self._asked: set[asyncio.Task[None]] = set()
        self._strikes = 0

    def send(self, message: Frame) -> None:
        """Queue a frame; a browser that does not read loses its connection, not its seat."""
        frame = msgspec.json.encode(message)
        full = self._out.full() or self._unread + len(frame) > self._rates.unread_bytes
        if full or not self._clients.unread(self._client, len(frame)):
            self._hang_up()
            return
        self._unread += len(frame)
        self._out.put_nowait(frame)

    def _hang_up(self) -> None:
        """Forget what is queued and let the writer close the socket."""
        with contextlib.suppress(asyncio.QueueEmpty):
            while True:
                self._out.get_nowait()
        self._forget_unread()
        self._out.put_nowait(None)

    def _forget_unread(self) -> None:
        self._clients.unread(self._client, -self._unread)
        self._unread = 0

    async def run(self) -> None:
        live, guest = await self._join()
        if live is None or guest is None:
            return
        writer = asyncio.create_task(self._budgets.timed(self._client, self._write()))
        self._room.enter(live, guest)
        try:
            while True:
                text = await self._receive()
                if text is None:
                    return
                self._heard(live, guest, text)
        finally:
            self._room.leave(live, guest)
            for task in self._asked:
                task.cancel()
            self._out.put_nowait(None) if not self._out.full() else writer.cancel()
            await asyncio.wait([writer], timeout=1)
            self._forget_unread()

    async def _join(self) -> tuple[Live | None, Guest | None]:
        try:
            text = await asyncio.wait_for(self._receive(), _JOIN_SECONDS)
        except TimeoutError:
            text = None
        if text is None:
            await self._close(_POLICY)
            return None, None
        try:
            join = messages.JOIN.decode(text)
            live = await self._room.find(self._socket.path_params["table"])
            guest = self._room.guest(live, join.token, self.send, join.browser)
            if len(live.guests) >= self._rates.sockets_per_table:
                raise NotAllowed("too many windows are open at this table")
        except (msgspec.DecodeError, UnicodeDecodeError, BridgeError) as error:
            await self._refuse(f"{error}")
            return None, None
        return live, guest

    async def _refuse(self, text: str) -> None:
        self._clients.note(self._client, text)
        await self._socket.send_bytes(msgspec.json.encode(_problem(text)))
        await self._close(_POLICY)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(code)

    async def _receive(self) -> bytes | None:
        """The next message as bytes; None when the socket is closed or said too much."""
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            return None
        text: Any = message.get("text")
        data = text.encode() if isinstance(text, str) else message.get("bytes") or b""
        if len(data) > self._rates.message_bytes:
            self._clients.note(self._client, f"a message of {len(data)} bytes")
            await self._close(_TOO_BIG)
            return None
        return bytes(data)

    def _heard(self, live: Live, guest: Guest, text: bytes) -> None:
        if not self._clients.may_ask(self._client):
            self._strike("too many messages; slow down")
            return
        if len(self._asked) >= _MOST_ASKED:
            self._strike("you have asked a lot already; wait for an answer first")
            return
        try:
            action = messages.ACTIONS.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            self._strike(f"not understood: {error}")
            return
        if not self._clients.may_keep(self._client, kept_of(action)):
            self._strike(KEPT_WORDS)
            return
        # Hints take a while: the socket goes on listening meanwhile.
        answer = self._answer(live, guest, action)
        task = asyncio.create_task(self._budgets.timed(self._client, answer))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)

    def _strike(self, text: str) -> None:
        """Say what was wrong; somebody who sends nothing but rubbish is sent away."""
        self._clients.note(self._client, text)
        self._strikes += 1
        if self._strikes > _MOST_STRIKES:
            self._hang_up()
        else:
            self.send(_problem(text))

    async def _answer(self, live: Live, guest: Guest, action: messages.Action) -> None:
        try:
            answer = await self._room.act(live, guest, action)
        except (BridgeError, WorkerError) as error:
            self.send(_problem(str(error)))
            return
        if not isinstance(answer, State):  # states have gone to everybody already
            self.send(answer)

    async def _write(self) -> None:
        """The one writer of this socket."""
        while True:
            frame = await self._out.get()
            if frame is None:
                await self._close(_POLICY)
                return
            try:
                # Until it is sent it counts as unread: whoever does not read is hung up on.
                await asyncio.wait_for(self._socket.send_text(frame.decode()), _READ_SECONDS)
            except TimeoutError:
                await self._close(_POLICY)
                return
            except (RuntimeError, WebSocketDisconnect):
                return
            size = min(len(frame), self._unread)  # none when it was hung up on meanwhile
            self._clients.unread(self._client, -size)
            self._unread -= size


def _problem(text: str) -> Trouble:
    return Trouble(error=text[:300])
