"""`overtrick train cotrain`: two partners learn agreements on a bidding system (Amit & Markovitch,
section 4.3), as decision nets that `pidm(nets=FILE)` plays."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from overtrick.cli.common import echo_json


@click.command("cotrain")
@click.option(
    "--system",
    default="two-over-one",
    show_default=True,
    help="Whose choices are settled: a system of the library, or a folder of rules.",
)
@click.option(
    "--theirs", default="pass", show_default=True, help="What the opponents play; pass: nothing."
)
@click.option(
    "--utility",
    default="tricks",
    show_default=True,
    help="What both want: tricks, ltc, total or dd.",
)
@click.option(
    "--nets",
    default=40,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Nets refined in a sweep.",
)
@click.option(
    "--sweeps",
    default=1,
    show_default=True,
    type=click.IntRange(1, 20),
    help="Later sweeps tag anew with what has been learned.",
)
@click.option(
    "--examples",
    default=150,
    show_default=True,
    type=click.IntRange(5, 10_000),
    help="Tagged states a net.",
)
@click.option(
    "--worlds", default=40, show_default=True, type=click.IntRange(1, 1000), help="Worlds a tag."
)
@click.option(
    "--learner",
    default="preferences",
    show_default=True,
    type=click.Choice(["preferences", "nets"]),
    help="One order of preference, or the paper's trees on intersection nodes.",
)
@click.option(
    "--margin",
    default=0.0,
    show_default=True,
    help="Standard errors by which a learned line must beat the rules' calls.",
)
@click.option(
    "--minutes",
    default=0.0,
    show_default=True,
    help="Stop after so many; 0: when the sweeps are done.",
)
@click.option("--seed", default=0, show_default=True, help="Everything random comes from this.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    help="Processes; what is learned does not depend on them.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("cotrained"),
    show_default=True,
    help="Folder: north.bid, south.bid, learned.bid, the log.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    system: str, theirs: str, utility: str, nets: int, sweeps: int, examples: int, worlds: int,
    learner: str, margin: float, minutes: float, seed: int, workers: int, out: Path, as_json: bool,
) -> None:  # fmt: skip
    """Two partners co-train agreements: which of the calls that their system allows is best.

    The same command goes on after a kill. Play what was learned with
    `--engine "pidm(system=SYSTEM, nets=cotrained/learned.bid)"`.

    Example: overtrick train cotrain --system two-over-one --nets 8 --worlds 10 --out mine
    """
    from time import monotonic

    from overtrick.arena.run import Backend
    from overtrick_lab.papers.amit2006.cotrain import Cotraining, CotrainSettings
    from overtrick_lab.papers.workforce import Workforce

    settings = CotrainSettings(
        system=system, theirs=theirs, utility=utility, nets=nets, sweeps=sweeps, examples=examples,
        worlds=worlds, learner=learner, margin=margin, seed=seed,  # type: ignore[arg-type]
        per_round=min(16, nets),
    )  # fmt: skip
    _only(out, settings)
    run, began = Cotraining(settings, out), monotonic()
    with Workforce(Backend.parse(str(workers))) as hands:
        while not run.finished and (not minutes or monotonic() - began < 60 * minutes):
            entry = run.round(hands)
            told = f"sweep {entry['sweep'] + 1}, {entry['refined']} nets refined"
            click.echo(f"{told}, {entry['seconds']:.0f} s", err=True)
    found = {"refined": run.progress.refined, "finished": run.finished,
             "file": str(out / "learned.bid")}  # fmt: skip
    if as_json:
        echo_json(found)
        return
    click.echo(f"{found['refined']} nets refined: {found['file']}")


def _only(out: Path, settings: object) -> None:
    """Refuse a folder in which something else was learned."""
    path = out / "state.json"
    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))["settings"]
        if known != json.loads(json.dumps(asdict(settings))):  # type: ignore[call-overload]
            raise click.UsageError(f"{out} has a run with other settings: give another --out")
