"""Ranges of features as the bidding language writes them: `hcp 12..14`, `spades 5+`.
`statements` reads every phrase back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from overtrick.evaluation import Feature, feature
from overtrick.evaluation.registry import ALL, NT

_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
_WHOLE: Final = {
    "HCP": "hcp", "LP": "points", "LTC": "losers", "CONTROLS": "controls", "HONOR": "honours",
    "QUICK": "quick", "ACE": "aces", "KING": "kings", "QUEEN": "queens", "BAL": "shape",
    "LMAJ": "longer-major", "LMIN": "longer-minor", "SUITS": "suits",
}  # fmt: skip
_SUITED: Final = {
    "HCP": "hcp", "CONTROLS": "controls", "HONOR": "honours", "QUICK": "quick", "ACE": "ace",
    "KING": "king", "QUEEN": "queen", "JACK": "jack", "RKCB": "keycards", "QLTY": "quality",
    "HC": "top", "STOP-NT": "stopper", "BIDDBLE": "biddable", "UNLOS": "playing-losers",
    "LONGEST": "longest",
}  # fmt: skip
_TRUMP: Final = {"POINTS": "points", "LOSERS": "losers", "COVER": "cover"}


def phrase(name: str, low: float, high: float) -> str:
    """One range of one feature."""
    return f"{_subject(feature(name))} {_range(feature(name), low, high)}"


def phrases(ranges: Iterable[tuple[str, float, float]]) -> str:
    """Several ranges that all must hold; `any` for none."""
    return ", ".join(phrase(*r) for r in ranges) or "any"


def _subject(what: Feature) -> str:
    name, suits = what.of.name, what.suits
    if name == "SUITLEN":
        return " + ".join(_SUITS[s] for s in suits)
    if (not suits or suits == (ALL,)) and name in _WHOLE:
        return _WHOLE[name]
    if len(suits) == 1 and suits[0] != ALL and name in _SUITED:
        return f"{_SUITED[name]} {'CDHS'[suits[0]]}"
    if len(suits) == 2 and suits[1] == ALL and suits[0] != NT and name in _TRUMP:
        return f"{_TRUMP[name]} {'CDHS'[suits[0]]}"
    if suits == (ALL,):  # the whole hand, which a plain name means
        return name
    words = [("CDHS"[s] if s < 4 else "ALL") for s in suits]
    if name == "FAST" and suits[0] == NT:
        words[0] = "NT"
    return " ".join([name, *words])


def _range(what: Feature, low: float, high: float) -> str:
    low, high = max(low, what.low), min(high, what.high)
    if low == high:
        return f"{low:g}"
    if high >= what.high:
        return f"{low:g}+"
    if low <= what.low:
        return f"..{high:g}"
    return f"{low:g}..{high:g}"
