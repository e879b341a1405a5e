"""Records of a file too long to be held at once, one by one."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import IO, Final, cast

from overtrick.archives import Unpacked
from overtrick.game import Record
from overtrick.notation import lin
from overtrick.notation.files import format_of, guess
from overtrick.notation.pbn.reader import Earlier, records
from overtrick.notation.pbn.writer import NotationError
from overtrick.notation.reading import Warnings, decode

_PIECE: Final = 4 << 20  # bytes read at a time
_LONGEST: Final = 16 << 20  # characters without an end of a board, after which one is assumed
_NEXT: Final = {  # where a board begins for certain
    "pbn": re.compile(r"\n[ \t]*\n(?=\[(?:Event|Board)\b)"),
    "lin": re.compile(r"\n(?=(?:pn|md)\|)"),
    "vugraph": re.compile(r"\n(?=qx\|)"),
}


def stream(path: str | PathLike[str], warnings: Warnings | None = None) -> Iterator[Record]:
    """The records of a PBN or LIN file, packed by gzip or not, in memory for a few thousand boards.

    What a reader does not like goes to `warnings`, with lines counted from the piece it stands in.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "two.pbn"
    ...     _ = file.write_text('[Event "A"]\\n[Board "1"]\\n\\n[Event "#"]\\n[Board "2"]\\n')
    ...     [(r.number, r.tags["Event"]) for r in stream(file)]
    [(1, 'A'), (2, 'A')]
    """
    found = Warnings() if warnings is None else warnings
    with ExitStack() as opened:
        file: IO[bytes] = opened.enter_context(Path(path).open("rb"))
        if file.read(2) == b"\x1f\x8b":
            file = cast(IO[bytes], opened.enter_context(Unpacked(file)))
        else:
            file.seek(0)
        yield from _records(file, format_of(Path(path).name), found)


def _records(file: IO[bytes], form: str | None, warnings: Warnings) -> Iterator[Record]:
    first = file.read(_PIECE)
    _, encoding, _ = decode(first[: 1 << 16])
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    earlier, rest, header = Earlier(), "", ""
    piece = first
    while piece or rest:
        rest += decoder.decode(piece, final=not piece).replace("\r\n", "\n").replace("\0", "")
        form = form or guess(rest)
        if form == "lin" and rest.lstrip().startswith("vg|"):
            form = "vugraph"
        if form not in _NEXT:
            raise NotationError("only PBN and LIN are read board by board; load the file instead")
        ready, rest = _cut(rest, form, last=not piece)
        if ready and form == "vugraph":  # the head of the file says who sits in which room
            head, place, boards = ready.partition("qx|")
            header = header or head
            ready = header + (place + boards if place else "")
        if ready:
            warnings.turn_to(ready)
            games = (
                records(ready, warnings, earlier) if form == "pbn" else lin.read(ready, warnings)
            )
            yield from games
        piece = file.read(_PIECE) if piece else b""


def _cut(text: str, form: str, *, last: bool) -> tuple[str, str]:
    """Whole boards, and the rest that waits for more of the file."""
    if last:
        return text, ""
    end = 0
    for found in _NEXT[form].finditer(text):
        end = found.end()
    if not end and len(text) > _LONGEST:
        return text, ""
    return text[:end], text[end:]
