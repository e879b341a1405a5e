"""Console blocks of the pages: what a command is shown to print is what it prints.

In a block after ```console each line that begins with `$ ` is a command, and what follows it up to
the next is its output. A command that shows no output is run elsewhere. A line with … alone stands
for any lines. Commands run in a terminal of 80 columns, with the engines' clocks stopped: a busy
machine changes nothing; how many milliseconds something took may differ, and nothing else may. What
is written anew tells milliseconds of the processor.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from overtrick.cli import main
from overtrick.engines.clock import counted_by

ROOT: Final = Path(__file__).parents[2]
COLUMNS: Final = 80
_BLOCK: Final = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TIME: Final = re.compile(r"\b\d[\d,.]* ms\b")
_LEFT_OUT: Final = "…"


def pages() -> list[Path]:
    """Every page with a console block."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [p for p in found if _BLOCK.search(p.read_text(encoding="utf-8"))]


@dataclass(frozen=True, slots=True)
class Shown:
    """A command and the lines that a page shows below it."""

    command: str
    lines: tuple[str, ...]

    def fits(self, printed: list[str]) -> bool:
        """Is this what was printed, but for times and what is left out?"""
        parts: list[list[str]] = [[]]
        for line in self.lines:
            if line == _LEFT_OUT:
                parts.append([])
            else:
                parts[-1].append(_untimed(line))
        found = [_untimed(line) for line in printed]
        pattern = r"(?:[^\n]*\n)*".join(
            "".join(re.escape(line) + "\n" for line in part) for part in parts
        )
        return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None

    def renewed(self, printed: list[str]) -> Shown:
        """With what was printed; as many lines are left out in the same way."""
        if self.fits(printed):
            return self
        if _LEFT_OUT not in self.lines:
            return replace(self, lines=tuple(printed))
        first, last = self.lines.index(_LEFT_OUT), self.lines[::-1].index(_LEFT_OUT)
        if first and self.lines[first - 1] in printed:
            first = printed.index(self.lines[first - 1]) + 1
        tail = printed[len(printed) - last :] if last else []
        return replace(self, lines=(*printed[:first], _LEFT_OUT, *tail))

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in (f"$ {self.command}", *self.lines))


def commands(block: str) -> Iterator[Shown]:
    """The commands of a block, each with its lines."""
    shown: Shown | None = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if shown is not None:
                yield shown
            shown = Shown(line[2:], ())
        elif shown is not None:
            shown = replace(shown, lines=(*shown.lines, line))
    if shown is not None:
        yield shown


def of_page(text: str) -> list[Shown]:
    """Every command of a page that shows what it prints."""
    return [c for block in _BLOCK.findall(text) for c in commands(block) if c.lines]


def rewritten(text: str, change: Callable[[Shown], Shown]) -> str:
    """The page with its shown commands changed."""

    def block(found: re.Match[str]) -> str:
        made = (change(c) if c.lines else c for c in commands(found[1]))
        return "```console\n" + "".join(map(str, made)) + "```"

    return _BLOCK.sub(block, text)


def files_of(text: str) -> dict[str, str]:
    """Files that a page shows before it uses them: "This is `name`:" and a block."""
    found = re.findall(r"This is `(\S+?)`:\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return {str(name): str(block) for name, block in found}


def printed(command: str, ticks: Callable[[], float] = lambda: 0.0) -> list[str]:
    """The lines that a command prints, by this clock; an error where it fails."""
    program, *words = shlex.split(command)
    assert program == "overtrick", command
    with counted_by(ticks):
        runner = CliRunner(env={"COLUMNS": str(COLUMNS), "OVERTRICK_CACHE": "off"})
        done = runner.invoke(main, words, prog_name="overtrick", input="")
    assert done.exit_code == 0, f"{command}\n{done.output}"
    return [line.rstrip() for line in done.stdout.rstrip().splitlines()]


def _untimed(line: str) -> str:
    return _TIME.sub("0 ms", line.rstrip())
