"""`overtrick challenge`: an engine bids a set of problems and earns awards.
Used from the command line; the work is in `arena.challenge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import coloured, console, echo_json, progress
from overtrick.cli.running import backend_of

if TYPE_CHECKING:
    from overtrick.arena.challenge import Answer


@click.command("challenge")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--engine", default="points", show_default=True, help="Who bids North-South.")
@click.option("--set", "only", help="Only this set of the file.")
@click.option("-w", "--workers", default="1", show_default=True, help="Processes.")
@click.option("--totals", "short", is_flag=True, help="Only the totals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    file: Path, engine: str, only: str | None, workers: str, short: bool, as_json: bool
) -> None:
    """Bid problems with awards for each contract; the opponents follow the file's script.

    Example: overtrick challenge problems.jsonl --engine points --set pavlicek-1
    """
    from overtrick.arena.challenge import load, solve, totals
    from overtrick.table import robot

    robot(engine)
    problems = load(file, only)
    backend = backend_of(workers, None)
    answers: list[Answer] = []
    with progress("bidding problems", len(problems)) as update:
        for answer in solve(engine, problems, backend):
            answers.append(answer)
            update(len(answers), len(problems))
    sums = totals(answers)
    if as_json:
        echo_json(
            {
                "engine": engine,
                "totals": {name: list(pair) for name, pair in sums.items()},
                "problems": [_plain(a) for a in answers],
            }
        )
        return
    if not short:
        _show(answers)
    for name, (earned, possible) in sums.items():
        click.echo(f"{name}: {earned:g} of {possible:g} ({100 * earned / possible:.1f} %)")


def _plain(answer: Answer) -> dict[str, object]:
    p = answer.problem
    return {
        "set": p.set,
        "board": p.board,
        "auction": answer.auction,
        "contract": answer.contract,
        "award": answer.award,
        "best": p.best,
        "best_contracts": p.best_contracts,
    }


def _show(answers: list[Answer]) -> None:
    from rich.table import Table

    table = Table("problem", "auction", "contract", "award", "best")
    for a in answers:
        p = a.problem
        best = f"{p.best:g} for {', '.join(p.best_contracts)}"
        table.add_row(f"{p.set} {p.board}", a.auction, coloured(a.contract), f"{a.award:g}", best)
    console().print(table)
