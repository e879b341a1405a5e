"""`overtrick par`: par score and par contracts of deals from text or a file.
The work is in `doubledummy.par`."""

from __future__ import annotations

import click

from overtrick.cli.common import (
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
from overtrick.cli.solved import tables_of, with_conditions
from overtrick.game import Seat, Vulnerability


@click.command("par")
@words_argument("source")
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Only this board.")
@dealer_option
@vul_option
@click.option("--no-cache", is_flag=True, help="Solve again even if the deal is known.")
@json_option
def command(
    source: str,
    number: int | None,
    dealer: Seat | None,
    vul: Vulnerability | None,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Par: what both sides reach when they see all cards, as a score for North-South.

    SOURCE is a deal in PBN text, a file (PBN, LIN, …) or - for standard input.

    \b
    Examples:
      overtrick par "N:K863.A53.QJ84.97 AQ5.K92.T73.AJ62 J94.QJ86.K95.KT5 -" --vul NS
      overtrick par boards.pbn
    """
    from overtrick import doubledummy as dd

    boards = with_conditions(only_board(boards_from(source), number, source), dealer, vul)
    found = tables_of(boards, use_cache=not no_cache)
    pars = [dd.par(t, b.vul, b.dealer) for b, t in zip(boards, found, strict=True)]
    if as_json:
        rows = [
            {
                "board": board.number,
                "dealer": board.dealer.letter,
                "vul": str(board.vul),
                "score": par.score,
                "contracts": [str(c) for c in par.contracts],
            }
            for board, par in zip(boards, pars, strict=True)
        ]
        echo_json(rows if len(rows) > 1 else rows[0])
        return
    out = console()
    for board, par in zip(boards, pars, strict=True):
        where = f"Board {board.number}, {board.dealer} deals, {board.vul} vulnerable: "
        out.print(coloured(where + str(par)))
