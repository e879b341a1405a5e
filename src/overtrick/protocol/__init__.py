"""The Blue Chip Table Manager protocol, versions 18 and 19: robots from outside at our table.
`lines` is the grammar, `manager` the host, `player` the client."""

from overtrick.protocol.chairs import ManagerPatience
from overtrick.protocol.joining import Address, join
from overtrick.protocol.journal import Journal
from overtrick.protocol.lines import read
from overtrick.protocol.manager import Manager, Session, comparison
from overtrick.protocol.player import Client, SeatRefused, WantedSeat
from overtrick.protocol.quirks import PRESETS, Quirks, preset
from overtrick.protocol.stream import Gone, Lines, Stream
from overtrick.protocol.writing import write

__all__ = [
    "PRESETS",
    "Address",
    "Client",
    "Gone",
    "Journal",
    "Lines",
    "Manager",
    "ManagerPatience",
    "Quirks",
    "SeatRefused",
    "Session",
    "Stream",
    "WantedSeat",
    "comparison",
    "join",
    "preset",
    "read",
    "write",
]
