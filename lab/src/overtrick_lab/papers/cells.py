"""Finished pieces of an experiment as small JSON files, so that a stopped run goes on and a report
can be written again without computing anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.game.errors import BridgeError
from overtrick.notation.whole import write_whole
from overtrick_lab.papers.workforce import Workforce

Cell = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CellStore:
    """A folder of cells; each is computed once and written whole."""

    folder: Path

    def path(self, key: str) -> Path:
        """Where a cell lies."""
        return self.folder / f"{key}.json"

    def get(self, key: str) -> Cell | None:
        """A finished cell, or None."""
        path = self.path(key)
        if not path.exists():
            return None
        cell: Cell = json.loads(path.read_text(encoding="utf-8"))
        return cell

    def put(self, key: str, cell: Cell) -> None:
        """Write a cell in one move, so that a stopped run leaves no half file."""
        write_whole(self.path(key), json.dumps(cell))


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work: its key in the store, what it is in words, how to make it.

    `make` has all workers to itself. A cell that a single process works out brings `job` instead, a
    function of a module and what to call it with; such cells are made side by side.
    """

    key: str
    words: str
    make: Callable[[Workforce], Cell] | None = None
    job: tuple[Callable[[Any], Cell], Any] | None = None


def packed(folder: Path) -> dict[str, Cell]:
    """Every cell below a folder by its path, so that a long run can be kept as one file."""
    found = sorted(folder.rglob("cells/*.json"))
    return {
        p.relative_to(folder).with_suffix("").as_posix(): json.loads(p.read_text(encoding="utf-8"))
        for p in found
    }


def unpack(cells: dict[str, Cell], folder: Path) -> None:
    """The same as files again; a path that leaves the folder is refused."""
    for name, cell in cells.items():
        path = folder / f"{name}.json"
        if not path.resolve().is_relative_to(folder.resolve()):
            raise BridgeError(f"{name} is no cell of {folder}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(cell))


def _do(job: tuple[Callable[[Any], Cell], Any]) -> Cell:
    work, given = job
    return work(given)


def fill(store: CellStore, tasks: Sequence[Task], workers: Workforce) -> Iterator[Task]:
    """Make what is missing; yields every task before its cell is waited for."""
    missing = [task for task in tasks if store.get(task.key) is None]
    alone = [task for task in missing if task.job is not None]
    if alone:
        yield alone[0]
        for number, cell in workers.each(_do, [t.job for t in alone if t.job is not None]):
            store.put(alone[number].key, cell)
            yield alone[number]
    for task in missing:
        if task.make is not None:
            yield task
            store.put(task.key, task.make(workers))
