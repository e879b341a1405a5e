"""`overtrick diff`: where the engines of a stored match parted ways, with both explanations.
The work is in `arena.diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import coloured, console, echo_json

if TYPE_CHECKING:
    from overtrick.arena.diff import Parting


@click.command("diff")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-n", "--boards", default=5, show_default=True, type=click.IntRange(min=1),
    help="How many of the biggest swings.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(db: Path, boards: int, as_json: bool) -> None:
    """Show the boards on which two engines differ most, and why each did what it did.

    \b
    Example:
      overtrick match rules points --db m.sqlite
      overtrick diff m.sqlite
    """
    from overtrick.arena.diff import partings
    from overtrick.arena.store import Store

    store = Store(db)
    found = partings(store, boards)
    if as_json:
        rows = [
            {
                "board": p.board.number,
                "deal": p.board.deal.pbn(),
                "imps": p.imps,
                "before": p.before,
                "open": p.open.to_dict(),
                "closed": p.closed.to_dict(),
            }
            for p in found
        ]
        echo_json(rows)
        return
    out = console()
    a, b = store.job.a, store.job.b
    out.print(f"A is {a}, North-South in the open room; B is {b}", markup=False)
    for p in found:
        _show(p)
    if not found:
        out.print("The two tables never parted: the engines did the same everywhere.")


def _show(p: Parting) -> None:
    from overtrick.notation.diagram import text_board

    out = console()
    out.print(f"\n[bold]Board {p.board.number}: {p.imps:+d} IMPs for A[/bold]")
    out.print(coloured(text_board(p.board)))
    if p.index == 0:
        where = "The tables parted at the first call:"
    else:
        where = f"The tables parted after {p.before}:"
    out.print(coloured(where))
    for room, decision in (("open  ", p.open), ("closed", p.closed)):
        words, why = decision.meaning.words, decision.why
        more = f" — {why}" if why and why != words else ""
        out.print(coloured(f"  {room} {decision.action}: {words}{more}"))
