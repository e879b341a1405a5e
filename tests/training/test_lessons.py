"""Lessons by our written systems: complete auctions, what was prescribed, what was allowed."""

from pathlib import Path

import numpy as np
import pytest

from overtrick.training import lessons
from overtrick.training.data import DataError
from overtrick.training.settings import LessonSettings


def test_lessons_come_back_from_their_file(tmp_path: Path) -> None:
    settings = LessonSettings(count=24, out=tmp_path / "lessons.npz", seed=2, explore=0.5)
    told = lessons.run(settings)
    found = lessons.read(settings.out)
    made = found.auctions.calls >= 0
    assert told["auctions"] == len(found) == 24
    assert told["calls"] == made.sum()
    prescribed = found.prescribed[made].astype(np.uint64)
    assert (found.allowed[made] >> prescribed & np.uint64(1)).all()
    called = found.auctions.calls[made].astype(np.uint64)
    assert (found.allowed[made] >> called & np.uint64(1)).all()
    assert (called != prescribed).any()
    assert np.array_equal(lessons.taught(settings).allowed, found.allowed)


def test_every_pair_of_systems_is_taught(tmp_path: Path) -> None:
    settings = LessonSettings(systems="sayc", count=3, out=tmp_path / "l.npz")
    assert (lessons.taught(settings).auctions.systems == 1).all()
    with pytest.raises(DataError, match="no network knows goren"):
        lessons.taught(LessonSettings(systems="goren", count=1))
