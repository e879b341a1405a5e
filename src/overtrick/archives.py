"""Compressed files are looked at before they are read: what they say they hold must be something
that their size explains. The one place that opens archives of arrays and unpacks texts."""

from __future__ import annotations

import gzip
import lzma
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, Final

from numpy.lib import format as npy
from numpy.typing import NDArray

from overtrick.game.errors import BridgeError

# Real files of weights and deals are up to 13 times as long unpacked; one of equal numbers can
# be 1,000 times as long, so small files may always be read.
_ALWAYS: Final = 64 << 20  # bytes that any archive may unpack to
_TIMES: Final = 64  # as many more for each of its own bytes
_DICTIONARY: Final = 128 << 20  # bytes that xz may look back on
_MOST_PARTS: Final = 4096
_MOST_AXES: Final = 8
_LONGEST_HEADER: Final = 4096  # of an array
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\Z")
_NUMBERS_AND_TEXT: Final = "biufSU"
_BROKEN: Final = (
    ValueError, KeyError, TypeError, EOFError, IndexError, ArithmeticError, MemoryError,
    RuntimeError, SyntaxError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
    lzma.LZMAError, gzip.BadGzipFile,
)  # fmt: skip
"""What zip files, numpy's headers and packed bytes raise when they are something else."""

UNREADABLE: Final = (OSError, ValueError, KeyError)
"""What reading arrays and making something of them raises; `ArchiveError` is one of these."""


class ArchiveError(BridgeError):
    """A packed file that is damaged, something else, or far longer than it should be."""


def arrays(source: Path | str | IO[bytes], *names: str) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file, or those of these names that it has.

    Nothing is unpacked before the list of parts and each array's header have been found to agree
    with the size of the file.
    """
    with _parts(source) as bundle:
        wanted = {}
        for info in bundle.infolist():
            if not info.filename.endswith(".npy"):
                raise ArchiveError("it holds something else than arrays")
            name = info.filename.removesuffix(".npy")
            if not names or name in names:
                _check_header(bundle, info)
                wanted[name] = info
        found = {}
        for name, info in wanted.items():
            with bundle.open(info) as file:
                found[name] = npy.read_array(
                    file, allow_pickle=False, max_header_size=_LONGEST_HEADER
                )
        return found


def members(source: Path | str) -> Iterator[tuple[str, bytes]]:
    """The parts of a zip file, in the order of their names."""
    with _parts(source) as bundle:
        for name in sorted(bundle.namelist()):
            yield name, bundle.read(name)


def expanded(data: bytes) -> bytes:
    """What gzip or xz have packed, as far as the packed size explains it."""
    most = _ALWAYS + _TIMES * len(data)
    try:
        opened: Any = (
            lzma.LZMADecompressor(memlimit=_DICTIONARY)
            if data[:1] == b"\xfd"
            else zlib.decompressobj(wbits=31)
        )
        out: bytes = opened.decompress(data, most + 1)
    except _BROKEN as error:
        raise ArchiveError(f"it cannot be unpacked: {error}") from None
    if len(out) > most:
        raise ArchiveError("it would be far longer than its size explains")
    if not opened.eof:
        raise ArchiveError("it is cut off")
    return out


class Unpacked(gzip.GzipFile):
    """A packed file as it is read piece by piece, until it is longer than its size explains."""

    def __init__(self, file: IO[bytes]) -> None:
        size = file.seek(0, 2)
        file.seek(0)
        super().__init__(fileobj=file, mode="rb")
        self._most = _ALWAYS + _TIMES * size

    def read(self, size: int | None = -1) -> bytes:
        try:
            out = super().read(size)
        except _BROKEN as error:
            raise ArchiveError(f"it cannot be unpacked: {error}") from None
        if self.tell() > self._most:
            raise ArchiveError("it would be far longer than its size explains")
        return out


@contextmanager
def _parts(source: Path | str | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """A zip file whose list of parts is sound; all that is wrong with it is one error."""
    try:
        with zipfile.ZipFile(source) as bundle:
            _check_parts(bundle)
            yield bundle
    except ArchiveError:
        raise
    except _BROKEN as error:
        words = str(error) or type(error).__name__
        raise ArchiveError(f"it is no archive that can be read: {words}") from None


def _check_parts(bundle: zipfile.ZipFile) -> None:
    parts = bundle.infolist()
    file = bundle.fp
    assert file is not None
    size = file.seek(0, 2)
    if len(parts) > _MOST_PARTS:
        raise ArchiveError(f"it has {len(parts)} parts, and more than {_MOST_PARTS} are not read")
    if len({info.filename for info in parts}) != len(parts):
        raise ArchiveError("two of its parts have one name")
    for info in parts:
        if not _NAME.match(info.filename):
            raise ArchiveError("a part of it has a strange name")
        if info.compress_type not in _METHODS or info.flag_bits & 0x1:
            raise ArchiveError("a part of it is packed in another way, or encrypted")
    # Parts that lie on top of each other are in no file that anybody writes.
    if sum(info.compress_size for info in parts) > size:
        raise ArchiveError("its parts say that they are longer than the file")
    if sum(info.file_size for info in parts) > _ALWAYS + _TIMES * size:
        raise ArchiveError("it would be far longer than its size explains")


def _check_header(bundle: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    """The array that a part announces has to be as long as the part is."""
    with bundle.open(info) as file:
        version = npy.read_magic(file)
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if read is None:
            raise ArchiveError("an array of it has a header of another version")
        shape, _, dtype = read(file, max_header_size=_LONGEST_HEADER)
        length = info.file_size - file.tell()
    if dtype.kind not in _NUMBERS_AND_TEXT or len(shape) > _MOST_AXES:
        raise ArchiveError("an array of it holds something else than numbers and text")
    if any(n < 0 for n in shape) or not dtype.itemsize or prod(shape) * dtype.itemsize != length:
        raise ArchiveError("an array of it is not as long as it says")
