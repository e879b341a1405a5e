"""Dialogues as files: both ends of a connection in memory, recorded and replayed.
Used by the protocol tests and by `python -m tests.protocol.record`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overtrick.bidding.base import BIDDERS
from overtrick.game import PASS, Board, Call, Deal, Decision, Meaning, Seat, View, Vulnerability
from overtrick.protocol import Gone, Journal, Manager, ManagerPatience, Quirks, Session, WantedSeat
from overtrick.protocol.lines import read
from overtrick.protocol.messages import Message
from overtrick.protocol.player import Client
from overtrick.protocol.quirks import PRESETS
from overtrick.protocol.writing import write
from overtrick.table import robot

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"
Dialect = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Script:
    """Bids from a list; a call marked with ! is alerted as artificial."""

    calls: str = ""

    @property
    def name(self) -> str:
        return f"script(calls={self.calls!r})"

    @property
    def system(self) -> str:
        return "from a list"

    def bid(self, view: View) -> Decision:
        words = self.calls.split()
        mine = len(view.auction.calls_of(view.seat))
        if mine >= len(words):
            return Decision(PASS, Meaning("nothing more to say"))
        call = Call.parse(words[mine].rstrip("!"))
        alert = words[mine].endswith("!")
        return Decision(call, Meaning("artificial" if alert else "natural", alert=alert))


BIDDERS.add("script", Script)


class End:
    """One end of a connection in memory; `said` keeps both directions of the other's end."""

    def __init__(self) -> None:
        self.who, self.quirks = "?", Quirks()
        self.inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self.other: End = self
        self.dialect: Dialect = lambda line: [line]
        self.arrow = ">"
        self.said: list[str] = []
        self._closed = False

    async def receive(self) -> Message:
        line = await self.inbox.get()
        if line is None:
            self._closed = True
            raise Gone("the connection was closed")
        return read(line)

    async def send(self, message: Message) -> None:
        if self._closed:
            raise Gone("the connection was closed")
        for line in self.dialect(write(message, self.quirks)):
            self.said.append(f"{self.arrow} {line}")
            await self.other.inbox.put(line)
        await asyncio.sleep(0)

    @property
    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.other.inbox.put_nowait(None)


def wire() -> tuple[End, End]:
    """The manager's end and the client's end of one connection."""
    manager, client = End(), End()
    manager.other, client.other = client, manager
    manager.arrow, client.arrow = "<", ">"
    client.said = manager.said
    return manager, client


class Replay:
    """An end that says the recorded lines of the peer and checks what it is told.

    A recorded line comes once everything before it has been said to us.
    """

    def __init__(self, lines: list[str], peer: str) -> None:
        self.who, self.quirks = "?", Quirks()
        self._lines = lines
        self._peer = peer  # the arrow of the recorded peer
        self._at = 0
        self._told = [i for i, line in enumerate(lines) if line[0] != peer]
        self._heard = 0
        self._moved = asyncio.Event()
        self._closed = False

    async def receive(self) -> Message:
        while self._at < len(self._lines) and self._lines[self._at][0] != self._peer:
            self._at += 1
        if self._at >= len(self._lines):
            await asyncio.sleep(3600)
        while self._heard < sum(i < self._at for i in self._told):
            self._moved.clear()
            await self._moved.wait()
        line = self._lines[self._at][2:]
        self._at += 1
        if line == "(hangs up)":
            self._closed = True
            raise Gone("the connection was closed")
        return read(line)

    async def send(self, message: Message) -> None:
        text = write(message, self.quirks)
        assert self._heard < len(self._told), f"nothing more was expected, but: {text}"
        expected = self._lines[self._told[self._heard]][2:]
        assert text == expected, f"line {self._told[self._heard] + 1}: {text!r} for {expected!r}"
        self._heard += 1
        self._moved.set()

    @property
    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True

    @property
    def complete(self) -> bool:
        """Has everything been said?"""
        return self._heard == len(self._told)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a dialogue needs to be played again; the header of its file."""

    what: str
    side: str  # whose lines must be exact: manager or client
    boards: list[list[Any]]  # number, dealer, vul, deal
    engines: dict[str, str]  # the other seats
    client: str = "script"
    seat: str = ""
    version: int = 18
    client_quirks: str = "plain"  # how the client writes
    manager_quirks: str = "plain"  # how the manager writes
    patience: float = 5.0
    faults: dict[str, int] = field(default_factory=dict)

    def session(self) -> Session:
        boards = tuple(
            Board(n, Seat.parse(d), Vulnerability.parse(v), Deal.parse(deal))
            for n, d, v, deal in self.boards
        )
        p = self.patience
        return Session(
            boards,
            ("Guests", "House"),
            engines=self.engines,
            rooms=1,
            patience=ManagerPatience(
                call=p, card=p, ready=p, reconnect=p / 10, arrive=p, warnings=0
            ),
            quirks=dict.fromkeys(("Guests", "House"), PRESETS[self.manager_quirks]),
        )

    def player(self, lines: Any) -> Client:
        seat = Seat.parse(self.seat) if self.seat else None
        lines.quirks = PRESETS[self.client_quirks]
        team = "House" if self.seat in ("E", "W") else "Guests"
        return Client(lines, robot(self.client), WantedSeat(team, seat, self.version, 0.05))


def load(path: Path) -> tuple[Scene, list[str]]:
    head, *lines = path.read_text(encoding="ascii").splitlines()
    return Scene(**json.loads(head.removeprefix("# "))), [line for line in lines if line]


async def replay(scene: Scene, lines: list[str]) -> Journal:
    """Play our side against the recorded other side; raises when we say anything else."""
    journal = Journal()
    if scene.side == "client":
        ours = Replay(lines, "<")
        await asyncio.wait_for(scene.player(ours).run(), 20)
    else:
        ours = Replay(lines, ">")
        manager = Manager(scene.session(), journal)
        await asyncio.wait_for(asyncio.gather(manager.greet(ours), manager.play()), 20)
    assert ours.complete, "lines were expected that never came"
    return journal


async def record(scene: Scene, dialect: Dialect) -> tuple[list[str], Journal]:
    """The dialogue as it happens when the other side speaks a dialect."""
    journal = Journal()
    manager_end, client_end = wire()
    speaker = client_end if scene.side == "manager" else manager_end
    speaker.dialect = dialect
    manager = Manager(scene.session(), journal)
    client = asyncio.create_task(scene.player(client_end).run())
    await asyncio.wait_for(asyncio.gather(manager.greet(manager_end), manager.play()), 20)
    client.cancel()
    return manager_end.said, journal
