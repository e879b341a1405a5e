"""`overtrick engines`: the bidders and players there are, with their options.
Used from the command line; engines of other packages are listed too."""

from __future__ import annotations

import inspect
from typing import Any

import click

from overtrick.cli.common import console, echo_json, json_option


@click.command("engines")
@json_option
def command(as_json: bool) -> None:
    """List the engines; write one as NAME or 'NAME(option=value, …)'.

    Example: overtrick engines
    """
    from overtrick.bidding import BIDDERS
    from overtrick.cardplay import PLAYERS

    found = {
        kind: {name: _describe(registry, name) for name in registry.names()}
        for kind, registry in (("bidders", BIDDERS), ("players", PLAYERS))
    }
    if as_json:
        echo_json(found)
        return
    from rich.table import Table

    out = console()
    for kind, engines in found.items():
        table = Table("name", "options", "what it is", title=kind, title_justify="left", box=None)
        for name, about in engines.items():
            table.add_row(name, ", ".join(about["options"]), about["words"])
        out.print(table)


def _describe(registry: Any, name: str) -> dict[str, Any]:
    """Options and first line of help; an engine whose extra is missing says so."""
    try:
        factory = registry.factory(name)
    except ImportError as error:
        return {"options": [], "words": f"not available: {error}"}
    options = [
        p.name if p.default is p.empty else f"{p.name}={p.default}"
        for p in inspect.signature(factory).parameters.values()
    ]
    words = (inspect.getdoc(factory) or "").splitlines()
    return {"options": options, "words": words[0] if words else ""}
