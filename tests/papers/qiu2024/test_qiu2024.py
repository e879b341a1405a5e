"""Qiu et al. 2024 again, tiny: what is counted in games, the belief curve, files of other runs,
the command from matches to report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.doubledummy import tricks
from overtrick.engines import parse_spec
from overtrick.game import Auction, Call, Deal, Record, Seat, Vulnerability, imps, score
from overtrick.nets.features import CARD_AT, CRITIC_WIDTH
from overtrick.nets.inference import models, network
from overtrick.notation import dumps
from overtrick_lab.papers.qiu2024 import (
    belief_curve,
    claims,
    matches,
    numbers,
    pictures,
    report,
    reproduce,
    results,
)
from overtrick_lab.papers.qiu2024.games import KINDS, STRONGEST, Games, TableRecord, opening_rates

DEAL = "N:AKQ52.A32.K32.32 43.KQJT9.AQ4.854 JT98.876.JT98.76 76.54.765.AKQJT9"
SHIPPED = pytest.mark.skipif("belief" not in models(), reason="networks are not shipped here")


def game(words: str, contract: tuple[int, int], side: int, deal: str = DEAL) -> TableRecord:
    calls = tuple(int(Call.parse(word)) for word in words.split())
    owner = np.frombuffer(Deal.parse(deal).owners, dtype=np.int8)[CARD_AT]
    return TableRecord(owner, 0, calls, *contract, side)


def test_openings_contracts_and_lengths_belong_to_the_side() -> None:
    words = "1S 2H 2S P P P"
    north = Games.of([game(words, (8, 0), 0)])
    east = Games.of([game(words, (8, 0), 1)])
    assert north.openings()[0, 3] == north.openings().sum() == 1
    assert north.contracts()[1, 3] == north.contracts().sum() == 1
    assert east.openings().sum() == east.contracts().sum() == 0
    assert north.lengths().tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_conformity_and_what_a_hand_with_the_chance_does() -> None:
    games = Games.of([game("1S P P P", (3, 0), 0), game("1NT P P P", (4, 0), 0)])
    found = games.conformity()
    assert found["1S"] == (1, 1)  # 16 points, five spades
    assert found["1NT"].share == 1.0  # and balanced
    assert found["1H"].share is None
    did = games.by_points()
    assert did.shape == (len(KINDS), STRONGEST + 1)
    assert did[KINDS.index("1S"), 16] == did[KINDS.index("1NT"), 16] == 1
    assert did.sum() == 2
    passed = Games.of([game("P P P P", (-1, 0), 2)])
    assert passed.by_points()[0].sum() == 4
    assert opening_rates(passed.by_points(), [(0, 37)]) == [0.0]


def test_no_games_give_no_agent() -> None:
    assert numbers.of_games({"RL": Games.of(())}) == {"agents": {}}


def test_losses_of_a_belief() -> None:
    holder = np.tile(np.arange(52) % 4, (3, 1))
    asked, cards = belief_curve.losses(np.zeros((3, 52, 3), np.float32), holder)
    assert asked == pytest.approx(belief_curve.UNIFORM_LOSS)
    assert cards == pytest.approx(belief_curve.UNIFORM_CARD)
    known = 30.0 * (holder[..., None] == np.arange(3))
    asked, cards = belief_curve.losses(known.astype(np.float32), holder)
    assert np.abs(asked).max() < 1e-3
    assert np.abs(cards).max() < 1e-3


@SHIPPED
def test_belief_knows_more_as_the_auction_goes_on() -> None:
    nets = network("policy", "policy"), network("belief", "belief")
    points = belief_curve.measure(*nets, deals=64, seed=1)
    assert points[0].positions == 64
    assert points[0].loss == pytest.approx(belief_curve.UNIFORM_LOSS, abs=1e-3)
    assert points[3].loss < 0.97 * belief_curve.UNIFORM_LOSS
    assert points == belief_curve.measure(*nets, deals=64, seed=1)


def test_inputs_are_those_of_the_features() -> None:
    assert sum(numbers.inputs()["inputs"].values()) == CRITIC_WIDTH + 10


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A folder as other runs leave it."""
    folder = tmp_path / "results" / "deeper"
    folder.mkdir(parents=True)
    line = {"calls": 10, "iteration": 1, "over_sl": 0.5, "error": 0.1, "newest_over_sl": 0.4}
    curve = [line, {**line, "calls": 20, "over_sl": 0.6}]
    (folder / "curve_1.jsonl").write_text("\n".join(json.dumps(p) for p in curve))
    (folder / "other.jsonl").write_text('{"x": 1}\n')
    (folder / "broken.json").write_text("{")
    for variant, won in (("full", 0.6), ("no-hidden", 0.4), ("a2c", 0.5)):
        shown = {"imps": won, "error": 0.02, "deals": 4, "boards": 8}
        entry = {"variant": variant, "over_sl": shown, "iterations": 3, "curve": curve}
        (folder / f"{variant}.json").write_text(json.dumps(entry))
        np.savez(folder / f"{variant}.npz", imps=np.array([0, 1, 2, 3], np.float16) + won)
    one = {
        "imps": 0.5, "error": 0.1, "first_is_better_by": 0.0, "paired_error": 0.0,
        "searched_share": 0.1, "cpu_seconds_a_search": 0.3, "wall_seconds_a_search": 0.3,
    }  # fmt: skip
    two = {**one, "imps": 0.3, "first_is_better_by": 0.2, "paired_error": 0.05}
    engines = {"bmcs(seconds=60)": one, "bmcs(seconds=60, belief='')": two}
    search = {
        "engines": list(engines), "opponent": "policy", "skip": 0,
        "records": {str(n): {name: [n % 2, 5, 1, 0.3, 0.3] for name in engines} for n in range(8)}
        | {"9": {name: [w, 5, 1, 0.3, 0.3] for name, w in zip(engines, (9, 0), strict=True)}},
        "summary": {"deals": 9, "engines": engines},
    }  # fmt: skip
    (folder / "search.json").write_text(json.dumps(search))
    return tmp_path / "results"


