"""Portable Bridge Notation 2.1: a document that keeps every byte, a reader and a writer.
Used through `overtrick.notation` (format "pbn"); editors of files use `PbnGame.with_tag`."""

from overtrick.notation.pbn.document import PbnGame, PbnTag
from overtrick.notation.pbn.reader import read
from overtrick.notation.pbn.writer import NotationError, write

__all__ = ["NotationError", "PbnGame", "PbnTag", "read", "write"]
