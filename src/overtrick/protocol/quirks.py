"""What single programs need: pauses, void dashes, capitals; one frozen value per program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from overtrick.game import OptionError


@dataclass(frozen=True, slots=True)
class Quirks:
    """How one peer wants its lines. The defaults are what every known program reads."""

    delay: float = 0.0  # seconds before every line
    trick_delay: float = 0.0  # seconds after every trick
    void: str = "-"  # how a void is written
    suit_gap: str = " "  # between the dot of one suit and the next suit
    colon_gap: bool = True  # 'cards : ' rather than 'cards: '
    shout: bool = False  # seats and verbs in capitals, cards in small letters
    teams_colons: bool = True  # 'N/S : "A"' rather than 'N/S "A"'
    dummy_by_name: bool = False  # ask for dummy's card by the seat instead of 'dummy'
    timing_dot: bool = True
    alerts: Literal["auto", "always", "never"] = "auto"  # auto: version 19, or it alerts itself


# From the sources named in lab/notes/decisions/protocol.md; pauses are those programs' own figures.
PRESETS: Final[dict[str, Quirks]] = {
    "plain": Quirks(),
    "wbridge5": Quirks(shout=True, colon_gap=False, teams_colons=False),
    "gib": Quirks(delay=0.05),
    "moniteur": Quirks(trick_delay=0.2, timing_dot=False),
    "ben": Quirks(delay=0.05),
    "qplus": Quirks(void="-"),
    "meadowlark": Quirks(suit_gap=" "),
    "openspiel": Quirks(shout=True, colon_gap=False, teams_colons=False, dummy_by_name=True),
}
# What a team name tells about the program behind it; only pauses follow from a name.
_BY_NAME: Final = {"gib": "gib", "moniteur": "moniteur"}


def preset(name: str) -> Quirks:
    """Quirks by the name of a program."""
    if name.lower() not in PRESETS:
        raise OptionError(f"no quirks called {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name.lower()]


def guess(team: str, chosen: dict[str, Quirks] | None = None) -> Quirks:
    """Quirks for a client by its team name: what was chosen for it, else what the name tells."""
    for name, quirks in (chosen or {}).items():
        if same_name(name, team):
            return quirks
    found = next((p for word, p in _BY_NAME.items() if word in team.lower()), "plain")
    return PRESETS[found]


def same_name(a: str, b: str) -> bool:
    """Team names agree whatever their case and spaces."""
    return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()
