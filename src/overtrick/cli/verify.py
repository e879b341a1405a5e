"""`overtrick verify`: was a match played on the boards that were promised?
The work is in `arena.verify`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from overtrick.cli.common import echo_json


@click.command("verify")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--promise", "promises", multiple=True, metavar="SHA-256",
              help="What was printed before the first board, once in each run.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(db: Path, promises: tuple[str, ...], as_json: bool) -> None:
    """Check a stored match: the boards against what was promised, calls and cards by the rules.

    Boards of a secret deck are told with their seals: each seal is opened, its cards are compared
    with those that were played, and its SHA-256 with the list that was promised before the first
    board. Random boards are dealt again from their seed. Cards are played again to the last trick;
    where there are none, contracts are solved double dummy. What was promised and is not there is
    told. A match that fails ends with exit code 1.

    \b
    Example:
      overtrick match ./my_engine.py points -n 64 --db m.sqlite
      overtrick verify m.sqlite
    """
    from overtrick.arena.store import Store
    from overtrick.arena.verify import verified
    from overtrick.engines.seal import WORDS
    from overtrick.game.errors import printable

    with Store(db) as store:
        found = verified(store)
        job = store.job
    given = [s.promise for s in found.sittings if s.promise]
    wrong = [*found.wrong, *(f"nobody promised {p}" for p in promises if p not in given)]
    if as_json:
        echo_json(
            {
                "deals": job.deals,
                "as_promised": found.kept,
                "not_promised": found.loose,
                "not_played": found.unplayed,
                "drawn_again": found.again,
                "wrong": wrong,
                "sittings": [{"engines": s.sealing, "promise": s.promise} for s in found.sittings],
            }
        )
        sys.exit(1 if wrong else 0)
    for sitting in found.sittings:
        words = WORDS.get(sitting.sealing)
        if words is not None:
            click.echo(f"engines that are not ours were {words}")
        if sitting.promise:
            click.echo(f"promised before the first board: SHA-256 {printable(sitting.promise)}")
    by = f"seed {job.seed}" if job.deals == "random" else "what was promised"
    if found.kept:
        click.echo(f"{found.kept} boards follow from {by}, and were played by the rules")
    if found.loose:
        click.echo(f"{found.loose} boards were played by the rules; nothing was promised of them")
    if found.unplayed:
        click.echo(f"{found.unplayed} boards at the end are not there: the match stopped before")
    if found.again:
        click.echo(f"{found.again} boards were drawn again: a run ended before they were kept")
    for line in wrong:
        click.echo(printable(line))
    sys.exit(1 if wrong else 0)
