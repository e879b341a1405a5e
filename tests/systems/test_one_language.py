"""One constraint language: every constraint that is written somewhere reads the same everywhere."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from overtrick.evaluation import HandArray
from overtrick.systems.meanings import constraint_of
from overtrick.systems.refined import load_refinements, shipped
from overtrick.systems.shows import bind, parse_shows
from overtrick.systems.syntax import Place, RuleFile, read_rules
from overtrick.worlds import ConstraintError, parse
from overtrick.worlds.vocabulary import REFERENCE
from tests.worlds.conftest import random_hands

ROOT = Path(__file__).parents[2]
HERE = Place("here.bid", 1)
HANDS = HandArray(random_hands(300, 8))
MAJORS = {"M": 3, "oM": 2, "m": 1, "om": 0}


def rule_files() -> list[RuleFile]:
    root = files("overtrick.systems") / "library"
    texts = [f for folder in root.iterdir() if folder.is_dir() for f in folder.iterdir()]
    return [read_rules(f.read_text(encoding="utf-8"), f.name) for f in texts]


def library() -> tuple[set[str], dict[str, str]]:
    """Every constraint text of the rule files and of learned agreements, with the definitions."""
    found, defines = set[str](), dict[str, str]()
    for file in rule_files():
        defines |= file.defines
        found |= {s.text for b in file.blocks for rule in b.rules for s in rule.sets}
    for name in shipped():
        nets = load_refinements(name).nets.values()
        found |= {ruling.text for net in nets for ruling in net.rulings}
    return found | set(defines.values()), defines


def reference() -> list[str]:
    """What the reference shows, in its first column and as other ways to write it."""
    rows = [row for _, rows in REFERENCE for row in rows]
    first = [write for write, _ in rows]
    said = [piece for _, means in rows for piece in re.findall("`([^`]+)`", means)]
    return first + [p for p in said if len(p.split()) > 1 and not p.startswith("overtrick")]


def bindings(variables: tuple[str, ...]) -> dict[str, int]:
    """Different suits for different variables, majors for M."""
    out = {v: MAJORS[v] for v in variables if v in MAJORS}
    for v in variables:
        out.setdefault(v, next(s for s in (3, 2, 1, 0) if s not in out.values()))
    return out


def check(text: str, defines: dict[str, str]) -> bool:
    """Read as a rule file and as everybody else reads it; False for words of the auction."""
    template = parse_shows(text, HERE, defines)
    if template.shared:
        with pytest.raises(ConstraintError):
            parse(text, bindings(template.variables), defines)
        return False
    suits = bindings(template.variables)
    rule = constraint_of(bind(template, suits, None))
    plain = parse(text, suits, defines)
    assert (rule.mask(HANDS) == plain.mask(HANDS)).all(), text
    assert parse(plain.text()) == plain, text
    assert (parse(plain.words()).mask(HANDS) == plain.mask(HANDS)).all(), text
    return True


def test_the_library_reads_the_same_for_rules_and_for_people() -> None:
    texts, defines = library()
    same = [check(text, defines) for text in sorted(texts)]
    assert len(same) > 1000
    assert sum(same) > 800


def test_the_reference_reads_the_same_for_rules_and_for_people() -> None:
    for text in reference():
        assert check(text, {}), text


def test_the_guide_shows_the_reference() -> None:
    """docs/systems.md prints the rows that `overtrick deal --words` prints."""
    page = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    for title, rows in REFERENCE:
        table = "\n".join(f"| `{_cell(write)}` | {_cell(means)} |" for write, means in rows)
        assert f"| {title.lower()} | |\n|---|---|\n{table}\n" in page


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def test_examples_on_pages_are_read() -> None:
    """Descriptions of hands in the README, the guides and the deal page."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "web/src/deal.ts"]
    found = set[str]()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found |= set(re.findall(r'--(?:north|east|south|west) "([^"]+)"', text))
        found |= set(
            re.findall(r'\bparse\("([^"]*(?:hcp|spades|balanced)[^"]*)"\)(?!\s+Traceback)', text)
        )
        found |= set(re.findall(r'\b[NESW]: "([^"]*[a-z]+ \d[^"]*)"', text))
    assert len(found) >= 8
    for text in sorted(found):
        assert check(text, {}), text
