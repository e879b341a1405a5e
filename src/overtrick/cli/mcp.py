"""`overtrick mcp`: the tools for language models over the Model Context Protocol.
Used from the command line of a model's client; the work is in `service.mcp`."""

from __future__ import annotations

import click


@click.command("mcp")
@click.option("--robots", help="Who plays the other seats of a hand: BIDDER+PLAYER.")
@click.option("--list", "only_list", is_flag=True, help="Say which tools there are.")
def command(robots: str | None, only_list: bool) -> None:
    """Let a language model ask Overtrick, over standard input and output.

    Clients start it themselves; their settings name the command `overtrick` with the argument
    `mcp`. Needs the `mcp` extra: pip install "overtrick[mcp]".

    \b
    Examples:
      overtrick mcp --list
      overtrick mcp --robots "rules+pimc(worlds=20)"
    """
    from overtrick.service.hands import ROBOT, Tables
    from overtrick.table import robot

    if robots is not None:
        robot(robots)
    tables = Tables(robots or ROBOT)
    if only_list:
        from overtrick.cli.common import coloured, console
        from overtrick.service.facts import TOOLS

        for tool in (*TOOLS, *tables.tools()):
            first = " ".join((tool.__doc__ or "").split("\n\n")[0].split())
            console().print(coloured(f"{tool.__name__}: {first}"))
        return
    from overtrick.service.mcp import server

    server(tables).run("stdio")
