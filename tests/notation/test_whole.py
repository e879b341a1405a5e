"""Files written whole: a crash in the middle leaves the old one and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from overtrick.game import Board, Record
from overtrick.notation import dump, load
from overtrick.notation.whole import whole_file, write_whole


def _write_half(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"half of the new")
        raise RuntimeError("power cut")


def test_a_crash_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "boards.txt"
    write_whole(path, "old ♠\n")
    with pytest.raises(RuntimeError, match="power cut"):
        _write_half(path)
    assert path.read_text(encoding="utf-8") == "old ♠\n"
    assert os.listdir(path.parent) == ["boards.txt"]
    write_whole(path, b"new\n")
    assert path.read_bytes() == b"new\n"


def test_links_and_things_that_are_no_files(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    write_whole(Path("/dev/null"), "nothing")
    assert not Path("/dev/null").is_file()


def test_a_file_of_boards_is_replaced_by_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "boards.pbn"
    board = Board.random(3, seed=1)
    for deal in (board.deal, board.deal.rotated(1)):
        dump(Record(number=3, deal=deal), path)
        assert load(path)[0].deal == deal
    assert os.listdir(tmp_path) == ["boards.pbn"]
