"""`overtrick tm join`: one of our engines plays at a Table Manager.
The work is in `protocol.player`."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import click

from overtrick.cli.common import NewFile, SeatParam, echo_json, usual
from overtrick.game import Seat


@click.command("join")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@click.option("--seat", type=SeatParam(), help="N, E, S or W; without it the manager chooses.")
@click.option("--team", default="Overtrick", show_default=True, help="The same for partners.")
@click.option("--engine", default=lambda: f"{usual()}+alphamu",
              show_default="partner+alphamu", help="BIDDER or BIDDER+PLAYER.")  # fmt: skip
@click.option("--version", "protocol", type=click.Choice(["18", "19"]), default="19",
              show_default=True,
              help="19 asks and tells what calls mean; 18 is tried when refused.")  # fmt: skip
@click.option("--quirk", default="plain", show_default=True, help="How the manager wants lines.")
@click.option("--tries", default=5, show_default=True, type=click.IntRange(min=1),
              help="Connection attempts in a row.")  # fmt: skip
@click.option("--log", type=NewFile(), help="Every line, as JSON lines.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    host: str,
    port: int,
    seat: Seat | None,
    team: str,
    engine: str,
    protocol: str,
    quirk: str,
    tries: int,
    log: Path | None,
    as_json: bool,
) -> None:
    """Sit down at a table and play until the session ends.

    \b
    Example:
      overtrick tm join 127.0.0.1 2000 --seat N --team A --engine bmcs+alphamu
    """
    from overtrick.protocol import Address, Journal, WantedSeat, join, preset
    from overtrick.table import robot
    from overtrick.table.seats import telling

    occupant = telling(robot(engine))
    with ExitStack() as stack:
        file = stack.enter_context(log.open("a", encoding="utf-8")) if log else None
        work = join(
            Address(host, port, tries),
            WantedSeat(team, seat, int(protocol)),
            occupant,
            journal=Journal(file),
            quirks=preset(quirk),
        )
        try:
            boards = asyncio.run(work)
        except ConnectionError as error:
            raise click.ClickException(str(error)) from None
    if as_json:
        echo_json({"boards": boards})
    else:
        click.echo(f"played {boards} boards")
