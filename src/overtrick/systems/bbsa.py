"""BBA's `.bbsa` cards, read and written.

A `.bbsa` file has one `Name = 0 or 1` per line: first `System type`, then the conventions in BBA's
order, last `Opponent type`. The names below were checked against the names that public programs
around BBA's engine hand to it (2026-11-15); names BBA does not know it ignores silently.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overtrick.game.errors import ParseError, printable
from overtrick.systems.card import ConventionCard, Imported

if TYPE_CHECKING:
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
_ALWAYS: Final = ("Quantitative 4NT",)
_TYPES: Final = ("two-over-one", "sayc", "polish", "precision", "acol")  # by BBA's number
_NEAREST: Final = "sayc"  # of BBA's types to systems that it does not have
_RANGES: Final = ((12, 14), (13, 15), (14, 16), (15, 17))
_RANGE: Final = "1NT opening range "
_NAMED: Final = frozenset(BBSA_NAMES.values())
# What BBA has no name for stands in lines of our own, which it ignores.
_OWN: Final = "Overtrick "
_OWN_SYSTEM: Final = f"{_OWN}system "
_SILENT: Final = frozenset({"Opponent type", "Not defined", *_ALWAYS})
_MOST_LINES: Final = 2000
_ONE_NOTRUMP: Final = 7


def dumps(system: System) -> str:
    """A `.bbsa` card of a system; no blank lines, which its readers refuse."""
    rows = dict.fromkeys(_ALWAYS, 1)
    rows |= {f"{_RANGE}{a}-{b}": int((a, b) == notrump_range(system)) for a, b in _RANGES}
    for key, switch in BBSA_NAMES.items():
        rows[key] = int(system.switches.get(switch, False) and key not in _WRITTEN_OFF)
    lines = [f"{key} = {rows[key]}" for key in sorted(rows, key=str.lower)]
    if system.source not in _TYPES:
        lines.append(f"{_OWN_SYSTEM}{system.source} = 1")
    lines += [f"{_OWN}{name} = {int(system.switches[name])}" for name in unnamed(system)]
    kind = _TYPES.index(system.source if system.source in _TYPES else _NEAREST)
    return "\n".join([f"System type = {kind}", *lines, "Opponent type = 0", ""])


def unnamed(system: System) -> list[str]:
    """Changed switches for which BBA has no name: they stand in lines of our own."""
    return [c.name for c in system.conventions if c.is_changed and c.name not in _NAMED]


def notrump_range(system: System) -> tuple[int, int]:
    """The points of a 1NT opening."""
    from overtrick.systems.meanings import call_meaning
    from overtrick.systems.reading import Reading

    reading = Reading(system)
    return call_meaning(reading, reading.context((), 0, 0), _ONE_NOTRUMP).hcp


def loads(text: str, place: str = "card") -> Imported:
    """Read a `.bbsa` card: the switches that exist here. Whatever else is on is listed; what is off
    and unknown says nothing."""
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > _MOST_LINES:
        raise ParseError(f"a BBA card has at most {_MOST_LINES} lines; {place} has {len(lines)}")
    found = _Found(place)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        key, equals, value = (part.strip() for part in line.rpartition("="))
        if not equals or not re.fullmatch(r"-?\d{1,4}", value):
            raise ParseError(f"{place}:{number}: a line of a BBA card reads `Name = 0 or 1`",
                             printable(line[:80]))  # fmt: skip
        found.line(number, key, int(value))
    return found.card()


class _Found:
    """What the lines of a card have told so far."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._system = _NEAREST
        self._switches: dict[str, bool] = {}
        self._notrump: tuple[str, str] | None = None
        self._unmapped: list[str] = []

    def line(self, number: int, key: str, value: int) -> None:
        where = f"{self._place}:{number}: {printable(key)} = {value}"
        if key == "System type":
            self._type(where, value)
        elif key in BBSA_NAMES:
            switch = BBSA_NAMES[key]
            self._switches[switch] = self._switches.get(switch, False) or value == 1
        elif key.startswith(_OWN_SYSTEM):
            self._system = key.removeprefix(_OWN_SYSTEM)
        elif key.startswith(_OWN):
            self._switches[key.removeprefix(_OWN)] = value == 1
        elif key.startswith(_RANGE):
            if value:
                self._notrump = (key.removeprefix(_RANGE), where)
        elif value and key not in _SILENT:
            self._unmapped.append(f"{where}: no switch here")

    def _type(self, where: str, value: int) -> None:
        from overtrick.systems.system import library_names

        known = dict(enumerate(_TYPES))
        self._system = known.get(value, "")
        if self._system not in library_names():
            name = self._system or "a system of another program"
            self._unmapped.append(f"{where}: {name} is not here; read beside {_NEAREST}")
            self._system = _NEAREST

    def card(self) -> Imported:
        from overtrick.systems.system import load

        if self._notrump is not None:
            text, where = self._notrump
            low, high = notrump_range(load(self._system))
            if text != f"{low}-{high}":
                self._unmapped.append(f"{where}: 1NT is {low}–{high} in {self._system}")
        return Imported(ConventionCard(self._system, self._switches), tuple(self._unmapped))
