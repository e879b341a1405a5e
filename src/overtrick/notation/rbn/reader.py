"""RBN (Richard Pavlicek's notation): one-letter labels, a blank line after each deal.
One-line RBX records are read as well."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import (
    DECK,
    Auction,
    Call,
    Contract,
    Deal,
    Hand,
    Note,
    PartialDeal,
    Play,
    Record,
    Seat,
    Vulnerability,
)
from overtrick.game.errors import BridgeError
from overtrick.notation.reading import Warnings, shorten

REPEATED: Final = "DTLEFSKNBH"  # these hold for later deals too until they are given again
_LABELS: Final = frozenset("DTLESFKNBHACPRMI0123456789")
TAGS: Final = {"T": "Title", "L": "Site", "E": "Event", "S": "Stage", "K": "Teams", "F": "Scoring"}
SCORINGS: Final = {"I": "IMP", "B": "BAM", "T": "TotalPoints", "X": "CrossIMP", "M": "MP",
                   "R": "Rubber", "C": "Chicago", "A": "Cavendish", "N": "InstantMP"}  # fmt: skip
_VUL: Final = {"Z": 0, "0": 0, "-": 0, "N": 1, "E": 2, "B": 3}
_START: Final = re.compile(r"\s*([NESW])\s*([ZNEB0?-])?\s*:", re.IGNORECASE)
_CALL: Final = re.compile(
    r"(?P<call>[1-7]\s*(?:NT|[CDHSN])|[PXRA])|(?P<note>[*=](?P<number>\d)?|\(\d\)|!)|[\s:;,\-]+|(?P<bad>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONTRACT: Final = re.compile(
    r"\s*([1-7])\s*(NT|[CDHSN])\s*(XX|X|R|D)?\s*[:\s]?\s*([NESW])", re.IGNORECASE
)
_PLAY: Final = re.compile(
    r"(?P<suit>[SHDC])|(?P<rank>10|[2-9TJQKA])|(?P<end>[:;])|(?P<note>[*=](?P<number>\d)?|!)|\s+|(?P<bad>.)",
    re.IGNORECASE | re.DOTALL,
)
_SUIT: Final = {"C": 0, "D": 1, "H": 2, "S": 3}
_RANKS: Final = "23456789TJQKA"


@dataclass(frozen=True, slots=True)
class RbnDeal:
    """The lines of one deal as they stood in the file."""

    text: str


@dataclass(slots=True)
class _Fields:
    """Labels of one deal, with their lines, and the two spaces of note numbers."""

    values: dict[str, tuple[str, int]] = field(default_factory=dict)
    call_texts: dict[int, str] = field(default_factory=dict)
    card_texts: dict[int, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)


def read(text: str, warnings: Warnings) -> list[Record]:
    """All deals of an RBN text."""
    records: list[Record] = []
    inherited: dict[str, tuple[str, int]] = {}
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            block.append((number, line))
        elif block:
            record = _deal(block, inherited, warnings)
            if record is not None:
                records.append(record)
            block = []
    return records


def _deal(
    block: list[tuple[int, str]], inherited: dict[str, tuple[str, int]], warnings: Warnings
) -> Record | None:
    fields = _fields(block, warnings)
    own = set(fields.values)
    fields.values = {**inherited, **fields.values}
    for label in [k for k, (value, _) in fields.values.items() if not value and k in REPEATED]:
        del fields.values[label]  # given without data it holds no longer
    inherited.clear()
    inherited.update({k: v for k, v in fields.values.items() if k in REPEATED})
    if not own & set("HAPCBR") and not fields.comments:
        return None
    return _record(fields, RbnDeal("\n".join(line for _, line in block)), warnings)


def _fields(block: list[tuple[int, str]], warnings: Warnings) -> _Fields:
    fields = _Fields()
    playing, open_text = False, False
    for number, line in block:
        if open_text or line.startswith("{"):
            fields.comments.append(line.strip().strip("{}"))
            open_text = not line.rstrip().endswith("}")
            continue
        label, value = line[0].upper(), line[1:].strip()
        if label == "%" or line.startswith("#"):
            continue
        if label not in _LABELS or (len(line) > 1 and line[1] not in " \t"):
            warnings.on(number, f"not a label and its data: {shorten(line)}")
        elif label.isdigit():
            (fields.card_texts if playing else fields.call_texts)[int(label)] = value
        elif label in fields.values:
            warnings.on(number, f"label {label} again; the first counts")
        else:
            fields.values[label] = (value, number)
            playing = playing or label == "P"
    return fields


def _record(fields: _Fields, source: RbnDeal, warnings: Warnings) -> Record:
    values = fields.values
    deal = _hands(values.get("H"), warnings)
    auction, vul, call_notes = _auction(values.get("A"), fields.call_texts, warnings)
    dealer = auction.dealer if auction is not None else None
    if auction is not None and not auction.calls:
        auction = None  # dealer and vulnerability alone
    contract = auction.contract if auction is not None and auction.is_over else None
    if "C" in values:
        contract = _contract(values["C"], contract, warnings)
    play, card_notes = _play(values.get("P"), contract, deal, fields.card_texts, warnings)
    tags = {name: values[k][0] for k, name in TAGS.items() if k in values}
    if "Scoring" in tags:
        tags["Scoring"] = SCORINGS.get(tags["Scoring"], tags["Scoring"])
    for label, name in (("R", "RbnResult"), ("M", "RbnMakes"), ("I", "RbnItems")):
        if label in values and not values[label][0].isdecimal():
            tags[name] = values[label][0]
    if values.get("C", ("", 0))[0][:1].upper() == "P" and auction is None:
        tags["Contract"] = "Pass"
    if "D" in values:
        tags["Date"] = _date(values["D"][0])
    names, room = _names(values.get("N", ("", 0))[0])
    if room:
        tags["Room" if room in ("Open", "Closed") else "Table"] = room
    number = _number(values.get("B"), tags)
    tricks = _tricks(values.get("R"), contract)
    if tricks is None and play is not None and play.is_over:
        tricks = play.declarer_tricks
    claimed = play is not None and not play.is_over and tricks is not None
    return Record(
        number, dealer, vul, deal, auction, contract, play, tricks, claimed, names,
        call_notes, card_notes, tags, {}, "\n".join(fields.comments), source,
    )  # fmt: skip


def _hands(entry: tuple[str, int] | None, warnings: Warnings) -> PartialDeal | None:
    """`W:hand:hand:hand:` clockwise; a last colon with nothing after it gives the rest."""
    if entry is None:
        return None
    value, line = entry
    first, colon, rest = value.partition(":")
    parts = rest.split(":")
    try:
        seat = Seat.parse(first) if colon else Seat.WEST
        hands = [Hand()] * 4
        for i, part in enumerate(parts[:4]):
            text = part.strip().strip(";?")
            hands[seat.plus(i)] = Hand.parse(text) if text else Hand()
        known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
        full = [len(h) for h in known].count(13)
        if full == 4:
            return Deal(known.hands)
        if full == 3 and len(parts) == 4 and not parts[3].strip():
            return known.complete()
        return known
    except BridgeError as error:
        warnings.on(line, str(error))
        return None


def _auction(
    entry: tuple[str, int] | None, texts: Mapping[int, str], warnings: Warnings
) -> tuple[Auction | None, Vulnerability | None, dict[int, Note]]:
    """`NZ:1CP1H…`: dealer and vulnerability, then calls; A closes with passes."""
    if entry is None:
        return None, None, {}
    value, line = entry
    start = _START.match(value)
    dealer = Seat.parse(start[1]) if start is not None else Seat.WEST
    letter = (start[2] or "?").upper() if start is not None else "?"
    vul = Vulnerability(_VUL[letter]) if letter in _VUL else None
    auction, notes = Auction(dealer), {}
    for found in _CALL.finditer(value, start.end() if start is not None else 0):
        if found["note"]:
            number = re.search(r"\d", found["note"])
            text = texts.get(int(number[0]), "") if number else ""
            notes[max(len(auction) - 1, 0)] = Note(text, True)
        elif found["bad"]:
            warnings.on(line, f"not a call: {shorten(value[found.start() :])}")
            break
        elif found["call"]:
            word = found["call"].upper()
            if word == "A":
                auction = auction.closed()
                continue
            call = Call.parse(word)
            if why := auction.why_illegal(call):
                warnings.on(line, f"call {len(auction) + 1}, {call.ascii}: {why}")
                break
            auction = auction.then(call)
    return auction, vul, notes


def _contract(entry: tuple[str, int], bid: Contract | None, warnings: Warnings) -> Contract | None:
    value, line = entry
    found = _CONTRACT.match(value)
    if found is None:
        if value.strip().upper()[:1] != "P":
            warnings.on(line, f"no contract: {shorten(value)}")
        return bid
    doubled = {"X": "X", "D": "X", "XX": "XX", "R": "XX"}.get((found[3] or "").upper(), "")
    contract = Contract.parse(f"{found[1]}{found[2]}{doubled}", Seat.parse(found[4]))
    if bid is not None and bid != contract:
        warnings.on(line, f"the auction ends in {bid}")
    return contract


def _play(
    entry: tuple[str, int] | None,
    contract: Contract | None,
    deal: PartialDeal | None,
    texts: Mapping[int, str],
    warnings: Warnings,
) -> tuple[Play | None, dict[int, Note]]:
    """Tricks in playing order; a card without a suit follows the suit led."""
    if entry is None:
        return None, {}
    value, line = entry
    if contract is None:
        warnings.on(line, "the play is not read, there is no contract")
        return None, {}
    play, notes = Play.of(contract), {}
    named: int | None = None
    for found in _PLAY.finditer(value):
        if found["suit"]:
            named = _SUIT[found["suit"].upper()]
        elif found["note"] and len(play):
            text = texts.get(int(found["number"]), "") if found["number"] else ""
            notes[len(play) - 1] = Note(text)
        elif found["bad"]:
            warnings.on(line, f"not a card: {shorten(value[found.start() :])}")
            break
        elif found["rank"]:
            rank = _RANKS.index("T" if found["rank"] == "10" else found["rank"].upper())
            led = play.led_suit
            suit = named if named is not None else led
            if suit is None:
                warnings.on(line, f"card {len(play) + 1} leads no suit")
                break
            card = DECK[suit * 13 + rank]
            if play.is_over or card in play.played:
                warnings.on(line, f"card {len(play) + 1}, {card.ascii}: it has been played already")
                break
            if deal is not None and deal[play.turn] and card not in deal[play.turn]:
                warnings.on(line, f"card {len(play) + 1}: {play.turn} does not hold {card.ascii}")
            play, named = play.then(card), None
    return play, notes


def _tricks(entry: tuple[str, int] | None, contract: Contract | None) -> int | None:
    """Tricks won from `R 10:…`; a signed number counts from the contract."""
    if entry is None or contract is None:
        return None
    found = re.match(r"\s*([+=-]?)(\d{1,2})?", entry[0])
    if found is None or not (found[1] or found[2]):
        return None
    number = int(found[2] or 0)
    tricks = {"+": contract.target + number, "-": contract.target - number,
              "=": contract.target}.get(found[1], number)  # fmt: skip
    return tricks if 0 <= tricks <= 13 else None


def _names(value: str) -> tuple[tuple[str, str, str, str], str]:
    """`North+South:West+East:room`."""
    sides = value.split(":")
    north, _, south = sides[0].partition("+")
    west, _, east = (sides[1] if len(sides) > 1 else "").partition("+")
    room = sides[2].strip() if len(sides) > 2 else ""
    room = {"O": "Open", "C": "Closed"}.get(room.upper(), room)
    return (north.strip(), east.strip(), south.strip(), west.strip()), room


def _number(entry: tuple[str, int] | None, tags: dict[str, str]) -> int | None:
    if entry is None:
        return None
    head = entry[0].partition(":")[0].strip()
    if head.isdecimal() and head.isascii() and 0 < len(head) < 10 and int(head) > 0:
        if head != entry[0]:
            tags["RbnBoard"] = entry[0]
        return int(head)
    tags["RbnBoard"] = entry[0]
    return None


def _date(value: str) -> str:
    """YYYYMMDD as PBN writes it; anything else stays as it is."""
    found = re.fullmatch(r"(\d{4})(\d\d)?(\d\d)?", value)
    if found is None:
        return value
    return f"{found[1]}.{found[2] or '??'}.{found[3] or '??'}"
