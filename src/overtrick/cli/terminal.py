"""Whatever the terminal is: plain ASCII where its encoding has no suits, its width, Ctrl-C."""

from __future__ import annotations

import codecs
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, Final

_ASCII: Final = {
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C",
    "–": "-", "—": "-", "−": "-", "‑": "-", "…": "...", "±": "+-", "×": "x", "·": ".", "•": "*",
    "’": "'", "‘": "'", "“": '"', "”": '"', "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≈": "~",
    "½": ".5", "²": "2", "µ": "u", "σ": "sd", "β": "beta", "α": "alpha", "φ": "phi", "✓": "v",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "─": "-", "│": "|", "━": "-", "┃": "|", "█": "#", "▇": "#", "▁": "_", "░": ".", "▒": ":",
    "\u00a0": " ", "\u202f": " ", "\u2009": " ",
}  # fmt: skip
_HANDLER: Final = "overtrick"
_WIDE: Final = 80
_PATIENCE: Final = 0.7  # seconds after Ctrl-C in which Python itself may end the work


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """For an encoder: what stands for the characters it does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_ASCII.get(c, "?") for c in text), error.end


codecs.register_error(_HANDLER, _replaced)


def prepare_streams() -> None:
    """No character that the terminal does not know may end a command with an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


@lru_cache(maxsize=4096)
def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def is_unicode(stream: IO[str] | None = None) -> bool:
    """Does the stream (standard output) take every character?"""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").startswith("utf")


def fitting(text: str) -> str:
    """The text with what standard output cannot show spelled out, before columns are laid out.

    >>> "".join(_ASCII.get(c, c) for c in "4♠ ± 2")
    '4S +- 2'
    """
    if text.isascii() or is_unicode():
        return text
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return "".join(c if _has(encoding, c) else _ASCII.get(c, "?") for c in text)


def columns() -> int:
    """How wide the terminal is: COLUMNS, else what it says, else 80."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _WIDE
    except (OSError, ValueError, AttributeError):
        return _WIDE


def is_narrow() -> bool:
    """Narrow terminals get lines broken between words; others keep theirs whole to be copied."""
    return columns() < _WIDE


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the program within a second, also while a C library does not listen.

    Python's own handler runs between two of its instructions. Inside the double-dummy solver
    there are none for seconds; a thread then ends the process. Files are written whole or by
    SQLite, so that nothing is left half done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    noticed = threading.Event()

    def handle(number: int, frame: object) -> None:
        noticed.set()
        raise KeyboardInterrupt

    def watch() -> None:
        try:
            data = reader.recv(64)
        except OSError:
            return
        if signal.SIGINT in data and not noticed.wait(_PATIENCE):
            sys.stderr.write("stopped\n")
            sys.stderr.flush()
            os._exit(130)

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # somebody else takes care of it
        reader.close()
        writer.close()
        yield
        return
    signal.signal(signal.SIGINT, handle)
    old = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old)
        signal.signal(signal.SIGINT, before)
        reader.close()
        writer.close()
