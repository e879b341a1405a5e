"""`load`, `loads`, `dump`, `dumps`: one way in and out for every format.
The format comes from the file's name, an argument, or the text itself."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import IO, Any, Final

from overtrick.game import Record
from overtrick.game.errors import expect
from overtrick.notation import dealing, handviewer, lin, openspiel, pbn, rbn
from overtrick.notation.pbn.writer import Layout, NotationError
from overtrick.notation.reading import DEFAULT_LIMIT, Loaded, Warnings, plain_text
from overtrick.notation.whole import write_whole

_CHARSET: Final = "%Content-type: text/x-pbn; charset=UTF-8\r\n"
_HEAD: Final = 20_000  # characters in which a text shows what it is
_PACKED: Final = ".gz"


@dataclass(frozen=True, slots=True)
class Notation:
    """How one notation is read and written, and how its files are known."""

    read: Callable[[str, Warnings], list[Record]]
    write: Callable[[list[Record], Layout, bool], str] | None  # records, layout, strict
    endings: tuple[str, ...]
    looks: Callable[[str], bool]
    raw: bool = False  # every byte is a character, as dealing machines have it


def _later(module: str, function: str) -> Callable[..., Any]:
    """A function of a module that is loaded when it is needed."""

    def call(*given: Any) -> Any:
        return getattr(import_module(f"overtrick.notation.{module}"), function)(*given)

    return call


def _numbered_cards(text: str, size: int) -> bool:
    head = text[:78]
    return len(head) == 78 and head.isascii() and head.isdecimal() and len(text) % size == 0


NOTATIONS: Final[Mapping[str, Notation]] = {
    "pbn": Notation(
        pbn.read, lambda many, layout, strict: pbn.write(many, layout, strict=strict), (".pbn",),
        lambda text: text.startswith("% PBN")
        or bool(re.search(r'^\s*\[\s*[A-Za-z]\w*\s*"', text[:_HEAD], re.MULTILINE)),
    ),
    "json": Notation(
        _later("plain", "read"), lambda many, *_: str(_later("plain", "write")(many)), (".json",),
        lambda text: text.lstrip()[:1] in ("{", "[") and '"' in text[:_HEAD],
    ),
    "usebio": Notation(
        _later("usebio", "read"), lambda many, *_: str(_later("usebio", "write")(many)),
        (".xml",), lambda text: "<USEBIO" in text[:_HEAD],
    ),
    "travellers": Notation(
        _later("travellers", "read"), lambda many, *_: str(_later("travellers", "write")(many)),
        (".csv",), lambda text: text.startswith("#") and "#TravellerLines" in text,
    ),
    "bbo": Notation(
        _later("travellers", "read_page"), None, (".html", ".htm"),
        _later("travellers", "looks_like_page"),
    ),
    "lin": Notation(
        lin.read, lambda many, layout, _: lin.write(many, layout), (".lin",),
        lambda text: bool(
            re.search(r"(?:^|\||\s)(?:md|pn|qx|vg|mb|st)\|", text[:_HEAD], re.IGNORECASE)
        ),
    ),
    "dlm": Notation(
        dealing.read_dlm, lambda many, *_: dealing.write_dlm(many), (".dlm",),
        lambda text: text.startswith("[Document]"),
    ),
    "openspiel": Notation(
        openspiel.read, lambda many, *_: openspiel.write(many), (".traj", ".openspiel"),
        lambda text: bool(re.match(r"(?:\s*#[^\n]*\n)*\s*\d{1,2}(?: \d{1,2}){51}", text[:_HEAD])),
    ),
    "dup": Notation(
        dealing.read_dup, lambda many, *_: dealing.write_dup(many), (".dup",),
        lambda text: _numbered_cards(text, 156), raw=True,
    ),
    "bri": Notation(
        dealing.read_bri, lambda many, *_: dealing.write_bri(many), (".bri",),
        lambda text: _numbered_cards(text, 128), raw=True,
    ),
    "dge": Notation(
        dealing.read_dge, lambda many, *_: dealing.write_dge(many), (".dge",),
        lambda text: text.startswith("\x06"), raw=True,
    ),
    "rbn": Notation(
        rbn.read, lambda many, *_: rbn.write(many), (".rbn", ".rbx"),
        lambda text: bool(re.search(r"^[HAB] \S", text[:_HEAD], re.MULTILINE)),
    ),
}  # fmt: skip
"""Every notation by name, in the order in which a text is tried for them."""
FORMATS: Final = tuple(NOTATIONS)
WRITTEN: Final = tuple(name for name, notation in NOTATIONS.items() if notation.write is not None)
_ENDINGS: Final = {end: name for name, kind in NOTATIONS.items() for end in kind.endings}

Source = str | PathLike[str] | IO[str] | IO[bytes]


def format_of(name: str) -> str | None:
    """The format a file's name tells, or None; `.gz` after it makes no difference.

    >>> format_of("evening.PBN.gz"), format_of("deals.dup"), format_of("notes.txt")
    ('pbn', 'dup', None)
    """
    path = Path(name.lower())
    return _ENDINGS.get(path.with_suffix("").suffix if path.suffix == _PACKED else path.suffix)


def guess(text: str) -> str | None:
    """The format a text looks like, or None."""
    return next((name for name, notation in NOTATIONS.items() if notation.looks(text)), None)


def unpacked(data: bytes, limit: int, warnings: Warnings) -> bytes:
    """What a gzip file holds, as far as the limit allows; other bytes as they are."""
    if data[:2] != b"\x1f\x8b":
        return data
    opened = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = opened.decompress(data, limit + 1)
    except zlib.error as error:
        warnings.on(0, f"not a gzip file: {error}")
        return b""
    if not opened.eof and len(found) <= limit:
        warnings.on(0, "the gzip file is cut off")
    return found


def _raw_guess(data: bytes) -> str | None:
    """The format of bytes that are no text."""
    text = data.decode("latin-1")
    return next((n for n, kind in NOTATIONS.items() if kind.raw and kind.looks(text)), None)


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
    if isinstance(data, bytes | bytearray):
        data = unpacked(bytes(data), limit, warnings)
        named = format or _raw_guess(data)
        if named is not None and NOTATIONS[named].raw:
            records = NOTATIONS[named].read(data[:limit].decode("latin-1"), warnings)
            return Loaded(tuple(records), tuple(warnings.found))
    text = plain_text(data, limit, warnings)
    if format is None and handviewer.is_url(text):
        loaded = handviewer.from_url(text, limit)
        return Loaded(loaded.records, (*warnings.found, *loaded.warnings))
    chosen = format or guess(text)
    if chosen is None:
        if text.strip():
            warnings.on(0, f"no known format ({', '.join(FORMATS)})")
        return Loaded((), tuple(warnings.found))
    records = NOTATIONS[chosen].read(text, warnings)
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
    write = NOTATIONS[format].write
    if write is None:
        raise NotationError(f"{format.upper()} is read but not written ({', '.join(WRITTEN)})")
    return write(many, layout, strict)


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
    """The bytes of a file of that format.

    PBN is Latin-1. Where that is not enough it is UTF-8 and says so in its head, without a byte
    order mark, which other readers take for a part of the first line.
    """
    if format != "pbn":
        return text.encode("latin-1" if NOTATIONS[format].raw else "utf-8")
    lines = text.replace("\n", "\r\n")
    try:
        return lines.encode("latin-1") if not text.isascii() else lines.encode("ascii")
    except UnicodeEncodeError:
        if "charset=utf-8" not in text[:4000].lower():
            lines = lines.replace("% EXPORT\r\n", "% EXPORT\r\n" + _CHARSET, 1)
        return lines.encode("utf-8")


def _known(format: str | None) -> None:
    if format is not None and format not in FORMATS:
        raise NotationError(f"no such format {format!r} ({', '.join(FORMATS)})")
