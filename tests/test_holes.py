"""Does every test that keeps a hole shut fail when the hole is open?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.holes import HOLES, ROOT, Hole

_NEEDED = ("src", "lab", "tests", "benchmarks", "docs", ".github")
_BROKEN = ("SyntaxError", "NameError", "ImportError", "ModuleNotFoundError")


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_every_hole_is_closed_in_one_place(hole: Hole) -> None:
    """What would open it stands there once, and the test that would see it exists."""
    (place,) = hole.places
    assert place.read_text(encoding="utf-8").count(hole.old) == 1
    path, _, name = hole.test.partition("::")
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


def test_every_finding_is_there() -> None:
    assert {hole.finding for hole in HOLES} == {f"S{i}" for i in range(1, 21)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source and its tests in another place, where they may be changed."""
    root = tmp_path_factory.mktemp("holes")
    for name in _NEEDED:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "pictures")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, root)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_a_hole_that_is_opened_again_is_seen(hole: Hole, copy: Path) -> None:
    (found,) = hole.places
    place = copy / found.relative_to(ROOT)
    sound = place.read_text(encoding="utf-8")
    place.write_text(sound.replace(hole.old, hole.new), encoding="utf-8")
    try:
        said = _tested(hole.test, copy)
    finally:
        place.write_text(sound, encoding="utf-8")
    assert said.returncode == 1, said.stdout
    assert re.search(rf"^FAILED {re.escape(hole.test)}", said.stdout, re.MULTILINE), said.stdout
    assert not any(word in said.stdout for word in _BROKEN), said.stdout


def _tested(test: str, root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", test]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(map(str, (root / "src", root / "lab" / "src"))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
