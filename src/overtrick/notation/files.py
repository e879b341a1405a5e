"""`load`, `loads`, `dump`, `dumps`: one way in and out for every format.
The format comes from the file's name, an argument, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import IO, Final, Literal, get_args

from overtrick.game import Record
from overtrick.game.errors import expect
from overtrick.notation import handviewer, lin, openspiel, pbn, rbn
from overtrick.notation.pbn.writer import Layout, NotationError
from overtrick.notation.reading import DEFAULT_LIMIT, Loaded, Warnings, plain_text
from overtrick.notation.whole import write_whole

Format = Literal["pbn", "lin", "rbn", "openspiel"]
FORMATS: Final[tuple[str, ...]] = get_args(Format)
_EXTENSIONS: Final = {
    ".pbn": "pbn", ".lin": "lin", ".rbn": "rbn", ".rbx": "rbn", ".txt": None,
    ".traj": "openspiel", ".openspiel": "openspiel",
}  # fmt: skip
_READERS: Final = {"pbn": pbn.read, "lin": lin.read, "rbn": rbn.read, "openspiel": openspiel.read}
_CHARSET: Final = "%Content-type: text/x-pbn; charset=UTF-8\r\n"

Source = str | PathLike[str] | IO[str] | IO[bytes]


def format_of(name: str) -> str | None:
    """The format a file's name tells, or None."""
    return _EXTENSIONS.get(Path(name).suffix.lower())


def guess(text: str) -> str | None:
    """The format a text looks like, or None."""
    head = text[:20_000]
    if re.search(r'^\s*\[\s*[A-Za-z]\w*\s*"', head, re.MULTILINE) or head.startswith("% PBN"):
        return "pbn"
    if re.search(r"(?:^|\||\s)(?:md|pn|qx|vg|mb|st)\|", head, re.IGNORECASE):
        return "lin"
    if re.match(r"(?:\s*#[^\n]*\n)*\s*\d{1,2}(?: \d{1,2}){51}", head):
        return "openspiel"
    if re.search(r"^[HAB] \S", head, re.MULTILINE):
        return "rbn"
    return None


def loads(data: str | bytes, format: str | None = None, *, limit: int = DEFAULT_LIMIT) -> Loaded:
    """Read records from text or bytes; without `format` the text decides.

    Never raises on data: whatever cannot be read becomes a warning with its line. Input beyond
    `limit` characters is left unread, with a warning.

    >>> found = loads('[Board "7"][Dealer "S"]')
    >>> found[0].number, len(found.warnings)
    (7, 0)
    """
    _known(format)
    expect(data, (str, bytes, bytearray), "data", "text or bytes; for a file there is load(path)")
    warnings = Warnings()
    text = plain_text(data, limit, warnings)
    if format is None and handviewer.is_url(text):
        loaded = handviewer.from_url(text, limit)
        return Loaded(loaded.records, (*warnings.found, *loaded.warnings))
    chosen = format or guess(text)
    if chosen is None:
        if text.strip():
            warnings.on(0, "no known format (pbn, lin, rbn, openspiel)")
        return Loaded((), tuple(warnings.found))
    records = _READERS[chosen](text, warnings)
    return Loaded(tuple(records), tuple(warnings.found))


def load(source: Source, format: str | None = None, *, limit: int = DEFAULT_LIMIT) -> Loaded:
    """Read a file (a path or an open file); the format comes from its name or its text.

    >>> from io import StringIO
    >>> found = load(StringIO('[Board "7"][Dealer "S"]'))
    >>> found.records[0].dealer, found.warnings
    (Seat.SOUTH, ())
    """
    if not hasattr(source, "read"):
        expect(source, (str, PathLike), "what is read", "a path or an open file")
    if isinstance(source, str | PathLike):
        path = Path(source)
        with path.open("rb") as file:
            data: str | bytes = file.read(limit + 1)
        return loads(data, format or format_of(path.name), limit=limit)
    name = getattr(source, "name", "")
    found = format_of(name) if isinstance(name, str) else None
    return loads(source.read(limit + 1), format or found, limit=limit)


def dumps(
    records: Iterable[Record] | Record,
    format: str = "pbn",
    *,
    layout: Layout = "keep",
    strict: bool = False,
) -> str:
    """Records as text. "keep" repeats unchanged records byte for byte, "export" writes all anew.

    >>> print(dumps(Record(number=7), "lin"))
    pn|,,,|st||md|0,,,|rh||ah|Board 7|
    <BLANKLINE>
    """
    _known(format)
    expect(records, (Record, Iterable), "what is written", "a Record or a list of them")
    many = [records] if isinstance(records, Record) else list(records)
    for record in many:
        expect(record, Record, "what is written", "a Record or a list of them")
    if format == "pbn":
        return pbn.write(many, layout, strict=strict)
    if format == "lin":
        return lin.write(many, layout)
    if format == "openspiel":
        return openspiel.write(many)
    raise NotationError("RBN is read but not written; choose pbn, lin or openspiel")


def dump(
    records: Iterable[Record] | Record,
    target: Source,
    format: str | None = None,
    *,
    layout: Layout = "keep",
    strict: bool = False,
) -> None:
    """Write a file; PBN in Latin-1 with CR LF, in UTF-8 (and saying so) when it must be.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> dump(Record(number=7, dealer="S"), file, "lin")
    >>> file.getvalue().startswith(b"pn|")
    True
    """
    name = str(target) if isinstance(target, str | PathLike) else str(getattr(target, "name", ""))
    chosen = format or format_of(name) or "pbn"
    text = dumps(records, chosen, layout=layout, strict=strict)
    if isinstance(target, str | PathLike):
        write_whole(Path(target), encoded(text, chosen))
    elif "b" in getattr(target, "mode", "") or not hasattr(target, "encoding"):
        target.write(encoded(text, chosen))  # type: ignore[arg-type]
    else:
        target.write(text)  # type: ignore[call-overload]


def encoded(text: str, format: str) -> bytes:
    """The bytes of a file of that format."""
    if format != "pbn":
        return text.encode("utf-8")
    lines = text.replace("\n", "\r\n")
    try:
        return lines.encode("latin-1") if not text.isascii() else lines.encode("ascii")
    except UnicodeEncodeError:
        if "charset=utf-8" not in text[:4000].lower():
            lines = lines.replace("% EXPORT\r\n", "% EXPORT\r\n" + _CHARSET, 1)
        return lines.encode("utf-8-sig")


def _known(format: str | None) -> None:
    if format is not None and format not in FORMATS:
        raise NotationError(f"no such format {format!r} ({', '.join(FORMATS)})")
