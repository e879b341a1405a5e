"""`overtrick reproduce gamback1993`: the examples of "Pragmatic reasoning in bridge"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from overtrick_lab.verbs.reproducing import Running, shared_options

STAGES = ("examples", "nets", "plans", "match", "ablations", "planner")
_QUICK = ("examples", "nets", "plans", "match")


@click.command("gamback1993")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with solved deals for matches and nets.  [default: data/solved_deals.npz]",
)
@click.option("--boards", default=40, show_default=True, help="Boards of each match.")
@click.option("--first", default=10_000, show_default=True, help="The first solved deal played.")
@click.option("--seed", default=1, show_default=True, help="Of the imagined deals.")
@click.option("--stage", "stages", type=click.Choice(STAGES), multiple=True, help="Only these.")
@click.option("--quick", is_flag=True, help="Fewer imagined deals, 4 boards, no ablations.")
@shared_options("gamback1993")
def command(
    run: Running,
    data: Path | None,
    boards: int,
    first: int,
    seed: int,
    stages: tuple[str, ...],
    quick: bool,
) -> None:
    """Repeat PRAGMA (Gambäck, Rayner & Pell 1993): inferences, R-deals, nets, choice sets, plans,
    and a match against the rules with the share of each knowledge source.

    \b
    Examples:
      overtrick reproduce gamback1993 --quick
      overtrick reproduce gamback1993 --stage match --stage ablations --boards 1000
    """
    from overtrick_lab.papers.deals import solved_deals
    from overtrick_lab.papers.gamback1993 import reproduce

    size = reproduce.MatchSizes(boards, seed, first=first)
    if quick:
        size = replace(reproduce.QUICK, seed=seed, first=first)
    for stage in () if run.report_only else stages or (_QUICK if quick else STAGES):
        run.fill(reproduce.tasks(size, solved_deals(data), stage, run.out))
    found = reproduce.found(size, run.store)
    run.report(reproduce.page(found), found)
