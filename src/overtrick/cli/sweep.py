"""`overtrick sweep`: an engine's options tried out against one opponent on the same boards.
The work is in `arena.sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import console, echo_json, progress
from overtrick.cli.running import (
    backend_of,
    chosen_deals,
    goes_on,
    say_how_it_is_played,
    say_promise,
    where_option,
)

if TYPE_CHECKING:
    from overtrick.arena import Match


@click.command("sweep")
@click.argument("template")
@click.argument("opponent")
@click.option("-n", "--boards", default=100, show_default=True, type=click.IntRange(min=1),
              help="Boards, each in both rooms.")  # fmt: skip
@click.option("--seed", type=int,
              help="Which random deals; 0, or secret ones for engines of others.")  # fmt: skip
@click.option("--play", is_flag=True, help="Play the cards too (default: double-dummy score).")
@click.option("--deals", default="random", show_default=True, help="As in `overtrick match`.")
@where_option
@click.option(
    "--dir", "folder", type=click.Path(file_okay=False, path_type=Path), help="Keep matches here."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    template: str,
    opponent: str,
    boards: int,
    seed: int | None,
    play: bool,
    deals: str,
    workers: str,
    ray: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Try every choice {a,b,c} in an engine string; differences are paired board by board.

    \b
    Examples:
      overtrick sweep "rules(system={sayc,two-over-one})" points -n 200
      overtrick sweep "points+pimc(worlds={10,20,40})" points+pimc -n 50 --play --dir sweep
    """
    from overtrick.arena import Match
    from overtrick.arena.sweep import expand, sweep
    from overtrick.table import robot

    engines = expand(template)
    for spec in (*engines, opponent):
        robot(spec)
    specs = [*engines, opponent]
    number, source = chosen_deals(seed, deals, specs, _kept(folder))
    job = Match(
        engines[0], opponent, boards, seed=number, method="play" if play else "dd", deals=source
    )
    backend = backend_of(workers, ray)
    total = boards * len(engines)
    say_how_it_is_played(specs, source, number)
    with goes_on(folder), progress("boards", total) as update:
        points = sweep(template, job, folder, backend, update, say_promise)
    if as_json:
        echo_json(
            [
                {
                    "engine": p.engine,
                    "imps_per_board": p.result.mean,
                    "standard_error": p.result.error,
                    "over_first": p.over_first.mean,
                    "over_first_error": p.over_first.error,
                }
                for p in points
            ]
        )
        return
    from rich.table import Table

    table = Table()
    for head in ("engine", f"IMPs/board against {opponent}", "over the first, same boards"):
        table.add_column(head, overflow="fold")  # names are never cut
    for p in points:
        first = p is points[0]
        table.add_row(
            p.engine,
            f"{p.result.mean:+.3f} ± {p.result.error:.3f}",
            "" if first else f"{p.over_first.mean:+.3f} ± {p.over_first.error:.3f}",
        )
    console().print(table)


def _kept(folder: Path | None) -> Match | None:
    """The first match of a sweep that goes on."""
    from overtrick.arena.store import Store

    if folder is None or not (folder / "001.sqlite").exists():
        return None
    with Store(folder / "001.sqlite") as store:
        return store.job
