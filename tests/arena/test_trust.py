"""Match files are data: nothing in them starts a program, and what is wrong with them is said."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from overtrick.arena import Match, play_match
from overtrick.arena.archive import described
from overtrick.arena.diff import partings
from overtrick.arena.report import html
from overtrick.arena.store import Store, StoreError
from overtrick.bidding import BIDDERS
from overtrick.cli import main
from overtrick.engines import Untrusted
from overtrick.table.seats import as_data

JOB = Match("points", "pass", boards=6, seed=3)


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "m.sqlite"
    with Store(path, JOB) as store:
        play_match(JOB, store)
    return path


def changed(path: Path, **fields: Any) -> None:
    """What somebody who means harm does to the description of a match."""
    with sqlite3.connect(path) as db:
        (text,) = db.execute("SELECT job FROM match").fetchone()
        db.execute("UPDATE match SET job = ?", (json.dumps({**json.loads(text), **fields}),))


def tampered(path: Path, number: int, **fields: Any) -> None:
    with sqlite3.connect(path) as db:
        (blob,) = db.execute("SELECT result FROM boards WHERE number = ?", (number,)).fetchone()
        new = json.dumps({**json.loads(blob), **fields}).encode()
        db.execute("UPDATE boards SET result = ? WHERE number = ?", (new, number))


@pytest.mark.parametrize(
    "spec",
    [
        "external(command='touch {mark}')",
        "points+external(command='touch {mark}')",
        "bandit(fallback=\"external(command='touch {mark}')\")",
        "bandit(fallback=external)",
        "bandit(fallback='./engine.py')",
        "bandit(fallback='os:system')",
        "os:system",
        "./engine.py",
        "rules(system='/dev/zero')",
        "rules(system='../elsewhere')",
        r"policy(net='\\\\host\\share\\net.onnx')",
        "pimc(nets=['a', '/etc'])",
    ],
)
def test_a_match_file_starts_no_program(match: Path, tmp_path: Path, spec: str) -> None:
    mark = tmp_path / "mark"
    changed(match, a=spec.format(mark=mark))
    said = CliRunner().invoke(main, ["diff", str(match)])
    assert said.exit_code != 0
    with Store(match) as store, pytest.raises(ValueError):
        partings(store)
    with Store(match) as store, pytest.raises(ValueError):
        html(store, why=True)
    assert not mark.exists()


def test_the_user_may_trust_a_file(match: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    touch = f"{sys.executable} -c \"open('{mark}', 'w')\""
    changed(match, a=f"external(command={touch!r}, sealed=false)")
    said = CliRunner().invoke(main, ["diff", str(match)])
    assert isinstance(said.exception, SystemExit | Untrusted)
    assert not mark.exists()
    with Store(match) as store, pytest.raises(ConnectionError):  # it says no hello
        partings(store, 1, trusted=True)
    assert mark.exists()


def test_harmless_engines_are_known_by_name() -> None:
    assert as_data("rules(system=sayc)+pimc(worlds=20)")
    assert as_data("bandit(fallback='rules(system=sayc)')")
    BIDDERS.add("mine", BIDDERS.factory("pass"))
    with pytest.raises(Untrusted, match="mine"):
        as_data("mine")


def test_engines_cannot_compute_the_deals_from_their_seed() -> None:
    views = []

    class Curious:
        name, system = "curious", ""

        def bid(self, view: Any) -> Any:
            views.append(view)
            return BIDDERS.make("pass").bid(view)

    BIDDERS.add("curious", Curious)
    job = Match("curious", "curious", boards=4, seed=4711)
    play_match(job, Store(":memory:", job))
    assert {v.table_seed for v in views} == {Match("pass", "pass", 1, seed=1).player_seed}
    assert job.board(1).deal != Match("pass", "pass", 1, seed=0).board(1).deal


def test_impossible_boards_are_not_counted(match: Path) -> None:
    tampered(match, 2, imps=24_000)
    with Store(match) as store, pytest.raises(StoreError, match="board 2 is damaged"):
        list(store.results())
    said = CliRunner().invoke(main, ["diff", str(match)])
    assert said.exit_code not in (0, 70)


def test_scores_follow_from_contracts(match: Path) -> None:
    with Store(match) as store:
        open_room = next(iter(store.results())).open
    tampered(match, 1, open={"calls": open_room.calls, "contract": "", "tricks": None, "score": 9})
    with Store(match) as store, pytest.raises(StoreError, match="board 1"):
        list(store.results())


def test_a_damaged_file_is_told_in_one_line(match: Path) -> None:
    with sqlite3.connect(match) as db:
        db.execute("UPDATE boards SET result = ? WHERE number = 3", (b"\xff\xfe",))
    with Store(match) as store, pytest.raises(StoreError, match="board 3"):
        list(store.results())
    data = bytearray(match.read_bytes())
    data[200:] = os.urandom(len(data) - 200)
    match.write_bytes(bytes(data))
    said = CliRunner().invoke(main, ["diff", str(match)])
    assert said.exit_code not in (0, 70)
    assert "Traceback" not in said.output


def test_another_version_does_not_go_on_with_a_match(match: Path) -> None:
    with sqlite3.connect(match) as db:
        db.execute("UPDATE match SET version = '0.0.1'")
    with pytest.raises(StoreError, match=r"Overtrick 0\.0\.1"):
        Store(match, JOB)
    assert Store(match).version == "0.0.1"  # to be looked at all the same


def test_looking_writes_nothing(match: Path) -> None:
    before = match.read_bytes()
    with Store(match) as store:
        list(store.results())
    assert match.read_bytes() == before


def test_a_tournament_description_is_checked(tmp_path: Path) -> None:
    for text in ('{"kind": "pairs"}', "[" * 100_000, '{"kind": "pairs", "engines": 3}', "\xff"):
        (tmp_path / "tournament.json").write_text(text, encoding="latin-1")
        with pytest.raises(StoreError):
            described(tmp_path)


def test_terminal_escapes_in_a_file_are_not_printed(match: Path) -> None:
    changed(match, b="pass\x1b]0;owned\x07")
    said = CliRunner().invoke(main, ["diff", str(match)])
    assert "\x1b" not in said.output


def test_a_program_from_outside_cannot_guess_the_deals(match: Path) -> None:
    from overtrick.cli.running import chosen_deals

    outside = ("points", "external(command=x)")
    begun = Match("points", "external(command=x)", 4, seed=12)
    assert chosen_deals(None, "random", ("rules", "points"), None) == (0, "random")
    assert chosen_deals(7, "random", outside, None) == (7, "random")
    assert chosen_deals(None, "random", outside, begun) == (12, "random")
    assert chosen_deals(None, "random", outside, None) == (0, "secret")
    assert chosen_deals(None, "boards.pbn", outside, None) == (0, "boards.pbn")
