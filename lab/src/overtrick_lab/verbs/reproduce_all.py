"""`overtrick reproduce all`: runs every paper's command and gathers the reports in one site."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from overtrick.cli.common import echo_json
from overtrick.game import BridgeError
from overtrick_lab.papers import PAPERS
from overtrick_lab.verbs.reproduce import DEFAULT_OUT


@dataclass(frozen=True, slots=True)
class PaperState:
    """How far a paper is in a folder."""

    name: str
    words: str
    report: Path | None = None


@click.command("all")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the data files that some papers need.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    help="One folder per paper, and index.html.",
)
@click.option("--paper", "chosen", type=click.Choice(list(PAPERS)), multiple=True)
@click.option("--quick", is_flag=True, help="Small numbers, for a first look.")
@click.option("-w", "--workers", default="all", show_default=True, help="Processes, or `here`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    data: Path | None,
    out: Path,
    chosen: tuple[str, ...],
    quick: bool,
    workers: str,
    as_json: bool,
) -> None:
    """Run every paper that can be run here and write one site of reports.

    A paper that fails is reported and the others go on; a second call goes on where it can.

    Example: overtrick reproduce all --data data --out reproduced --quick
    """
    for name in chosen or PAPERS:
        paper = _command(name)
        click.echo(f"{name}: {PAPERS[name]}", err=True)
        words = _arguments(paper, out / name, data, quick)
        _run(name, paper, out / name, [*words, "--workers", workers])
    write_site(out)
    found = states(out)
    if as_json:
        echo_json([{"paper": s.name, "status": s.words} for s in found])
    else:
        for state in found:
            click.echo(f"{state.name:11} {state.words}")
        click.echo(f"site: {out / 'index.html'}")
    if any("failed" in s.words for s in found if not chosen or s.name in chosen):
        raise click.exceptions.Exit(1)


def _command(name: str) -> click.Command:
    found: click.Command = import_module(f"{__package__}.reproduce_{name}").command
    return found


def _arguments(paper: click.Command, out: Path, data: Path | None, quick: bool) -> list[str]:
    """What a paper's command understands of our options."""
    options = {o for p in paper.params for o in getattr(p, "opts", [])}
    arguments = ["--out", str(out)]
    if data is not None and "--data" in options:
        arguments += ["--data", str(data)]
    if quick and "--quick" in options:
        arguments.append("--quick")
    return arguments


def _run(name: str, paper: click.Command, folder: Path, arguments: list[str]) -> None:
    """Run one paper, and note how it went."""
    folder.mkdir(parents=True, exist_ok=True)
    _note(folder, status="running", began=_now())
    started = perf_counter()
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            paper.main(arguments, prog_name=f"overtrick reproduce {name}", standalone_mode=False)
    except (click.ClickException, BridgeError, OSError, ImportError) as error:
        words = error.format_message() if isinstance(error, click.ClickException) else str(error)
        _note(folder, status="failed", why=" ".join(words.split()), ended=_now())
        click.echo(f"{name}: failed: {words}", err=True)
        return
    _note(folder, status="done", ended=_now(), seconds=round(perf_counter() - started, 1))


def _note(folder: Path, **entry: Any) -> None:
    from overtrick.notation.whole import write_whole

    write_whole(folder / "state.json", json.dumps(entry))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def states(out: Path) -> list[PaperState]:
    """Every paper's state in a folder, in words."""
    found = []
    for name in PAPERS:
        report = out / name / "report.md"
        shown = report if report.exists() else None
        found.append(PaperState(name, _words(out / name, shown is not None), shown))
    return found


def _words(folder: Path, has_report: bool) -> str:
    try:
        note = json.loads((folder / "state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "has a report" if has_report else "can be run"
    if note["status"] == "done":
        return f"done {note['ended'][:10]} in {note['seconds']:g} s"
    if note["status"] == "failed":
        return f"failed: {note['why']}"
    return "was interrupted"


def write_site(out: Path) -> None:
    """The front page; every paper has written a page of its own beside its report."""
    from overtrick.notation.whole import write_whole
    from overtrick_lab.papers.site import front_page

    rows = []
    for state in states(out):
        address = ""
        if state.report is not None:
            address = f"{state.name}/index.html"
        rows.append((state.name, str(PAPERS[state.name]), state.words, address))
    words = "Tables and figures of the papers, computed again by Overtrick."
    write_whole(out / "index.html", front_page("Papers repeated", words, rows))
