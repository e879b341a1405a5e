"""`overtrick rating`: how strong people and pairs are, from a club's evenings.
The work is in `duplicate.ratings`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import console, echo_json, json_option, warn

if TYPE_CHECKING:
    from overtrick.duplicate.ratings import Strength, Strengths

_TOLD = (
    4.0  # errors by which two people are out of line before they are named; three happen by chance
)


@click.command("rating")
@click.argument("files", nargs=-1, required=True,
                type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
@click.option("--anchor", "anchors", multiple=True, metavar="NAME=IMPS",
              help="A player whose strength is given, as a robot's is, e.g. Robot=0.")  # fmt: skip
@click.option("--pairs", "as_pairs", is_flag=True, help="Pairs instead of people.")
@json_option
def command(files: tuple[Path, ...], anchors: tuple[str, ...], as_pairs: bool, as_json: bool
            ) -> None:  # fmt: skip
    """How strong people are, in IMPs a board, each with the standard error: from FILES of evenings
    with all tables (PBN, or any notation with names and results).

    Every result is compared with the other tables of its board, so that the cards cancel. Later
    evenings count more, since people change. Nought is where the anchors are, and without any
    the average. Who is out of line with all else against one opponent is named, and those boards
    count less.

    \b
    Examples:
      overtrick rating monday.pbn tuesday.pbn
      overtrick rating evening.pbn --anchor Robot=0 --pairs
    """
    from overtrick import notation
    from overtrick.duplicate.ratings import results_of, strengths
    from overtrick.game import BridgeError

    given = {}
    for text in anchors:
        name, equals, value = text.partition("=")
        try:
            given[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals or not name.strip() or abs(given.get(name.strip(), 99)) > 24:
            raise click.BadParameter(f"{text!r} should read like NAME=0.5", param_hint="--anchor")
    results = []
    for path in files:
        loaded = notation.load(path)
        warn(loaded.warnings)
        results += results_of(loaded.records, path.name)
    found = strengths(results, given)
    if not found.pairs:
        raise BridgeError(
            "no board was played at two tables by people with names; see overtrick rating --help"
        )
    if as_json:
        echo_json(_data(found))
    else:
        _show(found, as_pairs)


def _data(found: Strengths) -> dict[str, object]:
    def told(strength: Strength) -> dict[str, object]:
        return {
            "imps_per_board": strength.value, "standard_error": strength.error,
            "boards": strength.boards,
        }  # fmt: skip

    return {
        "anchored": found.anchored,
        "people": {name: told(s) for name, s in found.people.items()},
        "pairs": [{"names": list(names), **told(s)} for names, s in found.pairs.items()],
        "out_of_line": [
            {"people": list(d.people), "imps_per_board": d.imps, "boards": d.boards,
             "standard_errors": d.errors}
            for d in found.doubts
        ],
    }  # fmt: skip


def _show(found: Strengths, as_pairs: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("pair" if as_pairs else "name", "IMPs/board", "s.e.", "boards")
    named = {" – ".join(names): s for names, s in found.pairs.items()} if as_pairs else found.people
    for name, s in sorted(named.items(), key=lambda item: (-item[1].value, item[0])):
        table.add_row(Text(name), f"{s.value:+.2f}", f"{s.error:.2f}", str(s.boards))
    console().print(table)
    click.echo("0 is where the anchors are" if found.anchored else "0 is the average of these")
    for doubt in found.doubts:
        if abs(doubt.errors) < _TOLD:
            continue
        one, two = doubt.people if doubt.imps > 0 else doubt.people[::-1]
        click.echo(
            f"out of line: {one} against {two}, {abs(doubt.imps):.1f} IMPs a board more than all "
            f"else says, over {doubt.boards} boards; they count less"
        )
