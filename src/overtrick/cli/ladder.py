"""`overtrick ladder`: ratings of robots, ours by version and others, kept in one file.
The work is in `arena.ladder`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import NewFile, console, echo_json

if TYPE_CHECKING:
    from overtrick.arena.ladder import Rung


@click.command("ladder")
@click.argument("file", type=NewFile(tried=False))
@click.option("--add", "added", multiple=True,
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A match that was played (match --play --db), or a Table Manager's boards (tm "
              "serve --pbn); again and again for several.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="TEAM=NAME",
              help="What a team is called on the ladder, e.g. Guests='GIB 6'.")  # fmt: skip
@click.option("--trust", is_flag=True,
              help="Also matches in which an engine that is not ours was not sealed.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    file: Path, added: tuple[Path, ...], names: tuple[str, ...], trust: bool, as_json: bool
) -> None:
    """Show the ratings of robots: IMPs per board above the average of those that met.

    Boards count once, however often they are added. A match of ours is named by its engines and
    the version of Overtrick that played it; a team at the Table Manager by its own name. A match
    with engines that are not ours counts when they were sealed, each seat in a process of its own.

    \b
    Examples:
      overtrick match rules+alphamu rules+pimc -n 64 --play --db m.sqlite
      overtrick ladder ladder.sqlite --add m.sqlite
      overtrick tm serve -n 32 --teams Ours Theirs --engine Ours=rules+pimc --pbn boards.pbn
      overtrick ladder ladder.sqlite --add boards.pbn --name "Theirs=Their robot 7"
    """
    from overtrick.arena.ladder import Ladder, results_of

    called = {}
    for text in names:
        team, equals, name = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} should read like TEAM=NAME", param_hint="--name")
        called[team.strip()] = name.strip()
    found = [
        (path, results_of(path, called, trusted=trust)) for path in added
    ]  # all is read before we write
    with Ladder(file, write=bool(added)) as ladder:
        for path, results in found:
            new = ladder.add(results)
            if not as_json:
                click.echo(f"{path}: {new} new boards of {len(results)}", err=True)
        rungs = ladder.rungs()
    if as_json:
        echo_json([_data(r) for r in rungs])
    else:
        _show(rungs)


def _data(rung: Rung) -> dict[str, object]:
    error = rung.rating.error
    return {
        "robot": rung.name,
        "imps_per_board": rung.rating.value,
        "standard_error": error if error < float("inf") else None,
        "boards": rung.boards,
        "group": rung.group,
    }


def _show(rungs: list[Rung]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("robot", "IMPs/board", "s.e.", "boards")
    for i, rung in enumerate(rungs):
        if i and rung.group != rungs[i - 1].group:
            table.add_section()
        e = rung.rating.error
        error = f"{e:.3f}" if e < float("inf") else "–"
        table.add_row(Text(rung.name), f"{rung.rating.value:+.3f}", error, str(rung.boards))
    console().print(table)
    if rungs and rungs[-1].group:
        click.echo("robots below a line have not met those above it, however indirectly")
