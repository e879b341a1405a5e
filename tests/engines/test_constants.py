"""Constants with a pedigree, read from the source of their room."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

import pytest

from overtrick.engines.constants import Measurement, constants_of, tables

SOURCE = """
from dataclasses import dataclass
from typing import Final
from overtrick.engines.constants import Measurement, constant

BY_HAND: Final = Measurement("docs/decisions.md", "40 boards", "2026-11-19")
RACE_HOPE: Final = constant(1.5, "errors", "how far behind | a call may be", BY_HAND, "+0.1 ± 0.2")
RACE_LEVELS: Final = constant((1, -2), "tricks", "by level")

@dataclass(frozen=True)
class Settings:
    worlds: int = constant(40, "deals", "imagined", effect="none seen")
    seconds: float = 2.0
"""


@pytest.fixture
def room(tmp_path, monkeypatch) -> ModuleType:
    (tmp_path / "room_of_constants.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("room_of_constants")
    del sys.modules["room_of_constants"]


def test_code_reads_plain_numbers(room):
    assert room.RACE_HOPE == 1.5
    assert room.Settings().worlds == 40


def test_a_pedigree_is_read_from_the_source_of_the_constant(room):
    hope, levels, worlds = constants_of(room)
    assert hope.chosen == Measurement("docs/decisions.md", "40 boards", "2026-11-19")
    assert (hope.group, levels.group, worlds.group) == ("Race", "Race", "Settings")
    assert (levels.value, str(levels.chosen)) == ("(1, -2)", "not measured")
    assert worlds.effect == "none seen"


def test_a_page_has_a_row_for_each(room):
    page = tables(constants_of(room))
    assert r"| how far behind \| a call may be | docs/decisions.md, 40 boards, 2026-11-19 |" in page
    assert page.count("### ") == 2
    assert page.count("\n| `") == 3
