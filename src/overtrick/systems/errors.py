"""What can be wrong with a rule file, a system or a convention card, with file, line and a hint."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from overtrick.game.errors import BridgeError


class BiddingSystemError(BridgeError):
    """Base of errors about bidding systems."""


class RuleError(BiddingSystemError):
    """A mistake in a rule file: `openings.bid:12: no such feature 'hpc' (did you mean hcp?)`."""

    def __init__(self, what: str, file: str = "", line: int = 0, hint: str = "") -> None:
        self.what, self.file, self.line, self.hint = what, file, line, hint
        where = f"{file}:{line}: " if file else ""
        super().__init__(f"{where}{what}" + (f" ({hint})" if hint else ""))


class UnknownSystem(BiddingSystemError):
    """A system, file or convention that does not exist."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or '' when nothing is near."""
    close = get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]}?" if close else ""
