"""The verbs `card` and `system`: cards checked, compared and written, systems tested and drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from overtrick.cli import main

BML = "* Openings\n\n1C  Natural or balanced, 11+\n  1D  Negative\n    1HS  Natural\n1N  15-17\n"


def said(*words: str, status: int = 0) -> str:
    shown = CliRunner().invoke(main, list(words))
    assert shown.exit_code == status, shown.output
    return shown.stdout


def told(*words: str, status: int = 0) -> Any:
    return json.loads(said(*words, "--json", status=status))


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card as a file."""
    path = tmp_path_factory.mktemp("card") / "mine.toml"
    said("card", "write", "two-over-one +dont", str(path), "--name", "Anna and Bert")
    return path


def test_cards_are_checked_file_by_file(mine: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('card = 1\nsystem = "goren"\n', encoding="utf-8")
    assert said("card", "check", str(mine))
    rows = told("card", "check", str(mine), str(wrong), status=1)
    assert len(rows) == 2
    assert "goren" in json.dumps(rows)


def test_cards_are_compared(mine: Path) -> None:
    assert "dont" in said("card", "diff", str(mine))
    assert "dont" in json.dumps(told("card", "diff", str(mine), "two-over-one"))
    assert "dont" not in said("card", "diff", str(mine), "two-over-one +dont")


@pytest.mark.parametrize(
    ("form", "words"),
    [("toml", "Anna and Bert"), ("bbsa", "System type"), ("acbl", "<html"), ("wbf", "<html")],
)
def test_cards_are_written_for_others(mine: Path, form: str, words: str) -> None:
    assert words in said("card", "write", str(mine), "--to", form)


def test_a_text_is_asked_about_an_auction(tmp_path: Path) -> None:
    path = tmp_path / "ours.bml"
    path.write_text(BML, encoding="utf-8")
    assert "15-17" in said("card", "text", str(path), "1N")
    assert "Negative" in json.dumps(told("card", "text", str(path), "1C-1D"))
    assert said("card", "text", str(path))


def test_a_system_is_tested_and_counted() -> None:
    assert said("system", "test", "simple")
    assert told("system", "coverage", "simple", "--deals", "20")
    assert said("system", "coverage", "simple", "--deals", "20")


def test_a_system_is_looked_through(tmp_path: Path) -> None:
    report = tmp_path / "lint.md"
    said("system", "lint", "simple", "--deals", "20", "--report", str(report))
    assert "simple" in report.read_text(encoding="utf-8")


def test_a_net_is_shown_and_drawn(tmp_path: Path) -> None:
    assert "2D" in said("system", "net", "sayc", "1N P 2C P").replace("♦", "D")
    drawing = tmp_path / "net.svg"
    said("system", "net", "sayc", "1N P 2C P", "--svg", str(drawing))
    assert drawing.read_text(encoding="utf-8").startswith("<svg")


def test_a_book_is_written(tmp_path: Path) -> None:
    said("system", "book", "simple", str(tmp_path / "book"), "--depth", "1")
    assert (tmp_path / "book" / "index.html").is_file()
