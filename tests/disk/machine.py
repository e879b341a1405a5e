"""What our stores do on a disk with one fault. Run as a program under `faults.c`, it answers each
line of its input (a run) with what it told its user; a run may end as a power cut does."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import random
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import overtrick.web.evenings as evenings_module
from overtrick.arena.job import Match
from overtrick.arena.match import chunks, play_chunk
from overtrick.arena.results import BoardResult
from overtrick.arena.store import Store
from overtrick.database import is_damaged
from overtrick.doubledummy.cache import TableCache
from overtrick.doubledummy.tables import Table
from overtrick.game import Board, BridgeError, Deal
from overtrick.game.errors import refusal
from overtrick.notation.whole import write_whole
from overtrick.web.evening import Evening
from overtrick.web.evenings import Evenings
from overtrick.web.events import Joined
from overtrick.web.store import Log

Tell = Callable[[str, Any], None]
ATTEMPTS: Final = 8  # a person tries again, and there is room again
KINDS: Final = ("full", "short", "io", "torn", "power", "late")
_SHORT: Final = "PRAGMA wal_autocheckpoint=6"  # pages: checkpoints come within a run
_JOB: Final = Match("pass", "pass", 12, seed=3)


def event(number: int) -> Joined:
    return Joined("N", "invitation" * 30, f"token {number}", f"player {number}")


@lru_cache(maxsize=1)
def boards() -> tuple[BoardResult, ...]:
    return tuple(r for chunk in chunks(_JOB, range(1, 13)) for r in play_chunk(chunk))


def deal(number: int) -> Deal:
    return Board.random(number, seed=number).deal


def table(number: int) -> Table:
    return Table.from_bytes(bytes([number % 14] * 20))


def evening(number: int) -> Evening:
    return Evening(f"evening {number}", (), ("words " * 200,), ())


def version(number: int) -> bytes:
    return f"version {number} ".encode() * 700


def kept(tell: Tell, what: int, work: Callable[..., object], *given: object) -> bool:
    """Do it until it is done; each time that it is not, the person reads one line."""
    for _ in range(ATTEMPTS):
        try:
            work(*given)
        except (BridgeError, OSError) as error:
            tell("said", refusal(error) if isinstance(error, OSError) else str(error))
        else:
            if what:
                tell("done", what)
            return True
    return False


def opened(tell: Tell, make: Callable[[], Any]) -> Any:
    found: list[Any] = []
    if not kept(tell, 0, lambda: found.append(make())):
        raise SystemExit("it does not open")
    return found[0]


def _add(file: Log, number: int) -> None:
    file.try_again()
    file.add("some table", number, event(number))


def log(folder: Path, tell: Tell) -> None:
    for part in (range(1, 8), range(8, 15)):
        file = opened(tell, lambda: Log(folder / "web.sqlite"))
        file._db.execute(_SHORT)
        for number in part:
            if not kept(tell, number, _add, file, number):
                return
        file.close()


def log_check(folder: Path, done: list[int]) -> None:
    file = Log(folder / "web.sqlite")
    found = file.events("some table")
    assert len(found) in (len(done), len(done) + 1), (len(found), done)
    assert found == [event(i + 1) for i in range(len(found))]
    file.add("some table", len(found) + 1, event(len(found) + 1))
    file.close()


def quick_log(folder: Path, tell: Tell) -> None:
    """The same with less than is promised: a power cut may take what was shown."""
    file = Log(folder / "web.sqlite")
    file._db.execute("PRAGMA synchronous=NORMAL")
    for number in range(1, 15):
        file.add("some table", number, event(number))
        tell("done", number)


def match(folder: Path, tell: Tell) -> None:
    played = boards()
    for half in (0, 6):
        store = opened(tell, lambda: Store(folder / "match.sqlite", _JOB))
        store._db.execute(_SHORT)
        for i in range(half, half + 6, 2):
            if not kept(tell, i + 2, store.add, played[i : i + 2]):
                return
        store.close()


def match_check(folder: Path, done: list[int]) -> None:
    with Store(folder / "match.sqlite", _JOB) as store:
        found = tuple(store.results())
        assert len(found) in (max(done, default=0), max(done, default=0) + 2)
        assert [r.deal for r in found] == [r.deal for r in boards()[: len(found)]]
        store.add(boards())
        assert len(store.done()) == 12


def _send(file: Evenings, number: int, tell: Tell) -> None:
    tell("name", (number, file.add(evening(number))))


def evenings(folder: Path, tell: Tell) -> None:
    async def send() -> None:
        for part in (range(1, 5), range(5, 8)):
            kept_ones: Any = opened(tell, lambda: Evenings(folder / "e.sqlite", None))  # type: ignore[arg-type]
            kept_ones._db.execute(_SHORT)
            kept_ones._begin = lambda name: None  # nothing is worked on
            for number in part:
                if not kept(tell, number, _send, kept_ones, number, tell):
                    return
            await kept_ones.stop()

    asyncio.run(send())


def evenings_check(folder: Path, names: list[tuple[int, str]]) -> None:
    async def look() -> None:
        found: Any = Evenings(folder / "e.sqlite", None)  # type: ignore[arg-type]
        found._begin = lambda name: None
        assert not is_damaged(found._db)
        for number, name in names:
            assert found._find(name)[0] == evening(number)
        found.add(evening(9))
        await found.stop()

    asyncio.run(look())


def cache(folder: Path, tell: Tell) -> None:
    for part in (range(1, 9), range(9, 17)):
        with opened(tell, lambda: TableCache(folder / "tables.sqlite")) as tables:
            tables._db.execute(_SHORT)
            for i in part:
                if not kept(tell, i, tables.put, [deal(i)], [table(i)]):
                    return


def cache_check(folder: Path, done: list[int]) -> None:
    """Tables can be found again, so none is promised; one that is there is the right one."""
    with TableCache(folder / "tables.sqlite") as tables:
        assert not is_damaged(tables._db)
        for i, found in enumerate(tables.get([deal(i) for i in range(1, 17)]), 1):
            assert found in (None, table(i))
        tables.put([deal(1)], [table(1)])
        assert tables.get([deal(1)]) == [table(1)]


def whole(folder: Path, tell: Tell) -> None:
    for number in range(1, 7):
        if not kept(tell, number, write_whole, folder / "report.html", version(number)):
            return


def whole_check(folder: Path, done: list[int]) -> None:
    path, last = folder / "report.html", max(done, default=0)
    content = path.read_bytes() if path.exists() else b""
    assert content in (version(last) if last else b"", version(last + 1))
    write_whole(path, version(9))
    assert path.read_bytes() == version(9)


WORK: Final = {
    "log": (log, log_check),
    "match": (match, match_check),
    "evenings": (evenings, evenings_check),
    "cache": (cache, cache_check),
    "whole": (whole, whole_check),
    "quick log": (quick_log, log_check),
}


def check(what: str, folder: Path, told: list[tuple[str, Any]]) -> None:
    """After the fault: it opens, and what was promised is there."""
    wanted = "name" if what == "evenings" else "done"
    WORK[what][1](folder, [tuple(v) if isinstance(v, list) else v for k, v in told if k == wanted])


def run(wish: dict[str, Any], shim: ctypes.CDLL) -> None:
    """One run in a process of its own; what it tells goes through a pipe that no fault reaches."""
    into, out = os.pipe()
    child = os.fork()
    if child == 0:
        code = 70
        os.close(into)

        def tell(kind: str, value: Any) -> None:
            os.write(out, json.dumps((kind, value)).encode() + b"\n")

        try:
            random.seed(wish["seed"])
            shim.fault_begin(
                wish["folder"].encode(), wish["notes"].encode(),
                1 + KINDS.index(wish["kind"]) if wish["kind"] else 0,
                ctypes.c_long(wish["at"]), ctypes.c_long(wish["length"]),
            )  # fmt: skip
            WORK[wish["what"]][0](Path(wish["folder"]), tell)
            tell("steps", shim.fault_steps())
            code = 0
        except BaseException as error:
            tell("broken", f"{type(error).__name__}: {error}")
        finally:
            os._exit(code)
    os.close(out)
    with os.fdopen(into, "rb") as pipe:
        told = [json.loads(line) for line in pipe.read().splitlines()]
    _, status = os.waitpid(child, 0)
    answer = {"told": told, "code": os.waitstatus_to_exitcode(status)}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    evenings_module.LOGGER.disabled = True
    shim = ctypes.CDLL(sys.argv[1])
    shim.fault_steps.restype = ctypes.c_long
    boards()
    for line in sys.stdin:
        run(json.loads(line), shim)


if __name__ == "__main__":
    main()
