"""`overtrick reproduce bidi`: learning, co-training and the experiments of "Learning to bid".
Used from the command line; the work is in `training.bidi`."""

from __future__ import annotations

from pathlib import Path

import click

STAGES = (
    "learning", "ahead", "restricted", "sample", "time", "utility", "exchange", "published",
)  # fmt: skip


@click.command("bidi")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("bidi"),
    show_default=True,
    help="Where nets, finished pieces, report and figures go; a second run goes on from there.",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with bidding_challenges.jsonl, for the stage `published`.",
)
@click.option(
    "--scale",
    type=click.Choice(("hour", "paper", "small", "quick")),
    default="hour",
    show_default=True,
    help="hour: two seeds, about an hour of two cores each; small: one seed, minutes; quick: to "
    "see it work; paper: its full size, for a pool.",
)
@click.option("--quick", "scale", flag_value="quick", help="Short for --scale quick.")
@click.option("--stage", "stages", type=click.Choice(STAGES), multiple=True, help="Only these.")
@click.option("--workers", default="here", show_default=True, help="Processes, or 'here'.")
@click.option("--ray", help="Run on Ray: 'auto', an address or 'local'.")
@click.option("--minutes", default=0.0, help="Stop learning after so many minutes a seed.")
@click.option("--report-only", is_flag=True, help="Only write the report of what is there.")
@click.option("--json", "as_json", is_flag=True, help="Print the finished pieces as JSON.")
def command(
    out: Path, data: Path | None, scale: str, stages: tuple[str, ...], workers: str,
    ray: str | None, minutes: float, report_only: bool, as_json: bool,
) -> None:  # fmt: skip
    """Two partners co-train their decision nets and are tested on bidding challenges.

    \b
    Examples:
      overtrick reproduce bidi --quick
      overtrick reproduce bidi --out bidi --workers 2 --stage learning
      overtrick reproduce bidi --scale paper --ray auto
    """
    from rich.console import Console
    from rich.progress import Progress

    from overtrick.cli.common import echo_json
    from overtrick.cli.running import backend_of
    from overtrick.notation.whole import write_whole
    from overtrick.training.bidi import experiments, figures, report
    from overtrick.training.bidi.workforce import Workforce

    console = Console(stderr=True)
    out.mkdir(parents=True, exist_ok=True)
    bench = experiments.Bench(out, experiments.SCALES[scale], minutes, data)
    wanted = [s for s in STAGES if s in (stages or STAGES)]
    todo = [t for stage in wanted for t in experiments.tasks(bench, stage)]
    if not report_only:
        with Workforce(backend_of(workers, ray)) as force, Progress(console=console) as progress:
            bar = progress.add_task("bidi", total=len(todo))
            for task in todo:
                progress.update(bar, description=task.words)
                if bench.store.get(task.key) is None:
                    bench.store.put(task.key, task.make(force))
                progress.advance(bar)
    text = report.page(bench)
    write_whole(out / "report.md", text)
    drawn = figures.draw(bench)
    if as_json:
        echo_json({t.key: bench.store.get(t.key) for t in todo})
        return
    click.echo(text)
    console.print(f"report: {out / 'report.md'}; figures: {', '.join(p.name for p in drawn)}")
