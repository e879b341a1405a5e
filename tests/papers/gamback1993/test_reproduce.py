"""The command: examples and a match from the deals of a clone, and the report written again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("onnxruntime")

from overtrick.bidding.pragma.candidates import choices
from overtrick.cli import main
from overtrick.evaluation import HandArray
from overtrick.game import Auction, Deal, Hand, Seat, View, Vulnerability
from overtrick.nets.contract import contract_model
from overtrick_lab.papers.cells import CellStore
from overtrick_lab.papers.gamback1993 import examples, match, planning, reproduce

DATA = Path(__file__).parents[3] / "data"


def test_a_match_counts_who_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        match.VARIANTS, "as shipped", "pragma(rounds=4, k=2, stretch=0, outer=1, inner=1)"
    )
    words = [
        "reproduce",
        "gamback1993",
        "--out",
        str(tmp_path),
        "--data",
        str(DATA),
        "--boards",
        "1",
        "--stage",
        "match",
    ]
    run = CliRunner().invoke(main, [*words, "--workers", "here", "--json"])
    assert run.exit_code == 0, run.output
    cell = json.loads(run.stdout)["match"]["as shipped"]
    assert cell["deals"] == 1
    assert sum(cell["sources"].values()) == cell["calls"] > 0
    assert set(cell["sources"]) <= {"system", "KS 1", "KS 2", "KS 3"}
    again = CliRunner().invoke(main, [*words, "--report-only"])
    assert "| as shipped | 1 |" in again.output


def test_one_chain_from_the_rules_to_the_nets() -> None:
    """Figures 3, 4, 6 and 7 on one system, with what footnote 6 wants."""
    said = examples.figure_3()
    assert said["redouble"] == "(8–10 hcp, 3+ hearts, balanced) or (10+ hcp, balanced)"
    rules, known = examples.figure_6_constraints()
    east = examples.figure_4()[Seat.EAST]
    assert rules[Seat.EAST] == east
    assert known[Seat.WEST] == Deal.parse(examples.FIGURE_4_DEAL)[Seat.WEST]
    rng = np.random.default_rng(1)
    six, denied = (examples.figure_6(400, rng, deny=deny) for deny in (False, True))
    for found in (six, denied):
        assert east.mask(HandArray(found.hands[:, Seat.EAST])).all()
    assert six.support > 0.1  # the constraints of the figure forget that East denied spades …
    assert denied.support == 0  # … which the rules know
    assert denied.short_diamonds < six.short_diamonds
    chances = examples.figure_7(contract_model("paper"), six.hands[:50])
    assert chances[0] == 100
    assert chances == sorted(chances, reverse=True)


def test_a_preempt_tells_where_an_ace_is() -> None:
    found = examples.section_1_4(2000)
    assert abs(found["before"]["ace of clubs"] - 0.5) < 0.05
    assert found["before"]["four diamonds"] < 0.35
    assert found["after 3♠"]["ace of clubs"] < 0.4
    assert found["after 3♠"]["four diamonds"] > 0.5  # now the second plan is better


def test_calls_do_several_things_and_may_lie() -> None:
    acts = examples.acts()
    assert acts["3S"] == ["pre-empting: pre-emptive, seven spades"]
    assert acts["(1H) X"][0].startswith("asking")
    assert acts["1H P 1S P 3H P 3NT"] == ["promising: a stopper in the unbid suits"]
    assert [a.split(":")[0] for a in acts["1H P 1S P 3H"]] == ["asserting", "denying"]
    (lie,) = [acts[name][-1] for name in acts if "with" in name]
    assert lie.startswith("lying: the hand is short of it by 1")


def test_a_promise_is_kept_where_a_bid_may_stretch() -> None:
    reading = examples.modern_standard()
    auction = Auction.parse("1H P 1S P 3H P")
    ctx = reading.context(tuple(map(int, auction.calls)))
    weak = View(auction.turn, Hand.parse("KQ32.5.K862.QT52"), auction, Vulnerability(0))
    assert {str(c) for c in choices(reading, ctx, weak, stretch=2)} == {"3NT", "4♥", "Pass"}
    open_ = View(auction.turn, Hand.parse("KQ32.5.K862.9852"), auction, Vulnerability(0))
    assert "3NT" not in {str(c) for c in choices(reading, ctx, open_, stretch=9)}


def test_plans_are_told_beside_the_solver(tmp_path: Path) -> None:
    store = CellStore(tmp_path)
    store.put("plans-1-0", {"rows": [[9, 9], [8, 10], [10, 10]]})
    store.put("planner-1-0", {"rows": [{"imps": 1, "tricks": 1}, {"imps": -1, "tricks": 0}]})
    found = planning.summary(store, 40, 20, 1)
    assert found["plans"] == {"deals": 3, "missed": {"0": 2, "2": 1}}
    assert found["planner"]["won"] == found["planner"]["lost"] == 1
    assert planning.planned(planning.Strong(3, 1))["rows"][0][1] <= 13


def test_a_variant_is_compared_on_common_boards(tmp_path: Path) -> None:
    store = CellStore(tmp_path)
    row = match.BoardRow(2, (1.0, 3.0), ("KS 2", "system"), 1)
    for variant, imps in (("as shipped", (2, 0)), ("strict domination, as printed", (3, 3))):
        ((key, _),) = match.pieces(variant, 10, 2)
        store.put(key, match.told([row._replace(imps=n) for n in imps]))
    found = match.summary(store, "strict domination, as printed", 10, 2)
    assert found is not None
    assert (found["deals"], found["imps"], found["more"], found["more_error"]) == (2, 3, 2, 1)
    assert (found["mean_ms"], found["slowest_ms"], found["determined"]) == (2, 3, 2)
    assert match.summary(store, "contract nets of the paper", 10, 2) is None


def test_shares_are_of_the_calls_that_need_thought() -> None:
    cell = {"sources": {"system": 50, "KS 1": 1, "KS 2": 8, "KS 3": 1}}
    assert match.shares(cell) == "KS 1 10 %, KS 2 80 %, KS 3 10 %"
    assert match.determined({**cell, "determined": 5}) == "50 %"
    assert reproduce.page({}) == "# Pragmatic reasoning in bridge (Gambäck, Rayner & Pell 1993)\n"


def test_figure_2_is_shown_seed_by_seed(tmp_path: Path) -> None:
    store, size = CellStore(tmp_path), reproduce.MatchSizes()
    for seed, gain in ((1, 5.0), (2, -7.0)):
        row = {"gain": gain, "gain_error": 2.0}
        store.put(f"figures-{size.weighed}-{seed}", {"figure_2": {"hcp 5..9; modern net": row}})
        store.put(
            f"nets-{size.steps}-{size.weighed}-{seed}", {"recipe": {"figure_2": {"hcp 5..9": row}}}
        )
    shown = reproduce._by_seed(reproduce._seeds(size, store))
    assert "| hcp 5..9; paper's recipe | +5 ± 2 | -7 ± 2 |" in shown


@pytest.mark.parametrize("system", ["sayc", "two-over-one"])
def test_the_shipped_systems_say_section_1_1(system: str) -> None:
    """2NT after 1♠ – 2♦: five spades, no second suit, no support, and with which call otherwise."""
    words = ["explain", "1S P 2D P 2NT", "--system", system, "--no-next", "--json"]
    call = json.loads(CliRunner().invoke(main, words).output)["calls"][-1]
    assert call["lengths"] == {"C": [2, 3], "D": [2, 3], "H": [2, 3], "S": [5, 5]}
    assert call["hcp"] == [11, 14]
    denied = {one["words"] for one in call["denies"]}
    assert denied == {
        "at most 5 spades, or they would have bid 2♠",
        "at most 3 hearts, or they would have bid 2♥",
        "at most 3 diamonds, or they would have bid 3♦",
        "at most 3 clubs, or they would have bid 3♣",
    }
