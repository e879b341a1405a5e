"""A league: a schedule of matches between robots of ours and programs from outside.

The schedule is a file that names the robots and who meets whom. Programs from outside are named in
it but never started by it: whoever runs the league says how to start them, and a pair of which one
is missing is reported as not played. All pairs play the same deals, whose seed is drawn when the
league begins; what is printed first is its hash, and the seed stands in the result. Every match is
a file of its own, so a league goes on where it was stopped, and grows as its opponents have time.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import msgspec

from overtrick.arena.job import Match
from overtrick.arena.judged import given_up, judged, parts_of
from overtrick.arena.ladder import results_of
from overtrick.arena.match import (
    Chunk,
    MatchProgress,
    Rooms,
    board_result,
    both_tables,
    chunks,
    prepared,
    rooms_of,
)
from overtrick.arena.profile import Profile, profiles
from overtrick.arena.ratings import Meeting, ratings
from overtrick.arena.results import BoardResult
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.store import Store
from overtrick.arena.tally import Tally
from overtrick.engines.seal import hide
from overtrick.game import Decision, OptionError, View
from overtrick.game.errors import BridgeError, printable
from overtrick.notation.whole import write_whole
from overtrick.table import Occupant, robot
from overtrick.table.seats import as_data

IDENTITY: Final = "league.json"  # in its folder: the deals
_PLAYED_BY: Final = "played_by.json"  # which commits played the boards of each match
_MOST_BYTES: Final = 1 << 20
_MOST_PAIRS: Final = 400
_ELSEWHERE: Final = re.compile(r"\b(external|ben)\b")  # their work is done in other processes


class LeagueError(BridgeError):
    """The schedule or a file of results cannot be read."""


_Key = tuple[str, str, bool, bool]  # two names, with all cards, disclosed


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two robots by name, over so many boards; `play` is with all cards. Unless `disclosed` neither
    is told what the other one plays."""

    a: str
    b: str
    boards: int
    play: bool = False
    disclosed: bool = True

    @property
    def key(self) -> _Key:
        return self.a, self.b, self.play, self.disclosed

    @property
    def how(self) -> str:
        """What is scored, and whether systems are told."""
        scored = "all cards played" if self.play else "double dummy"
        return scored + ("" if self.disclosed else ", undisclosed")

    @property
    def file(self) -> str:
        how = ("play" if self.play else "dd") + ("" if self.disclosed else "-undisclosed")
        words = (re.sub(r"[^a-z0-9]+", "-", s.lower()).strip("-") for s in (self.a, self.b))
        told = hashlib.sha256(f"{self.a}\n{self.b}".encode()).hexdigest()[:6]
        return "-".join([*words, told, how]) + ".sqlite"


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Robots of ours by name, programs from outside by name and description, and the pairs."""

    robots: dict[str, str]
    outside: dict[str, str] = {}
    match: list[Pair] = []

    @classmethod
    def read(cls, path: Path) -> Schedule:
        """A schedule from a TOML file; what is wrong with it is one line."""
        if path.stat().st_size > _MOST_BYTES:
            raise LeagueError(f"{path}: a schedule has at most {_MOST_BYTES:,} bytes")
        try:
            found = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), cls)
        except (ValueError, msgspec.ValidationError, RecursionError) as error:
            raise LeagueError(f"{path}: {printable(str(error))}") from None
        found.check(path)
        return found

    def check(self, path: Path) -> None:
        """Raise where a name stands for nothing, or a file would start a program."""
        if len(self.match) > _MOST_PAIRS:
            raise LeagueError(f"{path}: a league has at most {_MOST_PAIRS} matches")
        for spec in self.robots.values():
            robot(as_data(spec))
        seen: set[Pair] = set()
        for pair in self.match:
            for name in (pair.a, pair.b):
                if name not in self.robots and name not in self.outside:
                    raise LeagueError(f"{path}: {printable(name)!r} is no robot of this league")
            if pair.a == pair.b or pair.boards < 1 or pair in seen:
                raise LeagueError(f"{path}: {printable(pair.a)} cannot meet {printable(pair.b)} so")
            seen.add(pair)


_Parts = dict[str, tuple[float, float]]  # by part, with the standard error


class RobotSide(msgspec.Struct, frozen=True):
    """What one robot was and did in a match. `given_up` are tricks double dummy, a room in which it
    led, declared or defended. Who works in other processes is timed by the wall's clock."""

    name: str
    declares: str
    seconds_a_board: float
    rulings: int
    opening_rates: list[float | None]
    given_up: _Parts = {}
    by_wall: bool = False

    @property
    def seconds(self) -> str:
        """For a table.

        >>> RobotSide("BEN", "", 0.7, 0, [], by_wall=True).seconds
        '0.700 (wall)'
        """
        return f"{self.seconds_a_board:.3f}" + (" (wall)" if self.by_wall else "")


