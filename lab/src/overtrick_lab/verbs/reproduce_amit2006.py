"""`overtrick reproduce amit2006`: the experiments of "Learning to bid in bridge"."""

from __future__ import annotations

from pathlib import Path

import click

from overtrick_lab.verbs.reproducing import Running, shared_options

STAGES = (
    "search", "learning", "ahead", "nets", "restricted", "sample", "time", "utility", "exchange",
    "apart", "published",
)  # fmt: skip


@click.command("amit2006")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with bidding_challenges.jsonl, for the stage `published`.",
)
@click.option(
    "--scale",
    type=click.Choice(("hour", "paper", "small", "quick")),
    default="small",
    show_default=True,
    help="small: the paper's learning with three seeds, some 20 minutes of one core; paper: tested "
    "as often as there, hours; hour: two seeds, eight sweeps; quick: to see it work.",
)
@click.option("--quick", "scale", flag_value="quick", help="Short for --scale quick.")
@click.option("--stage", "stages", type=click.Choice(STAGES), multiple=True, help="Only these.")
@click.option(
    "--system",
    default="book",
    show_default=True,
    help="Rules to learn on: the experiments' own, a system of the library, or a folder of rules.",
)
@click.option("--minutes", default=0.0, help="Stop learning after so many minutes a seed.")
@shared_options("amit2006")
def command(
    run: Running,
    data: Path | None,
    scale: str,
    stages: tuple[str, ...],
    system: str,
    minutes: float,
) -> None:
    """Two partners co-train their decision nets and are tested on bidding challenges.

    \b
    Examples:
      overtrick reproduce amit2006 --quick
      overtrick reproduce amit2006 --workers 2 --stage learning
      overtrick reproduce amit2006 --scale paper --ray auto
      overtrick reproduce amit2006 --scale small --system sayc --out reproduced/sayc
    """
    from overtrick_lab.papers.amit2006 import experiments, figures, report

    run.only(scale=scale, system=system)
    bench = experiments.ExperimentFolder(run.out, experiments.SCALES[scale], minutes, data, system)
    wanted = [s for s in STAGES if s in (stages or STAGES)]
    tasks = [t for stage in wanted for t in experiments.tasks(bench, stage)]
    run.fill(tasks)
    drawn = figures.draw(bench)
    cells = {t.key: bench.store.get(t.key) for t in tasks}
    run.report(report.page(bench, drawn), cells)
