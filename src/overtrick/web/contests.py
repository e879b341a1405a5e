"""Boards that several tables play: whose result beats whose, the score sheet, the ranking.
A contest is nothing but its events replayed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Final, TypedDict

from overtrick.game import Board, BridgeError, Side, imps, score
from overtrick.game.commitment import Sealed, promise_of_all
from overtrick.game.scoring import result_text
from overtrick.game.view import Scoring
from overtrick.table import TableState
from overtrick.web.answers import ContestPage, EntryRow, RankRow
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
    Unranked,
)
from overtrick.web.frames import MatchShown, SheetLine, SheetRow

MATCH: Final = 16  # boards of a match nobody asked to be longer or shorter
DAILY: Final = 8
MOST_PLAYERS: Final = 256
MOST_EACH: Final = 64  # entries of one client: a club behind one address
_MOST_DAILY: Final = 2000
ROBOT: Final = "robot "  # before a robot's engines, where people have keys
Sat = tuple[tuple[str, ...], tuple[str, ...]]
_NAMED: Final = "contest/"  # before a contest's name in the log: no table is called so


@dataclass(frozen=True, slots=True)
class Contest:
    """A set of boards and who did what on them. `lines[index][table]` is a result; the robots'
    room, where the others of one's team sit, is kept apart because everybody meets it."""

    name: str
    founded: Founded
    players: dict[str, Entered] = field(default_factory=dict)  # by table
    lines: dict[int, dict[str, Line]] = field(default_factory=dict)
    robots: dict[int, OtherRoom] = field(default_factory=dict)
    posted: dict[int, BoardText] = field(default_factory=dict)  # boards made to order
    saw: dict[int, dict[str, frozenset[str]]] = field(default_factory=dict)  # [index][table]
    version: int = 1
    results: int = 1  # the version that last changed a standing

    @property
    def scoring(self) -> Scoring:
        return self.founded.scoring

    @property
    def boards(self) -> int:
        return self.founded.boards

    @property
    def most_players(self) -> int:
        return _MOST_DAILY if self.name.startswith("daily-") else MOST_PLAYERS

    def why_full(self, by: str) -> str:
        """Why a client can enter no more tables; empty when it can. Nobody alone fills a match."""
        if len(self.players) >= self.most_players:
            return f"{self.most_players} play this match already; it is full"
        if sum(entered.by == by for entered in self.players.values()) >= MOST_EACH:
            return f"{MOST_EACH} play this match from your address already; that is all it takes"
        return ""

    def board(self, index: int) -> Board:
        """The board at a place of the set, the same at every table."""
        found = self.founded
        if not 0 <= index < found.boards:
            raise BridgeError(f"this match has {found.boards} boards")
        if index in self.posted:
            return self.posted[index].board()
        if found.deck.boards:
            return found.deck.boards[index].board.board()
        return Board.random(found.first + index, self.seed(index))

    def number(self, index: int) -> int:
        """The board's number, without dealing it."""
        found = self.founded
        if index in self.posted:
            return self.posted[index].number
        return found.deck.boards[index].board.number if found.deck.boards else found.first + index

    def player_seed(self, index: int) -> int:
        """What robots draw their choices from on this board; it tells nothing about the cards."""
        text = f"players {self.founded.seed}/{index}"
        return int.from_bytes(sha256(text.encode()).digest()[:6], "little")

    def seed(self, index: int) -> int:
        """Which cards are dealt on this board. Those of a day, and those of a seed that somebody
        chose, are the same everywhere, and the first of them has that seed itself."""
        found = self.founded
        if found.secret and not found.day and not found.chosen:
            return int.from_bytes(sha256(f"board {index} of {found.secret}".encode()).digest())
        if index == 0:
            return found.seed
        text = f"{found.seed}/{index}"
        return int.from_bytes(sha256(text.encode()).digest()[:6], "little")

    def salt(self, index: int) -> str:
        """Under which a board is promised: the same at all tables, and none tells another."""
        secret = self.founded.secret
        return sha256(f"salt {index} of {secret}".encode()).hexdigest()[:32] if secret else ""

    @property
    def promises(self) -> tuple[str, ...]:
        """What is promised of each board; of boards to order only once they are made."""
        found = self.founded
        indices = range(found.boards) if not found.deck.script else sorted(self.posted)
        if not found.secret:
            return ()
        return tuple(Sealed.of([self.board(i)], self.salt(i)).promise for i in indices)

    def twice(self, people: frozenset[str], table: str, index: int) -> bool:
        """Has one of these people been shown this board at another table?"""
        return any(people & seen for t, seen in self.saw.get(index, {}).items() if t != table)


