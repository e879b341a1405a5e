"""`overtrick samples`: small files to try the other verbs with, copied where one can see them.
The files are in `overtrick/samples`."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from overtrick.cli.common import echo_json, json_option

_ABOUT = {
    "boards.pbn": "four deals, nothing bid or played",
    "evening.lin": "the same in the notation of BBO",
    "evening.pbn": "four boards bid and played",
    "my_engine.py": "a bidder of one's own",
    "problem.txt": "a hand and an auction to think about",
    "weak-notrump.dl": "a script in the language of dealer",
}


@click.command("samples")
@click.argument("folder", default="overtrick-samples",
                type=click.Path(file_okay=False, path_type=Path))  # fmt: skip
@click.option("--list", "only_list", is_flag=True, help="Say what there is, and write nothing.")
@click.option("--force", is_flag=True, help="Write over files of the same name.")
@json_option
def command(folder: Path, only_list: bool, force: bool, as_json: bool) -> None:
    """Copy sample files into FOLDER.

    \b
    Examples:
      overtrick samples
      overtrick analyse overtrick-samples/evening.pbn --board 2
    """
    if only_list:
        if as_json:
            echo_json(_ABOUT)
            return
        for name, words in _ABOUT.items():
            click.echo(f"{name:<16} {words}")
        return
    from overtrick.notation.whole import write_whole

    taken = [name for name in _ABOUT if (folder / name).exists()]
    if taken and not force:
        raise click.UsageError(f"{folder} has {', '.join(taken)}; --force writes over them")
    folder.mkdir(parents=True, exist_ok=True)
    home = resources.files("overtrick") / "samples"
    for name in _ABOUT:
        write_whole(folder / name, (home / name).read_bytes())
    if as_json:
        echo_json([str(folder / name) for name in _ABOUT])
        return
    for name, words in _ABOUT.items():
        click.echo(f"{folder / name}: {words}")
