"""The journal of a session: every line and every fault with its ruling, as JSON lines with times.
A dispute is settled by reading it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import IO, Any

from overtrick.table.director import Ruling


class Journal:
    """Writes one JSON object per line; without a file it only counts."""

    def __init__(
        self,
        file: IO[str] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = file
        self._now = now
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def line(self, direction: str, who: str, text: str) -> None:
        """A line received ("in") or sent ("out")."""
        self.counts[direction] += 1
        self._write({"what": direction, "who": who, "line": text})

    def event(self, who: str, text: str, **more: Any) -> None:
        """Something else worth knowing: a connection, a board begun or finished."""
        self.counts["event"] += 1
        self._write({"what": "event", "who": who, "text": text, **more})

    def ruling(self, who: str, board: int, ruling: Ruling) -> None:
        """A fault and what the director did about it."""
        self.faults[ruling.fault.name] += 1
        self._write(
            {
                "what": "fault",
                "who": who,
                "board": board,
                "fault": str(ruling.fault),
                "detail": ruling.detail,
                "ruling": ruling.instead,
            }
        )

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is None:
            return
        entry = {"time": self._now().isoformat(timespec="milliseconds"), **entry}
        self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        self._file.flush()