def test_results_of_other_runs(left: Path) -> None:
    found = results.read(left)
    assert list(found.curves) == ["curve_1"]
    assert [e["variant"] for e in found.ablations] == ["full", "no-hidden", "a2c"]
    assert found.ablations[1]["base_is_better_by"] == pytest.approx(0.2, abs=1e-3)
    assert [e["words"] for e in found.searches[0]["engines"]] == [
        "RL-BMCS",
        "RL-MCS (uniform worlds)",
    ]
    text = report.table_iv(numbers.of_results(found))
    row = "| critic without hidden information | `no-hidden` | 3 | +0.400 ± 0.020 |  | -0.200"
    assert row in text
    assert "-0.200 ± 0.050" in text.split("RL-MCS")[1]
    worth = {"filter": "importance weights", "deals": 9, "imps": 1.0, "error": 1.0}
    assert found.searches[0]["belief"] == [worth]
    (search,) = left.rglob("search.json")
    played = json.loads(search.read_text())
    third = {n: {"bmcs(weighting=none)": [w, 5, 1, 0.3, 0.3]} for n, w in (("7", 1), ("9", 2))}
    search.write_text(json.dumps(results.kept(played)))
    assert results.read(left).searches[0]["belief"] == [worth]
    more = {**played, "engines": ["bmcs(weighting=none)"], "records": third}
    both = results.kept(played, more)
    assert both["imps"] == dict(zip(both["engines"], ([1, 9], [1, 0], [1, 2]), strict=True))
    assert both["summary"]["engines"]["bmcs(weighting=none)"]["first_is_better_by"] == 3.5
    assert "No results of `overtrick train ablation`" in report.table_iv(
        numbers.of_results(results.read(None, None))
    )


def test_variants_of_the_search_have_the_papers_names() -> None:
    """Belief on and off under each of three filters, and Algorithm 3."""
    words = [results.search_words(engine) for engine in matches.VARIANTS]
    assert len(set(words)) == len(words) == 7
    assert words[0] == "RL-BMCS"
    assert words[-1] == "Algorithm 3 as printed, leaves by the tricks network"
    assert results.search_words(matches.ALGORITHM_3) == "Algorithm 3 as printed"


