"""Choices of a game of hidden hands in words."""

from __future__ import annotations

from typing import Final

from overtrick.hiddenplay.analysis import MixedPlay

_SEATS: Final = {"N": "North", "S": "South", "W": "West", "E": "East"}


def path_words(path: tuple[str, ...]) -> str:
    """The cards so far, trick by trick."""
    if not path:
        return "to begin with"
    tricks = [path[i : i + 4] for i in range(0, len(path), 4)]
    return "after " + "; ".join(" ".join(card for card in trick) for trick in tricks)


def choice_words(choice: MixedPlay) -> str:
    """`West with Kx, after S2: K 55 %, 7/6 45 %`."""
    who = _SEATS[choice.seat] + (f" with {choice.held}" if choice.held else "")
    if not choice.is_mixed:
        shares = choice.cards[0][0][1:]
    else:
        shares = ", ".join(f"{card[1:]} {100 * share:.0f} %" for card, share in choice.cards)
    return f"{who}, {path_words(choice.path)}: {shares}"
