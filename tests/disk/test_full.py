"""A file that may not grow: whoever writes is told that the disk is full, in one line."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from overtrick import doubledummy as dd
from overtrick.arena.ladder import Ladder, LadderError, Result
from overtrick.database import together, write_rows
from overtrick.doubledummy.cache import CacheError, TableCache
from overtrick.game import Board
from overtrick.game.errors import refusal


def cannot_grow(db: sqlite3.Connection) -> None:
    """SQLite itself answers "database or disk is full", and ends the transaction."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count={pages}")


def test_why_is_told_and_not_the_failed_rollback(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "some.sqlite", isolation_level=None)
    db.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, body BLOB)")
    cannot_grow(db)
    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        write_rows(db, "INSERT INTO kept VALUES (?, ?)", [(i, bytes(900)) for i in range(40)])
    assert db.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    assert not db.in_transaction


def test_what_ends_a_transaction_is_what_is_raised(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "some.sqlite", isolation_level=None)
    db.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY)")

    def broken() -> None:
        with together(db):
            db.execute("INSERT INTO kept VALUES (1)")
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert db.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_a_full_table_cache(tmp_path: Path) -> None:
    with TableCache(tmp_path / "tables.sqlite") as cache:
        deals = [Board.random(i, i).deal for i in range(1, 200)]
        found = [dd.Table.from_bytes(bytes(20))] * len(deals)
        cannot_grow(cache._db)
        with pytest.raises(CacheError, match="the disk is full"):
            cache.put(deals, found)
        assert len(cache) == 0


def test_a_full_ladder_takes_all_or_none(tmp_path: Path) -> None:
    with Ladder(tmp_path / "ladder.sqlite", write=True) as ladder:
        cannot_grow(ladder._db)
        played = [Result("a", "b", "x" * 900, 1, "here", i) for i in range(60)]
        with pytest.raises(LadderError, match="the disk is full"):
            ladder.add(played)
        assert not ladder.rungs()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EIO, "the disk reports an error"),
    ],
)
def test_the_same_words_for_what_a_system_refuses(number: int, words: str) -> None:
    assert words in refusal(OSError(number, "in other words"))


def test_a_command_whose_output_has_no_room(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    run = "from overtrick.cli import main; main()"
    command = [sys.executable, "-c", run, "deal", "-n", "3"]
    with full.open("w") as out:
        ended = subprocess.run(
            command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert ended.returncode == 2
    assert ended.stderr.strip().endswith("the disk is full")
    assert len(ended.stderr.strip().splitlines()) == 1
