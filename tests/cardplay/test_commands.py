"""`overtrick play` and `overtrick analyse`: boards in, records and costs out."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from overtrick.cli import main

CHEAP = ("--engine", "random", "--bidder", "rules")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), catch_exceptions=False, standalone_mode=False)


def test_a_board_is_played_and_written(tmp_path: Path) -> None:
    file = tmp_path / "played.pbn"
    result = run("play", "--seed", "7", *CHEAP, "--out", str(file), "--json")
    row = json.loads(result.stdout)
    assert len(row["cards"]) == 52
    assert row["rulings"] == []
    again = run("play", str(file), "--engine", "highest", "--json")
    assert json.loads(again.stdout)["contract"] == row["contract"]
    costs = json.loads(
        run("analyse", str(file), "--worlds", "0", "--bidder", "none", "--json").stdout
    )
    assert [c["card"] for c in costs["cards"]] == row["cards"]
    assert sum(c["dd_cost"] for c in costs["cards"]) > 0


def test_contracts_can_be_given_and_reasons_asked_for() -> None:
    result = run(
        "play", "--seed", "3", "--contract", "4SX S", "--engine", "pimc(worlds=2)", "--why"
    )
    assert "4♠X" in result.output
    assert "the only card" in result.output
    assert "North-South" in result.output


def test_single_dummy_costs_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "played.pbn"
    run("play", "--seed", "5", "--contract", "3NT N", "--engine", "random", "--out", str(file))
    result = run("analyse", str(file), "--worlds", "3")
    assert "double dummy" in result.output
    assert "better" in result.output
