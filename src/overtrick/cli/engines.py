"""`overtrick engines`: the bidders and players there are, with their options.
Engines of other packages are listed too."""

from __future__ import annotations

import inspect
from typing import Any

import click

from overtrick.cli.common import console, echo_json, json_option
from overtrick.engines.options import option_words

_FEW = 4  # options shown in the list of all engines


@click.command("engines")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the engines, or show the options of one.

    Bidders bid, players play the cards. Wherever an engine is asked for, write NAME or
    "NAME(option=value, …)"; both together are BIDDER+PLAYER.

    \b
    Examples:
      overtrick engines
      overtrick engines bmcs
    """
    from overtrick.bidding import BIDDERS
    from overtrick.cardplay import PLAYERS

    found = {
        kind: {name: _describe(registry, name) for name in registry.names()}
        for kind, registry in (("bidders", BIDDERS), ("players", PLAYERS))
    }
    if name is not None:
        found = {kind: {n: a for n, a in all_.items() if n == name} for kind, all_ in found.items()}
        if not any(found.values()):
            raise click.UsageError(f"there is no engine {name!r}; overtrick engines lists them")
    if as_json:
        echo_json(found)
        return
    _show(found, whole=name is not None)


def _show(found: dict[str, dict[str, Any]], whole: bool) -> None:
    from rich.table import Table

    out = console()
    for kind, engines in found.items():
        if not engines:
            continue
        table = Table(box=None, title=kind, title_justify="left", show_header=False, pad_edge=False)
        for name, about in engines.items():
            options = about["options"]
            table.add_row(f"  [bold]{name}[/bold]", about["words"])
            if whole:
                for option, words in about["explained"].items():
                    table.add_row(f"    {option}", words)
            elif options and len(options) <= _FEW:
                table.add_row("", f"[dim]{name}({', '.join(options)})[/dim]")
            elif options:
                table.add_row("", f"[dim]{len(options)} options: overtrick engines {name}[/dim]")
        out.print(table)


def _describe(registry: Any, name: str) -> dict[str, Any]:
    """Options and first line of help; an engine whose extra is missing says so."""
    try:
        factory = registry.factory(name)
    except ImportError as error:
        return {"options": [], "explained": {}, "words": f"not available: {error}"}
    options = [
        p.name if p.default is p.empty else f"{p.name}={_value(p.default)}"
        for p in inspect.signature(factory).parameters.values()
    ]
    words = (inspect.getdoc(factory) or "").split("\n\n")[0]
    explained = dict(zip(options, option_words(factory).values(), strict=True))
    return {"options": options, "explained": explained, "words": " ".join(words.split())}


def _value(default: object) -> str:
    """As it would be typed."""
    text = str(default)
    return f"'{text}'" if isinstance(default, str) and (not text or " " in text) else text
