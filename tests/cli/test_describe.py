"""`overtrick describe`: terminal, JSON and page."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from overtrick.cli import main


def test_describe_on_the_terminal_and_as_json(tmp_path: Path) -> None:
    run = CliRunner().invoke
    shown = run(main, ["describe", "bandit", "--deals", "600", "--depth", "1"])
    assert shown.exit_code == 0, shown.output
    assert "The bandit system" in shown.output
    assert "hcp" in shown.output
    page = tmp_path / "relay.html"
    asked = ["describe", "relay", "--deals", "600", "--html", str(page), "--json"]
    found = run(main, asked)
    assert found.exit_code == 0, found.output
    assert json.loads(found.output)["name"] == "relay"
    assert "The relay system" in page.read_text(encoding="utf-8")


def test_an_unknown_model_is_one_line() -> None:
    result = CliRunner().invoke(main, ["describe", "nothing"])
    assert result.exit_code != 0
    assert "no model 'nothing'" in result.output
