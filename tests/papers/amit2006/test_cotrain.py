"""Tags, refined nets and co-training: what is learned narrows choices, can be read, and helps."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick import bidder
from overtrick.arena.run import Backend
from overtrick.cli import main
from overtrick.systems import load
from overtrick.systems.refined import RefinedNet, Refinements, load_refinements
from overtrick.systems.shows import HandValues
from overtrick_lab.papers.amit2006.cotrain import (
    BOOK,
    CollectJob,
    Cotraining,
    CotrainSettings,
    collect,
    players_of,
    rules_of,
)
from overtrick_lab.papers.amit2006.learning import LearningRun, Measuring
from overtrick_lab.papers.amit2006.problems import challenges
from overtrick_lab.papers.amit2006.refine import RefineLimits, examples_of, grow, refine_net, regret
from overtrick_lab.papers.amit2006.states import InformativeState, rank_nets
from overtrick_lab.papers.amit2006.tagging import TagBudget, Tagged, sample_together, tag_states
from overtrick_lab.papers.amit2006.testing import ExamSettings, quick_score, run_test
from overtrick_lab.papers.workforce import Workforce

TINY = CotrainSettings(
    nets=4, sweeps=1, per_round=4, examples=30, worlds=10, deals=500, least=5, instances=2000
)


def cotrain(settings: CotrainSettings, folder: Path, backend: Backend = Backend()) -> Cotraining:
    """All rounds of a run."""
    run = Cotraining(settings, folder)
    with Workforce(backend) as workers:
        while not run.finished:
            run.round(workers)
    return run


@pytest.fixture(scope="module")
def states() -> list[InformativeState]:
    return collect(CollectJob(TINY, ("", ""), 500, 3))


@pytest.fixture(scope="module")
def tagged(states: list[InformativeState]) -> list[Tagged]:
    player = players_of(TINY, ("", ""))[0]
    mine = [s for s in states if not s.position.calls][:50]
    return tag_states(player, mine, TagBudget(20, 2000), 5)


def test_tags_compare_the_calls_of_a_state(tagged: list[Tagged]) -> None:
    for one in tagged:
        assert len(one.values) == len(one.state.calls)
        assert one.values[0] == 0  # IMPs against the first call
        assert one.best in one.state.calls
    assert len({t.best for t in tagged}) > 1


def test_tags_repeat(tagged: list[Tagged]) -> None:
    player = players_of(TINY, ("", ""))[0]
    again = tag_states(player, [t.state for t in tagged], TagBudget(20, 2000), 5)
    assert [t.values for t in again] == [t.values for t in tagged]


def test_worlds_explain_the_auction(states: list[InformativeState]) -> None:
    player = players_of(TINY, ("", ""))[1]
    reply = [s for s in states if len(s.position.calls) == 2 and s.position.calls[0]]
    position = reply[0].position
    hands = [s.hand for s in reply if s.position == position]
    worlds, spent = sample_together(
        player, position, hands, TagBudget(10, 4000), np.random.default_rng(0)
    )
    for hand, found, used in zip(hands, worlds, spent, strict=True):
        assert len(found) == 10
        assert used >= 10
        assert (found[:, 2] == np.uint64(hand)).all()
        north = player.other(2).selection(position.before(0), found[:, 0].copy())
        assert north.allowed[:, position.calls[0]].all()


def test_worlds_in_which_partner_would_have_called_so(states: list[InformativeState]) -> None:
    player = players_of(TINY, ("", ""))[1]
    reply = [s for s in states if len(s.position.calls) == 2 and s.position.calls[0]]
    position, hand = reply[0].position, reply[0].hand
    budget = TagBudget(20, 20_000, heard="choice")
    (found,), _ = sample_together(player, position, [hand], budget, np.random.default_rng(0))
    first = player.other(2).selection(position.before(0), found[:, 0].copy()).first
    assert len(found) == 20
    assert (first == position.calls[0]).all()  # not only a call he would consider


def test_lines_must_beat_the_rules_if_they_are_to_be_trusted(tagged: list[Tagged]) -> None:
    key = tagged[0].state.key
    assert all(t.state.first in t.state.calls for t in tagged)
    kept = refine_net(key, tagged, RefineLimits(margin=2.0))
    assert set(kept.rulings) <= set(refine_net(key, tagged).rulings)
    as_written = [
        replace(t, values=tuple(float(c == t.state.first) for c in t.state.calls)) for t in tagged
    ]
    assert not refine_net(key, as_written, RefineLimits(margin=1.0)).rulings
    known = Refinements("two-over-one").with_net(refine_net(key, tagged))
    assert len(known) == 1
    assert not len(known.with_net(RefinedNet(key, ())))


def test_a_refined_net_decides_and_can_be_read(tagged: list[Tagged]) -> None:
    net = refine_net(tagged[0].state.key, tagged)
    assert net.rulings
    examples = examples_of(tagged)
    tree = grow(examples, RefineLimits(shapes=((4, 0.05),)))
    by_chance = float(np.nanmean(examples.regrets, axis=1).sum())
    assert regret(tree, examples) < 0.6 * by_chance
    assert all(" : " in str(r) and "example" in str(r) for r in net.rulings)
    assert all(len(one.state.calls) > 1 for one in tagged)


def test_the_papers_nets_have_a_tree_for_every_conflict(tagged: list[Tagged]) -> None:
    key = tagged[0].state.key
    net = refine_net(key, tagged, RefineLimits(learner="nets"))
    conflicts = {frozenset(t.state.calls) for t in tagged}
    assert {r.among for r in net.rulings} == conflicts
    assert all(len(r.calls) == 1 and set(r.calls) <= r.among for r in net.rulings)
    alone = next(t for t in tagged if sum(t.state.calls == o.state.calls for o in tagged) == 1)
    values = HandValues(alone.state.hand)
    assert net.choose(alone.state.calls, values) == {alone.best}  # its own node, its own tag


def test_our_own_rules_are_those_of_the_tables() -> None:
    """The published figures were made with these rules: who changes them runs the figures again."""
    folder = Path(rules_of(BOOK))
    text = "".join((folder / name).read_text("utf-8") for name in sorted(os.listdir(folder)))
    system = load(str(folder))
    assert not system.warnings
    assert system.concrete_rules() == 460
    assert sha256(text.encode()).hexdigest()[:16] == "e116e652d416d53f"


def test_two_agents_learn_and_exchange(tmp_path: Path) -> None:
    run = cotrain(TINY, tmp_path)
    assert run.progress.refined == 4
    assert all(len(run.nets[a]) == 2 for a in ("north", "south"))
    assert run.known("north") == run.known("south")
    again = Cotraining(TINY, tmp_path)  # goes on from what is on disk
    assert again.finished
    assert again.nets["north"].text() == run.nets["north"].text()
    made = load_refinements(tmp_path / "learned.bid")
    assert set(made.nets) == set(run.nets["north"].nets) | set(run.nets["south"].nets)
    texts = (run.nets["north"].text(), run.nets["south"].text())
    problems = challenges(200, 77)
    before, after = quick_score(TINY, ("", ""), problems), quick_score(TINY, texts, problems)
    assert after["open"] < 0.8 * before["open"]  # fewer states leave a choice
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert log[0]["nets"] == [2, 2]


def test_states_are_the_same_for_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overtrick_lab.papers.amit2006.cotrain._PART", 50)
    run = Cotraining(replace(TINY, deals=150), tmp_path)
    met = []
    for hands in (1, 4):
        monkeypatch.setattr(Workforce, "hands", hands)
        met.append(run._collect(("", ""), Workforce(), np.random.default_rng(1)))
    assert met[0]
    assert met[0] == met[1]


def test_without_exchange_partner_stays_as_they_were(tmp_path: Path) -> None:
    few = replace(TINY, exchange=False, nets=2, per_round=1, examples=8, worlds=4, deals=200)
    run = cotrain(few, tmp_path)
    assert run.known("north")[1] == ""
    assert run.known("south")[0] == ""
    assert len(run.partnership()) == 2


def test_learning_curve_is_measured_and_kept(tmp_path: Path) -> None:
    pack = tmp_path / "all.tgz"
    plan = Measuring((0, 4), ends=(), problems=4, quick=50, reserve=0, pack=pack)
    run = LearningRun(TINY, plan, tmp_path / "run")
    with Workforce() as workers:
        run.go(workers)
    curve = run.curve()
    assert [c["refined"] for c in curve] == [0, 4]
    assert curve[0]["plain"]["uses"] == 0
    assert curve[1]["plain"]["uses"] > 0
    assert len(curve[0]["plain"]["by_problem"]) == 4
    assert (tmp_path / "all.tgz").stat().st_size > 500
    with Workforce() as workers:
        LearningRun(TINY, plan, tmp_path / "run").go(workers)  # nothing left to do


def test_pidm_is_tested_with_all_counts() -> None:
    test = ExamSettings(problems=3, seconds=0.1, depth=1)
    with Workforce(Backend()) as workers:
        cell = run_test(TINY, ("", ""), test, workers)
    assert cell["decisions"] >= cell["searched"] > 0
    assert cell["lookaheads"] >= cell["searched"]
    assert cell["instances"] > 0
    assert -24 <= cell["imps"] <= 0
    assert rank_nets([], 1) == []


@pytest.mark.slow
def test_the_command_runs_all_stages(tmp_path: Path) -> None:
    words = ["reproduce", "amit2006", "--quick", "--out", str(tmp_path), "--workers", "here"]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    for figure in ("Figures 9 to 12", "Figure 13", "Figure 14", "Figure 15", "Figure 16", "5.4.3"):
        assert figure in text


def test_own_later_turns_may_be_compared_again(states: list[InformativeState]) -> None:
    """Three ways to imagine one's own later turn value the calls in three ways."""
    player = players_of(TINY, ("", ""))[0]
    mine = [s for s in states if not s.position.calls][:12]
    best = {}
    for turns, own in ((0, "model"), (1, "set"), (1, "world")):
        found = tag_states(player, mine, TagBudget(12, 1000, turns, own), 5)  # type: ignore[arg-type]
        assert [len(t.values) for t in found] == [len(s.calls) for s in mine]
        best[turns, own] = [t.values for t in found]
    assert best[1, "set"] != best[0, "model"]
    assert best[1, "world"] != best[1, "set"]


