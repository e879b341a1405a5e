"""An event for other programs and for paper: records for PBN and USEBIO, and tables."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Final

from overtrick import notation
from overtrick.duplicate.movements import Movement
from overtrick.duplicate.results import ClubEvent
from overtrick.duplicate.scoring import TableScore
from overtrick.game import Contract, PartialDeal, Record, dealer_of, vulnerability_of

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # how cells begin that spreadsheets work out
Deals = Mapping[int, PartialDeal]


def records(event: ClubEvent, deals: Deals | None = None) -> list[Record]:
    """A record for each result, traveller by traveller; pairs and what it was worth are tags."""
    found = []
    for board, lines in event.travellers().items():
        for line in lines:
            r = line.result
            north, south = event.names.get(r.ns, ("", ""))
            east, west = event.names.get(r.ew, ("", ""))
            place = event.movement.place(r.ns, r.number)
            tags = {
                "Event": event.title, "Date": event.day.replace("-", "."),
                "Scoring": "MP" if event.method == "matchpoints" else "IMP",
                "PairNS": str(r.ns), "PairEW": str(r.ew), "Round": str(r.number),
                "Table": str(place.table) if place else "",
                "MatchPointsNS": _number(line.worth.ns), "MatchPointsEW": _number(line.worth.ew),
                **_told(r),
            }  # fmt: skip
            found.append(
                Record(
                    board, dealer_of(board), vulnerability_of(board), (deals or {}).get(board),
                    contract=_contract(r), tricks=r.tricks, names=(north, east, south, west),
                    tags={name: value for name, value in tags.items() if value},
                )
            )  # fmt: skip
    return found


def _told(result: TableScore) -> dict[str, str]:
    """What a record has no field for: a board that was passed out, or that has no score."""
    if result.awarded is not None:
        return {"Score": "A{:g}{:g}".format(*result.awarded)}
    return {} if result.contract is not None else {"Contract": "Pass"}


def _contract(result: TableScore) -> Contract | None:
    assert not isinstance(result.contract, str)
    return result.contract


def pbn(event: ClubEvent, deals: Deals | None = None) -> str:
    """The results as PBN."""
    return notation.dumps(records(event, deals), "pbn")


def usebio(event: ClubEvent, deals: Deals | None = None) -> str:
    """The results as USEBIO, which national bodies take."""
    return notation.dumps(records(event, deals), "usebio")


# ---------------------------------------------------------------- spreadsheets


def ranking_table(event: ClubEvent) -> str:
    """Rankings as comma-separated values.

    >>> from overtrick.duplicate.movements import mitchell
    >>> print(ranking_table(ClubEvent(mitchell(6), (TableScore(1, 1, 4, "1NT N", 7),))))
    list,place,pair,first,second,boards,total,percent
    NS,1,1,,,1,0,
    EW,1,4,,,1,0,
    <BLANKLINE>
    """
    rows = [["list", "place", "pair", "first", "second", "boards", "total", "percent"]]
    for name, found in event.rankings().items():
        for r in found:
            percent = "" if r.percent is None else f"{r.percent:.2f}"
            rows.append(
                [
                    name,
                    str(r.place),
                    str(r.pair),
                    *r.names,
                    str(r.boards),
                    _number(r.total),
                    percent,
                ]
            )
    return _table(rows)


def recap_table(event: ClubEvent) -> str:
    """What every pair has of every board, as comma-separated values."""
    recap = event.recap()
    boards = sorted({board for found in recap.values() for board in found})
    rows = [["pair", *map(str, boards), "total"]]
    for pair, found in recap.items():
        cells = [_number(found[b].ns) if b in found else "" for b in boards]
        rows.append([str(pair), *cells, _number(sum(w.ns for w in found.values()))])
    return _table(rows)


def traveller_table(event: ClubEvent) -> str:
    """All travellers as comma-separated values."""
    rows = [["board", "round", "ns", "ew", "contract", "by", "tricks", "score", "ns_worth",
             "ew_worth"]]  # fmt: skip
    for board, lines in event.travellers().items():
        for line in lines:
            r, contract = line.result, _contract(line.result)
            told = _told(r)
            rows.append(
                [
                    str(board), str(r.number), str(r.ns), str(r.ew),
                    contract.ascii if contract else told.get("Contract", told.get("Score", "")),
                    contract.declarer.letter if contract else "",
                    "" if r.tricks is None else str(r.tricks),
                    "" if r.ns_score is None else str(r.ns_score),
                    _number(line.worth.ns), _number(line.worth.ew),
                ]
            )  # fmt: skip
    return _table(rows)


def movement_table(movement: Movement) -> str:
    """A guide card for the tables, as comma-separated values: a line for each table and round.

    >>> from overtrick.duplicate.movements import howell
    >>> print(movement_table(howell(4, rounds=1)))
    round,table,ns,ew,boards
    1,1,4,1,1-2
    1,2,2,3,1-2
    <BLANKLINE>
    """
    rows = [["round", "table", "ns", "ew", "boards"]]
    for number, places in enumerate(movement.rounds, 1):
        for p in places:
            boards = movement.boards(p.boards)
            rows.append(
                [str(number), str(p.table), str(p.ns), str(p.ew), f"{boards[0]}-{boards[-1]}"]
            )
    return _table(rows)


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")


def _table(rows: Iterable[Iterable[str]]) -> str:
    """A name that a spreadsheet would take for a formula is kept as text."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(
            [f"'{c}" if c.startswith(_FORMULA) and not _is_number(c) else c for c in row]
        )
    return out.getvalue()


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdecimal()
