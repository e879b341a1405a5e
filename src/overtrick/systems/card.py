"""The convention card: a system, and the switches by which a pair differs from its standard.

A card is one line, `two-over-one +dont -bergen`, and wherever a system is named that line will do:
in an engine's `system=`, in what a side declares, in an address of the web page. As a file it is
TOML, with a name and notes that print on it:

    card = 1
    name = "Anna and Bert"
    system = "two-over-one"   # or the file of another card

    [switches]                # what differs from the standard
    bergen = false
    dont = true

    [notes]
    leads = "third and lowest"

How freely its player departs from what calls show may stand on it too: `character = "usual"` in the
file, `two-over-one +dont character=usual` in the line.

This module knows cards, not rules: whether a system has a switch is asked when it is loaded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overtrick.game.errors import ParseError, printable, refusal

if TYPE_CHECKING:
    from overtrick.systems.system import System

VERSION: Final = 1
MOST_BYTES: Final = 64 << 10
SUFFIXES: Final = (".toml", ".bbsa")
_MOST_SWITCHES: Final = 400
_MOST_LINE: Final = 4000
_DEEPEST: Final = 8  # cards built on cards
_NOTE: Final = 500  # characters
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_CHARACTER: Final = "character="


class Character(StrEnum):
    """How freely a player departs from what a call is agreed to show.

    disciplined   a point in limit bids, tries and the ask for key cards, nothing else
    usual         a point in openings and overcalls of a suit and in doubles as well
    free          two points or a card in any natural call
    """

    DISCIPLINED = "disciplined"
    USUAL = "usual"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class ConventionCard:
    """A system and the switches that differ from its standard; a character, if one is named."""

    system: str
    switches: Mapping[str, bool] = field(default_factory=dict)
    name: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    character: Character | None = None

    @property
    def line(self) -> str:
        """The card in one line.

        >>> ConventionCard("sayc", {"dont": True, "bergen": False}).line
        'sayc -bergen +dont'
        """
        parts = [f"{'+' if on else '-'}{name}" for name, on in sorted(self.switches.items())]
        manner = [f"{_CHARACTER}{self.character}"] if self.character else []
        return " ".join([self.system, *parts, *manner])

    @property
    def on(self) -> tuple[str, ...]:
        return tuple(sorted(n for n, on in self.switches.items() if on))

    @property
    def off(self) -> tuple[str, ...]:
        return tuple(sorted(n for n, on in self.switches.items() if not on))

    def changed(self, switches: Mapping[str, bool]) -> ConventionCard:
        """The same card with some switches set."""
        return replace(self, switches={**self.switches, **switches})


def parse_line(text: str) -> ConventionCard:
    """A card from its line; the first word is the system.

    >>> parse_line("two-over-one +dont -bergen").off
    ('bergen',)
    """
    if len(text) > _MOST_LINE:
        raise ParseError(f"a card's line has at most {_MOST_LINE} characters")
    system, *words = text.split() or [""]
    switches: dict[str, bool] = {}
    character = None
    for word in words:
        if word.startswith(_CHARACTER):
            character = _character(word.removeprefix(_CHARACTER), "the card")
            continue
        if word[0] not in "+-" or not _NAME.match(word[1:]):
            raise ParseError("a card reads like `two-over-one +dont -bergen`", printable(text))
        name, on = word[1:], word[0] == "+"
        if switches.setdefault(name, on) is not on:
            raise ParseError(f"the card has {name} both on and off", printable(text))
    return ConventionCard(system, switches, character=character)


def _character(text: Any, place: str) -> Character:
    if text not in list(Character):
        known = ", ".join(Character)
        raise ParseError(f"{place}: a character is {known}, not {printable(str(text))}")
    return Character(text)


def is_file(text: str) -> bool:
    """Does this name a card's file rather than a system?"""
    return text.endswith(SUFFIXES)


# ---------------------------------------------------------------- our own file


def loads(text: str, place: str = "card") -> ConventionCard:
    """A card from the text of its file, which names its system; no other file is read."""
    found = _table(text, place)
    character = _character(found["character"], place) if "character" in found else None
    return ConventionCard(_system(found, place), _switches(found, place), _name(found, place),
                _notes(found, place), character)  # fmt: skip


