"""`overtrick tm`: the Blue Chip Table Manager protocol, as the manager or as a player.
The work is in `protocol`."""

from __future__ import annotations

import click

from overtrick.cli.lazy import LazyGroup

_SECTIONS = {
    "Table Manager": {
        "serve": "host a match for robots on the network and our own engines",
        "join": "let one of our engines play at somebody else's table",
    }
}


@click.group(cls=LazyGroup, sections=_SECTIONS, prefix="tm_")
def command() -> None:
    """Play with other people's robots over the Table Manager protocol (versions 18 and 19).

    \b
    Examples:
      overtrick tm serve --boards match.pbn --teams Overtrick WBridge5 --engine Overtrick=points
      overtrick tm join 127.0.0.1 2000 --team Overtrick --seat N --engine points+random
    """
