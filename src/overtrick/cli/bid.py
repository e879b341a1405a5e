"""`overtrick bid`: bid a random or given board with any engines and show why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import (
    boards_from,
    coloured,
    console,
    dealer_option,
    echo_json,
    json_option,
    seed_option,
    thinking,
    usual,
    vul_option,
    words_argument,
)
from overtrick.cli.solved import tables_of, with_conditions
from overtrick.game import Auction, Board, Decision, Seat, Vulnerability

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from overtrick.bidding import Bidder


@click.command("bid")
@words_argument("source", required=False)
@click.option("--engine", default=usual, show_default="partner", help="Bids for all four seats.")
@click.option("--ns", help="Engine for North-South instead.")
@click.option("--ew", help="Engine for East-West instead.")
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Board number.")
@seed_option
@dealer_option
@vul_option
@click.option("--dd/--no-dd", "solve", default=True, help="Compare with double dummy and par.")
@json_option
def command(
    source: str | None,
    engine: str,
    ns: str | None,
    ew: str | None,
    number: int | None,
    seed: int | None,
    dealer: Seat | None,
    vul: Vulnerability | None,
    solve: bool,
    as_json: bool,
) -> None:
    """Bid a board and say what every call shows.

    SOURCE is a deal in PBN text or a file; without it the board is random.

    \b
    Examples:
      overtrick bid --seed 7
      overtrick bid --seed 7 --ns "rules(system=two-over-one)" --ew policy
      overtrick bid boards.pbn --board 3 --json
    """
    from overtrick.bidding import bid_board
    from overtrick.bidding.explained import explaining

    bidders = [explaining(made) for made in _four(ns or engine, ew or engine)]
    boards = with_conditions(_boards(source, number, seed), dealer, vul)
    rows = []
    for board in boards:
        with thinking(f"bidding board {board.number}"):
            auction, decisions = bid_board(board, bidders)
        if as_json:
            rows.append(_row(board, auction, decisions, [b.name for b in bidders]))
        else:
            _show(board, auction, decisions, solve)
    if as_json:
        echo_json(rows if len(rows) > 1 else rows[0])


def _four(ns: str, ew: str) -> list[Bidder]:
    """Partners share a bidder unless code of others is in it: then neither hears of the other."""
    from overtrick.bidding import BIDDERS, bidder

    made = {spec: bidder(spec) for spec in (ns, ew)}
    again = [bidder(spec) if BIDDERS.is_foreign(spec) else made[spec] for spec in (ns, ew)]
    return [made[ns], made[ew], *again]


def _boards(source: str | None, number: int | None, seed: int | None) -> list[Board]:
    if source is None:
        import random

        chosen = random.Random(seed)
        number = chosen.randint(1, 16) if number is None else number
        return [Board.random(number, chosen.getrandbits(62))]
    found = boards_from(source)
    if number is None:
        return found
    if len(found) == 1:
        return [Board.numbered(number, found[0].deal)]
    picked = [b for b in found if b.number == number]
    if not picked:
        raise click.UsageError(f"{source} has no board {number}")
    return picked


def _row(
    board: Board, auction: Auction, decisions: Sequence[Decision], engines: Sequence[str]
) -> dict[str, Any]:
    contract = auction.contract
    return {
        "board": board.number,
        "dealer": board.dealer.letter,
        "vul": str(board.vul),
        "deal": board.deal.pbn(),
        "engines": list(engines),
        "auction": [c.ascii for c in auction.calls],
        "contract": None if contract is None else contract.ascii,
        "declarer": None if contract is None else contract.declarer.letter,
        "decisions": [d.to_dict() for d in decisions],
    }


def _show(board: Board, auction: Auction, decisions: Sequence[Decision], solve: bool) -> None:
    from overtrick.notation.diagram import text_board

    out = console()
    out.print(coloured(text_board(board)))
    out.print()
    out.print(_auction_table(auction))
    out.print()
    for i, decision in enumerate(decisions):
        words = decision.meaning.words
        ranges = decision.meaning.ranges()
        shown = f"{words} [{ranges}]" if ranges else words
        alert = " (alert)" if decision.meaning.alert else ""
        out.print(coloured(f"{auction.seat_of(i)!s:<6}{decision.call!s:<5} {shown}{alert}"))
    out.print()
    contract = auction.contract
    out.print(coloured("Passed out" if contract is None else f"Contract: {contract}"))
    if solve:
        out.print(coloured(_double_dummy(board, auction)))


def _double_dummy(board: Board, auction: Auction) -> str:
    from overtrick import doubledummy as dd
    from overtrick.game import score
    from overtrick.game.scoring import result_text

    table = tables_of([board])[0]
    par = str(dd.par(table, board.vul, board.dealer))
    contract = auction.contract
    if contract is None:
        return par
    tricks = table[contract.strain, contract.declarer]
    points = score(contract, tricks, board.vul)
    made = f"{tricks} tricks ({result_text(contract, tricks)}), {points:+d} for North-South"
    return f"Double dummy: {made}\n{par}"


def _auction_table(auction: Auction) -> RichTable:
    """West to the left, as auctions are printed; a row for each round."""
    from rich.table import Table as RichTable

    order = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    shown = RichTable(box=None, pad_edge=False)
    for seat in order:
        shown.add_column(str(seat), min_width=6)
    cells = [""] * order.index(auction.dealer) + [str(c) for c in auction.calls]
    for start in range(0, len(cells), 4):
        shown.add_row(*(coloured(text) for text in cells[start : start + 4]))
    return shown