def dumps(card: ConventionCard) -> str:
    """The card as a file."""
    lines = [
        "# A convention card; `overtrick card show FILE` explains it.",
        f"card = {VERSION}",
        *([f"name = {_quoted(card.name)}"] if card.name else []),
        f"system = {_quoted(card.system)}",
        *([f"character = {_quoted(card.character)}"] if card.character else []),
        "",
        "[switches]  # what differs from the system's standard",
        *(f"{name} = {str(on).lower()}" for name, on in sorted(card.switches.items())),
    ]
    if card.notes:
        lines += ["", "[notes]"]
        notes = {_key(k): v for k, v in card.notes.items()}  # names that are written alike are one
        lines += [f"{key} = {_quoted(v)}" for key, v in notes.items()]
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    clean = "".join(c if c.isprintable() else " " for c in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _quoted(text)


def bounded(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a card's file, if it is no longer than a card can be."""
    try:
        size = path.stat().st_size
        if size > most:
            raise ParseError(
                f"a card has at most {most >> 10} kB; {path.name} has {size / 1e6:.1f} MB"
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError(f"{path.name} is no text, so it is no card") from None
    except OSError as error:
        raise ParseError(f"{path}: {refusal(error)}") from None


def read_toml(path: Path, within: tuple[Path, ...] = ()) -> ConventionCard:
    """A card's file; `system` may be the file of another card, which it changes."""
    here = path.resolve()
    if here in within:
        chain = " → ".join(p.name for p in (*within, here))
        raise ParseError(f"cards built on each other in a circle: {chain}")
    if len(within) >= _DEEPEST:
        raise ParseError(f"cards are built on each other {_DEEPEST} deep; no more")
    card = loads(bounded(path), path.name)
    if not card.system.endswith(".toml"):
        return card
    below = read_toml(path.parent / card.system, (*within, here))
    return ConventionCard(
        below.system,
        {**below.switches, **card.switches},
        card.name or below.name,
        {**below.notes, **card.notes},
        card.character or below.character,
    )


def _table(text: str, place: str) -> dict[str, Any]:
    if len(text) > MOST_BYTES:
        raise ParseError(f"a card has at most {MOST_BYTES >> 10} kB; {place} has more")
    # Short lines keep names with very many dots, which nest, from taking very long.
    if any(len(line) > _MOST_LINE for line in text.splitlines()):
        raise ParseError(f"{place}: not a card: a line has at most {_MOST_LINE} characters")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # endless numbers are no TOMLDecodeError
        raise ParseError(f"{place}: not a card: {error}") from None
    if found.get("card") != VERSION:
        number = found.get("card") if isinstance(found.get("card"), int) else "something else"
        told = "has no line `card = 1`" if "card" not in found else f"is card = {number}"
        raise ParseError(f"{place} {told}: not a card of this program, or of a newer one")
    unknown = sorted(set(found) - {"card", "name", "system", "character", "switches", "notes"})
    if unknown:
        raise ParseError(f"{place}: a card has no {', '.join(map(printable, unknown))}")
    return found


def _system(found: dict[str, Any], place: str) -> str:
    system = found.get("system")
    if not isinstance(system, str) or not system or len(system) > 200:
        raise ParseError(f"{place} names no system")
    return system


def _name(found: dict[str, Any], place: str) -> str:
    name = found.get("name", "")
    if not isinstance(name, str) or len(name) > 60:
        raise ParseError(f"{place}: a card's name is text of at most 60 characters")
    return "".join(c if c.isprintable() else " " for c in name)


def _switches(found: dict[str, Any], place: str) -> dict[str, bool]:
    switches = found.get("switches", {})
    if not isinstance(switches, dict) or len(switches) > _MOST_SWITCHES:
        raise ParseError(f"{place}: [switches] has names that are true or false")
    for name, on in switches.items():
        if not isinstance(on, bool) or not _NAME.match(name):
            told = f" = {on}" if isinstance(on, int | float | str) else ""
            raise ParseError(
                f"{place}: {printable(name)}{printable(told)}: a switch is true or false"
            )
    return dict(switches)


def _notes(found: dict[str, Any], place: str) -> dict[str, str]:
    notes = found.get("notes", {})
    fine = isinstance(notes, dict) and len(notes) <= 40
    if not fine or any(not isinstance(v, str) or len(v) > _NOTE for v in notes.values()):
        raise ParseError(f"{place}: [notes] has texts of at most {_NOTE} characters")
    return dict(notes)


# ---------------------------------------------------------------- files of several kinds


@dataclass(frozen=True, slots=True)
class Imported:
    """A card that was read, and every line of it that has no switch here, with the reason."""

    card: ConventionCard
    unmapped: tuple[str, ...] = ()


def read(path: Path) -> Imported:
    """A card's file, ours or BBA's."""
    if path.suffix == ".toml":
        return Imported(read_toml(path))
    if path.suffix == ".bbsa":
        from overtrick.systems import bbsa

        return bbsa.loads(bounded(path), path.name)
    raise ParseError(
        f"{path.name} is no card that can be read here: .toml is ours, .bbsa is BBA's; "
        "the text of a system (.bml) is read by `overtrick card text`"
    )


# ---------------------------------------------------------------- beside a system


def card_of(system: System) -> ConventionCard:
    """The card that a loaded system plays: what differs from its standard."""
    return ConventionCard(system.source, {c.name: c.on for c in system.conventions if c.is_changed})


def card_lines(system: System) -> list[tuple[str, str, bool]]:
    """(switch, title, on) in the order of the titles."""
    rows = [(c.name, c.title, c.on) for c in system.conventions]
    return sorted(rows, key=lambda r: r[1].lower())


def fitted(read: Imported) -> Imported:
    """A card of another program beside the system it names here: what that system does not know, or
    cannot do without, is listed; what is left can be played."""
    from overtrick.systems.system import load

    usual, unmapped = load(read.card.system), list(read.unmapped)
    switches = {}
    for name, on in read.card.switches.items():
        told = usual.told.get(name)
        if told is None:
            unmapped += [f"{name}: {usual.name} has no such convention"] if on else []
        elif told.fixed and not on:
            unmapped.append(f"{name} off: it is part of {usual.name}")
        elif usual.standard[name] is not on:
            switches[name] = on
    card = replace(read.card, switches=switches)
    made = load(card.system, card.on, card.off)
    return Imported(replace(card, switches=card_of(made).switches), tuple(unmapped))


def split_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Switches as they are typed, with commas or spaces."""
    return tuple(names.replace(",", " ").split() if isinstance(names, str) else names)
