"""The league: who plays whom, on which deals, and what the file of results says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from overtrick import dd
from overtrick.arena import Backend, Match, play_match
from overtrick.arena.judged import given_up, judged
from overtrick.arena.league import (
    LeagueError,
    Pair,
    Results,
    Row,
    Schedule,
    Where,
    commitment,
    play_league,
    seed_of,
    table,
)
from overtrick.arena.store import Store, StoreError
from overtrick.bidding.base import BIDDERS
from overtrick.cli import main
from overtrick.game import BridgeError, Call, Contract, Decision, Meaning, OptionError, View

TEXT = """
[robots]
ours = "points"
played = "points+random(seed=1)"

[outside]
theirs = "a program of somebody"
nobody = "a program that nobody here has"

[[match]]
a = "ours"
b = "theirs"
boards = 12

[[match]]
a = "ours"
b = "nobody"
boards = 1000

[[match]]
a = "played"
b = "theirs"
boards = 4
play = true
"""
HERE = Where("2026-01-01", "abc", "2 cores")
WITH = {"theirs": "pass+highest"}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "league.toml"
    path.write_text(TEXT)
    return path


def _run(plan: Path, folder: Path, found: Results | None = None, workers: str = "1") -> Results:
    schedule = Schedule.read(plan)
    results = found or Results("overtrick league", 5, commitment(5))
    backend = Backend.parse(workers)
    return [*play_league(schedule, WITH, results, folder, HERE, backend)][-1]


def _untimed(row: Row) -> tuple[object, ...]:
    return row.key, row.boards, row.imps, row.error, row.shares, row.a.declares, row.b.rulings


def test_a_league_is_its_matches_on_the_same_deals(plan: Path, tmp_path: Path) -> None:
    found = _run(plan, tmp_path / "one")
    dd, played = found.rows
    alone = play_match(Match("points", "pass+highest", 12, seed=5))
    assert (dd.imps, dd.boards) == (round(alone.mean, 4), 12)
    assert set(played.shares) == {"bidding", "lead", "declarer", "defence"}
    assert sum(x for x, _ in played.shares.values()) == pytest.approx(played.imps, abs=1e-3)
    assert dd.a.seconds_a_board > 0
    assert [(r.name, r.play) for r in found.ratings][:2] == [("ours", False), ("theirs", False)]
    again = _run(plan, tmp_path / "two", workers="2")
    assert [*map(_untimed, again.rows)] == [*map(_untimed, found.rows)]
    assert _run(plan, tmp_path / "one", found) == found  # nothing is left to play


class _Gone:
    """A bidder that is no longer there after some calls."""

    name, system = "gone", ""
    calls = 0

    def bid(self, view: View) -> Decision:
        _Gone.calls += 1
        if _Gone.calls > 120:
            raise OSError("connection lost")
        return Decision(Call.parse("P"), Meaning("a pass"))


def test_boards_against_a_program_that_went_away_are_not_kept(plan: Path, tmp_path: Path) -> None:
    BIDDERS.add("gone", _Gone)
    none = Results("overtrick league", 5, commitment(5))
    plan.write_text(TEXT.replace("boards = 12", "boards = 40"))
    schedule = Schedule.read(plan)
    with pytest.raises(OptionError, match="theirs does not bid: connection lost"):
        next(play_league(schedule, {"theirs": "gone"}, none, tmp_path, HERE))
    with Store(tmp_path / schedule.match[0].file) as store:
        kept = [*store.results()]
    assert 0 < len(kept) < 40
    assert not any(r.open.rulings or r.closed.rulings for r in kept)


def test_the_parts_of_a_board_add_up(tmp_path: Path) -> None:
    job = Match("points+random(seed=1)", "points+highest", 3, seed=5, method="play")
    with Store(tmp_path / "m.sqlite", job) as store:
        play_match(job, store)
        boards = [*store.results()]
    found = [judged(r) for r in boards]
    assert [sum(b.parts) for b in found] == [r.imps for r in boards]
    assert all(b.parts[0] == 0 for b in found)  # the same bidder in both rooms
    tables = dd.table(boards[0].board().deal)
    for room, given in zip((boards[0].open, boards[0].closed), found[0].given, strict=True):
        contract = Contract.parse(room.contract)
        perfect = tables[contract.strain, contract.declarer]
        assert perfect + given.lead + given.defence - given.declarer == room.tricks
    opened, closed = found[0].given
    assert opened.declaring != closed.declaring
    ours, theirs = given_up(found, 0), given_up(found, 1)
    assert ours["declarer"].boards == theirs["defence"].boards


def test_the_table_says_what_has_not_been_played(plan: Path, tmp_path: Path) -> None:
    lines = table(Schedule.read(plan), _run(plan, tmp_path)).splitlines()
    assert lines[3] == "| `ours` | nobody |  | double dummy | not yet played |  |"
    assert lines[2].startswith("| `ours` | theirs | 12 | double dummy | +")


def test_a_league_grows(plan: Path, tmp_path: Path) -> None:
    before = _run(plan, tmp_path)
    plan.write_text(TEXT.replace("boards = 12", "boards = 16"))
    now = _run(plan, tmp_path, before)
    assert [r.boards for r in now.rows] == [16, 4]


def test_one_board_has_no_error_and_is_not_told(plan: Path, tmp_path: Path) -> None:
    plan.write_text(TEXT.replace("boards = 12", "boards = 1").replace("boards = 4", "boards = 2"))
    found = _run(plan, tmp_path)
    assert [(r.a.name, r.boards) for r in found.rows] == [("played", 2)]
    path = tmp_path / "results.json"
    found.write(path)
    assert Results.read(path) == found


def test_a_match_that_was_broken_off_counts_as_it_stands(plan: Path, tmp_path: Path) -> None:
    schedule, first = Schedule.read(plan), Pair("ours", "theirs", 12)
    job = Match("points", "pass+highest", 12, seed=5)
    (tmp_path / "l").mkdir()
    with Store(tmp_path / "l" / first.file, job) as store:
        play_match(Match("points", "pass+highest", 8, seed=5), store)
    none = Results("overtrick league", 5, commitment(5))
    stands = play_league(schedule, WITH, none, tmp_path / "l", HERE, play=False)
    assert [(r.a.name, r.boards) for r in [*stands][-1].rows] == [("ours", 8)]


def test_the_command_keeps_its_deals_and_its_results(plan: Path, tmp_path: Path) -> None:
    words = ["league", str(plan), "--dir", str(tmp_path / "l"), "--with", "theirs=pass"]
    runner = CliRunner(env={"COLUMNS": "120"})
    first = runner.invoke(main, [*words, "--only", "ours"])
    assert first.exit_code == 0, first.output
    held = json.loads((tmp_path / "l" / "league.json").read_text())
    assert first.stdout.splitlines()[0] == f"deals: sha256 {held['commitment']}"
    assert commitment(held["seed"]) == held["commitment"]
    assert "not yet played" in first.stdout
    second = runner.invoke(main, [*words, "--only", "ours", "--json"])
    told = json.loads(second.stdout)
    assert (told["seed"], len(told["rows"])) == (held["seed"], 1)
    assert [p["b"] for p in told["not_yet_played"]] == ["nobody", "theirs"]
    kept = (tmp_path / "l" / "results.json").read_text()
    assert str(tmp_path) not in kept
    with pytest.raises(LeagueError, match="other deals"):
        seed_of(tmp_path / "l", 6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[robots]\nx = "external(command=ls)"\n', "could start a program"),
        ('[robots]\nx = "nosuch"\n', "nosuch"),
        ('[robots]\n[[match]]\na = "x"\nb = "y"\nboards = 1\n', "'x' is no robot"),
        ('[robots]\nx = "pass"\n[[match]]\na = "x"\nb = "x"\nboards = 1\n', "cannot meet"),
        ("[robots]\nx = 7\n", "robots"),
        ("robots", "league.toml"),
        ("[robots]\n[other]\n", "other"),
    ],
)
def test_a_wrong_schedule_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "league.toml"
    path.write_text(text)
    with pytest.raises(BridgeError, match=words) as caught:
        Schedule.read(path)
    assert "\n" not in str(caught.value)


def test_a_program_that_is_not_there_is_said_before_it_plays(plan: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    words = ["league", str(plan), "--dir", str(tmp_path / "l"), "--with"]
    gone = "theirs=ben(url='http://127.0.0.1:9', seconds=1)"
    assert "nobody answers" in runner.invoke(main, [*words, gone]).stderr
    assert "no outside program" in runner.invoke(main, [*words, "who=pass"]).stderr
    assert "NAME=VALUE" in runner.invoke(main, [*words, "pass"]).stderr


def test_a_match_of_a_table_manager_is_taken_in(plan: Path, tmp_path: Path) -> None:
    runner = CliRunner(env={"COLUMNS": "120"})
    at = str(tmp_path / "tm.pbn")
    words = ["match", "points+random(seed=1)", "pass+highest", "-n", "4", "--play", "--pbn", at]
    alone = runner.invoke(main, [*words, "--json"])
    assert alone.exit_code == 0, alone.output
    command = ["league", str(plan), "--dir", str(tmp_path / "l"), "--as-it-stands", "--take", at]
    names = ["--name", "points+random(seed=1)=played", "--name", "pass+highest=theirs"]
    shown = runner.invoke(main, [*command, *names, "--json"])
    row = json.loads(shown.stdout)["rows"][0]
    assert (row["a"]["name"], row["play"], row["boards"]) == ("played", True, 4)
    assert row["imps"] == pytest.approx(json.loads(alone.stdout)["imps_per_board"], abs=1e-4)
    turned = ["--name", "points+random(seed=1)=theirs", "--name", "pass+highest=played"]
    back = runner.invoke(main, [*command, *turned, "--json"])
    assert json.loads(back.stdout)["rows"][0]["imps"] == -row["imps"]
    assert "no match of this league" in runner.invoke(main, command).stderr


def test_files_of_pairs_differ() -> None:
    pairs = [
        Pair("a b", "c", 1),
        Pair("a-b", "c", 1),
        Pair("a", "b c", 1),
        Pair("a b", "c", 1, True),
    ]
    assert len({p.file for p in pairs}) == 4
    with pytest.raises(LeagueError, match="no results"):
        Results.read(Path(__file__))


def test_a_match_that_goes_on_with_another_version_names_both(plan: Path, tmp_path: Path) -> None:
    folder, schedule = tmp_path / "folder", Schedule.read(plan)
    results = Results("overtrick league", 5, commitment(5))
    for boards, commit in ((4, "abc"), (8, "def"), (8, "ghi")):
        pair = msgspec.structs.replace(schedule.match[0], boards=boards)
        where = replace(HERE, commit=commit)
        (row,) = [*play_league(schedule, WITH, results, folder, where, only=[pair])][-1].rows
    assert (row.boards, row.commit) == (8, "abc, def")


def test_who_is_told_nothing_is_a_match_of_its_own(tmp_path: Path) -> None:
    told, untold = Pair("a", "b", 2), Pair("a", "b", 2, disclosed=False)
    assert told.file != untold.file
    assert untold.how == "double dummy, undisclosed"
    path = tmp_path / "league.toml"
    path.write_text(TEXT + '[[match]]\na = "ours"\nb = "theirs"\nboards = 2\ndisclosed = false\n')
    rows = _run(path, tmp_path / "folder").rows
    assert [(r.play, r.disclosed) for r in rows] == [(False, True), (True, True), (False, False)]


def test_a_match_goes_on_when_the_program_has_moved(tmp_path: Path) -> None:
    file = tmp_path / "match.sqlite"
    here = Match("points", "ben(url='http://127.0.0.1:8085')", 2)
    Store(file, here).close()
    Store(file, Match("points", "ben(url='http://127.0.0.1:9000', seconds=300)", 2)).close()
    with pytest.raises(StoreError, match="another match"):
        Store(file, Match("points", "ben(plays=sayc)", 2))
