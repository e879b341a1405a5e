"""Finished pieces of an experiment as small JSON files, so that a stopped run goes on.
Used by `experiment` and `report`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.notation.whole import write_whole

Cell = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Store:
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

    def ensure(self, key: str, make: Callable[[], Cell]) -> Cell:
        """The cell, made now if it was not there."""
        cell = self.get(key)
        if cell is None:
            cell = make()
            self.put(key, cell)
        return cell
