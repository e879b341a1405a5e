"""What a pair has agreed about its cards: which card is led from a suit, and what small cards say
(signals.py has the table of that)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from overtrick.game import Card, OptionError

_TEN = 8
_NINE = 7


@dataclass(frozen=True, slots=True)
class Carding:
    """A pair's agreements about cards that would otherwise be equal; both sides may know them.

    `odd_even`: a first discard of an odd card likes its suit, an even one does not.
    `echo`: trumps that declarer draws are played high-low from three, low-high from two or four.
    """

    small: Literal["fourth", "third-fifth"] = "fourth"
    attitude: Literal["standard", "upside-down", "none"] = "standard"
    count: Literal["standard", "upside-down", "none"] = "standard"
    preference: bool = True
    odd_even: bool = False
    echo: bool = False

    def words(self) -> str:
        """As written on a convention card."""
        leads = "fourth best" if self.small == "fourth" else "third and fifth best"
        parts = [f"{leads}, top of a sequence"]
        told = (("attitude", self.attitude), ("count", self.count))
        parts += [f"{'no' if w == 'none' else w} {n}" for n, w in told]
        parts += ["suit preference on ruffs"] if self.preference else []
        parts += ["trump echo"] if self.echo else []
        return ", ".join([*parts, "odd-even discards"] if self.odd_even else parts)


STANDARD: Final = Carding()
SILENT: Final = Carding(attitude="none", count="none", preference=False)
AGREEMENTS: Final = {
    "standard": STANDARD,
    "upside-down": Carding(attitude="upside-down", count="upside-down"),
    "odd-even": Carding(odd_even=True),
    "echo": Carding(echo=True),
    "silent": SILENT,
}


def agreement(name: str | bool) -> Carding:
    """Signals by name; true and false stand for the usual ones and no signals.

    >>> agreement(False).words()
    'fourth best, top of a sequence, no attitude, no count'
    """
    told = ("standard" if name else "silent") if isinstance(name, bool) else name
    if told not in AGREEMENTS:
        raise OptionError(f"no signals called {name!r}; there are {', '.join(AGREEMENTS)}")
    return AGREEMENTS[told]


def signals_named(carding: Carding) -> str:
    """The name of a pair's signals."""
    return next(name for name, known in AGREEMENTS.items() if known == carding)


def lead_card(holding: Sequence[Card], carding: Carding = STANDARD, *, trumps: bool) -> Card:
    """The agreed card from a suit (highest first): sequences, fourth best, top of nothing, MUD.

    >>> suit = [Card.parse(c) for c in ("SK", "SJ", "S8", "S5", "S2")]
    >>> lead_card(suit, trumps=False)
    Card('S5')
    """
    count = len(holding)
    if count <= 2:
        return holding[0]
    honours = _from_honours([c.rank for c in holding], trumps)
    if honours is not None:
        return holding[honours]
    if holding[0].rank <= _TEN:  # nothing: top of three small, second highest of more
        return holding[1] if count > 3 or trumps else holding[0]
    if carding.small == "fourth":
        return holding[3] if count >= 4 else holding[-1]
    return holding[2] if count in (3, 4) else holding[4]


def _from_honours(ranks: list[int], trumps: bool) -> int | None:
    """Which honour is led from three cards or more, if one is: the place in the holding."""
    top, second, third = ranks[:3]
    near = third >= second - 2 and third >= _NINE
    if top >= _NINE and second == top - 1 and (near or trumps or top >= 11 or len(ranks) == 3):
        return 0
    if top >= 10 and second >= _NINE and third == second - 1 and not trumps:
        return 1  # inside a sequence
    return 0 if trumps and top == 12 else None  # an ace is not underled against a suit contract
