"""`overtrick reproduce`: the papers and how far each is repeated here; runs one or all of them.
Used from the command line; each paper is a file `reproduce_PAPER.py`, loaded when called."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from overtrick.cli.common import console, echo_json
from overtrick.cli.lazy import LazyGroup

PAPERS: Final = {
    "bidi": "Amit & Markovitch 2006: learning to bid, the PIDM algorithm",
    "frank1998": "Frank & Basin 1998: search in games with incomplete information",
    "ho2015": "Ho & Lin 2015: contract bridge bidding by learning",
    "pragma": "Gambäck, Rayner & Pell 1993: pragmatic reasoning in bridge",
    "qiu2024": "Qiu et al. 2024: deep learning and belief Monte Carlo search",
}
DEFAULT_OUT: Final = Path("reproduced")


@click.group(
    "reproduce",
    cls=LazyGroup,
    sections={"Papers": PAPERS, "All of them": {"all": "run every paper and write one site"}},
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
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(context: click.Context, out: Path, as_json: bool) -> None:
    """List the papers and their status, or repeat the tables and figures of one.

    \b
    Examples:
      overtrick reproduce
      overtrick reproduce frank1998 --quick
      overtrick reproduce all --data data --out reproduced
    """
    if context.invoked_subcommand is not None:
        return
    from overtrick.cli.reproduce_all import states

    found = states(out)
    if as_json:
        echo_json([{"paper": s.name, "title": PAPERS[s.name], "status": s.words} for s in found])
        return
    from rich.table import Table

    table = Table("paper", "", "status")
    for state in found:
        table.add_row(state.name, PAPERS[state.name], state.words)
    console().print(table)
