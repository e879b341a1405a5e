"""What can be wrong with a card, a hand, a call or a play, each as a narrow ValueError.
Used everywhere: readers, the table and the command line catch `BridgeError` and show one line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BridgeError(ValueError):
    """Base of every error about bridge values; its text is one line meant for a person."""


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
