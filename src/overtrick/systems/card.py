"""The convention card: switches of a system, and BBA's `.bbsa` cards read and written.

A `.bbsa` file has one `Name = 0 or 1` per line: first `System type`, then the conventions in BBA's
order, last `Opponent type`. The names below were checked against the names that public programs
around BBA's engine hand to it (2026-11-15); names BBA does not know it ignores silently.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.game.errors import ParseError
from overtrick.systems.system import System

# BBA's names for the switches we have, in BBA's order. Where several names stand for one switch,
# any of them turns it on.
BBSA_NAMES: Final[dict[str, str]] = {
    "1N-2S transfer to clubs": "minor-transfers",
    "1N-3C transfer to diamonds": "minor-transfers",
    "Bergen": "bergen",
    "Blackwood 0314": "rkcb-3014",
    "Blackwood 1430": "rkcb-1430",
    "Cappelletti": "cappelletti",
    "Drury": "drury",
    "Fourth suit": "fourth-suit-forcing",
    "Fourth suit game force": "fourth-suit-forcing",
    "Gerber": "gerber",
    "Inverted minors": "inverted-minors",
    "Jacoby 2NT": "jacoby-2nt",
    "Jordan Truscott 2NT": "jordan",
    "Leaping Michaels": "leaping-michaels",
    "Lebensohl after 1NT": "lebensohl",
    "Lebensohl after double": "lebensohl-doubles",
    "Michaels Cuebid": "michaels",
    "New Minor Forcing": "new-minor-forcing",
    "Ogust": "ogust",
    "Responsive double": "responsive-doubles",
    "Reverse drury": "drury",
    "SMOLEN": "smolen",
    "Splinter": "splinters",
    "Support double redouble": "support-doubles",
    "Texas": "texas",
    "Two Way New Minor Forcing": "two-way-checkback",
    "Unusual 2NT": "unusual-2nt",
    "Weak natural 2D": "weak-twos",
    "Weak natural 2M": "weak-twos",
    "Walsh style": "walsh",
}
# Of two names for one switch, the one that describes ours is written as on.
_WRITTEN_OFF: Final = frozenset({"Fourth suit", "Drury"})  # ours force to game; 2♥/2♠ is weak
_ALWAYS: Final = {"1NT opening range 15-17": 1, "Quantitative 4NT": 1}
_SYSTEM_TYPES: Final = {"two-over-one": 0, "sayc": 1}
_OTHER_SYSTEMS: Final = {2: "WJ (Polish club)", 3: "Precision", 4: "Acol"}


@dataclass(frozen=True, slots=True)
class Card:
    """Switches by name, the system they belong to, and what was not understood.

    `unknown` lists names that are on but have no switch here; names that are off say nothing.
    """

    system: str
    switches: dict[str, bool]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def card_of(system: System) -> Card:
    """The card a loaded system plays."""
    return Card(system.name, dict(sorted(system.switches.items())))


def card_lines(system: System) -> list[tuple[str, str, bool]]:
    """(switch, title, on) in the order of the titles."""
    rows = [(n, system.titles.get(n, n), on) for n, on in system.switches.items()]
    return sorted(rows, key=lambda r: r[1].lower())


def dump_bbsa(system: System) -> str:
    """A `.bbsa` card with the switches BBA knows; no blank lines, which its readers refuse."""
    rows = dict(_ALWAYS)
    for key, switch in BBSA_NAMES.items():
        on = system.switches.get(switch, False) and key not in _WRITTEN_OFF
        rows[key] = int(on)
    kind = _SYSTEM_TYPES.get(system.name, 1)
    lines = [f"{key} = {rows[key]}" for key in sorted(rows, key=str.lower)]
    return "\n".join([f"System type = {kind}", *lines, "Opponent type = 0", ""])


def load_bbsa(text: str) -> Card:
    """Read a `.bbsa` card: the switches that exist here; what else is on is listed as unknown."""
    name, notes = "sayc", []
    switches: dict[str, bool] = {}
    unknown: list[str] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        key, equals, value = (part.strip() for part in line.rpartition("="))
        if not equals or not value.lstrip("-").isdigit():
            raise ParseError(f"line {number} of a .bbsa card reads `Name = 0 or 1`", line)
        if key == "System type":
            name = {v: k for k, v in _SYSTEM_TYPES.items()}.get(int(value), "sayc")
            if int(value) in _OTHER_SYSTEMS:
                notes.append(f"the card is for {_OTHER_SYSTEMS[int(value)]}; only switches apply")
        elif key in BBSA_NAMES:
            switch = BBSA_NAMES[key]
            switches[switch] = switches.get(switch, False) or value == "1"
        elif key.startswith("1NT opening range") and value == "1" and key not in _ALWAYS:
            notes.append(f"{key.removeprefix('1NT opening range ')} notrump: ours is 15–17")
        elif value != "0" and key not in ("Opponent type", "Not defined", *_ALWAYS):
            unknown.append(key)
    return Card(name, switches, tuple(unknown), tuple(notes))


def read_bbsa(path: Path) -> Card:
    return load_bbsa(path.read_text(encoding="utf-8", errors="replace"))
