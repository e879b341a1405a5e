"""Double-dummy tables and par as hand records carry them: tags that other programs write and read.

`table_of` and `par_of` understand them, `analysed` solves a record and puts them in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from overtrick import doubledummy as dd
from overtrick.game import Record, Seat, Side, Strain, dealer_of, vulnerability_of
from overtrick.game.errors import BridgeError

DIGITS_TAG: Final = "DoubleDummyTricks"  # twenty hexadecimal digits
TABLE_TAG: Final = "OptimumResultTable"  # twenty rows of declarer, strain and tricks
SCORE_TAG: Final = "OptimumScore"
PAR_TAG: Final = "ParContract"
_HEAD: Final = r"Declarer;Denomination\2R;Result\2R"
_DECLARERS: Final = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
_STRAINS: Final = tuple(reversed(Strain))  # notrump first
_SCORE: Final = re.compile(r"\s*(NS|EW)\s*([+-]?\d{1,5})\s*\Z", re.IGNORECASE)


def table_of(record: Record) -> dd.Table | None:
    """The double-dummy table that a record carries; None when it has none, or no whole one.

    >>> table_of(Record(tags={"DoubleDummyTricks": "89967899674347643476"}))["NT", "S"]
    8
    """
    rows = _by_digits(record.tags.get(DIGITS_TAG, "")) or _by_rows(record)
    return None if rows is None else dd.Table.of(rows)


def par_of(record: Record) -> int | None:
    """The par score for North-South that a record carries.

    >>> par_of(Record(tags={"OptimumScore": "EW 420"}))
    -420
    """
    found = _SCORE.match(record.tags.get(SCORE_TAG, ""))
    if found is None:
        return None
    return int(found[2]) if found[1].upper() == Side.NS.name else -int(found[2])


def analysed(
    records: Sequence[Record], *, par: bool = True, check: bool = False
) -> tuple[list[Record], list[str]]:
    """The records with tables (and par) in their tags, and what was found wrong.

    A table that a record carries is trusted unless `check` asks for it to be solved again; records
    without four hands stay as they are.
    """
    trusted = [None if check else table_of(record) for record in records]
    deals = {
        place: board.deal
        for place, record in enumerate(records)
        if trusted[place] is None and (board := record.board()) is not None
    }
    tables = dict(zip(deals, dd.tables(list(deals.values())), strict=True))
    found: list[Record] = []
    remarks: list[str] = []
    for place, record in enumerate(records):
        table = trusted[place] or tables.get(place)
        if table is None:
            found.append(record)
            continue
        if check and table_of(record) not in (None, table):
            remarks.append(f"board {record.number or place + 1}: its double-dummy table was wrong")
        found.append(_with(record, table, par))
    return found, remarks


def _by_digits(text: str) -> list[list[int]] | None:
    if not re.fullmatch(r"[0-9a-dA-D]{20}", text.strip()):
        return None
    tricks = [int(digit, 16) for digit in text.strip()]
    rows = [[0] * 4 for _ in Strain]
    for place, count in enumerate(tricks):
        rows[_STRAINS[place % 5]][_DECLARERS[place // 5]] = count
    return rows


def _by_rows(record: Record) -> list[list[int]] | None:
    told = record.tables.get(TABLE_TAG, ())
    found: dict[tuple[Strain, Seat], int] = {}
    for row in told:
        try:
            declarer, strain, tricks = Seat.parse(row[0]), Strain.parse(row[1]), int(row[2])
        except (BridgeError, ValueError, IndexError):
            return None
        found[strain, declarer] = tricks
    if len(found) != 20 or not all(0 <= tricks <= 13 for tricks in found.values()):
        return None
    return [[found[strain, seat] for seat in Seat] for strain in Strain]


def _with(record: Record, table: dd.Table, par: bool) -> Record:
    rows = tuple(
        (declarer.letter, strain.letter, str(table[strain, declarer]))
        for declarer in _DECLARERS
        for strain in _STRAINS
    )
    digits = "".join(f"{int(tricks):x}" for *_, tricks in rows)
    tags = {**record.tags, DIGITS_TAG: digits, TABLE_TAG: _HEAD}
    if par:
        tags |= _par_tags(record, table)
    return replace(record, tags=tags, tables={**record.tables, TABLE_TAG: rows})


def _par_tags(record: Record, table: dd.Table) -> dict[str, str]:
    number = record.number
    dealer = record.dealer if record.dealer is not None or number is None else dealer_of(number)
    vul = record.vul if record.vul is not None or number is None else vulnerability_of(number)
    if dealer is None or vul is None:
        return {}
    best = dd.par(table, vul, dealer)
    contracts = ", ".join(
        f"{each.contract.ascii} {each.contract.declarer.letter} {_over(each)}"
        for each in best.contracts
    )
    return {SCORE_TAG: f"NS {best.score}", PAR_TAG: contracts or "Pass"}


def _over(reached: dd.ParContract) -> str:
    more = reached.tricks - reached.contract.target
    return f"{more:+d}" if more else "="
