"""The front of the papers: what is there, what happened to each, one site of reports."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.game import BridgeError
from overtrick_lab.papers import PAPERS
from overtrick_lab.papers.site import body, report_page
from overtrick_lab.verbs import reproduce_all


@click.command()
@click.option("--out", type=click.Path(path_type=Path))
@click.option("--workers")
@click.option("--quick", is_flag=True)
def good(out: Path, quick: bool, workers: str) -> None:
    (out / "report.md").write_text(f"# Good\n\nquick is **{quick}**, {workers}")


@click.command()
@click.option("--out")
@click.option("--workers")
@click.option("--data", required=True)
def needs_data(data: str, out: str, workers: str) -> None:
    raise BridgeError(f"nothing in {data}")


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"ho2015": needs_data}
    monkeypatch.setattr(reproduce_all, "_command", lambda name: made.get(name, good))


@pytest.mark.usefixtures("papers")
def test_all_papers_are_run_reported_and_listed(tmp_path: Path) -> None:
    out = tmp_path / "site"
    run = CliRunner().invoke(main, ["reproduce", "--out", str(out), "--quick"])
    assert run.exit_code == 1  # one paper failed, and the command says so
    assert "frank1998   done" in run.output
    assert "ho2015      failed: Missing option '--data'" in run.output
    assert (out / "amit2006" / "report.md").read_text().endswith("quick is **True**, all")
    front = (out / "index.html").read_text()
    assert "<a href='frank1998/index.html'>frank1998</a>" in front
    shown = CliRunner().invoke(main, ["reproduce", "--out", str(out), "--json"])
    status = {row["paper"]: row["status"] for row in json.loads(shown.output)}
    assert set(status) == set(PAPERS)
    assert status["frank1998"].startswith("done")


@pytest.mark.usefixtures("papers")
def test_one_paper_and_its_data(tmp_path: Path) -> None:
    words = ["all", "--out", str(tmp_path / "x"), "--paper", "ho2015", "--data", str(tmp_path)]
    run = CliRunner().invoke(main, ["reproduce", *words, "--json"])
    assert run.exit_code == 1
    status = {row["paper"]: row["status"] for row in json.loads(run.stdout.splitlines()[-1])}
    assert status["ho2015"] == f"failed: nothing in {tmp_path}"
    assert status["frank1998"] == "can be run"


def test_the_list_needs_no_folder() -> None:
    shown = CliRunner().invoke(main, ["reproduce", "--out", "no-such-folder"])
    assert shown.exit_code == 0, shown.output
    assert "frank1998" in shown.output


def test_markdown_of_reports() -> None:
    text = (
        "# Head\n\nSome *soft* and **hard** words,\nover `two` lines.\n\n"
        "| a | b |\n|---|---|\n| 1 < 2 | [x](y.html) |\n\n- one\n- two\n  more\n\n"
        "1. first\n\n```\ncode <b>\n```\n\n![tree](figure-1.svg)\n"
    )
    out = body(text)
    assert "<h1>Head</h1>" in out
    assert "<p>Some <i>soft</i> and <b>hard</b> words, over <code>two</code> lines.</p>" in out
    assert "<td>1 &lt; 2</td><td><a href='y.html'>x</a></td>" in out
    assert "<ul><li>one</li><li>two more</li></ul>" in out
    assert "<ol><li>first</li></ol>" in out
    assert "<pre>code &lt;b&gt;</pre>" in out
    assert "<img src='figure-1.svg' alt='tree'>" in out
    assert report_page("Head", text).count("<h1>") == 1


def test_reports_cannot_smuggle_script_in() -> None:
    out = body("<script>x</script> [a](javascript:x) ![b](x' onload='y)")
    assert "<script>" not in out
    assert "href='javascript" not in out
    assert "onload='" not in out
