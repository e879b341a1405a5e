"""`overtrick describe`: read the bidding system a machine has invented.
The work is in `overtrick_lab.uncontested`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import NewFile, coloured, console, echo_json, json_option, thinking

if TYPE_CHECKING:
    from rich.tree import Tree

    from overtrick_lab.uncontested.describe import LearnedSystem, SystemRow

_NAMES = {"bandit": "tree", "penetrative": "penetrative", "relay": "relay"}


@click.command("describe")
@click.argument("model", default="relay")
@click.option(
    "--depth", type=click.IntRange(1, 8), default=2, show_default=True, help="Calls deep."
)
@click.option(
    "--deals",
    type=click.IntRange(500, 1_000_000),
    default=20_000,
    show_default=True,
    help="Random deals to bid; more show rarer calls.",
)
@click.option(
    "--html",
    type=NewFile(),
    help="Write a page to read in a browser instead.",
)
@click.option("--seed", default=2015, show_default=True, help="Which random deals.")
@json_option
def command(
    model: str, depth: int, deals: int, html: Path | None, seed: int, as_json: bool
) -> None:
    """What system did the machine invent? Every call with the hands that make it.

    MODEL is bandit, penetrative, relay or a file of a trained model.

    \b
    Examples:
      overtrick describe relay
      overtrick describe bandit --depth 3 --html bandit.html
    """
    from overtrick_lab.uncontested import shipped
    from overtrick_lab.uncontested.describe import describe, to_dict

    key = _NAMES.get(model, model)
    if model not in _NAMES and key not in _NAMES.values() and not Path(model).is_file():
        known = ", ".join(_NAMES)
        raise click.UsageError(f"no model {model!r}: there are {known}, or give a file")
    with thinking(f"bidding {deals:,} deals"):
        system = describe(shipped.model(key), name=model, depth=depth, deals=deals, seed=seed)
    if html is not None:
        from overtrick_lab.uncontested.page import page

        html.write_text(page(system, shipped.card(key)), encoding="utf-8")
    if as_json:
        echo_json(to_dict(system))
    elif html is not None:
        click.echo(f"wrote {html}")
    else:
        _show(system)


def _show(system: LearnedSystem) -> None:
    from rich.tree import Tree

    from overtrick_lab.uncontested.describe import remarks

    out = console()
    out.print(f"The {system.name} system, from {system.deals:,} deals with silent opponents\n")
    for line in remarks(system):
        out.print(coloured(f"• {line}"))
    out.print()
    tree = Tree("opening", guide_style="dim")
    _grow(tree, system.openings)
    out.print(tree, soft_wrap=False)


def _grow(tree: Tree, rows: tuple[SystemRow, ...]) -> None:
    from overtrick_lab.uncontested.census import call_of

    for row in rows:
        passed = ""
        if row.passed is not None:
            passed = ", never passed" if row.passed < 0.01 else f", passed {100 * row.passed:.0f} %"
        share = f"{100 * row.share:.1f} %"
        text = f"{call_of(row.call)!s:<4} {share:>7}  {row.words()}{passed}"
        _grow(tree.add(coloured(text)), row.replies)
