"""From PBN games to records: inheritance, fields, auction and play sections, notes.
The writer reads games again through it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from overtrick.game import (
    Auction,
    Contract,
    Deal,
    Note,
    PartialDeal,
    Play,
    Record,
    Seat,
    Strain,
    Vulnerability,
)
from overtrick.game.deal import parse_hands
from overtrick.game.errors import BridgeError
from overtrick.notation.pbn.cardplay import read_play
from overtrick.notation.pbn.document import PbnGame, PbnTag, split
from overtrick.notation.pbn.sections import GameReading, Places, Section, read_auction
from overtrick.notation.reading import Warnings, impossible_result, shorten

MANDATORY: Final = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable",
    "Deal", "Scoring", "Declarer", "Contract", "Result",
)  # fmt: skip
# Tags that are read into fields of a record; the rest go to `Record.tags` as they are.
_DESCRIPTION: Final = frozenset({"Event", "Site", "Date", "Scoring"})
FIELDS: Final = frozenset(MANDATORY) - _DESCRIPTION
_NEVER_INHERITED: Final = frozenset(
    {"Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note"}
)
# A short line can repeat what earlier games say: without an end to it, a small file would be a huge
# one. A line of a PBN file has at most 255 characters.
_MOST_INHERITED: Final = 4096
_LONGEST_INHERITED: Final = 255
_CANONICAL: Final = {name.lower(): name for name in (*MANDATORY, "Auction", "Play", "Note")}
_SEAT: Final = {letter: Seat(i & 3) for i, letter in enumerate("NESWnesw")}
_VUL: Final = {
    **dict.fromkeys(("none", "love", "-"), Vulnerability.NONE),
    **dict.fromkeys(("ns", "n-s"), Vulnerability.NS),
    **dict.fromkeys(("ew", "e-w"), Vulnerability.EW),
    **dict.fromkeys(("all", "both"), Vulnerability.ALL),
}
_STRAIN: Final = {s.letter: s for s in Strain} | {"N": Strain.NT}
_RESULT: Final = re.compile(
    r"(\^?)\s*(?:(NS|EW)\s*)?(\d{1,2})(?:\s+(?:NS|EW)\s*\d{1,2})?\s*\Z", re.IGNORECASE
)
_UNKNOWN: Final = re.compile(r"[?.]*\Z")


@dataclass(slots=True)
class Earlier:
    """What games may repeat of those before them: `#` the last one's values, `##` for good."""

    values: Mapping[str, str] = field(default_factory=dict)
    sticky: dict[str, str] = field(default_factory=dict)


def read(text: str, warnings: Warnings) -> list[Record]:
    """All games of a text as records, each with its game as `source`."""
    return list(records(text, warnings, Earlier()))


def records(text: str, warnings: Warnings, earlier: Earlier) -> Iterator[Record]:
    """The same one by one, for a text that is a piece of a longer one."""
    for game in split(text, warnings):
        values, inherited = _values(game, earlier.values, earlier.sticky, warnings)
        if inherited:
            game = replace(game, inherited=inherited)
        if not game.raw:
            if any(i[0] not in "{;%" for i in game.before):
                warnings.at(game.start, "no game here: " + shorten(" ".join(game.before)))
            continue
        yield _build(game, values, warnings)[0]
        game.let_go()
        earlier.values = values


def record_of(game: PbnGame) -> tuple[Record, GameReading]:
    """The record of one game as first read, and what its sections held beyond it."""
    warnings = Warnings(game.text)
    plain = {name: value for name, value, _ in reversed(game.raw)}
    plain.update(game.inherited)
    return _build(game, plain, warnings)


def _values(
    game: PbnGame, previous: Mapping[str, str], sticky: dict[str, str], warnings: Warnings
) -> tuple[dict[str, str], dict[str, str]]:
    """Tag values with `#` and `##` resolved, and those of them that were inherited."""
    values: dict[str, str] = {}
    inherited: dict[str, str] = {}
    places = Places(game, warnings)
    for place, (name, value, _) in enumerate(game.raw):
        if name in values:
            if name.lower() != "note":
                places.warn(place, f"{name} again; the first value counts")
            continue
        if value[:1] == "#" and name not in _NEVER_INHERITED:
            if value == "#":
                if name not in previous:
                    places.warn(place, f"no earlier {name} to repeat")
                value = previous.get(name, "?")
            elif value.startswith("##"):
                value = sticky[name] = value[2:]
            inherited[name] = value
        elif sticky and name in sticky:
            del sticky[name]
        values[name] = value
    for name, value in sticky.items():
        if name not in values:
            values[name] = inherited[name] = value
    if sum(map(len, inherited.values())) > _MOST_INHERITED:
        warnings.at(game.start, "this game repeats too much of earlier ones; not all of it is read")
        for name in _too_much(inherited):
            values[name] = inherited[name] = "?"
            sticky.pop(name, None)
    return values, inherited


