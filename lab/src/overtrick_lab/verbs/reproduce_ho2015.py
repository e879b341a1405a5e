"""`overtrick reproduce ho2015`: "Contract bridge bidding by learning" and what came after."""

from __future__ import annotations

from pathlib import Path

import click

from overtrick_lab.verbs.reproducing import Running, shared_options

STAGES = (
    "baselines", "updates", "piles", "grid", "structures", "categories", "engines", "networks",
)  # fmt: skip


@click.command("ho2015")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with double_dummy.npz and, for a column of its own, uncontested_costs.npz.  "
    "[default: data/solved_deals.npz]",
)
@click.option(
    "--scale",
    type=click.Choice(("full", "medium", "quick")),
    default="full",
    show_default=True,
    help="CPU time: full about two hours, medium 40 minutes, quick a minute or two.",
)
@click.option("--quick", "scale", flag_value="quick", help="Short for --scale quick.")
@click.option("--stage", "stages", type=click.Choice(STAGES), multiple=True, help="Only these.")
@click.option(
    "--networks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder written by `overtrick train uncontested`.",
)
@click.option("--ship", is_flag=True, help="Put the best models into the package (maintainers).")
@shared_options("ho2015")
def command(
    run: Running,
    data: Path | None,
    scale: str,
    stages: tuple[str, ...],
    networks: Path | None,
    ship: bool,
) -> None:
    """Repeat Ho & Lin 2015 and its successors; stop and go on at any time.

    \b
    Examples:
      overtrick reproduce ho2015 --quick
      overtrick reproduce ho2015 --scale medium --stage baselines --stage structures
    """
    from overtrick_lab.papers.deals import published_pairs, solved_deals
    from overtrick_lab.papers.ho2015 import experiment, report

    deals = solved_deals(data)
    run.only(scale=scale, deals=deals.name)
    if not run.report_only:
        source = experiment.CellSource(deals, published_pairs(data), run.out, scale, networks)
        for stage in STAGES:
            if stage in (stages or STAGES):
                run.fill(experiment.tasks(source, stage))
        if ship:
            from overtrick_lab.papers.ho2015.ship import ship_models

            ship_models(source)
    plots = report.plot(run.store, run.out)
    cells = {path.stem: run.store.get(path.stem) for path in run.store.folder.glob("*.json")}
    run.report(report.page(run.store, plots), cells)
