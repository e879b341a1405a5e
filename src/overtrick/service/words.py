"""Calls and meanings as the robot's answers spell them."""

from __future__ import annotations

from overtrick.game import Call, Meaning


def call_out(call: Call) -> str:
    """As clients of BEN write calls.

    >>> [call_out(Call(c)) for c in ("P", "X", "XX", "1NT", "4S")]
    ['PASS', 'X', 'XX', '1N', '4S']
    """
    return "PASS" if call == Call.PASS else call.ascii.replace("NT", "N")


def told_shortly(meaning: Meaning) -> str:
    """The words, and the ranges in brackets."""
    ranges = meaning.ranges()
    return f"{meaning.words} ({ranges})" if ranges else meaning.words
