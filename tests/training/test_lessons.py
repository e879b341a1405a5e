"""Lessons by our written systems: complete auctions, what was prescribed, what was allowed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overtrick_lab.training import lessons
from overtrick_lab.training.data import DataError
from overtrick_lab.training.settings import LessonSettings


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
    both = lessons.taught(LessonSettings(count=8, out=tmp_path / "m.npz")).auctions.systems
    assert {tuple(pair) for pair in both.tolist()} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    with pytest.raises(DataError, match="no network knows goren"):
        lessons.taught(LessonSettings(systems="goren", count=1))
    with pytest.raises(DataError, match="wild"):
        lessons.taught(LessonSettings(character="wild", count=1))


def test_lessons_go_on_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = LessonSettings(count=24, out=tmp_path / "whole.npz", save_seconds=0)
    lessons.run(whole)
    cut, real, bid = replace(whole, out=tmp_path / "cut.npz"), lessons.bid_by_rules, []

    def four_jobs(*job: Any) -> Any:
        bid.append(job)
        if len(bid) == 4:
            raise KeyboardInterrupt
        return real(*job)

    monkeypatch.setattr(lessons, "bid_by_rules", four_jobs)
    with pytest.raises(KeyboardInterrupt):
        lessons.run(cut)
    lessons.run(cut)
    assert len(bid) == 24 // 2 + 1  # only the job that was killed is done again
    assert cut.out.read_bytes() == whole.out.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"whole.npz", "cut.npz"}


def test_by_the_letter_nothing_departs_while_another_call_will_do() -> None:
    bent = lessons.taught(LessonSettings(count=60, explore=0.0, character="free"))
    firm = lessons.taught(LessonSettings(count=60, explore=0.0, character="letter"))
    assert np.array_equal(bent.auctions.calls, firm.auctions.calls)
    assert not (firm.allowed & ~bent.allowed).any()
    assert (firm.allowed != bent.allowed).any()
