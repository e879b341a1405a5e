"""Every verb on every terminal: code page 1252, plain ASCII, 60 columns, the C locale, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from overtrick import notation
from overtrick.cli import main
from overtrick.game import Contract, Record, vulnerability_of

_DEAL = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
_HAND = "AQ3.KJ4.QJ52.K82"
# One quick command for each verb; those that serve, train or repeat papers have their own tests.
VERBS: dict[str, list[str]] = {
    "analyse": ["evening.pbn", "--board", "1", "--worlds", "0", "--bidder", "none"],
    "bid": ["--seed", "4", "--engine", "rules"],
    "card": ["show", "sayc"],
    "challenge": [],
    "completion": ["bash"],
    "convert": ["evening.pbn", "--to", "text"],
    "dd": [_DEAL, "--contract", "3NT N"],
    "deal": ["-n", "2", "--seed", "1", "--north", "hcp 15..17, balanced", "--stats"],
    "describe": ["relay", "--deals", "500", "--depth", "1"],
    "diff": ["match.sqlite"],
    "engine": ["points", "--stdio"],
    "engines": [],
    "eval": [_HAND],
    "explain": ["1NT P 2H", "--samples", "1"],
    "label": ["out.npz", "-n", "2"],
    "ladder": ["ladder.sqlite", "--add", "match.sqlite"],
    "lead": ["QJT95.82.K73.962", "1NT P 3NT", "--engine", "pimc(lead_worlds=4)"],
    "match": ["points", "pass", "-n", "4", "--db", "again.sqlite"],
    "league": ["league.toml", "--dir", "league"],
    "mcp": ["--list"],
    "movement": ["howell", "6"],
    "par": [_DEAL],
    "plan": [_DEAL, "--contract", "3NT N", "--lines"],
    "play": ["--seed", "7", "--why", "--engine", "pimc(worlds=2)", "--bidder", "rules"],
    "rating": ["club.pbn"],
    "reproduce": [],
    "samples": ["--list"],
    "score": ["4SX S", "--tricks", "9"],
    "simulate": ["--north", "hcp 15..17, balanced", "--contract", "1NT N", "-n", "4"],
    "suit": ["AQT98", "5432"],
    "sweep": ["rules(system={sayc,two-over-one})", "pass", "-n", "2"],
    "system": ["list"],
    "think": [_HAND, "--engine", "rules"],
    "tournament": ["round-robin", "points", "pass", "-n", "2"],
    "verify": ["match.sqlite"],
}
_ELSEWHERE = {"serve", "train", "tm"}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERTRICK_CACHE", "off")
    home = resources.files("overtrick") / "samples"
    (tmp_path / "evening.pbn").write_bytes((home / "evening.pbn").read_bytes())
    (tmp_path / "club.pbn").write_text(_club(), encoding="utf-8")
    match = '[[match]]\na = "us"\nb = "them"\nboards = 2\n'
    league = f'[robots]\nus = "points"\nthem = "pass"\n{match}'
    (tmp_path / "league.toml").write_text(league, encoding="utf-8")


def _club() -> str:
    """Four pairs at two tables, eight boards."""
    a, b, c, d = ("Ann", "Bob"), ("Cyd", "Dan"), ("Eve", "Flo"), ("Gus", "Hal")
    rounds = [((a, b), (c, d)), ((a, c), (d, b)), ((a, d), (b, c))]
    records = []
    for number in range(1, 9):
        for ns, ew in rounds[number % 3]:
            names = (ns[0], ew[0], ns[1], ew[1])
            tricks, vul = 8 + (ns == a), vulnerability_of(number)
            contract = Contract.parse("3NT N")
            records.append(Record(number, vul=vul, contract=contract, tricks=tricks, names=names))
    return notation.dumps(records, "pbn")


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match to look into."""
    path = tmp_path_factory.mktemp("match") / "match.sqlite"
    robots = ["points+highest", "pass+highest"]
    done = CliRunner().invoke(main, ["match", *robots, "-n", "4", "--play", "--db", str(path)])
    assert done.exit_code == 0
    return path


def _words(verb: str, stored: Path) -> list[str]:
    return [verb, *(str(stored) if w == "match.sqlite" else w for w in VERBS[verb])]


def test_every_verb_is_tried() -> None:
    assert set(VERBS) | _ELSEWHERE == set(main.list_commands(click.Context(main)))


@pytest.mark.parametrize("verb", VERBS)
def test_sixty_columns_of_code_page_1252(verb: str, stored: Path) -> None:
    runner = CliRunner(charset="cp1252", env={"COLUMNS": "60"})
    shown = runner.invoke(main, _words(verb, stored), input="")
    assert shown.exit_code == 0, shown.output
    assert not set(shown.output) & set("♠♥♦♣┏│─")
    if verb != "completion":  # a script for a shell
        wide = [line for line in shown.stdout.splitlines() if len(line.rstrip()) > 60]
        assert not wide, wide


@pytest.mark.parametrize("verb", ["bid", "explain", "lead", "suit", "engines"])
def test_plain_ascii(verb: str, stored: Path) -> None:
    shown = CliRunner(charset="ascii").invoke(main, _words(verb, stored))
    assert shown.exit_code == 0, shown.output
    assert shown.output.isascii()
    assert "?" not in shown.output.replace("it?", "")


def test_json_is_the_same_on_every_terminal() -> None:
    words = ["bid", *VERBS["bid"], "--json"]
    found = [
        json.loads(CliRunner(charset=c).invoke(main, words).stdout) for c in ("utf-8", "cp1252")
    ]
    for row in found:
        for decision in row["decisions"]:
            del decision["milliseconds"]
    assert found[0] == found[1]


@pytest.mark.parametrize("extra", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}])
def test_redirected_output(extra: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with target.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "overtrick", "score", "4S S"],
            stdout=file, stderr=subprocess.PIPE, check=False, env=os.environ | extra,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"South" in target.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("extra", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252:strict"}])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_as_a_process(verb: str, extra: dict[str, str], stored: Path) -> None:
    """Real pipes, a real locale: nothing ends in an error because of a character."""
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", *_words(verb, stored)], input=b"", check=False,
        capture_output=True, env=os.environ | {"COLUMNS": "60"} | extra,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Error" not in done.stderr


# A test run in the background was started with Ctrl-C ignored, and so are its children.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_while_the_solver_is_at_work(tmp_path: Path) -> None:
    """Inside the C library Python's handler cannot run: the process ends all the same."""
    code = (
        f"{HEARING}from overtrick import Deal, dd\n"
        "from overtrick.cli.terminal import interruptible\n"
        "hands = dd.bits_of([Deal.random(i) for i in range(32)])\n"
        "with interruptible():\n"
        "    print('ready', flush=True)\n"
        "    dd.table_array(hands)\n"
        "    print('solved', flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    rest, said = child.communicate(timeout=60)
    assert (child.returncode, rest, said) == (130, "", "stopped\n")