def _too_much(inherited: Mapping[str, str]) -> Iterator[str]:
    """The tags not to repeat: those longer than a line, then as many as do not fit."""
    total = sum(map(len, inherited.values()))
    for name in sorted(inherited, key=lambda n: len(inherited[n]) <= _LONGEST_INHERITED):
        if total > _MOST_INHERITED or len(inherited[name]) > _LONGEST_INHERITED:
            total -= len(inherited[name])
            yield name


def _build(game: PbnGame, values: dict[str, str], warnings: Warnings) -> tuple[Record, GameReading]:
    """The record: identification fields first, then the sections, then what is left over."""
    reading = GameReading(game, Places(game, warnings))
    sections = _sections(game, values, reading)
    dealer = reading.seat("Dealer", values.get("Dealer"))
    deal = _deal(values.get("Deal"), reading)
    contract, strain = _contract(values, reading)
    auction: Auction | None = None
    call_notes: dict[int, Note] = {}
    if "Auction" in sections:
        auction, call_notes = read_auction(sections["Auction"], dealer, reading)
        if dealer is None and auction is not None:
            dealer = auction.dealer
    contract = _settled(contract, auction, values, reading)
    if contract is not None:
        strain = contract.strain
    tricks, result = _tricks(values.get("Result"), contract, reading)
    play, card_notes, closed = _played(sections.get("Play"), strain, deal, reading)
    if play is not None and contract is not None:
        if tricks is None and play.is_over and values.get("Result", "?") in ("", "?"):
            tricks = play.declarer_tricks
        elif tricks is not None and result is None and (why := impossible_result(play, tricks)):
            reading.warn("Result", why)
    claimed = closed and play is not None and not play.is_over and tricks is not None
    vul = _vulnerability(values.get("Vulnerable"), reading)
    if result is not None:
        reading.kept["Result"] = result
    record = Record(
        _number(values.get("Board"), reading), dealer, vul, deal, auction, contract, play, tricks,
        claimed, _names(values, reading), call_notes, card_notes,
        _left_over(values, reading), reading.tables, "\n".join(reading.comments), game,
    )  # fmt: skip
    return record, reading


def _settled(
    contract: Contract | None,
    auction: Auction | None,
    values: Mapping[str, str],
    reading: GameReading,
) -> Contract | None:
    """The contract that the tag names, or that the auction ends in where the tag is silent."""
    if auction is None or not auction.is_over:
        return contract
    made = auction.contract
    if made is None and contract is None:
        reading.kept.pop("Contract", None)  # four passes say it already
    if contract is None and values.get("Contract", "?") in ("", "?"):
        return made
    if made != contract:
        reading.warn("Contract", f"the auction ends in {made or 'four passes'}")
    return contract


def _played(
    section: Section | None, strain: Strain | None, deal: PartialDeal | None, reading: GameReading
) -> tuple[Play | None, dict[int, Note], bool]:
    """The play, its notes, and whether it was ended by a claim."""
    if section is None:
        return None, {}, False
    if strain is not None:
        return read_play(section, strain, deal, reading)
    if section.tokens:
        reading.odd.add("Play")
        reading.warn("Play", "the play is not read, there is no contract")
    return None, {}, False


def _sections(game: PbnGame, values: dict[str, str], reading: GameReading) -> dict[str, Section]:
    """Sections with their notes; tables and comments are collected in `reading` on the way."""
    out: dict[str, Section] = {}
    section: Section | None = None
    for item in game.before:
        reading.outside(item, 0)
    for place, (name, value, items) in enumerate(game.raw):
        canonical = _CANONICAL.get(name.lower(), name)
        if canonical != name and (canonical == "Note" or canonical not in values):
            if name in values:  # it is not when the tag comes a second time
                reading.warn(name, f"the tag is spelled {canonical}")
                values[canonical] = values.pop(name)
            name = canonical
        if name == "Note":
            if section is None:
                section = out.setdefault("Auction", Section(PbnTag("Auction", "?"), ()))
            _note(value, section, place, reading)
        elif name == "Auction" or name == "Play":
            if name not in out or not out[name].tokens:
                earlier = out[name].notes if name in out else {}
                section = out[name] = Section(PbnTag(name, value), tuple(items), earlier)
            values.pop(name, None)
            continue
        elif items and name.endswith("Table") and name != "Table":
            reading.table(name, value, tuple(items))
            continue
        for item in items:
            reading.outside(item, place)
    values.pop("Note", None)
    return out


