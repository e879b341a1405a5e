"""`overtrick dd`: double-dummy tables, par, and what each lead gives, from text or a file.
The work is in `doubledummy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import (
    ContractParam,
    boards_from,
    coloured,
    console,
    dealer_option,
    echo_json,
    json_option,
    only_board,
    vul_option,
    words_argument,
)
from overtrick.cli.running import backend_of, where_option
from overtrick.cli.solved import tables_of, with_conditions
from overtrick.game import Board, Contract, Seat, Vulnerability

if TYPE_CHECKING:
    from overtrick.doubledummy import Table


@click.command("dd")
@words_argument("source")
@click.option("--contract", type=ContractParam(), help="Show every lead against it: '4S S'.")
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Only this board.")
@dealer_option
@vul_option
@click.option("--no-cache", is_flag=True, help="Solve again even if the deal is known.")
@where_option
@json_option
def command(
    source: str,
    contract: Contract | None,
    number: int | None,
    dealer: Seat | None,
    vul: Vulnerability | None,
    no_cache: bool,
    workers: str,
    ray: str | None,
    as_json: bool,
) -> None:
    """Solve deals double dummy: tricks of every declarer in every strain, and par.

    SOURCE is a deal in PBN text, a file (PBN, LIN, …) or - for standard input. One hand may be
    a dash. Dealer and vulnerability come from the file, or are board 1's.

    \b
    Examples:
      overtrick dd "N:K863.A53.QJ84.97 AQ5.K92.T73.AJ62 J94.QJ86.K95.KT5 -"
      overtrick dd boards.pbn --contract "3NT N" --json
    """
    boards = with_conditions(only_board(boards_from(source), number, source), dealer, vul)
    found = tables_of(boards, not no_cache, backend_of(workers, ray))
    rows = [_row(b, t, contract) for b, t in zip(boards, found, strict=True)]
    if as_json:
        echo_json(rows if len(rows) > 1 else rows[0])
        return
    _show(boards, found, rows)


def _row(board: Board, table: Table, contract: Contract | None) -> dict[str, Any]:
    from overtrick import doubledummy as dd

    par = dd.par(table, board.vul, board.dealer)
    row: dict[str, Any] = {
        "board": board.number,
        "dealer": board.dealer.letter,
        "vul": str(board.vul),
        "deal": board.deal.pbn(),
        "tricks": table.to_dict(),
        "par": {"score": par.score, "contracts": [str(c) for c in par.contracts]},
    }
    if contract is not None:
        # Scores of leads count the defenders' tricks; players want declarer's.
        leads = dd.solve(dd.Position.of_contract(board.deal, contract))
        row["contract"] = str(contract)
        row["leads"] = {card.ascii: len(board.deal[0]) - t for card, t in leads.items()}
    return row


def _show(boards: list[Board], found: list[Table], rows: list[dict[str, Any]]) -> None:
    from overtrick import doubledummy as dd
    from overtrick.notation.diagram import text_board

    out = console()
    for board, table, row in zip(boards, found, rows, strict=True):
        out.print(coloured(text_board(board)))
        out.print()
        out.print(coloured(str(table)))
        out.print(coloured(str(dd.par(table, board.vul, board.dealer))))
        if "leads" in row:
            out.print(coloured(_leads(row)))
        if board is not boards[-1]:
            out.print()


def _leads(row: dict[str, Any]) -> str:
    """Leads by what declarer then makes, the best lead first."""
    from overtrick.game import Card

    by_tricks: dict[int, list[str]] = {}
    for card, tricks in row["leads"].items():
        by_tricks.setdefault(tricks, []).append(str(Card.parse(card)))
    lines = [f"{row['contract']}, tricks by lead:"]
    lines += [f"  {tricks:>2}  {' '.join(cards)}" for tricks, cards in sorted(by_tricks.items())]
    return "\n".join(lines)
