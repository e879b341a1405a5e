"""A class name means one thing: the glossary's nouns are one class each, few names are shared."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Things of the wire, whose names the page and other programs know, beside ours of the same name.
SHARED = {"BoardResult", "Claim", "Line", "Position", "Table"}


@cache
def _homes() -> dict[str, list[str]]:
    """Every class of both distributions, with the rooms that define it."""
    homes: dict[str, list[str]] = defaultdict(list)
    for source in (ROOT / "src" / "overtrick", ROOT / "lab" / "src" / "overtrick_lab"):
        for path in sorted(source.rglob("*.py")):
            room = path.relative_to(source).parts[0].removesuffix(".py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    homes[node.name].append(room)
    return homes


def test_a_class_name_means_one_thing() -> None:
    shared = {name: rooms for name, rooms in _homes().items() if len(rooms) > 1}
    assert set(shared) <= SHARED, f"choose another name, or the other's: {shared}"
    assert set(shared) == SHARED, "some of these are no longer shared: strike them out"


def test_the_nouns_of_the_glossary_are_one_class_each() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    _, _, nouns = text.partition("## Nouns of the code")
    rows = re.findall(r"^\| (`[^|]*`) \| `(\w+)` \|", nouns, re.MULTILINE)
    told = {name: room for names, room in rows for name in re.findall(r"`(\w+)`", names)}
    assert len(told) > 40
    assert {name: _homes()[name] for name in told} == {n: [room] for n, room in told.items()}


def test_no_module_is_longer_than_one_can_read() -> None:
    lengths = {
        path.name: path.read_bytes().count(b"\n")
        for source in (ROOT / "src", ROOT / "lab" / "src")
        for path in source.rglob("*.py")
    }
    long = {name for name, lines in lengths.items() if lines > 700}
    assert not long, "divide it by its ideas"


def test_lines_of_the_page_are_as_short_as_ours() -> None:
    """What the formatter cannot break: texts and comments."""
    long = [
        f"{path.name}:{number}"
        for path in sorted((ROOT / "web" / "src").glob("*.ts"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 100
    ]
    assert not long
