"""The convention card: switches of a system, and BBA's `.bbsa` cards read and written.
Used by `overtrick system card` and by tables that declare what they play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.game.errors import ParseError
from overtrick.systems.system import System

# BBA's names for the switches we have. The left side is the key of a .bbsa line.
BBSA_NAMES: Final[dict[str, str]] = {
    "1N-2S transfer to clubs": "minor-transfers",
    "1N-3C transfer to diamonds": "minor-transfers",
    "Bergen": "bergen",
    "Blackwood 0314": "rkcb-3014",
    "Blackwood 1430": "rkcb-1430",
    "Cappelletti": "cappelletti",
    "Drury": "drury",
    "Fourth suit game force": "fourth-suit-forcing",
    "Gerber": "gerber",
    "Inverted minors": "inverted-minors",
    "Jacoby 2NT": "jacoby-2nt",
    "Jordan Truscott 2NT": "jordan",
    "Leaping Michaels": "leaping-michaels",
    "Lebensohl after 1NT": "lebensohl",
    "Michaels Cuebid": "michaels",
    "Ogust": "ogust",
    "Responsive double": "responsive-doubles",
    "Splinter": "splinters",
    "Support double redouble": "support-doubles",
    "Texas": "texas",
    "Two way New Minor Forcing": "new-minor-forcing",
    "Unusual 2NT": "unusual-2nt",
    "Walsh style": "walsh",
}
_SYSTEM_TYPES: Final = {"two-over-one": 0, "sayc": 1}


@dataclass(frozen=True, slots=True)
class Card:
    """Switches by name, the system they belong to, and lines that were not understood."""

    system: str
    switches: dict[str, bool]
    unknown: tuple[str, ...] = ()


def card_of(system: System) -> Card:
    """The card a loaded system plays."""
    return Card(system.name, dict(sorted(system.switches.items())))


def card_lines(system: System) -> list[tuple[str, str, bool]]:
    """(switch, title, on) in the order of the titles."""
    rows = [(n, system.titles.get(n, n), on) for n, on in system.switches.items()]
    return sorted(rows, key=lambda r: r[1].lower())


def dump_bbsa(system: System) -> str:
    """A `.bbsa` card with the switches BBA knows."""
    kind = _SYSTEM_TYPES.get(system.name, 1)
    lines = [f"System type = {kind}"]
    for key, switch in BBSA_NAMES.items():
        lines.append(f"{key} = {int(system.switches.get(switch, False))}")
    return "\n".join([*lines, "Opponent type = 0", ""])


def load_bbsa(text: str) -> Card:
    """Read a `.bbsa` card: the switches that exist here; all other names are listed as unknown."""
    name = "sayc"
    switches: dict[str, bool] = {}
    unknown: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        key, equals, value = (part.strip() for part in line.rpartition("="))
        if not equals or not value.lstrip("-").isdigit():
            raise ParseError(f"line {number} of a .bbsa card reads `Name = 0 or 1`", line)
        if key == "System type":
            name = {v: k for k, v in _SYSTEM_TYPES.items()}.get(int(value), "sayc")
        elif key in BBSA_NAMES:
            switch = BBSA_NAMES[key]
            switches[switch] = switches.get(switch, False) or value == "1"
        elif key not in ("Opponent type", "Not defined"):
            unknown.append(key)
    return Card(name, switches, tuple(unknown))


def read_bbsa(path: Path) -> Card:
    return load_bbsa(path.read_text(encoding="utf-8", errors="replace"))
