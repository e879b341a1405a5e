"""`overtrick reproduce ho2015`: the tables and figures of "Contract Bridge Bidding by Learning".
Used from the command line; the work is in `training.bandit`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import click

STAGES = ("baselines", "updates", "piles", "structures", "categories", "networks")


@click.command("ho2015")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with double_dummy.npz and uncontested_costs.npz.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ho2015"),
    show_default=True,
    help="Where finished pieces, models, report and plots go; a second run goes on from there.",
)
@click.option(
    "--scale",
    type=click.Choice(("full", "medium", "quick")),
    default="full",
    show_default=True,
    help="CPU time: full about two hours, medium 40 minutes, quick a minute or two.",
)
@click.option("--quick", "scale", flag_value="quick", help="Short for --scale quick.")
@click.option(
    "--stage",
    "stages",
    type=click.Choice(STAGES),
    multiple=True,
    help="Only these stages (default: all).",
)
@click.option(
    "--networks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder written by `python -m overtrick.training.bandit.gpu`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the finished pieces as JSON.")
def command(
    data: Path,
    out: Path,
    scale: str,
    stages: tuple[str, ...],
    networks: Path | None,
    as_json: bool,
) -> None:
    """Repeat Ho & Lin 2015 and its successors; stop and go on at any time.

    Example: overtrick reproduce ho2015 --data data --out ho2015 --quick
    """
    from rich.console import Console
    from rich.progress import Progress

    from overtrick.training.bandit import experiment, report
    from overtrick.training.bandit import networks as nets

    console = Console(stderr=True)
    for name in ("double_dummy.npz", "uncontested_costs.npz"):
        if not (data / name).exists():
            raise click.ClickException(f"{data} has no {name}")
    bench = experiment.open_bench(data, out, experiment.SCALES[scale])
    wanted = stages or STAGES
    makers: dict[str, Callable[[], Iterable[experiment.Task]]] = {
        "baselines": lambda: experiment.baseline_tasks(bench),
        "updates": lambda: experiment.update_tasks(bench),
        "piles": lambda: experiment.pile_tasks(bench),
        "structures": lambda: experiment.structure_tasks(bench),
        "categories": lambda: experiment.category_tasks(bench, out / "models"),
        "networks": lambda: nets.tasks(bench, networks) if networks else (),
    }
    tasks = [task for stage in STAGES if stage in wanted for task in makers[stage]()]
    with Progress(console=console) as progress:
        bar = progress.add_task("ho2015", total=len(tasks))
        for task in tasks:
            progress.update(bar, description=task.words)
            try:
                bench.store.ensure(task.key, task.make)
            except ValueError as error:
                raise click.ClickException(str(error)) from error
            progress.advance(bar)
    text = report.page(bench.store)
    (out / "report.md").write_text(text, encoding="utf-8")
    plots = report.plot(bench.store, out)
    if as_json:
        cells = {task.key: bench.store.get(task.key) for task in tasks}
        click.echo(json.dumps(cells))
        return
    click.echo(text)
    console.print(f"report: {out / 'report.md'}; plots: {', '.join(str(path) for path in plots)}")
