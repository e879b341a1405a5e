"""`overtrick diff`: where the engines of a stored match parted ways, with both explanations.
Used from the command line; the work is in `arena.diff`."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("diff")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-n", "--boards", default=5, show_default=True, help="How many of the biggest swings."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(db: Path, boards: int, as_json: bool) -> None:
    """Show the boards on which two engines differ most, and why each did what it did.

    Example: overtrick match points pass --db m.sqlite && overtrick diff m.sqlite
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
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    for p in found:
        console.print(
            f"\n[bold]Board {p.board.number}[/], {p.imps:+d} IMPs for A, dealer {p.board.dealer}, "
            f"vulnerable {p.board.vul}",
            highlight=False,
        )
        from overtrick.notation.diagram import text_board

        console.print(text_board(p.board), highlight=False)
        console.print(f"after: {p.before}", highlight=False)
        for room, decision in (("open  ", p.open), ("closed", p.closed)):
            words = decision.meaning.words
            why = f" — {decision.why}" if decision.why else ""
            console.print(f"  {room} {decision.action}: {words}{why}", highlight=False)
    if not found:
        console.print("The two tables never parted: the engines did the same everywhere.")
