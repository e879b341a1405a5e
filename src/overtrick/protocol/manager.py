"""The Table Manager: seats clients and engines in two rooms and plays a set of boards.
One port for all seats of both rooms."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from overtrick.game import Board, OptionError, Seat, imps
from overtrick.game.view import Scoring
from overtrick.protocol.chairs import Chair, ClientChair, EngineChair, ManagerPatience
from overtrick.protocol.journal import Journal
from overtrick.protocol.messages import Connect, Garbage, Notice, RoomName, Seated
from overtrick.protocol.quirks import Quirks, guess, same_name
from overtrick.protocol.room import ManagedRoom, Programme, Report
from overtrick.protocol.stream import BUFFER, Gone, Lines, Stream, notice_the_dead
from overtrick.table import TableState, robot
from overtrick.table.seats import telling

_SEAT_KEY = re.compile(r"(open|closed):[NESW]", re.IGNORECASE)
_MAX_GREETINGS = 20  # lines of nonsense before a connection has to say who it is


@dataclass(frozen=True, slots=True)
class Session:
    """What is played: boards, two teams, who is one of our engines, how patient we are.

    `engines` maps a team, or a seat such as "open:N", to an engine string; all other seats are
    for clients. In the open room the first team sits North-South, in the closed room East-West.
    """

    boards: tuple[Board, ...]
    teams: tuple[str, str]
    engines: Mapping[str, str] = field(default_factory=dict)
    rooms: int = 2
    patience: ManagerPatience = field(default_factory=ManagerPatience)
    quirks: Mapping[str, Quirks] = field(default_factory=dict)
    scoring: Scoring = "imps"
    seed: int = 0
    max_connections: int = 32

    def __post_init__(self) -> None:
        if not self.boards:
            raise OptionError("a session needs at least one board")
        if same_name(*self.teams):
            raise OptionError(f"the two teams must have different names, not {self.teams[0]!r}")
        if self.rooms not in (1, 2):
            raise OptionError(f"a session is played in one or two rooms, not {self.rooms}")
        for key in self.engines:
            if not any(same_name(key, t) for t in self.teams) and not _SEAT_KEY.fullmatch(key):
                raise OptionError(f"{key!r} is neither a team nor a seat like open:N")

    def sides(self, room: RoomName) -> tuple[str, str]:
        """The teams North-South and East-West in a room."""
        a, b = self.teams
        return (a, b) if room == "open" else (b, a)

    def engine(self, room: RoomName, seat: Seat) -> str | None:
        """The engine of a seat: its own if it has one, else its team's; None is for a client."""
        place, team = f"{room}:{seat.letter}", self.sides(room)[seat.side]
        own = (spec for key, spec in self.engines.items() if same_name(key, place))
        shared = (spec for key, spec in self.engines.items() if same_name(key, team))
        return next(own, None) or next(shared, None)