def replayed(name: str, contest: Contest | None, event: ContestEvent) -> Contest:
    """The contest after one more event; the first must be `Founded`."""
    if isinstance(event, Founded):
        return Contest(name, event)
    if contest is None:
        raise BridgeError("a contest's log begins with its founding")
    version = contest.version + 1
    if isinstance(event, Entered):
        players = {**contest.players, event.table: event}
        return replace(contest, players=players, version=version, results=version)
    if isinstance(event, Removed):
        players = {t: p for t, p in contest.players.items() if t != event.table}
        lines = {
            index: {t: line for t, line in found.items() if t != event.table}
            for index, found in contest.lines.items()
        }
        return replace(contest, players=players, lines=lines, version=version, results=version)
    if isinstance(event, OtherRoom):
        robots = {**contest.robots, event.index: event}
        return replace(contest, robots=robots, version=version, results=version)
    if isinstance(event, Saw):
        tables = contest.saw.get(event.index, {})
        seen = tables.get(event.table, frozenset()) | set(event.people)
        saw = {**contest.saw, event.index: {**tables, event.table: seen}}
        return replace(contest, saw=saw, version=version)
    if isinstance(event, Posted):
        posted = {**contest.posted, event.index: event.board}
        return replace(contest, posted=posted, version=version)
    on_board = {**contest.lines.get(event.index, {}), event.table: event.line}
    lines = {**contest.lines, event.index: on_board}
    return replace(contest, lines=lines, version=version, results=version)


def stream(name: str) -> str:
    """Under which name a contest's events are kept."""
    return _NAMED + name


def daily(day: date, engines: Engines, system: str) -> tuple[str, Founded]:
    """The boards of a day: the same on every server, since they come from the date."""
    seed = int.from_bytes(sha256(f"daily boards {day}".encode()).digest()[:6], "little")
    founded = Founded("", seed, DAILY, "imps", engines, engines, (system, system), day=str(day))
    return f"daily-{day}", founded


def line_of(
    state: TableState, helped: bool = False, side: int | None = None, unranked: Unranked = "",
    sat: Sat = ((), ()),
) -> Line:  # fmt: skip
    """The result of a board that is over; `sat` are people and what they call themselves."""
    contract, tricks = state.contract, state.tricks
    if contract is None:
        return Line("", "", "", None, 0, helped, side, unranked, *sat)
    assert tricks is not None
    points = score(contract, tricks, state.board.vul)
    made = result_text(contract, tricks)
    declarer = contract.declarer.letter
    return Line(contract.ascii, declarer, made, tricks, points, helped, side, unranked, *sat)


# ---------------------------------------------------------------- comparing


def sign(side: int) -> int:
    """Scores are North-South's; the other side sees them the other way round."""
    return 1 if side == Side.NS else -1


def against_robots(contest: Contest, index: int, line: Line, side: int) -> int | None:
    """IMPs of a board against the other room, for one side; None while they still play there."""
    other = contest.robots.get(index)
    return None if other is None else sign(side) * imps(line.score_ns - other.line.score_ns)


