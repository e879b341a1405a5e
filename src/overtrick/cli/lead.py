"""`overtrick lead`: the opening lead from a hand and the auction, every card ranked.
The work is in `analysis.leads`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import (
    coloured,
    console,
    dealer_option,
    echo_json,
    json_option,
    seed_option,
    thinking,
    vul_option,
    words_argument,
)
from overtrick.game import Auction, Hand, Seat, Vulnerability

if TYPE_CHECKING:
    from overtrick.game import Decision


@click.command("lead")
@click.argument("hand")
@words_argument("auction")
@click.option("--engine", default="", show_default="alphamu", help="Any player.")
@click.option(
    "--system",
    default="",
    help="What the leader's side plays: a system or a card.",
)
@click.option("--theirs", default="", help="What declarer's side declared.")
@click.option("--scoring", type=click.Choice(["imps", "matchpoints"]), default="imps",
              show_default=True, help="What counts.")  # fmt: skip
@dealer_option
@vul_option
@seed_option
@json_option
def command(
    hand: str, auction: str, engine: str, system: str, theirs: str, scoring: str,
    dealer: Seat | None, vul: Vulnerability | None, seed: int | None, as_json: bool,
) -> None:  # fmt: skip
    """What to lead from HAND after AUCTION, and why.

    HAND is spades.hearts.diamonds.clubs. AUCTION begins with the dealer; passes that are missing
    at its end are added. Deals that fit the auction are imagined and played double dummy, with
    the networks' opinion of leads.

    \b
    Examples:
      overtrick lead QJT95.82.K73.962 "1NT P 3NT"
      overtrick lead K4.QT763.J82.A54 "1S P 2S P 4S" --dealer W --scoring matchpoints
      overtrick lead QJT95.82.K73.962 "1NT P 3NT" --json
    """
    from overtrick.analysis import lead

    made = Auction.parse(auction, Seat.NORTH if dealer is None else dealer).closed()
    held = Hand.parse(hand, size=13)
    with thinking("imagining deals"):
        decision = lead(
            held, made, vul=Vulnerability.NONE if vul is None else vul,
            systems=(system, theirs), scoring=scoring, engine=engine, seed=seed or 0,
        )  # fmt: skip
    if as_json:
        echo_json(_plain(made, decision))
        return
    _show(held, made, decision)


def _plain(auction: Auction, decision: Decision) -> dict[str, Any]:
    out = decision.to_dict()
    for row, candidate in zip(out["candidates"], decision.candidates, strict=True):
        row["chance"] = candidate.details.get("chance")
        row["tricks"] = candidate.details.get("tricks")
    return {"contract": str(auction.contract), **out}


def _show(hand: Hand, auction: Auction, decision: Decision) -> None:
    from rich.table import Table

    contract = auction.contract
    assert contract is not None
    out = console()
    out.print(coloured(f"{hand.pretty()}   {contract.leader} leads against {contract}"))
    out.print(coloured(f"{decision.card}: {decision.why}"), style="bold")
    rows = [c for c in decision.candidates if c.details.get("chance") is not None]
    if rows:
        table = Table("lead", "beats it", "tricks")
        for c in rows:
            chance, tricks = c.details["chance"], c.details["tricks"]
            error = f" ± {c.error:.2f}" if c.error else ""
            share = f"{100 * chance:.0f} %"
            taken = "" if tricks is None else fitted(f"{tricks:.2f}{error}")
            table.add_row(coloured(str(c.action)), share, taken)
        out.print(table)
    out.print(f"{decision.worlds} deals, {decision.engine}")


def fitted(text: str) -> str:
    """As the terminal can show it."""
    return str(coloured(text))
