"""`overtrick think`: a whole decision in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main


def test_it_shows_the_call_the_source_and_deals() -> None:
    pytest.importorskip("onnxruntime")
    engine = "pragma(seconds=30, rounds='8', k=3, outer=0)"
    shown = CliRunner().invoke(main, ["think", "KJ3.A4.QT52.9832", "1S P", "--engine", engine])
    assert shown.exit_code == 0, shown.output
    assert "leads to" in shown.output
    assert "imagined" in shown.output
    assert "Deals it could be" in shown.output


def test_json_and_other_engines() -> None:
    told = CliRunner().invoke(
        main, ["think", "AQ3.KJ4.QJ52.K82", "--engine", "rules", "--json", "--dealer", "S"]
    )
    found = json.loads(told.output)
    assert found["action"] == "1NT"
    assert found["deals"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["AQ3.KJ4"], "four suits"), (["AQ3.KJ4.QJ52.K82", "P P P P"], "over")],
)
def test_mistakes_are_one_line(arguments: list[str], words: str) -> None:
    shown = CliRunner().invoke(main, ["think", *arguments])
    assert shown.exit_code != 0
    assert words in shown.output


@pytest.mark.slow
def test_the_paper_is_repeated(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    run = CliRunner().invoke(
        main, ["reproduce", "pragma", "--quick", "--json", "--out", str(tmp_path)]
    )
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)
    assert found["figure_10"]["tricks"] == 7
    assert found["figure_9"]["Pass"] == ["1NT"]
    assert found["figure_6"]["distance"] < 0.05
    assert "Figure 7" in (tmp_path / "report.md").read_text(encoding="utf-8")
