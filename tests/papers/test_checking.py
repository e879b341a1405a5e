"""Figures measured again: what moved, what is too small to see, and what they were made with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick_lab.papers import PAPERS
from overtrick_lab.papers.checking import figures, lines
from overtrick_lab.papers.madewith import PARTS, changed, made_with
from overtrick_lab.verbs import reproduce_check


def cell(imps: float, error: float) -> dict[str, float]:
    return {"imps": imps, "error": error, "instances": 5}


def test_a_figure_moves_beyond_the_limit_for_all_of_them() -> None:
    kept = {"games": {"matches": [{"score": cell(1.0, 0.03)}, {"score": cell(0.2, 0.03)}]}}
    again = {"games": {"matches": [{"score": cell(1.2, 0.03)}, {"score": cell(0.25, 0.03)}]}}
    found = figures(kept, again)
    assert [one.name for one in found] == ["games/matches/0/score", "games/matches/1/score"]
    shown = lines(found, len(found))
    assert [row["moved"] for row in shown] == [True, False]
    assert all(row["notices"] for row in shown)
    many = lines(found, 500)  # among so many figures a difference of 4.7 errors still counts …
    assert [row["moved"] for row in many] == [True, False]
    assert not any(row["notices"] for row in many)  # … but 0.15 would be missed


def test_the_same_problems_are_compared_one_by_one() -> None:
    problems = [float(i % 7) for i in range(100)]
    better = [one + 0.1 + 0.01 * (i % 2) for i, one in enumerate(problems)]
    kept = {"a": {**cell(3.0, 0.2), "by_problem": problems}}
    again = {"a": {**cell(3.105, 0.2), "by_problem": better}}
    (one,) = figures(kept, again)
    assert one.error < 0.001
    assert one.moved(1)
    (same,) = figures(kept, kept)
    assert not same.moved(1)
    assert figures(kept, {"b": kept["a"]}) == []


def test_hashes_follow_the_files(tmp_path: Path) -> None:
    for place in ("core", "lab"):
        (tmp_path / place).mkdir()
    models = tmp_path / "core" / "nets" / "models"
    models.mkdir(parents=True)
    (models / "policy.onnx").write_bytes(b"one")
    first = made_with("qiu2024", tmp_path / "core", tmp_path / "lab")
    (models / "notes.txt").write_bytes(b"of no interest")
    assert made_with("qiu2024", tmp_path / "core", tmp_path / "lab") == first
    (models / "policy.onnx").write_bytes(b"two")
    second = made_with("qiu2024", tmp_path / "core", tmp_path / "lab")
    assert {part for part in first if first[part] != second[part]} == {"policy"}


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_says_what_it_depends_on(name: str) -> None:
    """A part without files would have the hash of nothing, and never change."""
    today = made_with(name)
    assert set(today) == set(PARTS[name])
    assert len(set(today.values())) == len(today)
    assert "e3b0c442" not in today.values()
    assert changed(name, today) == []
    assert set(reproduce_check.AGAIN) == set(PAPERS)


def test_the_command_names_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    words = ["reproduce", "--check", "--hashes", "--paper", "ho2015"]
    plain = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    assert set(plain) == {"ho2015"}
    assert plain["ho2015"]["today"] == made_with("ho2015")
    assert "learner" in CliRunner().invoke(main, words).output


def test_it_wants_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(main, ["reproduce", "--check"])
    assert found.exit_code == 2
    assert "in a clone" in found.output
