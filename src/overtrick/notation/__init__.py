"""Notations of bridge: `load`, `loads`, `dump`, `dumps` for PBN, LIN, RBN and OpenSpiel.
Readers warn and never raise on data."""

from overtrick.notation.files import dump, dumps, format_of, load, loads
from overtrick.notation.handviewer import from_url, to_url
from overtrick.notation.pbn.writer import NotationError
from overtrick.notation.reading import Loaded, ReadWarning
from overtrick.notation.streaming import stream

__all__ = [
    "Loaded", "NotationError", "ReadWarning", "dump", "dumps", "format_of", "from_url", "load",
    "loads", "stream", "to_url",
]  # fmt: skip
