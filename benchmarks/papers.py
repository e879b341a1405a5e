"""Runs every command of the pages in docs/papers at quick scale and checks the numbers they print.
Run: python -m benchmarks.papers [PAPER ...] [--out DIR] [--workers 2]
     python -m benchmarks.papers PAPER --keep DIR COMMAND    a long run becomes the page's own
     python -m benchmarks.papers [PAPER ...] --redraw        its tables are written again

A page says what is to be checked in comments that its readers do not see:

    <!-- check CELL PATH VALUE ± ERROR -->

CELL names a finished cell of the run (a pattern may stand for sizes), PATH a number inside it; next
to an `imps` or `mean` the cell's own error counts too. The value must stand in the page, and what
the quick run sees must lie within two standard errors of it. Commands that need an accelerator or
another program are only parsed.

The cells of long runs lie beside the pages (docs/papers/PAPER/cells.json). Tables that come from
them stand between two comments, and a test compares:

    <!-- report SECTION -->
    <!-- end -->

A second run of another scale is kept as cells-SCALE.json; its sections are `SCALE: SECTION`. A part
of a section is `SECTION / PART`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from overtrick.cli import main as overtrick
from overtrick.notation.whole import write_whole
from overtrick_lab.papers import PAPERS
from overtrick_lab.papers.cells import packed
from overtrick_lab.papers.checking import ERRORS
from overtrick_lab.verbs.reproducing import MADE, SETTING

PAGES = Path("docs/papers")
_CHECK = re.compile(r"<!-- check (\S+) (.+?) ([-−+\d.]+)(?: ± ([\d.]+))? -->")
# Options that set a size, a place or a helper's data: the quick run chooses for itself.
_SIZES = frozenset(
    {"--scale", "--boards", "--problems", "--deals", "--trees", "--search-deals", "--belief-deals",
     "--variant-deals",
     "--workers", "-w", "--ray", "--out", "--data", "--networks", "--minutes", "--match", "--past",
     "--net", "--belief", "--first", "--seed"}
)  # fmt: skip
_FLAGS = frozenset({"--full", "--quick", "--report-only", "--json", "--ship"})
_BLOCK = re.compile(r"(<!-- report (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_PICTURE = re.compile(r"^!\[(.*?)\]\(.*\)\n?(?:\n\1\.\n)?", re.MULTILINE)  # with its caption
_DECIMALS = 6  # of kept numbers, more than any page shows


class Check(NamedTuple):
    """One number of a page."""

    cell: str
    path: str
    text: str
    value: float
    error: float


class Verdict(NamedTuple):
    """What became of it."""

    check: Check
    seen: float | None
    holds: bool


def commands(page: str) -> list[str]:
    """Every command of a page: in a block of code or in quotes."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    quoted = re.findall(r"`(overtrick [a-z][^`]*)`", page)
    found = [line.strip().removeprefix("$ ") for line in [*lines, *quoted]]
    typed = [re.split(r" {2,}| #", line)[0] for line in found if line.startswith("overtrick ")]
    return list(dict.fromkeys(line for line in typed if "…" not in line))


def checks(page: str) -> Iterator[Check]:
    """The numbers that are to be seen again."""
    for cell, path, text, error in _CHECK.findall(page):
        value = float(text.replace("−", "-"))
        yield Check(cell, path, text, value, float(error or 0))


def quick(words: list[str], out: Path, workers: str) -> list[str]:
    """The same command at quick scale; one with a folder of its own gets one here too."""
    kept, skip = [], False
    if "--out" in words:
        out = out / Path(words[words.index("--out") + 1]).name
    for word in words:
        if skip or word in _FLAGS:
            skip = False
        elif word in _SIZES:
            skip = True
        else:
            kept.append(word)
    return [*kept, "--quick", "--workers", workers, "--out", str(out)]


def cells_of(folder: Path) -> dict[str, Any]:
    """Everything a run has left, by name."""
    found = {p.stem: json.loads(p.read_text()) for p in sorted((folder / "cells").glob("*.json"))}
    numbers = folder / "numbers.json"
    return found | ({"numbers": json.loads(numbers.read_text())} if numbers.exists() else {})


def look_up(cells: dict[str, Any], check: Check) -> tuple[float, float] | None:
    """The number that was seen, and its own error where the cell has one."""
    for name in (n for n in cells if Path(n).match(check.cell)):
        where: Any = cells[name]
        *way, last = check.path.split("/")
        for step in way:
            where = where[int(step)] if isinstance(where, list) else where.get(step, {})
        if isinstance(where, list):
            return float(where[int(last)]), 0.0
        if last in where:
            error = where.get(ERRORS.get(last, ""), 0.0)
            return float(where[last]), float(error or 0.0)
    return None


def judge(check: Check, cells: dict[str, Any], page: str) -> Verdict:
    """Does the page print it, and is it seen again?"""
    visible = _CHECK.sub("", page)
    found = look_up(cells, check)
    if found is None or not _printed(check, visible):
        return Verdict(check, None if found is None else found[0], False)
    seen, error = found
    allowed = 2 * math.hypot(check.error, error) + 0.5 * 10 ** -len(check.text.partition(".")[2])
    return Verdict(check, seen, abs(seen - check.value) <= allowed)


def _printed(check: Check, visible: str) -> bool:
    """As it stands, or in per cent."""
    digits = len(check.text.partition(".")[2])
    percent = f"{100 * check.value:.{max(digits - 2, 0)}f} %"
    return check.text.lstrip("+") in visible or percent in visible


def kept(name: str, scale: str = "") -> dict[str, Any] | None:
    """A long run behind a page: its command, and its cells."""
    path = _kept(name, scale)
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _kept(name: str, scale: str) -> Path:
    return PAGES / name / (f"cells-{scale}.json" if scale else "cells.json")


def scales(name: str) -> list[str]:
    """The runs behind a page: that of most tables, which has no name here, and others by scale."""
    others = sorted((PAGES / name).glob("cells-*.json"))
    return ["", *(path.stem.removeprefix("cells-") for path in others)]


def keep(name: str, folder: Path, command: str) -> None:
    """Put the cells of a finished run beside its page; of another scale than the page's they get a
    file of their own."""
    setting = folder / SETTING
    made = json.loads(setting.read_text(encoding="utf-8")) if setting.exists() else {}
    with_what = folder / MADE
    parts = json.loads(with_what.read_text(encoding="utf-8")) if with_what.exists() else {}
    cells = _rounded(packed(folder))
    shown = {"command": command, "setting": made, "made": parts, "cells": cells}
    first, scale = (kept(name) or shown)["setting"], made.get("scale", "")
    path = _kept(name, "" if scale == first.get("scale", "") else scale)
    path.parent.mkdir(exist_ok=True)
    write_whole(path, json.dumps(shown, ensure_ascii=False, separators=(",", ":")) + "\n")


def _rounded(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    if isinstance(found, list):
        return [_rounded(value) for value in found]
    if isinstance(found, float):
        return int(found) if found.is_integer() else round(found, _DECIMALS)
    return found


def sections(report: str) -> dict[str, str]:
    """A report by its headings, without pictures; the parts of a section by theirs too."""
    whole = _by_heading(report, "##")
    parts = {
        f"{title} / {name}": text
        for title, body in whole.items()
        for name, text in _by_heading(body, "###").items()
    }
    return whole | parts


def _by_heading(text: str, mark: str) -> dict[str, str]:
    parts = re.split(rf"^{mark} (.+)\n", text, flags=re.MULTILINE)[1:]
    bodies = (_PICTURE.sub("", body).strip() for body in parts[1::2])
    return dict(zip(parts[::2], bodies, strict=True))


def redrawn(page: str, found: dict[str, str]) -> str:
    """The page with its tables as the reports have them."""
    return _BLOCK.sub(lambda m: f"{m[1]}\n{found[m[2]]}\n\n{m[4]}", page)


def reports_of(name: str) -> dict[str, str]:
    """The sections of all kept runs, written again from their cells."""
    found: dict[str, str] = {}
    for scale in scales(name):
        run = kept(name, scale)
        if run is None:
            continue
        with tempfile.TemporaryDirectory() as out:
            words = [*shlex.split(run["command"])[1:], "--report-only", "--out", out]
            CliRunner().invoke(overtrick, words, catch_exceptions=False)
            told = sections((Path(out) / "report.md").read_text(encoding="utf-8"))
        found["Made with"] = found.get("Made with") or _made_with(run.get("made", {}))
        found |= {f"{scale}: {title}" if scale else title: text for title, text in told.items()}
    return found


def _made_with(parts: dict[str, str]) -> str:
    """What the figures depend on, as `overtrick reproduce --check` compares it."""
    told = ", ".join(f"{part} `{digits}`" for part, digits in parts.items())
    return f"Made with: {told}." if told else "Made before it was kept with what."


def redraw(name: str) -> None:
    """Write the tables of a page again."""
    path = PAGES / f"{name}.md"
    write_whole(path, redrawn(path.read_text(encoding="utf-8"), reports_of(name)))


def run_page(name: str, out: Path, workers: str) -> bool:
    """All commands of a page, then its numbers; whether everything went well."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    fine = True
    for line in commands(page):
        words = shlex.split(line)[1:]
        runs = words[:2] == ["reproduce", name]
        verbs = itertools.takewhile(lambda word: not word.startswith("-"), words)
        asked = quick(words, out / name, workers) if runs else [*verbs, "--help"]
        began = time.monotonic()
        result = CliRunner().invoke(overtrick, asked)
        good = result.exit_code == 0
        fine &= good
        what = "ran" if runs else "known"
        print(f"{'ok ' if good else 'BAD'} {what:5} {time.monotonic() - began:5.0f} s  {line}")
        if not good:
            print(result.output[-800:], result.exception)
    cells = cells_of(out / name)
    for check in checks(page):
        told = judge(check, cells, page)
        fine &= told.holds
        where = "inside" if told.holds else "OUTSIDE" if told.seen is not None else "MISSING"
        print(f"{where:7} two standard errors: {check.cell} {check.path}: page {check.text}"
              f" ± {check.error:g}, seen {told.seen}")  # fmt: skip
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", choices=[*PAPERS, []], default=[])
    parser.add_argument("--out", type=Path, default=Path("reproduced"))
    parser.add_argument("--workers", default="2")
    parser.add_argument("--keep", nargs=2, metavar=("DIR", "COMMAND"))
    parser.add_argument("--redraw", action="store_true")
    args = parser.parse_args()
    if args.keep:
        keep(args.papers[0], Path(args.keep[0]), args.keep[1])
    if args.keep or args.redraw:
        for name in args.papers or PAPERS:
            redraw(name)
        return
    good = [run_page(name, args.out, args.workers) for name in args.papers or PAPERS]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
