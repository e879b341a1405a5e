"""The report of the experiments: paired errors, both ways to tag, the exchange, nets of the day."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from overtrick_lab.papers.amit2006 import experiments, figures, report
from overtrick_lab.papers.amit2006.cotrain import Cotraining
from overtrick_lab.papers.amit2006.experiments import SCALES, ExperimentFolder
from overtrick_lab.papers.workforce import Workforce

BOTH = replace(SCALES["quick"], seeds=(1, 2))


def measured(refined: int, *imps: float, failures: int = 0) -> dict[str, Any]:
    exam = {
        "imps": sum(imps) / len(imps), "error": 0.5, "by_problem": list(imps),
        "lookaheads": 300 - refined, "failures": failures, "instances": 9000 - refined,
        "ratio": 0.5, "stage": 4.0, "nets_used": refined,
    }  # fmt: skip
    return {
        "refined": refined, "train_seconds": 60.0, "quick": {"imps": -4.0, "error": 0.1},
        "plain": exam, "deep": exam,
    }  # fmt: skip


def put(folder: Path, *cells: dict[str, Any]) -> None:
    (folder / "cells").mkdir(parents=True)
    for cell in cells:
        path = folder / "cells" / f"test-{cell['refined']:04d}.json"
        path.write_text(json.dumps(cell), encoding="utf-8")


@pytest.fixture
def bench(tmp_path: Path) -> ExperimentFolder:
    for seed in (1, 2):
        put(tmp_path / f"seed{seed}", measured(0, -4, -2, failures=500), measured(100, -3, -2))
        put(tmp_path / f"apart-all{seed}", measured(0, -4, -2), measured(90, -4, -2))
    put(tmp_path / "set1", measured(0, -4, -2), measured(100, -2, -2))
    return ExperimentFolder(tmp_path, BOTH)


def test_gains_are_paired_and_pooled() -> None:
    before, after = measured(0, -6, -2, 0, -4)["plain"], measured(9, -5, -1, 1, -3)["plain"]
    assert report.gain(before, after) == (1.0, 0.0)  # every problem gains one IMP: no doubt
    mean, error = report.pooled([(0.5, 0.3), (1.1, 0.4)])
    assert mean == pytest.approx(0.8)
    assert error == pytest.approx(0.25)


def test_page_shows_both_ways_to_tag_and_the_exchange(bench: ExperimentFolder) -> None:
    text = report.page(bench)
    assert text.index("### Tags by first choices") < text.index("### Tags that look ahead")
    assert "| all simulated by first choices | all |  |  |  | +0.50 ± 0.35 |" in text
    assert "500 → 0 (-100 %)" in text
    assert "| whole system | 1 | 90 / 100 |" in text
    assert "| whole system | all, last |" in text
    assert "Figure 14" not in text  # not measured, not mentioned
    assert not (bench.out / "set2").exists()  # looking leaves nothing behind


def test_figures_are_drawn(bench: ExperimentFolder) -> None:
    pytest.importorskip("matplotlib", reason="figures need overtrick[plots]")
    drawn = figures.draw(bench)
    assert [p.name for p in drawn] == ["fig09.png", "fig10.png", "fig11.png", "fig12.png"]
    assert all(5_000 < p.stat().st_size < 100_000 for p in drawn)


def test_studies_use_the_nets_learned_after_they_were_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = ExperimentFolder(tmp_path, SCALES["quick"])
    planned = {t.key: t for t in experiments.tasks(bench, "sample")}
    folder = tmp_path / "raises1"
    folder.mkdir()
    for agent in ("north", "south"):
        text = 'refines two-over-one\n\nafter 1H 2H\n  4H > Pass : any "later"\n'
        (folder / f"{agent}.bid").write_text(text, encoding="utf-8")
    kept = {"progress": {"refined": 2}, "settings": {}}
    (folder / "state.json").write_text(json.dumps(kept), encoding="utf-8")
    assert len(Cotraining(SCALES["quick"].restricted, folder).nets["north"]) == 1
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(experiments, "run_test", lambda s, nets, test, w: asked.append(nets) or {})
    with Workforce() as workers:
        planned["sample-1-3-before"].make(workers)
        planned["sample-1-3-after"].make(workers)
    assert asked[0] == ("", "")
    assert all("later" in text for text in asked[1])
