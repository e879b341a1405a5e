"""`overtrick analyse`: what each card of played boards cost, double dummy and single dummy.
Used from the command line; the numbers come from `cardplay.review`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import coloured, console, echo_json, json_option, progress
from overtrick.game import Auction, Board, ParseError, Record
from overtrick.game.board import dealer_of, vulnerability_of

if TYPE_CHECKING:
    from overtrick.cardplay.review import CardReview


@click.command("analyse")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Only this board.")
@click.option(
    "--worlds", type=click.IntRange(0, 500), default=40, show_default=True,
    help="Worlds for the single-dummy cost; 0 leaves it out.",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help="Show cards that cost nothing too.")
@json_option
def command(source: str, number: int | None, worlds: int, every: bool, as_json: bool) -> None:
    """What every card of the boards in SOURCE cost.

    Double dummy: tricks given away, all hands seen. Single dummy: the chance to make or beat the
    contract, and tricks on average, that another card had for a player who sees only his own
    hand and dummy.

    \b
    Examples:
      overtrick analyse played.pbn
      overtrick analyse played.pbn --board 3 --worlds 100 --json
    """
    from overtrick.cardplay.review import review_play

    rows = []
    for record in _records(source, number):
        board, auction = _board(record), _auction(record)
        assert record.play is not None
        with progress(f"board {board.number}", len(record.play)) as update:
            found = review_play(board, auction, record.play, worlds=worlds, progress=update)
        if as_json:
            rows.append(_row(board, auction, found))
        else:
            _show(board, auction, found, every)
    if as_json:
        echo_json(rows if len(rows) > 1 else rows[0])


def _records(source: str, number: int | None) -> list[Record]:
    import sys

    from overtrick import notation

    loaded = notation.loads(sys.stdin.read()) if source == "-" else notation.load(source)
    for warning in loaded.warnings[:5]:
        click.echo(f"warning: {warning}", err=True)
    found = [
        r
        for r in loaded.records
        if r.deal is not None and r.deal.is_complete and r.play is not None and len(r.play)
        and number in (None, r.number)
    ]  # fmt: skip
    if not found:
        raise ParseError(f"no board with a complete deal and its play in {source}")
    return found


def _board(record: Record) -> Board:
    assert record.deal is not None
    number = record.number or 1
    dealer = dealer_of(number) if record.dealer is None else record.dealer
    vul = vulnerability_of(number) if record.vul is None else record.vul
    return Board(number, dealer, vul, record.deal.complete())


def _auction(record: Record) -> Auction:
    """The auction, or the shortest one that ends in the contract when the file has none."""
    from overtrick.cardplay.review import shortest_auction

    if record.auction is not None and record.auction.contract is not None:
        return record.auction
    contract = record.contract
    if contract is None:
        raise ParseError(f"board {record.number}: neither an auction nor a contract")
    return shortest_auction(contract, _board(record).dealer)


def _row(board: Board, auction: Auction, found: list[CardReview]) -> dict[str, Any]:
    return {
        "board": board.number,
        "contract": auction.contract.ascii if auction.contract else None,
        "declarer": auction.contract.declarer.letter if auction.contract else None,
        "cards": [
            {
                "number": r.number,
                "seat": r.seat.letter,
                "card": r.card.ascii,
                "dd_cost": r.dd_cost,
                "chance_cost": r.chance_cost,
                "trick_cost": r.trick_cost,
                "better": None if r.better is None else r.better.ascii,
            }
            for r in found
        ],
    }


def _show(board: Board, auction: Auction, found: list[CardReview], every: bool) -> None:
    out = console()
    out.print(coloured(f"Board {board.number}: {auction.contract}"))
    out.print("card  seat   played  double dummy  single dummy")
    for r in found:
        single = (r.chance_cost or 0) > 0.005 or (r.trick_cost or 0) > 0.05
        if every or r.dd_cost or single:
            out.print(coloured(_line(r)))
    totals = dict.fromkeys(("declarer", "defenders"), 0)
    declarer = auction.contract.declarer.side if auction.contract else None
    for r in found:
        totals["declarer" if r.seat.side == declarer else "defenders"] += r.dd_cost
    lost = ", ".join(f"{who} {n}" for who, n in totals.items())
    out.print(f"tricks given away double dummy: {lost}\n")


def _line(r: CardReview) -> str:
    double = f"-{r.dd_cost}" if r.dd_cost else "·"
    single = "·"
    if r.chance_cost is not None:
        parts = [f"-{100 * r.chance_cost:.0f}%"] if r.chance_cost > 0.005 else []
        parts += [f"-{r.trick_cost:.2f} tricks"] if (r.trick_cost or 0) > 0.05 else []
        parts += [f"({r.better} is better)"] if r.better is not None and parts else []
        single = " ".join(parts) or "·"
    return f"{r.number:>4}  {r.seat!s:<5}  {r.card!s:<6}  {double:<12}  {single}"
