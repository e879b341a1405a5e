"""Seeds and kept inputs through every reader, and a guided run where `atheris` is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS, kept, seeds


@pytest.mark.parametrize("name", READERS)
def test_what_was_found_is_read_or_refused(name: str) -> None:
    for reader, data in [*seeds(), *kept()]:
        if reader == name:
            READERS[name](data)
    for data in (b"", b"\x00", b"\xff" * 40, b"[" * 300, b"(" * 300, b"1" * 300):
        READERS[name](data)


def test_kept_inputs_are_small_and_belong_to_a_reader() -> None:
    found = list(kept())
    assert {name for name, _ in found} <= set(READERS)
    assert all(len(data) <= 4096 for _, data in found)
    assert sum(len(data) for _, data in found) < 400_000


@pytest.mark.fuzz
def test_some_guided_rounds(tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris has no package for this Python or system: nothing was guided")
    command = [sys.executable, "-m", "tests.fuzz", "--rounds", "1200", "--work", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-4000:]
