"""`overtrick plan`: a plan for the play, suit by suit, as resources and in words.
The work is in `overtrick.cardplay.plans`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overtrick.cli.common import (
    ContractParam,
    boards_from,
    coloured,
    console,
    echo_json,
    json_option,
    thinking,
    words_argument,
)
from overtrick.game import Board, Card, Contract, Seat

if TYPE_CHECKING:
    from overtrick.cardplay.plans import Plan, SuitCourse, SuitReport


@click.command("plan")
@words_argument("source")
@click.option("--contract", type=ContractParam(), required=True, help="With declarer: '3NT S'.")
@click.option("--lead", help="The opening lead, e.g. HQ; the solver's choice if not given.")
@click.option("-b", "--board", "number", type=click.IntRange(min=1),
              help="Board number in a file.")  # fmt: skip
@click.option(
    "--lines", is_flag=True, help="Also every other way to play a suit that is worth keeping."
)
@json_option
def command(
    source: str,
    contract: Contract,
    lead: str | None,
    number: int | None,
    lines: bool,
    as_json: bool,
) -> None:
    """Plan the play of a hand with all cards seen.

    SOURCE is a deal in PBN text or a file (PBN, LIN, …).

    Each suit is searched alone for lines that produce and consume tricks, entries, discards and
    ruffs; lines of several suits are then matched, what one produces another consumes. The plan is
    played against a double-dummy defence before it is shown.

    \b
    Examples:
      overtrick plan "N:AK5.763.AQ42.K83 - QJT942.K5.K63.A7 873.AQJ9.JT8.QT4" --contract "4S S"
      overtrick plan deal.pbn --contract "4S S" --lead HK
      overtrick plan boards.pbn --board 3 --contract "3NT S" --lines
    """
    from overtrick.cardplay.plans import plan_deal

    boards = boards_from(source)
    picked = [b for b in boards if number is None or b.number == number]
    if not picked:
        raise click.UsageError(f"{source} has no board {number}")
    if len(picked) > 1:
        raise click.UsageError(f"{source} has {len(picked)} boards: choose one with --board")
    if contract.declarer is None:
        raise click.UsageError("say who is declarer, e.g. --contract '4S S'")
    with thinking("planning"):
        made = plan_deal(picked[0].deal, contract, Card.parse(lead) if lead else None)
    if as_json:
        from overtrick.service.cardfacts import planned

        echo_json(planned(made, contract))
        return
    _show(picked[0], made, contract, lines)


def _show(board: Board, made: Plan, contract: Contract, lines: bool) -> None:
    from overtrick.cardplay.plans.words import sentences, summary
    from overtrick.notation.diagram import text_board

    out = console()
    out.print(coloured(text_board(board)))
    out.print()
    out.print(coloured(f"{contract}: {summary(made)}."))
    out.print()
    for report in made.suits:
        out.print(coloured(_suit(report, contract.declarer)))
        if lines:
            ways = ["; ".join(_parts(line, contract.declarer)) for line in report.lines]
            chosen = _suit(report, contract.declarer)
            for words in dict.fromkeys(ways):  # lines that differ in their cards only are one way
                if not chosen.endswith(words):
                    out.print(coloured(f"   or {words}"), style="dim")
    if made.play:
        out.print()
    for i, text in enumerate(sentences(made), 1):
        out.print(coloured(f"{i:3d}. {text}"))


def _suit(report: SuitReport, declarer: Seat) -> str:
    """What the plan makes of a suit: its tricks, what it needs and what it gives."""
    line = report.chosen
    if line is None:
        return f"{report.suit.symbol}  left alone"
    return f"{report.suit.symbol}  {'; '.join(_parts(line, declarer))}"


def _parts(line: SuitCourse, declarer: Seat) -> list[str]:
    """One way to play a suit: its tricks, what it needs and what it gives."""
    won = "1 trick" if line.tricks == 1 else f"{line.tricks} tricks"
    parts = [won + (f", {line.lost} lost" if line.lost else "")]
    for words, verb in (("needs", "consume"), ("gives", "produce")):
        found = [
            text
            for what in ("entry", "discard", "ruff")
            for place, seat in (("hand", declarer), ("dummy", declarer.partner))
            if (text := _resource(what, place, line.count(verb, what, seat)))
        ]
        if found:
            parts.append(f"{words} {', '.join(found)}")
    return parts


def _resource(what: str, place: str, count: int) -> str:
    many = {"entry": "entries"}.get(what, f"{what}s")
    join = {"entry": "to", "discard": "from", "ruff": "in"}[what]
    return f"{count} {what if count == 1 else many} {join} {place}" if count else ""
