"""A system audited over many deals: the job, its file, and the run that can be killed and go on.

The deals are cut into chunks that are bid together (`bidding.audit`), each written once and whole.
Then decisions of the worst findings are looked at in imagined worlds, as many as asked for, and
kept likewise. What it all says is worked out by `arena.findings`. The same job gives the same
answer, however many processes work on it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from overtrick.arena.findings import Findings, chosen_to_imagine, findings_of
from overtrick.arena.labels import deal_number
from overtrick.arena.run import Backend, run_jobs
from overtrick.bidding.audit import (
    AuditDeals,
    Audited,
    AuditedCall,
    AuditSettings,
    WorldGains,
    audit,
    imagine,
)
from overtrick.database import Kind, OurFile, open_to_write, write_rows
from overtrick.game import BridgeError, OptionError
from overtrick.game.errors import printable
from overtrick.notation.solved import SolvedDeals, hands_of
from overtrick.systems import load
from overtrick.systems.lint import fingerprint

CHUNK: Final = 64  # deals bid together; they share the vulnerability
_TOGETHER: Final = 8  # decisions imagined in one go
RANDOM: Final = "random"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class AuditJob:
    """What is audited and on which deals.

    `deals` is "random" (a network says what contracts take) or a file of solved deals, of which
    `offset` are skipped. `without` names conventions that are left out in turn. `imagine` is how
    many decisions of each leading finding are looked at in `worlds` imagined worlds; -1 means every
    decision.
    """

    settings: AuditSettings
    boards: int = 2000
    seed: int = 0
    deals: str = RANDOM
    offset: int = 0
    without: tuple[str, ...] = ()
    imagine: int = 8
    worlds: int = 24

    def __post_init__(self) -> None:
        if self.boards < 1 or self.offset < 0:
            raise OptionError("an audit needs at least one board, and skips deals forward")
        if self.worlds < 4:
            raise OptionError(f"at least 4 worlds are imagined, not {self.worlds}")
        for name in self.without:
            load(self.settings.system, self.settings.on, (*self.settings.off, name))
        if self.deals != RANDOM and len(_solved(self.deals)) < self.offset + self.boards:
            found = len(_solved(self.deals))
            raise OptionError(
                f"{self.deals} holds {found} deals, too few for {self.boards} after {self.offset}"
            )

    @property
    def identity(self) -> dict[str, Any]:
        """What makes two runs the same audit: all but how many boards, and the rules themselves."""
        fields = asdict(self)
        del fields["boards"], fields["imagine"]
        system = load(self.settings.system, self.settings.on, self.settings.off)
        return {**fields, "rules": fingerprint(system, self.seed)}

    @property
    def chunks(self) -> int:
        return -(-self.boards // CHUNK)

    def table(self, chunk: int) -> AuditDeals:
        """The deals of a chunk; chunks take turns at the four vulnerabilities."""
        start = self.offset + chunk * CHUNK
        size = min(CHUNK, self.boards - chunk * CHUNK)
        if self.deals != RANDOM:
            solved = _solved(self.deals)
            part = slice(start, start + size)
            return AuditDeals(hands_of(solved.owners[part]), chunk & 3, solved.tricks[part])
        owners = np.array(
            [list(deal_number(self.seed, i).owners) for i in range(start, start + size)], np.uint8
        )
        return AuditDeals(hands_of(owners), chunk & 3)


@lru_cache(maxsize=2)
def _solved(path: str) -> SolvedDeals:
    return SolvedDeals.load(Path(path))


def bid_deals(
    job: AuditJob, file: AuditFile, backend: Backend = Backend(), told: Progress | None = None
) -> None:
    """The deals that the file lacks are bid, and every call is compared in the deal itself."""
    known = file.chunks(job)
    tasks = [(job, i) for i in range(job.chunks) if i not in known]
    done = job.chunks - len(tasks)
    for index, found in run_jobs(_audit_chunk, tasks, backend):
        file.add_chunk(tasks[index][1], len(found.scores), found)
        done += 1
        if told is not None:
            told(min(done * CHUNK, job.boards), job.boards)


def imagine_worst(
    job: AuditJob, file: AuditFile, backend: Backend = Backend(), told: Progress | None = None
) -> None:
    """Decisions of the leading findings are compared in imagined worlds."""
    wanted = chosen_to_imagine(list(file.audited(job)), job.imagine)
    known = {(i.deal, i.turn) for i in file.imagined()}
    missing = [j for j in wanted if (j.deal, len(j.calls)) not in known]
    tasks = [(job, missing[i : i + _TOGETHER]) for i in range(0, len(missing), _TOGETHER)]
    done = len(wanted) - len(missing)
    for _, found in run_jobs(_imagine_some, tasks, backend):
        file.add_imagined(found)
        done += len(found)
        if told is not None:
            told(done, len(wanted))


def findings_in(job: AuditJob, file: AuditFile) -> Findings:
    """What the whole of the file says."""
    return findings_of(job.settings, list(file.audited(job)), list(file.imagined()))


def _audit_chunk(task: tuple[AuditJob, int]) -> Audited:
    job, chunk = task
    return audit(job.table(chunk), job.settings, job.without, job.offset + chunk * CHUNK)


def _imagine_some(task: tuple[AuditJob, list[AuditedCall]]) -> list[WorldGains]:
    job, some = task
    return [imagine(judged, job.settings, job.worlds, job.seed) for judged in some]


class AuditError(BridgeError):
    """The file is not the store of this audit."""


_KIND: Final = Kind(
    "audit file",
    frozenset({"audit", "chunks", "imagined"}),
    """
    CREATE TABLE IF NOT EXISTS audit (id INTEGER PRIMARY KEY CHECK (id = 1),
        identity TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS chunks (number INTEGER NOT NULL, size INTEGER NOT NULL,
        result BLOB NOT NULL, PRIMARY KEY (number, size));
    CREATE TABLE IF NOT EXISTS imagined (deal INTEGER NOT NULL, turn INTEGER NOT NULL,
        result BLOB NOT NULL, PRIMARY KEY (deal, turn));
    """,
    1,
    AuditError,
)


class AuditFile(OurFile):
    """What an audit has found so far, in one SQLite file; `":memory:"` keeps it for this process.

    A chunk is one row, so after kill −9 it is there or it is not.
    """

    def __init__(self, path: Path | str, job: AuditJob) -> None:
        self.path = str(path)
        self._db = open_to_write(path, _KIND)
        identity = msgspec.json.encode(job.identity, order="sorted").decode()
        try:
            row = self._db.execute("SELECT identity FROM audit").fetchone()
            if row is None:
                self._db.execute("INSERT INTO audit VALUES (1, ?)", (identity,))
            elif row[0] != identity:
                raise AuditError(
                    f"{printable(self.path)} holds another audit, or one of other rules: "
                    "name another file"
                )
        except sqlite3.Error as error:
            self._db.close()
            raise _KIND.failed(path, error) from None
        except BaseException:
            self._db.close()
            raise

    def chunks(self, job: AuditJob) -> set[int]:
        """The chunks that are done; a last one counts only if it has the length now wanted."""
        rows = self._rows("SELECT number, size FROM chunks")
        return {number for number, size in rows if size == _size(job, number)}

    def audited(self, job: AuditJob) -> Iterator[Audited]:
        for number, size, blob in self._rows("SELECT * FROM chunks ORDER BY number"):
            if number < job.chunks and size == _size(job, number):
                yield self._decoded(blob, Audited)

    def imagined(self) -> Iterator[WorldGains]:
        for (blob,) in self._rows("SELECT result FROM imagined ORDER BY deal, turn"):
            yield self._decoded(blob, WorldGains)

    def add_chunk(self, number: int, size: int, found: Audited) -> None:
        row = (number, size, msgspec.json.encode(found))
        self._write("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?)", [row])

    def add_imagined(self, found: Iterable[WorldGains]) -> None:
        rows = [(i.deal, i.turn, msgspec.json.encode(i)) for i in found]
        self._write("INSERT OR IGNORE INTO imagined VALUES (?, ?, ?)", rows)

    def _rows(self, query: str) -> list[Any]:
        try:
            return self._db.execute(query).fetchall()
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def _write(self, query: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            write_rows(self._db, query, rows)
        except sqlite3.Error as error:
            raise _KIND.failed(self.path, error) from None

    def _decoded(self, blob: bytes, kind: Any) -> Any:
        try:
            return msgspec.json.decode(blob, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise _KIND.wrong(self.path, error) from None


def _size(job: AuditJob, chunk: int) -> int:
    return min(CHUNK, job.boards - chunk * CHUNK)
