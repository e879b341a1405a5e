"""`overtrick label`: random deals solved double dummy into a file, on one machine or many.
The work is in `arena.labels`."""

from __future__ import annotations

from pathlib import Path

import click

from overtrick.cli.common import NewFile, echo_json, progress
from overtrick.cli.running import backend_of, goes_on, where_option


@click.command("label")
@click.argument("file", type=NewFile(".npz"))
@click.option("-n", "--deals", "count", default=100, show_default=True, type=click.IntRange(min=1),
              help="How many deals.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Which random deals.")
@where_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    file: Path, count: int, seed: int, workers: str, ray: str | None, as_json: bool
) -> None:
    """Solve random deals for matches (`--deals FILE`) and training; interrupted runs go on.

    \b
    Example:
      overtrick label deals.npz -n 1000 -w 2
    """
    from overtrick.arena.labels import label

    backend = backend_of(workers, ray)
    with goes_on(file), progress("double dummy", count) as update:
        solved = label(file, count, seed, backend, update)
    if as_json:
        echo_json({"file": str(file), "deals": len(solved)})
    else:
        click.echo(f"{len(solved)} solved deals in {file}")
