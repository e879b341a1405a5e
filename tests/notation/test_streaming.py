"""Long files read board by board."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from overtrick import Auction, Board, Record, load
from overtrick.notation import NotationError, dumps, loads, stream, streaming

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"


@pytest.mark.parametrize("name", ["features.pbn", "spec_example.pbn", "vugraph.lin"])
@pytest.mark.parametrize("piece", [64, 1000, 1 << 20])
def test_the_same_records_as_from_the_whole_file(
    name: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "_PIECE", piece)
    assert list(stream(GOLDEN / name)) == list(load(GOLDEN / name))


def test_a_packed_file(tmp_path: Path) -> None:
    boards = [Board.random(number, seed=number) for number in range(1, 300)]
    text = dumps([Record(b.number, b.dealer, b.vul, b.deal) for b in boards])
    (tmp_path / "many.pbn.gz").write_bytes(gzip.compress(text.encode()))
    assert [r.deal for r in stream(tmp_path / "many.pbn.gz")] == [b.deal for b in boards]
    assert [r.deal for r in load(tmp_path / "many.pbn.gz")] == [b.deal for b in boards]


def test_a_packed_file_that_is_cut_off_or_no_such_file() -> None:
    packed = gzip.compress(dumps(Record(7)).encode())
    assert "cut off" in str(loads(packed[:-12]).warnings[0])
    assert "not a gzip file" in str(loads(b"\x1f\x8bhello").warnings[0])


def test_a_small_packed_file_does_not_become_a_large_text() -> None:
    bomb = gzip.compress(b"\n" * 50_000_000)
    tracemalloc.start()
    loaded = loads(bomb, limit=100_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(loaded) == 0
    assert most < 2_000_000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    board = Board.random(1, seed=1)
    one = dumps(Record(1, board.dealer, board.vul, board.deal)).split("\n", 2)[2] + "\n"
    with (tmp_path / "long.pbn").open("w") as file:
        for _ in range(100):
            file.write(one * 300)
    tracemalloc.start()
    count = sum(1 for _ in stream(tmp_path / "long.pbn"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 30_000
    assert most < 40_000_000


def test_other_notations_are_loaded() -> None:
    with pytest.raises(NotationError, match="board by board"):
        list(stream(GOLDEN / "sample.rbn"))


@pytest.mark.slow
def test_a_million_boards_take_no_more_memory_than_a_few(tmp_path: Path) -> None:
    """A gigabyte of boards with auctions, as a league keeps them, read in a process of its own."""
    board = Board.random(1, seed=1)
    record = Record(1, board.dealer, board.vul, board.deal, Auction.parse("1NT P 3NT AP", "N"))
    one = dumps(record).split("\n", 2)[2] + "\n"
    long = tmp_path / "long.pbn"
    with long.open("w") as file:
        for _ in range(1000):
            file.write(one * 1000)
    code = (
        "import resource, sys; from overtrick.notation import stream\n"
        "used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10\n"
        "boards = stream(sys.argv[1]); next(boards); before = used()\n"
        "print(1 + sum(1 for _ in boards), used() - before)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(long)], capture_output=True, text=True, check=True
    )
    count, megabytes = (int(word) for word in told.stdout.split())
    long.unlink()
    assert count == 1_000_000
    assert megabytes < 50, f"{megabytes} MB more for a million boards"
