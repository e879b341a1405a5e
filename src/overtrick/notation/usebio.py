"""USEBIO XML, in which clubs send an evening's results: a record for each line of a traveller.

Elements that are read and written: the participants with their names, travellers, and the hand set.
Rankings, master points and everything else that a scoring program works out are not kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from xml.etree import ElementTree

from overtrick.game import (
    Contract,
    Deal,
    Hand,
    PartialDeal,
    Record,
    Seat,
    dealer_of,
    score,
    vulnerability_of,
)
from overtrick.game.errors import BridgeError
from overtrick.notation import lin
from overtrick.notation.reading import Warnings, shorten

_DOCTYPE: Final = "http://www.usebio.org/files/usebio_v1_2.dtd"
_SUITS: Final = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_PASSED: Final = frozenset({"PASS", "PASSED OUT", "P", "PO"})
_PAIR_TAGS: Final = ("PairNS", "PairEW")
_KEPT: Final = {  # elements of a traveller's line that a record has no field for
    "LEAD": "Lead", "NS_MATCH_POINTS": "MatchPointsNS", "EW_MATCH_POINTS": "MatchPointsEW",
    "ROUND_NUMBER": "Round", "TABLE_NUMBER": "Table",
}  # fmt: skip
_Names = tuple[str, str]


@dataclass(slots=True)
class _Evening:
    """What a file says beside its travellers."""

    tags: dict[str, str]
    deals: dict[int, PartialDeal] = field(default_factory=dict)
    pairs: dict[tuple[str, str], _Names] = field(default_factory=dict)  # by side and number


def read(text: str, warnings: Warnings) -> list[Record]:
    """A record for each result; boards of the hand set that nobody played come last."""
    if "<!ENTITY" in text:
        warnings.on(0, "XML that declares entities is not read")
        return []
    try:
        root = ElementTree.fromstring(re.sub(r"\A\s*<\?xml[^>]*\?>", "", text, count=1))
    except ElementTree.ParseError as error:
        warnings.on(0, f"not XML: {error}")
        return []
    evening = _Evening(_event(root), _deals(root, warnings))
    records: list[Record] = []
    for section in list(_sections(root)) or [root]:
        evening.pairs = _pairs(section)
        for board in section.iter("BOARD"):
            number = _number(_said(board, "BOARD_NUMBER"))
            for line in board.findall("TRAVELLER_LINE"):
                records.append(_result(number, line, evening, warnings))
    played = {record.number for record in records}
    records += [
        _board(number, deal, evening)
        for number, deal in evening.deals.items()
        if number not in played
    ]
    if not records:
        warnings.on(0, "no board found")
    return records


def _sections(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The outermost ones: what somebody puts into each other is read once."""
    waiting = [root]
    while waiting:
        found = waiting.pop()
        if found.tag == "SECTION":
            yield found
        else:
            waiting.extend(reversed(found))


