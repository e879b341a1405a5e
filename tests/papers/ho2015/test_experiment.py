"""The experiment: pieces are made once, the report needs no complete run, the command works."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick_lab.papers.cells import CellStore
from overtrick_lab.papers.ho2015 import experiment, report
from overtrick_lab.training.uncontested.deals import TabledDeals, pairs

TINY = experiment.WorkScale(
    2, 200, 100, 200, 200, 20, 2, 0, 5, 10, 200, alphas=(4.0,), penetrations=(0.5,)
)


@pytest.fixture
def data(solved: TabledDeals, tmp_path: Path) -> Path:
    owner = solved.hands.argmax(axis=1)[:, ::-1].reshape(-1, 13, 4).astype(np.uint8)
    owners = (owner << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2).astype(np.uint8)
    np.savez(tmp_path / "double_dummy.npz", owners=owners, tricks=solved.tricks)
    both = np.stack([solved.hands[:, 0], solved.hands[:, 2]], axis=1).reshape(-1, 2, 4, 13)
    bits = both[:, :, ::-1].reshape(-1, 104)
    cost = pairs(solved).costs.astype(np.float32)
    np.savez(tmp_path / "uncontested_costs.npz", hands=np.packbits(bits, axis=1), cost=cost)
    return tmp_path


def test_best_setting_needs_its_grid(data: Path) -> None:
    bench = experiment.open_bench(data / "double_dummy.npz", None, data / "out", TINY)
    *_, last = experiment.structure_tasks(bench)
    with pytest.raises(ValueError, match="not finished"):
        last.make()


def test_the_command_reports_and_resumes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    monkeypatch.setitem(experiment.SCALES, "quick", TINY)
    out = data / "out"
    asked = ["reproduce", "ho2015", "--data", str(data), "--out", str(out), "--quick"]
    asked += ["--workers", "here"]
    for stage in ("baselines", "updates"):
        asked += ["--stage", stage]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 0, result.output
    assert "Table 1" in result.output
    assert "Table 2" not in result.output
    assert (out / "updates.png").exists()
    before = {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    result = CliRunner().invoke(main, [*asked, "--json"])
    assert {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()} == before
    cells = json.loads(result.stdout)
    assert cells["table1-cstsr2-baseline"]["dimensions"] == 21
    optimistic = cells["table1-cstsr2-optimistic"]["train"]["mean"]
    assert optimistic < cells["table1-cstsr2-baseline"]["train"]["mean"]


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    asked = ["--data", str(tmp_path), "--out", str(tmp_path / "x")]
    result = CliRunner().invoke(main, ["reproduce", "ho2015", *asked])
    assert result.exit_code != 0
    assert "double_dummy.npz" in result.output


def test_an_empty_store_gives_an_empty_report(tmp_path: Path) -> None:
    assert report.page(CellStore(tmp_path)).count("##") == 0
