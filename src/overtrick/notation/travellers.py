"""Travellers of Bridge Base Online: who played a board where, with what result.

Two shapes are known: tables as comma-separated values with a line `#TravellerLines`, which browser
extensions save and analysers read, and the pages "My hands" and "Traveller" themselves. Either may
bring auction and cards of a table as LIN."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from io import StringIO
from typing import Final
from urllib.parse import unquote

from overtrick.game import (
    Card,
    Contract,
    Record,
    Seat,
    dealer_of,
    vulnerability_of,
)
from overtrick.game.errors import BridgeError
from overtrick.game.scoring import result_text
from overtrick.notation import lin
from overtrick.notation.reading import Warnings, shorten

LINES: Final = "#TravellerLines"
_COLUMNS: Final = (
    "#Board", "North", "South", "East", "West", "Result", "Contract", "Declarer", "Tricks", "Lead",
    "Score", "nsMpts", "ewMpts", "nsPair", "ewPair", "section", "playdata",
)  # fmt: skip
_HEADS: Final = {"Title": "Event", "Date": "Date", "ScoringType": "Scoring"}
_KEPT: Final = {
    "nsMpts": "MatchPointsNS", "ewMpts": "MatchPointsEW", "nsPair": "PairNS", "ewPair": "PairEW",
    "section": "Section",
}  # fmt: skip
_PASSED: Final = frozenset({"P", "PASS", "PASSED", "PASSED OUT"})
_RESULT: Final = re.compile(
    r"([1-7])\s*(NT|[NSHDC♠♥♦♣])\s*(x{0,2})\s*([NESW])\s*(=|[+-]\s*\d{1,2})?\Z", re.IGNORECASE
)
_LONGEST: Final = 200  # characters of a cell
_POPUP: Final = re.compile(r"hv_popuplin\(\s*'([^']*)'")
_MOVIE: Final = re.compile(r"[?&]lin=([^&]*)")


def read(text: str, warnings: Warnings) -> list[Record]:
    """A record for each line of the table, boards in the order of the file."""
    tags: dict[str, str] = {}
    columns: list[str] = []
    records: list[Record] = []
    inside = False
    rows = csv.reader(StringIO(text))
    try:
        for row in rows:
            first = row[0].strip() if row else ""
            if first == LINES:
                inside = True
            elif inside and not columns and first:
                columns = [name.strip() for name in row]
            elif inside and (not first or first.startswith("#")):
                break
            elif inside:
                cells = dict(zip(columns, (cell.strip() for cell in row), strict=False))
                records.append(_record(cells, tags, rows.line_num, warnings))
            elif first[1:] in _HEADS and len(row) > 1 and row[1].strip():
                tags[_HEADS[first[1:]]] = row[1].strip().replace("-", ".")
    except csv.Error as error:
        warnings.on(rows.line_num, f"not comma-separated values: {error}")
    if not records:
        warnings.on(0, f"no line after {LINES}")
    return records


def write(records: Iterable[Record]) -> str:
    """The records as such a table, with auction and cards as LIN where they are known."""
    many = list(records)
    tags = many[0].tags if many else {}
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    for head, name in _HEADS.items():
        if name in tags:
            value = tags[name].replace(".", "-") if name == "Date" else tags[name]
            lines.writerow([f"#{head}", value])
    lines.writerow(["#BoardCount", len({record.number for record in many})])
    lines.writerow([LINES])
    lines.writerow(_COLUMNS)
    for place, record in enumerate(many, 1):
        lines.writerow(_row(record, record.number or place))
    return out.getvalue()


def _row(record: Record, number: int) -> list[str]:
    contract, tricks, play = record.contract, record.tricks, record.play
    north, east, south, west = record.names
    passed = record.is_passed_out
    made = "" if contract is None or tricks is None else result_text(contract, tricks)
    won = record.ns_score
    cells = {
        "#Board": str(number), "North": north, "South": south, "East": east, "West": west,
        "Result": "PASS" if passed else "" if contract is None else
        f"{contract.level}{contract.strain.letter[0]}{'x' * contract.doubled}"
        f"{contract.declarer.letter}{made}",
        "Contract": "PASS" if passed else "" if contract is None else contract.ascii,
        "Declarer": "" if contract is None else contract.declarer.letter,
        "Tricks": "" if contract is None or tricks is None else str(tricks),
        "Lead": "" if play is None or not play.cards else play.cards[0].ascii[::-1],
        "Score": record.tags.get("Score", "") if won is None else str(won),
        **{column: record.tags.get(name, "") for column, name in _KEPT.items()},
        "playdata": lin.board_text(record) if record.deal is not None or record.auction else "",
    }  # fmt: skip
    return [cells[column] for column in _COLUMNS]


def _record(
    cells: Mapping[str, str], tags: Mapping[str, str], line: int, warnings: Warnings
) -> Record:
    number = _number(cells.get("#Board", "")) or None
    if number is None:
        warnings.on(line, f"no board number: {shorten(cells.get('#Board', ''))}")
    names = _named(cells)
    kept = {name: cells[column] for column, name in _KEPT.items() if cells.get(column)}
    record = _played(cells.get("playdata", ""), number, line, warnings)
    record = replace(record, names=names, tags={**tags, **record.tags, **kept})
    text = f"{cells.get('Contract', '')} {cells.get('Declarer', '')}".strip()
    tricks = _number(cells.get("Tricks", ""))
    if not text or not cells.get("Declarer"):
        return _with_result(record, cells.get("Result", "") or text, line, warnings, cells)
    try:
        contract = Contract.parse(text)
    except BridgeError as error:
        warnings.on(line, str(error))
        return record
    return _with_lead(_agreed(record, contract, tricks, line, warnings), cells)


def _named(cells: Mapping[str, str]) -> tuple[str, str, str, str]:
    """North, east, south and west; pages write their classes small."""
    north, east, south, west = (
        cells.get(str(seat), cells.get(str(seat).lower(), "")) for seat in Seat
    )
    return north, east, south, west


def _played(source: str, number: int | None, line: int, warnings: Warnings) -> Record:
    """What the table's own LIN tells, under the number of the row."""
    if "%7c" in source[:200].lower():
        source = unquote(source)
    found = lin.read(source, Warnings(source)) if source else []
    if source and not found:
        warnings.on(line, f"no LIN in {shorten(source)}")
    if not found:
        if number is None:
            return Record()
        return Record(number, dealer_of(number), vulnerability_of(number))
    told = found[0]
    tags = {k: v for k, v in told.tags.items() if k not in _KEPT.values()}
    return replace(told, number=number or told.number, tags=tags, source=None)


