"""Twelve formats, the boards they are tried with, and which parts of a board come back."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from overtrick import dd
from overtrick.game import Analysis, Board, Note, Play, Record
from overtrick.notation import dumps, from_url, loads, to_url
from overtrick.notation.files import NOTATIONS, encoded
from tests.notation import strategies

LINK: Final = "hand viewer link"
FORMATS: Final = (
    "pbn", "json", "lin", LINK, "rbn", "usebio", "travellers", "openspiel", "dlm", "dup", "bri",
    "dge",
)  # fmt: skip
MOST: Final = {"dlm": 99}
"""How many boards a file can have."""

PARTS: Final[dict[str, Callable[[Record], Any]]] = {
    "board number": lambda r: r.number,
    "dealer": lambda r: r.dealer,
    "vulnerability": lambda r: r.vul,
    "four hands": lambda r: r.deal,
    "names": lambda r: r.names,
    "auction": lambda r: r.auction,
    "explanations of calls": lambda r: {i: n.text for i, n in r.call_notes.items()},
    "alerted, or only explained": lambda r: {i: n.alert for i, n in r.call_notes.items()},
    "contract": lambda r: r.contract,
    "result": lambda r: r.tricks,
    "cards played": lambda r: r.play,
    "claims": lambda r: r.claimed,
    "remarks on cards": lambda r: {i: n.text for i, n in r.card_notes.items()},
    "remarks on the board": lambda r: r.comment,
    "event and date": lambda r: (r.tags.get("Event"), r.tags.get("Date")),
    "any other tag": lambda r: r.tags.get("Annotator"),
    "double-dummy table": lambda r: r.analysis.tricks,
    "par": lambda r: r.analysis.par,
}


@cache
def boards(count: int, seed: int = 1) -> tuple[Record, ...]:
    """Boards of an evening with everything that a record has a field for."""
    return tuple(_board(number, seed) for number in range(1, count + 1))


def _board(number: int, seed: int) -> Record:
    rng = random.Random(1000 * seed + number)
    board = Board.random(number, seed=1000 * seed + number)
    auction = strategies.auction(rng, board.dealer, stop=False)
    contract, play, tricks, claimed = auction.contract, None, None, False
    if contract is not None:
        cards = rng.choice([4, 27, 52, 52, 52])
        play = strategies.play(rng, Play.of(contract), board.deal, cards)
        claimed = not play.is_over
        tricks = play.declarer_tricks
        if claimed:
            tricks += rng.randrange(14 - play.tricks_played)
    record = Record(
        number, board.dealer, board.vul, board.deal, auction, contract, play, tricks, claimed,
        names=tuple(f"{name} {number % 5}" for name in ("Nora", "Eve", "Sam", "Will")),  # type: ignore[arg-type]
        call_notes={0: Note("natural, 12+", number % 2 == 1)},
        card_notes={} if play is None else {0: Note("fourth best")},
        tags={"Event": "Club", "Date": "2026.11.19", "Annotator": "Overtrick"},
        comment="played slowly",
    )  # fmt: skip
    table = dd.Table.of([[rng.randrange(14) for _ in range(4)] for _ in range(5)])
    best = dd.par(table, board.vul, board.dealer)
    return record.with_analysis(Analysis(table.tricks, best))


def there_and_back(form: str, records: Sequence[Record]) -> Sequence[Record]:
    """The records written and read again."""
    many = list(records)
    if form == LINK:
        return [from_url(to_url(record)).records[0] for record in many]
    return loads(encoded(dumps(many, form, layout="export"), form), form).records


def kept(form: str, count: int) -> dict[str, bool]:
    """For each part of a board whether all of them come back with it."""
    asked = boards(min(count, MOST.get(form, count)))
    found = there_and_back(form, asked)
    if len(found) != len(asked):
        return dict.fromkeys(PARTS, False)
    return {
        name: all(part(a) == part(b) for a, b in zip(asked, found, strict=True))
        for name, part in PARTS.items()
    }


def table(count: int = 12) -> str:
    """Which format keeps what, as Markdown."""
    columns = {form: kept(form, count) for form in FORMATS}
    lines = [f"| | {' | '.join(_head(form) for form in FORMATS)} |", "|---" * 13 + "|"]
    lines += [
        f"| {name} | " + " | ".join("yes" if columns[f][name] else "–" for f in FORMATS) + " |"
        for name in PARTS
    ]
    return "\n".join(lines) + "\n"


def _head(form: str) -> str:
    return form if form == LINK else f"`{NOTATIONS[form].endings[0]}`"
