"""`overtrick reproduce gamback1993`: the examples of "Pragmatic reasoning in bridge"."""

from __future__ import annotations

from dataclasses import replace

import click

from overtrick.cli.reproducing import Running, shared_options


@click.command("gamback1993")
@click.option("--boards", default=40, show_default=True, help="Boards of pragma against rules.")
@click.option("--seed", default=1, show_default=True, help="Which deals.")
@click.option("--quick", is_flag=True, help="Fewer deals, 4 boards.")
@shared_options("gamback1993")
def command(run: Running, boards: int, seed: int, quick: bool) -> None:
    """Repeat PRAGMA (Gambäck, Rayner & Pell 1993): inferences, R-deals, nets, choice sets, plans.

    Example: overtrick reproduce gamback1993 --quick
    """
    from overtrick.papers.gamback1993 import reproduce

    size = replace(reproduce.QUICK, seed=seed) if quick else reproduce.Size(boards, seed)
    run.fill(reproduce.tasks(size, run.out))
    found = reproduce.found(size, run.out, run.store)
    run.report(reproduce.page(found), found)
