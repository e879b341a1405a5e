"""Joining a table over TCP: connect, play, come back after a broken connection."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from overtrick.protocol.journal import Journal
from overtrick.protocol.player import Client, SeatRefused, WantedSeat
from overtrick.protocol.quirks import Quirks
from overtrick.protocol.stream import BUFFER, Gone, Stream
from overtrick.table import Occupant


@dataclass(frozen=True, slots=True)
class Address:
    """Where the manager listens, and how often to try again."""

    host: str
    port: int
    tries: int = 5
    pause: float = 1.0


async def join(
    address: Address,
    place: WantedSeat,
    occupant: Occupant,
    *,
    journal: Journal | None = None,
    quirks: Quirks = Quirks(),
) -> int:
    """Play a whole session and return the number of boards; reconnects when the line breaks.

    After a reconnection the same team, seat and version are asked for again.
    """
    book = journal or Journal()
    boards, tries = 0, 0
    while True:
        try:
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=BUFFER)
        except OSError as error:
            tries += 1
            if tries >= address.tries:
                raise Gone(f"no manager at {address.host}:{address.port}: {error}") from None
            await asyncio.sleep(address.pause)
            continue
        stream = Stream(reader, writer, book)
        stream.who, stream.quirks = place.team, quirks
        client = Client(stream, occupant, place)
        try:
            await client.run()
            return boards + client.boards
        except SeatRefused as error:
            if place.version < 19 or "version" not in str(error).lower():
                raise
            # An older manager: without explanations, but with everything else.
            book.event(place.team, f"refused: {error}; asking again as version 18")
            place = replace(place, version=18)
        except Gone as error:
            boards += client.boards
            tries = 1 if client.boards else tries + 1
            book.event(place.team, f"lost the manager: {error}")
            if tries >= address.tries:
                raise
            await asyncio.sleep(address.pause)