def field_of(contest: Contest, index: int) -> list[int]:
    """North-South's scores of all who are ranked on a board and of the robots' room, in order."""
    lines = contest.lines.get(index, {}).values()
    scores = [found.score_ns for found in lines if not found.unranked]
    if index in contest.robots:
        scores.append(contest.robots[index].line.score_ns)
    return sorted(scores)


def share(scores: list[int], line: Line, side: int) -> float | None:
    """Matchpoints of a result in per cent, among the ordered scores of its board.

    >>> share([-100, 400, 400, 420], Line("3NT", "N", "=", 9, 400), Side.NS)
    50.0
    """
    low, high = bisect_left(scores, line.score_ns), bisect_right(scores, line.score_ns)
    if len(scores) < 2 or low == high:
        return None
    beaten = low if side == Side.NS else len(scores) - high
    return round(100 * (beaten + 0.5 * (high - low - 1)) / (len(scores) - 1), 1)


def sheet(contest: Contest, table: str, now: int, entrant: int) -> list[SheetRow]:
    """The score sheet of a table: its finished boards, nothing of those it has still to play. It
    is for who sits on a side `now`, while who entered the table sits on another or the same: each
    board is shown for the side on which he sat then, to his partner and opponents accordingly."""
    rows = []
    for index in range(contest.boards):
        line = contest.lines.get(index, {}).get(table)
        if line is None:
            continue
        side = now if line.side is None else line.side ^ now ^ entrant
        other = contest.robots.get(index)
        scores = field_of(contest, index)
        if line.unranked:
            insort(scores, line.score_ns)
        row = SheetRow(
            index=index,
            number=contest.number(index),
            line=_shown(line, side),
            robots=None if other is None else _shown(other.line, side),
            imps=against_robots(contest, index, line, side),
            percent=share(scores, line, side),
            unranked=line.unranked,
            tables=len(contest.lines.get(index, {})),
            par=None if other is None else sign(side) * other.par_ns,
            par_contracts=[] if other is None else list(other.par),
        )
        rows.append(row)
    return rows


