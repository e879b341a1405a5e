"""An event as pages to print: rankings, what the director ruled, and every board with its hands and
its traveller. One HTML text that brings its own style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from overtrick.duplicate.results import ClubEvent, RankedPair, TravellerLine
from overtrick.duplicate.scoring import TableScore
from overtrick.game import Board, Contract, Hand, Seat
from overtrick.game.scoring import result_text

_STYLE: Final = """
body { font: 11pt/1.35 Georgia, serif; color: #111; background: #fff; margin: 1.5rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 1.4rem 0 .3rem; }
p { margin: .2rem 0; color: #444; }
table { border-collapse: collapse; font: 9.5pt/1.3 Helvetica, Arial, sans-serif; }
th, td { padding: .12rem .5rem; text-align: right; border-bottom: 1px solid #ccc; }
th.name, td.name { text-align: left; } thead th { border-bottom: 2px solid #111; }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
.board { break-inside: avoid; border: 1px solid #999; padding: .5rem .6rem; overflow-x: auto; }
.board h3 { margin: 0 0 .3rem; font-size: 1rem; } .board small { color: #444; }
.hands { display: grid; grid-template-columns: 1fr 1fr 1fr; font: 10pt/1.25 Helvetica, Arial,
  sans-serif; margin-bottom: .4rem; }
.hands div { white-space: nowrap; } .N { grid-column: 2; } .W { grid-column: 1; grid-row: 2; }
.E { grid-column: 3; grid-row: 2; } .S { grid-column: 2; grid-row: 3; } .red { color: #b00; }
@media print { body { margin: 0; max-width: none; } }
"""
_SUITS: Final = (("♠", ""), ("♥", "red"), ("♦", "red"), ("♣", ""))


def page(event: ClubEvent, boards: Mapping[int, Board], rulings: Iterable[str] = ()) -> str:
    """The pages of an event: its hands are printed, so they must be open to all."""
    title = escape(event.title or "Results")
    travellers = event.travellers()
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        '<meta name=viewport content="width=device-width">',
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>",
        f"<p>{escape(event.day)}, {event.movement.pairs} pairs, {len(travellers)} boards, "
        f"{event.method if event.method == 'matchpoints' else 'IMPs across the field'}</p>",
    ]
    for name, rows in event.rankings().items():
        where = {"NS": "North–South", "EW": "East–West"}.get(name, "Ranking")
        parts += [f"<h2>{where}</h2>", _ranking(rows, event.method == "imps")]
    noted = [f"<li>{escape(line)}</li>" for line in rulings]
    if noted:
        parts += ["<h2>Director</h2><ul>", *noted, "</ul>"]
    parts.append("<h2>Boards</h2><div class=boards>")
    for number, lines in travellers.items():
        parts.append(_board(number, boards.get(number), lines))
    return "".join([*parts, "</div></html>\n"])


def _ranking(rows: Iterable[RankedPair], by_imps: bool) -> str:
    unit = "IMPs a board" if by_imps else "per cent"
    head = ["", "pair", "names", "boards", "total", unit]
    cells = []
    for r in rows:
        mean = r.total / r.boards if by_imps else (r.percent or 0.0)
        names = escape(" – ".join(r.names))
        cells.append(
            f"<tr><td>{r.place}<td>{r.pair}<td class=name>{names}<td>{r.boards}"
            f"<td>{r.total:.2f}<td>{mean:.2f}"
        )
    return f"<table><thead><tr>{_heads(head)}</thead>{''.join(cells)}</table>"


def _heads(words: Iterable[str]) -> str:
    return "".join(f"<th{' class=name' if w == 'names' else ''}>{w}" for w in words)


def _board(number: int, board: Board | None, lines: Iterable[TravellerLine]) -> str:
    shown = ""
    if board is not None:
        hands = "".join(f"<div class={s.letter}>{_hand(board.deal[s])}</div>" for s in Seat)
        where = f"{board.dealer.name.capitalize()} deals, vulnerable {board.vul}"
        shown = f"<small>{where}</small><div class=hands>{hands}</div>"
    rows = "".join(
        f"<tr><td>{x.result.ns}<td>{x.result.ew}<td class=name>{escape(outcome(x.result))}"
        f"<td>{'' if x.result.ns_score is None else x.result.ns_score}"
        f"<td>{x.worth.ns:.2f}<td>{x.worth.ew:.2f}"
        for x in lines
    )
    head = _heads(["NS", "EW", "names", "score", "NS", "EW"]).replace("names", "result", 2)
    table = f"<table><thead><tr>{head}</thead>{rows}</table>"
    return f"<div class=board><h3>Board {number}</h3>{shown}{table}</div>"


def _hand(hand: Hand) -> str:
    holdings = zip(_SUITS, str(hand).split("."), strict=True)
    return "<br>".join(
        f'<span class="{colour}">{pip}</span> {cards.replace("T", "10") or "–"}'
        for (pip, colour), cards in holdings
    )


def outcome(result: TableScore) -> str:
    """A result as it is written on a traveller.

    >>> outcome(TableScore(1, 1, 2, "4SX N", 9)), outcome(TableScore(1, 1, 2, awarded=(60, 40)))
    ('4SX-1 N', '60 % : 40 %')
    """
    if result.awarded is not None:
        return "{:g} % : {:g} %".format(*result.awarded)
    contract = result.contract
    if not isinstance(contract, Contract):
        return "Pass"
    made = result_text(contract, result.tricks or 0)
    return f"{contract.ascii}{made} {contract.declarer.letter}"
