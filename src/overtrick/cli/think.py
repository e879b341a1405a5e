"""`overtrick think`: what an engine would call with a hand after an auction, or play, and why.
Shows the whole decision, the deals it imagined included."""

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
from overtrick.game import Hand, Seat, View, Vulnerability
from overtrick.game.reasons import Remark

if TYPE_CHECKING:
    from overtrick.game import Candidate, Decision


@click.command("think")
@click.argument("hand")
@words_argument("auction", required=False)
@click.option("--engine", help="Any bidder, or card player; partner and alphamu unless given.")
@click.option("--system", default="", help="What our side plays: a system or a card.")
@click.option("--theirs", default="", help="What the other side declared.")
@click.option("--character", default="",
              type=click.Choice(["", "disciplined", "usual", "free"]), show_choices=False,
              help="How freely calls depart: disciplined, usual, free.")  # fmt: skip
@click.option("--scoring", type=click.Choice(["imps", "matchpoints"]), default="imps",
              show_default=True, help="What counts.")  # fmt: skip
@click.option("--dummy", help="Dummy's hand, for a card.")
@click.option("--played", default="", help="The cards so far, in order: 'HQ H2 H4'.")
@click.option("--seconds", type=float, help="How long you wait; the same work each time unless"
              " given.")  # fmt: skip
@click.option("--deals", default=3, show_default=True, type=click.IntRange(0, 50),
              help="Deals it imagined, to show.")  # fmt: skip
@dealer_option
@vul_option
@seed_option
@json_option
def command(
    hand: str, auction: str | None, engine: str | None, system: str, theirs: str, character: str,
    scoring: str, dummy: str | None, played: str, seconds: float | None, deals: int,
    dealer: Seat | None, vul: Vulnerability | None, seed: int | None, as_json: bool,
) -> None:  # fmt: skip
    """What an engine would call with HAND after AUCTION, or play, and why.

    HAND is spades.hearts.diamonds.clubs; AUCTION begins with the dealer. Values are IMPs over
    the first choice (partner, bmcs) or the call of the system (pragma), with their standard error.
    Once the auction is over a card is asked for, from declarer's hand also dummy's.

    \b
    Examples:
      overtrick think KJ3.A4.QT52.9832 "1S P"
      overtrick think Q6.AT87.A5.KQJ43 "P P 1C X 1H P" --vul All --deals 10
      overtrick think AQ3.KJ4.QJ52.K82 --system acol --scoring matchpoints --json
      overtrick think K43.QJ2.8654.T75 "1NT P 3NT P P P" --dummy A2.K43.QJT9.A843 --played "H5 H3"
    """
    from overtrick.analysis import Inquiry, decided

    asked = Inquiry(
        hand=hand, auction=auction or "", dealer="N" if dealer is None else dealer,
        vul="None" if vul is None else vul, dummy=dummy, played=played, engine=engine or "",
        system=system, theirs=theirs, character=character, scoring=scoring, seconds=seconds,
        seed=seed or 0,
    )  # fmt: skip
    if asked.note:
        click.echo(f"note: {asked.note}", err=True)
    with thinking(f"{asked.spec} thinks"):
        decision = decided(asked, trusted=True)
    if as_json:
        echo_json(_plain(decision, deals))
        return
    _show(asked.view(), decision, deals, asked.spec)


def _worlds(decision: Decision, most: int) -> list[list[int]]:
    found = decision.details.get("worlds")
    return [] if found is None else [[int(h) for h in row] for row in found[:most]]


def _plain(decision: Decision, deals: int) -> dict[str, Any]:
    out = decision.to_dict()
    for told, candidate in zip(out["candidates"], decision.candidates, strict=True):
        if "leads_to" in candidate.details:
            told["leads_to"] = dict(candidate.details["leads_to"])
    out["source"] = decision.details.get("source", "")
    out["log"] = list(decision.details.get("log", ()))
    out["deals"] = [[str(Hand(h)) for h in row] for row in _worlds(decision, deals)]
    return out


def _show(view: View, decision: Decision, deals: int, engine: str) -> None:
    from rich.table import Table

    out = console()
    out.print(coloured(f"{view.hand.pretty()}   {view.seat}, after {_auction(view)}"))
    out.print(coloured(f"{decision.action}: {decision.meaning.words}"), style="bold")
    why = "" if decision.why == decision.meaning.words else f"{decision.why}  "
    if decision.cut and Remark.CUT_SHORT not in decision.reasons:
        why += "cut short by the clock  "
    out.print(coloured(f"{why}({decision.milliseconds:.0f} ms, {engine})"))
    if decision.candidates:
        rows = [_candidate(c) for c in decision.candidates]
        heads = ("call", "value", "says", "leads to")
        shown = [i for i in range(4) if any(row[i] for row in rows)]
        table = Table(*(heads[i] for i in shown))
        for row in rows:
            table.add_row(*(coloured(row[i]) for i in shown))
        out.print(table)
    for line in decision.details.get("log", ()):
        out.print(coloured(f"· {line}"))
    worlds = _worlds(decision, deals)
    if worlds:
        out.print(f"Deals it could be ({len(decision.details['worlds'])} were imagined):")
        for world in worlds:
            hands = [f"{s.letter} {Hand(world[s]).pretty()}" for s in Seat if s != view.seat]
            out.print(coloured("  " + "   ".join(hands)))


def _candidate(c: Candidate) -> tuple[str, str, str, str]:
    value = "" if c.value is None else f"{c.value:+.2f}"
    value += f" ± {c.error:.2f}" if c.error else ""
    leads = c.details.get("leads_to", {})
    ends = ", ".join(f"{name} {100 * share:.0f} %" for name, share in leads.items())
    return str(c.action), value, c.note, ends


def _auction(view: View) -> str:
    return " ".join(str(c) for c in view.auction.calls) or "no call"