def _with_result(
    record: Record, text: str, line: int, warnings: Warnings, cells: Mapping[str, str]
) -> Record:
    """With a result in one word, as `4HxS-1`."""
    if text.upper() in _PASSED:
        tags = record.tags if record.auction is not None else {**record.tags, "Contract": "Pass"}
        return replace(record, tags=tags)
    found = _RESULT.match(text.strip())
    if found is None:
        if score := cells.get("Score", ""):
            return replace(record, tags={**record.tags, "Score": score})
        if text:
            warnings.on(line, f"no result: {shorten(text)}")
        return record
    contract = Contract.parse(f"{found[1]}{found[2]}{found[3]}", Seat.parse(found[4]))
    over = found[5]
    tricks = None if over is None else contract.target + (0 if over == "=" else _signed(over))
    return _agreed(record, contract, tricks, line, warnings)


def _signed(text: str) -> int:
    return int(text.replace(" ", ""))


def _agreed(
    record: Record, contract: Contract, tricks: int | None, line: int, warnings: Warnings
) -> Record:
    """With this contract and result, unless the table's own LIN says something else."""
    if record.contract not in (None, contract):
        warnings.on(line, f"the LIN ends in {record.contract}, not in {contract}")
        return record
    if tricks is not None and not 0 <= tricks <= 13:
        warnings.on(line, f"no result of {tricks} tricks")
        tricks = None
    return replace(record, contract=contract, tricks=record.tricks if tricks is None else tricks)


def _with_lead(record: Record, cells: Mapping[str, str]) -> Record:
    """With the opening lead as a tag, where no cards are known."""
    text = cells.get("Lead", "").upper()
    if not text or record.play is not None:
        return record
    try:
        lead = Card.parse(text if text[0] in "SHDC" else text[-1] + text[:-1])
    except BridgeError:
        return record
    return replace(record, tags={**record.tags, "Lead": lead.ascii})


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 6 else None


def looks_like_page(text: str) -> bool:
    """Is this a page of hands or a traveller?"""
    return "<" in text and bool(re.search(r"class=[\"']?(?:tourney|traveller|movie)\b", text))


def read_page(text: str, warnings: Warnings) -> list[Record]:
    """A record for each table on a page of hands, or on a traveller; the LIN of a table says which
    board it is."""
    page = _Page()
    page.feed(text)
    page.close()
    records = []
    for place, row in enumerate(page.rows, 1):
        if not {"north", "south", "east", "west"} <= row.cells.keys():
            continue
        record = _played(unquote(row.lin), None, 0, warnings)
        record = replace(record, names=_named(row.cells))
        result = row.cells.get("result", "")
        text = "PASS" if result.upper() in _PASSED else result
        records.append(_with_result(record, text, 0, warnings, {}))
        if not row.lin:
            warnings.on(0, f"table {place} has no link to its cards: its board is not known")
    if not records:
        warnings.on(0, "no table on this page")
    return records


@dataclass(slots=True)
class _Row:
    """The cells of a row by their class, and the LIN that it links to."""

    cells: dict[str, str] = field(default_factory=dict)
    lin: str = ""


class _Page(HTMLParser):
    """Rows of the tables of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[_Row] = []
        self._cell = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self.rows.append(_Row())
        elif tag in ("td", "th") and self.rows:
            self._cell = (given.get("class") or "").split(" ")[0].lower()
            self.rows[-1].cells.setdefault(self._cell, "")
        elif tag == "a" and self.rows:
            found = _POPUP.search(given.get("onclick", "")) or _MOVIE.search(given.get("href", ""))
            if found is not None:
                self.rows[-1].lin = found[1]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = ""

    def handle_data(self, data: str) -> None:
        if self._cell and self.rows:
            cells = self.rows[-1].cells
            if len(cells[self._cell]) < _LONGEST:
                cells[self._cell] = (cells[self._cell] + data[:_LONGEST]).strip()