def _note(value: str, section: Section, place: int, reading: GameReading) -> None:
    head, colon, text = value.partition(":")
    number = head.strip()
    if not colon or not number.isdecimal() or len(number) > 6:
        reading.warn("Note", f"a note reads number:text, not {shorten(value)}", place)
        section.unread_notes.append(value)
        reading.odd.add(section.tag.name)
        return
    if not 1 <= int(number) <= 32:
        reading.warn("Note", f"note numbers run from 1 to 32, not {int(number)}", place)
    if int(number) in section.notes:
        reading.warn("Note", f"note {int(number)} again; the first counts", place)
        section.unread_notes.append(value)
        reading.odd.add(section.tag.name)
        return
    section.notes[int(number)] = text


def _left_over(values: Mapping[str, str], reading: GameReading) -> dict[str, str]:
    """Tags without a field, and the raw value of fields that could not hold it."""
    out = dict(reading.kept)
    for name, value in values.items():
        if name not in FIELDS and not (name in _DESCRIPTION and value and _UNKNOWN.match(value)):
            out[name] = value
    return out


def _names(values: Mapping[str, str], reading: GameReading) -> tuple[str, str, str, str]:
    names = [values.get(seat, "?") for seat in ("North", "East", "South", "West")]
    if "?" in names or "" in names:
        for i, seat in enumerate(("North", "East", "South", "West")):
            if names[i] == "?":
                names[i] = ""
            elif names[i] == "":
                reading.kept[seat] = ""
    return (names[0], names[1], names[2], names[3])


def _number(value: str | None, reading: GameReading) -> int | None:
    if value is None or value in ("", "?"):
        return None
    if value.isdecimal() and value.isascii() and len(value) < 10 and int(value) > 0:
        return int(value)
    reading.keep("Board", value, f"board numbers are whole numbers, not {shorten(value)}")
    return None


def _vulnerability(value: str | None, reading: GameReading) -> Vulnerability | None:
    if value is None or value in ("", "?"):
        return None
    vul = _VUL.get(value.lower())
    if vul is None:
        reading.keep("Vulnerable", value, f"no such vulnerability: {shorten(value)}")
    return vul


@lru_cache(maxsize=1024)
def _known_contract(text: str, declarer: Seat) -> Contract | None:
    try:
        return Contract.parse(text, declarer)
    except BridgeError:
        return None


def _contract(
    values: Mapping[str, str], reading: GameReading
) -> tuple[Contract | None, Strain | None]:
    """The contract, and the strain alone where that is all there is (end positions)."""
    text, by = values.get("Contract", "?"), values.get("Declarer", "?")
    declarer = None
    if by not in ("", "?"):
        declarer = _SEAT.get(by)
        if declarer is None:
            declarer = _SEAT.get(by[1:]) if by[0] == "^" else None
            message = "" if declarer is not None else f"no such declarer: {shorten(by)}"
            reading.keep("Declarer", by, message)
    if text in ("", "?"):
        if declarer is not None:
            reading.kept.setdefault("Declarer", by)
        return None, None
    if text.lower() == "pass":
        reading.kept["Contract"] = "Pass"
        return None, None
    if declarer is not None:
        contract = _known_contract(text, declarer)
        if contract is not None:
            return contract, contract.strain
    strain = _STRAIN.get(text.upper())
    plain = _known_contract(text, Seat.NORTH)
    if plain is not None:
        strain = plain.strain
    reading.keep("Contract", text, "" if strain is not None else f"no contract: {shorten(text)}")
    if declarer is not None:
        reading.kept.setdefault("Declarer", by)
    return None, strain


def _deal(value: str | None, reading: GameReading) -> PartialDeal | None:
    if value is None or value in ("", "?"):
        return None
    try:
        hands = parse_hands(value)
        sizes = [hand.bits.bit_count() for hand in hands]
        whole = sizes[0] > 0 and sizes.count(sizes[0]) == 4
        return Deal(hands) if whole else PartialDeal(hands)
    except BridgeError as error:
        reading.keep("Deal", value, str(error))
        return None


def _tricks(
    value: str | None, contract: Contract | None, reading: GameReading
) -> tuple[int | None, str | None]:
    """Declarer's tricks, and the raw value where it says more than that."""
    if value is None or value in ("", "?"):
        return None, None
    if contract is not None and value.isdecimal() and value.isascii() and len(value) < 3:
        tricks = int(value)
        if tricks <= 13:
            return tricks, None
    found = _RESULT.match(value)
    if found is None or int(found[3]) > 13:
        reading.warn("Result", f"no result: {shorten(value)}")
        return None, value
    if contract is None:
        return None, value
    tricks = int(found[3])
    if found[2] and found[2].upper() != contract.declarer.side.name:
        tricks = 13 - tricks
    return tricks, value if found[1] else None
