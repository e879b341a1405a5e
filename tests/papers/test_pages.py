"""The pages of the papers: one each, their commands are understood, their checks print what they
check. `python -m benchmarks.papers` runs the commands and compares the numbers."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest

from benchmarks import papers
from overtrick.cli import main
from overtrick_lab.papers import PAPERS

PAGES = Path(__file__).parents[2] / "docs" / "papers"


@pytest.fixture(params=list(PAPERS))
def page(request: pytest.FixtureRequest) -> tuple[str, str]:
    return request.param, (PAGES / f"{request.param}.md").read_text(encoding="utf-8")


def test_a_page_has_commands_that_parse_at_quick_scale(page: tuple[str, str]) -> None:
    name, text = page
    found = papers.commands(text)
    assert f"overtrick reproduce {name} --quick" in found
    for line in found:
        words = shlex.split(line)[1:]
        runs = words[:2] == ["reproduce", name]
        words = papers.quick(words, Path("out"), "here") if runs else words
        command: click.Command = main
        context = click.Context(main, info_name="overtrick")
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            inner = command.get_command(context, words[0])
            assert inner is not None, line
            command, words = inner, words[1:]
        if runs:
            command.make_context(line, words, parent=context)


def test_what_is_checked_is_printed(page: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGES.parents[1])
    name, text = page
    cells = {"cell": {"value": 0.0}}
    for check in papers.checks(text):
        assert papers.judge(check, cells, text).seen is None  # no such cell here
        assert papers._printed(check, papers._CHECK.sub("", text)), (name, check)
    assert "## What differs from the paper" in text
    kept = (papers.kept(name) or {"cells": {}})["cells"]
    told = [papers.judge(c, kept, text) for c in papers.checks(text) if papers.look_up(kept, c)]
    assert all(verdict.holds for verdict in told), told


def test_tables_are_those_of_the_kept_run(
    page: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PAGES.parents[1])
    name, text = page
    if papers.kept(name) is None:
        assert "<!-- report" not in text
        return
    pytest.importorskip("matplotlib", reason="reports draw figures")
    again = papers.redrawn(text, papers.reports_of(name))
    assert again == text, f"python -m benchmarks.papers {name} --redraw"


def test_a_section_of_the_report_goes_into_the_page() -> None:
    report = "# Title\n\nwords\n\n## One\n\n| a |\n\n![p](p.png)\n\np.\n\n## Two\n\nlast\n"
    assert papers.sections(report) == {"One": "| a |", "Two": "last"}
    assert papers.sections("## A\n\nb\n\n### C\n\nd\n\n### E\n\nf\n")["A / C"] == "d"
    page = "x\n<!-- report One -->\nold\n<!-- end -->\ny\n"
    assert (
        papers.redrawn(page, papers.sections(report))
        == "x\n<!-- report One -->\n\n| a |\n\n<!-- end -->\ny\n"
    )


def test_a_number_is_seen_again_within_two_errors() -> None:
    text = "IMPs +1.09, a share of 41 % <!-- check m-* row/0/imps +1.09 ± 0.1 -->"
    (check,) = papers.checks(text)
    for seen, holds in ((1.2, True), (1.4, False)):
        cells = {"m-12": {"row": [{"imps": seen, "error": 0.0}]}}
        assert papers.judge(check, cells, text).holds is holds
    assert papers.judge(check, {"m-12": {"row": [{"imps": 1.4, "error": 0.2}]}}, text).holds
    assert not papers.judge(check, {}, text).holds
    share = papers.Check("m", "x", "0.41", 0.41, 0.0)
    assert papers.judge(share, {"m": {"x": 0.412}}, text).holds


def test_sizes_and_places_are_left_out() -> None:
    words = ["reproduce", "x", "--stage", "match", "--boards", "1000", "--full", "--workers", "16"]
    assert papers.quick(words, Path("o"), "here") == [
        "reproduce", "x", "--stage", "match", "--quick", "--workers", "here", "--out", "o"
    ]  # fmt: skip
