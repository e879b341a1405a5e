"""`overtrick eval`: all numbers of a hand, grouped as in Appendix A of Amit & Markovitch 2006.
The numbers are defined in `evaluation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overtrick.cli.common import coloured, console, echo_json, json_option
from overtrick.game import Hand
from overtrick.game.cards import SUIT_SYMBOLS

if TYPE_CHECKING:
    from rich.table import Table

    from overtrick.evaluation import FeatureClass, Features


@click.command("eval")
@click.argument("hand", required=False)
@click.option("--list", "listed", is_flag=True, help="Name every feature and its range instead.")
@click.option("--short", is_flag=True, help="Only the numbers players use most.")
@json_option
def command(hand: str | None, listed: bool, short: bool, as_json: bool) -> None:
    """Points, losers, stoppers and 250 other numbers of a hand.

    HAND is spades.hearts.diamonds.clubs, or suits with their letters.

    \b
    Examples:
      overtrick eval AKJ52.QJ82.8.Q64
      overtrick eval "♠AKJ52 ♥QJ82 ♦8 ♣Q64" --json
      overtrick eval --list
    """
    if listed:
        _list(as_json)
        return
    if hand is None:
        raise click.UsageError("which hand? write it as spades.hearts.diamonds.clubs")
    from overtrick.evaluation import features

    held = Hand.parse(hand, size=13)
    numbers = features(held)
    if as_json:
        echo_json({"hand": str(held), "features": {k: _plain(v) for k, v in numbers.items()}})
        return
    out = console()
    out.print(coloured(held.pretty()))
    out.print(_summary(held, numbers))
    if short:
        return
    for title, classes in _sections().items():
        out.print()
        out.print(f"[bold]{title}[/bold]")
        out.print(_table(classes, numbers))


def _plain(number: float) -> float:
    value = float(number)
    return int(value) if value == int(value) else round(value, 4)


def _show(number: float) -> str:
    return f"{_plain(number):g}"


def _summary(hand: Hand, numbers: Features) -> str:
    lengths = "-".join(str(n) for n in sorted(hand.lengths, reverse=True))
    opening = next(s for s in (3, 2, 1, 0) if numbers[f"FIRSTBID({'CDHS'[s]})"])
    parts = (
        lengths + (" balanced" if numbers["BAL"] == 0 else ""),
        f"{numbers['HCP']} hcp",
        f"{numbers['TP']} total points",
        f"{numbers['LTC']} losers",
        f"{numbers['CONTROLS']} controls",
        f"{numbers['QUICK']:g} quick tricks",
        f"first suit {SUIT_SYMBOLS[opening]}",
    )
    return ", ".join(parts)


def _sections() -> dict[str, list[FeatureClass]]:
    from overtrick.evaluation import feature_classes

    out: dict[str, list[FeatureClass]] = {}
    for c in feature_classes():
        out.setdefault(c.section, []).append(c)
    return out


def _table(classes: list[FeatureClass], numbers: Features) -> Table:
    """A row for each class and trump suit, a column for each suit and the whole hand."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for head in ("♠", "♥", "♦", "♣", "all"):
        table.add_column(coloured(head), justify="right")
    table.add_column("", style="dim")
    for c in classes:
        rows: dict[str, dict[int, str]] = {}
        for f in c.instances():
            first = f.suits[0] if len(f.suits) == 2 else None
            label = c.name if first is None else f"{c.name} {'♣♦♥♠'[first] if first < 4 else 'NT'}"
            column = f.suits[-1] if f.suits else 4
            rows.setdefault(label, {})[column] = _show(numbers[f.name])
        for i, (label, cells) in enumerate(rows.items()):
            said = c.description if i == 0 else ""
            table.add_row(coloured(label), *(cells.get(s, "") for s in (3, 2, 1, 0, 4)), said)
    return table


def _list(as_json: bool) -> None:
    from overtrick.evaluation import registry

    rows = [
        {"name": f.name, "section": f.of.section, "range": [f.low, f.high],
         "paper": f.of.paper, "description": f.of.description}
        for f in registry().values()
    ]  # fmt: skip
    if as_json:
        echo_json(rows)
        return
    for f in registry().values():
        click.echo(f"{f.name:18} {f.low:g}..{f.high:<5g} {f.of.description}")
