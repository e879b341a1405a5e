"""`overtrick reproduce frank1998`: "Search in games with incomplete information", and alpha-mu."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from overtrick.cli.common import echo_json
from overtrick_lab.verbs.reproducing import Running, shared_options

_QUICK: Final = (12, 2, 20)


@click.command("frank1998")
@click.option("--problems", default=400, show_default=True, help="Random suits to compare on.")
@click.option("--deals", default=60, show_default=True, help="Deals of the alpha-mu protocol.")
@click.option("--cards", default=36, show_default=True, help="Cards left in them: 52, 48 … 20.")
@click.option("--trees", default=1000, show_default=True, help="Random trees of each depth.")
@click.option("--seed", default=1, show_default=True, help="Which random suits and deals.")
@click.option("--quick", is_flag=True, help="Only {} suits, {} deals and {} trees.".format(*_QUICK))
@click.option(
    "--tree",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only this: study a tree of your own, `a( b[11100 00011] c[00111 11000] )`.",
)
@shared_options("frank1998")
def command(
    run: Running,
    problems: int,
    deals: int,
    cards: int,
    trees: int,
    seed: int,
    quick: bool,
    file: Path | None,
) -> None:
    """Repeat Frank & Basin 1998: every tree, the suits, the algorithms on random suits, and on
    whole hands alpha-mu against Monte Carlo (1NT–3NT, deals in doubt, the same defenders).

    A tree is text: [ ] is a node of MAX, ( ) of MIN, < > chance; 11100 are the payoffs in five
    worlds, `0,2,-,1/2` any numbers and a world that cannot come there.

    \b
    Examples:
      overtrick reproduce frank1998 --quick
      overtrick reproduce frank1998 --tree mine.txt
    """
    if file is not None:
        _own(run, file)
        return
    from overtrick_lab.papers.frank1998 import reproduce

    if not 20 <= cards <= 52 or cards % 4:
        raise click.UsageError(f"--cards is 52, 48 … 20, not {cards}")
    size = reproduce.SuitSizes(problems, deals, cards, trees, seed)
    if quick:
        size = reproduce.SuitSizes(*_QUICK[:2], cards, _QUICK[2], seed)
    tasks = reproduce.tasks(size)
    run.fill(tasks)
    text = reproduce.page(size, run.store, reproduce.draw_trees(run.out))
    run.report(text, {task.key: run.store.get(task.key) for task in tasks})


def _own(run: Running, file: Path) -> None:
    """A tree of one's own, with its picture in the folder."""
    from overtrick.notation.whole import write_whole
    from overtrick_lab.papers.frank1998 import own

    tree = own.read(file)
    found = own.study(tree)
    write_whole(run.out / f"{file.stem}.svg", own.picture(tree))
    if run.as_json:
        echo_json(found)
        return
    click.echo(own.words(found))
    click.echo(f"picture: {run.out / f'{file.stem}.svg'}", err=True)