def test_variants_are_compared_with_trainings_as_long(left: Path) -> None:
    entry = json.loads((left / "deeper" / "no-hidden.json").read_text())
    (left / "no-hidden.json").write_text(json.dumps({**entry, "iterations": 9}))
    np.savez(left / "no-hidden.npz", imps=np.zeros(4, np.float16))
    found = results.read(left).ablations
    assert [(e["variant"], e["iterations"]) for e in found][1::2] == [
        ("no-hidden", 3), ("no-hidden", 9)
    ]  # fmt: skip
    assert "base" in found[1]
    assert "base" not in found[3]
    assert [e["iterations"] for e in results.surest(found)] == [3, 9, 3]


def test_seeds_of_a_recipe_are_one_row_with_their_error(left: Path) -> None:
    """Differences are taken seed by seed; one training is no verdict, however long its match."""
    for seed, less in ((1, 0.1), (2, 0.3)):
        folder = left / f"seed{seed}"
        folder.mkdir()
        for variant in ("full", "no-hidden"):
            entry = json.loads((left / "deeper" / f"{variant}.json").read_text())
            won = 0.6 if variant == "full" else 0.6 - less
            entry |= {"seed": seed, "over_sl": {**entry["over_sl"], "imps": won}}
            (folder / f"{variant}.json").write_text(json.dumps(entry))
            np.savez(folder / f"{variant}.npz", imps=np.array([0, 1, 2, 3], np.float32) + won)
    found = results.read(left).ablations
    row = next(e for e in found if e["variant"] == "no-hidden")
    assert row["seeds"] == [0, 1, 2]
    assert row["every_seed"] == [0.4, 0.5, 0.3]
    assert row["base_is_better_every_seed"] == pytest.approx([0.2, 0.1, 0.3], abs=1e-3)
    assert row["base_is_better_by"] == pytest.approx(0.2, abs=1e-3)
    assert row["paired_error"] == pytest.approx(0.1 / np.sqrt(3), abs=1e-3)
    empty = {"matches": [], "agents": {}, "belief": {"points": []}, "searches": []}
    said = {c.words: c for c in claims.claims({"ablations": found, **empty})}
    hidden = said["a critic that sees hidden hands helps (in our recipe), 3 trainings each"]
    assert hidden.holds == "yes"
    assert "| +0.40, +0.50, +0.30 | -0.200 ± 0.058 (to `full`) | -0.20, -0.10, -0.30 |" in (
        report.table_iv(numbers.of_results(results.read(left)))
    )


def test_claims_are_judged_by_their_error(left: Path) -> None:
    assert [claims.verdict(0.3, 0.1), claims.verdict(-0.3, 0.1)] == ["yes", "no"]
    assert claims.verdict(0.1, 0.1) == claims.verdict(5.0, None) == claims.OPEN
    assert [claims.share_verdict(n, 40, 0.5) for n in (40, 20, 0)] == ["yes", claims.OPEN, "no"]
    assert claims.share_verdict(0, 3, 0.5) == claims.OPEN  # three openings are no verdict
    assert claims.share_verdict(2, 2, 0.8) == claims.share_verdict(0, 0, 0.5) == claims.OPEN
    assert claims.together("yes", claims.OPEN) == claims.OPEN
    assert claims.together(claims.OPEN, "no") == "no"
    found = numbers.of_results(results.read(left))
    empty = {"matches": [], "agents": {}, "belief": {"points": []}}
    said = {claim.words: claim for claim in claims.claims({**found, **empty})}
    assert said["worlds from a belief network help (importance weights)"].holds == claims.OPEN
    searched = said["search beats the policy alone"]  # nine deals of Table IV, no match
    assert (searched.seen, searched.holds) == ("+0.500 ± 0.100", "yes")
    critic = said["a critic that sees hidden hands helps (in our recipe), one training each"]
    assert critic.seen.startswith("+0.200")
    assert critic.holds == claims.UNTRAINED


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        ("bmcs", "RL-BMCS"),
        ("bmcs(seconds=60, threads=2)", "RL-BMCS"),
        ("bmcs(belief='')", "bmcs(belief='')"),
        ("policy(net=sl)+pimc", "SL"),
        ("policy", "RL"),
        (matches.ALGORITHM_3, "Algorithm 3"),
    ],
)
def test_labels(engine: str, name: str) -> None:
    assert matches.label(engine) == name


