"""Cells are made once, wherever they are made, and every finished job is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
import pytest

from overtrick.arena.run import Backend
from overtrick.game import BridgeError
from overtrick_lab.papers.cells import Cell, CellStore, Task, fill, packed, unpack
from overtrick_lab.papers.workforce import Workforce
from overtrick_lab.verbs.reproducing import Running


def square(number: int) -> Cell:
    return {"square": number * number}


def test_missing_cells_are_made_once(tmp_path: Path) -> None:
    store, made, heard = CellStore(tmp_path / "cells"), [], []

    def whole(workers: Workforce) -> Cell:
        made.append(1)
        return {"sum": sum(cell["square"] for cell in workers.map(square, [1, 2, 3]))}

    tasks = [
        Task("whole", "all of it", whole),
        *(Task(f"n{i}", "", job=(square, i)) for i in (4, 5)),
    ]
    with Workforce(Backend(), lambda done, total: heard.append((done, total))) as workers:
        for _ in range(2):
            list(fill(store, tasks, workers))
    assert made == [1]
    assert [store.get(task.key) for task in tasks] == [
        {"sum": 14}, {"square": 16}, {"square": 25}
    ]  # fmt: skip
    assert heard == [(1, 2), (2, 2), (1, 3), (2, 3), (3, 3)]
    assert store.get("gone") is None


def test_a_run_is_kept_as_one_file_and_read_again(tmp_path: Path) -> None:
    for folder in ("cells", "seed1/cells"):
        store = CellStore(tmp_path / folder)
        store.folder.mkdir(parents=True)
        store.put("a", {"from": folder})
    found = packed(tmp_path)
    assert found == {"cells/a": {"from": "cells"}, "seed1/cells/a": {"from": "seed1/cells"}}
    unpack(found, tmp_path / "again")
    assert packed(tmp_path / "again") == found
    with pytest.raises(BridgeError, match="no cell"):
        unpack({"../cells/a": {}}, tmp_path / "again")


def test_a_folder_has_the_cells_of_one_setting(tmp_path: Path) -> None:
    run = Running("ho2015", tmp_path, "here", None, report_only=False, as_json=True)
    for _ in range(2):
        run.only(scale="quick")
    with pytest.raises(click.UsageError, match="has a run with scale quick: give another --out"):
        run.only(scale="full")


def test_a_report_without_a_run_is_that_of_the_kept_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    run = Running("ho2015", out, "here", None, report_only=True, as_json=True, scale="medium")
    run.kept.parent.mkdir(parents=True)
    kept = {"setting": {"scale": "medium"}, "cells": {"cells/a": {"b": 1}}}
    run.kept.write_text(json.dumps(kept), encoding="utf-8")
    run.out.mkdir()
    replace(run, report_only=False).recall()
    with pytest.raises(click.UsageError, match="kept with the page is --scale medium"):
        replace(run, scale="full").recall()
    assert not packed(run.out)
    own = run.kept.with_name("cells-full.json")
    assert replace(run, scale="full").kept == run.kept
    own.write_text(json.dumps(kept | {"setting": {"scale": "full"}}), encoding="utf-8")
    assert replace(run, scale="full").kept == own
    run.recall()
    assert run.store.get("a") == {"b": 1}
    with pytest.raises(click.UsageError, match="scale medium"):
        run.only(scale="full")