def _said(element: ElementTree.Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def _event(root: ElementTree.Element) -> dict[str, str]:
    """Name and date of the event, as PBN's tags have them."""
    event = root.find(".//EVENT")
    tags: dict[str, str] = {}
    if event is None:
        return tags
    if name := _said(event, "EVENT_DESCRIPTION"):
        tags["Event"] = name
    if day := re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", _said(event, "DATE")):
        tags["Date"] = f"{day[3]}.{day[2]:0>2}.{day[1]:0>2}"
    return tags


def _deals(root: ElementTree.Element, warnings: Warnings) -> dict[int, PartialDeal]:
    found: dict[int, PartialDeal] = {}
    for board in root.findall(".//HANDSET/BOARD"):
        number = _number(_said(board, "BOARD_NUMBER"))
        hands = [Hand()] * 4
        try:
            for hand in board.findall("HAND"):
                suits = [re.sub(r"[^2-9TJQKA]", "", _ranks(_said(hand, s))) for s in _SUITS]
                hands[Seat.parse(_said(hand, "DIRECTION"))] = Hand.parse(".".join(suits))
            known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
        except BridgeError as error:
            warnings.on(0, f"hands of board {number}: {error}")
            continue
        if number is not None and any(known.hands):
            whole = all(len(hand) == 13 for hand in known.hands)
            found[number] = Deal(known.hands) if whole else known
    return found


def _ranks(text: str) -> str:
    return text.upper().replace("10", "T")


def _pairs(section: ElementTree.Element) -> dict[tuple[str, str], _Names]:
    """Names by side ("N" or "E", or "" where pairs play both ways) and pair number."""
    found: dict[tuple[str, str], _Names] = {}
    for pair in section.iter("PAIR"):
        players = [_said(player, "PLAYER_NAME") for player in pair.findall("PLAYER")]
        first, second = ([p for p in players if p] + ["", ""])[:2]
        found[_said(pair, "DIRECTION")[:1].upper(), _said(pair, "PAIR_NUMBER")] = first, second
    return found


def _seated(side: str, number: str, pairs: Mapping[tuple[str, str], _Names]) -> _Names:
    return pairs.get((side, number)) or pairs.get(("", number)) or ("", "")


def _board(number: int | None, deal: PartialDeal | None, evening: _Evening) -> Record:
    if number is None:
        return Record(None, deal=deal, tags=evening.tags)
    return Record(number, dealer_of(number), vulnerability_of(number), deal, tags=evening.tags)


def _result(
    number: int | None, line: ElementTree.Element, evening: _Evening, warnings: Warnings
) -> Record:
    """One line of a traveller; its own LIN, where it has one, brings auction and cards."""
    deal = None if number is None else evening.deals.get(number)
    record = _board(number, deal, evening)
    north, south = _seated("N", pair_ns := _said(line, "NS_PAIR_NUMBER"), evening.pairs)
    east, west = _seated("E", pair_ew := _said(line, "EW_PAIR_NUMBER"), evening.pairs)
    tags = dict(zip(_PAIR_TAGS, (pair_ns, pair_ew), strict=True))
    tags |= {ours: _said(line, theirs) for theirs, ours in _KEPT.items()}
    tags = {**evening.tags, **{name: value for name, value in tags.items() if value}}
    contract, tricks = _contract(line, number, warnings)
    if _said(line, "CONTRACT").upper() in _PASSED:
        tags["Contract"] = "Pass"
    elif contract is None and (adjusted := _said(line, "SCORE")):
        tags["Score"] = adjusted
    told = replace(
        record, names=(north, east, south, west), contract=contract, tricks=tricks, tags=tags
    )
    return _with_play(told, _said(line, "LIN_DATA"), warnings)


def _contract(
    line: ElementTree.Element, number: int | None, warnings: Warnings
) -> tuple[Contract | None, int | None]:
    text, by = _said(line, "CONTRACT").upper(), _said(line, "PLAYED_BY")
    if not text or text in _PASSED or not by:
        return None, None
    try:
        contract = Contract.parse(text.replace("*", "X").replace(" ", ""), Seat.parse(by))
    except BridgeError as error:
        warnings.on(0, f"board {number}: {error}")
        return None, None
    tricks = _number(_said(line, "TRICKS"))
    if tricks is not None and tricks > 13:
        warnings.on(0, f"board {number}: no result of {tricks} tricks")
        tricks = None
    return contract, tricks


def _with_play(record: Record, text: str, warnings: Warnings) -> Record:
    if not text:
        return record
    found = lin.read(text, Warnings(text))
    if not found:
        warnings.on(0, f"board {record.number}: no LIN in {shorten(text)}")
        return record
    told = found[0]
    if record.contract is not None and told.contract not in (None, record.contract):
        warnings.on(0, f"board {record.number}: the LIN has another contract, {told.contract}")
        return record
    return replace(
        record, deal=record.deal or told.deal, auction=told.auction, play=told.play,
        call_notes=told.call_notes, card_notes=told.card_notes, claimed=told.claimed,
    )  # fmt: skip


def write(records: Iterable[Record]) -> str:
    """An evening of pairs; equal names are one pair, and nameless ones keep their numbers."""
    many = list(records)
    root = ElementTree.Element("USEBIO", Version="1.2")
    event = ElementTree.SubElement(root, "EVENT", EVENT_TYPE="PAIRS")
    tags = many[0].tags if many else {}
    _leaf(event, "PROGRAM_NAME", "Overtrick")
    _leaf(event, "EVENT_DESCRIPTION", tags.get("Event", "") or "Pairs")
    if day := re.fullmatch(r"(\d{4})\.(\d\d)\.(\d\d)", tags.get("Date", "")):
        _leaf(event, "DATE", f"{day[3]}/{day[2]}/{day[1]}")
    session = ElementTree.SubElement(event, "SESSION", SESSION_ID="1")
    section = ElementTree.SubElement(session, "SECTION", SECTION_ID="1")
    numbers = _numbered(many)
    _participants(section, numbers)
    boards: dict[int, list[Record]] = {}
    for place, record in enumerate(many, 1):
        boards.setdefault(record.number or place, []).append(record)
    for number, played in sorted(boards.items()):
        _traveller(section, number, played, numbers)
    _handset(event, boards)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return f'{head}<!DOCTYPE USEBIO SYSTEM "{_DOCTYPE}">\n{text}\n'


def _leaf(parent: ElementTree.Element, name: str, value: str) -> None:
    if value:
        ElementTree.SubElement(parent, name).text = value


_Numbers = dict[tuple[str, _Names | str], str]


def _side(record: Record, side: int) -> tuple[str, _Names | str]:
    """Who sat on a side: by names, or by number where nobody is named."""
    names = (record.names[0], record.names[2]) if side == 0 else (record.names[1], record.names[3])
    return "NE"[side], names if any(names) else record.tags.get(_PAIR_TAGS[side], "")


def _numbered(records: Iterable[Record]) -> _Numbers:
    """A number for each pair of each side: the file's own, else counted."""
    found: _Numbers = {}
    for record in records:
        for side in (0, 1):
            pair = _side(record, side)
            if pair not in found:
                used = {number for (letter, _), number in found.items() if letter == pair[0]}
                own = record.tags.get(_PAIR_TAGS[side], "")
                free = (str(n) for n in range(1, len(used) + 2) if str(n) not in used)
                found[pair] = own if own and own not in used else next(free)
    return found


def _participants(section: ElementTree.Element, numbers: _Numbers) -> None:
    everybody = ElementTree.SubElement(section, "PARTICIPANTS")
    for (letter, names), number in numbers.items():
        pair = ElementTree.SubElement(everybody, "PAIR")
        _leaf(pair, "PAIR_NUMBER", number)
        _leaf(pair, "DIRECTION", "N" if letter == "N" else "E")
        for name in names if isinstance(names, tuple) else ():
            player = ElementTree.SubElement(pair, "PLAYER")
            ElementTree.SubElement(player, "PLAYER_NAME").text = name


def _traveller(
    section: ElementTree.Element, number: int, played: list[Record], numbers: _Numbers
) -> None:
    board = ElementTree.Element("BOARD")
    _leaf(board, "BOARD_NUMBER", str(number))
    for record in played:
        if record.contract is None and not record.is_passed_out and "Score" not in record.tags:
            continue
        line = ElementTree.SubElement(board, "TRAVELLER_LINE")
        _leaf(line, "NS_PAIR_NUMBER", numbers[_side(record, 0)])
        _leaf(line, "EW_PAIR_NUMBER", numbers[_side(record, 1)])
        _outcome(line, record)
        for theirs, ours in _KEPT.items():
            _leaf(line, theirs, record.tags.get(ours, ""))
        if record.auction is not None or record.play is not None:
            _leaf(line, "LIN_DATA", lin.board_text(record))
    if len(board) > 1:
        section.append(board)


def _outcome(line: ElementTree.Element, record: Record) -> None:
    contract, tricks = record.contract, record.tricks
    if contract is None:
        _leaf(line, "CONTRACT", "PASS" if record.is_passed_out else "")
        _leaf(line, "SCORE", "0" if record.is_passed_out else record.tags.get("Score", ""))
        return
    _leaf(line, "CONTRACT", contract.ascii)
    _leaf(line, "PLAYED_BY", contract.declarer.letter)
    if tricks is not None:
        _leaf(line, "TRICKS", str(tricks))
        if record.vul is not None:
            _leaf(line, "SCORE", str(score(contract, tricks, record.vul)))


def _handset(event: ElementTree.Element, boards: Mapping[int, list[Record]]) -> None:
    hands = ElementTree.Element("HANDSET")
    for number, played in sorted(boards.items()):
        deal = next((r.deal for r in played if r.deal is not None), None)
        if deal is None:
            continue
        board = ElementTree.SubElement(hands, "BOARD")
        _leaf(board, "BOARD_NUMBER", str(number))
        for seat in Seat:
            hand = ElementTree.SubElement(board, "HAND")
            _leaf(hand, "DIRECTION", str(seat))
            for suit, name in zip((3, 2, 1, 0), _SUITS, strict=True):
                ElementTree.SubElement(hand, name).text = deal[seat].ranks(suit)
    if len(hands):
        event.append(hands)
