"""What can be wrong with a card, a hand, a call or a play, each as a narrow ValueError.
Used everywhere: readers, the table and the command line catch `BridgeError` and show one line."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_REFUSALS: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full (your share of it)",
    errno.EIO: "the disk reports an error",
    errno.EROFS: "it cannot be written (read only)",
}


class BridgeError(ValueError):
    """Base of every error about bridge values; its text is one line meant for a person.

    >>> from overtrick import Hand
    >>> try:
    ...     Hand.parse("AKQ.AKQ.AKQ.AKQZ")
    ... except BridgeError as error:
    ...     print(error)
    no such rank 'Z' at position 16 of 'AKQ.AKQ.AKQ.AKQZ'
    """


class ParseError(BridgeError):
    """Text that is not the thing it should be; knows where the mistake is.

    >>> str(ParseError("no such rank 'Z'", "SZ", 1))
    "no such rank 'Z' at position 2 of 'SZ'"
    """

    def __init__(self, what: str, text: str = "", position: int | None = None) -> None:
        self.what = what
        self.text = text
        self.position = position
        shown = text if len(text) <= 60 else text[:57] + "…"
        if position is not None:
            what = f"{what} at position {position + 1} of {shown!r}"
        elif text:
            what = f"{what} in {shown!r}"
        super().__init__(what)


class WrongType(BridgeError, TypeError):
    """A value of another kind than the one that was meant; the text says what to pass.

    >>> str(WrongType("a seat", "'N' or Seat.NORTH", 1.5))
    "a seat is 'N' or Seat.NORTH, not 1.5 (float)"
    """

    def __init__(self, what: str, wanted: str, given: object) -> None:
        shown = repr(given)
        shown = shown if len(shown) <= 40 else shown[:39] + "…"
        kind = "" if given is None else f" ({type(given).__name__})"
        super().__init__(f"{what} is {wanted}, not {shown}{kind}")


def expect(given: object, kind: type | tuple[type, ...], what: str, wanted: str) -> None:
    """Nothing when the value is of that kind, else `WrongType`.

    >>> expect("rules", str, "an engine", "text")
    """
    if not isinstance(given, kind):
        raise WrongType(what, wanted, given)


class HandError(BridgeError):
    """A hand that cannot be: wrong number of cards, or a card twice."""


class DealError(BridgeError):
    """Four hands that do not make a deal."""


class IllegalCall(BridgeError):
    """A call the laws do not allow at this point of the auction."""


class IllegalPlay(BridgeError):
    """A card the laws do not allow at this point of the play."""


class ContractError(BridgeError):
    """A contract, result or score that cannot exist."""


class OptionError(BridgeError):
    """An engine name or option that does not exist, or a value it does not take."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or '' when nothing is near."""
    close = get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]}?" if close else ""


def refusal(error: OSError) -> str:
    """Why the system refuses, in the same words everywhere.

    >>> refusal(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full'
    """
    return _REFUSALS.get(error.errno or 0) or error.strerror or str(error)


def printable(text: str, most: int = 200) -> str:
    """Foreign text for one line of a terminal or a log, whatever characters it holds."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])
