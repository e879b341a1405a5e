"""What every reader returns and shares: records with warnings, tolerant decoding, limits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import Play, Record

DEFAULT_LIMIT: Final = 64 << 20  # bytes or characters of one input
MOST_WARNINGS: Final = 1000
_NEWLINE: Final = re.compile("\n")


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something a reader met that is not as it should be; line 0 is the file as a whole.

    >>> print(ReadWarning(12, "no such call '8S'"))
    line 12: no such call '8S'
    """

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class Loaded:
    """The records of one input, in order, and what the reader did not like about it.

    >>> from overtrick import loads
    >>> found = loads('[Board "7"]\\n[Deal "N:AKQ2.K53.A84.752 - - -"]\\n')
    >>> len(found), found[0].number, found.warnings
    (1, 7, ())
    """

    records: tuple[Record, ...] = ()
    warnings: tuple[ReadWarning, ...] = ()

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_loaded

        return html_loaded(self.records, [str(w) for w in self.warnings])

    def __getitem__(self, index: int) -> Record:
        return self.records[index]


@dataclass(slots=True)
class Warnings:
    """Collects warnings for one text; knows line numbers from character positions."""

    text: str = ""
    found: list[ReadWarning] = field(default_factory=list)
    _newlines: list[int] | None = None

    def line_of(self, position: int) -> int:
        if self._newlines is None:
            self._newlines = [m.start() for m in _NEWLINE.finditer(self.text)]
        return bisect_left(self._newlines, position) + 1

    def turn_to(self, text: str) -> None:
        """Go on with another piece of text, from whose first line lines are counted."""
        self.text, self._newlines = text, None

    @property
    def full(self) -> bool:
        """No more warnings are taken: do not work out where they belong."""
        return len(self.found) > MOST_WARNINGS

    def at(self, position: int, message: str) -> None:
        """Warn about a character position of the text."""
        if not self.full:
            self.on(self.line_of(position), message)

    def on(self, line: int, message: str) -> None:
        """Warn about a line (0 for the whole file)."""
        if len(self.found) < MOST_WARNINGS:
            self.found.append(ReadWarning(line, message))
        elif len(self.found) == MOST_WARNINGS:
            self.found.append(ReadWarning(line, "more warnings from here on are not listed"))


def shorten(text: str, most: int = 40) -> str:
    """A value as it appears in a warning: one line, not too long."""
    shown = " ".join(text.split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def impossible_result(play: Play, tricks: int) -> str | None:
    """Why declarer cannot have taken so many tricks after this play, in words; None if he can."""
    won, left = play.declarer_tricks, 13 - play.tricks_played
    if won <= tricks <= won + left:
        return None
    if not left:
        return f"a result of {tricks} tricks, but declarer took {won}"
    return f"a result of {tricks} tricks, but declarer has {won} with {left} to come"


def decode(data: bytes) -> tuple[str, str, str | None]:
    """Text, encoding and a warning: BOMs, UTF-16 without one, UTF-8, else Windows-1252 or Latin-1.

    The two differ in bytes that are quotes and accented letters in one and control characters in
    the other; nobody writes those.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").lstrip("\ufeff"), "utf-16", None
    if data[:3] == b"\xef\xbb\xbf":
        return data[3:].decode("utf-8", "replace"), "utf-8-sig", None
    head = data[:4096]
    if len(head) >= 8 and head.count(0) * 3 > len(head):
        little = head[1::2].count(0) > head[0::2].count(0)
        name = "utf-16-le" if little else "utf-16-be"
        return data.decode(name, "replace"), name, "UTF-16 without a byte order mark"
    try:
        return data.decode("utf-8"), "utf-8", None
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), "cp1252", None
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1", None


def plain_text(data: str | bytes, limit: int, warnings: Warnings) -> str:
    """Decode, cut at the limit, and make every line end a newline; keeps warnings."""
    if len(data) > limit:
        warnings.on(0, f"the input has {len(data)} characters, only the first {limit} are read")
        data = data[:limit]
    if isinstance(data, bytes):
        text, _, remark = decode(data)
        if remark:
            warnings.on(0, remark)
    else:
        text = data.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        warnings.on(0, "zero bytes were dropped")
        text = text.replace("\0", "")
    warnings.text = text
    return text
