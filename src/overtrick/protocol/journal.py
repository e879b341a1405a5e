"""The journal of a session: every line and every fault with its ruling, as JSON lines with times.
A dispute is settled by reading it; strangers who never sit down cannot fill it."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import IO, Any, Final

from overtrick.game.errors import refusal
from overtrick.table.director import Ruling

LOGGER = logging.getLogger(__name__)
STRANGER: Final = "?"  # who has not said who he is
_MOST_OF_STRANGERS: Final = 1 << 20  # characters


class Journal:
    """Writes one JSON object per line; without a file it only counts.

    What strangers say is written down up to a limit. A disk that is full stops no match: the
    journal says so once and goes on when there is room.
    """

    def __init__(
        self,
        file: IO[str] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = file
        self._now = now
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self._strangers = 0
        self._trouble = ""

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
        if self._file is None or (self._strangers > _MOST_OF_STRANGERS and _is_strange(entry)):
            return
        entry = {"time": self._now().isoformat(timespec="milliseconds"), **entry}
        text = json.dumps(entry, ensure_ascii=False) + "\n"
        if _is_strange(entry):
            self._strangers += len(text)
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            why = refusal(error)
            if not self._trouble:
                LOGGER.error("the journal cannot be written, the match goes on: %s", why)
            self._trouble = why
            return
        if self._trouble:
            LOGGER.warning("the journal can be written again")
            self._trouble = ""


def _is_strange(entry: dict[str, Any]) -> bool:
    return entry.get("who") == STRANGER
