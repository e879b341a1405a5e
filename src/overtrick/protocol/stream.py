"""Lines over a connection: bounded in length, in number and in time, each one journalled.
Tests put their own pair of ends in its place."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Final, Protocol

from overtrick.protocol.journal import STRANGER, Journal
from overtrick.protocol.lines import MAX_LINE, read
from overtrick.protocol.messages import Garbage, Message
from overtrick.protocol.quirks import Quirks
from overtrick.protocol.writing import write

BUFFER: Final = 4 * MAX_LINE  # bytes kept of a peer that talks faster than we listen
WRITE_SECONDS: Final = 5.0  # a peer that does not listen for so long is gone
# A machine that lost its power says no goodbye: after so many quiet seconds, and so many
# questions without an answer, its connection is closed and its chair can be taken again.
_PROBES: Final = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


def notice_the_dead(line: socket.socket) -> None:
    """Let the system ask whether the machine at the other end still runs."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _PROBES.items():
        if hasattr(socket, name):
            with contextlib.suppress(OSError):
                line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Gone(ConnectionError):
    """The peer has closed its end, or does not listen any more."""


class Lines(Protocol):
    """What manager and player need of a connection."""

    who: str
    quirks: Quirks

    async def receive(self) -> Message: ...

    async def send(self, message: Message) -> None: ...

    def close(self) -> None: ...

    @property
    def is_closed(self) -> bool: ...


class Stream:
    """A TCP connection as lines."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, journal: Journal
    ) -> None:
        self.who = STRANGER
        self.quirks = Quirks()
        self._reader = reader
        self._writer = writer
        self._journal = journal
        self._closed = False

    async def receive(self) -> Message:
        """The next line; waits for it. Safe to cancel: nothing is lost."""
        try:
            raw = await self._reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as error:
            # Throw away what has come of an endless line; its end will be read as garbage too.
            await self._reader.readexactly(max(1, error.consumed))
            return self._note(Garbage("", f"longer than {BUFFER} bytes"))
        except (asyncio.IncompleteReadError, ConnectionError, OSError):
            self.close()
            raise Gone("the connection was closed") from None
        text = raw.decode("latin-1").rstrip("\r\n")
        self._journal.line("in", self.who, text[: 2 * MAX_LINE])
        return read(text)

    def _note(self, garbage: Garbage) -> Garbage:
        self._journal.line("in", self.who, f"({garbage.why})")
        return garbage

    async def send(self, message: Message) -> None:
        if self._closed:
            raise Gone("the connection was closed")
        if self.quirks.delay:
            await asyncio.sleep(self.quirks.delay)
        text = write(message, self.quirks)
        self._journal.line("out", self.who, text)
        try:
            self._writer.write(text.encode("ascii") + b"\r\n")
            await asyncio.wait_for(self._writer.drain(), WRITE_SECONDS)
        except (TimeoutError, ConnectionError, OSError):
            self.close()
            raise Gone("the connection does not take lines") from None

    @property
    def is_closed(self) -> bool:
        """Closed by us or by the peer, as far as it is known without reading on."""
        return self._closed or self._reader.at_eof() or self._writer.is_closing()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._writer.close()
