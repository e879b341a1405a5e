"""`overtrick reproduce --check`: are the figures on the papers' pages still what is measured?"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

import click

from overtrick.cli.common import console, echo_json
from overtrick_lab.papers import PAPERS

PAGES: Final = Path("docs/papers")
AGAIN: Final[dict[str, tuple[str, ...]]] = {
    "amit2006": ("--scale", "small", "--stage", "restricted", "--stage", "sample", "--stage",
                 "utility"),
    "frank1998": ("--trees", "1000", "--problems", "500", "--deals", "2"),
    "gamback1993": ("--stage", "examples", "--stage", "match", "--boards", "1000"),
    "ho2015": ("--scale", "medium", "--stage", "baselines", "--stage", "updates"),
    "qiu2024": ("--deals", "10000", "--search-deals", "400", "--belief-deals", "10000",
                "--no-plots"),
}  # fmt: skip
"""What is measured again, at a size that notices 0.15 IMPs where there are IMPs."""


def check(chosen: tuple[str, ...], data: Path | None, workers: str, *, measure: bool) -> Any:
    """By paper: parts that changed since its page was made, and every figure again."""
    from overtrick_lab.papers.checking import figures, lines
    from overtrick_lab.papers.madewith import changed, made_with

    found: dict[str, Any] = {}
    seen: dict[str, list[Any]] = {}
    for name in chosen or PAPERS:
        path = PAGES / name / "cells.json"
        if not path.exists():
            raise click.UsageError(f"{path} is not there: --check runs in a clone of the project")
        kept = json.loads(path.read_text(encoding="utf-8"))
        parts = changed(name, kept.get("made", {}))
        found[name] = {
            "made with": kept.get("made", {}), "today": made_with(name), "changed": parts
        }  # fmt: skip
        if measure and parts:
            click.echo(f"{name}: measured again, since {', '.join(parts)} changed", err=True)
            seen[name] = figures(_own(kept["cells"]), _own(_measured(name, data, workers)))
    total = sum(map(len, seen.values()))
    for name, mine in seen.items():
        found[name]["figures"] = lines(mine, total)
    return found


def _own(cells: dict[str, Any]) -> dict[str, Any]:
    """Without the learning curves, whose points have cells of their own."""
    return {key.replace("cells/", ""): cell for key, cell in cells.items() if "curve" not in cell
            or "done" not in cell}  # fmt: skip


def _measured(name: str, data: Path | None, workers: str) -> dict[str, Any]:
    """The cells of a run of its own, which leaves nothing behind."""
    from overtrick_lab.papers.cells import packed
    from overtrick_lab.verbs.reproduce import command

    paper = command.get_command(click.get_current_context(), name)
    assert paper is not None
    knows = {option for param in paper.params for option in param.opts}
    more = ["--data", str(data)] if data is not None and "--data" in knows else []
    with tempfile.TemporaryDirectory() as out:
        words = [*AGAIN[name], *more, "--workers", workers, "--out", out, "--json"]
        with click.open_file("/dev/null", "w") as nowhere, _told_to(nowhere):
            paper.main(words, standalone_mode=False)
        return packed(Path(out))


def _told_to(place: Any) -> Any:
    from contextlib import redirect_stdout

    return redirect_stdout(place)


def show(found: dict[str, Any], *, as_json: bool) -> None:
    """What changed and what moved; with nothing measured only the hashes."""
    if as_json:
        echo_json(found)
        return
    from rich.table import Table

    table = Table("paper", "made with", "today")
    for name, one in found.items():
        for part, now in one["today"].items():
            was = one["made with"].get(part, "not kept")
            table.add_row(name, f"{part} {was}", "the same" if was == now else now)
    out = console()
    out.print(table)
    rows = [(name, row) for name, one in found.items() for row in one.get("figures", [])]
    if not rows:
        return
    moved = [(name, row) for name, row in rows if row["moved"]]
    if moved:
        shown = Table("paper", "figure", "page", "now", "allowed")
        for name, row in moved:
            shown.add_row(name, row["figure"], f"{row['page']:+.3f}", f"{row['now']:+.3f}",
                          f"{row['allowed']:.3f}")  # fmt: skip
        out.print(shown)
    same = sum(row["page"] == row["now"] for _, row in rows)
    rough = [row["allowed"] for _, row in rows if not row["notices"] and row["page"] != row["now"]]
    told = f"{len(rows)} figures: {same} the same to the fourth place, {len(moved)} moved"
    out.print(f"{told} (5 % for all of them together)")
    if rough:
        out.print(f"{len(rough)} are too rough to notice 0.15, the roughest {max(rough):.2f}")
