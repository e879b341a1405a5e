"""`overtrick eval` prints all numbers, in text and JSON."""

import json

from click.testing import CliRunner

from overtrick.cli import main
from overtrick.evaluation import registry


def run(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["eval", *arguments])
    assert done.exit_code == code, done.output
    return done.output


def test_text_is_grouped() -> None:
    shown = run("AKJ52.QJ82.8.Q64")
    assert "13 hcp" in shown
    assert "first suit ♠" in shown
    for title in ("high cards", "distribution", "suit quality", "hand quality", "dynamic"):
        assert title in shown
    assert len(run("AKJ52.QJ82.8.Q64", "--short").splitlines()) == 2


def test_json_has_every_feature() -> None:
    found = json.loads(run("♠AKJ52 ♥QJ82 ♦8 ♣Q64", "--json"))
    assert set(found["features"]) == set(registry())
    assert found["features"]["LOSERS(S,ALL)"] == 6


def test_the_list_names_every_feature() -> None:
    assert len(run("--list").splitlines()) == len(registry())
    assert len(json.loads(run("--list", "--json"))) == len(registry())


def test_errors_are_one_line() -> None:
    assert "a hand has 13 cards" in run("AK.QJ.T9.87", code=2)
    assert "which hand?" in run(code=2)
    assert "no such rank 'Z'" in run("ZK2.QJ2.T98.7654", code=2)