def test_opponents_may_bid():
    settings = replace(TINY, theirs="sayc")
    states = collect(CollectJob(settings, ("", ""), 100, 1))
    contested = [s for s in states if any(s.position.calls[1 - len(s.position.calls) % 2 :: 2])]
    assert contested
    keys = {s.key for s in contested}
    assert any("(" in key.words() for key in keys)


@pytest.mark.slow
def test_on_ray_the_same_is_learned(tmp_path: Path):
    pytest.importorskip("ray")
    here = cotrain(TINY, tmp_path / "here")
    ray = cotrain(TINY, tmp_path / "ray", backend=Backend.parse("ray"))
    assert ray.partnership().text() == here.partnership().text()


def test_the_verb_goes_on_only_with_the_same_settings(tmp_path: Path) -> None:
    words = ["train", "cotrain", "--nets", "2", "--out", str(tmp_path)]
    kept = {"settings": asdict(CotrainSettings()), "progress": {}}
    (tmp_path / "state.json").write_text(json.dumps(kept), encoding="utf-8")
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 2
    assert "other settings" in found.output


@pytest.mark.slow
def test_the_verb_learns_what_pidm_plays(tmp_path: Path) -> None:
    words = [
        "train", "cotrain", "--nets", "2", "--worlds", "5", "--examples", "10", "--utility", "ltc",
        "--out", str(tmp_path / "mine"), "--json",
    ]  # fmt: skip
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["refined"] == 2
    assert bidder(f"pidm(nets='{tmp_path / 'mine' / 'learned.bid'}')").system == "two-over-one"
