"""What the pages say the program prints is what it prints, and made parts are as they would be
made now. `make docs-update` rewrites both."""

from __future__ import annotations

from pathlib import Path

import pytest

from overtrick.suitplay import SuitAnalysis
from tests.docs import blocks, made
from tests.docs.blocks import Shown
from tests.docs.notebooks import executed, notebooks
from tests.docs.regenerate import console_of

PAGES = blocks.pages()


def _named(path: Path) -> str:
    return path.relative_to(blocks.ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_every_command_prints_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for name, content in blocks.files_of(text).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for shown in blocks.of_page(text):
        printed = blocks.printed(shown.command)
        told = "make docs-update rewrites the page; the command prints\n" + "\n".join(printed)
        assert shown.fits(printed), f"{_named(page)}: {shown.command}\n{told}"


@pytest.mark.parametrize("page", made.pages(), ids=_named)
def test_made_parts_are_as_their_files_say(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert made.renewed(text) == text, "make docs-update"


@pytest.mark.parametrize("book", notebooks(), ids=_named)
def test_every_cell_shows_what_it_showed(book: Path) -> None:
    text = book.read_text(encoding="utf-8")
    assert executed(text) == text, "make docs-update"


def test_readme_and_the_tutorial_are_among_the_pages() -> None:
    names = [_named(p) for p in PAGES]
    assert {"README.md", "docs/tutorial/index.md"} <= set(names)
    assert len(blocks.of_page(PAGES[0].read_text(encoding="utf-8"))) >= 6


SAMPLE = Shown("overtrick x", ("one", "in 12 ms, or so", "…", "last"))
PRINTED = ["one", "in 834 ms, or so", "two", "three", "last"]


def test_times_may_differ_and_lines_may_be_left_out() -> None:
    assert SAMPLE.fits(PRINTED)
    assert SAMPLE.fits(["one", "in 1,204.5 ms, or so", "last"])


@pytest.mark.parametrize(
    "printed",
    [
        ["one!", *PRINTED[1:]],
        ["one", "in 834 s, or so", *PRINTED[2:]],
        PRINTED[:-1],
        [*PRINTED, "more"],
        ["one", "in 834 ms, or more", *PRINTED[2:]],
        [],
    ],
)
def test_anything_else_is_seen(printed: list[str]) -> None:
    assert not SAMPLE.fits(printed)
    renewed = SAMPLE.renewed(printed)
    assert renewed.fits(printed) or len(printed) < 3


def test_a_changed_sentence_of_the_program_turns_its_page_red(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    suit = next(c for c in blocks.of_page(readme) if c.command.startswith("overtrick suit"))
    assert suit.fits(blocks.printed(suit.command))
    monkeypatch.setattr(SuitAnalysis, "words", lambda *_: "Low to the king.")
    assert not suit.fits(blocks.printed(suit.command))


def test_a_page_that_is_true_is_written_as_it_was() -> None:
    page = blocks.ROOT / "docs" / "tutorial" / "index.md"
    text = page.read_text(encoding="utf-8")
    assert console_of(page, text) == text
