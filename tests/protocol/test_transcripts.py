"""Recorded dialogues: our side says exactly what was recorded, whatever the other side's habits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.protocol.harness import TRANSCRIPTS, load, replay

FILES = sorted(TRANSCRIPTS.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_dialogue(path: Path) -> None:
    scene, lines = load(path)
    journal = asyncio.run(replay(scene, lines))
    if scene.side == "manager":
        assert dict(journal.faults) == scene.faults


def test_there_are_enough_dialogues() -> None:
    assert len(FILES) >= 10
