"""`overtrick analyse`: what each call and card of played boards cost.
The numbers come from `cardplay.review` and `web.review`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from overtrick.cli.common import (
    coloured,
    console,
    echo_json,
    json_option,
    played_from,
    progress,
    seed_option,
    usual,
)
from overtrick.game import Auction, Board, Call, Meaning, ParseError, Record

if TYPE_CHECKING:
    from overtrick.cardplay.review import CardReview
    from overtrick.web.reviewed import CallBeside

_SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}


@click.command("analyse")
@click.argument("source")
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Only this board.")
@click.option(
    "--worlds", type=click.IntRange(0, 500), default=40, show_default=True,
    help="Worlds for the single-dummy cost; 0 leaves it out.",
)  # fmt: skip
@click.option("--bidder", default=usual, show_default="partner",
              help="Whose calls to compare with; 'none' leaves the calls out.")  # fmt: skip
@click.option("--all", "every", is_flag=True, help="Show cards that cost nothing too.")
@seed_option
@json_option
def command(
    source: str, number: int | None, worlds: int, bidder: str, every: bool, seed: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """What every call and card of the boards in SOURCE (a file, a link or -) cost.

    A call is compared with the one an engine would have made: both auctions are bid to their end
    and the contracts played double dummy. A card is judged twice. Double dummy: tricks given away,
    all hands seen. Single dummy: the chance to make or beat the contract, and tricks on average,
    that another card had for a player who sees only their own hand and dummy, with the standard
    error of the difference. What is within two errors of nothing may be nothing.

    \b
    Examples:
      overtrick analyse played.pbn
      overtrick analyse played.pbn --board 3 --worlds 100 --json
    """
    from overtrick.bidding import bidder as made
    from overtrick.cardplay.review import review_play

    if bidder != "none":
        made(bidder)  # a wrong name is an error now
    rows = []
    for board, record in _records(source, number):
        auction, meanings = _auction(record)
        assert record.play is not None
        with progress(f"board {board.number}", len(record.play)) as update:
            calls = _calls(board, record, bidder)
            found = review_play(
                board, auction, record.play, worlds=worlds, meanings=meanings, seed=seed or 0,
                progress=update,
            )  # fmt: skip
        if as_json:
            rows.append({**_row(board, auction, found), "calls": msgspec.to_builtins(calls)})
        else:
            _show(board, auction, found, every)
            _show_calls(calls, bidder, every)
    if as_json:
        echo_json(rows if len(rows) > 1 else rows[0])


def _records(source: str, number: int | None) -> list[tuple[Board, Record]]:
    found = [(b, r) for b, r in played_from(source) if r.play is not None and len(r.play)]
    if not found:
        raise ParseError(f"no board with a complete deal and its play in {source}")
    picked = [(b, r) for b, r in found if number in (None, b.number)]
    if not picked:
        raise ParseError(f"{source} has no board {number} with its play")
    return picked


def _auction(record: Record) -> tuple[Auction, tuple[Meaning, ...]]:
    """The auction, or one made up for the contract when the file has none or part of one."""
    from overtrick.cardplay.review import without_auction

    auction = record.auction
    bid = None if auction is None else auction.contract
    if auction is not None and auction.is_over and bid is not None:
        return auction, ()
    contract = record.contract or bid
    if contract is None:
        raise ParseError(f"board {record.number}: neither an auction nor a contract")
    return without_auction(contract)


def _calls(board: Board, record: Record, bidder: str) -> list[CallBeside]:
    """Each call beside the engine's own; none when the file has no finished auction."""
    auction = record.auction
    if bidder == "none" or auction is None or not auction.is_over:
        return []
    if auction.dealer != board.dealer:
        return []
    from overtrick.web.review import Played, calls_of

    return calls_of(Played(record, board, auction, record.play), bidder, bidder)


def _show_calls(calls: list[CallBeside], bidder: str, every: bool) -> None:
    out = console()
    wanted = [c for c in calls if c.call != c.engine]
    if not calls or not (wanted or every):
        out.print(f"{bidder} would have made the same calls\n" if calls else "")
        return
    out.print(f"call  seat   {bidder} would call")
    for c in calls if every else wanted:
        call, engine = Call.parse(c.call), Call.parse(c.engine)
        if call == engine:
            out.print(coloured(f"{call!s:<5} {_SEATS[c.seat]:<6} the same"))
            continue
        cost = c.imps
        end = "the same score" if not cost else f"{cost:+d} IMPs for the caller, double dummy"
        where = f" and end in {c.instead}: {end}" if c.instead else ""
        line = f"{call!s:<5} {_SEATS[c.seat]:<6} {engine} ({c.engine_meaning}){where}"
        out.print(coloured(line))
    out.print()


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
                "chance_error": r.chance_error,
                "trick_cost": r.trick_cost,
                "trick_error": r.trick_error,
                "better": None if r.better is None else r.better.ascii,
            }
            for r in found
        ],
    }


def _show(board: Board, auction: Auction, found: list[CardReview], every: bool) -> None:
    out = console()
    out.print(coloured(f"Board {board.number}: {auction.contract}"))
    out.print("trick  seat   played  double dummy  single dummy")
    for r in found:
        single = (r.chance_cost or 0) > 0.005 or (r.trick_cost or 0) > 0.05
        if every or r.dd_cost or single:
            out.print(coloured(_line(r)))
    totals = dict.fromkeys(("declarer", "defenders"), 0)
    declarer = auction.contract.declarer.side if auction.contract else None
    for r in found:
        totals["declarer" if r.seat.side == declarer else "defenders"] += r.dd_cost
    lost = ", ".join(f"{who} {n}" for who, n in totals.items())
    out.print(f"tricks given away double dummy: {lost}")


def _line(r: CardReview) -> str:
    double = f"-{r.dd_cost}" if r.dd_cost else "·"
    single = "·"
    if r.chance_cost is not None:
        chance, tricks = 100 * (r.chance_error or 0), r.trick_error or 0
        parts = [f"-{100 * r.chance_cost:.0f} ± {chance:.0f} %"] if r.chance_cost > 0.005 else []
        lost = r.trick_cost or 0
        parts += [f"-{lost:.2f} ± {tricks:.2f} tricks"] if lost > 0.05 else []
        parts += [f"({r.better} is better)"] if r.better is not None and parts else []
        single = " ".join(parts) or "·"
    trick = (r.number + 3) // 4
    return f"{trick:>5}  {r.seat!s:<5}  {r.card!s:<6}  {double:<12}  {single}"
