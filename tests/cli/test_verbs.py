"""The verbs score, dd, par, bid and engines: what they print and their JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from overtrick.cli import main

DEAL = "N:K863.A53.QJ84.97 AQ5.K92.T73.AJ62 J94.QJ86.K95.KT5 -"
ENDING = "N:A..2. K..3. 3..A. 2..K."
RULES = ("--engine", "rules")  # quicker than the partner, who is asked in test_main


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OVERTRICK_CACHE", str(tmp_path / "cache"))


def text_of(*arguments: str) -> str:
    shown = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    return shown.stdout


def json_of(*arguments: str) -> Any:
    return json.loads(text_of(*arguments, "--json"))


def test_score() -> None:
    row = json_of("score", "4SX S", "--tricks", "9", "--vul", "NS")
    assert (row["score"], row["ns_score"], row["tricks"]) == (-200, -200, 9)
    row = json_of("score", "3NT W", "--result", "+1", "--versus", "-600")
    assert (row["score"], row["ns_score"], row["imps"]) == (430, -430, 5)
    assert json_of("score", "6♥XX N", "--vul", "All")["score"] == 2070
    assert "+420" in text_of("score", "4S N")


def test_par() -> None:
    assert json_of("par", ENDING)["score"] <= 0
    row = json_of("par", DEAL, "--vul", "NS", "--dealer", "E")
    assert (row["score"], row["dealer"], row["vul"]) == (100, "E", "NS")
    assert row["contracts"] == ["2NTX East-1", "2NTX West-1"]
    assert "Par +100" in text_of("par", DEAL, "--vul", "NS")


def test_dd() -> None:
    row = json_of("dd", DEAL, "--contract", "3NT E")
    assert row["tricks"]["NT"] == {"N": 6, "E": 7, "S": 6, "W": 7}
    assert len(row["leads"]) == 13
    assert min(row["leads"].values()) == row["tricks"]["NT"]["E"]
    assert row["leads"]["CK"] == 8
    shown = text_of("dd", DEAL, "--contract", "3NT E")
    assert "North" in shown
    assert "tricks by lead" in shown


def test_dd_remembers(tmp_path: Path) -> None:
    text_of("par", ENDING)
    assert (tmp_path / "cache" / "tables.sqlite").exists()
    assert json_of("par", ENDING) == json_of("par", ENDING, "--no-cache")


def test_bid_is_the_same_for_the_same_seed() -> None:
    first, again, other = (json_of("bid", *RULES, "--seed", seed) for seed in ("7", "7", "8"))
    for row in (first, again):
        for decision in row["decisions"]:
            del decision["milliseconds"]
    assert first == again
    assert first["deal"] != other["deal"]
    assert len(first["decisions"]) == len(first["auction"])


def test_bid_with_other_engines_and_conditions() -> None:
    row = json_of("bid", DEAL, "--ns", "points", "--ew", "pass", "--dealer", "W", "--vul", "EW")
    assert row["dealer"] == "W"
    assert row["engines"] == ["points", "pass", "points", "pass"]
    assert set(row["auction"][::2]) == {"Pass"}
    assert json_of("bid", DEAL, "--board", "5", "--engine", "pass")["vul"] == "NS"


def test_bid_shows_the_reasons() -> None:
    shown = text_of("bid", *RULES, "--seed", "7")
    for words in ("West", "Contract:", "Double dummy:", "Par"):
        assert words in shown
    assert "Par" not in text_of("bid", *RULES, "--seed", "7", "--no-dd")


def test_boards_from_a_file(tmp_path: Path) -> None:
    pytest.importorskip("overtrick.notation")
    file = tmp_path / "two.pbn"
    text = '[Board "{}"]\n[Dealer "{}"]\n[Vulnerable "{}"]\n[Deal "{}"]\n\n'
    full = DEAL.replace(" -", " T72.T74.A62.Q843")
    file.write_text(text.format(3, "S", "EW", full) + text.format(4, "W", "All", full))
    rows = json_of("par", str(file))
    assert [(r["board"], r["dealer"], r["vul"]) for r in rows] == [(3, "S", "EW"), (4, "W", "All")]
    assert json_of("bid", str(file), "--board", "4", "--engine", "pass")["board"] == 4
    shown = CliRunner().invoke(main, ["bid", str(file), "--board", "9"])
    assert "has no board 9" in shown.stderr
    piped = CliRunner().invoke(main, ["par", "-", "--json"], input=file.read_text())
    assert json.loads(piped.stdout) == rows


def test_engines() -> None:
    rows = json_of("engines")
    assert "five-card majors" in rows["bidders"]["points"]["words"]
    assert rows["players"]["random"]["options"] == ["seed=0"]
    assert "points" in text_of("engines")


def test_one_engine_with_its_options() -> None:
    assert list(json_of("engines", "bmcs")["bidders"]) == ["bmcs"]
    assert "proposals=" in text_of("engines", "bmcs")
    assert "proposals=" not in text_of("engines")


def test_analyse_weighs_calls_and_cards(tmp_path: Path) -> None:
    full = DEAL.replace(" -", " T72.T74.A62.Q843")
    file = tmp_path / "played.pbn"
    text_of("play", full, "--engine", "highest", "--bidder", "points", "--out", str(file))
    row = json_of("analyse", str(file), "--worlds", "0", "--bidder", "points")
    assert {c["engine"] == c["call"] for c in row["calls"]} == {True}
    assert len(row["cards"]) == 52
    shown = text_of("analyse", str(file), "--worlds", "0", "--bidder", "pass")
    assert "pass would call" in shown
    assert "trick" in shown
    assert json_of("analyse", str(file), "--worlds", "0", "--bidder", "none")["calls"] == []
    link = text_of("convert", str(file), "--to", "url").strip()
    again = json_of("analyse", link, "--worlds", "0", "--bidder", "none")
    assert again["cards"] == row["cards"]


def test_plan_speaks_of_entries_and_discards() -> None:
    shown = text_of("plan", "N:AK5.763.AQ42.K83 - QJT942.K5.K63.A7 873.AQJ9.JT8.QT4",
                    "--contract", "4S S")  # fmt: skip
    assert "consume(" not in shown
    assert "entry to dummy" in shown
    assert "South" in shown


def test_problem_sets_come_with_the_package() -> None:
    names = {row["name"]: row["problems"] for row in json_of("challenge")}
    first = next(iter(names))
    assert first in text_of("challenge")
    row = json_of("challenge", first, "--engine", "pass")
    assert len(row["problems"]) == names[first]


def test_several_words_need_no_quotes() -> None:
    quiet = ("--no-next", "--samples", "0")
    assert json_of("explain", "1NT", "P", "2H", *quiet) == json_of("explain", "1NT P 2H", *quiet)
    assert json_of("score", "4SX", "S") == json_of("score", "4SX S")
    assert json_of("par", *ENDING.split()) == json_of("par", ENDING)
    for words in (["1NT", "P"], ["sayc", "1NT P"], ["sayc", "1NT", "P"], ["1NT P"]):
        assert "2D" in [row["call"] for row in json_of("system", "show", *words)]
    hand = "KJ3.A4.QT52.9832"
    assert "3♠" in text_of("think", hand, "1S", "P", "--engine", "points")


def test_one_board_has_no_error_in_json_either() -> None:
    shown = text_of("match", "points", "pass", "-n", "1", "--json")
    row = json.loads(shown, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert row["standard_error"] is None


def test_a_match_says_where_its_report_is(tmp_path: Path) -> None:
    db, page = tmp_path / "new" / "m.sqlite", tmp_path / "m.html"
    shown = text_of("match", "points", "pass", "-n", "4", "--db", str(db), "--report", str(page))
    assert f"report: {page}" in shown
    assert f"serve --matches {db.parent}" in shown
    told = text_of("diff", str(db), "-n", "1")
    assert "A is points" in told
    assert "parted" in told
    other = CliRunner().invoke(main, ["match", "pass", "points", "-n", "4", "--db", str(db)])
    assert "holds another match (points against pass" in other.stderr


def test_a_contract_that_was_asked_for_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from overtrick import table

    meanings = []

    def watched(*given: Any, **how: Any) -> Any:
        state = played(*given, **how)
        meanings.extend(e.decision.meaning for e in state.log[: len(state.auction)])
        return state

    played = table.play_table
    monkeypatch.setattr(table, "play_table", watched)
    full = DEAL.replace(" -", " T72.T74.A62.Q843")
    row = json_of("play", full, "--contract", "3NT S", "--engine", "highest")
    assert (row["contract"], row["declarer"]) == ("3NT", "S")
    assert {(m.words, m.shows is not None) for m in meanings} == {("not known", True)}
