"""`overtrick movement`: who sits where with which boards, for an evening of pairs.
The work is in `duplicate.movements`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overtrick.cli.common import console, echo_json, json_option

if TYPE_CHECKING:
    from overtrick.duplicate.movements import Movement, Placement


@click.command("movement")
@click.argument("kind", type=click.Choice(["mitchell", "howell"]))
@click.argument("pairs", type=int)
@click.option("-r", "--rounds", type=int, help="As many as the movement has, unless you say less.")
@click.option("-e", "--each", type=click.IntRange(1, 16), default=2, show_default=True,
              help="Boards in a round.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="Print a line for each table and round.")
@json_option
def command(
    kind: str, pairs: int, rounds: int | None, each: int, as_csv: bool, as_json: bool
) -> None:
    """A movement for 4 to 40 pairs, made and proved: nobody meets anybody twice, or plays a board
    twice, or sits out twice.

    In a Mitchell half of the pairs stay North-South, and each direction has a list of its own; in
    a Howell everybody meets everybody, in one list. With an odd number of pairs one sits out in
    each round.

    \b
    Examples:
      overtrick movement mitchell 14 --each 3
      overtrick movement howell 8 --csv
    """
    from overtrick.duplicate.movements import howell, mitchell
    from overtrick.duplicate.written import movement_table

    made = (howell if kind == "howell" else mitchell)(pairs, rounds, each)
    if as_json:
        echo_json(
            [
                {
                    "round": number, "table": p.table, "ns": p.ns, "ew": p.ew,
                    "boards": list(made.boards(p.boards)),
                }
                for number, places in enumerate(made.rounds, 1) for p in places
            ]
        )  # fmt: skip
        return
    if as_csv:
        click.echo(movement_table(made), nl=False)
        return
    lists = "a list for each direction" if made.two_fields else "one list"
    out = console()
    out.print(f"{kind.capitalize()} for {pairs} pairs: {len(made.rounds)} rounds, "
              f"{made.sets * each} boards, {len(made.rounds) * each} to play, {lists}")  # fmt: skip
    out.print("table: North-South–East-West (boards)")
    if made.copies > 1:
        out.print(f"{made.copies} tables play the same boards at the same time")
    for number, places in enumerate(made.rounds, 1):
        told = [f"{p.table}: {p.ns}–{p.ew} ({_boards(made, p)})" for p in places]
        idle = made.sits_out(number)
        rest = f", {idle[0]} sits out" if idle else ""
        out.print(f"Round {number}: {', '.join(told)}{rest}", highlight=False)


def _boards(made: Movement, at: Placement) -> str:
    boards = made.boards(at.boards)
    return str(boards[0]) if len(boards) == 1 else f"{boards[0]}–{boards[-1]}"