@SHIPPED
def test_the_command_goes_on_and_reports(
    tmp_path: Path, left: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    # Search is slow: here the searching agent is the policy under another name.
    monkeypatch.setitem(matches.ENGINES, "RL-BMCS", "policy(threads=2)")
    out = tmp_path / "out"
    words = [
        "reproduce",
        "qiu2024",
        "--out",
        str(out),
        "--results",
        str(left),
        "--deals",
        "2",
        "--search-deals",
        "1",
    ]
    words += ["--belief-deals", "16", "--workers", "here"]
    first = CliRunner().invoke(main, [*words, "--json"])
    assert first.exit_code == 0, first.output
    said = json.loads(first.stdout.splitlines()[-1])
    assert [(m["a"], m["score"]["deals"]) for m in said["matches"]] == [
        ("RL", 2), ("RL", 2), ("SL", 2), ("RL-BMCS", 1), ("RL-BMCS", 1), ("RL-BMCS", 1)
    ]  # fmt: skip
    assert said["agents"]["RL"]["games"] == 2 * 2 * 2 + 2
    assert said == json.loads((out / "numbers.json").read_text())
    text = (out / "report.md").read_text()
    for picture in report.CAPTIONS:
        assert f"({picture}.png)" in text
        assert (out / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    for name in ("| claim |", "Table III", "Table IV", "Table V:", "Table VI", "Case studies"):
        assert name in text

    def no_match(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr(matches, "play_match", no_match)
    again = CliRunner().invoke(main, [*words, "--report-only", "--no-plots"])
    assert again.exit_code == 0, again.output
    assert "| RL | SL | 2 |" in again.output
    assert "| RL-BMCS | rules | 1 |" in again.output
    kept = ["--match", str(out / "matches" / "RL-v-SL.sqlite")]
    twice = CliRunner().invoke(main, [*words, "--report-only", *kept, *kept])
    assert "second match" in twice.output


def test_both_rooms_of_the_table_manager_are_a_row_of_table_iii(tmp_path: Path) -> None:
    """Contracts count double dummy, whatever the cards were; our side comes first."""
    deal = Deal.parse(DEAL)
    calls = {"Open": "1S P 4S P P P", "Closed": "1S P 2S P P P"}
    records = [
        Record(
            number=1, dealer=Seat.NORTH, vul=Vulnerability.NONE, deal=deal,
            auction=Auction.parse(words), contract=Auction.parse(words).contract, tricks=0,
            names=("WBridge5", "RL") * 2 if room == "Open" else ("RL", "WBridge5") * 2,
            tags={"Room": room},
        )
        for room, words in calls.items()
    ]  # fmt: skip
    path = tmp_path / "both.pbn"
    path.write_text(dumps(records, "pbn"), encoding="utf-8")
    stores = matches.kept([path])
    (row,) = matches.numbers(stores)["matches"]
    taken = tricks(deal, "S", "N")
    four, two = (score(f"{level}S N", taken, "None") for level in (4, 2))
    assert (row["a"], row["b"], row["score"]["deals"]) == ("RL", "WBridge5", 1)
    assert row["score"]["imps"] == imps(two - four)
    assert "| RL | WBridge5 | 1 |" in report.table_iii({"matches": [row]})
    assert [seated.side for seated in matches.tables(stores, "WBridge5")] == [1, 0]


def test_networks_of_ones_own_play(tmp_path: Path) -> None:
    mine, belief = tmp_path / "mine.onnx", tmp_path / "belief.onnx"
    found = reproduce.engines((), tmp_path, own=reproduce.OwnNetworks(mine, belief))
    assert parse_spec(found["RL"]).options == {"net": str(mine)}
    assert parse_spec(found["RL-BMCS"]).options["belief"] == str(belief)
    assert reproduce.engines((), tmp_path) == matches.ENGINES


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(ValueError, match=r"overtrick\[plots\]"):
        pictures.check()
