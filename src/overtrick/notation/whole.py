"""Files written whole or not at all: beside their place first, then moved there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EIO, ENOENT
from pathlib import Path
from typing import IO

from overtrick.database import names_are_kept


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its place when the block ends without an error.

    Until then, and after a crash, the old file (or none) is there; afterwards the new one, even
    when the power goes. Links are followed; what is no plain file, such as /dev/stdout, is written
    as it comes.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        with place.open("wb") as file:
            yield file
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _beside(place)
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(place)
        names_are_kept(place.parent)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(unfinished):
            # Said of the file that was asked for: ours beside it means nothing to anybody.
            number = EACCES if error.errno == ENOENT else error.errno or EIO
            why = os.strerror(error.errno or EIO).lower()
            raise OSError(number, f"it cannot be written ({why})", str(path)) from None
        raise


def why_not_written(path: Path) -> str | None:
    """What stands in the way of writing a file whole, tried without touching it; None when nothing
    does."""
    place = Path(os.path.realpath(path))
    try:
        if place.exists():
            if not os.access(place, os.W_OK):
                return os.strerror(EACCES).lower()
            if not place.is_file():
                return None
        _beside(place).open("wb").close()
        _beside(place).unlink()
    except OSError as error:
        return os.strerror(error.errno or EIO).lower()
    return None


def _beside(place: Path) -> Path:
    return place.with_name(f".{place.name}.{os.getpid()}.part")


def write_whole(path: Path, content: bytes | str) -> None:
    """Write bytes, or text in UTF-8, whole or not at all."""
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
