"""Double-dummy tables and par that travel with boards: `table_of` and `par_of` read what a record
carries, `analysed` solves what is missing and puts it in."""

from __future__ import annotations

from collections.abc import Sequence

from overtrick import doubledummy as dd
from overtrick.game import Analysis, Record, dealer_of, vulnerability_of


def table_of(record: Record) -> dd.Table | None:
    """The double-dummy table that a record carries; None when it has none, or no whole one.

    >>> table_of(Record(tags={"DoubleDummyTricks": "89967899674347643476"}))["NT", "S"]
    8
    """
    rows = record.analysis.tricks
    return None if rows is None else dd.Table(rows)


def par_of(record: Record) -> int | None:
    """The par score for North-South that a record carries.

    >>> par_of(Record(tags={"OptimumScore": "EW 420"}))
    -420
    """
    told = record.analysis.par
    return None if told is None else told.score


def analysed(
    records: Sequence[Record], *, par: bool = True, check: bool = False
) -> tuple[list[Record], list[str]]:
    """The records with tables (and par) in their tags, and what was found wrong.

    A table that a record carries is trusted unless `check` asks for it to be solved again; records
    without four hands stay as they are.

    >>> from overtrick import Deal
    >>> deal = Deal.parse("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96")
    >>> found, remarks = analysed([Record(number=1, deal=deal)])
    >>> par_of(found[0]), table_of(found[0])["NT", "N"], remarks
    (430, 10, [])
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
        done = _with(record, table, par)
        if check:
            name = f"board {record.number or place + 1}: its"
            if table_of(record) not in (None, table):
                remarks.append(f"{name} double-dummy table was wrong")
            best = _par(record, table)
            if best is not None and par_of(record) not in (None, best.score):
                remarks.append(f"{name} par was {par_of(record):+d}, it is {best.score:+d}")
        found.append(done)
    return found, remarks


def _with(record: Record, table: dd.Table, par: bool) -> Record:
    return record.with_analysis(Analysis(table.tricks, _par(record, table) if par else None))


def _par(record: Record, table: dd.Table) -> dd.Par | None:
    """Par where dealer and vulnerability are known, or follow from the number."""
    number = record.number
    dealer = record.dealer if record.dealer is not None or number is None else dealer_of(number)
    vul = record.vul if record.vul is not None or number is None else vulnerability_of(number)
    return None if dealer is None or vul is None else dd.par(table, vul, dealer)
