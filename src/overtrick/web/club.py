"""The contests of a server: founded, entered, scored; robots play every board in the other room.
Contests are logged before they are shown."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Final

import msgspec

from overtrick.game import Board, BridgeError
from overtrick.web import contests, thinking
from overtrick.web.contests import Contest, Standing
from overtrick.web.events import (
    BoardText,
    ContestEvent,
    Engines,
    Entered,
    Founded,
    Line,
    OtherRoom,
    Posted,
    Removed,
    Saw,
    Scored,
)
from overtrick.web.limits import mark
from overtrick.web.sources import by_script
from overtrick.web.store import Log, LogError
from overtrick.web.workers import CLIENT, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
BACKGROUND: Final = 3  # behind everything that somebody waits for
_SECONDS: Final = 120.0  # for a board in the other room
_KEPT: Final = 400  # contests in memory


class NoContest(BridgeError):
    """There is no such match."""


class NotDirector(BridgeError):
    """Somebody else's match."""


def digest(secret: str) -> str:
    """Tokens are kept as hashes."""
    return sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Helpers:
    """Who makes boards to order, and who plays the other room."""

    dealer: Workers
    players: Workers | None


class Club:
    """All contests; `changed(name)` is called when the other room's result has come."""

    def __init__(self, log: Log, helpers: Helpers, changed: Callable[[str], None]) -> None:
        self._log, self._helpers, self._changed = log, helpers, changed
        self._kept: OrderedDict[str, Contest] = OrderedDict()
        self._ranked: dict[str, tuple[int, list[Standing]]] = {}
        self._promised: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._playing: dict[tuple[str, int], asyncio.Task[None]] = {}

    def found(self, founded: Founded, name: str = "") -> Contest:
        """A new set of boards; unless it is named, nobody can guess its name, and nobody can guess
        what it is dealt from."""
        name = name or secrets.token_urlsafe(9)
        founded = msgspec.structs.replace(founded, secret=secrets.token_hex(16))
        self._log.add(contests.stream(name), 1, founded)
        return self._keep(contests.replayed(name, None, founded))

    def find(self, name: str) -> Contest:
        """A contest by name, from memory or from the log."""
        found = self._kept.get(name)
        if found is None:
            for event in self._log.events(contests.stream(name)) if len(name) <= 32 else []:
                found = contests.replayed(name, found, event)  # type: ignore[arg-type]
        if found is None:
            raise NoContest("there is no such match (any more)")
        return self._keep(found)

    def today(self, engines: Engines, system: str, day: date | None = None) -> Contest:
        """The boards of the day, founded when the first person asks for them."""
        name, founded = contests.daily(day or datetime.now(UTC).date(), engines, system)
        try:
            return self.find(name)
        except NoContest:
            return self.found(founded, name)

    def standings(self, name: str) -> list[Standing]:
        """Who leads; worked out once for every change of the contest, since each frame shows it."""
        contest = self.find(name)
        known = self._ranked.get(name)
        if known is None or known[0] != contest.results:
            known = self._ranked[name] = (contest.results, contests.standings(contest))
            if len(self._ranked) > _KEPT:
                del self._ranked[next(iter(self._ranked))]
        return known[1]

    def enter(self, name: str, table: str, player: str, side: int) -> Contest:
        """A table begins to play the set."""
        contest, by = self.find(name), mark(CLIENT.get())
        if why := contest.why_full(by):
            raise BridgeError(why)
        return self._add(contest, Entered(table, player, side, by))

    def seat(self, name: str, table: str, pairs: str) -> Contest:
        """A table of an event's round plays some of its boards."""
        return self._add(self.find(name), Entered(table, pairs, 0))

    def direct(self, name: str, token: str) -> Contest:
        """The contest, for whoever shows its director's token."""
        contest = self.find(name)
        if not contest.founded.director or digest(token) != contest.founded.director:
            raise NotDirector("this token does not direct this match")
        return contest

    def remove(self, name: str, token: str, entry: str) -> Contest:
        """The director takes an entry and its results out of the match."""
        contest = self.direct(name, token)
        if entry not in contest.players:
            raise NoContest("there is no such entry in this match")
        return self._add(contest, Removed(entry))

    def promises(self, name: str) -> tuple[str, ...]:
        """What is promised of the boards; worked out once, since they are dealt for it."""
        contest = self.find(name)
        known = self._promised.get(name)
        if known is None or known[0] != len(contest.posted):
            known = self._promised[name] = (len(contest.posted), contest.promises)
            if len(self._promised) > _KEPT:
                del self._promised[next(iter(self._promised))]
        return known[1]

    def post(self, name: str, index: int, board: Board) -> Contest:
        """A board that was made to order is the same for everybody from now on."""
        contest = self.find(name)
        if index in contest.posted:
            return contest
        return self._add(contest, Posted(index, BoardText.of(board)))

    def saw(self, name: str, table: str, index: int, people: frozenset[str]) -> None:
        """These people have been shown a board at a table."""
        contest = self.find(name)
        known = contest.saw.get(index, {}).get(table, frozenset())
        if new := people - known:
            self._add(contest, Saw(table, index, tuple(sorted(new))))

    def score(self, name: str, table: str, index: int, line: Line) -> None:
        """A table's result; only its first one on a board counts."""
        contest = self.find(name)
        if table in contest.players and table not in contest.lines.get(index, {}):
            self._add(contest, Scored(table, index, line))

    async def board(self, name: str, index: int, seconds: float) -> Board:
        """The board at a place; one to order is made when the first table comes to it."""
        contest = self.find(name)
        script = contest.founded.deck.script
        if not script or index in contest.posted:
            return contest.board(index)
        number = (contest.founded.first + index - 1) % 9999 + 1
        board = await by_script(script, number, contest.seed(index), self._helpers.dealer, seconds)
        return self.post(name, index, board).board(index)

    def begin(self, name: str, index: int) -> None:
        """Let the robots play a board in the other room, unless they have or do."""
        key, contest = (name, index), self.find(name)
        if self._helpers.players is None or index in contest.robots or key in self._playing:
            return
        task = asyncio.create_task(self._other_room(contest, index))
        self._playing[key] = task
        task.add_done_callback(lambda _: self._playing.pop(key, None))

    async def _other_room(self, contest: Contest, index: int) -> None:
        board, founded = contest.board(index), contest.founded
        settings: contests.RoomSettings = {
            "scoring": contest.scoring, "seed": contest.player_seed(index), "index": index,
        }  # fmt: skip
        usual = Engines(thinking.USUAL_BIDDER, thinking.USUAL_PLAYER)
        found: OtherRoom | None = None
        # A bidder or player that thinks for minutes is replaced by the usual one.
        for engines in ((founded.ns, founded.ew), (usual, usual)):
            try:
                assert self._helpers.players is not None
                found = await self._helpers.players.ask(
                    contests.other_room, board, engines, settings, seconds=_SECONDS,
                    priority=BACKGROUND,
                )  # fmt: skip
                break
            except (TimeoutError, WorkerError, BridgeError) as error:
                LOGGER.warning("the other room of %s, board %d: %s", contest.name, index, error)
        contest = self.find(contest.name)
        if found is not None and index not in contest.robots:
            with contextlib.suppress(LogError):  # played again when somebody looks at the board
                self._add(contest, found)
                self._changed(contest.name)

    def _add(self, contest: Contest, event: ContestEvent) -> Contest:
        """Log first, then believe."""
        after = contests.replayed(contest.name, contest, event)
        self._log.add(contests.stream(contest.name), after.version, event)
        return self._keep(after)

    def _keep(self, contest: Contest) -> Contest:
        self._kept[contest.name] = contest
        self._kept.move_to_end(contest.name)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return contest