class Manager:
    """Runs one session; `await run(host, port)` returns when all boards are played."""

    def __init__(
        self, session: Session, journal: Journal | None = None, report: Report | None = None
    ) -> None:
        self.session = session
        self.journal = journal or Journal()
        self.port = 0
        self.listening = asyncio.Event()
        self._greeting: dict[Lines, str] = {}  # with their addresses, the oldest first
        names: tuple[RoomName, ...] = ("open", "closed")
        self.rooms = [self._room(name, report) for name in names[: session.rooms]]

    def _room(self, name: RoomName, report: Report | None) -> ManagedRoom:
        s = self.session
        ns, ew = s.sides(name)
        programme = Programme(name, s.boards, ns, ew, s.scoring, s.seed)
        chairs: list[Chair] = []
        for seat in Seat:
            spec = s.engine(name, seat)
            if spec is None:
                chairs.append(ClientChair(seat, name, s.patience, self.journal))
            else:
                chairs.append(EngineChair(seat, telling(robot(spec)), s.patience))
        return ManagedRoom(programme, chairs, s.patience, self.journal, report or _no_report)

    async def run(self, host: str = "127.0.0.1", port: int = 2000) -> None:
        """Listen, play every board in every room, say goodbye."""
        loop = asyncio.get_running_loop()

        def make() -> asyncio.StreamReaderProtocol:
            reader = _LineReader(limit=BUFFER, loop=loop)
            return asyncio.StreamReaderProtocol(reader, self._accept, loop=loop)

        server = await loop.create_server(make, host, port)
        self.port = server.sockets[0].getsockname()[1]
        self.journal.event("manager", f"listening on {host} port {self.port}")
        self.listening.set()
        try:
            await self.play()
        finally:
            server.close()
            self.journal.event("manager", "closed")

    async def play(self) -> None:
        """All boards in all rooms, side by side; a room that fails does not stop the other."""
        ends = await asyncio.gather(*(r.run() for r in self.rooms), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        notice_the_dead(writer.get_extra_info("socket"))
        await self.greet(Stream(reader, writer, self.journal), str(peer[0]) if peer else "")

    def _longest_silent(self) -> Lines:
        """Of the connections that have not said who they are: the oldest one of the address that
        has most of them."""
        crowd = Counter(self._greeting.values())
        address = max(self._greeting.values(), key=lambda a: crowd[a])
        return next(stream for stream, a in self._greeting.items() if a == address)

    async def greet(self, stream: Lines, address: str = "") -> None:
        """A new connection: who is it, and which chair is it for?"""
        if len(self._greeting) >= self.session.max_connections:
            mute = self._longest_silent()
            self.journal.event(mute.who, "sent away: it said nothing and others wait")
            mute.close()
            self._greeting.pop(mute, None)
        self._greeting[stream] = address
        try:
            async with asyncio.timeout(self.session.patience.greet):
                hello = await _hello(stream)
        except (Gone, TimeoutError):
            self.journal.event(stream.who, "left without saying who it is")
            stream.close()
            return
        finally:
            self._greeting.pop(stream, None)
        chair = self._chair_for(hello)
        if isinstance(chair, str):
            self.journal.event(stream.who, f"refused: {chair}")
            await _refuse(stream, chair)
            return
        stream.quirks = guess(hello.team, dict(self.session.quirks))
        chair.reserve(stream, hello)
        try:
            await stream.send(Seated(chair.seat, hello.team))
        except Gone:
            return
        self.journal.event(chair.who, f"seated {hello.team!r}, version {hello.version}")
        chair.sit()

    def _chair_for(self, hello: Connect) -> ClientChair | str:
        """The chair for a connection, or the reason why there is none."""
        if not any(same_name(hello.team, t) for t in self.session.teams):
            return f"Error Team name mismatch, expected {' or '.join(self.session.teams)}"
        if not 17 <= hello.version <= 19:
            return f"Error protocol version {hello.version} is not supported"
        ours = [
            chair
            for room in self.rooms
            for chair in room.clients
            if same_name(self.session.sides(room.programme.name)[chair.seat.side], hello.team)
            and hello.seat in (None, chair.seat)
        ]
        free = next((c for c in ours if c.vacant), None)
        if free is not None:
            return free
        return "Error the seat is taken" if ours else "Error no such seat for this team"


class _LineReader(asyncio.StreamReader):
    """A reader that knows of the peer's end even when unread lines remain."""

    ended = False

    def feed_eof(self) -> None:
        self.ended = True
        super().feed_eof()

    def at_eof(self) -> bool:
        return self.ended


async def _hello(stream: Lines) -> Connect:
    for _ in range(_MAX_GREETINGS):
        message = await stream.receive()
        if isinstance(message, Connect):
            return message
        if not isinstance(message, Garbage):
            await stream.send(Notice("error", "Error expected Connecting ... as ..."))
    raise Gone("no greeting")


async def _refuse(stream: Lines, words: str) -> None:
    try:
        await stream.send(Notice("error", words))
    except Gone:
        return
    finally:
        stream.close()


def _no_report(room: ManagedRoom, state: TableState) -> None:
    return


def comparison(
    open_room: Sequence[TableState], closed_room: Sequence[TableState]
) -> list[tuple[int, int, int, int]]:
    """Board number, both North-South scores and IMPs for the first team, board by board."""
    closed = {s.board.number: s for s in closed_room}
    rows = []
    for state in open_room:
        other = closed.get(state.board.number)
        if other is None:
            continue
        a, b = state.score() or 0, other.score() or 0
        rows.append((state.board.number, a, b, imps(a - b)))
    return rows
