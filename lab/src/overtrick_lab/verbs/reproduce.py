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
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(context: click.Context, out: Path, quick: bool, as_json: bool) -> None:
    """List the papers and their status, or repeat the tables and figures of one.

    \b
    Examples:
      overtrick reproduce
      overtrick reproduce --quick
      overtrick reproduce frank1998
      overtrick reproduce all --data data --out reproduced
    """
    if context.invoked_subcommand is not None:
        return
    from overtrick_lab.verbs import reproduce_all

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
