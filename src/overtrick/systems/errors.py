"""What can be wrong with a rule file, a system or a convention card, with file, line and a hint."""

from __future__ import annotations

from overtrick.game.errors import BridgeError, did_you_mean


class BiddingSystemError(BridgeError):
    """Base of errors about bidding systems."""


class RuleError(BiddingSystemError):
    """A mistake in a rule file: `openings.bid:12: no such feature 'hpc' (did you mean hcp?)`.

    >>> from overtrick.systems import system_of_text
    >>> system_of_text("opening:")
    Traceback (most recent call last):
        ...
    overtrick.systems.errors.RuleError: text:1: cannot read 'opening:' (did you mean opening?)
    """

    def __init__(self, what: str, file: str = "", line: int = 0, hint: str = "") -> None:
        self.what, self.file, self.line, self.hint = what, file, line, hint
        where = f"{file}:{line}: " if file else ""
        super().__init__(f"{where}{what}" + (f" ({hint})" if hint else ""))


class UnknownSystem(BiddingSystemError):
    """A system, file or convention that does not exist.

    >>> from overtrick.systems import load
    >>> load("akol")
    Traceback (most recent call last):
        ...
    overtrick.systems.errors.UnknownSystem: no bidding system called 'akol'; did you mean acol?
    """


__all__ = ["BiddingSystemError", "RuleError", "UnknownSystem", "did_you_mean"]