def _shown(line: Line, side: int) -> SheetLine:
    return SheetLine(
        contract=line.contract, declarer=line.declarer, made=line.made, tricks=line.tricks,
        score=sign(side) * line.score_ns,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """How a table does: boards that count, IMPs against the robots' room, matchpoints in per cent,
    on how many boards it was helped, how many do not count."""

    table: str
    player: Entered
    boards: int
    imps: int
    percent: float | None
    helped: int
    unranked: int = 0

    def better(self, scoring: Scoring, done: bool) -> tuple[float, ...]:
        """Smaller is better: whoever has finished comes first, then the score, then the boards."""
        value = self.imps if scoring == "imps" else self.percent or 0.0
        return (float(not done), -float(value), -float(self.boards))


def standings(contest: Contest) -> list[Standing]:
    """Everybody who has finished a board that counts, best first; each board is credited to the
    side that was played."""
    found = []
    scores = [field_of(contest, index) for index in range(contest.boards)]
    for table, player in contest.players.items():
        won, shares, count, helped, unranked = 0, [], 0, 0, 0
        for index in range(contest.boards):
            line = contest.lines.get(index, {}).get(table)
            if line is None:
                continue
            if line.unranked:
                unranked += 1
                continue
            side = player.side if line.side is None else line.side
            count, helped = count + 1, helped + line.helped
            won += against_robots(contest, index, line, side) or 0
            percent = share(scores[index], line, side)
            shares += [] if percent is None else [percent]
        mean = round(sum(shares) / len(shares), 1) if shares else None
        if count:
            found.append(Standing(table, player, count, won, mean, helped, unranked))
    return sorted(found, key=lambda s: s.better(contest.scoring, s.boards == contest.boards))


def ranking(contest: Contest, ordered: list[Standing], me: str = "") -> list[RankRow]:
    """The ranking for a page: places, names and totals, and no card or contract of any board."""
    return [
        RankRow(
            place=place,
            name=s.player.name,
            boards=s.boards,
            imps=s.imps,
            percent=s.percent,
            helped=s.helped,
            unranked=s.unranked,
            mine=s.table == me,
        )
        for place, s in zip(_places(contest, ordered), ordered, strict=True)
    ]


def _places(contest: Contest, ordered: list[Standing]) -> list[int]:
    """Whoever has the same score has the same place."""
    keys = [s.better(contest.scoring, s.boards == contest.boards)[:2] for s in ordered]
    places: list[int] = []
    for i, key in enumerate(keys):
        places.append(places[-1] if i and key == keys[i - 1] else i + 1)
    return places


def told(
    contest: Contest, ordered: list[Standing], me: str = "", promises: tuple[str, ...] = ()
) -> ContestPage:
    """A contest for people who may play in it, with its standings and what is promised."""
    return ContestPage(
        contest=contest.name,
        title=contest.founded.title,
        day=contest.founded.day,
        boards=contest.boards,
        scoring=contest.scoring,
        players=len(contest.players),
        most_players=contest.most_players,
        chosen=contest.founded.chosen,
        promise=promise_of_all(promises) if promises else "",
        promises=promises,
        ranking=ranking(contest, ordered, me),
    )


def entries(contest: Contest) -> list[EntryRow]:
    """All entries as the director sees them, with the names under which they are removed. Those
    from one address have the same number, which is a household, a club or one person twice."""
    counted = Counter(player.by for player in contest.players.values() if player.by)
    shared = [by for by, times in counted.items() if times > 1]
    return [
        EntryRow(
            entry=table,
            name=player.name,
            boards=sum(table in found for found in contest.lines.values()),
            address=shared.index(player.by) + 1 if player.by in shared else None,
        )
        for table, player in contest.players.items()
    ]


def match_of(
    contest: Contest,
    ordered: list[Standing],
    table: str,
    index: int,
    rows: list[SheetRow],
    over: bool,
) -> MatchShown:
    """What a table shows of its match: which board, its sheet, the totals, one's place; how robots
    played the same cards once they are open here."""
    done = over and any(r.index == index for r in rows) and index in contest.robots
    other = contest.robots[index].lin if done else ""
    shares = [r.percent for r in rows if r.percent is not None]
    if contest.founded.event:  # pairs are ranked there, not tables
        ordered = []
    mine = next((i for i, s in enumerate(ordered) if s.table == table), None)
    return MatchShown(
        contest=contest.name,
        title=contest.founded.title,
        day=contest.founded.day,
        boards=contest.boards,
        index=index,
        players=len(contest.players),
        sheet=rows,
        other=other,
        imps=sum(r.imps or 0 for r in rows),
        percent=round(sum(shares) / len(shares), 1) if shares else None,
        place=None if mine is None else _places(contest, ordered[: mine + 1])[-1],
        ranked=len(ordered),
    )


class RoomSettings(TypedDict):
    """How the other room is played."""

    scoring: Scoring
    seed: int
    index: int


def other_room(board: Board, engines: tuple[Engines, Engines], settings: RoomSettings) -> OtherRoom:
    """Four robots play a board from the first call to the last card; par beside it."""
    from overtrick import doubledummy as dd
    from overtrick import notation
    from overtrick.table import play_table
    from overtrick.web.thinking import DisclosingRobot, bidder_of, player_of

    for e in engines:  # one that cannot be made, or may not, is no robot that passes
        bidder_of(e.bidder), player_of(e.player)
    chairs = [DisclosingRobot(e.bidder, e.player) for e in engines] * 2
    state = play_table(board, chairs, scoring=settings["scoring"], seed=settings["seed"])
    par = dd.par(dd.table(board.deal), board.vul, board.dealer)
    names = ("Robot", "Robot", "Robot", "Robot")
    lin = notation.dumps(state.record(names), "lin").strip()
    contracts = tuple(str(c) for c in par.contracts[:3])
    return OtherRoom(settings["index"], line_of(state), par.score, contracts, lin)
