"""LIN, the format of Bridge Base Online: single boards and vugraph files, read and written."""

from overtrick.notation.lin.reader import LinBoard, read
from overtrick.notation.lin.writer import board_text, write

__all__ = ["LinBoard", "board_text", "read", "write"]
