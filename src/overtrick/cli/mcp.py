"""`overtrick mcp`: the tools for language models over the Model Context Protocol.
Used from the command line of a model's client; the work is in `service.mcp`."""

from __future__ import annotations

import click


@click.command("mcp")
@click.option("--robots", help="Who plays the other seats of a hand: BIDDER+PLAYER.")
@click.option("--list", "only_list", is_flag=True, help="Say which tools there are.")
@click.option("--http", "port", type=click.IntRange(1, 65535), metavar="PORT",
              help="Serve streamable HTTP at this port of this machine instead.")  # fmt: skip
def command(robots: str | None, only_list: bool, port: int | None) -> None:
    """Let a language model ask Overtrick, over standard input and output or HTTP.

    Clients start it themselves; their settings name the command `overtrick` with the argument
    `mcp`. With --http they find it at http://127.0.0.1:PORT/mcp. Needs the `mcp` extra:
    pip install "overtrick[mcp]".

    \b
    Examples:
      overtrick mcp --list
      overtrick mcp --robots "rules+pimc(worlds=20)"
      overtrick mcp --http 8086
    """
    from overtrick.service.hands import ROBOT, Tables
    from overtrick.table import robot

    if robots is not None:
        robot(robots)
    tables = Tables(robots or ROBOT)
    if only_list:
        from overtrick.cli.common import coloured, console
        from overtrick.service.tools import TOOLS

        for tool in (*TOOLS, *tables.tools()):
            first = " ".join((tool.__doc__ or "").split("\n\n")[0].split())
            console().print(coloured(f"{tool.__name__}: {first}"))
        return
    from overtrick.service.mcp import serve_http, server

    if port is None:
        server(tables).run("stdio")
        return
    click.echo(f"Overtrick's tools are at http://127.0.0.1:{port}/mcp  (Ctrl-C ends it)")
    serve_http(tables, port)
