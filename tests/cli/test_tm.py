"""The verbs that talk to other programs: tm serve, tm join, engine."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from overtrick.cli.engine import command as engine
from overtrick.cli.tm import command as tm
from overtrick.notation import loads
from overtrick.protocol.deck import KeyedDeck


def test_a_session_of_our_own_engines(tmp_path: Path) -> None:
    log, pbn = tmp_path / "tm.jsonl", tmp_path / "tm.pbn"
    words = ["serve", "-n", "2", "--teams", "A", "B", "--engine", "A=points", "--engine",
             "B=pass", "--port", "0", "--log", str(log), "--pbn", str(pbn)]  # fmt: skip
    run = CliRunner().invoke(tm, words)
    assert run.exit_code == 0, run.output
    assert "open   board 1" in run.output
    assert "over 2 boards" in run.output
    assert pbn.read_text().count("[Board ") == 4
    events = [json.loads(line) for line in log.read_text().splitlines()]
    secret = events[-1]["text"].removeprefix("the secret was ")
    assert KeyedDeck(secret).promise in events[0]["text"]
    assert loads(pbn.read_bytes())[0].deal == KeyedDeck(secret).boards(1)[0].deal
    plain = CliRunner().invoke(tm, [*words, "--json"])
    told = json.loads(plain.stdout)
    assert len(told["boards"]) == 2
    assert KeyedDeck(told["secret"]).promise == told["promise"]


def test_mistakes_are_one_line() -> None:
    for words, message in (
        (["serve"], "give --boards FILE or --random N"),
        (["serve", "-n", "1", "--engine", "points"], "NAME=VALUE"),
        (["join", "127.0.0.1", "1", "--tries", "1"], "no manager at"),
    ):
        run = CliRunner().invoke(tm, words)
        assert run.exit_code == 2
        assert message in run.output


def test_an_engine_on_standard_input() -> None:
    lines = '{"type": "hello"}\n{"type": "act"}\n'
    run = CliRunner().invoke(engine, ["points", "--stdio"], input=lines)
    hello, error = (json.loads(line) for line in run.output.splitlines())
    assert hello["name"] == "points+highest"
    assert error["type"] == "error"
