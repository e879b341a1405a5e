"""Sweeps and labels: the same figures on every backend, and after an interruption."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick.arena import Backend, Match
from overtrick.arena.labels import label
from overtrick.arena.sweep import expand, sweep
from overtrick.cli.label import command as label_command
from overtrick.cli.sweep import command as sweep_command
from overtrick.doubledummy import Table
from overtrick.game import Deal, OptionError
from overtrick.notation.solved import SolvedDeals

JOB = Match("points", "points+highest", boards=10, method="play", chunk=4)
TEMPLATE = "points+random(seed={1,2})"


def test_templates() -> None:
    assert expand("a(x={1, 2}, y={3,4})")[1] == "a(x=1, y=4)"
    with pytest.raises(OptionError, match="nothing to choose"):
        expand("points")
    with pytest.raises(OptionError, match="too many"):
        expand("a(x={" + "1," * 300 + "1})")


def test_a_sweep_is_paired_and_the_same_on_a_pool(tmp_path: Path) -> None:
    here = sweep(TEMPLATE, JOB, tmp_path)
    assert [p.engine for p in here] == ["points+random(seed=1)", "points+random(seed=2)"]
    assert (here[0].over_first.mean, here[0].over_first.error) == (0, 0)
    lead = here[1].result.mean - here[0].result.mean
    assert here[1].over_first.mean == pytest.approx(lead)
    assert sweep(TEMPLATE, JOB, None, Backend.parse("2")) == here
    assert sweep(TEMPLATE, JOB, tmp_path) == here  # nothing is left to play


@pytest.fixture
def quick_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up tables that follow from the deal: who solves what is the question here."""

    def tables(deals: list[Deal]) -> list[Table]:
        return [Table.of(np.full((5, 4), deal[0].bits % 14)) for deal in deals]

    monkeypatch.setattr("overtrick.arena.labels.tables", tables)


@pytest.mark.usefixtures("quick_solver")
def test_labels_go_on_where_they_were(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    whole = label(path, 9, seed=3)
    assert (whole.tricks <= 13).all()
    unfinished = whole.tricks.copy()
    unfinished[8:] = 255
    SolvedDeals(whole.owners, unfinished).save(tmp_path / "again.npz.part")
    seen: list[int] = []
    again = label(tmp_path / "again.npz", 9, 3, progress=lambda done, of: seen.append(done))
    assert seen == [9]  # one job was left
    assert np.array_equal(again.tricks, whole.tricks)
    assert not (tmp_path / "again.npz.part").exists()


@pytest.mark.usefixtures("quick_solver")
def test_labels_of_a_shorter_run_leave_no_gap(tmp_path: Path) -> None:
    """Ten deals were solved, the last job a short one; now twelve are wanted."""
    whole = label(tmp_path / "twelve.npz", 12, seed=3)
    SolvedDeals(whole.owners[:10], whole.tricks[:10]).save(tmp_path / "more.npz.part")
    again = label(tmp_path / "more.npz", 12, seed=3)
    assert np.array_equal(again.tricks, whole.tricks)


def test_the_verbs(tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    made = CliRunner().invoke(label_command, [str(path), "-n", "4", "--json"])
    assert json.loads(made.output)["deals"] == 4
    words = ["points+random(seed={1,2})", "pass", "-n", "4", "--deals", str(path)]
    rows = json.loads(CliRunner().invoke(sweep_command, [*words, "--json"]).output)
    assert [r["over_first"] for r in rows] == [0, 0]  # the same bidding, double-dummy scores
    shown = CliRunner().invoke(sweep_command, words)
    assert "over the first" in shown.output
    few = CliRunner().invoke(sweep_command, [*words[:3], "5", *words[4:]])
    assert isinstance(few.exception, OptionError)
    assert "too few for 5 boards" in str(few.exception)
