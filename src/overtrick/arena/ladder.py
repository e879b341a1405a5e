"""Ratings of robots in one file: ours by version, others as they sat at the Table Manager.
Names in the file are only names: nothing that is read here is ever started."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from overtrick.arena.ratings import Meeting, Rating, ratings
from overtrick.arena.store import Store
from overtrick.database import Kind, OurFile, open_to_read, open_to_write, together
from overtrick.game import BridgeError, Record, imps
from overtrick.game.errors import printable
from overtrick.notation import load
from overtrick.table.seats import is_foreign

_NAME: Final = 200  # letters of a robot's name
_MOST: Final = 200  # robots on a ladder
_SEALED: Final = {"namespaces", "user"}  # see engines.seal


class LadderError(BridgeError):
    """The file is no ladder, or what should go onto it is no played match."""


_KIND: Final = Kind(
    "ladder",
    frozenset({"robots", "played"}),
    """
    CREATE TABLE IF NOT EXISTS robots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS played (key BLOB PRIMARY KEY, a INTEGER NOT NULL,
        b INTEGER NOT NULL, deal TEXT NOT NULL, imps INTEGER NOT NULL) WITHOUT ROWID;
    """,
    1,
    LadderError,
    "name another file",
)


@dataclass(frozen=True, slots=True)
class Result:
    """One board that two robots played in both rooms: IMPs for a. `source` and `number` say
    which board it was, so that the same one is never counted twice."""

    a: str
    b: str
    deal: str
    imps: int
    source: str
    number: int

    @property
    def key(self) -> bytes:
        told = "\n".join((self.a, self.b, self.deal, self.source, str(self.number)))
        return hashlib.sha256(told.encode()).digest()


@dataclass(frozen=True, slots=True)
class Rung:
    """A robot's place: IMPs per board above the average of those it is linked with by matches."""

    name: str
    rating: Rating
    boards: int
    group: int  # robots of different groups have never met, however indirectly


class Ladder(OurFile):
    """The boards that robots have played against each other, and the ratings they give."""

    def __init__(self, path: Path | str, *, write: bool = False) -> None:
        self.path = path
        if not write and not Path(path).exists():
            raise LadderError(f"there is no ladder in {path}; --add makes one")
        self._db = open_to_write(path, _KIND) if write else open_to_read(path, _KIND)

    def add(self, results: Iterable[Result]) -> int:
        """Take boards in, all or none; those that are there already are left as they are."""
        rows = list(results)
        try:
            before = self._count()
            names = {name: i for i, name in self._robots()}
            new = {n for r in rows for n in (r.a, r.b)} - names.keys()
            if len(names) + len(new) > _MOST:
                raise LadderError(f"{self.path}: a ladder has room for {_MOST} robots")
            with together(self._db) as db:
                db.executemany(
                    "INSERT OR IGNORE INTO robots (name) VALUES (?)", [(n,) for n in sorted(new)]
                )
                names = {name: i for i, name in self._robots()}
                db.executemany(
                    "INSERT OR IGNORE INTO played VALUES (?, ?, ?, ?, ?)",
                    [(r.key, names[r.a], names[r.b], r.deal, r.imps) for r in rows],
                )
            return self._count() - before
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def rungs(self) -> list[Rung]:
        """Everybody's rating, the best first, group by group."""
        try:
            robots = list(self._robots())
            played = list(self._db.execute("SELECT a, b, deal, imps FROM played"))
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None
        place = {number: i for i, (number, _) in enumerate(robots)}
        deals: dict[str, int] = {}
        pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        boards = [0] * len(robots)
        for a, b, deal, won in played:
            if a not in place or b not in place or not isinstance(won, int) or abs(won) > 24:
                raise LadderError(f"{self.path} is damaged: a board that cannot have been played")
            pair = place[a], place[b]
            pairs.setdefault(pair, []).append((won, deals.setdefault(str(deal), len(deals))))
            for i in pair:
                boards[i] += 1
        meetings = [Meeting(a, b, *zip(*rows, strict=True)) for (a, b), rows in pairs.items()]
        found = ratings(meetings, len(robots))
        groups = _groups(len(robots), pairs)
        rungs = [
            Rung(printable(str(name), _NAME), found[i], boards[i], groups[i])
            for i, (_, name) in enumerate(robots)
        ]
        return sorted(rungs, key=lambda r: (r.group, -r.rating.value, r.name))

    def _robots(self) -> Iterator[tuple[int, str]]:
        yield from self._db.execute("SELECT id, name FROM robots ORDER BY id LIMIT ?", (_MOST,))

    def _count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM played").fetchone()[0])


