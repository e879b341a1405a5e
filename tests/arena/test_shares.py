"""Shares of a margin, and the ladder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.arena import BoardResult, Match, RoomResult, play_match
from overtrick.arena.ladder import Ladder, LadderError, Result, results_of
from overtrick.arena.shares import PARTS, play_shares, shares, stage_files, stages
from overtrick.arena.store import Store
from overtrick.cardplay import check_player, player
from overtrick.cardplay.parts import part_of
from overtrick.cli import main
from overtrick.game import Auction, BridgeError, Decision, Meaning, View
from overtrick.table import robot
from overtrick.table.seats import as_data

JOB = Match("points+random(seed=1)", "pass+highest", 6, method="play")


def test_a_player_of_parts_asks_the_right_one() -> None:
    mixed = player("parts(lead=random, declarer=highest, defence='random(seed=3)')")
    check_player(mixed, boards=2)
    assert player(mixed.name) == mixed
    asked: list[str] = []

    class Spy:
        name = "spy"

        def play(self, view: View) -> Decision:
            asked.append(part_of(view))
            return Decision(view.legal_cards().cards()[0], Meaning("a card"))

    from overtrick.cardplay import play_board
    from overtrick.game import Board

    play_board(Board.random(1, seed=1), Auction.parse("3NT AP"), [Spy()] * 4)
    assert asked[0] == "lead"
    assert asked.count("declarer") == 26
    assert asked.count("defence") == 25
    with pytest.raises(BridgeError, match="start a program"):
        as_data("pass+parts(lead=\"external(command='x')\")")


def test_shares_add_up_to_the_margin() -> None:
    stores = [Store(":memory:", stage) for stage in stages(JOB)]
    found = play_shares(JOB, stores)
    assert [s.part for s in found] == list(PARTS)
    whole = play_match(JOB)
    assert sum(s.estimate.mean for s in found) == pytest.approx(whole.mean)
    # What is shared between the stages changes no result: each is the match it says it is.
    for store in stores[1:3]:
        again = Store(":memory:", store.job)
        play_match(store.job, again)
        assert [r.imps for r in again.results()] == [r.imps for r in store.results()]


def test_equal_parts_are_worth_nothing() -> None:
    job = Match("points+highest", "pass+highest", 4, method="play")
    found = play_shares(job, [Store(":memory:", stage) for stage in stages(job)])
    assert [s.boards for s in found[1:]] == [0, 0, 0]
    assert found[0].boards


def test_shares_need_the_play() -> None:
    with pytest.raises(BridgeError, match="--play"):
        stages(Match("points", "pass", 2))


def test_shares_from_the_command_line_go_on(tmp_path: Path) -> None:
    db = tmp_path / "m.sqlite"
    words = ["match", JOB.a, JOB.b, "--play", "--shares", "--json", "--db", str(db)]
    first = CliRunner().invoke(main, [*words, "-n", "2"])
    assert first.exit_code == 0, first.output
    assert all(Path(f).exists() for f in stage_files(db))
    told = json.loads(CliRunner().invoke(main, [*words, "-n", "4"]).stdout)
    parts = told["shares"]
    assert sum(p["imps_per_board"] for p in parts.values()) == pytest.approx(told["imps_per_board"])
    for wrong in (["--until", "1"], []):
        bad = ["match", JOB.a, JOB.b, "--shares", *wrong]
        assert CliRunner().invoke(main, bad).exit_code == 2


def _boards(*imps: int) -> list[BoardResult]:
    room = RoomResult(calls=[0, 0, 0, 0], contract="", tricks=None, score=0)
    return [BoardResult(i, 0, 0, "", room, room, x) for i, x in enumerate(imps, 1)]


def test_shares_are_differences_between_stages() -> None:
    found = shares([_boards(1, 0), _boards(1, 0), _boards(3, 0), _boards(3, -2)])
    assert [s.estimate.mean for s in found] == [0.5, 0.0, 1.0, -1.0]
    assert [s.boards for s in found] == [1, 0, 1, 1]


# ---------------------------------------------------------------- the ladder


def test_a_ladder_keeps_boards_once_and_rates_who_met(tmp_path: Path) -> None:
    with Ladder(tmp_path / "ladder.sqlite", write=True) as ladder:
        rows = [Result("x", "y", f"deal {i}", won, "m", i) for i, won in enumerate((4, 2, 0))]
        assert ladder.add(rows) == 3
        assert ladder.add(rows) == 0
        ladder.add([Result("y", "z", "deal 0", 1, "n", 1), Result("p", "q", "deal 1", 5, "o", 1)])
        rungs = ladder.rungs()
    assert [(r.name, r.group) for r in rungs] == [
        ("x", 0), ("y", 0), ("z", 0), ("p", 1), ("q", 1)
    ]  # fmt: skip
    assert rungs[0].rating.value - rungs[1].rating.value == pytest.approx(2)
    assert rungs[3].rating.value == pytest.approx(2.5)
    assert rungs[0].boards == 3


def test_matches_and_table_manager_sessions_go_onto_a_ladder(tmp_path: Path) -> None:
    db, pbn, ladder = tmp_path / "m.sqlite", tmp_path / "tm.pbn", tmp_path / "ladder.sqlite"
    play_match(JOB, Store(db, JOB))
    session = ["tm", "serve", "-n", "2", "--seed", "1", "--port", "0", "--teams", "Home", "Guests"]
    engines = ["--engine", "Home=points+highest", "--engine", "Guests=pass+highest"]
    served = CliRunner().invoke(main, [*session, *engines, "--pbn", str(pbn), "--json"])
    assert served.exit_code == 0, served.output
    words = ["ladder", str(ladder), "--add", str(db), "--add", str(pbn), "--name", "Guests=GIB 6"]
    told = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    names = {row["robot"] for row in told}
    assert {"Home", "GIB 6"} < names
    assert len(names) == 4
    imps = sum(r.imps for r in results_of(pbn))
    assert imps == json.loads(served.stdout)["imps"]
    shown = CliRunner().invoke(main, ["ladder", str(ladder)])
    assert "have not met" in shown.output
    assert JOB.a[:10] in shown.output


def test_what_is_no_played_match_stays_off_the_ladder(tmp_path: Path) -> None:
    solved = Match("points", "pass", 1)
    play_match(solved, Store(tmp_path / "dd.sqlite", solved))
    with pytest.raises(LadderError, match="--play"):
        results_of(tmp_path / "dd.sqlite")
    (tmp_path / "one.pbn").write_text('[Board "1"]\n', encoding="utf-8")
    with pytest.raises(LadderError, match="two rooms"):
        results_of(tmp_path / "one.pbn")
    with pytest.raises(BridgeError, match="no ladder"):
        Ladder(tmp_path / "dd.sqlite")
    with pytest.raises(LadderError, match="no ladder"):
        Ladder(tmp_path / "missing.sqlite")
    assert robot(JOB.a).name  # and a ladder never makes one
