"""What a server writes to its log: one printable line for each thing, and never a flood.
A host reads these lines when something is wrong."""

from __future__ import annotations

import logging
from typing import Final

from overtrick.game.errors import printable
from overtrick.web.limits import Bucket, Rates

_LINES: Final = Rates(per_second=0.2, burst=10)  # of one kind
_MOST_KINDS: Final = 2000


class Sparing(logging.Filter):
    """Lets a few lines of each kind pass, then one in a while that says how many there were.

    A kind is the logger and the text before anything was put into it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.name, str(record.msg)[:200])
        if len(self._buckets) > _MOST_KINDS:
            self._buckets.clear()
        if not self._buckets.setdefault(kind, Bucket(_LINES)).take():
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        missed = self._left_out.pop(kind, 0)
        if missed:
            record.msg = f"{record.getMessage()} (and {missed} more like it)"
            record.args = ()
        return True


class OneLine(logging.Formatter):
    """Foreign text cannot begin a line of its own or move the cursor of who reads the log."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = printable(record.message, 1000)
        return super().formatMessage(record)


def begin() -> None:
    """Warnings and errors of this process go to standard error, each kind sparingly."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(name)s: %(message)s"))
    handler.addFilter(Sparing())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