def _groups(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Numbers of groups: robots that are linked by matches have the same one, the largest is 0."""
    group = np.arange(count)
    for a, b in pairs:
        group[group == group[b]] = group[a]
    sizes = {int(g): int((group == g).sum()) for g in group}
    order = sorted(sizes, key=lambda g: (-sizes[g], g))
    return [order.index(int(g)) for g in group]


# ---------------------------------------------------------------- what goes onto a ladder


def results_of(
    path: Path, names: dict[str, str] | None = None, *, trusted: bool = False
) -> list[Result]:
    """The boards of a stored match, or of a Table Manager's PBN file with both rooms.

    `names` gives teams other names. A match of ours is named by its engines and the version of
    Overtrick that played it. Engines of others must have been sealed while they played, unless
    they are `trusted`.
    """
    called = names or {}
    found = _stored(path, trusted) if path.suffix.lower() != ".pbn" else _from_records(path)
    return [
        Result(_named(r.a, called), _named(r.b, called), r.deal, r.imps, r.source, r.number)
        for r in found
    ]


def _named(name: str, names: dict[str, str]) -> str:
    told = names.get(name, name).strip()
    if not told or len(told) > _NAME:
        raise LadderError(f"a robot has a name of 1 to {_NAME} letters, not {printable(told)!r}")
    return told


def _stored(path: Path, trusted: bool) -> list[Result]:
    with Store(path) as store:
        job = store.job
        if not trusted and any(is_foreign(spec) for spec in (job.a, job.b)):
            how = {sitting.sealing for sitting in store.sittings()}
            if not how or how - _SEALED:
                raise LadderError(
                    f"{path}: an engine that is not ours was not sealed while it played; "
                    "with --trust it counts"
                )
        if job.method != "play":
            raise LadderError(f"{path} is scored double dummy: a ladder takes matches with --play")
        a, b = (f"{spec} ({store.version})" for spec in (job.a, job.b))
        source = f"match {job.seed} {job.deals}"
        return [
            Result(a, b, r.deal, r.imps, source, job.offset + r.number) for r in store.results()
        ]


def _from_records(path: Path) -> list[Result]:
    found = []
    for opened, closed in both_rooms(path):
        a, b = opened.names[:2]
        won = imps((opened.ns_score or 0) - (closed.ns_score or 0))
        deal = opened.deal.pbn() if opened.deal is not None else ""
        source = f"rooms {_told(opened)} {_told(closed)}"
        found.append(Result(a, b, deal, won, source, opened.number or 0))
    return found


def both_rooms(path: Path) -> list[tuple[Record, Record]]:
    """Boards that two teams played in an open and a closed room, as `overtrick tm serve --pbn`
    writes them: every record has its number, deal and score."""
    rooms: dict[tuple[int, str], dict[str, Record]] = {}
    for record in load(path).records:
        room = record.tags.get("Room", "").lower()
        if record.number is not None and record.deal is not None and room in ("open", "closed"):
            rooms.setdefault((record.number, record.deal.pbn()), {})[room] = record
    pairs = [(both["open"], both["closed"]) for both in rooms.values() if len(both) == 2]
    for opened, closed in pairs:
        a, b = opened.names[:2]
        scores = opened.ns_score, closed.ns_score
        if (closed.names[1], closed.names[0]) != (a, b) or a == b or None in scores:
            raise LadderError(f"{path}, board {opened.number}: not two teams that changed seats")
    if not pairs:
        raise LadderError(f"{path} holds no board that was played in two rooms")
    return pairs


def _told(record: Record) -> str:
    """Calls and cards: the same board played again in another way is another result."""
    calls = () if record.auction is None else record.auction.calls
    cards: Sequence[int] = () if record.play is None else record.play.cards
    return ",".join(str(int(x)) for x in (*calls, *cards))