class Row(msgspec.Struct, frozen=True):
    """A match as it stands. `shares` are IMPs a board by part, as double dummy sees them."""

    a: RobotSide
    b: RobotSide
    play: bool
    wanted: int
    boards: int
    imps: float
    error: float
    shares: _Parts
    date: str
    commit: str
    machine: str
    disclosed: bool = True

    @property
    def key(self) -> _Key:
        return self.a.name, self.b.name, self.play, self.disclosed

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.imps, self.error, self.boards, self.boards)


class Rated(msgspec.Struct, frozen=True):
    """A robot's IMPs a board above the average of those it is linked with."""

    name: str
    play: bool
    imps: float
    error: float


class Results(msgspec.Struct, frozen=True):
    """What a league has found; the file from which pages make their tables."""

    command: str
    seed: int
    commitment: str
    rows: list[Row] = []
    ratings: list[Rated] = []

    @classmethod
    def read(cls, path: Path) -> Results:
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise LeagueError(f"{path} holds no results: {printable(str(error))}") from None

    def write(self, path: Path) -> None:
        write_whole(path, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")

    def found(self, pair: Pair) -> Row | None:
        return next((r for r in self.rows if r.key == pair.key), None)


@dataclass(frozen=True, slots=True)
class Where:
    """What is written beside every figure."""

    date: str
    commit: str
    machine: str


def commitment(seed: int) -> str:
    """What is published of a seed before the first board is played.

    >>> commitment(7)[:16]
    'fd39b198dffaeac9'
    """
    return hashlib.sha256(f"overtrick league {seed}".encode()).hexdigest()


def seed_of(folder: Path, given: int | None = None) -> int:
    """The seed of the league in a folder: drawn now, or as it was, or as somebody repeats it."""
    path = folder / IDENTITY
    if path.exists():
        try:
            held = int(json.loads(path.read_text(encoding="utf-8"))["seed"])
        except (ValueError, KeyError, TypeError) as error:
            raise LeagueError(f"{path} cannot be read: {printable(str(error))}") from None
        if given not in (None, held):
            raise LeagueError(f"{folder} holds a league on other deals: name another folder")
        return held
    drawn = secrets.randbits(62) if given is None else given
    write_whole(path, json.dumps({"seed": drawn, "commitment": commitment(drawn)}) + "\n")
    return drawn


Report = Callable[[Pair, MatchProgress], None]


def play_league(
    schedule: Schedule,
    outside: Mapping[str, str],
    results: Results,
    folder: Path,
    where: Where,
    backend: Backend = Backend(),
    *,
    only: Sequence[Pair] | None = None,
    report: Report | None = None,
    play: bool = True,
) -> Iterator[Results]:
    """Play what is missing, match by match; after each the results so far. Without `play` matches
    that were broken off are counted as they stand."""
    for name in outside:
        if name not in schedule.outside:
            raise LeagueError(f"{printable(name)!r} is no outside program of this league")
    engines = {**schedule.robots, **outside}
    folder.mkdir(parents=True, exist_ok=True)
    for pair in schedule.match if only is None else only:
        if pair.a not in engines or pair.b not in engines:
            continue
        if not (play or (folder / pair.file).exists()):
            continue
        a, b = engines[pair.a], engines[pair.b]
        job = Match(a, b, pair.boards, seed=results.seed, chunk=10, disclosed=pair.disclosed)
        if pair.play:
            job = replace(job, method="play", chunk=1)
        if play:
            _probe(pair, a, b)
            _finished(pair, job, folder, where, backend, report)
        row = _row(pair, job, folder, where, results.found(pair))
        if row is None:
            continue
        results = _with(schedule, results, row)
        results = msgspec.structs.replace(results, ratings=_ratings(schedule, folder))
        yield results


def _probe(pair: Pair, *specs: str) -> None:
    """A program that is not there is said now; at the table each of its calls would be ruled on."""
    view = View("N", "AQ954.K83.KJ6.92", "", "None")
    for name, spec in zip((pair.a, pair.b), specs, strict=True):
        try:
            robot(spec).bid(view)
        except BridgeError:
            raise
        except Exception as error:
            raise OptionError(f"{name} does not bid: {printable(str(error))}") from None


def _finished(
    pair: Pair, job: Match, folder: Path, where: Where, backend: Backend, report: Report | None
) -> None:
    """Play what is missing of one match."""

    def tell(progress: MatchProgress) -> None:
        if report is not None:
            report(pair, progress)

    with Store(folder / pair.file, job) as store:
        for results in _play(job, store, backend, tell):
            if any(r.open.rulings or r.closed.rulings for r in results):
                _probe(pair, job.a, job.b)  # boards against nobody are not kept
            _note_commit(folder, pair, where.commit)
            store.add(results)


def _commits(folder: Path) -> dict[str, list[str]]:
    """By the file of a match, which commits have played its boards."""
    path = folder / _PLAYED_BY
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
    except FileNotFoundError:
        return {}
    except msgspec.MsgspecError as error:
        raise LeagueError(f"{path} cannot be read: {printable(str(error))}") from None


def _note_commit(folder: Path, pair: Pair, commit: str) -> None:
    """Before boards are kept: a match that went on with another version says so."""
    known = _commits(folder)
    mine = known.setdefault(pair.file, [])
    if commit not in mine:
        mine.append(commit)
        write_whole(folder / _PLAYED_BY, msgspec.json.encode(known))


def _row(pair: Pair, job: Match, folder: Path, where: Where, before: Row | None) -> Row | None:
    """How a match stands; as it was told before where no board has come since."""
    with Store(folder / pair.file, job) as store:
        played = list(store.results(job.boards))
    known = before is not None and before.boards == len(played)
    if known or len(played) < 2:  # one board has no error
        return before
    won = estimate([r.imps for r in played])
    seen = [judged(r) for r in played] if pair.play else []
    sides = zip(profiles(iter(played), pair.a, pair.b), (job.a, job.b), strict=True)
    a, b = (
        _side(profile, spec, won.boards, _rounded(given_up(seen, side)) if seen else {})
        for side, (profile, spec) in enumerate(sides)
    )
    return Row(
        a, b, pair.play, pair.boards, won.boards, round(won.mean, 4), round(won.error, 4),
        _rounded(parts_of(seen)) if seen else {}, where.date,
        ", ".join(_commits(folder).get(pair.file, [where.commit])), where.machine, pair.disclosed,
    )  # fmt: skip


def _rounded(found: Mapping[str, Estimate]) -> _Parts:
    return {
        part: (round(e.mean, 4), round(e.error, 4)) for part, e in found.items() if e.boards > 1
    }


def taken(
    schedule: Schedule, results: Results, path: Path, names: Mapping[str, str], where: Where
) -> Results:
    """The results with a match that was played at a Table Manager: its file holds both rooms.
    `names` says which team is which robot of the schedule."""
    found = results_of(path, dict(names))
    pairs = {(p.a, p.b): p for p in schedule.match if p.play and p.disclosed}
    met = {(r.a, r.b) for r in found}
    known = {m: pairs.get(m) or pairs.get((m[1], m[0])) for m in met}
    if len(known) != 1 or None in known.values():
        told = "; ".join(printable(f"{a} – {b}") for a, b in sorted(met))
        raise LeagueError(f"{path}: no match of this league with all cards ({told}); see --name")
    pair = next(p for p in known.values() if p is not None)
    imps = [r.imps if r.a == pair.a else -r.imps for r in found]
    won = estimate(imps, [r.deal for r in found])
    a, b = (RobotSide(name, "", 0.0, 0, []) for name in (pair.a, pair.b))
    row = Row(
        a, b, True, pair.boards, won.boards, round(won.mean, 4), round(won.error, 4), {},
        where.date, where.commit, where.machine,
    )  # fmt: skip
    return _with(schedule, results, row)


def _with(schedule: Schedule, results: Results, row: Row) -> Results:
    """The results with a row in its place."""
    order = {p.key: i for i, p in enumerate(schedule.match)}
    rows = [*(r for r in results.rows if r.key != row.key), row]
    rows.sort(key=lambda r: order.get(r.key, len(order)))
    return msgspec.structs.replace(results, rows=rows)


def _side(profile: Profile, spec: str, boards: int, given: _Parts) -> RobotSide:
    seconds = (profile.calls.total + profile.cards.total) / 1000
    rates = [None if r is None else round(r, 4) for r in profile.opening_rates()]
    spent = round(seconds / boards, 4) if boards else 0.0
    by_wall = _ELSEWHERE.search(spec) is not None
    return RobotSide(
        profile.name, robot(spec).system, spent, profile.rulings, rates, given, by_wall
    )


def _play(
    job: Match, store: Store, backend: Backend, tell: Callable[[MatchProgress], None]
) -> Iterator[list[BoardResult]]:
    """The boards that are missing, some at a time; told of when they have been kept."""
    tally = Tally(job.chunk)
    for result in store.results(job.boards):
        tally.add(result.number, result.imps)
    missing = [n for n in range(1, job.boards + 1) if n not in tally]
    for _, results in run_jobs(play_timed, prepared([store], chunks(job, missing)), backend):
        yield results
        for result in results:
            tally.add(result.number, result.imps)
        tell(MatchProgress(len(tally), job.boards, tally.so_far()))


def play_timed(chunk: Chunk) -> list[BoardResult]:
    """The boards of a chunk, where what an action took is the processor's time and not the wall's:
    a busy machine does not make a side slow. Runs in a worker."""
    hide(chunk.hidden)
    spent: list[float] = []
    rooms = _timed(chunk.job, spent)
    out = []
    for board in chunk.boards():
        spent.clear()
        result = board_result(chunk.job, board, both_tables(chunk.job, board, rooms))
        first = len(result.open.milliseconds)
        times = [round(ms, 3) for ms in spent]
        out.append(msgspec.structs.replace(
            result,
            open=msgspec.structs.replace(result.open, milliseconds=times[:first]),
            closed=msgspec.structs.replace(result.closed, milliseconds=times[first:]),
        ))  # fmt: skip
    return out


def _timed(job: Match, spent: list[float]) -> Rooms:
    """The robots of both rooms with their work noted."""
    played = zip(_seated(job), ((job.a, job.b), (job.b, job.a)), strict=True)
    open_room, closed_room = (
        [_TimedRobot(made, spec, spent) for made, spec in zip(room, 2 * pair, strict=True)]
        for room, pair in played
    )
    return open_room, closed_room


@lru_cache(maxsize=4)
def _seated(job: Match) -> Rooms:
    """Engines are made once per worker: networks and rule files load slowly."""
    return rooms_of(job)


class _TimedRobot:
    """A robot whose work is noted, action by action, in the order of the table."""

    def __init__(self, made: Occupant, spec: str, spent: list[float]) -> None:
        self._robot, self._spent = made, spent
        self._ticks = perf_counter if _ELSEWHERE.search(spec) else process_time

    @property
    def name(self) -> str:
        return self._robot.name

    @property
    def system(self) -> str:
        return self._robot.system

    def bid(self, view: View) -> Decision:
        return self._noted(self._robot.bid, view)

    def play(self, view: View) -> Decision:
        return self._noted(self._robot.play, view)

    def _noted(self, think: Callable[[View], Decision], view: View) -> Decision:
        started = self._ticks()
        try:
            return think(view)
        finally:
            self._spent.append(1000 * (self._ticks() - started))


def _ratings(schedule: Schedule, folder: Path) -> list[Rated]:
    """Everybody's rating from all boards in the folder on which systems were told, bidding only and
    with all cards."""
    found = []
    for play in (False, True):
        met = {}
        told = (p for p in schedule.match if p.disclosed and p.play == play)
        for pair in (p for p in told if (folder / p.file).exists()):
            with Store(folder / pair.file) as store:
                rows = [(r.imps, r.number) for r in store.results()]
            if len(rows) > 1:
                met[pair.a, pair.b] = rows
        names = sorted({name for names in met for name in names})
        place = {name: i for i, name in enumerate(names)}
        meetings = [
            Meeting(place[a], place[b], *zip(*rows, strict=True)) for (a, b), rows in met.items()
        ]
        for name, rated in zip(names, ratings(meetings, len(names)), strict=True):
            found.append(Rated(name, play, round(rated.value, 4), round(rated.error, 4)))
    return sorted(found, key=lambda r: (r.play, -r.imps, r.name))


# ---------------------------------------------------------------- as a table


def table(schedule: Schedule, results: Results) -> str:
    """The league in Markdown, a line a pair; what has not been played says so."""
    lines = [
        "| ours | opponent | boards | scored | IMPs a board | seconds a board, ours and theirs |",
        "|---|---|---|---|---|---|",
    ]
    for pair in schedule.match:
        row = results.found(pair)
        told = ["", pair.how, "not yet played", ""]
        if row is not None and row.boards:
            known = row.a.seconds_a_board or row.b.seconds_a_board
            seconds = f"{row.a.seconds}, {row.b.seconds}" if known else ""
            told = [f"{row.boards:,}", pair.how, signed(row.imps, row.error), seconds]
        lines.append("| " + " | ".join([f"`{pair.a}`", pair.b, *told]) + " |")
    return "\n".join(lines)


def signed(value: float, error: float) -> str:
    """A margin with its standard error, for people.

    >>> signed(-0.145, 0.117)
    '−0.14 ± 0.12'
    """
    return f"{value:+.2f} ± {error:.2f}".replace("-", "−")


def as_plain(schedule: Schedule, results: Results) -> dict[str, Any]:
    """For `--json`: the results, and the pairs that have not been played."""
    open_ = [p for p in schedule.match if results.found(p) is None]
    plain: dict[str, Any] = msgspec.to_builtins(results)
    return {**plain, "not_yet_played": msgspec.to_builtins(open_)}
