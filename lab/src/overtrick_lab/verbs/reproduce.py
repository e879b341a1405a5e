"""`overtrick reproduce`: the papers and how far each is repeated here; runs one or all of them.

Each paper is a file `reproduce_PAPER.py`, loaded when called."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from overtrick.cli.common import console, echo_json
from overtrick.cli.lazy import LazyGroup
from overtrick_lab.papers import PAPERS

DEFAULT_OUT: Final = Path("reproduced")
_TITLES: Final = {name: str(paper) for name, paper in PAPERS.items()}


@click.group(
    "reproduce",
    cls=LazyGroup,
    sections={"Papers": _TITLES, "All of them": {"all": "run every paper and write one site"}},
    package=__package__,
    prefix="reproduce_",
    invoke_without_command=True,
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    help="The folder of `reproduce all` whose state is shown.",
)
@click.option("--quick", is_flag=True, help="Run all of them with small numbers.")
@click.option(
    "--check",
    is_flag=True,
    help="What changed since the pages' figures were made, and those figures measured again.",
)
@click.option("--hashes", is_flag=True, help="With --check: only what changed, nothing measured.")
@click.option(
    "--paper",
    "chosen",
    type=click.Choice(list(PAPERS)),
    multiple=True,
    help="With --check: only these.",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="With --check: the folder that the pages' figures were made with.",
)
@click.option("-w", "--workers", default="all", show_default=True, help="Processes, or `here`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    context: click.Context,
    out: Path,
    quick: bool,
    check: bool,
    hashes: bool,
    chosen: tuple[str, ...],
    data: Path | None,
    workers: str,
    as_json: bool,
) -> None:
    """List the papers and their status, or repeat the tables and figures of one.

    \b
    Examples:
      overtrick reproduce
      overtrick reproduce --quick
      overtrick reproduce frank1998
      overtrick reproduce --check --hashes
      overtrick reproduce --check --paper qiu2024 --data data
      overtrick reproduce all --data data --out reproduced
    """
    if context.invoked_subcommand is not None:
        return
    from overtrick_lab.verbs import reproduce_all, reproduce_check

    if check:
        told = reproduce_check.check(chosen, data, workers, measure=not hashes)
        reproduce_check.show(told, as_json=as_json)
        return
    if quick:
        context.invoke(reproduce_all.command, out=out, quick=True, as_json=as_json)
        return
    found = reproduce_all.states(out)
    if as_json:
        echo_json([{"paper": s.name, "title": _TITLES[s.name], "status": s.words} for s in found])
        return
    from rich.table import Table

    table = Table("paper", "", "status")
    for state in found:
        table.add_row(state.name, _TITLES[state.name], state.words)
    console().print(table)
