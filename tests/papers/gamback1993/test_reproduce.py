"""The command: examples and a match from the deals of a clone, and the report written again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("onnxruntime")

from overtrick.cli.reproduce_gamback1993 import command
from overtrick.papers.gamback1993 import match, reproduce

DATA = Path(__file__).parents[3] / "data"


def test_a_match_counts_who_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(match.VARIANTS, "as shipped", "pragma(rounds=4, outer=2, inner=2)")
    words = ["--out", str(tmp_path), "--data", str(DATA), "--boards", "1", "--stage", "match"]
    run = CliRunner().invoke(command, [*words, "--workers", "here", "--json"])
    assert run.exit_code == 0, run.output
    cell = json.loads(run.stdout)["match"]["as shipped"]
    assert cell["deals"] == 1
    assert sum(cell["sources"].values()) == cell["calls"] > 0
    assert set(cell["sources"]) <= {"system", "KS 1", "KS 2", "KS 3"}
    again = CliRunner().invoke(command, [*words, "--report-only"])
    assert "| as shipped | 1 |" in again.output


def test_shares_are_of_the_calls_that_need_thought() -> None:
    cell = {"sources": {"system": 50, "KS 1": 1, "KS 2": 8, "KS 3": 1}}
    assert match.shares(cell) == "KS 1 10 %, KS 2 80 %, KS 3 10 %"
    assert reproduce.page({}) == "# Pragmatic reasoning in bridge (Gambäck, Rayner & Pell 1993)\n"
